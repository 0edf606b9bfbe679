"""What to ask, what is ready and what to refresh, held against all decision trees and the demands of plans."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.example_plan import PLAN
from tests.extract.cases import rows
from tests.graph.builds import GRAPH, THOROUGH, changed, graphs, plan
from tests.strategies import times
from torchatlas.graph.answers import QUESTIONS, Check
from torchatlas.graph.model import Snapshot, reachable
from torchatlas.graph.planning.demands import Teachers, main_subjects, scope_of
from torchatlas.graph.planning.quiz import Below, best_question, checklist, episodes_below, known_items, quiz, what_next

MANY = settings(deadline=None, max_examples=times(200))


@st.composite
def orders(draw: st.DrawFn, most: int = 6) -> Below:
    """Up to so many items, each with the items below it."""
    items = "abcdefgh"[: draw(st.integers(1, most))]
    direct = {b: [a for a in items[:n] if draw(st.booleans())] for n, b in enumerate(items)}
    return {i: reachable(direct.__getitem__, direct[i]) - {i} for i in items}


def states(below: Below) -> list[frozenset[str]]:
    """Every set of items that holds all below each of its own."""
    sets = (frozenset(some) for n in range(len(below) + 1) for some in combinations(below, n))
    return [s for s in sets if all(below[i] <= s for i in s)]


def first(below: Below, yes: Sequence[str] = (), no: Sequence[str] = (), **minutes: int) -> str | None:
    return best_question(below, dict.fromkeys(below, 1) | minutes, yes, no)


def questions(below: Below, state: frozenset[str], most: int = 99) -> tuple[list[str], list[str]]:
    """The answers of somebody who knows just this."""
    yes, no = list[str](), list[str]()
    while len(yes) + len(no) < most and (item := first(below, yes, no)):
        (yes if item in state else no).append(item)
    return yes, no


@MANY
@given(orders(), st.integers(0, 5))
def test_the_answers_lead_to_just_what_somebody_knows_and_never_beyond(below: Below, most: int) -> None:
    for state in states(below):
        yes, no = questions(below, state)
        assert known_items(below, yes) == state and len(yes) + len(no) <= len(below)
        assert known_items(below, questions(below, state, most)[0]) <= state  # cut short


@MANY
@given(orders(), st.data())
def test_each_question_splits_what_is_left_as_evenly_as_any_could(below: Below, data: st.DataObject) -> None:
    left, yes, no = states(below), list[str](), list[str]()
    state = data.draw(st.sampled_from(left))
    while len(left) > 1:
        even = {item: min(n := sum(item in s for s in left), len(left) - n) for item in below}
        item = first(below, yes, no)
        assert item and even[item] == max(even.values())
        (yes if item in state else no).append(item)
        left = [s for s in left if (item in s) == (item in state)]
    assert first(below, yes, no) is None


def test_few_questions_more_than_the_best_tree_of_all_would_ask() -> None:
    """Over 300 orders the mean number of questions lies within 1 % of the least possible, by trying every tree."""
    asked, least = 0.0, 0.0

    @settings(deadline=None, max_examples=300, database=None, derandomize=True)
    @given(orders(5))
    def compare(below: Below) -> None:
        nonlocal asked, least
        all_states = states(below)

        @cache
        def total(left: frozenset[frozenset[str]]) -> int:
            """The fewest questions in all that tell these states apart."""
            if len(left) == 1:
                return 0
            halves = ((frozenset(s for s in left if item in s), item) for item in below)
            return len(left) + min(total(half) + total(left - half) for half, _ in halves if half and half != left)

        least += total(frozenset(all_states)) / len(all_states)
        asked += sum(len(yes) + len(no) for yes, no in (questions(below, s) for s in all_states)) / len(all_states)

    compare()
    assert least <= asked <= 1.01 * least


def test_of_two_even_questions_the_one_that_decides_more_minutes_is_asked_in_no_noticeable_time() -> None:
    below: Below = {"a": frozenset(), "b": frozenset()}
    assert (first(below, b=30), first(below)) == ("b", "a")
    names = [f"{n:02}" for n in range(80)]
    assert first({b: frozenset(a for a in names if a[0] <= b[0] and a[1] <= b[1] and a != b) for b in names}) in names


def test_a_plan_becomes_questions_and_an_answer_decides_all_below() -> None:
    steps = plan("compiler").steps
    assert episodes_below(GRAPH, [s.episode_id for s in steps])["deep"] == {"base", "middle", "goal"}
    asked = {no: quiz(GRAPH, steps, [], no.split()) for no in ("", "goal")}
    assert asked[""] == (Check("goal", "Goal", question="What is Compiler?", minutes=30), ())
    assert asked["goal"] == (Check("middle", "Middle", question="What is Tracing?", minutes=20), ())
    check, skipped = quiz(GRAPH, steps, ["middle"], ["goal"])
    assert check is None and [s.id for s in skipped] == ["base", "middle"]
    assert quiz(GRAPH, steps, [], [f"elsewhere {n}" for n in range(QUESTIONS)])[0] is None  # so many, and it ends


# x is new: nothing says where it stands; b is to be heard again.
CHECKED = "abc => => abc | bd => ac => AbCd | d => abc => ABCd | ab => cd => abCD | xb => a => xAb | b => ab => Ab"


@pytest.mark.parametrize(("left", "heard", "shown"), rows(CHECKED))
def test_a_heard_step_stands_on_the_checklist_where_it_stood_in_the_plan(left: str, heard: str, shown: str) -> None:
    step = {e: replace(PLAN.steps[0], episode_id=e) for e in "abcdx"}
    found = checklist([step[e] for e in left], [step[e] for e in "abcd"], list(heard))
    assert "".join(id_.upper() if id_ in found.heard else id_ for id_ in (s.episode_id for s in found.steps)) == shown


@THOROUGH
@given(graphs())
def test_ready_is_what_a_plan_demands_nothing_else_for(graph: Snapshot) -> None:
    heard = [e.id for e in graph.episodes[::3]]
    ready = {r.id for r in what_next(graph, [], heard).ready}
    for episode in graph.episodes:
        if episode.id not in heard and main_subjects(graph, episode.id):
            scope = scope_of(Teachers(graph), [episode.id], [], heard)
            below, declared, worth, *_ = scope.wishes[1]
            teachers = [scope.demands[c].teachers or () for c in (*below, *declared, *worth)]
            assert (episode.id in ready) == all(episode.id in some for some in teachers if some)


# What opens most comes first, each with the number of those it leads to and what it makes ready at once; to refresh is
# what nothing heard builds on. What is worth an episode keeps waiting too, and so does what a text asks to hear first.
READY = """
=> Base 3 Middle, Again 3 Middle, Aside 0 =>
heard=base middle aside => Goal 1 Deep, Again 0 => Middle 1, Aside 0
requires=+ views island worth => Aside 2 Again Base =>
requires=+ views island bridge => Base 3 Middle, Again 3 Middle, Aside 0 =>
listen_after=base aside => Again 3 Middle, Aside 1 Base =>
listen_after=base aside; heard=aside => Base 3 Middle, Again 3 Middle => Aside 0
known=tracing => Goal 1 Deep, Base 0, Again 0, Middle 0, Aside 0 =>
"""


@pytest.mark.parametrize(("asked", "ready", "refresh"), rows(READY))
def test_ready_is_what_nothing_else_must_come_before(asked: str, ready: str, refresh: str) -> None:
    given: dict[str, Any] = dict(option.split("=") for option in asked.split("; ") if option)
    known, heard = (given.pop(of, "").split() for of in ("known", "heard"))
    found = what_next(changed(**given), known, heard)
    assert ", ".join(" ".join([r.name, str(r.leads_to), *(o.name for o in r.opens)]) for r in found.ready) == ready
    assert ", ".join(f"{r.name} {r.used_by}" for r in found.refresh) == refresh
