"""The places of concepts and episodes on the map: areas in strata, and what needs much above what it needs."""

import hashlib
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import inf
from statistics import median

import numpy as np
from numpy.typing import NDArray

from torchatlas.graph.drawing import GAP, areas_of
from torchatlas.graph.model import Concept, Episode, Requires, Snapshot, Teaches

Indices = NDArray[np.int64]


def close_pairs(points: NDArray[np.float64]) -> tuple[Indices, Indices]:
    """Return the two ends of every pair of points whose distance is at most 1, each pair once.

    A cell is 1 wide and high, so the other point of a pair lies in the same cell or in one of the eight around it.

    >>> [end.tolist() for end in close_pairs(np.array([[0.0, 0.0], [5.0, 5.0], [0.6, 0.6]]))]
    [[0], [2]]
    """
    cells = np.floor(points - points.min(axis=0)).astype(np.int64) + 1
    column = int(cells[:, 1].max()) + 2  # with an empty cell between two columns
    numbers = cells[:, 0] * column + cells[:, 1]
    order = np.argsort(numbers, kind="stable")
    numbers = numbers[order]
    places = np.arange(len(points))
    above = _ranges(places, places + 1, np.searchsorted(numbers, numbers + 1, "right"))
    beside = _ranges(
        places,
        np.searchsorted(numbers, numbers + column - 1, "left"),
        np.searchsorted(numbers, numbers + column + 1, "right"),
    )
    one, other = (order[np.concatenate(ends)] for ends in zip(above, beside, strict=True))
    near = ((points[one] - points[other]) ** 2).sum(axis=1) <= 1.0
    return one[near], other[near]


