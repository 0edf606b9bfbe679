"""The places of concepts and episodes on the map: computed once, at build time, so that no browser has to."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from torchatlas.graph.build.areas import GAP, areas_of
from torchatlas.graph.build.close_pairs import close_pairs
from torchatlas.graph.build.heights import from_the_ground, heights
from torchatlas.graph.build.strata import Rectangle, frame
from torchatlas.graph.values.model import Snapshot

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
