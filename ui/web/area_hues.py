"""The colours of the areas: few and far apart, as on a printed map, so that no neighbours share one."""

from collections import Counter, defaultdict
from collections.abc import Mapping

from torchatlas.graph.build.areas import areas_of
from torchatlas.graph.build.layout import GAP
from torchatlas.graph.values.model import Snapshot
from torchatlas.presentation.listings import areas

HUES = (205, 28, 150, 285, 60, 345, 100)
"""Degrees on the circle of colours."""

BORDER = 2.5  # dots of two areas so near, in gaps, make these neighbours


def area_hues(graph: Snapshot) -> dict[str, int]:
    """Return area -> hue in degrees; none has that of a neighbour, as long as there are hues enough.

    The areas with most neighbours choose first (Welsh and Powell 1967), each the hue that is used least.

    >>> area_hues(Snapshot())
    {}
    """
    near, hues = neighbours(graph), dict[str, int]()
    for name in sorted(areas(graph), key=lambda area: (-len(near[area]), area)):
        taken, used = {hues[other] for other in near[name] if other in hues}, Counter(hues.values())
        free = [hue for hue in HUES if hue not in taken] or HUES
        hues[name] = min(free, key=lambda hue: (used[hue], HUES.index(hue)))
    return {name: hues[name] for name in areas(graph)}


def neighbours(graph: Snapshot) -> Mapping[str, set[str]]:
    """Return area -> the areas that it borders on: dots of both lie near each other.

    Example: neighbours(graph)["Compilation"]
    """
    from scipy.spatial import cKDTree

    found: defaultdict[str, set[str]] = defaultdict(set)
    places = {c.id: (c.x, c.y) for c in graph.concepts} | {e.id: (e.x, e.y) for e in graph.episodes}
    area_of, nodes = areas_of(graph), list(places)
    if nodes:
        tree = cKDTree([(x / GAP[0], y / GAP[1]) for x, y in places.values()])
        for one, other in tree.query_pairs(BORDER):
            a, b = area_of[nodes[one]], area_of[nodes[other]]
            if a != b:
                found[a].add(b)
                found[b].add(a)
    return found
