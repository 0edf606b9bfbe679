"""One graph of curated files and texts; every edge has its evidence."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import itemgetter
from types import MappingProxyType
from typing import Any, cast

from torchatlas.graph import model
from torchatlas.graph.findings import Catalogue, Extraction, Findings, Mention, Statement, TextsRead, Vocabulary
from torchatlas.graph.identity import bare_title, may_be_one, merge_sources
from torchatlas.graph.inference import infer
from torchatlas.graph.layout import overview
from torchatlas.graph.model import Concept, ConceptRelation, Episode, RefersTo, Snapshot, Teaches, each_once
from torchatlas.graph.names import asked_number, bare_address, folded_title, words
from torchatlas.graph.related import nearest


def join_graph(
    vocabulary: Vocabulary,
    catalogue: Catalogue,
    extractions: Iterable[Extraction],
    own: Collection[str] = frozenset(),
    defined: Mapping[str, Sequence[Mention]] = MappingProxyType({}),
    moved: Mapping[tuple[str, str], str] = MappingProxyType({}),
) -> tuple[Snapshot, tuple[str, ...]]:
    """Join all but layout and nearness: `graph, set_aside = join_graph(*curated, [])`.

    An episode's entries are one node. Curated edges come before stated, then inferred
    ones (of `own` only). `defined`: concept id -> mentions in its definition; `moved`:
    ids of episode and concept -> concept meant. A line tells of each edge that was set
    aside. Raises CycleError for curated circles.
    """
    model.check_acyclic(vocabulary.requires)
    extractions, known = tuple(extractions), {concept.id for concept in vocabulary.concepts}
    episodes, ids, shows, in_show = merge_sources(catalogue, extractions)
    theirs = {e.id for e in episodes}
    by_id = sorted(zip(ids, extractions, strict=True), key=itemgetter(0))
    found = _without_rare([(id_, _moved(id_, x, moved) if moved else x) for id_, x in by_id], known)
    concepts = (*vocabulary.concepts, *_unlisted(found, known))
    resources = tuple(r for r in catalogue.resources if r.id not in theirs)  # else a person's source has it too
    nodes = Snapshot(concepts, episodes, shows=shows, in_show=in_show, resources=resources)
    declared = _DeclaredEdges(vocabulary, catalogue, nodes, found)
    teaches = _taught(catalogue, found)
    covered = {(e.source, e.target) for e in (*catalogue.assumes, *teaches)}
    links = [link for _, x in reversed(found) for link in reversed(x.links)]  # the first of each page counts
    labels = {link.id: link.label for link in links if link.label}
    pages = {k.id: model.Link(k.id, k.url, type=k.type, label=labels.get(k.id, "")) for k in links}
    graph = replace(
        nodes,
        links=tuple(pages.values()),
        teaches=teaches,
        assumes=catalogue.assumes,
        mentions=tuple(m for m in _mentioned(found) if (m.source, m.target) not in covered),
        requires=each_once(vocabulary.requires),
        listen_after=each_once(declared.listen_after),
        refers_to=each_once((*declared.refers_to, *episode_links(found, nodes))),
        cites=each_once(model.Cites(id_, a.id, label=a.label, quote=a.url) for id_, x in found for a in x.links),
        concept_relations=tuple(declared.relations.values()),
    )
    texts: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for id_, x in found:  # the text of an extraction is the notes or our summary
        for field, text in (("title", x.episode.title), ("description", x.text), ("summary", x.text)):
            texts[id_, field].append(text)
    inferred, set_aside = infer(graph, own, defined, found, texts)
    graph, unproven = with_evidence(replace(graph, requires=(*graph.requires, *inferred)), texts)
    return graph, (*declared.set_aside, *set_aside, *unproven)


def complete_graph(graph: Snapshot) -> Snapshot:
    """Add the nearest episodes, and places on the map: `complete_graph(graph)`."""
    at = overview(graph)
    concepts = tuple(replace(c, x=at[c.id][0], y=at[c.id][1]) for c in graph.concepts)
    episodes = tuple(replace(e, x=at[e.id][0], y=at[e.id][1]) for e in graph.episodes)
    subjects = ([t.target for t in graph.taught_by.get(r.id, ())] for r in graph.resources)
    spots = enumerate(zip(graph.resources, (at.get("".join(of[:1]), (0, 0)) for of in subjects), strict=True))
    resources = tuple(replace(r, x=x + n % 4 * 30 - 45, y=y + 22) for n, (r, (x, y)) in spots)  # below the subject
    return replace(graph, concepts=concepts, episodes=episodes, resources=resources, related_to=nearest(graph))


def _moved(episode: str, x: Extraction, moved: Mapping[tuple[str, str], str]) -> Extraction:
    """Return the findings with a person's corrections of their concepts."""

    def to(concept: str) -> str:
        return moved.get((episode, concept), concept)

    mentions = tuple(replace(m, part=to(m.part), concept_id=to(m.concept_id)) for m in x.mentions)
    return replace(x, mentions=mentions, explained=tuple(replace(e, concept_id=to(e.concept_id)) for e in x.explained))


