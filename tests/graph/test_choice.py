import os
from collections.abc import Mapping, Sequence
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from pytest import CaptureFixture

from torchatlas.graph.planning.choice import Choice, Demand, _solver_kept_quiet, choose, fewest_minutes

EPISODES = ("e1", "e2", "e3", "e4", "e5")


@st.composite
def demands(draw: st.DrawFn) -> dict[str, Demand]:
    """Up to six demands, each needing only ones before it."""
    found: dict[str, Demand] = {}
    for i in range(draw(st.integers(1, 6))):
        teachers = draw(st.none() | st.lists(st.sampled_from(EPISODES), unique=True, min_size=1, max_size=3))
        needs = draw(st.lists(st.sampled_from(sorted(found)), unique=True, max_size=2)) if found else []
        best = draw(st.lists(st.sampled_from(teachers), unique=True, max_size=1)) if teachers else []
        found[f"d{i}"] = Demand(tuple(teachers) if teachers else None, tuple(needs), best=tuple(best))
    return found


def had(demands: Mapping[str, Demand], heard: frozenset[str]) -> frozenset[str]:
    got: set[str] = set()
    for name, demand in demands.items():  # needs come before what needs them
        if set(demand.needs) <= got and (demand.teachers is None or heard & set(demand.teachers)):
            got.add(name)
    return frozenset(got)


def by_trying_all(
    demands: Mapping[str, Demand], wishes: Sequence[Sequence[str]], minutes: Mapping[str, int], budget: int | None
) -> frozenset[str]:
    used = [e for e in minutes if any(e in (d.teachers or ()) for d in demands.values())]
    every = (frozenset(c) for n in range(len(used) + 1) for c in combinations(used, n))
    fitting = (c for c in every if budget is None or sum(minutes[e] for e in c) <= budget)
    return min(
        fitting,
        key=lambda c: (
            [-len(had(demands, c) & set(w)) for w in wishes],
            sum(minutes[e] for e in c),
            -sum(e in c for d in demands.values() for e in d.best),
            [e not in c for e in used],
        ),
    )


@given(
    demands(),
    st.lists(st.integers(1, 4), min_size=5, max_size=5),
    st.none() | st.integers(0, 12),
    st.integers(0, 6),
)
def test_the_choice_is_the_best_of_all(
    demands: dict[str, Demand], lengths: list[int], budget: int | None, cut: int
) -> None:
    minutes = dict(zip(EPISODES, lengths, strict=True))
    wishes = [sorted(demands)[:cut], sorted(demands)[cut:]]
    found = choose(demands, wishes, minutes, budget)
    assert found.episodes == by_trying_all(demands, wishes, minutes, budget)
    assert found.had == had(demands, found.episodes)
    assert found.gap == 0


@given(demands(), st.lists(st.integers(1, 4), min_size=5, max_size=5), st.sets(st.integers(0, 5), min_size=1))
def test_the_fewest_minutes_are_those_of_the_shortest_of_all(
    demands: dict[str, Demand], lengths: list[int], places: set[int]
) -> None:
    minutes = dict(zip(EPISODES, lengths, strict=True))
    must = {f"d{i}" for i in places} & demands.keys()
    every = (frozenset(c) for n in range(len(EPISODES) + 1) for c in combinations(EPISODES, n))
    enough = (sum(minutes[e] for e in c) for c in every if must <= had(demands, c))
    assert fewest_minutes(demands, must, minutes) == min(enough)


def test_nothing_demanded_is_nothing_chosen() -> None:
    assert choose({}, [[]], {"e1": 10}) == Choice(frozenset(), frozenset())


def test_what_the_solver_prints_does_not_reach_stdout(capfd: CaptureFixture[str]) -> None:
    with _solver_kept_quiet():
        os.write(1, b"stray line\n")
    os.write(1, b"answer\n")
    assert capfd.readouterr() == ("answer\n", "stray line\n")
