"""The frame of the map: a rectangle for each area, in strata from foundations at the foot to what builds on them."""

from bisect import bisect
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import inf
from statistics import median

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
