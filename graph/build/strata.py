"""The frame of the map: a rectangle for each area, in strata from foundations at the foot to what builds on them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from statistics import median


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A part of the map, in the units of the caller. `foot` is its lower edge; `y` grows upwards here."""

    left: float
    foot: float
    width: float
    height: float


def frame(heights: Mapping[str, Sequence[float]], width: float, height: float) -> dict[str, Rectangle]:
    """Return area -> its rectangle, in a map of this size. `heights`: area -> those of its nodes.

    The areas are cut into strata by their median heights (Fisher 1958, "On grouping for maximum homogeneity"); a
    stratum is cut into columns and a column into areas, each as large as its share of the nodes (a treemap in strips:
    Bederson, Shneiderman and Wattenberg 2002). Columns follow the alphabet, so that an area that grows pushes the
    others aside and never changes places with them.

    >>> frame({"Tensors": [0.0], "Autograd": [3.0]}, 100, 50)["Autograd"]
    Rectangle(left=0.0, foot=25.0, width=100.0, height=25.0)
    """
    sizes = {area: len(of) for area, of in heights.items()}
    levels = {area: median(of) for area, of in heights.items()}
    total, foot, found = sum(sizes.values()), 0.0, dict[str, Rectangle]()
    for stratum in _strata(levels, sizes, 1 + round(len(sizes) ** 0.5 / 2)):
        count = sum(sizes[area] for area in stratum)
        tall = height * count / total
        deep = max(1, round((tall * len(stratum) / width) ** 0.5))  # areas are about as wide as they are high
        left = 0.0
        for start in range(0, len(stratum), deep):
            column = sorted(stratum[start : start + deep], key=lambda area: (levels[area], area))
            many = sum(sizes[area] for area in column)
            wide, floor = width * many / count, foot
            for area in column:
                found[area] = Rectangle(left, floor, wide, tall * sizes[area] / many)
                floor += found[area].height
            left += wide
        foot += tall
    return found


def _strata(levels: Mapping[str, float], sizes: Mapping[str, int], number: int) -> list[list[str]]:
    """Return the areas in at most so many groups, the lowest first, that differ least in level within a group."""
    order = sorted(levels, key=lambda area: (levels[area], area))
    values, weights = [levels[area] for area in order], [sizes[area] for area in order]

    @cache
    def best(end: int, groups: int) -> tuple[float, tuple[int, ...]]:
        """Return the least spread of the first `end` areas in so many groups, and where these end."""
        if groups == 1:
            return _spread(values[:end], weights[:end]), (end,)
        cuts = ((best(cut, groups - 1), cut) for cut in range(groups - 1, end))
        spread, ends = min((before[0] + _spread(values[cut:end], weights[cut:end]), before[1]) for before, cut in cuts)
        return spread, (*ends, end)

    if not order:
        return []
    ends = best(len(order), min(number, len(order)))[1]
    return [sorted(order[start:end]) for start, end in pairwise((0, *ends))]


def _spread(values: Iterable[float], weights: Sequence[int]) -> float:
    values = list(values)
    mean = sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)
    return sum(w * (v - mean) ** 2 for v, w in zip(values, weights, strict=True))
