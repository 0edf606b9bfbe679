"""Views of a graph: counts, chains of reasons, gaps, pages to read, differences, and the part of some shows."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from itertools import pairwise
from math import inf
from typing import Any

from torchatlas.graph.answers import CHANGE_KINDS, ChainEdge, Change, ChangeKind, Gap, Gaps
from torchatlas.graph.formatting import BASES, ORDERS, RELATED_TO, RELATIONS
from torchatlas.graph.model import (
    NODES,
    RELATIONSHIPS,
    TABLES,
    Assumes,
    Link,
    ListenAfter,
    NodeTable,
    Origin,
    Requires,
    Row,
    Show,
    Shown,
    Snapshot,
    TableSchema,
    Teaches,
    rows_of,
)
from torchatlas.graph.names import fold


@dataclass(frozen=True, slots=True)
class Filled:
    """A property: the type of its values, and how many nodes or relationships have one."""

    name: str
    type: str
    _: KW_ONLY
    count: int


@dataclass(frozen=True, slots=True)
class ElementType:
    """A label or a relationship type; `pattern` is its form in Cypher, `example` the first of them in that form."""

    name: str
    pattern: str
    _: KW_ONLY
    count: int
    properties: tuple[Filled, ...]
    example: str | None

    @property
    def clause(self) -> str:
        """The pattern as the beginning of a statement, with a name for each part.

        >>> ElementType("USES", "(:Concept)-[:USES]->(:Concept)", count=1, properties=(), example=None).clause
        'MATCH (a:Concept)-[r:USES]->(b:Concept)'
        """
        return "MATCH " + self.pattern.replace("(:", "(a:", 1).replace("(:", "(b:").replace("[:", "[r:")

    @property
    def property_names(self) -> str:
        """The properties, those that not all have with their count.

        >>> ElementType("A", "(:A)", count=2, properties=(Filled("x", "string", count=1),), example=None).property_names
        'x (1)'
        """
        return ", ".join(p.name + (f" ({p.count:,})" if p.count < self.count else "") for p in self.properties)

    @property
    def cells(self) -> dict[str, object]:
        """The columns of the schema in a notebook."""
        return {
            "pattern": self.pattern,
            "count": self.count,
            "properties": self.property_names,
            "example": self.example,
        }


@dataclass(frozen=True, slots=True)
class Census(Shown):
    """The labels and the relationship types of a graph, in the order of the schema."""

    nodes: tuple[ElementType, ...]
    relationships: tuple[ElementType, ...]


def census(snapshot: Snapshot) -> Census:
    """Count the nodes and edges of a graph by the kinds of its schema.

    >>> census(Snapshot()).nodes[0].pattern
    '(:Concept)'
    """
    rows = rows_of(snapshot)
    nodes = (_kind(n, n.label, f"(:{n.label}%s)", rows[n.label]) for n in NODES)
    edges = (_kind(r, r.kind, f"(:{r.source}%s)-[:{r.kind}]->(:{r.target}%s)", rows[r.kind]) for r in RELATIONSHIPS)
    return Census(tuple(nodes), tuple(edges))


def _kind(table: TableSchema, name: str, form: str, rows: list[Row]) -> ElementType:
    """Return the count of a table; `form` is its pattern with a place for the properties of each end."""
    ends = ("id",) if isinstance(table, NodeTable) else ("source", "target")
    properties = tuple(
        Filled(c.name, c.type, count=sum(row[c.name] not in (None, [], "") for row in rows)) for c in table.columns
    )
    example = form % tuple(f" {{id: {rows[0][end]!r}}}" for end in ends) if rows else None
    return ElementType(name, form % (("",) * len(ends)), count=len(rows), properties=properties, example=example)


_SAID = 1.0
_INFERRED = 1.5
_BRIDGE = 0.01  # of two chains of one length, the one over needs that are worth an episode
State = tuple[str, bool]
"""An id, and whether an edge that says "before" has been walked on the way to it."""

_Before = Requires | Assumes | ListenAfter | Teaches


def chain(snapshot: Snapshot, earlier: str, later: str) -> tuple[ChainEdge, ...]:
    """Return the edges by which `earlier` comes before `later` (ids of concepts or episodes), from `later` down.

    A concept requires concepts; an episode assumes concepts, is told to be heard after episodes, and requires what its
    main subjects do; a concept leads to the episodes that have it as their main subject. Where several chains say so,
    the answer is the one with the fewest edges, curated and declared ones before inferred ones; where none does, it is
    empty.

    Example: `chain(snapshot, "functionalization", "aot-autograd")[0].words`
    """
    import networkx as nx

    graph: nx.DiGraph[State] = nx.DiGraph()
    for start, end, cost, edge in _steps(snapshot, earlier, later):
        if not graph.has_edge(start, end) or graph.edges[start, end]["cost"] > cost:
            graph.add_edge(start, end, cost=cost, edge=edge)
    try:
        path = nx.dijkstra_path(graph, (later, False), (earlier, True), weight="cost")
    except (nx.NodeNotFound, nx.NetworkXNoPath):
        return ()
    edges = (graph.edges[step]["edge"] for step in pairwise(path))
    return tuple(_chain_edge(snapshot, edge) for edge in edges)


def _steps(snapshot: Snapshot, earlier: str, later: str) -> Iterator[tuple[State, State, float, _Before]]:
    for needs in snapshot.requires:
        cost = (_INFERRED if needs.origin in ("drafted", "stated", "inferred") else _SAID) + (
            0 if needs.need == "hear" else _BRIDGE
        )
        for walked in (False, True):
            yield (needs.source, walked), (needs.target, True), cost, needs
    for after in snapshot.listen_after:
        for walked in (False, True):
            yield (after.source, walked), (after.target, True), _SAID, after
    for assumed in snapshot.assumed_by.get(later, ()):
        yield (later, False), (assumed.target, True), _SAID + _BRIDGE, assumed
    for taught in snapshot.taught_by.get(later, ()):
        if taught.depth == "main":
            yield (later, False), (taught.target, False), _SAID, taught
    for taught in snapshot.taught_by.get(earlier, ()):
        if taught.depth == "main":
            yield (taught.target, True), (earlier, True), _SAID, taught


def _chain_edge(snapshot: Snapshot, edge: _Before) -> ChainEdge:
    origin: Origin
    match edge:
        case Requires():
            words, origin = edge.reason, edge.origin
        case Assumes():
            words, origin = edge.why, "curated" if edge.how == "curated" else "declared"
        case ListenAfter():
            words, origin = edge.quote, edge.origin
        case Teaches():
            words, origin = edge.why or edge.evidence, edge.origin
    need, confidence, at = (edge.need, edge.confidence, None) if isinstance(edge, Requires) else (None, 1.0, edge.at)
    return ChainEdge(
        edge.source,
        snapshot.name_of(edge.source),
        kind=edge.kind,
        target=edge.target,
        target_name=snapshot.name_of(edge.target),
        words=words,
        origin=origin,
        confidence=confidence,
        need=need,
        at=at,
    )


_TREE = "https://github.com/pytorch/pytorch/blob/main"
_BEST = ("docs", "rfc", "blog", "github_wiki", "forum", "paper", "github_code", "github_issue", "github_pr")


class ReadingLinks:
    """Addresses to read about the concepts of a graph, looked up in indices that are made once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        links = {link.id: link for link in snapshot.links if link.type in _BEST}
        self.cited: defaultdict[str, list[Link]] = defaultdict(list)
        for cites in (c for c in snapshot.cites if c.target in links):
            self.cited[cites.source].append(links[cites.target])

    def of(self, concept: str) -> str | None:
        """Return the address of the best page whose words name the concept; None where neither page nor path is known.

        Example: `ReadingLinks(snapshot).of("vmap")`
        """
        c = self.snapshot.concept[concept]
        names = {fold(name) for name in (c.name, *c.aliases)}
        pages = (
            (_BEST.index(link.type), -t.weight, link.url)
            for t in self.snapshot.teachers.get(concept, ())
            for link in self.cited[t.source]
            if any(name in fold(f"{link.label} {link.url}") for name in names if len(name) > 3)
        )
        today = [(_BEST.index("github_code"), -inf, f"{_TREE}/{path}") for path in c.source_paths[:1]]
        best = min((*pages, *today), default=None)
        return best[2] if best else None


