"""Routes that differ from the plan in what they are good for: the shortest, the gentlest and the newest."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.answers import Route
from torchatlas.graph.formatting import length, listed
from torchatlas.graph.model import RouteName, reachable
from torchatlas.graph.planning.choice import Choice, choose, demands_of, select
from torchatlas.graph.planning.demands import Scope
from torchatlas.graph.planning.order import in_order
from torchatlas.graph.planning.reasons import leaning, steps_of

_SHOWN = 3  # names of concepts in a sentence


@dataclass(frozen=True, slots=True)
class Asked:
    """A plan to find other routes to: its scope, the gentlest one, its choice, and its limits in minutes.

    `current`: the scope of what took the place of its goals; None where none of them was superseded.
    """

    scope: Scope
    gentle: Scope
    current: Scope | None
    _: KW_ONLY
    choice: Choice
    minutes: Mapping[str, int]
    budget: int | None


def routes_of(asked: Asked) -> Iterator[Route]:
    """Yield the routes with other episodes than the plan and than one another.

    Example: `[route.name for route in routes_of(asked)]`
    """
    seen = {asked.choice.episodes, frozenset[str]()}
    found: tuple[tuple[RouteName, Scope, frozenset[str]], ...] = (
        ("shortest", asked.scope, _shortest(asked)),
        ("gentlest", asked.gentle, _gentlest(asked)),
        ("newest", asked.current or asked.scope, _newest(asked)),
    )
    for name, scope, episodes in found:
        if episodes not in seen and not asked.choice.gap:
            seen.add(episodes)
            order = in_order(scope, [e for e in asked.minutes if e in episodes])
            yield Route(name, _how(asked, name, episodes), steps=steps_of(scope, asked.minutes, order))


def _shortest(asked: Asked) -> frozenset[str]:
    """Choose the fewest minutes that still reach the goals, with what must be heard before them."""
    scope, plan, every = asked.scope, asked.choice, demands_of(asked.scope)
    must = [*scope.goals, *(wish for wishes in scope.wishes[1:2] for wish in wishes[0])]
    wish = [d for d in must if d in plan.met]
    wanted = reachable(lambda name: every[name].needs, wish)
    demands = {name: demand for name, demand in every.items() if name in wanted}
    found = choose(demands, [wish], asked.minutes, asked.budget).episodes
    shorter = sum(asked.minutes[e] for e in found) < sum(asked.minutes[e] for e in plan.episodes)
    return found if shorter else plan.episodes  # other episodes that take as long are no shorter way


def _gentlest(asked: Asked) -> frozenset[str]:
    """Add to the plan what explains what the plan leaves to a sentence, on the way or for the goals themselves."""
    scope, plan = asked.gentle, asked.choice.episodes
    wish = [*scope.needs, *scope.declared]
    found = choose(demands_of(scope), [wish], asked.minutes, asked.budget, kept=plan).episodes
    return found if _explained(asked, found) else plan


def _newest(asked: Asked) -> frozenset[str]:
    """Choose the plan for what took the place of the goals, where there are episodes on all of that, and new ones."""
    scope, plan = asked.current, asked.choice.episodes
    if not scope or not all(scope.goals.values()) or asked.scope.goals.keys() >= scope.goals.keys():
        return plan
    choice = select(scope, asked.minutes, asked.budget)[-1]
    return choice.episodes if choice.met.issuperset(scope.goals) and choice.episodes - plan else plan


def _how(asked: Asked, name: RouteName, episodes: Collection[str]) -> str:
    """Say how a route differs from the plan, and in a sentence of its own what it is good for beside the minutes."""
    plan, snapshot, minutes = asked.choice.episodes, asked.scope.snapshot, asked.minutes
    extra = sum(minutes[e] for e in episodes) - sum(minutes[e] for e in plan)
    added, dropped = ([e for e in minutes if e in a and e not in b] for a, b in ((episodes, plan), (plan, episodes)))
    estimated = any(snapshot.episode[e].minutes is None for e in (*added, *dropped))
    long = f"{length(abs(extra), estimated=estimated)} {'longer' if extra > 0 else 'shorter'}" if extra else "as long"
    verbs = (("adds", added), ("leaves out", dropped))
    does = "; ".join(f"{verb} {listed([snapshot.episode[e].label for e in them])}" for verb, them in verbs if them)
    if name == "newest" and asked.current:
        now, before = asked.current.goals, asked.scope.goals
        differing = ([snapshot.name_of(g) for g in a if g not in b] for a, b in ((now, before), (before, now)))
        return f"{long}: {does}. It leads to {' in place of '.join(listed(goals) for goals in differing if goals)}."
    if name == "gentlest":
        explained = _explained(asked, episodes)
        more = [f"{len(explained) - _SHOWN} more"] if explained[_SHOWN:] else []
        told = f"It explains {listed([*explained[:_SHOWN], *more])}, which the plan leaves to a sentence"
        return f"{long}: {does}. {told}{' each' if explained[1:] else ''}."
    return f"{long}: {does}."


def _explained(asked: Asked, episodes: Collection[str]) -> list[str]:
    """Return the names of what episodes explain and the plan leaves to a sentence."""
    snapshot = asked.scope.snapshot
    taught = {t.target for e in episodes for t in snapshot.taught_by.get(e, ())}
    return [snapshot.name_of(c) for c in leaning(asked.scope, [*asked.choice.episodes]) if c in taught]
