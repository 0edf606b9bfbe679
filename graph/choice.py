"""Which episodes to hear: an exact choice by integer programming.

A demand is something worth having: a concept understood, a goal reached, an episode heard. It is had once one of its
episodes is chosen and all that it needs is had. As demands need one another without circles, what is chosen is always
well founded: no loop formula is ever needed.
"""

import contextlib
import ctypes
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import optimize, sparse

_SECONDS = 5.0
_TIES = 16  # episodes told apart by one solve: powers of two up to 2**15 keep well within the solver's tolerance
_TOLERANCE = 1e-3  # little enough that no demand can be given up for it
_stdout = threading.Lock()

Row = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Demand:
    """`teachers`: episodes any one of which will do; None: none is needed. `needs`: demands that must be had first."""

    teachers: tuple[str, ...] | None
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """The episodes, the demands that are had, and how far from the best it may be (0: proven; 0.02: two percent)."""

    episodes: frozenset[str]
    had: frozenset[str]
    gap: float = 0.0


def choose(
    demands: Mapping[str, Demand],
    wishes: Sequence[Sequence[str]],
    minutes: Mapping[str, int],
    budget: int | None = None,
    must: Sequence[str] = (),
) -> Choice | None:
    """Has as many as possible of the first wishes, then of the second, and so on; then in the fewest minutes.

    `minutes` lists the episodes, those to prefer in a tie first. None where `must` cannot be had within `budget`.
    """
    episodes = [e for e in minutes if any(e in (d.teachers or ()) for d in demands.values())]
    program = _Program(demands, episodes)
    length = program.row({e: float(minutes[e]) for e in episodes})
    if budget is not None:
        program.keep(length, high=budget)
    program.keep(program.row(had=dict.fromkeys(must, 1.0)), low=len(set(must)))
    costs = [-program.row(had=dict.fromkeys(wish, 1.0)) for wish in wishes if wish]
    if not all(program.optimise(cost) for cost in (*costs, length)):
        return None
    for first in range(0, len(episodes), _TIES):
        group = episodes[first : first + _TIES]
        program.optimise(-program.row({e: 2.0 ** (len(group) - i - 1) for i, e in enumerate(group)}))
    return program.choice()


class _Program:
    """Variables: an episode is heard (0 or 1), a demand is had (at most what its episodes and needs are)."""

    def __init__(self, demands: Mapping[str, Demand], episodes: Sequence[str]) -> None:
        self.heard = {e: i for i, e in enumerate(episodes)}
        self.had = {d: i for i, d in enumerate(demands, start=len(episodes))}
        self.whole = np.array([1] * len(self.heard) + [0] * len(self.had))
        self.answer = np.zeros(len(self.whole))
        self.gap = 0.0
        self.rows: list[tuple[Row, float, float]] = []
        for name, demand in demands.items():
            if demand.teachers is not None:
                self.keep(self.row(dict.fromkeys(demand.teachers, -1.0), {name: 1.0}), high=0)
            for need in demand.needs:
                self.keep(self.row(had={name: 1.0, need: -1.0}), high=0)

    def row(self, heard: Mapping[str, float] | None = None, had: Mapping[str, float] | None = None) -> Row:
        row: Row = np.zeros(len(self.whole))
        for names, place in ((heard, self.heard), (had, self.had)):
            for name, weight in (names or {}).items():
                row[place[name]] = weight
        return row

    def keep(self, row: Row, low: float = -np.inf, high: float = np.inf) -> None:
        self.rows.append((row, low, high))

    def optimise(self, cost: Row) -> bool:
        """Find the least cost, which later solves must keep. False where nothing satisfies the rows."""
        if not len(self.whole):
            return True
        rows, low, high = zip(*self.rows, strict=True)
        with _solver_kept_quiet():
            found = optimize.milp(
                cost,
                integrality=self.whole,
                bounds=optimize.Bounds(0, 1),
                constraints=optimize.LinearConstraint(sparse.csr_array(np.array(rows)), low, high),
                options={"time_limit": _SECONDS, "mip_rel_gap": 0.0},
            )
        if found.x is None:
            return False
        self.gap = max(self.gap, float(found.mip_gap or 0.0))
        self.answer = found.x
        self.keep(cost, high=round(float(cost @ found.x)) + _TOLERANCE)  # all costs are whole numbers
        return True

    def choice(self) -> Choice:
        heard, had = (
            frozenset(name for name, i in place.items() if self.answer[i] > 0.5) for place in (self.heard, self.had)
        )
        return Choice(heard, had, self.gap)


@contextlib.contextmanager
def _solver_kept_quiet() -> Iterator[None]:
    """Send what the solver's C++ code prints to stderr: stdout belongs to the answer."""
    with _stdout:
        kept = os.dup(1)
        os.dup2(2, 1)
        try:
            yield
        finally:
            _flush_c()
            os.dup2(kept, 1)
            os.close(kept)


def _flush_c() -> None:
    """Empty the C library's own buffer while stdout is turned away."""
    library = ctypes.cdll.msvcrt if sys.platform == "win32" else ctypes.CDLL(None)
    library.fflush(None)