_THIN = 0.8
"""An inferred edge below this confidence is thin: even of the surest of those, one in five is wrong."""


def find_gaps(snapshot: Snapshot) -> Gaps:
    """Find concepts that episodes assume and none teaches, thin evidence, orphans, and subjects that are superseded.

    Each kind is sorted by how much depends on the gap, then by name.

    >>> find_gaps(Snapshot()).untaught
    ()
    """
    links = ReadingLinks(snapshot)
    kinds = _untaught(snapshot, links), _thin(snapshot), _orphans(snapshot, links), _superseded(snapshot)
    untaught, thin, orphans, superseded = (
        tuple(sorted(gaps, key=lambda gap: (-gap.count, gap.name.casefold(), gap.id))) for gaps in kinds
    )
    return Gaps(untaught, thin, orphans=orphans, superseded=superseded)


def _untaught(snapshot: Snapshot, reading_links: ReadingLinks) -> Iterator[Gap]:
    assumers = defaultdict(list)
    for edge in snapshot.assumes:
        if edge.target not in snapshot.teachers:
            assumers[edge.target].append(snapshot.episode[edge.source].title)
    for id_, titles in assumers.items():
        words, link = f"assumed by {_few(titles)}", reading_links.of(id_)
        yield Gap(id_, snapshot.concept[id_].name, count=len(titles), words=words, link=link)


