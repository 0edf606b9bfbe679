"""A neighbourhood as a picture of its own: needs below, what builds on the chosen one above, episodes beside."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import ceil

from torchatlas.graph.drawing import labels
from torchatlas.graph.drawing.neighbourhood import Neighbourhood
from torchatlas.graph.drawing.ranked_layout import ranks
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.precedence import consistent

ZOOM = 0.8
"""The smallest zoom at which no two names touch."""

ROW = 62
"""Pixels between two rows: a dot, two lines of text, and air."""

ACROSS = 800
"""Pixels that all of it takes across, unless a name is longer: 640 on the screen at the smallest zoom."""

COLUMN = 14
"""Episodes that stand in one column; more stand in two."""

AIR = 20

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class EgoLayout:
    """id -> (x, y) in pixels, the chosen node at (0, 0), y downwards; `width` and `height` of it all, with the names.

    Names stand under their dots.
    """

    places: Mapping[str, Point]
    width: int
    height: int


def ego_layout(snapshot: Snapshot, around: Neighbourhood) -> EgoLayout:
    """Return the places of a neighbourhood, in layers (Sugiyama, Tagawa and Toda 1981) that wrap like lines of text.

    Every prerequisite lies below all that requires it. Of an episode, what it assumes lies below and what it teaches
    above. The other episodes stand in columns on the right, in the order of the height of what they teach.

    Example: `ego_layout(snapshot, neighbourhood(snapshot, "autograd")).places["autograd"]` is `(0, 0)`.
    """
    nodes = sorted(around.steps, key=lambda n: (around.steps[n], snapshot.name_of(n), n))
    beside = [n for n in nodes if n in snapshot.episode and n != around.centre]
    layered = [n for n in nodes if n not in beside]
    room = {n: labels.width(snapshot.name_of(n)) / ZOOM + AIR for n in nodes}
    columns = min(len(beside), 2 if len(beside) > COLUMN else 1)
    wide = max((room[n] for n in beside), default=0.0)
    rank = _ranks(layered, _pairs(snapshot, around.centre, set(layered)), around.centre)
    places = _rows(layered, rank, room, max(ACROSS - columns * wide, wide))
    right = max(x + room[node] / 2 for node, (x, _) in places.items())
    level = {
        e: _mean([places[t.target][1] for t in snapshot.taught_by.get(e, ()) if t.target in places]) for e in beside
    }
    places |= _columns(sorted(beside, key=lambda e: level[e]), columns, wide, right)
    return _measured(places, room)


def _pairs(snapshot: Snapshot, centre: str, layered: set[str]) -> frozenset[tuple[str, str]]:
    """Return (lower, upper) for all that has an order; where they contradict, prerequisites win."""
    requires = ((r.target, r.source) for r in snapshot.requires)
    assumed = ((a.target, centre) for a in snapshot.assumed_by.get(centre, ()))
    taught = ((centre, t.target) for t in snapshot.taught_by.get(centre, ()))
    return consistent(pair for pair in chain(requires, taught, assumed) if layered.issuperset(pair))


def _ranks(nodes: Sequence[str], pairs: Iterable[tuple[str, str]], centre: str) -> dict[str, int]:
    """Return ranks that rise along every pair, 0 for the centre and for what is in no pair."""
    pairs = sorted(pairs)
    paired, rank = {*chain.from_iterable(pairs)}, ranks(nodes, pairs)
    return {node: rank[node] - rank[centre] if node in paired else 0 for node in nodes}


def _rows(nodes: Sequence[str], rank: Mapping[str, int], room: Mapping[str, float], across: float) -> dict[str, Point]:
    """Return the places of all but the episodes beside: the first node alone in row 0, the others above or below."""
    centre, *others = nodes
    layers: defaultdict[int, list[str]] = defaultdict(list)
    for node in others:
        layers[rank[node]].append(node)
    above, below = sorted(r for r in layers if r > 0), sorted((r for r in layers if r <= 0), reverse=True)
    found = {centre: (0, 0)}
    for direction, levels in ((-1, above), (1, below)):
        rows = chain.from_iterable(_wrapped(layers[level], room, across) for level in levels)
        for number, row in enumerate(rows, 1):
            left = -sum(room[n] for n in row) / 2
            for node in row:
                found[node] = (round(left + room[node] / 2), direction * number * ROW)
                left += room[node]
    return found


def _wrapped(nodes: Sequence[str], room: Mapping[str, float], across: float) -> list[list[str]]:
    """Return the nodes on as many lines as they need, about equally full."""
    total = sum(room[node] for node in nodes)
    full = total / ceil(total / across)
    rows, taken = [[nodes[0]]], room[nodes[0]]
    for node in nodes[1:]:
        if taken + room[node] > across or taken + room[node] / 2 > full:
            rows.append([])
            taken = 0.0
        rows[-1].append(node)
        taken += room[node]
    return rows


def _columns(episodes: Sequence[str], columns: int, wide: float, left: float) -> dict[str, Point]:
    """Return the places of the episodes, from top to bottom in their order, around the height of the centre."""
    if not episodes:
        return {}
    top = -(ceil(len(episodes) / columns) - 1) // 2 * ROW
    return {e: (round(left + (i % columns + 0.5) * wide), top + i // columns * ROW) for i, e in enumerate(episodes)}


def _measured(places: Mapping[str, Point], room: Mapping[str, float]) -> EgoLayout:
    left = min(x - room[node] / 2 for node, (x, _) in places.items())
    right = max(x + room[node] / 2 for node, (x, _) in places.items())
    down = [y for _, y in places.values()]
    return EgoLayout(places, ceil(right - left), max(down) - min(down) + ROW)


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values) if values else 0.0
