"""Routes that differ from the plan in what they are good for: the shortest, the gentlest and the newest."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.answers import Route
from torchatlas.graph.formatting import length, listed
from torchatlas.graph.model import RouteName, reachable
from torchatlas.graph.planning.budget import demands_of, select
from torchatlas.graph.planning.choice import Choice, choose
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
    must = [*asked.scope.goals, *(wish for wishes in asked.scope.wishes[1:2] for wish in wishes[0])]
    found, plan = _meeting(asked, must), asked.choice.episodes
    shorter = sum(asked.minutes[e] for e in found) < sum(asked.minutes[e] for e in plan)
    return found if shorter else plan  # other episodes that take as long are no shorter way


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


def _meeting(asked: Asked, must: Iterable[str]) -> frozenset[str]:
    """Choose what meets those of the demands that the plan meets, in the fewest minutes."""
    every = demands_of(asked.scope)
    wish = [d for d in must if d in asked.choice.met]
    wanted = reachable(lambda name: every[name].needs, wish)
    demands = {name: demand for name, demand in every.items() if name in wanted}
    return choose(demands, [wish], asked.minutes, asked.budget).episodes


def _how(asked: Asked, name: RouteName, episodes: Collection[str]) -> str:
    """Say how a route differs from the plan, and in a sentence of its own what for."""
    plan, snapshot = asked.choice.episodes, asked.scope.snapshot
    extra = sum(asked.minutes[e] for e in episodes) - sum(asked.minutes[e] for e in plan)
    added = [e for e in asked.minutes if e in episodes and e not in plan]
    dropped = [e for e in asked.minutes if e in plan and e not in episodes]
    guessed = any(snapshot.episode[e].minutes is None for e in (*added, *dropped))
    long = f"{length(abs(extra), estimated=guessed)} {'longer' if extra > 0 else 'shorter'}" if extra else "as long"
    verbs = (("adds", added), ("leaves out", dropped))
    does = "; ".join(f"{verb} {listed([snapshot.episode[e].label for e in them])}" for verb, them in verbs if them)
    return " ".join((f"{long}: {does}.", *_what_for(asked, name, episodes)))


def _what_for(asked: Asked, name: RouteName, episodes: Collection[str]) -> Iterator[str]:
    """Yield the sentence on what a route is good for, where it is not good for the minutes alone."""
    if name == "newest" and asked.current:
        yield f"It leads to {_new_goals(asked.scope, asked.current)}."
    elif name == "gentlest":
        explained = _explained(asked, episodes)
        more = [f"{len(explained) - _SHOWN} more"] if explained[_SHOWN:] else []
        each = " each" if explained[1:] else ""
        yield f"It explains {listed([*explained[:_SHOWN], *more])}, which the plan leaves to a sentence{each}."


def _new_goals(scope: Scope, current: Scope) -> str:
    """Name the goals that took the place of others, and these: "ATen in place of TH"."""
    new, old = (
        [scope.snapshot.name_of(g) for g in one.goals if g not in other.goals]
        for one, other in ((current, scope), (scope, current))
    )
    return " in place of ".join(listed(goals) for goals in (new, old) if goals)


def _explained(asked: Asked, episodes: Collection[str]) -> list[str]:
    """Return the names of what episodes explain and the plan leaves to a sentence."""
    snapshot = asked.scope.snapshot
    taught = {t.target for e in episodes for t in snapshot.taught_by.get(e, ())}
    return [snapshot.name_of(c) for c in leaning(asked.scope, [*asked.choice.episodes]) if c in taught]
