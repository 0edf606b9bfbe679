"""One graph of curated files and of what was found in texts, as pure functions; every edge has its evidence."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from types import MappingProxyType
from typing import cast

from torchatlas.graph.findings import (
    Catalogue,
    Extraction,
    Findings,
    FoundLink,
    Mention,
    Statement,
    TextsRead,
    Vocabulary,
)
from torchatlas.graph.identity import MergedSources, bare_title, may_be_one, merge_sources
from torchatlas.graph.inference import infer, worth_hearing
from torchatlas.graph.layout import FindPlaces, ground, overview
from torchatlas.graph.model import (
    CODE,
    EDGE_GROUPS,
    TERMS,
    Assumes,
    Cites,
    Concept,
    ConceptRelation,
    ConceptRelationKind,
    E,
    Edge,
    Episode,
    InShow,
    Link,
    ListenAfter,
    Mentions,
    Precedence,
    RefersTo,
    RelatedTo,
    Requires,
    Snapshot,
    Teaches,
    check_acyclic,
)
from torchatlas.graph.names import EpisodeNumber, asked_number, bare_address, folded_title, is_series, words
from torchatlas.graph.related import FindRanked, nearest, ranked

_OFTEN = 3  # a concept named so often in the notes is a part of what the episode explains


def moved_to(found: Findings, moved: Mapping[tuple[str, str], str]) -> Findings:
    """Return the findings with other concepts, where a person says what an episode means.

    `moved`: ids of an episode and of a concept -> the concept that the episode's texts mean instead.
    Example: `moved_to([("show/one", extraction)], {("show/one", "autograd"): "engine"})`
    """
    episodes = {episode for episode, _ in moved}

    def changed(id_: str, extraction: Extraction) -> Extraction:
        def now(concept: str) -> str:
            return moved.get((id_, concept), concept)

        mentions = (replace(m, concept_id=now(m.concept_id), part=now(m.part)) for m in extraction.mentions)
        explained = (replace(e, concept_id=now(e.concept_id)) for e in extraction.explained)
        return replace(extraction, mentions=tuple(mentions), explained=tuple(explained))

    return [(id_, changed(id_, extraction) if id_ in episodes else extraction) for id_, extraction in found]


def without_rare(found: Findings, known: Collection[str]) -> Findings:
    """Return the findings without the concepts that are not `known` (ids) and that only one episode or titles name.

    Such a concept would join nothing, or all episodes of a series. Example: `without_rare([("show/one", x)], {"view"})`
    """
    named = {(m.concept_id, id_) for id_, x in found for m in x.mentions if m.field != "summary"}
    often = {concept for concept, count in Counter(concept for concept, _ in named).items() if count > 1}
    kept = (often - _series(found)).union(known)

    def without(extraction: Extraction) -> Extraction:
        own = (m if m.concept_id in kept else replace(m, concept_id=m.listed) for m in extraction.mentions)
        mentions = tuple(m for m in own if m.concept_id in kept)
        explained = tuple(e for e in extraction.explained if e.concept_id in kept)
        return replace(extraction, mentions=mentions, explained=explained)

    return [(id_, without(extraction)) for id_, extraction in found]


def _series(found: Findings) -> set[str]:
    """Return the concepts that are no more than the names of series, in the shows that have notes."""
    titles, texts = Counter[str](), Counter[str]()
    noted = {x.episode.show for _, x in found if x.text}
    for extraction in (x for _, x in found if x.episode.show in noted):
        titles.update({m.concept_id for m in extraction.mentions if m.field == "title"})
        texts.update({m.concept_id for m in extraction.mentions if m.field != "title"})
    return {concept for concept, count in titles.items() if is_series(count, texts[concept])}


def unlisted_concepts(found: Findings, known: Collection[str]) -> Iterator[Concept]:
    """Yield a concept for each thing that is named and not `known` (ids), by the shortest of its spellings.

    Example: `next(unlisted_concepts([("show/one", extraction)], {"autograd"})).area` is "Code" or "Terms".
    """
    spelled: dict[str, set[str]] = {}
    for mention in (m for _, extraction in found for m in extraction.mentions if m.concept_id not in known):
        spelled.setdefault(mention.concept_id, set()).add(mention.text)
    for id_, spellings in sorted(spelled.items()):
        name = min(spellings, key=lambda text: (len(text), text))
        area = TERMS if all(_is_word(word) for word in name.replace("-", " ").split()) else CODE
        yield Concept(id_, name, area=area, definition="Named in the notes; the vocabulary has no entry for it.")


def _is_word(text: str) -> bool:
    return text.isalpha() and (text.islower() or text.isupper() or text.istitle())


def unlisted_names(found: Findings, known: Collection[str]) -> dict[str, str]:
    """Return each name of a thing that is not `known` (ids), as statements write it, with the id of its concept.

    A statement writes code without its call and its value.
    Example: `unlisted_names([("show/one", extraction)], {"autograd"})` is `{"to_mlir": "to-mlir"}`.
    """
    named = sorted((m.text, m.concept_id) for _, x in found for m in x.mentions if m.concept_id not in known)
    return {text.partition("(")[0].partition("=")[0]: id_ for text, id_ in named}


def episodes_by_title_mention(found: Findings) -> dict[str, list[str]]:
    """Return the ids of concepts with the episodes whose titles name them.

    Example: `episodes_by_title_mention([("show/one", extraction)])["view"]` is `["show/one"]`.
    """
    named: dict[str, dict[str, None]] = {}
    for id_, mention in ((id_, m) for id_, x in found for m in x.mentions if m.field == "title"):
        named.setdefault(mention.concept_id, {})[id_] = None
    return {concept: [*episodes] for concept, episodes in named.items()}


def mention_edges(found: Findings) -> Iterator[Mentions]:
    """Yield an edge for each concept that an episode names, with the first quote.

    Example: `next(mention_edges([("show/one", extraction)])).count`
    """
    grouped: dict[tuple[str, str], list[Mention]] = {}
    for id_, mention in ((id_, m) for id_, extraction in found for m in extraction.mentions):
        grouped.setdefault((id_, mention.concept_id), []).append(mention)
    for ends, group in grouped.items():
        m = group[0]
        yield Mentions(*ends, count=len(group), field=m.field, start=m.start, end=m.end, evidence=m.text)


def teaching_edges(found: Findings, judged: Collection[str]) -> Iterator[Teaches]:
    """Yield what the episodes teach, apart from those that people have `judged` (ids).

    First come the concepts that transcript and chapters explain, then those of the title and those that the notes name
    often. Example: `next(teaching_edges([("show/one", extraction)], set())).depth`
    """
    unjudged = [(id_, extraction) for id_, extraction in found if id_ not in judged]
    for id_, e in ((id_, e) for id_, extraction in unjudged for e in extraction.explained):
        yield Teaches(id_, e.concept_id, depth=e.depth, origin="inferred", weight=e.weight, at=e.at, evidence=e.quote)
    for m in mention_edges(unjudged):
        quoted = Teaches(
            m.source, m.target, depth="main", origin="inferred", evidence=m.evidence, field=m.field, start=m.start
        )
        if m.field == "title":
            yield replace(quoted, origin="declared")
        elif m.count >= _OFTEN:
            yield replace(quoted, depth="part", weight=0.5)


def link_edges(found: Findings) -> tuple[tuple[Link, ...], tuple[Cites, ...]]:
    """Return each link once, with the first label that is not empty, and an edge for each place that cites one.

    Example: `link_edges([("show/one", extraction)])[0][0].url`
    """
    pages: dict[str, Link] = {}
    cites: list[Cites] = []
    for id_, link in ((id_, link) for id_, extraction in found for link in extraction.links):
        known = pages.setdefault(link.id, Link(link.id, link.url, type=link.type, label=link.label))
        pages[link.id] = replace(known, label=known.label or link.label)
        cites.append(Cites(id_, link.id, label=link.label, quote=link.url))
    return tuple(pages.values()), tuple(cites)


def texts_read(found: Findings) -> dict[tuple[str, str], list[str]]:
    """Return (episode id, field) -> the texts that were read. The text of an extraction is the notes or our summary.

    Example: `texts_read([("show/one", extraction)])["show/one", "title"]` is `["One"]`.
    """
    read: dict[tuple[str, str], list[str]] = {}
    for id_, x in found:
        for field, text in (("title", x.episode.title), ("description", x.text), ("summary", x.text)):
            read.setdefault((id_, field), []).append(text)
    return read


STATED = 0.5
"""The confidence of a relation between concepts that a text states."""


class DeclaredEdges:
    """The curated orders and relations, and behind them those that texts state.

    A statement about something that is no node is left out, and so is one about a title or a number that several
    episodes have. A statement that contradicts a curated edge or a statement that was read before
    becomes a line of `set_aside`, which says what it contradicts.

    `unlisted`: the names of concepts that no vocabulary has -> their ids; `in_titles`: ids of concepts -> the episodes
    whose titles name them. The one episode of the show that has the subject in its title is "the episode on" it.

    >>> from torchatlas.graph.identity import merge_sources
    >>> from torchatlas.graph.model import Concept, Episode
    >>> vocabulary = Vocabulary((Concept("view", "view", area="Tensors"), Concept("stride", "stride", area="Tensors")))
    >>> one = Episode("show/one", "One", show="Show")
    >>> uses = Statement("USES", "view", object="stride", quote="A view uses strides.")
    >>> edges = DeclaredEdges(vocabulary, Catalogue(), merge_sources(Catalogue((one,)), []))
    >>> edges.read(one.id, Extraction(one, uses.quote, statements=(uses,)))
    >>> [(edge.source, edge.target, edge.origin) for edge in edges.relations]
    [('view', 'stride', 'stated')]
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        catalogue: Catalogue,
        sources: MergedSources,
        unlisted: Mapping[str, str] = MappingProxyType({}),
        in_titles: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        self.listen_after = list(catalogue.listen_after)
        self.relations: list[ConceptRelation] = []
        self.refers_to: list[RefersTo] = []
        self.set_aside: list[str] = []
        self._concepts = {**unlisted, **{c.name: c.id for c in vocabulary.concepts}}
        self._in_titles = in_titles
        self._titled: defaultdict[str, list[str]] = defaultdict(list)
        self._numbered: defaultdict[int, list[Episode]] = defaultdict(list)
        for e in sources.episodes:
            self._titled[folded_title(e.title)].append(e.id)
            if e.number is not None:
                self._numbered[e.number].append(e)
        self._shows: defaultdict[str, set[str]] = defaultdict(set)  # of each episode
        for in_show in sources.in_show:
            self._shows[in_show.source].add(in_show.target)
        self._listening = Precedence((r.target, r.source) for r in self.listen_after)
        self._names = {id_: name for name, id_ in self._concepts.items()}
        self._first: dict[tuple[str, frozenset[str]], ConceptRelation] = {}  # of each kind between the same two ends
        for relation in (*vocabulary.relations, *catalogue.relations):
            self._add(relation)

    def read(self, episode: str, extraction: Extraction) -> None:
        """Add the edges that a text of an episode states, for example `edges.read("show/one", extraction)`."""
        for s in extraction.statements:
            if s.relation in ("LISTEN_BEFORE", "LISTEN_AFTER", "RELATED_EPISODE"):
                other = self._titled_in(s.object, episode)
                if other is None and (asked := asked_number(s.object)):
                    other = self._of_number(asked, episode)
                if other is None and s.relation != "RELATED_EPISODE":
                    other = self._about(self._concepts.get(s.object, ""), episode)
                if other and other != episode:
                    self._between_episodes(s, episode, other)
                continue
            a, b = self._concepts.get(s.subject), self._concepts.get(s.object)
            if a and b and a != b:
                self._relate(s, episode, cast(ConceptRelationKind, s.relation), a, b)

    def _titled_in(self, title: str, episode: str) -> str | None:
        """Return the episode that a text of an episode calls by its title: of the same show, else of any show."""
        anywhere = self._titled.get(folded_title(title), [])
        meant = [id_ for id_ in anywhere if self._shows[id_] & self._shows[episode]] or anywhere
        return meant[0] if len(meant) == 1 else None

    def _of_number(self, asked: EpisodeNumber, episode: str) -> str | None:
        """Return the one episode of the same show that has a number: in two seasons it may mean two episodes."""
        everyone = (e for e in self._numbered[asked.number] if asked.means(e.number, e.season))
        meant = [e.id for e in everyone if self._shows[e.id] & self._shows[episode]]
        return meant[0] if len(meant) == 1 else None

    def _about(self, concept: str, episode: str) -> str | None:
        """Return the one episode of the same show that has a concept in its title."""
        meant = [id_ for id_ in self._in_titles.get(concept, ()) if self._shows[id_] & self._shows[episode]]
        return meant[0] if len(meant) == 1 else None

    def _between_episodes(self, s: Statement, episode: str, other: str) -> None:
        if s.relation == "RELATED_EPISODE":
            edge = RefersTo(episode, other, relation="mentions", quote=s.quote, field=s.field, start=s.start)
            self.refers_to.append(edge)
            return
        later, earlier = (episode, other) if s.relation == "LISTEN_AFTER" else (other, episode)
        if self._listening.accept(earlier, later):
            self.listen_after.append(ListenAfter(later, earlier, quote=s.quote, field=s.field, start=s.start))
        else:
            self._set_aside(s, episode, f"{later} already comes before {earlier}")

    def _relate(self, s: Statement, episode: str, kind: ConceptRelationKind, a: str, b: str) -> None:
        relation = ConceptRelation(
            a, b, kind=kind, origin="stated", confidence=STATED, quote=s.quote, episode=episode, field=s.field,
            start=s.start,
        )  # fmt: skip
        first = self._add(relation)
        if first.source != a and kind != "ALTERNATIVE_TO":
            said = f"{first.episode} said {first.quote!r}" if first.quote else "it is curated"
            self._set_aside(s, episode, f"{said}: {self._names[b]} {kind} {self._names[a]}")

    def _add(self, relation: ConceptRelation) -> ConceptRelation:
        """Add a relation unless its ends have one of its kind, in either direction; return the one that they have."""
        ends = relation.kind, frozenset((relation.source, relation.target))
        if ends not in self._first:
            self.relations.append(relation)
        return self._first.setdefault(ends, relation)

    def _set_aside(self, s: Statement, episode: str, contrary: str) -> None:
        self.set_aside.append(f"{episode}: {s.quote!r} ({s.relation}) contradicts what came first: {contrary}")


