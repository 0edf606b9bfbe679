"""From what was curated and what was extracted to one graph: a pure function."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, cast

from graph.curated import Catalogue, Vocabulary
from graph.evidence import Extraction, Mention
from graph.identity import folded_title, merge_episodes
from graph.layout import overview
from graph.model import (
    Assumes,
    Cites,
    ConceptRelation,
    ConceptRelationKind,
    Link,
    ListenAfter,
    Mentions,
    RefersTo,
    Requires,
    Snapshot,
    Teaches,
)
from graph.prerequisites import check_acyclic, would_close_a_cycle
from graph.related import nearest

_OFTEN = 3  # named so often in its notes, a concept is a part of what an episode explains

Edge = TypeVar("Edge", Teaches, Assumes, ListenAfter, RefersTo, Cites, ConceptRelation)


def build(vocabulary: Vocabulary, catalogue: Catalogue, extractions: Iterable[Extraction]) -> Snapshot:
    """The whole graph, with its layout and the nearest episodes of each. Raises CycleError as `joined` does."""
    return finished(joined(vocabulary, catalogue, extractions))


def joined(vocabulary: Vocabulary, catalogue: Catalogue, extractions: Iterable[Extraction]) -> Snapshot:
    """Nodes and edges, without a layout and what is nearest.

    Entries of one episode become one node. Curated edges come before declared ones and are never reversed by them.
    Raises CycleError where the curated prerequisites run in a circle.
    """
    found = tuple(extractions)
    check_acyclic(vocabulary.requires)
    merged = merge_episodes(catalogue.episodes, (x.episode for x in found))
    by_episode: dict[str, list[Extraction]] = {}
    for id_, extraction in zip(merged.ids[len(catalogue.episodes) :], found, strict=True):
        by_episode.setdefault(id_, []).append(extraction)
    statements = _Stated(vocabulary, {folded_title(e.title): e.id for e in merged.episodes})
    for id_, group in sorted(by_episode.items()):  # of two statements that contradict each other the first one counts
        for extraction in group:
            statements.read(id_, extraction)
    teaches = _once((*catalogue.teaches, *_taught(by_episode, catalogue)))
    covered = {(e.source, e.target) for e in teaches} | {(e.source, e.target) for e in catalogue.assumes}
    links, cites = _links(by_episode)
    return Snapshot(
        vocabulary.concepts,
        merged.episodes,
        links,
        teaches,
        catalogue.assumes,
        tuple(m for m in _mentions(by_episode) if (m.source, m.target) not in covered),
        (*vocabulary.requires, *statements.requires),
        _once((*catalogue.listen_after, *statements.listen_after)),
        _once((*catalogue.refers_to, *statements.refers_to)),
        (),
        cites,
        _one_way((*vocabulary.relations, *catalogue.relations, *statements.relations)),
    )


def finished(graph: Snapshot) -> Snapshot:
    """The same with the nearest episodes of each, and every concept and episode at its place on the map."""
    places = overview(graph)
    concepts = tuple(replace(c, x=places[c.id][0], y=places[c.id][1]) for c in graph.concepts)
    episodes = tuple(replace(e, x=places[e.id][0], y=places[e.id][1]) for e in graph.episodes)
    return replace(graph, related_to=nearest(graph), concepts=concepts, episodes=episodes)


def _once(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """The first of the edges that join the same nodes."""
    kept: dict[tuple[str, str], Edge] = {}
    for edge in edges:
        if edge.source != edge.target:
            kept.setdefault((edge.source, edge.target), edge)
    return tuple(kept.values())


def _one_way(relations: Iterable[ConceptRelation]) -> tuple[ConceptRelation, ...]:
    """The first of the relations of a kind between two concepts, whichever way it points."""
    kept: dict[tuple[str, frozenset[str]], ConceptRelation] = {}
    for relation in relations:
        kept.setdefault((relation.kind, frozenset((relation.source, relation.target))), relation)
    return tuple(kept.values())


def _mentions(by_episode: Mapping[str, Sequence[Extraction]]) -> Iterable[Mentions]:
    for id_, group in by_episode.items():
        grouped: dict[str, list[Mention]] = {}
        for mention in (m for extraction in group for m in extraction.mentions):
            grouped.setdefault(mention.concept_id, []).append(mention)
        for concept, named in grouped.items():
            first = named[0]
            yield Mentions(id_, concept, len(named), first.field, first.start, first.end, first.text)


def _taught(by_episode: Mapping[str, Sequence[Extraction]], catalogue: Catalogue) -> Iterable[Teaches]:
    """What an episode outside of the catalogue explains: its title's concepts, and those that its notes name often."""
    judged = {e.source for e in catalogue.teaches}
    for mention in _mentions({id_: group for id_, group in by_episode.items() if id_ not in judged}):
        if mention.field == "title":
            yield Teaches(mention.source, mention.target, "main", 1.0, None, mention.evidence)
        elif mention.count >= _OFTEN:
            yield Teaches(mention.source, mention.target, "part", 0.5, None, mention.evidence)


