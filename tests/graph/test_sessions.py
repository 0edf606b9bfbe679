"""Plans at a speed of playing and in sessions: every second once, none too long, and the fewest cuts there are."""

from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graph.plan_questions import THOROUGH, Question, asked
from tests.graph.plans import plan as planned
from tests.graph.plans import titles
from torchatlas.graph.answers import Split
from torchatlas.graph.errors import AtlasError
from torchatlas.graph.model import Episode, Snapshot
from torchatlas.graph.planning.plan import make_plan
from torchatlas.graph.planning.sessions import Piece, Track, divide, lengths_of


def test_lengths_and_budget_are_counted_at_the_speed_and_moments_are_not() -> None:
    plan = planned("compiler", speed=2)
    assert [s.minutes for s in plan.steps] == [5, 10, 15, 8] and plan.amount == "4 episodes, 38 min at 2x"
    assert plan.steps[0].teaches[1].at == planned("compiler").steps[0].teaches[1].at == 60
    assert titles(planned("compiler", budget=30, speed=2)) == ["Base", "Middle", "Goal"]
    assert planned("compiler").amount == "4 episodes, 1 h 15 min"


def test_a_speed_is_taken_as_it_is_written() -> None:
    told = Snapshot(episodes=(Episode("a", "A", show="S", minutes=21),))
    assert lengths_of(told, 0.7) == {"a": 30}  # as a binary fraction, 0.7 is a little less


def test_a_plan_is_divided_over_sessions_which_are_its_budget() -> None:
    plan = planned("compiler", split=Split(2, 30))
    assert titles(plan) == ["Base", "Middle", "Goal"]
    assert plan.schedule == ("Session 1, 30 min: #0 Base; #2 Middle", "Session 2, 30 min: #3 Goal")
    assert plan.more and plan.more.extra_minutes == 15
    assert not planned("compiler").sessions


def test_an_episode_is_cut_where_something_begins_and_says_where_to_go_on() -> None:
    plan = planned("compiler", split=Split(2, 29), known="views")
    assert plan.schedule == (
        "Session 1, 21 min: #2 Middle; #3 Goal up to 1:00",
        "Session 2, 29 min: #3 Goal from 1:00",
    )


def test_more_sessions_than_asked_for_are_told() -> None:
    plan = planned("compiler", budget=75, split=Split(2, 30))
    assert len(plan.sessions) == 3
    assert "The plan takes 3 sessions of 30 min, 1 more than you asked for." in plan.remarks


@given(asked(), st.integers(1, 4), st.integers(1, 40), st.sampled_from([0.5, 0.7, 1, 1.33, 1.5, 4]))
@THOROUGH
def test_sessions_hold_the_plan_and_none_is_too_long(
    question: Question, count: int, minutes: int, speed: float
) -> None:
    graph, goals, known, heard, _ = question
    plan = make_plan(graph, goals, known, heard, split=Split(count, minutes), speed=speed)
    assert len(plan.sessions) <= count
    heard_of: dict[str, int] = {}
    for session in plan.sessions:
        assert session.minutes <= minutes
        for stretch in session.stretches:
            assert stretch.start == heard_of.get(stretch.id, 0) and stretch.resumes == (stretch.start > 0)
            heard_of[stretch.id] = stretch.end
    assert [*heard_of] == [s.episode_id for s in plan.steps]
    for step in plan.steps:
        assert step.minutes - 1 < Fraction(heard_of[step.episode_id]) / 60 / Fraction(str(speed)) <= step.minutes


@pytest.mark.parametrize("text", ["", "3", "x30m", "3x", "0x30m", "3x0m", "-1x30m", "100x5m", "3x30m2", "٣x30m"])
def test_a_split_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(AtlasError, match="write 3x30m"):
        Split.parse(text)


@st.composite
def tracks(draw: st.DrawFn, most: int = 400) -> list[Track]:
    found = []
    for place in range(draw(st.integers(1, 4))):
        seconds = draw(st.integers(1, most))
        moments = draw(st.lists(st.integers(0, seconds), max_size=3))
        found.append((f"t{place}", seconds, moments))
    return found


@given(tracks(), st.integers(20, 300), st.integers(1, 6))
def test_every_second_is_heard_once_in_order_and_no_session_is_too_long(
    found: list[Track], seconds: int, count: int
) -> None:
    sessions = divide(found, seconds, count)
    heard = [(id_, second) for session in sessions for id_, start, end in session for second in range(start, end)]
    assert heard == [(id_, second) for id_, long, _ in found for second in range(long)]
    assert all(sum(end - start for _, start, end in session) <= seconds for session in sessions)
    assert len(sessions) <= max(count, -(-sum(long for _, long, _ in found) // seconds))


def cost_of(found: list[Track], cuts: tuple[int, ...]) -> tuple[int, int, int, int]:
    inside, at_moment, at_minute = 0, 0, 0
    for cut in cuts:
        start = 0
        for _, long, moments in found:
            second = cut - start
            if 0 < second < long:
                inside += 1
                at_moment += second not in moments
                at_minute += second not in moments and second % 60 != 0
            start += long
    return inside, at_moment, at_minute, len(cuts) + 1


@given(tracks(most=9), st.integers(3, 14), st.integers(1, 3))
def test_there_is_no_division_with_fewer_cuts_or_better_ones(found: list[Track], seconds: int, count: int) -> None:
    total = sum(long for _, long, _ in found)
    most = max(count, -(-total // seconds))
    if most > 4:
        return
    ways = [
        cuts
        for number in range(most)
        for cuts in combinations(range(1, total), number)
        if all(b - a <= seconds for a, b in pairwise((0, *cuts, total)))
    ]
    sessions = divide(found, seconds, count)
    ends = [sum(end - start for _, start, end in session) for session in sessions]
    mine = tuple(sum(ends[:n]) for n in range(1, len(ends)))
    assert cost_of(found, mine) == min(cost_of(found, cuts) for cuts in ways)


def test_a_track_is_cut_at_a_moment_then_at_a_minute_then_at_the_second() -> None:
    def first(length: int, *moments: int) -> Piece:
        return divide([("a", 300, moments)], length, 2)[0][-1]

    assert (first(200, 130, 170), first(200, 30), first(150)) == (("a", 0, 170), ("a", 0, 180), ("a", 0, 150))


def test_nothing_to_hear_takes_no_session() -> None:
    assert divide([], 60, 3) == []
