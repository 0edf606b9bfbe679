"""The second stage of a plan: an exact choice of episodes by integer programming.

A demand is something worth having: a concept understood, a goal reached, an episode heard. A demand is met once one of
its episodes is chosen and all demands that it needs are met. Demands do not need one another in circles.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from math import inf

import highspy
import numpy as np

from torchatlas.graph.planning.demands import Demand

_SECONDS = 5.0  # for one solve
_TIES = 16  # episodes told apart by one solve: powers of two up to 2**15 keep well within the solver's tolerance
_TOLERANCE = 1e-3  # too little to give up a demand

Row = Mapping[int, float]
"""Number of a variable -> its weight; 0 where it is missing."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen episodes, the demands that are met, and how far from the best they may be (0: proven; 0.02: 2 %)."""

    episodes: frozenset[str]
    met: frozenset[str]
    _: KW_ONLY
    gap: float = 0.0


@dataclass(frozen=True, slots=True)
class Stage:
    """A wish, and the episodes that were chosen before the wish counted."""

    wish: Sequence[str]
    kept: frozenset[str]


def choose(
    demands: Mapping[str, Demand],
    wishes: Sequence[Sequence[str]],
    minutes: Mapping[str, int],
    budget: int | None = None,
    *,
    kept: Collection[str] = (),
) -> Choice:
    """Return the choice that has most of the first wishes, then of the second, and so on; then the fewest minutes.

    `budget` is in minutes; the episodes `kept` are chosen in any case.
    `minutes` lists the lengths of the episodes, those to prefer first, each of at least a minute. Of equally long
    choices the one with more best teachers counts, then the order of `minutes`.

    >>> demands = {"goal": Demand(("long", "short")), "extra": Demand(("long",), ("goal",))}
    >>> sorted(choose(demands, [["goal"], ["extra"]], {"long": 30, "short": 20}, budget=25).episodes)
    ['short']
    """
    program = _Program(demands, minutes, kept)
    if kept:
        program.keep({program.episodes[e]: 1.0 for e in kept}, low=len(kept))
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
    return Choice(program.chosen(), met_by(demands, program.chosen()), gap=gap)


def shortest(demands: Mapping[str, Demand], must: Collection[str], minutes: Mapping[str, int]) -> frozenset[str] | None:
    """Return the episodes that meet all of `must` in the fewest minutes; None where the time for the search ran out.

    >>> sorted(shortest({"goal": Demand(("long", "short"))}, ["goal"], {"long": 30, "short": 20}))
    ['short']
    """
    program = _Program(demands, minutes)
    program.keep({program.demands[d]: 1.0 for d in must}, low=len(must))
    return None if program.optimise(program.length) is None else program.chosen()


def met_by(demands: Mapping[str, Demand], episodes: Collection[str]) -> frozenset[str]:
    """Return the demands that these episodes meet.

    >>> sorted(met_by({"goal": Demand(("short",), ("base",)), "base": Demand(None)}, ["short"]))
    ['base', 'goal']
    """
    met = {name for name, d in demands.items() if d.teachers is None or not {*d.teachers}.isdisjoint(episodes)}
    while lacking := {name for name in met if not met.issuperset(demands[name].needs)}:
        met -= lacking
    return frozenset(met)


def least_to_improve(
    demands: Mapping[str, Demand], stages: Sequence[Stage], minutes: Mapping[str, int], met: Collection[str]
) -> int | None:
    """Return the fewest minutes in which a choice meets more than `met`, by the wishes in their order.

    More of a wish counts more than all later wishes. None where nothing is better, or the time ran out.

    >>> demands = {"goal": Demand(("short",)), "extra": Demand(("long",), ("goal",))}
    >>> stages = [Stage(["goal"], frozenset()), Stage(["extra"], frozenset())]
    >>> least_to_improve(demands, stages, {"long": 30, "short": 20}, {"goal"})
    50
    """
    kept = frozenset[str]().union(*(stage.kept for stage in stages))
    program = _Program(demands, minutes, kept, switches=len(stages))
    switches = program.switches
    program.keep(dict.fromkeys(switches, 1.0), low=1, high=1)
    for place, stage in enumerate(stages):
        have = sum(d in met for d in stage.wish)
        earlier = dict.fromkeys(switches[:place], float(have))
        wish = {program.demands[d]: 1.0 for d in stage.wish}
        program.keep({**wish, **earlier, switches[place]: -1.0}, low=have)
        episodes = {program.episodes[e]: 1.0 for e in stage.kept}
        program.keep({**episodes, switches[place]: -float(len(episodes))}, low=0)
    return program.optimise(program.length)


