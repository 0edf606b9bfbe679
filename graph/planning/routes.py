"""Other choices of episodes that are as good as the chosen one."""

from collections.abc import Collection, Iterator, Mapping

from torchatlas.graph.planning.scope import Scope

_AS_LONG = 1.1  # another teacher is as good if it takes no more than a tenth longer


def as_good(
    scope: Scope, chosen: Collection[str], minutes: Mapping[str, int], budget: int | None
) -> Iterator[frozenset[str]]:
    """Yield choices with one episode before the goals exchanged for another that teaches the same as well and as fast.

    `minutes` (episode id -> length) lists the episodes in the order in which they are tried; `budget` is in minutes.
    Example: `next(as_good(scope, {"show/base", "show/goal"}, minutes, None))`.
    """
    weight = {(t.source, t.target): t.weight for t in scope.snapshot.teaches}
    teachers = {name: set(d.teachers or ()) for name, d in scope.demands.items()}
    own = {e for episodes in scope.goals.values() for e in episodes}
    for episode in (e for e in minutes if e in chosen and e not in own):
        only = [name for name, them in teachers.items() if them.intersection(chosen) == {episode}]
        for other in (e for e in minutes if e not in chosen and all(e in teachers[name] for name in only)):
            as_well = all(weight[other, name] >= weight[episode, name] for name in only)
            if only and as_well and minutes[other] <= _AS_LONG * minutes[episode]:
                route = frozenset({other, *chosen} - {episode})
                if budget is None or sum(minutes[e] for e in route) <= budget:
                    yield route