def _thin(snapshot: Snapshot) -> Iterator[Gap]:
    for episode in snapshot.episodes:
        if episode.basis == "title":
            taught = len(snapshot.taught_by.get(episode.id, ()))
            yield Gap(episode.id, episode.title, count=taught, words=BASES[episode.basis][0], link=episode.url)
    for edge in snapshot.requires:
        if edge.origin == "inferred" and edge.confidence < _THIN:
            ends = f"{snapshot.concept[edge.source].name} requires {snapshot.concept[edge.target].name}"
            yield Gap(edge.source, ends, count=1, words=f"inferred with a confidence of {edge.confidence:.2f}")


def _orphans(snapshot: Snapshot, reading_links: ReadingLinks) -> Iterator[Gap]:
    edges = (snapshot.teaches, snapshot.assumes, snapshot.mentions, snapshot.requires, snapshot.concept_relations)
    joined = {end for group in edges for edge in group for end in (edge.source, edge.target)}
    for concept in (c for c in snapshot.concepts if c.id not in joined):
        words, link = f"in {concept.area}, joined to nothing", reading_links.of(concept.id)
        yield Gap(concept.id, concept.name, count=0, words=words, link=link)


def _superseded(snapshot: Snapshot) -> Iterator[Gap]:
    better = defaultdict(list)
    for edge in snapshot.concept_relations:
        if edge.kind == "SUPERSEDED_BY":
            better[edge.source].append(snapshot.concept[edge.target].name)
    for id_, names in better.items():
        mains = [t for t in snapshot.teachers.get(id_, ()) if t.depth == "main"]
        if titles := [snapshot.episode[t.source].title for t in mains]:
            words = f"superseded by {_few(names)}, and still the subject of {_few(titles)}"
            yield Gap(id_, snapshot.concept[id_].name, count=len(titles), words=words)


def _few(names: list[str]) -> str:
    shown, more = sorted(names)[:3], len(names) - 3
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def feeds_of(graph: Snapshot, episode_id: str) -> Iterator[str]:
    """Return the addresses of the feeds of an episode's shows, where known, those of the show that it names first.

    >>> from torchatlas.graph.model import Episode, InShow, Show
    >>> one, show = Episode("hum/one", "One", show="Hum"), Show("hum", "Hum", feed_url="https://e.org/hum")
    >>> list(feeds_of(Snapshot((), (one,), shows=(show,), in_show=(InShow("hum/one", "hum", quote="Hum"),)), "hum/one"))
    ['https://e.org/hum']
    """
    return filter(None, (show.feed_url for show in _shows(graph, episode_id)))


def pictures_of(graph: Snapshot, episode_id: str) -> Iterator[str]:
    """Return the addresses of the pictures of an episode's shows, where known, that of the named show first.

    Example: next(pictures_of(graph, "hum/one"), None)
    """
    return filter(None, (show.image_url for show in _shows(graph, episode_id)))


def _shows(graph: Snapshot, episode_id: str) -> list[Show]:
    shows = [graph.show[edge.target] for edge in graph.shows_of.get(episode_id, ())]
    return sorted(shows, key=lambda show: show.title != graph.episode[episode_id].show)


