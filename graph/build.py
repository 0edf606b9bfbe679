"""One graph of curated files and of what was found in texts; every edge has its evidence."""

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
from torchatlas.graph.layout import Places, overview
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
from torchatlas.graph.names import asked_number, bare_address, folded_title, is_series, words
from torchatlas.graph.related import Ranked, nearest

_OFTEN = 3  # a concept named so often in the notes is a part of what the episode explains
_FEWEST = 3  # words of a title that no other page has by chance
_STATED = 0.5  # the confidence of a relation between concepts that a text states
_CURATED = ("curated", "drafted")


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
    defined: Mapping[str, Sequence[Mention]] = MappingProxyType({}),
    moved: Mapping[tuple[str, str], str] = MappingProxyType({}),
) -> Joined:
    """Return nodes and edges, without a layout and the nearest episodes.

    Entries of one episode become one node. Curated edges come before those that texts state, and these before inferred
    ones. Prerequisites are inferred for the concepts of `own` that have none, and those of `own` that a text declares
    as first are worth an episode; `defined`: concept id -> the mentions in its definition; `moved`: ids of an episode
    and of a concept -> the concept that its texts mean instead. Raises CycleError where the curated prerequisites run
    in a circle.

    >>> join_graph(Vocabulary((Concept("view", "view", area="Tensors"),)), Catalogue(), []).graph.concepts[0].name
    'view'
    """
    check_acyclic(vocabulary.requires)
    extractions, known = tuple(extractions), {concept.id for concept in vocabulary.concepts}
    merged = merge_sources(catalogue, extractions)
    by_id = sorted(zip(merged.ids, extractions, strict=True), key=itemgetter(0))
    found = _without_rare([(id_, _moved(id_, x, moved)) for id_, x in by_id], known)
    declared = _DeclaredEdges(vocabulary, catalogue, merged, found)
    nodes = Snapshot(
        (*vocabulary.concepts, *_unlisted(found, known)), merged.episodes, shows=merged.shows, in_show=merged.in_show
    )
    teaches = _taught(catalogue, found)
    covered = {(e.source, e.target) for e in (*catalogue.assumes, *teaches)}
    links, cites = _links(found)
    graph = replace(
        nodes,
        links=links,
        teaches=teaches,
        assumes=catalogue.assumes,
        mentions=tuple(m for m in _mentioned(found) if (m.source, m.target) not in covered),
        requires=_once(vocabulary.requires),
        listen_after=_once(declared.listen_after),
        refers_to=_once((*catalogue.refers_to, *declared.refers_to, *episode_links(found, nodes))),
        cites=_once(cites),
        concept_relations=tuple(declared.relations),
    )
    inferred, set_aside = infer(graph, own, defined, found)
    if inferred:  # a graph is sorted and checked whenever it is made
        graph = replace(graph, requires=(*graph.requires, *inferred))
    texts = _texts_read(found)
    graph, unproven = with_evidence(replace(graph, requires=worth_hearing(graph, own, texts)), texts)
    return Joined(graph, (*declared.set_aside, *set_aside, *unproven))


def complete_graph(
    graph: Snapshot, places: Places | None = None, ranked: Mapping[str, Ranked] | None = None
) -> Snapshot:
    """Return the graph with the nearest episodes of each, and every concept and episode at its place on the map.

    `places` and `ranked`: what `overview` and `ranked` find, where that is known already.

    Example: `complete_graph(join_graph(vocabulary, catalogue, extractions).graph).related_to`.
    """
    at = overview(graph) if places is None else places
    concepts = tuple(replace(c, x=at[c.id][0], y=at[c.id][1]) for c in graph.concepts)
    episodes = tuple(replace(e, x=at[e.id][0], y=at[e.id][1]) for e in graph.episodes)
    return replace(graph, concepts=concepts, episodes=episodes, related_to=nearest(graph, best=ranked))


def _moved(episode: str, found: Extraction, moved: Mapping[tuple[str, str], str]) -> Extraction:
    """Return what was found in a text with other concepts, where a person says what the episode means."""

    def now(concept: str) -> str:
        return moved.get((episode, concept), concept)

    mentions = (replace(m, concept_id=now(m.concept_id), part=now(m.part)) for m in found.mentions)
    explained = (replace(e, concept_id=now(e.concept_id)) for e in found.explained)
    return replace(found, mentions=tuple(mentions), explained=tuple(explained)) if moved else found


