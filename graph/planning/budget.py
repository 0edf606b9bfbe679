"""The choice of a plan within a budget, depth by depth, and what more minutes would add."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from torchatlas.graph.answers import More, Named, Unmet
from torchatlas.graph.model import closure, reachable
from torchatlas.graph.planning.choice import Choice, Stage, choose, least_to_improve, shortest
from torchatlas.graph.planning.demands import Demand, Scope, Wishes, main_subjects


@dataclass(frozen=True, slots=True)
class Fitting:
    """The choice that fits a budget, and the next better one with the least further minutes; None: nothing is better.

    `extra`: the further minutes; `whole`: the choice without a budget.
    """

    choice: Choice
    better: Choice | None
    extra: int
    whole: Choice


def fitting(scope: Scope, minutes: Mapping[str, int], budget: int | None) -> Fitting:
    """Return the choice that fits `budget` minutes: the one without a budget where that fits.

    Example: `fitting(scope, {"show/goal": 30}, 45).choice.episodes`
    """
    whole = select(scope, minutes, None)[-1]
    total = sum(minutes[e] for e in whole.episodes)
    if budget is None or (total <= budget and not whole.gap):
        return Fitting(whole, None, 0, whole)
    choices = select(scope, minutes, budget)
    before = [frozenset[str](), *(choice.episodes for choice in choices)]
    wishes = stages_of(scope, choices[0].met)
    stages = [Stage(wish, kept) for stage, kept in zip(wishes, before, strict=False) for wish in stage]
    least = least_to_improve(demands_of(scope), stages, minutes, choices[-1].met)
    if least is None or whole.gap or choices[-1].gap:
        return Fitting(choices[-1], None, 0, whole)
    return Fitting(choices[-1], select(scope, minutes, least)[-1], least - budget, whole)


def select(scope: Scope, minutes: Mapping[str, int], budget: int | None) -> list[Choice]:
    """Return the choice for the briefest plan, then for each further depth, which keeps these episodes and adds more.

    Example: `select(scope, {"show/goal": 30}, None)[-1].episodes`
    """
    every, choices, wanted = demands_of(scope), list[Choice](), frozenset[str]()
    for depth in range(len(scope.wishes)):
        wishes = stages_of(scope, choices[0].met if choices else every)[depth]
        wanted = reachable(lambda name: every[name].needs, wanted.union(*wishes))
        demands = {name: demand for name, demand in every.items() if name in wanted}
        kept = choices[-1].episodes if choices else ()
        choices.append(choose(demands, wishes, minutes, budget, kept=kept))
    return choices


def own_demands(scope: Scope) -> dict[str, Demand]:
    """Return a demand for each own episode of each goal, since a goal is met by one of them.

    Example: `own_demands(scope)` is `{"views by show/base": Demand(("show/base",), ("views",))}`
    """
    return {f"{goal} by {e}": Demand((e,), (goal,)) for goal, episodes in scope.goals.items() for e in episodes}


def demands_of(scope: Scope) -> dict[str, Demand]:
    """Return all demands of a scope, also those on each own episode: `demands_of(scope)["views"]`."""
    return {**scope.demands, **own_demands(scope)}


def stages_of(scope: Scope, met: Collection[str]) -> list[Wishes]:
    """Return what each depth wishes for: an episode on each goal, all of the goals' own, and so on.

    What only goals that are not `met` call for is left out: without its goal, a need is not worth the time.
    Example: `stages_of(scope, {"views"})[0][0]` is `["views"]`
    """
    (goals,), *further = scope.wishes
    first = [goals, list(own_demands(scope))]
    if all(goal in met for goal in goals):
        return [first, *further]
    serving = _serving(scope, met)
    return [first, *([[d for d in wish if d in serving] for wish in wishes] for wishes in further)]


def _serving(scope: Scope, met: Collection[str]) -> frozenset[str]:
    """Return the demands that the goals which are met call for, and what deepens these goals."""
    snapshot, reached = scope.snapshot, [g for g in scope.goals if g in met]
    subjects = {c for g in reached for c in ([g] if g in snapshot.concept else main_subjects(snapshot, g))}
    deeper = {c for c, d in scope.deepenings.items() if d.subject in subjects}
    asking = {e for goal in reached for e in (goal, *scope.goals[goal])}
    asked = reachable(lambda e: (later for later, edge in scope.declared.items() if edge.source == e), asking)
    return closure(snapshot.required_by, subjects | deeper, "hear", "worth") | asked


def more_of(scope: Scope, minutes: Mapping[str, int], found: Fitting) -> More | None:
    """Return what the least further minutes add to a plan; None where the budget leaves nothing out.

    Example: `more_of(scope, minutes, fitting(scope, minutes, 45))`
    """
    if found.better is None:
        return None
    have, will = found.choice.episodes, found.better.episodes

    def named(episodes: frozenset[str]) -> tuple[Named, ...]:
        return tuple(Named(e, scope.snapshot.episode[e].label) for e in sorted(episodes, key=list(minutes).index))

    guessed = _guessed(scope, have | will | found.whole.episodes)
    total = sum(minutes[e] for e in found.whole.episodes)
    return More(found.extra, total, adds=named(will - have), drops=named(have - will), estimated=guessed)


def unmet_of(scope: Scope, choice: Choice, minutes: Mapping[str, int], budget: int | None) -> Iterator[Unmet]:
    """Yield each goal that is not reached, with the fewest extra minutes that reach it beside the others.

    Example: `next(unmet_of(scope, choice, {"show/goal": 30}, 25)).extra_minutes`
    """
    reached = [g for g in scope.goals if g in choice.met]
    for goal in scope.goals:
        if budget is None or goal in reached:
            continue
        name, found = scope.snapshot.name_of(goal), shortest(scope.demands, [*reached, goal], minutes)
        if found is None:
            yield Unmet(name, None)
        else:
            extra = max(1, sum(minutes[e] for e in found) - budget)
            yield Unmet(name, extra, estimated=_guessed(scope, found))


def _guessed(scope: Scope, episodes: Collection[str]) -> bool:
    """Return whether the length of one of the episodes is unknown."""
    return any(scope.snapshot.episode[e].minutes is None for e in episodes)