_FEWEST = 3  # words of a title that no other page has by chance


def episode_links(found: Findings, nodes: Snapshot) -> Iterator[RefersTo]:
    """Yield an edge for each link to another episode: to a page that one episode alone has, or with the whole title of
    one episode of the same show as its words. The address of a show is no page of an episode, even if its trailer
    states that. `nodes`: the episodes, and the shows that they are in.

    >>> from torchatlas.graph.model import Episode
    >>> one, two = (Episode(f"s/{n}", f"How {n} owls hoot", show="S", url=f"https://e.org/{n}") for n in ("one", "two"))
    >>> link = FoundLink("https://e.org/one", "other", label="on hooting")
    >>> notes = Extraction(two, "Before: on hooting", links=(link,))
    >>> [edge.quote for edge in episode_links([("s/two", notes)], Snapshot(episodes=(one, two)))]
    ['on hooting']
    """
    pages: defaultdict[str, list[str]] = defaultdict(list)
    titles: defaultdict[tuple[str, str], list[Episode]] = defaultdict(list)
    of_shows = {bare_address(show.url) for show in nodes.shows if show.url}
    for e in nodes.episodes:
        if e.url and bare_address(e.url) not in of_shows:
            pages[bare_address(e.url)].append(e.id)
        title = bare_title(e.title, e.show)
        if title not in ("", bare_title(e.show)):  # which name the show
            for show in nodes.shows_of.get(e.id, ()):
                titles[show.target, title].append(e)
    for id_, extraction in found:
        if extraction.text == extraction.episode.summary:
            continue  # the catalogue, which states what its speakers point to
        name, shows = extraction.episode.show, [show.target for show in nodes.shows_of.get(id_, ())]
        for link in extraction.links:
            meant = set(pages.get(bare_address(link.url), ()))
            if not meant and link.type != "profile" and len(words(link.label)) >= _FEWEST:
                title = bare_title(link.label, name)
                alike = (e for show in shows for e in titles.get((show, title), ()))
                meant = {e.id for e in alike if may_be_one(link.label, e.title, name)}
            if len(meant) == 1 and id_ not in meant:
                yield _edge(id_, meant.pop(), extraction, link)


