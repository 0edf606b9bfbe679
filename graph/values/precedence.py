"""Pairs (earlier, later) that never run in a circle: of two that contradict each other the first one counts."""

from collections import defaultdict
from collections.abc import Iterable

from torchatlas.graph.values.prerequisites import reachable

Pair = tuple[str, str]


class Precedence:
    """The pairs accepted so far, by the item that comes first.

    >>> order = Precedence([("views", "autograd")])
    >>> order.contradicts("autograd", "views")
    True
    """

    def __init__(self, pairs: Iterable[Pair] = ()) -> None:
        self._later: defaultdict[str, set[str]] = defaultdict(set)
        for pair in pairs:
            self.add(*pair)

    def add(self, earlier: str, later: str) -> None:
        """Accept a pair without a check, for example `order.add("views", "autograd")`."""
        self._later[earlier].add(later)

    def contradicts(self, earlier: str, later: str) -> bool:
        """Return whether the pair would close a circle, for example `order.contradicts("autograd", "views")`."""
        return earlier in reachable(lambda item: self._later.get(item, ()), [later])


def consistent(pairs: Iterable[Pair]) -> frozenset[Pair]:
    """Return the pairs without those that contradict pairs given before them: put the weightiest first.

    >>> sorted(consistent([("a", "b"), ("b", "c"), ("c", "a")]))
    [('a', 'b'), ('b', 'c')]
    """
    order = Precedence()
    kept = set()
    for earlier, later in pairs:
        if not order.contradicts(earlier, later):
            order.add(earlier, later)
            kept.add((earlier, later))
    return frozenset(kept)