def _without_rare(found: Findings, known: Collection[str]) -> Findings:
    """Drop unknown concepts of one episode alone, or of a series."""
    noted = {x.episode.show for _, x in found if x.text}
    pairs = ({(m.concept_id, m.field == "title") for m in x.mentions} for _, x in found if x.episode.show in noted)
    counts = Counter(chain.from_iterable(pairs))
    named = {(m.concept_id, id_) for id_, x in found for m in x.mentions if m.field != "summary"}
    often = {concept for concept, count in Counter(map(itemgetter(0), named)).items() if count > 1}
    series = {c for c in often if counts[c, True] >= 5 and counts[c, True] > 5 * counts[c, False]}
    kept = (often - series).union(known)

    def without(x: Extraction) -> Extraction:
        own = (m if m.concept_id in kept else replace(m, concept_id=m.listed) for m in x.mentions)
        explained = tuple(e for e in x.explained if e.concept_id in kept)
        return replace(x, mentions=tuple(m for m in own if m.concept_id in kept), explained=explained)

    return [(id_, without(x)) for id_, x in found]


def _unlisted(found: Findings, known: Collection[str]) -> Iterator[Concept]:
    """Yield a concept for each unknown thing, by the shortest of its spellings."""
    spelled: defaultdict[str, set[str]] = defaultdict(set)
    for mention in (m for _, x in found for m in x.mentions if m.concept_id not in known):
        spelled[mention.concept_id].add(mention.text)
    for id_, spellings in sorted(spelled.items()):
        name = min(spellings, key=lambda text: (len(text), text))
        parts = name.replace("-", " ").split()
        is_term = all(word.isalpha() and (word.islower() or word.isupper() or word.istitle()) for word in parts)
        said = "Named in the notes; the vocabulary has no entry for it."
        yield Concept(id_, name, area=model.TERMS if is_term else model.CODE, definition=said)


def _mentioned(found: Findings) -> Iterator[model.Mentions]:
    """Yield an edge with the first quote for each concept that an episode names."""
    mentions = [((id_, m.concept_id), m) for id_, x in found for m in x.mentions]
    first = dict(reversed(mentions))
    for ends, count in Counter(ends for ends, _ in mentions).items():
        m = first[ends]
        yield model.Mentions(*ends, count=count, field=m.field, start=m.start, end=m.end, evidence=m.text)


def _taught(catalogue: Catalogue, found: Findings) -> tuple[Teaches, ...]:
    """Return what people judged, then what the texts of other episodes explain."""
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
        elif m.count >= 3:
            read.append(replace(quoted, origin="inferred", depth="part", weight=0.5))
    return each_once((*catalogue.teaches, *(e for e in read if (e.source, e.target) not in assumed)))