def _edge(source: str, target: str, extraction: Extraction, link: FoundLink) -> RefersTo:
    """Return the edge with the words of the link, where they stand only once; else with its address."""
    label = re.escape(link.label)
    places = [m.start() for m in re.finditer(rf"(?<!\w){label}(?!\w)", extraction.text)] if label else []
    if len(places) != 1:
        return RefersTo(source, target, relation="mentions", quote=link.url)
    return RefersTo(source, target, relation="mentions", quote=link.label, field="description", start=places[0])


def with_evidence(graph: Snapshot, texts: TextsRead) -> tuple[Snapshot, tuple[str, ...]]:
    """Return the graph without the edges that break the law, and a line for each of them that says how.

    An edge has a reason, a quote, an inference with its confidence or a second in the audio; a quote is verbatim.
    `texts` are those of the episodes; the definitions of the concepts are in the graph.

    >>> from torchatlas.graph.model import Concept
    >>> concepts = (Concept("view", "view", area="Tensors"), Concept("stride", "stride", area="Tensors"))
    >>> with_evidence(Snapshot(concepts, requires=(Requires("view", "stride", need="hear", reason=""),)), {})[1]
    ('(view)-[:REQUIRES]->(stride) does not say where it comes from: no reason, no quote, no second',)
    """
    texts = {**texts, **{(c.id, "definition"): (c.definition,) for c in graph.concepts}}
    broken: list[str] = []
    kept: dict[str, tuple[Edge, ...]] = {}
    for name in EDGE_GROUPS:
        wrongs = [(edge, _wrong(edge, texts)) for edge in getattr(graph, name)]
        kept[name] = tuple(edge for edge, wrong in wrongs if not wrong)
        broken += [f"({edge.source})-[:{edge.kind}]->({edge.target}) {wrong}" for edge, wrong in wrongs if wrong]
    return (replace(graph, **kept) if broken else graph), tuple(broken)  # type: ignore[arg-type]