def _ranges(places: Indices, begins: Indices, ends: Indices) -> tuple[Indices, Indices]:
    """Return each place with every number of its range."""
    sizes = ends - begins
    skipped = np.repeat(begins - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
    return np.repeat(places, sizes), skipped + np.arange(len(skipped))


STEEP = 6  # the larger, the more the highest prerequisite counts: 1 is Levine's mean, infinity the longest path
LIFT = 0.5  # an episode stands this much above its main subject


def heights(snapshot: Snapshot) -> dict[str, float]:
    """Return id -> height for every concept and episode: 0 for foundations, and about one more with every step up.

    A concept stands one above the power mean of its prerequisites: between the trophic level of Levine (1980, "Several
    measures of trophic structure applicable to complex food webs") and the longest path. A prerequisite more or less
    changes such a mean a little, and a concept that nothing needs changes no other height. Concepts that require one
    another in a circle share a height.

    >>> from torchatlas.graph.model import Concept, Requires
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


THICK = 2.0
"""Steps from the foot of a stratum to the next: foundations are one, what most areas are made of is another."""
SLACK = THICK / 4
"""How far the bound of two strata may lie from its multiple of THICK, to be far from every area."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A part of the map, in the units of the caller. `foot` is its lower edge; `y` grows upwards here."""

    left: float
    foot: float
    width: float
    height: float


def frame(heights: Mapping[str, Sequence[float]], width: float, height: float) -> dict[str, Rectangle]:
    """Return area -> its rectangle, in a map of this size. `heights`: area -> those of its nodes.

    An area belongs to the stratum that its median height falls into; a stratum is cut into columns and a column into
    areas, each as large as its share of the nodes (a treemap in strips: Bederson, Shneiderman and Wattenberg 2002).
    Areas keep their places when episodes are added: the bounds of strata are far from all, and columns follow the
    alphabet.

    >>> frame({"Tensors": [0.0], "Autograd": [3.0]}, 100, 50)["Autograd"]
    Rectangle(left=0.0, foot=25.0, width=100.0, height=25.0)
    """
    sizes = {area: len(of) for area, of in heights.items()}
    levels = {area: median(of) for area, of in heights.items()}
    total, foot, found = sum(sizes.values()), 0.0, dict[str, Rectangle]()
    for stratum in _strata(levels):
        count = sum(sizes[area] for area in stratum)
        tall = height * count / total
        deep = max(1, round((tall * len(stratum) / width) ** 0.5))  # areas are about as wide as they are high
        left = 0.0
        for start in range(0, len(stratum), deep):
            column = _upwards(stratum[start : start + deep], levels)
            many = sum(sizes[area] for area in column)
            wide, floor = width * many / count, foot
            for area in column:
                found[area] = Rectangle(left, floor, wide, tall * sizes[area] / many)
                floor += found[area].height
            left += wide
        foot += tall
    return found


def _strata(levels: Mapping[str, float]) -> list[list[str]]:
    """Return the areas in strata, the lowest first, by the alphabet within a stratum."""
    bounds = list(_bounds(levels.values()))
    found: defaultdict[int, list[str]] = defaultdict(list)
    for area in sorted(levels):
        found[bisect(bounds, levels[area])].append(area)
    return [found[number] for number in sorted(found)]


def _upwards(areas: Sequence[str], levels: Mapping[str, float]) -> list[str]:
    """Return the areas by their levels, the lowest first; those that differ little follow the alphabet."""
    ordered = sorted(areas, key=lambda area: (levels[area], area))
    steps = [0, *(levels[b] - levels[a] > SLACK for a, b in pairwise(ordered))]
    return [area for _, area in sorted(zip(accumulate(steps), ordered, strict=True))]


def _bounds(levels: Collection[float]) -> Iterator[float]:
    """Yield the bounds of the strata: near each multiple of THICK the middle of the widest gap between the levels."""
    ends = [-inf, *sorted(levels), inf]
    for number in range(1, int(max(levels, default=0) / THICK) + 2):
        low, high = number * THICK - SLACK, number * THICK + SLACK
        left, right = max(((max(a, low), min(b, high)) for a, b in pairwise(ends)), key=lambda gap: gap[1] - gap[0])
        yield (left + right) / 2


Places = Mapping[str, Sequence[int]]
"""The x and the y of each concept and episode, by its id."""
FindPlaces = Callable[[Snapshot], Places]
"""A function from the ground of a graph to the places of its nodes."""


def ground(graph: Snapshot) -> Snapshot:
    """Return the nodes without their facts but the areas, what requires what, and the main subject of each episode.

    Two graphs with equal grounds have equal places.

    >>> ground(Snapshot((Concept("view", "view", area="Tensors", definition="Text."),))).concepts[0].definition
    ''
    """
    subjects = (taught[0] for taught in graph.taught_by.values())
    return Snapshot(
        tuple(Concept(c.id, "", area=c.area) for c in graph.concepts),
        tuple(Episode(e.id, "", show="") for e in graph.episodes),
        teaches=tuple(Teaches(t.source, t.target, depth="main") for t in subjects),
        requires=tuple(Requires(r.source, r.target, need="hear", reason="") for r in graph.requires),
    )


Array = NDArray[np.float64]

ROOM = 1.45  # times the ground that the dots need: the more, the less they push each other
WIDE = 1.6  # a map is wider than high, as screens are
MARGIN = 0.7  # in gaps, between the dots of an area and its edge
LOOSE = 0.3  # how much a concept stands at a side of its own, compared with the sides of what it requires
PASSES = 80


def overview(snapshot: Snapshot) -> dict[str, tuple[int, int]]:
    """Return id -> (x, y) in pixels for every concept and episode, centred on the origin; y grows downwards.

    Height means order: what is required lies lower, as in the layered drawings of Sugiyama, Tagawa and Toda (1981), but
    with heights that are no whole numbers (Carmel, Harel and Koren 2004, "Combining hierarchy and energy for drawing
    directed graphs"). Each area fills a rectangle of a frame. In it, dots are spread evenly, upwards by their heights
    and sideways by what they share; then dots closer than GAP push each other apart.

    All of this depends on ranks, shares and names, never on chance: what is added leaves the rest about where it was.
    An old concept moves further only where it comes to require something new.

    Example: `overview(snapshot)["autograd"]` is `(120, -340)`.
    """
    area_of = areas_of(snapshot)
    height, side = heights(snapshot), _sides(snapshot, area_of)
    members: defaultdict[str, list[str]] = defaultdict(list)
    for node in sorted(height):
        members[area_of[node]].append(node)
    ground = len(height) * GAP[0] * GAP[1] * ROOM
    rectangles = frame(
        {area: [height[n] for n in of] for area, of in members.items()}, (ground * WIDE) ** 0.5, (ground / WIDE) ** 0.5
    )
    start: dict[str, tuple[float, float]] = {}
    for area, of in members.items():
        start.update(_spread(of, height, side, rectangles[area]))
    places = _apart(np.array([start[node] for node in sorted(start)], dtype=float).reshape(-1, 2))
    if len(places):
        places -= (places.max(axis=0) + places.min(axis=0)) / 2
    return {node: (round(float(x)), round(float(y))) for node, (x, y) in zip(sorted(start), places, strict=True)}


def _sides(snapshot: Snapshot, area_of: Mapping[str, str]) -> dict[str, float]:
    """Return id -> where in its area it stands, from left (0) to right (1): near what it requires there, or teaches."""
    found: dict[str, float] = {}

    def settle(node: str, near: Iterable[str]) -> None:
        at = [found[n] for n in near if area_of[n] == area_of[node]]
        found[node] = (LOOSE * _own_side(node) + sum(at)) / (LOOSE + len(at))

    for circle, below in from_the_ground(snapshot):
        for concept in circle:
            settle(concept, below)
    for episode in snapshot.episodes:
        settle(episode.id, [t.target for t in snapshot.taught_by.get(episode.id, ())[:1]])
    return found


def _own_side(node: str) -> float:
    """Return a number from 0 to 1 that comes from the id alone, and is spread evenly over all ids."""
    return int.from_bytes(hashlib.sha256(node.encode()).digest()[:6], "big") / 2**48


def _spread(
    nodes: list[str], height: Mapping[str, float], side: Mapping[str, float], into: Rectangle
) -> dict[str, tuple[float, float]]:
    """Return node -> (x, y) in the rectangle, y downwards: evenly by the ranks of height and of side, ties by id."""
    up = {node: (place + 0.5) / len(nodes) for place, node in enumerate(sorted(nodes, key=lambda n: (height[n], n)))}
    along = {node: (place + 0.5) / len(nodes) for place, node in enumerate(sorted(nodes, key=lambda n: (side[n], n)))}
    edge_x, edge_y = min(GAP[0] * MARGIN, into.width / 4), min(GAP[1] * MARGIN, into.height / 4)
    return {
        node: (
            into.left + edge_x + along[node] * (into.width - 2 * edge_x),
            -(into.foot + edge_y + up[node] * (into.height - 2 * edge_y)),
        )
        for node in nodes
    }


def _apart(places: Array) -> Array:
    """Return places of which none is nearer than GAP to another (an ellipse); each of two goes half of the way."""
    unit = places / GAP
    for _ in range(PASSES if len(places) else 0):
        one, other = close_pairs(unit)
        if not len(one):
            break
        span = unit[one] - unit[other]
        distance = np.maximum(np.sqrt((span**2).sum(axis=1)), 1e-6)
        moves = span * ((1.0 - distance) / distance * 0.5)[:, None]
        unit = unit + np.stack([_summed(move, one, other, len(unit)) for move in moves.T], axis=1)
    return np.asarray(unit * GAP)


def _summed(moves: Array, one: NDArray[np.int64], other: NDArray[np.int64], count: int) -> Array:
    """Return how far each node moves: the first of a pair goes so, the second the other way."""
    return np.asarray(np.bincount(one, moves, count) - np.bincount(other, moves, count), dtype=float)