class _DeclaredEdges:
    """Orders and relations, curated first; contrary ones of texts are set aside."""

    def __init__(self, vocabulary: Vocabulary, catalogue: Catalogue, nodes: Snapshot, found: Findings) -> None:
        self.listen_after = list(catalogue.listen_after)
        self.refers_to = list(catalogue.refers_to)
        self.set_aside: list[str] = []
        self.relations: dict[tuple[str, frozenset[str]], ConceptRelation] = {}  # one a kind and pair
        self._shows = defaultdict(set, {id_: {e.target for e in edges} for id_, edges in nodes.shows_of.items()})
        self._called: defaultdict[object, set[str]] = defaultdict(set)  # title, number, concept -> ids
        for e in nodes.episodes:
            for name in (folded_title(e.title), *e.numbers):
                self._called[name].add(e.id)
        known, unlisted = {c.id for c in vocabulary.concepts}, dict[str, str]()
        mentions = sorted((m.text, m.concept_id, m.field, id_) for id_, x in found for m in x.mentions)
        for text, concept, field, id_ in mentions:
            if field == "title":
                self._called["on", concept].add(id_)
            if concept not in known:  # a statement writes code without its call and its value
                unlisted[text.partition("(")[0].partition("=")[0]] = concept
        self._concepts = unlisted | {c.name: c.id for c in vocabulary.concepts}
        self._listening = model.Precedence((r.target, r.source) for r in self.listen_after)
        for r in (*vocabulary.relations, *catalogue.relations):
            self.relations.setdefault((r.kind, frozenset((r.source, r.target))), r)
        for id_, s in ((id_, s) for id_, x in found for s in x.statements):
            if contrary := self._read(id_, s):
                self.set_aside.append(f"{id_}: {s.quote!r} ({s.relation}) contradicts what came first: {contrary}")

    def _read(self, episode: str, s: Statement) -> str:
        """Add the edge that a text states; return what contradicts it, or ""."""
        quoted: dict[str, Any] = {"quote": s.quote, "field": s.field, "start": s.start}
        between_episodes = s.relation in ("LISTEN_BEFORE", "LISTEN_AFTER", "RELATED_EPISODE")
        a, b = self._concepts.get(s.subject), self._concepts.get(s.object)
        if between_episodes:
            a, b = episode, self._episode(s, episode)
        if not a or not b or a == b:
            return ""
        if s.relation == "RELATED_EPISODE":
            self.refers_to.append(RefersTo(a, b, relation="mentions", **quoted))
        elif between_episodes:
            later, earlier = (b, a) if s.relation == "LISTEN_BEFORE" else (a, b)
            if not self._listening.accept(earlier, later):
                return f"{later} already comes before {earlier}"
            self.listen_after.append(model.ListenAfter(later, earlier, **quoted))
        else:
            kind = cast(model.ConceptRelationKind, s.relation)
            stated = ConceptRelation(a, b, kind=kind, origin="stated", confidence=0.5, episode=episode, **quoted)
            first = self.relations.setdefault((kind, frozenset((a, b))), stated)
            if first.source != a and kind != "ALTERNATIVE_TO":
                said = f"{first.episode} said {first.quote!r}" if first.quote else "it is curated"
                name = {id_: name for name, id_ in self._concepts.items()}
                return f"{said}: {name[b]} {kind} {name[a]}"
        return ""

    def _episode(self, s: Statement, episode: str) -> str | None:
        """Return the episode that a text means by title, number or subject."""
        subject = () if s.relation == "RELATED_EPISODE" else (("on", self._concepts.get(s.object)),)
        called = [self._called[name] for name in (folded_title(s.object), asked_number(s.object), *subject)]
        own = [[id_ for id_ in ids if self._shows[episode] & self._shows[id_]] for ids in called]
        return next((id_ for ids in (own[0] or called[0], *own[1:]) if len(ids) == 1 for id_ in ids), None)