def _wrong(edge: Edge, texts: TextsRead) -> str:
    """Return how an edge breaks the law, "" where it does not."""
    if not _has_evidence(edge):
        return "does not say where it comes from: no reason, no quote, no second"
    if isinstance(edge, Assumes | RelatedTo | InShow | Cites) or not edge.field:
        return ""
    quote = edge.evidence if isinstance(edge, Teaches | Mentions) else edge.quote
    there = (text for owner in _quoted_nodes(edge) for text in texts.get((owner, edge.field), ()))
    if edge.start is None or not any(text.startswith(quote, edge.start) for text in there):
        return f"quotes {quote!r}, which is not at {edge.start} of the {edge.field}"
    return ""


def _quoted_nodes(edge: Edge) -> tuple[str, ...]:
    """Return the nodes of which one has the text that an edge quotes."""
    if isinstance(edge, Requires | ConceptRelation):
        return (edge.episode or edge.source,)
    return (edge.source, edge.target) if isinstance(edge, ListenAfter) else (edge.source,)


def _has_evidence(edge: Edge) -> bool:
    match edge:
        case Teaches():
            return edge.at is not None or bool(edge.why.strip() or (edge.field and edge.evidence.strip()))
        case Assumes():
            return edge.at is not None or bool(edge.why.strip())
        case Mentions():
            return bool(edge.field and edge.evidence.strip())
        case Requires(origin="curated" | "drafted") | ConceptRelation(origin="curated" | "drafted"):
            return bool(edge.reason.strip())
        case Requires(origin="declared"):
            return bool(edge.quote.strip())
        case Requires():
            return bool(edge.reason.strip() and edge.quote.strip()) and 0 < edge.confidence < 1
        case ListenAfter() | RefersTo():
            return edge.at is not None or bool(edge.quote.strip())
        case InShow():
            return bool(edge.quote.strip())
        case RelatedTo():
            return any(reason.strip() for reason in edge.reasons)
        case Cites():
            return bool(edge.label.strip() or edge.quote.strip())
        case ConceptRelation():
            return edge.episode is not None and (edge.at is not None or bool(edge.quote.strip()))


