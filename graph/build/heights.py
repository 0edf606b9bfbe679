"""How high each node stands: what needs much stands above what it needs."""

from collections.abc import Iterable, Mapping

from torchatlas.graph.values.model import Snapshot

STEEP = 6  # the larger, the more the highest prerequisite counts: 1 is Levine's mean, infinity the longest path
LIFT = 0.5  # an episode stands this much above its main subject


def heights(snapshot: Snapshot) -> dict[str, float]:
    """Return id -> height for every concept and episode: 0 for foundations, and about one more with every step up.

    A concept stands one above the power mean of its prerequisites: between the trophic level of Levine (1980, "Several
    measures of trophic structure applicable to complex food webs") and the longest path. A prerequisite more or less
    changes such a mean a little, and a concept that nothing needs changes no other height. Concepts that require one
    another in a circle share a height.

    >>> from torchatlas.graph.values.model import Concept, Requires
    >>> ends = Concept("view", "view", area="Tensors"), Concept("strides", "strides", area="Tensors")
    >>> heights(Snapshot(ends, requires=(Requires("view", "strides", need="hear", reason="views have strides"),)))
    {'strides': 0.0, 'view': 1.0}
    """
    found: dict[str, float] = {}
    for circle, below in from_the_ground(snapshot):
        level = _power_mean([1.0 + found[b] for b in below]) if below else 0.0
        found.update(dict.fromkeys(circle, level))
    for episode in snapshot.episodes:
        taught = snapshot.taught_by.get(episode.id, ())
        found[episode.id] = found[taught[0].target] + LIFT if taught else 0.0
    return found


def from_the_ground(snapshot: Snapshot) -> Iterable[tuple[list[str], list[str]]]:
    """Yield all concepts after those that they require: a concept, or a circle of them, and what lies just below.

    Example: `next(iter(from_the_ground(snapshot)))` is `(["bytes"], [])`, a concept that requires nothing.
    """
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(c.id for c in snapshot.concepts)
    graph.add_edges_from((r.target, r.source) for r in snapshot.requires)
    circles = nx.condensation(graph)
    members: Mapping[int, set[str]] = nx.get_node_attributes(circles, "members")
    for number in nx.topological_sort(circles):
        circle = members[number]
        yield sorted(circle), sorted({b for node in circle for b in graph.pred[node]} - circle)


def _power_mean(values: list[float]) -> float:
    mean = sum(value**STEEP for value in values) / len(values)
    return float(round(mean ** (1 / STEEP), 9))  # the last digits depend on the machine