def episode_links(found: Findings, nodes: Snapshot) -> Iterator[RefersTo]:
    """Yield an edge for a link to one episode's page, or with a title of its show.

    Example: `list(episode_links([("s/two", notes)], Snapshot(episodes=(one, two))))`
    """
    pages: defaultdict[str, set[str]] = defaultdict(set)
    titles: defaultdict[tuple[str, str], list[Episode]] = defaultdict(list)
    of_shows = {bare_address(show.url) for show in nodes.shows if show.url}
    for e in nodes.episodes:
        if e.url and bare_address(e.url) not in of_shows:
            pages[bare_address(e.url)].add(e.id)
        title = bare_title(e.title, e.show)
        if title not in ("", bare_title(e.show)):  # which name the show
            for show in nodes.shows_of.get(e.id, ()):
                titles[show.target, title].append(e)
    for id_, x in found:
        if x.text == x.episode.summary:
            continue  # the catalogue, which states what its speakers point to
        name, shows = x.episode.show, [show.target for show in nodes.shows_of.get(id_, ())]
        for link in x.links:
            meant = pages.get(bare_address(link.url), set())
            if not meant and link.type != "profile" and len(words(link.label)) >= 3:
                alike = (e for show in shows for e in titles.get((show, bare_title(link.label, name)), ()))
                meant = {e.id for e in alike if may_be_one(link.label, e.title, name)}
            if len(meant) != 1 or id_ in meant:
                continue
            edge = RefersTo(id_, *meant, relation="mentions", quote=link.url)
            label = rf"(?<!\w){re.escape(link.label)}(?!\w)" if link.label else r"(?!)"
            if len(places := [m.start() for m in re.finditer(label, x.text)]) == 1:  # else it proves nothing
                edge = replace(edge, quote=link.label, field="description", start=places[0])
            yield edge


def with_evidence(graph: Snapshot, texts: TextsRead) -> tuple[Snapshot, tuple[str, ...]]:
    """Drop edges without evidence, and list them: `with_evidence(graph, texts)[1]`.

    Evidence is a reason, a verbatim quote or a second; an inference needs the first two.
    """
    texts = {**texts, **{(c.id, "definition"): (c.definition,) for c in graph.concepts}}
    broken: list[str] = []
    kept: dict[str, Any] = {}
    for name in model.EDGE_GROUPS:
        wrongs = [(edge, _wrong(edge, texts)) for edge in getattr(graph, name)]
        kept[name] = tuple(edge for edge, wrong in wrongs if not wrong)
        broken += [f"({edge.source})-[:{edge.kind}]->({edge.target}) {wrong}" for edge, wrong in wrongs if wrong]
    return (replace(graph, **kept) if broken else graph), tuple(broken)


def _wrong(edge: Any, texts: TextsRead) -> str:
    """Return how an edge lacks evidence, "" where it does not."""
    field = getattr(edge, "field", "")
    names = ("why", "label", "quote", *(("evidence",) if field else ()))
    said = (*getattr(edge, "reasons", ()), *(getattr(edge, name, "") for name in names))
    has_evidence = getattr(edge, "at", None) is not None or any(text.strip() for text in said)
    if isinstance(edge, model.Requires | ConceptRelation) and edge.origin in ("curated", "drafted"):
        has_evidence = bool(edge.reason.strip())
    elif isinstance(edge, model.Requires) and edge.origin != "declared":
        has_evidence = bool(edge.reason.strip() and edge.quote.strip()) and 0 < edge.confidence < 1
    elif isinstance(edge, ConceptRelation) and not edge.episode:
        has_evidence = False
    if not has_evidence:
        return "does not say where it comes from: no reason, no quote, no second"
    if field:
        quote = edge.evidence if isinstance(edge, Teaches | model.Mentions) else edge.quote
        owners = {getattr(edge, "episode", None) or edge.source}
        if isinstance(edge, model.ListenAfter):
            owners.add(edge.target)
        there = (text for owner in owners for text in texts.get((owner, field), ()))
        if edge.start is None or not any(text.startswith(quote, edge.start) for text in there):
            return f"quotes {quote!r}, which is not at {edge.start} of the {field}"
    return ""
