"""The third stage of a plan: the order of the chosen episodes."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product

from torchatlas.graph.model import Need, Snapshot, closure, consistent
from torchatlas.graph.planning.demands import Ids, Scope, main_subjects

Pair = tuple[str, str]
Far = Sequence[Sequence[int]]
_IDEALS = 4000  # possible beginnings; where there are more, improvement by moves replaces the exact search


def arrange(items: Sequence[str], before: Iterable[Pair], distance: Mapping[Pair, int]) -> tuple[str, ...]:
    """Return the items in the order with the least distance of neighbours.

    `before`: (earlier, later) pairs, no circles; ties keep the given order.
    Exact (Held and Karp 1962, order ideals) unless too many sets can begin.

    >>> arrange("abc", [("c", "a")], {("c", "b"): 1, ("c", "a"): 5, ("b", "a"): 1})
    ('c', 'b', 'a')
    """
    place = {item: i for i, item in enumerate(items)}
    first = [0] * len(items)  # the items that must stand before each one, as a bit mask
    for earlier, later in before:
        if earlier in place and later in place:
            first[place[later]] |= 1 << place[earlier]
    far = [[distance.get((a, b), 0) for b in items] for a in items]
    levels: list[list[int]] = [[0]]
    while len(levels) <= len(items) and sum(map(len, levels)) <= _IDEALS:
        levels.append(sorted({mask | 1 << v for mask in levels[-1] for v in _ready(mask, first)}))
    exact = sum(map(len, levels)) <= _IDEALS
    order = _nearest(first, far, _least_ways(levels, first, far) if exact else {})
    return tuple(items[i] for i in (order if exact else _moved(order, first, far)))


def _least_ways(levels: Sequence[list[int]], first: Sequence[int], far: Far) -> dict[int, list[int]]:
    """Return beginning -> least way on from each item that may be last."""
    rest = {levels[-1][0]: [0] * len(first)}
    for mask in (mask for level in reversed(levels[1:-1]) for mask in level):
        after = [(v, rest[mask | 1 << v][v]) for v in _ready(mask, first)]
        rest[mask] = [min(row[v] + way for v, way in after) for row in far]
    return rest


def _nearest(first: Sequence[int], far: Far, rest: Mapping[int, Sequence[int]]) -> list[int]:
    """Return the nearest-first order, adding the `rest` of the way if known."""
    order: list[int] = []
    mask = 0
    while len(order) < len(first):
        cost = {v: far[order[-1]][v] if order else 0 for v in _ready(mask, first)}
        order.append(min(cost, key=lambda v: (cost[v] + (rest[mask | 1 << v][v] if rest else 0), v)))
        mask |= 1 << order[-1]
    return order


def _ready(mask: int, first: Sequence[int]) -> list[int]:
    return [v for v, needed in enumerate(first) if not mask >> v & 1 and needed & ~mask == 0]


def _moved(order: list[int], first: Sequence[int], far: Far) -> list[int]:
    better = True
    while better:
        better = False
        for item in sorted(order):
            at = order.index(item)
            others = order[:at] + order[at + 1 :]
            low = max((i + 1 for i, o in enumerate(others) if first[item] >> o & 1), default=0)
            high = min((i for i, o in enumerate(others) if first[o] >> item & 1), default=len(others))
            detour = {i: _detour(item, others, i, far) for i in range(low, high + 1)}
            best = min(detour, key=detour.__getitem__)
            if detour[best] < detour[at]:
                order, better = [*others[:best], item, *others[best:]], True
    return order


def _detour(item: int, others: Sequence[int], at: int, far: Far) -> int:
    """Return how much an item at place `at` lengthens the way of the others."""
    left, right = others[max(0, at - 1) : at], others[at : at + 1]
    return sum(far[a][b] for a, b in pairwise([*left, item, *right])) - sum(far[a][b] for a in left for b in right)


def in_order(scope: Scope, chosen: Ids) -> tuple[str, ...]:
    """Order episodes: `in_order(scope, {"show/a", "show/b"})`."""
    episodes = [e for e in scope.minutes if e in chosen]
    topics = {e: _topics(scope.snapshot, e) for e in episodes}
    norm = {e: math.sqrt(sum(w * w for w in topics[e].values())) for e in episodes}
    distance = {}  # of the topics of two episodes, in thousandths: 1 minus their cosine
    for a, b in product(episodes, repeat=2):
        dot = sum(w * topics[b].get(c, 0.0) for c, w in topics[a].items())
        distance[a, b] = round(1000 * (1 - dot / (norm[a] * norm[b] or 1.0)))
    return arrange(episodes, consistent(_precedence(scope, episodes)), distance)


def _precedence(scope: Scope, episodes: Sequence[str]) -> Iterator[Pair]:
    """Yield (earlier, later) pairs from the weightiest on: declared to hints."""
    snapshot = scope.snapshot
    mains = {e: set(main_subjects(snapshot, e)) for e in episodes}
    first = {e: main_subjects(snapshot, e)[:1] for e in episodes}
    assumed = {e: {a.target for a in snapshot.assumed_by.get(e, ())} for e in episodes}
    pairs = [(a, b) for b in episodes for a in episodes if a != b]
    declared = {(r.target, r.source) for r in snapshot.listen_after}
    stages = {(r.source, r.target) for r in snapshot.concept_relations if r.kind == "RUNS_BEFORE"}
    follows = {(r.target, r.source) for r in snapshot.refers_to if r.relation in ("continues", "listen_first")}
    follows |= {(r.source, r.target) for r in snapshot.refers_to if r.relation == "announces"}
    deepened = {c: scope.goals[scope.goal_of[d.subject]] for c, d in scope.deepenings.items()}

    def needed(subjects: Mapping[str, Iterable[str]], *needs: Need) -> Iterator[Pair]:
        below = {e: closure(snapshot.required_by, subjects[e], *needs) - mains[e] for e in episodes}
        return ((a, b) for a, b in pairs if mains[a] & below[b])

    below_first = {e: closure(snapshot.required_by, first[e], "hear").difference(first[e]) for e in episodes}

    yield from (p for p in pairs if p in declared)
    yield from ((a, b) for a, b in pairs if below_first[b].intersection(first[a]))
    yield from needed(first, "hear")
    yield from ((a, b) for a, b in pairs if any(a in deepened.get(c, ()) for c in mains[b]))
    yield from needed(first, "hear", "worth")
    yield from needed(mains, "hear")
    yield from needed(mains, "hear", "worth")
    yield from needed(mains)
    yield from ((a, b) for a, b in pairs if any((m, n) in stages for m in mains[a] for n in mains[b]))
    yield from (p for p in pairs if p in follows)
    yield from ((a, b) for a, b in pairs if mains[a] & assumed[b] and not mains[b] & assumed[a])


def _topics(snapshot: Snapshot, episode: str) -> dict[str, float]:
    """Return the weights of concepts taught or assumed, and of their areas."""
    found: dict[str, float] = {}
    for t in snapshot.taught_by.get(episode, ()):
        area = f"area: {snapshot.concept[t.target].area}"
        found[t.target] = t.weight
        found[area] = found.get(area, 0.0) + t.weight / 2
    for a in snapshot.assumed_by.get(episode, ()):
        found.setdefault(a.target, 0.25)
    return found
