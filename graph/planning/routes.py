"""Routes unlike the plan: the shortest, the gentlest and the newest."""

from collections.abc import Iterator

from torchatlas.graph.answers import Route
from torchatlas.graph.formatting import length, listed
from torchatlas.graph.model import RouteName, Snapshot, reachable
from torchatlas.graph.planning.choice import Choice, choose, select
from torchatlas.graph.planning.demands import Ids, Minutes, Scope
from torchatlas.graph.planning.order import in_order
from torchatlas.graph.planning.reasons import leaning, steps_of

_SHOWN = 3  # names of concepts in a sentence
_Found = tuple[RouteName, Scope, frozenset[str], str]


def routes_of(
    scope: Scope, gentle: Scope, current: Scope | None, choice: Choice, minutes: Minutes, budget: int | None
) -> Iterator[Route]:
    """Yield routes unlike the `choice`; `current`: the scope of successors."""
    if choice.gap:
        return
    seen, every = {choice.episodes, frozenset[str]()}, scope.demands | scope.each
    must = [*scope.goals, *(wish for wishes in scope.wishes[1:2] for wish in wishes[0])]
    wish = [d for d in must if d in choice.met]
    wanted = reachable(lambda name: every[name].needs, wish)
    demands = {name: demand for name, demand in every.items() if name in wanted}
    found: list[_Found] = [("shortest", scope, choose(demands, [wish], minutes, budget).episodes, "")]
    if sum(minutes[e] for e in found[0][2]) >= sum(minutes[e] for e in choice.episodes):
        found = []  # other episodes that take as long are no shorter way
    found += _gentlest(scope, gentle, choice.episodes, minutes, budget)
    if current and all(current.goals.values()) and not scope.goals.keys() >= current.goals.keys():
        newest = select(current, minutes, budget)[-1]
        if newest.met.issuperset(current.goals) and newest.episodes - choice.episodes:
            sides = [
                [g for g in a if g not in b] for a, b in ((current.goals, scope.goals), (scope.goals, current.goals))
            ]
            names = (listed([scope.snapshot.name_of(g) for g in goals]) for goals in sides if goals)
            found.append(("newest", current, newest.episodes, f" It leads to {' in place of '.join(names)}."))
    for name, of, episodes, told in found:
        if episodes not in seen:
            seen.add(episodes)
            order = in_order(of, [e for e in minutes if e in episodes])
            how = _difference(scope.snapshot, minutes, choice.episodes, episodes)
            yield Route(name, f"{how}.{told}", steps=steps_of(of, minutes, order))


def _gentlest(scope: Scope, gentle: Scope, plan: Ids, minutes: Minutes, budget: int | None) -> Iterator[_Found]:
    """Add to the plan what explains concepts that it leaves to a sentence."""
    wish = [*gentle.needs, *gentle.declared]
    episodes = choose(gentle.demands | gentle.each, [wish], minutes, budget, kept=plan).episodes
    taught = {t.target for e in episodes for t in scope.snapshot.taught_by.get(e, ())}
    if explained := [scope.snapshot.name_of(c) for c in leaning(scope, [*plan]) if c in taught]:
        more = [f"{len(explained) - _SHOWN} more"] if explained[_SHOWN:] else []
        each, names = " each" if explained[1:] else "", listed([*explained[:_SHOWN], *more])
        yield "gentlest", gentle, episodes, f" It explains {names}, which the plan leaves to a sentence{each}."


def _difference(snapshot: Snapshot, minutes: Minutes, plan: Ids, episodes: Ids) -> str:
    extra = sum(minutes[e] for e in episodes) - sum(minutes[e] for e in plan)
    added, dropped = ([e for e in minutes if e in a and e not in b] for a, b in ((episodes, plan), (plan, episodes)))
    estimated = any(snapshot.episode[e].minutes is None for e in (*added, *dropped))
    long = f"{length(abs(extra), estimated=estimated)} {'longer' if extra > 0 else 'shorter'}" if extra else "as long"
    verbs = {"adds": added, "leaves out": dropped}
    does = "; ".join(f"{v} {listed([snapshot.episode[e].label for e in them])}" for v, them in verbs.items() if them)
    return f"{long}: {does}"
