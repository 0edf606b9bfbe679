"""How long a plan is: lengths, what a budget leaves out."""

from dataclasses import replace

import pytest

from tests.graph.plans import GRAPH, changed, teaches, titles
from torchatlas.graph.answers import Unmet
from torchatlas.graph.model import Concept, ConceptRelation, Episode, Requires, Snapshot
from torchatlas.graph.planning import choice
from torchatlas.graph.planning.plan import make_plan
from torchatlas.graph.planning.sessions import lengths_of


def test_a_small_budget_serves_the_goal_first_and_says_what_more_would_cost() -> None:
    plan = make_plan(GRAPH, ["compiler"], budget=45)
    assert titles(plan) == ["Base", "Goal"] and not plan.unmet
    assert "tracing" in [p.id for p in plan.primer]  # a sentence for what is left out
    assert titles(make_plan(GRAPH, ["compiler"], budget=60)) == ["Base", "Middle", "Goal"]
    assert titles(make_plan(GRAPH, ["compiler"], budget=0)) == []
    assert [(u.goal, u.extra_minutes) for u in make_plan(GRAPH, ["compiler"], budget=29).unmet] == [("Compiler", 1)]
    assert [u.extra_minutes for u in make_plan(GRAPH, ["compiler"], budget=10).unmet] == [20]


def test_a_budget_says_what_the_least_further_minutes_add_and_what_the_whole_takes() -> None:
    plan = make_plan(GRAPH, ["compiler"], budget=45)
    assert str(plan.more) == "15 min more add #2 Middle. Without a limit the plan takes 1 h 15 min."
    assert make_plan(GRAPH, ["compiler"], budget=75).more is None
    small = make_plan(GRAPH, ["compiler"], budget=5)
    assert small.remarks == (
        "Left out: Compiler, which needs 25 min more.",
        "25 min more add #3 Goal. Without a limit the plan takes 1 h 15 min.",
    )


def test_what_would_have_to_go_for_something_better_is_named() -> None:
    lengths = {"goal": 20, "need": 15, "worth": 10}
    graph = Snapshot(
        tuple(Concept(c, c.title(), area="Area") for c in lengths),
        tuple(Episode(c, c.title(), show="Show", minutes=m) for c, m in lengths.items()),
        teaches=tuple(t for c in lengths for t in teaches(c, c)),
        requires=(
            Requires("goal", "need", need="hear", reason="r"),
            Requires("goal", "worth", need="worth", reason="r"),
        ),
    )
    plan = make_plan(graph, ["goal"], budget=30)
    assert set(titles(plan)) == {"Worth", "Goal"}
    assert str(plan.more) == "5 min more add Need in place of Worth. Without a limit the plan takes 45 min."


def test_what_a_second_goal_would_cost_is_counted_beside_the_first() -> None:
    plan = make_plan(GRAPH, ["island", "compiler"], budget=30)
    assert titles(plan) == ["Aside"]  # Base would fit, but serves a goal that does not
    assert [(u.goal, u.extra_minutes) for u in plan.unmet] == [("Compiler", 5)]


def test_what_a_goal_needs_goes_before_what_deepens_the_goal() -> None:
    """Deep would fit beside Goal and Base, but Compiler is not understood without Middle."""
    assert titles(make_plan(GRAPH, ["compiler"], budget=59)) == ["Base", "Goal"]


@pytest.mark.parametrize(
    ("budget", "taken"), [(14, set()), (20, {"Goal"}), (35, {"Worth", "Goal"}), (50, {"Worth", "Goal", "Part"})]
)
def test_what_is_worth_it_goes_before_what_deepens_the_goal(budget: int, taken: set[str]) -> None:
    lengths = {"goal": 20, "worth": 15, "part": 15}
    graph = Snapshot(
        tuple(Concept(c, c.title(), area="Area") for c in lengths),
        tuple(Episode(c, c.title(), show="Show", minutes=m) for c, m in lengths.items()),
        teaches=tuple(t for c in lengths for t in teaches(c, c)),
        requires=(Requires("goal", "worth", need="worth", reason="r"),),
        concept_relations=(ConceptRelation("part", "goal", kind="PART_OF"),),
    )
    assert set(titles(make_plan(graph, ["goal"], budget=budget))) == taken


def test_where_the_time_for_choosing_runs_out_the_plan_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "_SECONDS", 0.0)
    plan = make_plan(GRAPH, ["compiler"], budget=60)
    assert plan.notes == ("The time for choosing ran out: a choice up to 100% better may exist.",)


def test_a_goal_is_left_out_also_where_the_time_for_its_minutes_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchatlas.graph.planning.choice.shortest", lambda *_: None)
    plan = make_plan(GRAPH, ["island", "compiler"], budget=30)
    left = "Left out: Compiler; the time ran out before it was known how much more that needs."
    assert plan.unmet == (Unmet("Compiler", None),) and plan.remarks[0] == left
    assert replace(plan, steps=(), more=None).heading == "Nothing fits for Island, Compiler."


@pytest.mark.parametrize("goal", ["nobody", "whole", "lost"])
def test_a_goal_without_an_episode_is_not_left_out_by_a_budget(goal: str) -> None:
    assert not make_plan(GRAPH, [goal, "compiler"], budget=100).unmet


def test_the_usual_length_is_that_of_the_show_and_episodes_are_in_the_order_of_their_numbers() -> None:
    facts = [("X", 3, 10), ("X", 1, 20), ("X", 2, None), ("Y", None, None), ("X", 0, 90), ("X", 4, 20)]
    episodes = [Episode(f"{show}{number}", "", show=show, number=number, minutes=m) for show, number, m in facts]
    lengths = lengths_of(Snapshot(episodes=tuple(episodes)))
    assert list(lengths.items()) == [("X0", 90), ("X1", 20), ("X2", 20), ("X3", 10), ("X4", 20), ("YNone", 15)]


def test_an_unknown_length_is_the_median_of_the_show() -> None:
    episodes = [e if e.id != "show/goal" else Episode(e.id, e.title, show=e.show, number=3) for e in GRAPH.episodes]
    step = make_plan(changed(episodes=episodes), ["compiler"]).steps[2]
    assert (step.minutes, step.estimated) == (11, True)


def test_the_minutes_that_a_goal_lacks_are_estimated_where_the_length_of_an_episode_is_unknown() -> None:
    def left_out(*unknown: str) -> str:
        episodes = [replace(e, minutes=None) if e.id in unknown else e for e in GRAPH.episodes]
        return str(make_plan(changed(episodes=episodes), ["compiler"], budget=10).unmet[0])

    assert left_out("show/goal") == "Left out: Compiler, which needs ~1 min more."
    assert left_out() == left_out("show/island") == "Left out: Compiler, which needs 20 min more."
