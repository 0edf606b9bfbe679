"""The third stage of a plan: the order of the chosen episodes."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from torchatlas.graph.model import Need, closure, consistent
from torchatlas.graph.planning.demands import Ids, Scope, main_subjects

Pair = tuple[str, str]
_FOUNDATIONS = ("USES", "EXTENDS", "DEEPENS", "IMPLEMENTED_WITH", "PART_OF")  # the target is the foundation
_FARTHEST = 10**9  # more than any line over the map
_IDEALS = 4000  # possible beginnings; beyond, the nearest is always the next


def arrange(items: Sequence[str], before: Iterable[Pair], distance: Mapping[Pair, int]) -> tuple[str, ...]:
    """Return the items in the order with the least distance of neighbours.

    `before`: (earlier, later) pairs, no circles; ties keep the given order.
    Exact (Held and Karp 1962, order ideals) unless too many sets can begin.

    >>> arrange("abc", [("c", "a")], {("c", "b"): 1, ("c", "a"): 5, ("b", "a"): 1})
    ('c', 'b', 'a')
    """
    place = {item: i for i, item in enumerate(items)}
    first = [0] * len(items)  # what must stand before each, as a bit mask
    for earlier, later in before:
        if earlier in place and later in place:
            first[place[later]] |= 1 << place[earlier]
    far = [[distance.get((a, b), 0) for b in items] for a in items]

    def ready(mask: int) -> list[int]:
        return [v for v, needed in enumerate(first) if not mask >> v & 1 and needed & ~mask == 0]

    levels = [[0]]
    while len(levels) <= len(items) and sum(map(len, levels)) <= _IDEALS:
        levels.append(sorted({mask | 1 << v for mask in levels[-1] for v in ready(mask)}))
    rest = {levels[-1][0]: [0] * len(items)}  # beginning -> the least way on from each last item
    if exact := sum(map(len, levels)) <= _IDEALS:
        for mask in (mask for level in reversed(levels[1:-1]) for mask in level):
            after = [(v, rest[mask | 1 << v][v]) for v in ready(mask)]
            rest[mask] = [min(row[v] + way for v, way in after) for row in far]
    order, mask = list[int](), 0
    while len(order) < len(items):
        cost = {v: far[order[-1]][v] if order else 0 for v in ready(mask)}
        order.append(min(cost, key=lambda v: (cost[v] + (rest[mask | 1 << v][v] if exact else 0), v)))
        mask |= 1 << order[-1]
    return tuple(items[i] for i in order)


def in_order(scope: Scope, chosen: Ids) -> tuple[str, ...]:
    """Order episodes: `in_order(scope, {"show/a", "show/b"})`."""
    episodes = [e for e in scope.minutes if e in chosen]
    graph, topics = scope.graph, {e: dict[str, float]() for e in episodes}
    for e, weights in topics.items():
        for t in graph.taught_by.get(e, ()):
            area = f"area: {graph.concept[t.target].area}"
            weights |= {t.target: t.weight, area: weights.get(area, 0.0) + t.weight / 2}
        for assumes in graph.assumed_by.get(e, ()):
            weights.setdefault(assumes.target, 0.25)
    norm = {e: math.sqrt(sum(w * w for w in topics[e].values())) for e in episodes}
    distance = {}  # 1 minus their cosine, in thousandths; of equal orders, the shorter line on the map
    for a, b in product(episodes, repeat=2):
        dot = sum(w * topics[b].get(c, 0.0) for c, w in topics[a].items())
        line = math.dist(*((graph.episode[e].x, graph.episode[e].y) for e in (a, b)))
        distance[a, b] = round(1000 * (1 - dot / (norm[a] * norm[b] or 1.0))) * _FARTHEST + round(line)
    return arrange(episodes, consistent(_precedence(scope, episodes)), distance)


def _precedence(scope: Scope, episodes: Sequence[str]) -> Iterator[Pair]:
    """Yield (earlier, later) pairs from the weightiest on: declared to hints."""
    graph = scope.graph
    mains = {e: set(main_subjects(graph, e)) for e in episodes}
    first = {e: set(main_subjects(graph, e)[:1]) for e in episodes}
    assumed = {e: {a.target for a in graph.assumed_by.get(e, ())} for e in episodes}
    declared = {(r.target, r.source) for r in graph.listen_after}
    stages = {(r.source, r.target) for r in graph.concept_relations if r.kind == "RUNS_BEFORE"}
    uses = {(r.target, r.source) for r in graph.concept_relations if r.kind in _FOUNDATIONS}
    referred = {(r.target, r.source) for r in graph.refers_to}
    follows = {(r.target, r.source) for r in graph.refers_to if r.relation in ("continues", "listen_first")}
    follows |= {(r.source, r.target) for r in graph.refers_to if r.relation == "announces"}
    deepened = {c: scope.goals[scope.goal_of[subject]] for c, (subject, _) in scope.deepenings.items()}
    needs = {c: set(scope.demands[c].teachers or ()) - scope.goal_episodes for c in scope.needs}
    calls = {e: {c for c, able in needs.items() if e in able} for e in episodes}
    below = {g: closure(graph.required_by, about) for g, about in scope.about.items()}
    pairs = [(a, b) for b in episodes for a in episodes if a != b]

    def needed(above: Mapping[str, set[str]], subjects: Mapping[str, set[str]], *needs: Need) -> Iterator[Pair]:
        below = {e: closure(graph.required_by, subjects[e], *needs) - above[e] for e in episodes}
        return ((a, b) for a, b in pairs if above[a] & below[b])

    turns = {  # the first goal that each serves, in the order in which goals were typed
        e: n
        for n, (goal, of) in reversed([*enumerate(scope.goals.items())])
        for e in episodes
        if e in of or calls[e] & below[goal] or any(deepened.get(c) == of for c in mains[e])
    }
    yield from (p for p in pairs if p in declared)
    yield from ((a, b) for a, b in pairs if any(b in of and calls[a] & below[g] for g, of in scope.goals.items()))
    yield from needed(first, first, "hear")
    yield from needed(mains, first, "hear")
    yield from ((a, b) for a, b in pairs if any(a in deepened.get(c, ()) for c in mains[b]))
    yield from needed(mains, first, "hear", "worth")
    yield from needed(mains, mains, "hear")
    yield from needed(mains, mains, "hear", "worth")
    yield from ((a, b) for a, b in pairs if any(pair in stages for pair in product(mains[a], mains[b])))
    yield from ((a, b) for a, b in pairs if any(pair in uses for pair in product(first[a], first[b])))
    yield from (p for p in pairs if p in follows)
    yield from ((a, b) for a, b in pairs if turns.get(a, math.inf) < turns.get(b, -1))
    yield from needed(mains, mains)
    yield from ((a, b) for a, b in pairs if mains[a] & assumed[b] and not mains[b] & assumed[a])
    yield from ((a, b) for a, b in combinations(episodes, 2) if first[a] & first[b] or (a, b) in referred)