def _links(by_episode: Mapping[str, Sequence[Extraction]]) -> tuple[tuple[Link, ...], tuple[Cites, ...]]:
    links: dict[str, Link] = {}
    cites: list[Cites] = []
    for id_, group in sorted(by_episode.items()):
        for link in (link for extraction in group for link in extraction.links):
            known = links.setdefault(link.id, Link(link.id, link.url, link.type, link.label))
            if not known.label and link.label:
                links[link.id] = replace(known, label=link.label)
            cites.append(Cites(id_, link.id, link.label))
    return tuple(links.values()), _once(cites)


class _Stated:
    """Statements of the texts as edges. What cannot be tied to one node at each end is left out."""

    def __init__(self, vocabulary: Vocabulary, titles: Mapping[str, str]) -> None:
        self.concepts = {c.name: c.id for c in vocabulary.concepts}
        self.titles = titles
        self.curated = vocabulary.requires
        self.requires: list[Requires] = []
        self.listen_after: list[ListenAfter] = []
        self.refers_to: list[RefersTo] = []
        self.relations: list[ConceptRelation] = []

    def read(self, episode: str, extraction: Extraction) -> None:
        for s in extraction.statements:
            if s.relation in ("LISTEN_BEFORE", "LISTEN_AFTER", "RELATED_EPISODE"):
                if other := self.titles.get(folded_title(s.object)):
                    self._between_episodes(s.relation, episode, other, s.quote)
                continue
            a, b = self.concepts.get(s.subject), self.concepts.get(s.object)
            if not a or not b or a == b:
                continue
            if s.relation == "REQUIRES_KNOWING":
                self._require(a, b, s.quote)
            elif s.relation == "RUNS_AFTER":
                self.relations.append(ConceptRelation("RUNS_BEFORE", b, a, "declared", "", s.quote, episode))
            else:
                kind = cast(ConceptRelationKind, s.relation)
                self.relations.append(ConceptRelation(kind, a, b, "declared", "", s.quote, episode))

    def _between_episodes(self, relation: str, episode: str, other: str, quote: str) -> None:
        if relation == "LISTEN_AFTER":
            self.listen_after.append(ListenAfter(episode, other, "declared", quote))
        elif relation == "LISTEN_BEFORE":
            self.listen_after.append(ListenAfter(other, episode, "declared", quote))
        else:
            self.refers_to.append(RefersTo(episode, other, "mentions"))

    def _require(self, concept: str, needed: str, quote: str) -> None:
        so_far = (*self.curated, *self.requires)
        new = all((r.source, r.target) != (concept, needed) for r in so_far)
        if new and not would_close_a_cycle(so_far, concept, needed):
            self.requires.append(Requires(concept, needed, "bridge", quote, "declared", 0.9))
