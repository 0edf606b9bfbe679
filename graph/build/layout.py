"""The places of concepts and episodes on the map: computed once, at build time, so that no browser has to."""

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from torchatlas.graph.build.areas import areas_of, concepts_in_episodes
from torchatlas.graph.values.grouping import Ends
from torchatlas.graph.values.model import Snapshot

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

STEPS = 110  # of the forces
REACH, REFRESHED = 8, 5  # how far nodes repel each other, in rest lengths; neighbours are found every fifth step
GAP = (86.0, 44.0)  # pixels between two neighbouring dots, across and down: room for most of a label
WIDE = 1.25  # a map is wider than high, as screens are
ABROAD = 0.2  # how much an edge between two areas pulls, compared with one inside an area


def overview(snapshot: Snapshot) -> dict[str, tuple[int, int]]:
    """Return id -> (x, y) in pixels for every concept and episode, centred on the origin; y grows downwards.

    Episodes and the concepts in them fill the middle. Areas are placed first, by the edges between them (Kamada and
    Kawai 1989), then pushed apart as discs. Forces (Fruchterman and Reingold 1991) place the nodes inside an area. At
    last, dots closer than GAP are pushed apart. The other concepts stand in rings around the middle, each area in a
    sector on its own side. No chance is involved.

    Example: `overview(snapshot)["autograd"]` is `(120, -340)`.
    """
    inner = concepts_in_episodes(snapshot)
    ids = [c.id for c in snapshot.concepts if c.id in inner] + [e.id for e in snapshot.episodes]
    outer = [c.id for c in snapshot.concepts if c.id not in inner]
    areas = areas_of(snapshot)
    names = sorted(set(areas.values()))
    members = np.array([names.index(areas[node]) for node in ids], dtype=np.int64)
    places, centres = _core(members, len(names), *_springs(snapshot, {node: i for i, node in enumerate(ids)}))
    rings = _rings(np.array([names.index(areas[node]) for node in outer], dtype=np.int64), centres, places)
    found = zip([*ids, *outer], np.concatenate([places, rings]), strict=True)
    return {node: (round(float(x)), round(float(y))) for node, (x, y) in found}


def _core(members: Indices, count: int, ends: Indices, weights: Array) -> tuple[Array, Array]:
    """Return the places of the nodes and the centres of the `count` areas: arrays (nodes, 2) and (areas, 2)."""
    if not len(members):
        return np.zeros((0, 2)), np.zeros((count, 2))
    anchors = _area_centres(members, count, ends, weights)
    inside = members[ends[:, 0]] == members[ends[:, 1]]
    places = _relaxed(_sunflower(members, anchors), anchors[members], ends, np.where(inside, weights, weights * ABROAD))
    places = _apart(places * (WIDE, 1.0), *GAP)
    middle = (places.max(axis=0) + places.min(axis=0)) / 2
    return places - middle, anchors * (WIDE, 1.0) - middle


def _rings(members: Indices, centres: Array, core: Array) -> Array:
    """Return places (nodes, 2) around the core, ring by ring: each area has a sector as wide as its share of nodes."""
    places = np.zeros((len(members), 2))
    half = np.abs(core).max(axis=0, initial=1.0)
    radii = half * np.hypot(*(core / half).T).max(initial=0.0) + np.array(GAP)
    rings: list[Array] = []
    begun = 0.0
    for area in sorted(set(members.tolist()), key=lambda a: (float(np.arctan2(*centres[a][::-1])), a)):
        left = np.flatnonzero(members == area)
        wide, number = len(left) / len(members), 0
        while len(left):
            if number == len(rings):
                rings.append(_ring(radii + number * np.array(GAP)))
            ring, number = rings[number], number + 1
            sector = ring[round(begun * len(ring)) : round((begun + wide) * len(ring))]
            places[left[: len(sector)]] = sector[: len(left)]
            left = left[len(sector) :]
        begun += wide
    return places


def _ring(radii: Array) -> Array:
    """Return places on an ellipse, GAP apart from each other, clockwise from the left."""
    turn = np.linspace(-np.pi, np.pi, 2000)
    line = np.stack([np.cos(turn), np.sin(turn)], axis=1) * radii
    along = np.concatenate([[0.0], np.hypot(*(np.diff(line, axis=0) / GAP).T).cumsum()])
    at = np.arange(int(along[-1])) * along[-1] / int(along[-1])
    return np.stack([np.interp(at, along, column) for column in line.T], axis=1)


def _springs(snapshot: Snapshot, index: dict[str, int]) -> tuple[Indices, Array]:
    """Return each pair of these nodes that edges join, (pairs, 2), and how strongly they pull, (pairs,)."""
    found: defaultdict[tuple[int, int], float] = defaultdict(float)
    weighed: list[tuple[Ends, float]] = [(r, 1.0) for r in snapshot.requires]
    weighed += [(r, 0.5) for r in snapshot.concept_relations]
    weighed += [(t, 1.0 if t.depth == "main" else 0.25) for t in snapshot.teaches]
    for edge, weight in weighed:
        if edge.source in index and edge.target in index:
            a, b = sorted((index[edge.source], index[edge.target]))
            found[a, b] += weight
    pairs = sorted(pair for pair in found if pair[0] != pair[1])
    return np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array([min(found[p], 2.0) for p in pairs], dtype=float)


