"""The frame of the map: a rectangle for each area, in strata from foundations at the foot to what builds on them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

THICK = 2.4
"""Steps from the foot of a stratum to the next: foundations are one, what most areas are made of is another."""


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
    areas, each as large as its share of the nodes (a treemap in strips: Bederson, Shneiderman and Wattenberg 2002). No
    area changes places because of another: strata have fixed bounds, and columns follow the alphabet.

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
            column = sorted(stratum[start : start + deep], key=lambda area: (levels[area], area))
            many = sum(sizes[area] for area in column)
            wide, floor = width * many / count, foot
            for area in column:
                found[area] = Rectangle(left, floor, wide, tall * sizes[area] / many)
                floor += found[area].height
            left += wide
        foot += tall
    return found


def _strata(levels: Mapping[str, float]) -> list[list[str]]:
    """Return the areas in strata of THICK each, the lowest first, by the alphabet within a stratum."""
    found: defaultdict[int, list[str]] = defaultdict(list)
    for area in sorted(levels):
        found[int(levels[area] // THICK)].append(area)
    return [found[number] for number in sorted(found)]
