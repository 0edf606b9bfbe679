"""The colours of the areas: few and far apart, as on a printed map, so that no neighbours share one."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import chain, product
from math import hypot

from torchatlas.graph.build.areas import GAP, areas_of
from torchatlas.graph.values.model import Snapshot

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
    for name in sorted(graph.areas, key=lambda area: (-len(near[area]), area)):
        taken, used = {hues[other] for other in near[name] if other in hues}, Counter(hues.values())
        free = [hue for hue in HUES if hue not in taken] or HUES
        hues[name] = min(free, key=lambda hue: (used[hue], HUES.index(hue)))
    return {name: hues[name] for name in graph.areas}


def neighbours(graph: Snapshot) -> Mapping[str, set[str]]:
    """Return area -> the areas that it borders on: dots of both lie near each other.

    Example: neighbours(graph)["Compilation"]
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    area_of = areas_of(graph)
    # A grid with cells as wide as BORDER: SciPy's trees take longer to import than this takes for a whole map.
    cells: defaultdict[tuple[int, int], list[tuple[float, float, str]]] = defaultdict(list)
    places = {c.id: (c.x, c.y) for c in graph.concepts} | {e.id: (e.x, e.y) for e in graph.episodes}
    for id_, (across, down) in places.items():
        x, y = across / GAP[0], down / GAP[1]
        cells[int(x // BORDER), int(y // BORDER)].append((x, y, area_of[id_]))
    areas_in = {cell: {area for _, _, area in dots} for cell, dots in cells.items()}
    for (column, row), dots in cells.items():
        near = [(column + across, row + down) for across, down in product((-1, 0, 1), repeat=2)]
        if len(set().union(*(areas_in.get(cell, ()) for cell in near))) == 1:
            continue  # most of a large map: there is no border near
        around = [cells.get(cell, ()) for cell in near]
        for (x, y, area), (left, top, other) in product(dots, chain.from_iterable(around)):
            if area != other and hypot(x - left, y - top) <= BORDER:
                found[area].add(other)
    return found
