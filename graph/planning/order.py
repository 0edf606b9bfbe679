"""In which order to hear the chosen: what must come first does, and neighbours share their topics."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

_IDEALS = 4000  # beyond so many possible beginnings the exact search gives way to improvement by moves

Distance = Mapping[tuple[str, str], int]


def arrange(items: Sequence[str], before: Iterable[tuple[str, str]], distance: Distance) -> tuple[str, ...]:
    """The items, given in the order that decides ties, so that the sum of distances of neighbours is least.

    `before` holds (earlier, later) pairs without circles. Exact, by dynamic programming over the sets that can stand
    at the beginning (Held and Karp 1962, over order ideals), unless there are too many of these.
    """
    place = {item: i for i, item in enumerate(items)}
    first = [0] * len(items)  # what must stand before each, as a bit mask
    for earlier, later in before:
        if earlier in place and later in place:
            first[place[later]] |= 1 << place[earlier]
    far = [[distance.get((a, b), 0) for b in items] for a in items]
    order = _exact(first, far)
    return tuple(items[i] for i in (_by_moves(first, far) if order is None else order))


def _exact(first: Sequence[int], far: Sequence[Sequence[int]]) -> list[int] | None:
    """The first in the order of ties among the best; None where there are too many beginnings to look at."""
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
    """What may come next once the items of the mask were heard."""
    return [v for v, needed in enumerate(first) if not mask >> v & 1 and needed & ~mask == 0]


def _by_moves(first: Sequence[int], far: Sequence[Sequence[int]]) -> list[int]:
    """A good order: always the nearest that may come next, then single items moved while that makes it better."""
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
    """How much longer the others' way becomes with the item between those before and from place `at`."""
    left, right = others[max(0, at - 1) : at], others[at : at + 1]
    ends = [*left, item, *right]
    return sum(far[a][b] for a, b in pairwise(ends)) - sum(far[a][b] for a in left for b in right)
