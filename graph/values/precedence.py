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
        for earlier, later in pairs:
            self._later[earlier].add(later)

    def contradicts(self, earlier: str, later: str) -> bool:
        """Return whether the pair would close a circle, for example `order.contradicts("autograd", "views")`."""
        return earlier in reachable(lambda item: self._later.get(item, ()), [later])

    def accept(self, earlier: str, later: str) -> bool:
        """Add the pair unless it would close a circle; return whether it holds: `order.accept("views", "autograd")`."""
        if self.contradicts(earlier, later):
            return False
        self._later[earlier].add(later)
        return True


def consistent(pairs: Iterable[Pair]) -> frozenset[Pair]:
    """Return the pairs without those that contradict pairs given before them: put the weightiest first.

    >>> sorted(consistent([("a", "b"), ("b", "c"), ("c", "a")]))
    [('a', 'b'), ('b', 'c')]
    """
    order = Precedence()
    return frozenset(pair for pair in pairs if order.accept(*pair))
