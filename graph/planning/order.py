"""The best order of items: each after those that must come before, and neighbours near each other."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

_IDEALS = 4000  # possible beginnings; where there are more, improvement by moves replaces the exact search

Distance = Mapping[tuple[str, str], int]
"""(item, item that follows) -> how far they are from each other; 0 where the pair is missing."""


def arrange(items: Sequence[str], before: Iterable[tuple[str, str]], distance: Distance) -> tuple[str, ...]:
    """Return the items in an order in which the sum of the distances of neighbours is least.

    `before` holds (earlier, later) pairs without circles. The order in which the items are given decides ties. The
    result is exact (Held and Karp 1962, over order ideals) unless too many sets of items can stand at the beginning.

    >>> arrange(["a", "b", "c"], [("c", "a")], {("c", "b"): 1, ("c", "a"): 5, ("b", "a"): 1})
    ('c', 'b', 'a')
    """
    place = {item: i for i, item in enumerate(items)}
    first = [0] * len(items)  # the items that must stand before each one, as a bit mask
    for earlier, later in before:
        if earlier in place and later in place:
            first[place[later]] |= 1 << place[earlier]
    far = [[distance.get((a, b), 0) for b in items] for a in items]
    order = _exact(first, far)
    return tuple(items[i] for i in (_by_moves(first, far) if order is None else order))


def _exact(first: Sequence[int], far: Sequence[Sequence[int]]) -> list[int] | None:
    """Return the best order, of several the first by the numbers; None where there are too many beginnings."""
    number = len(first)
    levels: list[list[int]] = [[0]]
    total = 1
    for _ in range(number):
        levels.append(sorted({mask | 1 << v for mask in levels[-1] for v in _ready(mask, first)}))
        total += len(levels[-1])
        if total > _IDEALS:
            return None
    rest: dict[int, dict[int, int]] = {levels[-1][0]: dict.fromkeys(range(number), 0)}
    for level in reversed(levels[1:-1]):
        for mask in level:
            after = _ready(mask, first)
            rest[mask] = {
                last: min(far[last][v] + rest[mask | 1 << v][v] for v in after)
                for last in range(number)
                if mask >> last & 1
            }
    order: list[int] = []
    mask = 0
    while len(order) < number:
        cost = {v: (far[order[-1]][v] if order else 0) + rest[mask | 1 << v][v] for v in _ready(mask, first)}
        order.append(min(cost, key=lambda v: (cost[v], v)))
        mask |= 1 << order[-1]
    return order


def _ready(mask: int, first: Sequence[int]) -> list[int]:
    """Return the items that may come next after those of the mask."""
    return [v for v, needed in enumerate(first) if not mask >> v & 1 and needed & ~mask == 0]


def _by_moves(first: Sequence[int], far: Sequence[Sequence[int]]) -> list[int]:
    """Return a good order: always the nearest item that may come next, then single moves while they help."""
    order: list[int] = []
    mask = 0
    while len(order) < len(first):
        order.append(min(_ready(mask, first), key=lambda v: (far[order[-1]][v] if order else 0, v)))
        mask |= 1 << order[-1]
    better = True
    while better:
        better = False
        for item in sorted(order):
            at = order.index(item)
            others = order[:at] + order[at + 1 :]
            low = max((i + 1 for i, o in enumerate(others) if first[item] >> o & 1), default=0)
            high = min((i for i, o in enumerate(others) if first[o] >> item & 1), default=len(others))
            best = min(range(low, high + 1), key=lambda i: _detour(item, others, i, far))
            if _detour(item, others, best, far) < _detour(item, others, at, far):
                order, better = [*others[:best], item, *others[best:]], True
    return order


def _detour(item: int, others: Sequence[int], at: int, far: Sequence[Sequence[int]]) -> int:
    """Return how much longer the way of the others becomes with the item at place `at`."""
    left, right = others[max(0, at - 1) : at], others[at : at + 1]
    ends = [*left, item, *right]
    return sum(far[a][b] for a, b in pairwise(ends)) - sum(far[a][b] for a in left for b in right)