class _Program:
    """An integer program: an episode is chosen (0 or 1), a demand is met (at most what its episodes and needs are).

    Further variables, the `switches`, are 0 or 1 and mean what their rows say.
    """

    def __init__(
        self,
        demands: Mapping[str, Demand],
        minutes: Mapping[str, int],
        kept: Collection[str] = (),
        *,
        switches: int = 0,
    ) -> None:
        self.episodes = {e: i for i, e in enumerate(_worth_choosing(demands, minutes, kept))}
        self.demands = {d: i for i, d in enumerate(demands, start=len(self.episodes))}
        self.length: Row = {i: float(minutes[e]) for e, i in self.episodes.items()}
        self.switches = range(len(self.episodes) + len(self.demands), len(self.episodes) + len(self.demands) + switches)
        self.answer = [0.0] * self.switches.stop
        self.gap = 0.0
        self.solver = _solver(self.switches.stop, whole=[*self.episodes.values(), *self.switches])
        for name, demand in demands.items():
            demand_at = self.demands[name]
            if demand.teachers is not None:
                teachers = (self.episodes[e] for e in demand.teachers if e in self.episodes)
                self.keep({**dict.fromkeys(teachers, -1.0), demand_at: 1.0}, high=0)
            for need in demand.needs:
                self.keep({demand_at: 1.0, self.demands[need]: -1.0}, high=0)

    def keep(self, row: Row, *, low: float = -inf, high: float = inf) -> None:
        """Keep the weighted sum of a row between two bounds."""
        self.solver.addRow(low, high, len(row), [*row], [*row.values()])

    def optimise(self, cost: Row) -> int | None:
        """Return the least cost, a whole number, which later solves keep; None where none was found in time."""
        if not cost:
            return 0
        size = self.switches.stop
        self.solver.changeColsCost(size, [*range(size)], [cost.get(i, 0.0) for i in range(size)])
        self.solver.setOptionValue("time_limit", self.solver.getRunTime() + _SECONDS)
        self.solver.run()
        found = self.solver.getInfo()
        if found.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
            self.gap = 1.0
            return None
        if self.solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            self.gap = max(self.gap, found.mip_gap)
        self.answer = list(self.solver.getSolution().col_value)
        least = round(sum(weight * self.answer[i] for i, weight in cost.items()))
        self.keep(cost, high=least + _TOLERANCE)
        return least

    def chosen(self) -> frozenset[str]:
        """Return the episodes that the answer chooses."""
        return frozenset(e for e, i in self.episodes.items() if self.answer[i] > 0.5)


def _worth_choosing(demands: Mapping[str, Demand], minutes: Mapping[str, int], kept: Collection[str]) -> Iterator[str]:
    """Return the episodes that a best choice may have, in the order of `minutes`, and those `kept`.

    Of episodes that teach for the same demands one is enough: the shortest, then the best teacher of most, then the
    first. A choice with another one is worse than the same choice with this one in its place, or without the other.
    """
    taught: defaultdict[str, list[str]] = defaultdict(list)
    for name, demand in demands.items():
        for episode in demand.teachers or ():
            taught[episode].append(name)
    best = Counter(e for d in demands.values() for e in d.best)
    first: dict[tuple[str, ...], str] = {}
    for episode in sorted((e for e in minutes if e in taught), key=lambda e: (minutes[e], -best[e])):
        first.setdefault(tuple(taught[episode]), episode)
    worth = {*first.values(), *kept}
    return (episode for episode in minutes if episode in taught and episode in worth)


def _solver(size: int, *, whole: Sequence[int]) -> highspy.Highs:
    """Return a solver with `size` variables between 0 and 1, the `whole` ones integers, and no rows yet."""
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("threads", 1)
    solver.addVars(size, [0.0] * size, [1.0] * size)
    integer = np.full(len(whole), highspy.HighsVarType.kInteger.value, dtype=np.uint8)
    solver.changeColsIntegrality(len(whole), [*whole], integer)
    return solver