def _area_centres(members: Indices, count: int, ends: Indices, weights: Array) -> Array:
    """Return a place for each area, near those that it shares edges with; discs as large as areas do not overlap."""
    import networkx as nx

    sizes = np.maximum(np.bincount(members, minlength=count), 1).astype(float)
    radii = np.sqrt(sizes) * GAP[1] * 0.95
    shared = np.zeros((count, count))
    np.add.at(shared, (members[ends[:, 0]], members[ends[:, 1]]), weights)
    shared = (shared + shared.T) / np.sqrt(np.outer(sizes, sizes))
    graph = nx.complete_graph(count)
    far = {a: {b: float(1 / (0.25 + shared[a, b])) for b in range(count)} for a in range(count)}
    start = nx.circular_layout(graph)
    found = nx.kamada_kawai_layout(graph, dist=far, pos=start) if count > 1 else {0: (0.0, 0.0)}
    centres = np.array([found[a] for a in range(count)], dtype=float) * radii.sum()
    for _ in range(300):  # draw all together, then push the discs apart again: few holes are left
        centres *= 0.985
        for _ in range(4):
            centres += _push(centres, radii[:, None] + radii[None, :])
    return np.asarray(centres)


def _sunflower(members: Indices, anchors: Array) -> Array:
    """Return a start for the forces: the nodes of an area in an even spiral around its centre (Vogel 1979)."""
    places = np.empty((len(members), 2))
    for area in range(len(anchors)):
        inside = np.flatnonzero(members == area)
        turn = np.arange(len(inside)) * 2.399963  # the golden angle
        reach = np.sqrt(np.arange(len(inside)) + 0.5) * GAP[1]
        places[inside] = anchors[area] + np.stack([np.cos(turn), np.sin(turn)], axis=1) * reach[:, None]
    return places


def _relaxed(places: Array, anchors: Array, ends: Indices, weights: Array) -> Array:
    """Return the places after springs pulled, nodes repelled and areas held them, each step moving less far."""
    rest = GAP[1] * 1.1
    a, b = ends[:, 0], ends[:, 1]
    for step, heat in enumerate(np.linspace(rest, 1.0, STEPS)):
        if step % REFRESHED == 0:
            one, other = _near(places, REACH * rest)
        apart = places[one] - places[other]
        square = np.maximum((apart**2).sum(axis=1), 1.0)
        move = _summed(apart * (rest**2 / square)[:, None], one, other, len(places))
        span = places[b] - places[a]
        pull = span * (weights * np.minimum(np.hypot(*span.T) / rest, 4.0) * 0.12)[:, None]
        move += _summed(pull, a, b, len(places)) + (anchors - places) * 0.9
        length = np.maximum(np.hypot(*move.T), 1e-9)
        places = places + move * (np.minimum(length, heat) / length)[:, None]
    return places


def _near(places: Array, reach: float) -> tuple[Indices, Indices]:
    """Return the pairs of places nearer than `reach` to each other, as two arrays of indices."""
    from scipy.spatial import cKDTree

    pairs = cKDTree(places).query_pairs(reach, output_type="ndarray")
    return pairs[:, 0], pairs[:, 1]


def _summed(moves: Array, one: Indices, other: Indices, count: int) -> Array:
    """Return the sum of the moves of each node: the first of a pair moves so, the second the other way."""
    columns = [np.bincount(one, m, count) - np.bincount(other, m, count) for m in moves.T]
    return np.asarray(np.stack(columns, axis=1), dtype=float)


def _apart(places: Array, across: float, down: float) -> Array:
    """Return places of which none is nearer than `across` pixels sideways and `down` pixels upright (an ellipse)."""
    scale = np.array([across, down])
    unit = places / scale
    for _ in range(80):
        one, other = _near(unit, 1.0)
        if not len(one):
            break
        span = unit[one] - unit[other]
        distance = np.maximum(np.hypot(*span.T), 1e-6)
        unit = unit + _summed(span * ((1.0 - distance) / distance * 0.5)[:, None], one, other, len(unit))
    return np.asarray(unit * scale)


def _push(places: Array, apart: Array) -> Array:
    """Return how far each place must move so that no pair is nearer than `apart`: half of the overlap each."""
    x, y = places.T
    distance = np.maximum(np.hypot(x[:, None] - x[None, :], y[:, None] - y[None, :]), 1e-6)
    np.fill_diagonal(distance, np.inf)
    share = np.maximum(apart - distance, 0.0) / distance * 0.5
    return np.asarray(share.sum(axis=1)[:, None] * places - share @ places)
