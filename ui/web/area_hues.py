"""The colours of the areas: few and far apart, as on a printed map, so that no neighbours share one."""

from collections import Counter, defaultdict
from math import hypot

from torchatlas.graph.build.areas import areas_of
from torchatlas.graph.values.model import Snapshot
from torchatlas.presentation.listings import areas

HUES = (205, 28, 150, 285, 60, 345, 100)
"""Degrees on the circle of colours."""

NEIGHBOURS = 4


def area_hues(graph: Snapshot) -> dict[str, int]:
    """Return area -> hue in degrees; none has that of the four nearest areas before it.

    >>> area_hues(Snapshot())
    {}
    """
    of, points = areas_of(graph), defaultdict(list)
    for id_, place in [(c.id, (c.x, c.y)) for c in graph.concepts] + [(e.id, (e.x, e.y)) for e in graph.episodes]:
        points[of[id_]].append(place)
    centre = {name: [sum(axis) / len(found) for axis in zip(*found, strict=True)] for name, found in points.items()}
    hues: dict[str, int] = {}
    for name in areas(graph):
        x, y = centre[name]
        near = sorted(hues, key=lambda other: (hypot(centre[other][0] - x, centre[other][1] - y), other))
        taken, used = {hues[other] for other in near[:NEIGHBOURS]}, Counter(hues.values())
        hues[name] = min((hue for hue in HUES if hue not in taken), key=lambda hue: (used[hue], HUES.index(hue)))
    return hues
