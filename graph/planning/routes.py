"""Routes unlike the plan: the shortest, the gentlest and the newest."""

from collections.abc import Iterator

from torchatlas.graph.answers import Route
from torchatlas.graph.formatting import length, listed
from torchatlas.graph.model import RouteName, reachable
from torchatlas.graph.planning.choice import Choice, choose, select
from torchatlas.graph.planning.demands import Ids, Scope
from torchatlas.graph.planning.order import in_order
from torchatlas.graph.planning.reasons import leaning, steps_of

_SHOWN = 3  # names of concepts in a sentence
_Found = tuple[RouteName, Scope, frozenset[str], str]


def routes_of(scope: Scope, gentle: Scope, new: Scope | None, choice: Choice, budget: int | None) -> Iterator[Route]:
    """Yield routes unlike the `choice`; `new`: the scope of successors."""
    if choice.gap:
        return
    seen, every = {choice.episodes, frozenset[str]()}, scope.demands | scope.each
    must = [*scope.goals, *(wish for wishes in scope.wishes[1:2] for wish in wishes[0])]
    wish = [d for d in must if d in choice.met]
    wanted = reachable(lambda name: every[name].needs, wish)
    demands = {name: demand for name, demand in every.items() if name in wanted}
    found: list[_Found] = [("shortest", scope, choose(demands, [wish], scope.minutes, budget).episodes, "")]
    if sum(scope.minutes[e] for e in found[0][2]) >= sum(scope.minutes[e] for e in choice.episodes):
        found = []  # other episodes that take as long are no shorter way
    found += _gentlest(scope, gentle, choice.episodes, budget)
    if new and all(new.goals.values()) and not scope.goals.keys() >= new.goals.keys():
        newest = select(new, budget)[-1]
        if newest.met.issuperset(new.goals) and newest.episodes - choice.episodes:
            sides = [[g for g in a if g not in b] for a, b in ((new.goals, scope.goals), (scope.goals, new.goals))]
            names = (listed([scope.snapshot.name_of(g) for g in goals]) for goals in sides if goals)
            found.append(("newest", new, newest.episodes, f" It leads to {' in place of '.join(names)}."))
    for name, of, episodes, told in found:
        if episodes not in seen:
            seen.add(episodes)
            how = _difference(scope, choice.episodes, episodes)
            yield Route(name, f"{how}.{told}", steps=steps_of(of, in_order(of, episodes)))


def _gentlest(scope: Scope, gentle: Scope, plan: Ids, budget: int | None) -> Iterator[_Found]:
    """Add to the plan what explains concepts that it leaves to a sentence."""
    wish = [*gentle.needs, *gentle.declared]
    episodes = choose(gentle.demands | gentle.each, [wish], scope.minutes, budget, kept=plan).episodes
    taught = {t.target for e in episodes for t in scope.snapshot.taught_by.get(e, ())}
    if explained := [scope.snapshot.name_of(c) for c in leaning(scope, [*plan]) if c in taught]:
        more = [f"{len(explained) - _SHOWN} more"] if explained[_SHOWN:] else []
        each, names = " each" if explained[1:] else "", listed([*explained[:_SHOWN], *more])
        yield "gentlest", gentle, episodes, f" It explains {names}, which the plan leaves to a sentence{each}."


def _difference(scope: Scope, plan: Ids, episodes: Ids) -> str:
    minutes, episode = scope.minutes, scope.snapshot.episode
    extra = sum(minutes[e] for e in episodes) - sum(minutes[e] for e in plan)
    added, dropped = ([e for e in minutes if e in a and e not in b] for a, b in ((episodes, plan), (plan, episodes)))
    estimated = any(episode[e].minutes is None for e in (*added, *dropped))
    long = f"{length(abs(extra), estimated=estimated)} {'longer' if extra > 0 else 'shorter'}" if extra else "as long"
    verbs = {"adds": added, "leaves out": dropped}
    does = "; ".join(f"{verb} {listed([episode[e].label for e in them])}" for verb, them in verbs.items() if them)
    return f"{long}: {does}"