def _without_rare(found: Findings, known: Collection[str]) -> Findings:
    """Return the findings without unknown concepts that one episode alone names, or titles: these name a series."""
    titles, texts = Counter[str](), Counter[str]()
    noted = {x.episode.show for _, x in found if x.text}
    for x in (x for _, x in found if x.episode.show in noted):
        titles.update({m.concept_id for m in x.mentions if m.field == "title"})
        texts.update({m.concept_id for m in x.mentions if m.field != "title"})
    series = {concept for concept, count in titles.items() if is_series(count, texts[concept])}
    named = {(m.concept_id, id_) for id_, x in found for m in x.mentions if m.field != "summary"}
    often = {concept for concept, count in Counter(map(itemgetter(0), named)).items() if count > 1}
    kept = (often - series).union(known)

    def without(x: Extraction) -> Extraction:
        own = (m if m.concept_id in kept else replace(m, concept_id=m.listed) for m in x.mentions)
        explained = tuple(e for e in x.explained if e.concept_id in kept)
        return replace(x, mentions=tuple(m for m in own if m.concept_id in kept), explained=explained)

    return [(id_, without(x)) for id_, x in found]


def _unlisted(found: Findings, known: Collection[str]) -> Iterator[Concept]:
    """Yield a concept for each thing that is named and not known, by the shortest of its spellings."""
    spelled: defaultdict[str, set[str]] = defaultdict(set)
    for mention in (m for _, x in found for m in x.mentions if m.concept_id not in known):
        spelled[mention.concept_id].add(mention.text)
    for id_, spellings in sorted(spelled.items()):
        name = min(spellings, key=lambda text: (len(text), text))
        parts = name.replace("-", " ").split()
        is_term = all(word.isalpha() and (word.islower() or word.isupper() or word.istitle()) for word in parts)
        definition = "Named in the notes; the vocabulary has no entry for it."
        yield Concept(id_, name, area=TERMS if is_term else CODE, definition=definition)


def _mentioned(found: Findings) -> Iterator[Mentions]:
    """Yield an edge for each concept that an episode names, with the first quote."""
    grouped: defaultdict[tuple[str, str], list[Mention]] = defaultdict(list)
    for id_, mention in ((id_, m) for id_, x in found for m in x.mentions):
        grouped[id_, mention.concept_id].append(mention)
    for ends, group in grouped.items():
        m = group[0]
        yield Mentions(*ends, count=len(group), field=m.field, start=m.start, end=m.end, evidence=m.text)


def _taught(catalogue: Catalogue, found: Findings) -> tuple[Teaches, ...]:
    """Return what people judged, then what the other episodes explain by their transcripts, titles and notes."""
    judged = {e.source for e in catalogue.teaches}.intersection(e.id for e in catalogue.episodes)
    assumed = {(e.source, e.target) for e in catalogue.assumes}
    unjudged = [(id_, x) for id_, x in found if id_ not in judged]
    read = [
        Teaches(id_, e.concept_id, depth=e.depth, origin="inferred", weight=e.weight, at=e.at, evidence=e.quote)
        for id_, x in unjudged
        for e in x.explained
    ]
    for m in _mentioned(unjudged):
        quoted = Teaches(m.source, m.target, depth="main", evidence=m.evidence, field=m.field, start=m.start)
        if m.field == "title":
            read.append(replace(quoted, origin="declared"))
        elif m.count >= _OFTEN:
            read.append(replace(quoted, origin="inferred", depth="part", weight=0.5))
    return _once((*catalogue.teaches, *(e for e in read if (e.source, e.target) not in assumed)))


def _links(found: Findings) -> tuple[tuple[Link, ...], tuple[Cites, ...]]:
    """Return each link once, with the first label that is not empty, and an edge for each place that cites one."""
    pages: dict[str, Link] = {}
    cites: list[Cites] = []
    for id_, link in ((id_, link) for id_, x in found for link in x.links):
        known = pages.setdefault(link.id, Link(link.id, link.url, type=link.type, label=link.label))
        pages[link.id] = replace(known, label=known.label or link.label)
        cites.append(Cites(id_, link.id, label=link.label, quote=link.url))
    return tuple(pages.values()), tuple(cites)