_NOTHING: Mapping[str, Sequence[Mention]] = MappingProxyType({})
_UNMOVED: Mapping[tuple[str, str], str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Joined:
    """A graph without a layout. `set_aside`: lines on edges left out, without evidence or against firmer edges."""

    graph: Snapshot
    set_aside: tuple[str, ...]


def join_graph(
    vocabulary: Vocabulary,
    catalogue: Catalogue,
    extractions: Iterable[Extraction],
    own: Collection[str] = frozenset(),
    defined: Mapping[str, Sequence[Mention]] = _NOTHING,
    moved: Mapping[tuple[str, str], str] = _UNMOVED,
) -> Joined:
    """Return nodes and edges, without a layout and the nearest episodes.

    Entries of one episode become one node. Curated edges come before those that texts state, and these before inferred
    ones. Prerequisites are inferred for the concepts of `own` that have none, and those of `own` that a text declares
    as first are worth an episode; `defined`: concept id -> the mentions in its definition; `moved`: ids of an episode
    and of a concept -> the concept that its texts mean instead. Raises CycleError where the curated prerequisites run
    in a circle.

    >>> from torchatlas.graph.model import Concept
    >>> join_graph(Vocabulary((Concept("view", "view", area="Tensors"),)), Catalogue(), []).graph.concepts[0].name
    'view'
    """
    check_acyclic(vocabulary.requires)
    extractions, known = tuple(extractions), {concept.id for concept in vocabulary.concepts}
    merged = merge_sources(catalogue, extractions)
    by_id = sorted(zip(merged.ids, extractions, strict=True), key=itemgetter(0))
    found = without_rare(moved_to(by_id, moved), known)
    unlisted, in_titles = unlisted_names(found, known), episodes_by_title_mention(found)
    declared = DeclaredEdges(vocabulary, catalogue, merged, unlisted, in_titles)
    for id_, extraction in found:  # of two statements that contradict each other the first one counts
        declared.read(id_, extraction)
    concepts = (*vocabulary.concepts, *unlisted_concepts(found, known))
    nodes = Snapshot(concepts, merged.episodes, shows=merged.shows, in_show=merged.in_show)
    graph = _joined(nodes, catalogue, found, declared, vocabulary.requires)
    inferred = infer(graph, own, defined, found)
    if inferred.requires:  # a graph is sorted and checked whenever it is made
        graph = replace(graph, requires=(*graph.requires, *inferred.requires))
    texts = texts_read(found)
    graph, unproven = with_evidence(replace(graph, requires=worth_hearing(graph, own, texts)), texts)
    return Joined(graph, (*declared.set_aside, *inferred.set_aside, *unproven))


def complete_graph(graph: Snapshot, find: FindPlaces = overview, rank: FindRanked = ranked) -> Snapshot:
    """Return the graph with the nearest episodes of each, and every concept and episode at its place on the map.

    `find`: finds the places; `rank`: finds the nearest episodes.

    Example: `complete_graph(join_graph(vocabulary, catalogue, extractions).graph).related_to`.
    """
    return replace(placed(graph, find), related_to=nearest(graph, find=rank))


def placed(graph: Snapshot, find: FindPlaces = overview) -> Snapshot:
    """Return the graph with every concept and episode at its place on the map. `find`: finds the places.

    Example: `placed(join_graph(vocabulary, catalogue, extractions).graph).concepts[0].x`.
    """
    places = find(ground(graph))
    concepts = tuple(replace(c, x=places[c.id][0], y=places[c.id][1]) for c in graph.concepts)
    episodes = tuple(replace(e, x=places[e.id][0], y=places[e.id][1]) for e in graph.episodes)
    return replace(graph, concepts=concepts, episodes=episodes)


def _joined(
    nodes: Snapshot,
    catalogue: Catalogue,
    found: Findings,
    declared: DeclaredEdges,
    requires: Iterable[Requires],
) -> Snapshot:
    """Return the nodes with all edges but the inferred ones."""
    judged = {e.source for e in catalogue.teaches}.intersection(e.id for e in catalogue.episodes)
    assumed = {(e.source, e.target) for e in catalogue.assumes}
    read = (e for e in teaching_edges(found, judged) if (e.source, e.target) not in assumed)
    teaches = _once((*catalogue.teaches, *read))
    covered = assumed.union((e.source, e.target) for e in teaches)
    links, cites = link_edges(found)
    return replace(
        nodes,
        links=links,
        teaches=teaches,
        assumes=catalogue.assumes,
        mentions=tuple(m for m in mention_edges(found) if (m.source, m.target) not in covered),
        requires=_once(requires),
        listen_after=_once(declared.listen_after),
        refers_to=_once((*catalogue.refers_to, *declared.refers_to, *episode_links(found, nodes))),
        cites=_once(cites),
        concept_relations=tuple(declared.relations),
    )


def _once(edges: Iterable[E]) -> tuple[E, ...]:
    """Return the first of the edges that join the same two nodes."""
    kept: dict[tuple[str, str], E] = {}
    for edge in edges:
        if edge.source != edge.target:
            kept.setdefault((edge.source, edge.target), edge)
    return tuple(kept.values())
