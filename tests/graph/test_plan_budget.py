"""How long a plan is: lengths, what a budget leaves out, and what a plan says of it."""

from dataclasses import replace
from typing import Any

import pytest

from tests.graph.builds import graph
from tests.graph.plans import GRAPH, changed, plan, titles, told
from torchatlas.graph.answers import Split, Unmet
from torchatlas.graph.model import Episode, Snapshot
from torchatlas.graph.planning import choice
from torchatlas.graph.planning.sessions import lengths_of

UNLIMITED = "Without a limit the plan takes 1 h 15 min."


@pytest.mark.parametrize(
    ("budget", "steps"),
    [
        (0, ""),
        (30, "goal Goal"),
        (45, "before Base, goal Goal"),
        (59, "before Base, goal Goal"),  # Deep would fit too, but Compiler is not understood without Middle
        (60, "before Base, before Middle, goal Goal"),
    ],
)
def test_a_small_budget_serves_the_goal_first_then_what_it_needs(budget: int, steps: str) -> None:
    found = plan("compiler", budget=budget)
    assert told(found) == steps and bool(found.unmet) == (budget < 30)
    assert budget != 45 or "tracing" in [p.id for p in found.primer]  # a sentence for what is left out


@pytest.mark.parametrize(
    ("options", "remarks"),
    [
        *(
            (
                {"budget": budget},
                (
                    f"Left out: Compiler, which needs {30 - budget} min more.",
                    f"{30 - budget} min more add{'s' * (budget == 29)} #3 Goal. {UNLIMITED}",
                ),
            )
            for budget in (5, 10, 29)
        ),
        ({"budget": 45}, (f"15 min more add #2 Middle. {UNLIMITED}",)),
        ({"budget": 75}, ()),
        (
            {"split": Split(2, 10)},
            ("Left out: Compiler, which needs 10 min more.", f"10 min more add #3 Goal. {UNLIMITED}"),
        ),
        (
            {"budget": 10, "heard": "base middle goal"},
            (
                "5 min more add #4 Deep. Without a limit the plan takes 15 min.",
                "You have heard the episodes that explain Compiler.",
            ),
        ),
        (
            {"budget": 5, "known": "compiler"},
            ("Compiler is already known, so the plan has no step for Compiler.",),
        ),
    ],
)
def test_a_budget_says_what_is_left_out_what_the_least_further_minutes_add_and_what_the_whole_takes(
    options: dict[str, Any], remarks: tuple[str, ...]
) -> None:
    found = plan("compiler", **options)
    assert found.remarks == remarks and not found.sessions


@pytest.mark.parametrize(
    ("budget", "remarks"),
    [
        (30, ("No episode explains Alone; the steps lead up to Alone.",)),
        (5, ("5 min more add #0 Base. Without a limit the plan takes 30 min.", "No episode explains Alone.")),
    ],
)
def test_a_goal_without_an_episode_whose_needs_do_not_fit_leads_nowhere_yet(
    budget: int, remarks: tuple[str, ...]
) -> None:
    found = plan(
        "alone", concepts="+ alone", concept_relations="", requires="alone tracing, tracing views", budget=budget
    )
    assert found.remarks == remarks and bool(found.steps) == (budget == 30)


def test_what_would_have_to_go_for_something_better_is_named() -> None:
    needs = graph(episodes="g:20 n:15 w:10", teaches="g goal, n need, w worth", requires="goal need, goal worth worth")
    found = plan("goal", needs, budget=30)
    assert set(titles(found)) == {"W", "G"}
    assert str(found.more) == "5 min more add #1 N in place of #2 W. Without a limit the plan takes 45 min."


def test_what_a_second_goal_would_cost_is_counted_beside_the_first() -> None:
    found = plan("island compiler", budget=30)
    assert told(found) == "goal Aside"  # Base would fit, but serves a goal that does not
    assert [(u.goal, u.extra_minutes) for u in found.unmet] == [("Compiler", 5)]


@pytest.mark.parametrize(("budget", "taken"), [(14, ""), (20, "G"), (35, "GW"), (50, "GPW")])
def test_what_is_worth_it_goes_before_what_deepens_the_goal(budget: int, taken: str) -> None:
    worth = graph(
        episodes="g:20 w:15 p:15",
        teaches="g goal, w worth, p part",
        requires="goal worth worth",
        concept_relations="part PART_OF goal",
    )
    assert sorted(titles(plan("goal", worth, budget=budget))) == [*taken]


def test_where_the_time_for_choosing_runs_out_the_plan_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "_SECONDS", 0.0)
    late = "The time for choosing ran out: a choice up to 100% better may exist."
    assert plan("compiler", budget=60).notes == (late,)


def test_a_goal_is_left_out_also_where_the_time_for_its_minutes_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "shortest", lambda *_: None)
    found = plan("island compiler", budget=30)
    left = "Left out: Compiler; the time ran out before it was known how much more that needs."
    assert found.unmet == (Unmet("Compiler", None),) and found.remarks[0] == left
    assert replace(found, steps=(), more=None).heading == "Nothing fits for Island, Compiler."


@pytest.mark.parametrize("goal", ["nobody", "whole", "lost"])
def test_a_goal_without_an_episode_is_not_left_out_by_a_budget(goal: str) -> None:
    assert not plan(f"{goal} compiler", budget=100).unmet


def test_the_usual_length_is_that_of_the_show_and_episodes_are_in_the_order_of_their_numbers() -> None:
    facts = [("X", 3, 10), ("X", 1, 20), ("X", 2, None), ("Y", None, None), ("X", 0, 90), ("X", 4, 20)]
    episodes = [Episode(f"{show}{number}", "", show=show, number=number, minutes=m) for show, number, m in facts]
    lengths = lengths_of(Snapshot(episodes=tuple(episodes)))
    assert list(lengths.items()) == [("X0", 90), ("X1", 20), ("X2", 20), ("X3", 10), ("X4", 20), ("YNone", 15)]


@pytest.mark.parametrize(("unknown", "lacks"), [("goal", "~1"), ("", "20"), ("island", "20")])
def test_an_unknown_length_is_the_median_of_the_show_and_what_follows_from_it_an_estimate(
    unknown: str, lacks: str
) -> None:
    shorter = changed(episodes=[replace(e, minutes=None) if e.id == unknown else e for e in GRAPH.episodes])
    step = plan("compiler", shorter).steps[2]
    assert (step.minutes, step.estimated) == ((11, True) if unknown == "goal" else (30, False))
    (left,) = plan("compiler", shorter, budget=10).unmet
    assert str(left) == f"Left out: Compiler, which needs {lacks} min more."


def test_a_whole_of_unknown_length_is_marked_as_an_estimate() -> None:
    assert "~" in str(plan("whole", episodes="+ long", teaches="long whole", budget=1).more)
