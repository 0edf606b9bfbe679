"""Views of a graph: cards, lists, counts, chains, gaps, changes, parts."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import asdict, replace
from itertools import pairwise
from math import inf
from operator import itemgetter
from typing import Any, ClassVar, TypeVar

from torchatlas.graph import model
from torchatlas.graph.answers import CHANGE_KINDS, ChainEdge, Change, ChangeKind, Gap, Gaps, Named
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.formatting import BASES, DEPTHS, NEEDS, REFERENCES, RELATIONS, VERBS, clock, day, length, listed
from torchatlas.graph.model import Link, Requires, Show, Snapshot, Teaches, Value, by_source
from torchatlas.graph.names import fold, folded_title, suggest, telling_words, words


def other_names(graph: Snapshot) -> dict[str, str]:
    """Return other name -> "PyTorch 2 · torch.compile", if not ambiguous."""
    exact = [*graph.concept, *(c.name for c in graph.concepts), *(e.title for e in graph.episodes), *graph.areas]
    owners = Counter({fold(name): 2 for name in exact})
    owners.update(folded for c in graph.concepts for folded in {fold(alias) for alias in c.aliases})
    named = sorted(graph.concepts, key=lambda c: c.name.casefold())
    return {a: f"{c.name} · {a}" for c in named for a in c.aliases if owners[fold(a)] == 1}


def areas_of(graph: Snapshot) -> dict[str, str]:
    """Return id -> area; episodes by heaviest concept: `areas_of(graph)`."""
    subjects = ((id_, graph.taught_by.get(id_)) for id_ in graph.episode)
    of_episodes = {id_: graph.concept[taught[0].target].area if taught else "" for id_, taught in subjects}
    return {c.id: c.area for c in graph.concepts} | of_episodes


def concepts_in_episodes(graph: Snapshot) -> frozenset[str]:
    """Return concepts that episodes touch, and their needs; all if no episode: `concepts_in_episodes(graph)`."""
    graph = graph.without_resources
    if not graph.episodes:
        return frozenset(graph.concept)
    said = {e.target for e in (*graph.teaches, *graph.assumes, *graph.mentions)}
    return frozenset(said | {r.target for c in said for r in graph.required_by.get(c, ())})


TEACHES = "Teaches"  # a heading


class Lesson(Named, kw_only=True):
    """The other end of a TEACHES edge, and the second at which the explanation begins."""

    cells: ClassVar[str] = "name why=note"
    main: bool
    at: int | None
    note: str

    @property
    def why(self) -> str:
        return self.note


class Neighbour(Named, kw_only=True):
    """A concept or an episode that is near, and in words why."""

    cells: ClassVar[str] = "name why"
    why: str


class ConceptCard(model.MarkdownMixin, Named, kw_only=True):
    """A concept and all that touches it; what is firm stands before what is inferred."""

    headings: ClassVar[dict[str, str]] = {
        "Explained in": "taught_in",
        "Needs first": "needs",
        "Leads to": "leads_to",
        "Besides": "others",
        "Taken for granted in": "assumed_in",
        "Named in": "named_in",
    }
    area: str
    definition: str
    aliases: tuple[str, ...]
    source_paths: tuple[str, ...]
    taught_in: tuple[Lesson, ...]
    needs: tuple[Neighbour, ...]
    leads_to: tuple[Neighbour, ...]
    others: tuple[Neighbour, ...]
    assumed_in: tuple[Neighbour, ...]
    named_in: tuple[Neighbour, ...]
    reading: str | None


class EpisodeCard(Value, model.MarkdownMixin):
    """An episode and all that touches it. `facts` are short words for one line."""

    headings: ClassVar[dict[str, str]] = {
        TEACHES: "teaches",
        "Hear first": "first",
        "Assumes": "assumes",
        "Speaks of": "refers_to",
    }
    id: str
    title: str
    facts: tuple[str, ...]
    teaches: tuple[Lesson, ...]
    assumes: tuple[Neighbour, ...]
    first: tuple[Neighbour, ...]
    refers_to: tuple[Neighbour, ...]
    readings: tuple[Link, ...]
    basis: str
    shows: tuple[Show, ...]


def concept_card(graph: Snapshot, id_: str) -> ConceptCard:
    """Return the card of a concept: `concept_card(graph, "vmap").needs`."""
    concept, name, title = graph.concept[id_], graph.concept_names, graph.episode_names
    strength, relations = list(NEEDS), graph.concept_relations
    lessons = sorted(graph.teachers.get(id_, ()), key=lambda t: (t.depth != "main", -t.weight, t.source))
    lessons.sort(key=lambda t: t.source in graph.resource)
    needs = sorted(graph.required_by.get(id_, ()), key=lambda r: (strength.index(r.need), -r.confidence, r.target))
    leads = sorted((r for r in graph.requires if r.target == id_), key=lambda r: (strength.index(r.need), r.source))
    ties = [(r.target, RELATIONS[r.kind].forward, r) for r in relations if r.source == id_]
    ties += [(r.source, RELATIONS[r.kind].backward, r) for r in relations if r.target == id_]
    others = []
    for other, why, r in ties:  # with a reason that adds to the names
        known = telling_words(f"{name[r.source]} {name[r.target]} {VERBS[r.kind]}")
        why += "" if set(telling_words(r.reason)).issubset(known) else f"; {r.reason}"
        others.append(Neighbour(other, name[other], why=why))
    extent = {need: f" ({words})" * (need != "hear") for need, words in NEEDS.items()}
    whys = [(r.target, r.reason + extent[r.need] if r.reason else NEEDS[r.need]) for r in needs]
    return ConceptCard(
        id_,
        concept.name,
        taught_in=tuple(_lesson(t.source, title[t.source], t) for t in lessons),
        needs=tuple(Neighbour(target, name[target], why=why) for target, why in whys),
        leads_to=tuple(Neighbour(r.source, name[r.source], why=r.reason) for r in leads),
        others=tuple(others),
        assumed_in=tuple(Neighbour(a.source, title[a.source], why=a.why) for a in graph.assumes if a.target == id_),
        named_in=tuple(Neighbour(m.source, title[m.source], why="") for m in graph.mentions if m.target == id_),
        reading=reading_links(graph)(id_),
        **{name: getattr(concept, name) for name in ("area", "definition", "aliases", "source_paths")},
    )


def episode_card(graph: Snapshot, id_: str) -> EpisodeCard:
    """Return the card of an episode: `episode_card(graph, "show/vmap").teaches`."""
    episode, name, title = graph.episode[id_], graph.concept_names, graph.episode_names
    said = [(a, _moment("said", a.at) if a.how == "declared" else "") for a in graph.assumed_by.get(id_, ())]
    assumed = [(a.target, ": ".join(filter(None, (words, a.why)))) for a, words in said]
    references = [(r, _moment(REFERENCES[r.relation].verb, r.at)) for r in graph.refers_to if r.source == id_]
    links, after = {link.id: link for link in graph.links}, [a for a in graph.listen_after if a.source == id_]
    cited = [(c.label, links[c.target]) for c in graph.cites if c.source == id_]
    facts = (
        episode.show,
        "" if episode.season is None else f"season {episode.season}",
        episode.kind if episode.number is None else f"{episode.kind} {episode.number}",
        day(episode.published),
        length(episode.minutes, estimated=episode.estimated),
        f"{'by' if id_ in graph.resource else 'with'} {', '.join(episode.guests)}" if episode.guests else "",
    )
    basis, caution = BASES[episode.basis]
    return EpisodeCard(
        id_,
        episode.title,
        facts=tuple(filter(None, facts)),
        teaches=tuple(_lesson(t.target, name[t.target], t) for t in graph.taught_by.get(id_, ())),
        assumes=tuple(Neighbour(a, name[a], why=why) for a, why in assumed),
        first=tuple(Neighbour(a.target, title[a.target], why=a.quote) for a in after),
        refers_to=tuple(Neighbour(r.target, title[r.target], why=words) for r, words in references),
        readings=tuple(replace(link, label=label or link.label or link.url) for label, link in cited),
        basis=f"{basis[:1].upper()}{basis[1:]}: {caution}." if basis else "",
        shows=tuple(graph.show[edge.target] for edge in graph.shows_of.get(id_, ())),
    )


def _lesson(id_: str, name: str, edge: Teaches) -> Lesson:
    note = _moment(DEPTHS[edge.depth], edge.at, "explained ")
    return Lesson(id_, name, main=edge.depth == "main", at=edge.at, note=note)


def _moment(words: str, at: int | None, verb: str = "") -> str:
    return words if at is None else f"{words}, {verb}at {clock(at)}"


class EpisodeRow(Named, kw_only=True):
    """An episode in a list: title, area, length and day; "" where unknown."""

    area: str
    length: str
    day: str


def episode_rows(graph: Snapshot, text: str = "") -> tuple[EpisodeRow, ...]:
    """Return episodes that hold all words: `episode_rows(graph, "autograd")`."""
    graph = graph.without_resources
    area, wanted, found = areas_of(graph), words(text), []
    for id_, name in graph.episode_names.items():
        e = graph.episode[id_]
        taught = (graph.name_of(t.target) for t in graph.taught_by.get(id_, ()))
        said = folded_title(" ".join((e.label, e.summary, *e.questions, *e.guests, *taught))) if wanted else ""
        if all(word in said for word in wanted):
            lasts = "" if e.minutes is None else length(e.minutes, estimated=e.estimated)
            found.append(EpisodeRow(id_, name, area=area[id_], length=lasts, day=day(e.published)))
    return tuple(found)


class ShowRow(Show, kw_only=True):
    """A show with its facts, and how many episodes of it are on the map."""

    episodes: int


def show_rows(graph: Snapshot) -> tuple[ShowRow, ...]:
    """Return the shows of a graph by title: `show_rows(graph)[0].episodes`."""
    episodes = Counter(edge.target for edge in graph.in_show)
    rows = (ShowRow(**asdict(show), episodes=episodes[show.id]) for show in graph.shows)
    return tuple(sorted(rows, key=lambda row: (row.title.casefold(), row.id)))


def show_named(graph: Snapshot, name: str) -> str:
    """Find a show by id or title: `show_named(graph, "hum")`. Raises UnknownName."""
    if name in graph.show:
        return name
    wanted, titles = folded_title(name), {show.id: folded_title(show.title) for show in graph.shows}
    same = [id_ for id_, title in titles.items() if title == wanted]
    within = [id_ for id_, title in titles.items() if wanted and wanted in title]
    if found := next((ids for ids in (same, within) if len(ids) == 1), None):
        return found[0]
    known = [show.title for show in graph.shows]
    raise UnknownName("show", name, suggest(name, known) or sorted(known)[:3])


T = TypeVar("T")


class Rows(model.MarkdownMixin, tuple[T, ...]):
    """A tuple of dataclass values, a table in a notebook: `Rows(plan.unmet)`."""


class Filled(Value):
    """A property: the type of its values, and how many elements have one."""

    name: str
    type: str
    count: int


class ElementType(Value):
    """A label or relationship type; `pattern`: in Cypher; `example`: the first."""

    cells: ClassVar[str] = "pattern count properties=property_names example"
    name: str
    pattern: str
    count: int
    properties: tuple[Filled, ...]
    example: str | None

    @property
    def property_names(self) -> str:
        """The properties; partial ones have a count: "id, definition (1,611)"."""
        return ", ".join(p.name + (f" ({p.count:,})" if p.count < self.count else "") for p in self.properties)


class Census(Value, model.MarkdownMixin):
    """The labels and the relationship types of a graph, in the order of the schema."""

    nodes: tuple[ElementType, ...]
    relationships: tuple[ElementType, ...]


def census(graph: Snapshot) -> Census:
    """Count nodes and edges by their kind: `census(graph).nodes[0].pattern`."""
    found = []
    for name, rows in model.rows_of(graph).items():
        form, ends, table = f"(:{name}%s)", ["id"], model.TABLES[name]
        if isinstance(table, model.RelationshipTable):
            form, ends = f"(:{table.source}%s)-[:{name}]->(:{table.target}%s)", ["source", "target"]
        filled = {c: sum(row[c.name] not in (None, [], "") for row in rows) for c in table.columns}
        properties = tuple(Filled(c.name, c.type, count) for c, count in filled.items())
        example = form % tuple(f" {{id: {rows[0][end]!r}}}" for end in ends) if rows else None
        found.append(ElementType(name, form.replace("%s", ""), len(rows), properties, example))
    return Census(tuple(found[: len(model.NODES)]), tuple(found[len(model.NODES) :]))


def chain(graph: Snapshot, earlier: str, later: str) -> tuple[ChainEdge, ...]:
    """Return edges that put `earlier` before `later`, from `later` down, or ().

    The chain with the fewest edges counts, surer edges before inferred ones.
    Example: `chain(graph, "functionalization", "aot-autograd")[0].words`
    """
    import networkx as nx

    # a node: an id, and whether an edge that says "before" was walked
    start, end = (later, False), (earlier, True)
    before: list[Requires | model.ListenAfter] = [*graph.requires, *graph.listen_after]
    ways: list[tuple[model.Edge, tuple[str, bool], tuple[str, bool]]]
    ways = [(e, (e.source, walked), (e.target, True)) for e in before for walked in (False, True)]
    ways += [(a, start, (a.target, True)) for a in graph.assumed_by.get(later, ())]
    ways += [(t, start, (t.target, False)) for t in graph.taught_by.get(later, ()) if t.depth == "main"]
    ways += [(t, (t.target, True), end) for t in graph.taught_by.get(earlier, ()) if t.depth == "main"]
    ties: nx.DiGraph[tuple[str, bool]] = nx.DiGraph()
    for edge, a, b in ways:
        unsure = isinstance(edge, Requires) and edge.origin in ("drafted", "stated", "inferred")
        light = isinstance(edge, model.Assumes) or (isinstance(edge, Requires) and edge.need != "hear")
        cost = 1 + 0.5 * unsure + 0.01 * light  # of two as long, the one by what is worth an episode
        if not ties.has_edge(a, b) or ties.edges[a, b]["cost"] > cost:
            ties.add_edge(a, b, cost=cost, edge=edge)
    try:
        path = nx.dijkstra_path(ties, start, end, weight="cost")
    except (nx.NodeNotFound, nx.NetworkXNoPath):
        return ()
    found = []
    for edge in (ties.edges[step]["edge"] for step in pairwise(path)):
        source, target = ((id_, graph.name_of(id_)) for id_ in (edge.source, edge.target))
        said_in = ("reason",) if isinstance(edge, Requires) else ("why", "evidence", "quote")
        said = next(filter(None, (getattr(edge, name, "") for name in said_in)), "")
        facts = {name: getattr(edge, name) for name in ("confidence", "need", "at", "origin") if hasattr(edge, name)}
        if isinstance(edge, model.Assumes):
            facts["origin"] = "curated" if edge.how == "curated" else "declared"
        found.append(ChainEdge(*source, edge.kind, *target, words=said, **facts))
    return tuple(found)


_TREE = "https://github.com/pytorch/pytorch/blob/main"
_BEST = ("docs", "rfc", "blog", "github_wiki", "forum", "paper", "github_code", "github_issue", "github_pr")


def reading_links(graph: Snapshot) -> Callable[[str], str | None]:
    """Return a function, concept -> best page: `reading_links(graph)("vmap")`."""
    links = {link.id: link for link in graph.links if link.type in _BEST}
    cited = by_source(c for c in graph.cites if c.target in links)

    def best(concept: str) -> str | None:
        c = graph.concept[concept]
        names = {fold(name) for name in (c.name, *c.aliases)}
        teachers = graph.teachers.get(concept, ())
        pages = [
            (_BEST.index(link.type), -weight, link.url)
            for weight, link in ((t.weight, links[c.target]) for t in teachers for c in cited.get(t.source, ()))
            if any(name in fold(f"{link.label} {link.url}") for name in names if len(name) > 3)
        ]
        pages += [(_BEST.index("github_code"), -inf, f"{_TREE}/{path}") for path in c.source_paths[:1]]
        return min(pages, default=(0, 0.0, None))[2]

    return best


def find_gaps(graph: Snapshot) -> Gaps:
    """Find what the map lacks, most needed first: `find_gaps(graph).untaught`."""
    link_of, name_of, untaught, superseded = reading_links(graph), graph.name_of, list[Gap](), list[Gap]()
    for c, assumes in by_source((a for a in graph.assumes if a.target not in graph.teachers), "target").items():
        words = f"assumed by {listed(sorted(name_of(a.source) for a in assumes), 3)}"
        untaught.append(Gap(c, name_of(c), count=len(assumes), words=words, link=link_of(c)))
    titled = ((e, len(graph.taught_by.get(e.id, ()))) for e in graph.episodes if e.basis == "title")
    thin = [Gap(e.id, e.title, count=count, words=BASES["title"][0], link=e.url) for e, count in titled]
    for r in (r for r in graph.requires if r.origin == "inferred" and r.confidence < 0.8):  # one in five is wrong
        ends = f"{name_of(r.source)} requires {name_of(r.target)}"
        thin.append(Gap(r.source, ends, count=1, words=f"inferred with a confidence of {r.confidence:.2f}"))
    groups = (*graph.teaches, *graph.assumes, *graph.mentions, *graph.requires, *graph.concept_relations)
    joined = {end for edge in groups for end in (edge.source, edge.target)}
    alone = (c for c in graph.concepts if c.id not in joined)
    orphans = [Gap(c.id, c.name, count=0, words=f"in {c.area}, joined to nothing", link=link_of(c.id)) for c in alone]
    for c, edges in by_source(r for r in graph.concept_relations if r.kind == "SUPERSEDED_BY").items():
        if titles := [name_of(t.source) for t in graph.teachers.get(c, ()) if t.depth == "main"]:
            told = [listed(sorted(names), 3) for names in ([name_of(e.target) for e in edges], titles)]
            words = f"superseded by {told[0]}, and still the subject of {told[1]}"
            superseded.append(Gap(c, name_of(c), count=len(titles), words=words))
    kinds = (untaught, thin, orphans, superseded)
    return Gaps(*(tuple(sorted(gaps, key=lambda gap: (-gap.count, gap.name.casefold(), gap.id))) for gaps in kinds))


def part_of_shows(graph: Snapshot, shows: Collection[str]) -> Snapshot:
    """Return the graph of these shows alone: `part_of_shows(graph, ["hum"])`."""
    part = graph.without(graph.episode.keys() - {edge.source for edge in graph.in_show if edge.target in shows})
    ends = {edge.target for edge in (*part.cites, *part.in_show)}
    kept: dict[str, Any] = {name: tuple(n for n in getattr(graph, name) if n.id in ends) for name in ("shows", "links")}
    return replace(part, **kept)


_TELLING = ("Episode", "Concept", "Resource", "Show", "REQUIRES", "TEACHES", "LISTEN_AFTER", "ASSUMES")
_DERIVED = ("Link", "CITES", "IN_SHOW", "MENTIONS", "RELATED_TO")
BY_WEIGHT = (*_TELLING, *(table for table in model.TABLES if table not in (*_TELLING, *_DERIVED)), *_DERIVED)
"""Labels and relationship types; what plans follow from comes first, what follows from the rest comes last."""
_NAMES = {"Concept": "name", "Episode": "label", "Resource": "title", "Show": "title", "Link": "url"}


def changes(old: Snapshot, new: Snapshot) -> tuple[Change, ...]:
    """Return what differs between two graphs, except places on the map.

    In a table: added, removed, changed; then edges of a node that came or went.
    Example: `changes(before, after)[0].name`
    """

    def named(graph: Snapshot) -> dict[tuple[str, str], str]:
        groups = {label: getattr(graph, model.group_of(label)) for label in _NAMES}
        return {(label, node.id): getattr(node, _NAMES[label]) for label, nodes in groups.items() for node in nodes}

    names, shared = named(old) | named(new), named(old).keys() & named(new).keys()
    before, after, found = model.rows_of(old), model.rows_of(new), []
    for place, table in enumerate(BY_WEIGHT):
        of, ends, labels = model.TABLES[table], ["id"], [table]
        if isinstance(of, model.RelationshipTable):
            ends, labels = ["source", "target"], [of.source, of.target]
        was, now = ({tuple(row[end] for end in ends): row for row in rows[table]} for rows in (before, after))
        for ids in was | now:
            how: ChangeKind = "added" if ids not in was else "changed" if ids in now else "removed"
            both = was[ids].items() if how == "changed" else ()
            properties = tuple(k for k, v in both if v != now[ids][k] and k not in ("x", "y"))  # others move a node
            if how == "changed" and not properties:
                continue
            pairs = list(zip(labels, ids, strict=True))
            nodes = [next((of, id_) for of in label.split("|") if (of, id_) in names) for label, id_ in pairs]
            name = f" {VERBS.get(table, '')} ".join(names[node] for node in nodes)
            brought = len(ids) > 1 and not shared.issuperset(nodes)
            change = Change(how, table, ids=ids, name=name, properties=properties)
            found.append(((place, brought, CHANGE_KINDS.index(how), name, ids), change))
    return tuple(change for _, change in sorted(found, key=itemgetter(0)))
