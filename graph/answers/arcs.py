"""How close two episodes were told in their show: a show stays with a theme for a while, and then turns to others."""

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from torchatlas.graph.values.model import Episode

ARC = 35
"""Episodes after which a show has mostly turned to other themes."""

_LEAST = 1e-100
"""The least average closeness, of episodes whose numbers are thousands apart: what is divided by it stays finite."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Arcs:
    """The shows and numbers of episodes, by their places in the list; those of a later season count on.

    An episode of another show, or without a number, counts as the length of an arc away.
    """

    def __init__(self, episodes: Sequence[Episode]) -> None:
        shows = {show: number for number, show in enumerate(sorted({e.show for e in episodes}))}
        self.shows = np.array([shows[e.show] for e in episodes], dtype=np.int64)
        self.numbers = _counted_on(episodes)
        self._usual = self._means()

    def closeness(self, here: "int | Ints", there: "slice | Ints") -> Floats:
        """Return how close episodes were told to one another, each divided by the average from `here` to all others.

        >>> episodes = [Episode(f"hum/{n}", f"{n}", show="Hum", number=n) for n in (1, 2, 3)]
        >>> Arcs(episodes).closeness(1, slice(None)).round(2).tolist()
        [1.0, 1.03, 1.0]
        """
        same = self.shows[there] == self.shows[here]
        apart = np.where(same, np.abs(self.numbers[there] - self.numbers[here]), ARC)
        return np.asarray(np.exp(-np.nan_to_num(apart, nan=ARC) / ARC) / self._usual[here])

    def in_order(self) -> Ints:
        """Return the places of the episodes by show and number, those without a number last.

        >>> Arcs([Episode("hum/b", "B", show="Hum", number=2), Episode("hum/a", "A", show="Hum", number=1)]).in_order()
        array([1, 0])
        """
        return np.lexsort((self.numbers, self.shows))

    def _means(self) -> Floats:
        """Return for each episode how close all others are on average, in one walk along each show."""
        count, far = len(self.shows), math.exp(-1)
        found = np.full(count, far)
        groups: defaultdict[int, list[tuple[float, int]]] = defaultdict(list)
        for place, (show, number) in enumerate(zip(self.shows.tolist(), self.numbers.tolist(), strict=True)):
            if not math.isnan(number):
                groups[show].append((number, place))
        for group in groups.values():
            found[[place for _, place in group]] = far * (count - len(group)) / max(1, count - 1)
            ordered = sorted(group)
            for walk in (ordered, ordered[::-1]):
                near, before = 0.0, walk[0][0]
                for number, place in walk:
                    near *= math.exp(-abs(number - before) / ARC)
                    found[place] += near / max(1, count - 1)
                    near, before = near + 1.0, number
        return np.asarray(np.maximum(found, _LEAST))


def _counted_on(episodes: Sequence[Episode]) -> Floats:
    """Return the number of each episode, NaN where there is none; a season that begins anew counts on.

    A season begins anew where it has most of the numbers that it could share with those before. One wrong number does
    not make it so, and an episode without a season shifts none.

    >>> _counted_on([Episode(f"hum/{n}", "", show="Hum", season=1 + n // 3, number=1 + n % 3) for n in range(5)])
    array([1., 2., 3., 4., 5.])
    """
    numbers: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for e in episodes:
        if e.number is not None:
            numbers[e.show, e.season or 0].append(e.number)
    before: dict[tuple[str, int], int] = {}
    last: dict[str, int] = {}
    for show, season in sorted(numbers):
        found, highest = set(numbers[show, season]), last.get(show, 0)
        shared = sum(number <= highest for number in found)
        before[show, season] = highest if 2 * shared > min(highest, len(found)) else 0
        if season:
            last[show] = max(highest, before[show, season] + max(found))
    return np.array(
        [np.nan if e.number is None else before[e.show, e.season or 0] + e.number for e in episodes], dtype=float
    )
