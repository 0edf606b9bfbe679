"""One graph of curated files and of what was found in texts, as pure functions."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from types import MappingProxyType

from torchatlas.graph.answers.related import FindRanked, nearest, ranked
from torchatlas.graph.build import text_edges
from torchatlas.graph.build.declared_edges import DeclaredEdges
from torchatlas.graph.build.episode_links import episode_links
from torchatlas.graph.build.evidence import with_evidence
from torchatlas.graph.build.ground import FindPlaces, ground
from torchatlas.graph.build.inference.inferred_edges import infer
from torchatlas.graph.build.inference.worth_hearing import worth_hearing
from torchatlas.graph.build.layout import overview
from torchatlas.graph.build.linkage.sources import merge_sources
from torchatlas.graph.values.curated import Catalogue, Vocabulary
from torchatlas.graph.values.findings import Extraction, Mention
from torchatlas.graph.values.grouping import E
from torchatlas.graph.values.model import Requires, Snapshot
from torchatlas.graph.values.prerequisites import check_acyclic

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

    >>> from torchatlas.graph.values.model import Concept
    >>> join_graph(Vocabulary((Concept("view", "view", area="Tensors"),)), Catalogue(), []).graph.concepts[0].name
    'view'
    """
    check_acyclic(vocabulary.requires)
    extractions, known = tuple(extractions), {concept.id for concept in vocabulary.concepts}
    merged = merge_sources(catalogue, extractions)
    by_id = sorted(zip(merged.ids, extractions, strict=True), key=itemgetter(0))
    found = text_edges.without_rare(text_edges.moved_to(by_id, moved), known)
    unlisted, in_titles = text_edges.unlisted_names(found, known), text_edges.in_titles(found)
    declared = DeclaredEdges(vocabulary, catalogue, merged, unlisted, in_titles)
    for id_, extraction in found:  # of two statements that contradict each other the first one counts
        declared.read(id_, extraction)
    concepts = (*vocabulary.concepts, *text_edges.unlisted_concepts(found, known))
    nodes = Snapshot(concepts, merged.episodes, shows=merged.shows, in_show=merged.in_show)
    graph = _joined(nodes, catalogue, found, declared, vocabulary.requires)
    inferred = infer(graph, own, defined, found)
    if inferred.requires:  # a graph is sorted and checked whenever it is made
        graph = replace(graph, requires=(*graph.requires, *inferred.requires))
    texts = text_edges.texts(found)
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
    found: text_edges.Findings,
    declared: DeclaredEdges,
    requires: Iterable[Requires],
) -> Snapshot:
    """Return the nodes with all edges but the inferred ones."""
    judged = {e.source for e in catalogue.teaches}.intersection(e.id for e in catalogue.episodes)
    assumed = {(e.source, e.target) for e in catalogue.assumes}
    read = (e for e in text_edges.teaches(found, judged) if (e.source, e.target) not in assumed)
    teaches = _once((*catalogue.teaches, *read))
    covered = assumed.union((e.source, e.target) for e in teaches)
    links, cites = text_edges.links(found)
    return replace(
        nodes,
        links=links,
        teaches=teaches,
        assumes=catalogue.assumes,
        mentions=tuple(m for m in text_edges.mentions(found) if (m.source, m.target) not in covered),
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
