"""Plans at a speed of playing and in sessions."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graph.plan_questions import THOROUGH, Question, asked
from tests.graph.plans import GRAPH, titles
from torchatlas.graph.answers import Split
from torchatlas.graph.errors import AtlasError
from torchatlas.graph.planning.plan import make_plan
from torchatlas.graph.planning.sessions import at_speed


def test_lengths_and_budget_are_counted_at_the_speed_and_moments_are_not() -> None:
    plan = make_plan(GRAPH, ["compiler"], speed=2)
    assert [s.minutes for s in plan.steps] == [5, 10, 15, 8] and plan.amount == "4 episodes, 38 min at 2x"
    assert plan.steps[0].teaches[1].at == make_plan(GRAPH, ["compiler"]).steps[0].teaches[1].at == 60
    assert titles(make_plan(GRAPH, ["compiler"], budget=30, speed=2)) == ["Base", "Middle", "Goal"]
    assert make_plan(GRAPH, ["compiler"]).amount == "4 episodes, 1 h 15 min"


def test_a_speed_is_taken_as_it_is_written() -> None:
    assert at_speed({"a": 21}, 0.7) == {"a": 30}  # as a binary fraction, 0.7 is a little less


def test_a_plan_is_divided_over_sessions_which_are_its_budget() -> None:
    plan = make_plan(GRAPH, ["compiler"], split=Split(2, 30))
    assert titles(plan) == ["Base", "Middle", "Goal"]
    assert plan.schedule == ("Session 1, 30 min: #0 Base; #2 Middle", "Session 2, 30 min: #3 Goal")
    assert plan.more and plan.more.extra_minutes == 15
    assert not make_plan(GRAPH, ["compiler"]).sessions


def test_an_episode_is_cut_where_something_begins_and_says_where_to_go_on() -> None:
    plan = make_plan(GRAPH, ["compiler"], split=Split(2, 29), known=["views"])
    assert plan.schedule == (
        "Session 1, 21 min: #2 Middle; #3 Goal up to 1:00",
        "Session 2, 29 min: #3 Goal from 1:00",
    )


def test_more_sessions_than_asked_for_are_told() -> None:
    plan = make_plan(GRAPH, ["compiler"], budget=75, split=Split(2, 30))
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