def _texts_read(found: Findings) -> TextsRead:
    read: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for id_, x in found:  # the text of an extraction is the notes or our summary
        for field, text in (("title", x.episode.title), ("description", x.text), ("summary", x.text)):
            read[id_, field].append(text)
    return read


def _once(edges: Iterable[E]) -> tuple[E, ...]:
    """Return the first of the edges that join the same two nodes."""
    kept: dict[tuple[str, str], E] = {}
    for edge in edges:
        if edge.source != edge.target:
            kept.setdefault((edge.source, edge.target), edge)
    return tuple(kept.values())


class _DeclaredEdges:
    """The curated orders and relations, and behind them those that texts state.

    A statement about something that is no node is left out, and so is one about a title or a number that several
    episodes have. Of statements that contradict each other the first one counts; the other becomes a line of
    `set_aside`.
    """

    def __init__(self, vocabulary: Vocabulary, catalogue: Catalogue, sources: MergedSources, found: Findings) -> None:
        self.listen_after = list(catalogue.listen_after)
        self.relations: list[ConceptRelation] = []
        self.refers_to: list[RefersTo] = []
        self.set_aside: list[str] = []
        self._shows: defaultdict[str, set[str]] = defaultdict(set)  # of each episode
        for in_show in sources.in_show:
            self._shows[in_show.source].add(in_show.target)
        self._titled: defaultdict[str, list[str]] = defaultdict(list)
        self._numbered: defaultdict[int | None, list[Episode]] = defaultdict(list)
        for e in sources.episodes:
            self._titled[folded_title(e.title)].append(e.id)
            self._numbered[e.number].append(e)
        known = {c.name: c.id for c in vocabulary.concepts}
        self._on: defaultdict[str, dict[str, None]] = defaultdict(dict)  # concept -> the episodes with it in the title
        unlisted: list[tuple[str, str]] = []
        for id_, m in ((id_, m) for id_, x in found for m in x.mentions):
            if m.field == "title":
                self._on[m.concept_id][id_] = None
            unlisted.append((m.text, m.concept_id))
        ids = {c.id for c in vocabulary.concepts}
        written = {text.partition("(")[0].partition("=")[0]: id_ for text, id_ in sorted(unlisted) if id_ not in ids}
        self._concepts = {**written, **known}  # a statement writes code without its call and its value
        self._names = {id_: name for name, id_ in self._concepts.items()}
        self._listening = Precedence((r.target, r.source) for r in self.listen_after)
        self._first: dict[tuple[str, frozenset[str]], ConceptRelation] = {}  # of each kind between the same two ends
        for relation in (*vocabulary.relations, *catalogue.relations):
            self._add(relation)
        for id_, x in found:
            for s in x.statements:
                self._read(id_, s)

    def _read(self, episode: str, s: Statement) -> None:
        if s.relation not in ("LISTEN_BEFORE", "LISTEN_AFTER", "RELATED_EPISODE"):
            a, b = self._concepts.get(s.subject), self._concepts.get(s.object)
            if a and b and a != b:
                self._relate(s, episode, a, b)
            return
        other = self._episode(s, episode)
        if not other or other == episode:
            return
        if s.relation == "RELATED_EPISODE":
            self.refers_to.append(
                RefersTo(episode, other, relation="mentions", quote=s.quote, field=s.field, start=s.start)
            )
            return
        later, earlier = (episode, other) if s.relation == "LISTEN_AFTER" else (other, episode)
        if self._listening.accept(earlier, later):
            self.listen_after.append(ListenAfter(later, earlier, quote=s.quote, field=s.field, start=s.start))
        else:
            self._set_aside(s, episode, f"{later} already comes before {earlier}")

    def _episode(self, s: Statement, episode: str) -> str | None:
        """Return the episode that a text of an episode means, by title, by number, or as the one on a subject."""
        anywhere = self._titled.get(folded_title(s.object), [])
        titled = self._of_show(episode, anywhere) or anywhere
        if len(titled) == 1:
            return titled[0]
        if asked := asked_number(s.object):
            alike = self._numbered.get(asked.number, ())
            numbered = self._of_show(episode, (e.id for e in alike if asked.means(e.number, e.season)))
            if len(numbered) == 1:
                return numbered[0]
        about = self._of_show(episode, self._on.get(self._concepts.get(s.object, ""), ()))
        return about[0] if len(about) == 1 and s.relation != "RELATED_EPISODE" else None

    def _of_show(self, episode: str, others: Iterable[str]) -> list[str]:
        return [id_ for id_ in others if self._shows[id_] & self._shows[episode]]

    def _relate(self, s: Statement, episode: str, a: str, b: str) -> None:
        kind = cast(ConceptRelationKind, s.relation)
        stated = ConceptRelation(a, b, kind=kind, origin="stated", confidence=_STATED, quote=s.quote, episode=episode)
        first = self._add(replace(stated, field=s.field, start=s.start))
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


