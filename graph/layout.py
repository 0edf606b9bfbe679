"""The map: where every concept and episode stands, each above what it needs."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median

import numpy as np
from numpy.typing import NDArray

from torchatlas.graph.model import Snapshot
from torchatlas.graph.views import areas_of

GAP = (86.0, 44.0)  # pixels between two neighbouring dots of the map, across and down
_STEEP = 6  # 1 is Levine's mean, infinity the longest path
_LIFT = 0.5  # an episode stands this much above its main subject
_ROWS = 5  # of areas
_ROOM = 1.45  # times the ground that the dots need
_WIDE = 1.6  # a map is wider than high, as screens are
_MARGIN = 0.7  # in gaps, between the dots of an area and its edge
_LOOSE = 0.3  # the weight of a node's own side


def overview(snapshot: Snapshot) -> dict[str, tuple[int, int]]:
    """Return id -> (x, y) in pixels, downwards: `overview(snapshot)["autograd"]`.

    Dots fill their area's rectangle evenly, up by height and sideways by what they
    share. Then dots closer than GAP push each other apart.
    """
    snapshot = snapshot.without_resources
    area_of, ranks = areas_of(snapshot), heights_and_sides(snapshot)
    members: defaultdict[str, list[str]] = defaultdict(list)
    for node in sorted(ranks):
        members[area_of[node]].append(node)
    size = len(ranks) * GAP[0] * GAP[1] * _ROOM
    levels = {area: [ranks[n][0] for n in of] for area, of in members.items()}
    rectangles = frame(levels, (size * _WIDE) ** 0.5, (size / _WIDE) ** 0.5)
    start: dict[str, tuple[float, float]] = {}
    for area, of in members.items():
        (left, foot, wide, tall), many = rectangles[area], len(of)
        edge_x, edge_y = min(GAP[0] * _MARGIN, wide / 4), min(GAP[1] * _MARGIN, tall / 4)
        along = {node: place for place, node in enumerate(sorted(of, key=lambda n: ranks[n][1]))}
        for up, node in enumerate(sorted(of, key=lambda n: ranks[n][0])):
            x = left + edge_x + (along[node] + 0.5) / many * (wide - 2 * edge_x)
            start[node] = x, -(foot + edge_y + (up + 0.5) / many * (tall - 2 * edge_y))
    if not start:
        return {}
    places = _apart([start[node] for node in sorted(start)])
    places -= (places.max(axis=0) + places.min(axis=0)) / 2
    return {node: (round(float(x)), round(float(y))) for node, (x, y) in zip(sorted(start), places, strict=True)}


def heights_and_sides(snapshot: Snapshot) -> dict[str, tuple[float, float]]:
    """Return (height, side: 0 left to 1) by id: `heights_and_sides(graph)["vmap"]`.

    A concept is one above its prerequisites' power mean, between trophic level
    (Levine 1980) and longest path, and near its area. Circles share a height.
    """
    import networkx as nx

    area_of, found = areas_of(snapshot), dict[str, tuple[float, float]]()

    def side(node: str, below: Sequence[str]) -> float:
        own = int.from_bytes(hashlib.sha256(node.encode()).digest()[:6], "big") / 2**48
        at = [found[n][1] for n in below if area_of[n] == area_of[node]]
        return (_LOOSE * own + sum(at)) / (_LOOSE + len(at))

    graph: nx.DiGraph[str] = nx.DiGraph((r.target, r.source) for r in snapshot.requires)
    graph.add_nodes_from(c.id for c in snapshot.concepts)
    circles = nx.condensation(graph)
    for number in nx.topological_sort(circles):
        circle = circles.nodes[number]["members"]
        below = sorted({b for node in circle for b in graph.pred[node]} - circle)
        mean = sum((1.0 + found[b][0]) ** _STEEP for b in below) / max(1, len(below))
        level = round(mean ** (1 / _STEEP), 9)  # the last digits depend on the machine
        found |= {node: (level, side(node, below)) for node in circle}
    for e in snapshot.episodes:
        subject = [t.target for t in snapshot.taught_by.get(e.id, ())[:1]]
        found[e.id] = found[subject[0]][0] + _LIFT if subject else 0.0, side(e.id, subject)
    return found


def frame(heights: Mapping[str, Sequence[float]], width: float, height: float) -> dict[str, tuple[float, ...]]:
    """Return each area's rectangle: `frame({"IR": [0, 1.5]}, 9, 5)["IR"]`.

    Areas stand in rows by their median height, each as wide as it has nodes (a
    strip treemap: Bederson et al. 2002). The row with most nodes is divided at
    its widest gap between levels, best near its middle, so few nodes move none.
    """

    def size(areas: Iterable[str]) -> int:
        return sum(len(heights[area]) for area in areas)

    levels = {area: median(of) for area, of in heights.items()}
    rows = [sorted(levels, key=lambda area: (levels[area], area))]
    while len(rows) < _ROWS and len(row := max(rows, key=lambda row: (len(row) > 1, size(row)))) > 1:
        gaps = {at: levels[row[at]] - levels[row[at - 1]] for at in range(1, len(row))}
        cut = max(gaps, key=lambda at: gaps[at] * min(size(row[:at]), size(row[at:])))
        place = rows.index(row)
        rows[place : place + 1] = row[:cut], row[cut:]
    foot, found = 0.0, dict[str, tuple[float, ...]]()
    for row in rows:
        left, tall = 0.0, height * size(row) / max(1, size(levels))
        for area in sorted(row):
            wide = width * len(heights[area]) / size(row)
            found[area] = left, foot, wide, tall
            left += wide
        foot += tall
    return found


def _apart(places: Sequence[tuple[float, float]]) -> NDArray[np.float64]:
    """Push places apart, each of two by half, until none is nearer than GAP."""
    from scipy.spatial import cKDTree

    unit = np.array(places, dtype=float) / GAP
    for _ in range(80):
        pairs = cKDTree(unit).query_pairs(1.0, output_type="ndarray")
        if not len(pairs):
            break
        one, other = pairs.T
        span = unit[one] - unit[other]
        distance = np.maximum(np.sqrt((span**2).sum(axis=1)), 1e-6)
        moves = span * ((1.0 - distance) / distance * 0.5)[:, None]
        for axis, move in enumerate(moves.T):
            unit[:, axis] += np.bincount(one, move, len(unit)) - np.bincount(other, move, len(unit))
    return np.asarray(unit * GAP)
