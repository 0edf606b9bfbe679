"""What must be understood first: the REQUIRES edges as a directed acyclic graph, and questions to it."""

from collections.abc import Iterable, Mapping
from itertools import pairwise

import networkx as nx

from graph.errors import CycleError
from graph.model import Need, Requires, Snapshot


def graph_of(edges: Iterable[Requires], need: Need | None = None) -> "nx.DiGraph[str]":
    """An arrow from each concept to what it requires, the edge kept as "edge"; only those of one `need` if given."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_edges_from((e.source, e.target, {"edge": e}) for e in edges if need in (None, e.need))
    return graph


def check_acyclic(edges: Iterable[Requires]) -> None:
    """Raises CycleError, which names each edge of a circle and its reason."""
    graph = graph_of(edges)
    try:
        circle = nx.find_cycle(graph)
    except nx.NetworkXNoCycle:
        return
    found: list[Requires] = [graph.edges[a, b]["edge"] for a, b, *_ in circle]
    said = "; ".join(f"{e.source} requires {e.target} ({e.need}, {e.origin}: {e.reason})" for e in found)
    raise CycleError(f"prerequisites run in a circle: {said}; remove one of these edges")


def would_close_a_cycle(edges: Iterable[Requires], concept: str, needed: str) -> bool:
    """Whether `concept` requiring `needed` would make the prerequisites run in a circle."""
    graph = graph_of(edges)
    return concept == needed or (needed in graph and concept in nx.descendants(graph, needed))


def below(snapshot: Snapshot, goal: str, need: Need | None = None) -> tuple[str, ...]:
    """The concepts that `goal` rests on, itself left out: prerequisites first, ties by id.

    Raises CycleError where the prerequisites run in a circle.
    """
    check_acyclic(snapshot.requires)
    graph = graph_of(snapshot.requires, need)
    under = nx.descendants(graph, goal) if goal in graph else set()
    return tuple(nx.lexicographical_topological_sort(graph.subgraph(under).reverse()))


def closure(edges: Iterable[Requires], concepts: Iterable[str], need: Need | None = None) -> frozenset[str]:
    """The concepts and all that is below them; circles do no harm."""
    needs: dict[str, list[str]] = {}
    for edge in edges:
        if need in (None, edge.need):
            needs.setdefault(edge.source, []).append(edge.target)
    return reachable(needs, concepts)


def reachable(arrows: Mapping[str, Iterable[str]], start: Iterable[str]) -> frozenset[str]:
    """All that arrows lead to from `start`, which is part of it."""
    found, todo = set(start), list(start)
    while todo:
        new = set(arrows.get(todo.pop(), ())) - found
        found |= new
        todo += new
    return frozenset(found)


def redundant(snapshot: Snapshot) -> tuple[Requires, ...]:
    """Edges that a longer chain says as well; a `hear` edge only where a chain of `hear` edges does.

    Transitive reduction: Aho, Garey and Ullman 1972. Raises CycleError where the prerequisites run in a circle.
    """
    check_acyclic(snapshot.requires)
    hear = nx.transitive_reduction(graph_of(snapshot.requires, "hear"))
    every = nx.transitive_reduction(graph_of(snapshot.requires))
    return tuple(e for e in snapshot.requires if not (hear if e.need == "hear" else every).has_edge(e.source, e.target))


def chain(snapshot: Snapshot, concept: str, prerequisite: str) -> tuple[Requires, ...]:
    """The shortest chain of edges from a concept down to a prerequisite; () where there is none.

    Of equally short ones the one with most `hear` edges, then the first by ids.
    """
    graph = graph_of(snapshot.requires)
    if concept == prerequisite or concept not in graph or prerequisite not in graph:
        return ()
    try:
        paths = list(nx.all_shortest_paths(graph, concept, prerequisite))
    except nx.NetworkXNoPath:
        return ()
    chains = [tuple[Requires, ...](graph.edges[a, b]["edge"] for a, b in pairwise(path)) for path in paths]
    return min(chains, key=lambda edges: (sum(e.need != "hear" for e in edges), [e.target for e in edges]))
