"""The second stage of a plan: an exact choice of episodes within a budget."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from math import inf
from typing import NamedTuple

import highspy

from torchatlas.graph.answers import More, Named, Unmet
from torchatlas.graph.model import closure, reachable
from torchatlas.graph.planning.demands import Demands, Ids, Minutes, Scope, Wishes

_SECONDS = 5.0  # for one solve
_TIES = 16  # episodes told apart by one solve: 2**15 keeps within the solver's tolerance


class Choice(NamedTuple):
    """Chosen episodes and met demands; `gap` to the best is 0 where proven."""

    episodes: frozenset[str]
    met: frozenset[str]
    gap: float = 0.0


def choose(demands: Demands, wishes: Wishes, minutes: Minutes, budget: int | None = None, *, kept: Ids = ()) -> Choice:
    """Meet most of the first wishes, then of the next; then take least time.

    Ties go to more preferred teachers, then to the order of `minutes`, the
    lengths of episodes. `budget`: in minutes; `kept` is chosen in any case.

    >>> from torchatlas.graph.planning.demands import Demand
    >>> demands = {"g": Demand(("long", "short")), "more": Demand(("long",), ("g",))}
    >>> choose(demands, [["g"], ["more"]], {"long": 30, "short": 20}, 25).episodes
    frozenset({'short'})
    """
    program = _Program(demands, minutes, kept)
    if budget is not None:
        program.keep(program.length, high=budget)
    for wish in wishes:
        program.optimise({program.demands[d]: -1.0 for d in wish})
    program.optimise(program.length)
    gap = program.gap
    best = Counter(e for d in demands.values() for e in d.best)
    program.optimise({i: -float(best[e]) for e, i in program.episodes.items() if best[e]})
    for first in range(0, len(program.episodes), _TIES):
        group = range(first, min(first + _TIES, len(program.episodes)))
        program.optimise({i: -(2.0 ** (len(group) - n)) for n, i in enumerate(group, start=1)})
    met = {name for name, d in demands.items() if d.teachers is None or not program.chosen.isdisjoint(d.teachers)}
    while lacking := {name for name in met if not met.issuperset(demands[name].needs)}:
        met -= lacking
    return Choice(program.chosen, frozenset(met), gap)


def shortest(demands: Demands, minutes: Minutes, wishes: Iterable[tuple[Ids, int]], kept: Ids = ()) -> Ids | None:
    """Return the shortest episodes, the `kept` among them, that meet so many of each wish.

    None: out of time. Example: `shortest(demands, {"long": 30}, [(["g"], 1)])`
    """
    program = _Program(demands, minutes, kept)
    for wish, count in wishes:
        program.keep({program.demands[d]: 1.0 for d in wish}, low=count)
    return program.chosen if program.optimise(program.length) else None


class _Solver(highspy.Highs):
    def enableCallbacks(self) -> None:  # noqa: N802
        self.silent()  # highspy 1.16 prints a banner with the first callback
        super().enableCallbacks()  # type: ignore[no-untyped-call]


class _Program:
    """An integer program: a demand is met with one of its episodes and its needs."""

    def __init__(self, demands: Demands, minutes: Minutes, kept: Ids) -> None:
        able = {e for d in demands.values() for e in d.teachers or ()}
        self.episodes = {e: i for i, e in enumerate(e for e in minutes if e in able)}
        self.demands = {d: i for i, d in enumerate(demands, start=len(self.episodes))}
        self.length = {i: float(minutes[e]) for e, i in self.episodes.items()}
        self.size = len(self.episodes) + len(self.demands)
        self.chosen, self.gap = frozenset[str](), 0.0
        self.solver = _Solver()  # type: ignore[no-untyped-call]
        self.solver.setOptionValue("mip_rel_gap", 0.0)
        self.solver.setOptionValue("threads", 1)
        self.solver.addVars(self.size, [0.0] * self.size, [1.0] * self.size)
        for place in self.episodes.values():
            self.solver.changeColIntegrality(place, highspy.HighsVarType.kInteger)
        if kept:
            self.keep({self.episodes[e]: 1.0 for e in kept}, low=len(kept))
        for name, demand in demands.items():
            if demand.teachers is not None:
                teachers = (self.episodes[e] for e in demand.teachers if e in self.episodes)
                self.keep({**dict.fromkeys(teachers, -1.0), self.demands[name]: 1.0}, high=0)
            for need in demand.needs:
                self.keep({self.demands[name]: 1.0, self.demands[need]: -1.0}, high=0)

    def keep(self, row: Mapping[int, float], *, low: float = -inf, high: float = inf) -> None:
        """Keep a sum of variables (by number -> weight) between two bounds."""
        self.solver.addRow(low, high, len(row), [*row], [*row.values()])

    def optimise(self, cost: Mapping[int, float]) -> bool:
        """Find the least cost, which later solves keep; False if out of time."""
        if not cost:
            return True
        self.solver.changeColsCost(self.size, [*range(self.size)], [cost.get(i, 0.0) for i in range(self.size)])
        self.solver.setOptionValue("time_limit", self.solver.getRunTime() + _SECONDS)
        self.solver.run()
        found = self.solver.getInfo()
        if found.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
            self.gap = 1.0
            return False
        if self.solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            self.gap = max(self.gap, found.mip_gap)
        answer = self.solver.getSolution().col_value
        self.chosen = frozenset(e for e, i in self.episodes.items() if answer[i] > 0.5)
        least = round(sum(weight * answer[i] for i, weight in cost.items()))
        self.keep(cost, high=least + 1e-3)  # too little to give up a demand
        return True


def fitting(scope: Scope, budget: int | None) -> tuple[Choice, More | None]:
    """Return what fits, and what more time adds: `fitting(scope, 45)`."""
    whole = select(scope, None)[-1]
    total = scope.length(whole.episodes)
    if budget is None or (total <= budget and not whole.gap):
        return whole, None
    choices = select(scope, budget)
    before = [frozenset[str](), *(choice.episodes for choice in choices)]
    wishes = _wishes(scope, choices[0].met)
    stages = [(wish, kept) for depth, kept in zip(wishes, before, strict=False) for wish in depth]
    counts = [sum(d in choices[-1].met for d in wish) for wish, _ in stages]
    found = []  # the shortest that meet one more demand of a wish, and as many as now before
    for place, (_, kept) in enumerate(stages):
        wanted = [(wish, counts[n] + (n == place)) for n, (wish, _) in enumerate(stages[: place + 1])]
        found.append(shortest(scope.demands | scope.each, scope.minutes, wanted, kept))
    least = min((scope.length(these) for these in found if these is not None), default=None)
    if least is None or whole.gap or choices[-1].gap:
        return choices[-1], None
    have, will = choices[-1].episodes, select(scope, least)[-1].episodes
    named = [Named(e, scope.graph.episode[e].label) for e in scope.minutes]
    adds, drops = (tuple(n for n in named if n.id in these) for these in (will - have, have - will))
    estimated = scope.estimated(have | will | whole.episodes)
    return choices[-1], More(least - budget, total, adds=adds, drops=drops, estimated=estimated)


def select(scope: Scope, budget: int | None) -> list[Choice]:
    """Return a choice for each depth, nested: `select(scope, None)`."""
    every, choices, wanted = scope.demands | scope.each, list[Choice](), frozenset[str]()
    for depth in range(len(scope.wishes)):
        wishes = _wishes(scope, choices[0].met if choices else every)[depth]
        wanted = reachable(lambda name: every[name].needs, wanted.union(*wishes))
        demands = {name: demand for name, demand in every.items() if name in wanted}
        kept = choices[-1].episodes if choices else ()
        choices.append(choose(demands, wishes, scope.minutes, budget, kept=kept))
    return choices


def _wishes(scope: Scope, met: Ids) -> list[Wishes]:
    """Return each depth's wishes: goals, their episodes, needs of those `met`."""
    (goals,), *further = scope.wishes
    first = [goals, [*scope.each]]
    reached = {g: scope.goals[g] for g in goals if g in met}
    if len(reached) == len(goals):
        return [first, *further]
    subjects = {c for g in reached for c in scope.about[g]}
    deeper = {c for c, (subject, _) in scope.deepenings.items() if subject in subjects}
    asking = {e for goal, episodes in reached.items() for e in (goal, *episodes)}
    asked = reachable(lambda e: (later for later, edge in scope.declared.items() if edge.source == e), asking)
    serving = closure(scope.graph.required_by, subjects | deeper, "hear", "worth") | asked
    return [first, *([[d for d in wish if d in serving] for wish in wishes] for wishes in further)]


def unmet_of(scope: Scope, choice: Choice, budget: int | None) -> Iterator[Unmet]:
    """Yield the goals not reached: `next(unmet_of(scope, choice, 25))`."""
    reached = [g for g in scope.goals if g in choice.met]
    for goal in (g for g in scope.goals if budget is not None and g not in reached):
        found = shortest(scope.demands, scope.minutes, [([*reached, goal], len(reached) + 1)])
        takes = None if found is None else scope.length(found)
        extra = None if takes is None else max(1, takes - (budget or 0))
        alone = None if reached else takes
        yield Unmet(scope.graph.name_of(goal), extra, estimated=scope.estimated(found or ()), minutes=alone)