def episode_links(found: Findings, nodes: Snapshot) -> Iterator[RefersTo]:
    """Yield an edge for each link to another episode: to a page that one episode alone has, or with the whole title of
    one episode of the same show as its words. The address of a show is no page of an episode. `nodes`: the episodes,
    and the shows that they are in.

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
    for id_, x in found:
        if x.text == x.episode.summary:
            continue  # the catalogue, which states what its speakers point to
        name, shows = x.episode.show, [show.target for show in nodes.shows_of.get(id_, ())]
        for link in x.links:
            meant = set(pages.get(bare_address(link.url), ()))
            if not meant and link.type != "profile" and len(words(link.label)) >= _FEWEST:
                alike = (e for show in shows for e in titles.get((show, bare_title(link.label, name)), ()))
                meant = {e.id for e in alike if may_be_one(link.label, e.title, name)}
            if len(meant) == 1 and id_ not in meant:
                yield _reference(id_, meant.pop(), x.text, link)


def _reference(source: str, target: str, text: str, link: FoundLink) -> RefersTo:
    """Return the edge with the words of the link, where they stand only once; else with its address."""
    places = [m.start() for m in re.finditer(rf"(?<!\w){re.escape(link.label)}(?!\w)", text)] if link.label else []
    if len(places) != 1:
        return RefersTo(source, target, relation="mentions", quote=link.url)
    return RefersTo(source, target, relation="mentions", quote=link.label, field="description", start=places[0])


def with_evidence(graph: Snapshot, texts: TextsRead) -> tuple[Snapshot, tuple[str, ...]]:
    """Return the graph without the edges that break the law, and a line for each of them that says how.

    An edge has a reason, a quote, an inference with its confidence or a second in the audio; a quote is verbatim.
    `texts` are those of the episodes; the definitions of the concepts are in the graph.

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
    owners = [edge.source]
    if isinstance(edge, Requires | ConceptRelation):
        owners = [edge.episode or edge.source]
    elif isinstance(edge, ListenAfter):
        owners.append(edge.target)
    there = (text for owner in owners for text in texts.get((owner, edge.field), ()))
    if edge.start is None or not any(text.startswith(quote, edge.start) for text in there):
        return f"quotes {quote!r}, which is not at {edge.start} of the {edge.field}"
    return ""


def _has_evidence(edge: Edge) -> bool:
    at: int | None = None
    match edge:
        case Requires() | ConceptRelation() if edge.origin in _CURATED:
            said = edge.reason
        case Requires(origin="declared") | InShow():
            said = edge.quote
        case Requires():
            return bool(edge.reason.strip() and edge.quote.strip()) and 0 < edge.confidence < 1
        case Teaches():
            at, said = edge.at, edge.why + (edge.evidence if edge.field else "")
        case Assumes():
            at, said = edge.at, edge.why
        case Mentions():
            said = edge.evidence if edge.field else ""
        case RelatedTo():
            said = "".join(edge.reasons)
        case Cites():
            said = edge.label + edge.quote
        case ConceptRelation(episode=None):
            return False
        case _:
            at, said = edge.at, edge.quote
    return at is not None or bool(said.strip())
