"""From what was curated and what was extracted to one graph: a pure function."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from torchatlas.graph.answers.related import nearest
from torchatlas.graph.build.declared_edges import Stated
from torchatlas.graph.build.evidence import founded
from torchatlas.graph.build.inference.inferred_edges import infer
from torchatlas.graph.build.layout import overview
from torchatlas.graph.build.linkage.identity import merge_episodes
from torchatlas.graph.values.curated import Catalogue, Vocabulary
from torchatlas.graph.values.findings import Extraction, Mention
from torchatlas.graph.values.grouping import E
from torchatlas.graph.values.model import (
    Cites,
    Concept,
    ConceptRelation,
    Depth,
    Link,
    Mentions,
    Snapshot,
    Teaches,
)
from torchatlas.graph.values.prerequisites import check_acyclic

UNLISTED = "Code"
"""The area of what texts name and no vocabulary has: mostly classes, functions, macros and files."""

_OFTEN = 3  # named so often in its notes, a concept is a part of what an episode explains


@dataclass(frozen=True, slots=True)
class Joined:
    """`graph` has no layout yet; `set_aside`: what texts say or suggest against what counts, and edges without
    evidence, a line each."""

    graph: Snapshot
    set_aside: tuple[str, ...]


def build(
    vocabulary: Vocabulary,
    catalogue: Catalogue,
    extractions: Iterable[Extraction],
    own: Collection[str] = frozenset(),
    defined: Mapping[str, Sequence[Mention]] = MappingProxyType({}),
) -> Snapshot:
    """The whole graph, with its layout and the nearest episodes of each. Raises what `joined` does."""
    return finished(joined(vocabulary, catalogue, extractions, own, defined).graph)


def joined(
    vocabulary: Vocabulary,
    catalogue: Catalogue,
    extractions: Iterable[Extraction],
    own: Collection[str] = frozenset(),
    defined: Mapping[str, Sequence[Mention]] = MappingProxyType({}),
) -> Joined:
    """Nodes and edges, without a layout and what is nearest.

    Entries of one episode become one node. Curated edges come before declared ones, and these before inferred ones;
    what counts is never reversed. Prerequisites are inferred for the concepts of `own` that have none; `defined` says
    what the definitions name, concept by concept. Raises CycleError where the curated prerequisites run in a circle.
    """
    found = tuple(extractions)
    check_acyclic(vocabulary.requires)
    merged = merge_episodes(catalogue.episodes, (x.episode for x in found))
    by_episode: dict[str, list[Extraction]] = {}
    for id_, extraction in zip(merged.ids[len(catalogue.episodes) :], found, strict=True):
        by_episode.setdefault(id_, []).append(extraction)
    by_episode = _without_rare(by_episode, {concept.id for concept in vocabulary.concepts})
    statements = Stated(vocabulary, catalogue, merged.episodes)
    for id_, group in sorted(by_episode.items()):  # of two statements that contradict each other the first one counts
        for extraction in group:
            statements.read(id_, extraction)
    teaches = _once((*catalogue.teaches, *_taught(by_episode, catalogue)))
    covered = {(e.source, e.target) for e in teaches} | {(e.source, e.target) for e in catalogue.assumes}
    links, cites = _links(by_episode)
    graph = Snapshot(
        (*vocabulary.concepts, *_unlisted(vocabulary, by_episode)),
        merged.episodes,
        links=links,
        teaches=teaches,
        assumes=catalogue.assumes,
        mentions=tuple(m for m in _mentions(by_episode) if (m.source, m.target) not in covered),
        requires=tuple(statements.requires),
        listen_after=_once(statements.listen_after),
        refers_to=_once((*catalogue.refers_to, *statements.refers_to)),
        related_to=(),
        cites=cites,
        concept_relations=_one_way(statements.relations),
    )
    inferred = infer(graph, own, defined, by_episode)
    graph, unfounded = founded(replace(graph, requires=(*graph.requires, *inferred.requires)), _texts(by_episode))
    return Joined(graph, (*statements.set_aside, *inferred.set_aside, *unfounded))


def finished(graph: Snapshot) -> Snapshot:
    """The same with the nearest episodes of each, and every concept and episode at its place on the map."""
    places = overview(graph)
    concepts = tuple(replace(c, x=places[c.id][0], y=places[c.id][1]) for c in graph.concepts)
    episodes = tuple(replace(e, x=places[e.id][0], y=places[e.id][1]) for e in graph.episodes)
    return replace(graph, related_to=nearest(graph), concepts=concepts, episodes=episodes)


def _once(edges: Iterable[E]) -> tuple[E, ...]:
    """The first of the edges that join the same nodes."""
    kept: dict[tuple[str, str], E] = {}
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
            yield Mentions(
                id_, concept, count=len(named), field=first.field, start=first.start, end=first.end, evidence=first.text
            )


def _without_rare(
    by_episode: Mapping[str, Sequence[Extraction]], known: Collection[str]
) -> dict[str, list[Extraction]]:
    """The findings without what no vocabulary has and the notes of one episode alone name: it would join nothing."""
    named = {
        (m.concept_id, id_)
        for id_, group in by_episode.items()
        for x in group
        for m in x.mentions
        if m.field != "summary"
    }
    often = {concept for concept, count in Counter(concept for concept, _ in named).items() if count > 1}

    def kept(extraction: Extraction) -> Extraction:
        mentions = tuple(m for m in extraction.mentions if m.concept_id in known or m.concept_id in often)
        explained = tuple(e for e in extraction.explained if e.concept_id in known or e.concept_id in often)
        return replace(extraction, mentions=mentions, explained=explained)

    return {id_: [kept(extraction) for extraction in group] for id_, group in by_episode.items()}


def _unlisted(vocabulary: Vocabulary, by_episode: Mapping[str, Sequence[Extraction]]) -> Iterable[Concept]:
    """A concept for each thing that is named and not in the vocabulary, by the shortest of its spellings."""
    known = {concept.id for concept in vocabulary.concepts}
    spelled: dict[str, set[str]] = {}
    for extraction in (x for group in by_episode.values() for x in group):
        for id_, text in ((m.concept_id, m.text) for m in extraction.mentions if m.concept_id not in known):
            spelled.setdefault(id_, set()).add(text)
    for id_, texts in sorted(spelled.items()):
        name = min(texts, key=lambda text: (len(text), text))
        yield Concept(id_, name, area=UNLISTED, definition="Named in the notes; the vocabulary has no entry for it.")


def _taught(by_episode: Mapping[str, Sequence[Extraction]], catalogue: Catalogue) -> Iterable[Teaches]:
    """What an episode outside of the catalogue explains: as its transcript and chapters show, then the concepts of its
    title, and those that its notes name often."""
    judged = {e.source for e in catalogue.teaches}
    unjudged = {id_: group for id_, group in by_episode.items() if id_ not in judged}
    for id_, group in unjudged.items():
        for heard in (e for extraction in group for e in extraction.explained):
            yield Teaches(
                id_, heard.concept_id, depth=heard.depth, weight=heard.weight, at=heard.at, evidence=heard.quote
            )
    for mention in _mentions(unjudged):
        if mention.field == "title":
            yield _named(mention, "main", 1.0)
        elif mention.count >= _OFTEN:
            yield _named(mention, "part", 0.5)


def _named(mention: Mentions, depth: Depth, weight: float) -> Teaches:
    return Teaches(
        mention.source, mention.target, depth=depth, weight=weight,
        evidence=mention.evidence, field=mention.field, start=mention.start,
    )  # fmt: skip


def _texts(by_episode: Mapping[str, Sequence[Extraction]]) -> dict[tuple[str, str], list[str]]:
    """(episode id, field) -> the texts that were read; an extraction's text is its notes or our summary."""
    texts: dict[tuple[str, str], list[str]] = {}
    for id_, extraction in ((id_, x) for id_, group in by_episode.items() for x in group):
        texts.setdefault((id_, "title"), []).append(extraction.episode.title)
        for field in ("description", "summary"):
            texts.setdefault((id_, field), []).append(extraction.text)
    return texts


def _links(by_episode: Mapping[str, Sequence[Extraction]]) -> tuple[tuple[Link, ...], tuple[Cites, ...]]:
    links: dict[str, Link] = {}
    cites: list[Cites] = []
    for id_, group in sorted(by_episode.items()):
        for link in (link for extraction in group for link in extraction.links):
            known = links.setdefault(link.id, Link(link.id, link.url, type=link.type, label=link.label))
            if not known.label and link.label:
                links[link.id] = replace(known, label=link.label)
            cites.append(Cites(id_, link.id, label=link.label, quote=link.url))
    return tuple(links.values()), _once(cites)
