"""Explanations of an order: the shortest chain of edges from one node to another, each edge with its words."""

from collections.abc import Iterator
from itertools import pairwise

from torchatlas.graph.values.explanations import ChainEdge
from torchatlas.graph.values.model import Assumes, ListenAfter, Origin, Requires, Snapshot, Teaches

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
        edge.source, snapshot.name_of(edge.source), kind=edge.kind, target=edge.target,
        target_name=snapshot.name_of(edge.target), words=words, origin=origin, confidence=confidence, need=need, at=at,
    )  # fmt: skip
