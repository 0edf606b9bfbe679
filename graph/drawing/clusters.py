"""A map of very many nodes: the weightiest of each area are drawn, and each stands for those around it."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import KW_ONLY, dataclass

MOST = 2000
"""Nodes that a browser draws 15 times a second or more; the whole shipped map has fewer."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A node that may be drawn: its place in pixels, and how much it matters."""

    id: str
    _: KW_ONLY
    x: int
    y: int
    area: str
    weight: int


def clusters(marks: Collection[Mark], most: int = MOST, keep: Collection[str] = ()) -> dict[str, tuple[str, ...]]:
    """Return the ids that are drawn, about `most` of them -> the ids that each stands for.

    An area draws as many as its share of all nodes, at least one, the weightiest first; those in `keep` are drawn
    anyway. Every other node belongs to the nearest one drawn of its area. Nothing is clustered where all may be drawn.
    A cluster opens as a map of what it stands for: `map_picture(graph, only=(landmark, *clusters(marks)[landmark]))`.

    >>> near, far = (Mark(i, x=x, y=0, area="Autograd", weight=9 - x) for i, x in (("a", 0), ("b", 1)))
    >>> clusters([near, far], most=1)
    {'a': ('b',)}
    """
    if len(marks) <= most:
        return {mark.id: () for mark in sorted(marks, key=lambda m: m.id)}
    areas: defaultdict[str, list[Mark]] = defaultdict(list)
    for mark in sorted(marks, key=lambda m: (m.id not in keep, -m.weight, m.id)):
        areas[mark.area].append(mark)
    found: dict[str, tuple[str, ...]] = {}
    for _, members in sorted(areas.items()):
        drawn = max(1, most * len(members) // len(marks), sum(m.id in keep for m in members))
        found.update(_around(members[:drawn], members[drawn:]))
    return found


def _around(landmarks: list[Mark], others: list[Mark]) -> Mapping[str, tuple[str, ...]]:
    import numpy as np
    from scipy.spatial import cKDTree

    groups: dict[str, list[str]] = {mark.id: [] for mark in landmarks}
    if others:
        ends = (np.array([(m.x, m.y) for m in marks], dtype=float) for marks in (landmarks, others))
        nearest = np.asarray(cKDTree(next(ends)).query(next(ends))[1])
        for mark, place in zip(others, nearest.tolist(), strict=True):
            groups[landmarks[place].id].append(mark.id)
    return {landmark: tuple(sorted(of)) for landmark, of in groups.items()}