def part_of_shows(snapshot: Snapshot, shows: Collection[str]) -> Snapshot:
    """Return the graph without the episodes that are in none of these shows (ids), and without what only these cite.

    All concepts and what is between concepts stay, at their places on the map.

    >>> from torchatlas.graph.model import Episode, InShow, Show
    >>> one, two = Episode("a/one", "One", show="A"), Episode("b/two", "Two", show="B")
    >>> edges = InShow("a/one", "a", quote="A"), InShow("b/two", "b", quote="B")
    >>> graph = Snapshot(episodes=(one, two), shows=(Show("a", "A"), Show("b", "B")), in_show=edges)
    >>> part_of_shows(graph, ["b"]).episodes == (two,)
    True
    """
    kept = {edge.source for edge in snapshot.in_show if edge.target in shows}

    groups: dict[str, Any] = {
        name: tuple(edge for edge in getattr(snapshot, name) if edge.source in kept)
        for name in ("teaches", "assumes", "mentions", "cites", "in_show")
    }
    for name in ("listen_after", "refers_to", "related_to"):
        groups[name] = tuple(e for e in getattr(snapshot, name) if e.source in kept and e.target in kept)
    cited, named = ({edge.target for edge in groups[name]} for name in ("cites", "in_show"))
    return replace(
        snapshot,
        episodes=tuple(episode for episode in snapshot.episodes if episode.id in kept),
        shows=tuple(show for show in snapshot.shows if show.id in named),
        links=tuple(link for link in snapshot.links if link.id in cited),
        **groups,
    )


_TELLING = ("Episode", "Concept", "Show", "REQUIRES", "TEACHES", "LISTEN_AFTER", "ASSUMES")
_DERIVED = ("Link", "CITES", "IN_SHOW", "MENTIONS", "RELATED_TO")
BY_WEIGHT = (*_TELLING, *(table for table in TABLES if table not in (*_TELLING, *_DERIVED)), *_DERIVED)
"""Labels and relationship types; what plans follow from comes first, what follows from the rest comes last."""

_Node = tuple[str, str]
"""Label and id: a show may have the id of a concept."""

_PLACES = {"x", "y"}
"""A new node moves others on the map, which says nothing about them."""

_VERBS: Mapping[str, str] = {
    **{str(kind): verb for kind, verb in ORDERS.items()},
    **{str(kind): words.verb for kind, words in RELATIONS.items()},
    "RELATED_TO": RELATED_TO,
    "REFERS_TO": "refers to",
    "MENTIONS": "mentions",
    "IN_SHOW": "is in",
    "CITES": "cites",
}


def changes(old: Snapshot, new: Snapshot) -> tuple[Change, ...]:
    """Return what is added, removed and changed from one graph to another; places on the map do not count.

    In a table, additions come first and changes last; edges that a node brings or takes along come after the others.

    >>> from torchatlas.graph.model import Episode
    >>> changes(Snapshot(), Snapshot(episodes=(Episode("show/one", "One", show="Show"),)))[0].name
    'One'
    """
    named_before, named_after = _names(old), _names(new)
    names, shared = named_before | named_after, named_before.keys() & named_after.keys()
    before, after = rows_of(old), rows_of(new)
    found = [change for table in BY_WEIGHT for change in _in_table(table, before[table], after[table], names)]
    place = {table: n for n, table in enumerate(BY_WEIGHT)}

    def telling(change: Change) -> tuple[object, ...]:
        brought = len(change.ids) > 1 and not shared.issuperset(_nodes(change.table, change.ids))
        return place[change.table], brought, CHANGE_KINDS.index(change.how), change.name, change.ids

    return tuple(sorted(found, key=telling))


def _in_table(table: str, before: list[Row], after: list[Row], names: Mapping[_Node, str]) -> Iterator[Change]:
    old, new = ({_ids(table, row): row for row in rows} for rows in (before, after))
    for ids in {**old, **new}:
        properties: tuple[str, ...] = ()
        if ids in old and ids in new:
            properties = tuple(k for k, v in old[ids].items() if v != new[ids][k] and k not in _PLACES)
            if not properties:
                continue
        how: ChangeKind = "changed" if properties else "added" if ids in new else "removed"
        name = f" {_VERBS.get(table, table)} ".join(names[node] for node in _nodes(table, ids))
        yield Change(how, table, ids=ids, name=name, properties=properties)


def _ids(table: str, row: Row) -> tuple[str, ...]:
    return (row["id"],) if isinstance(TABLES[table], NodeTable) else (row["source"], row["target"])


def _nodes(table: str, ids: tuple[str, ...]) -> Iterator[_Node]:
    """Return the node of a row, or both ends of an edge."""
    of = TABLES[table]
    return zip((of.label,) if isinstance(of, NodeTable) else (of.source, of.target), ids, strict=True)


def _names(graph: Snapshot) -> dict[_Node, str]:
    """Return the name of every node."""
    named = {("Concept", c.id): c.name for c in graph.concepts} | {("Episode", e.id): e.label for e in graph.episodes}
    return (
        named | {("Show", s.id): s.title for s in graph.shows} | {("Link", link.id): link.url for link in graph.links}
    )
