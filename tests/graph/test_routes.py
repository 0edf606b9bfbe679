"""Other routes to the goals of a plan, and what took the place of a goal."""

from dataclasses import replace

import pytest
from hypothesis import given

from tests.graph.builds import graph
from tests.graph.plan_questions import THOROUGH, Question, asked
from tests.graph.plans import GRAPH, changed, plan
from torchatlas.graph.answers import Plan
from torchatlas.graph.planning.plan import make_plan


def routes(plan: Plan) -> dict[str, tuple[str, str]]:
    return {r.name: (" ".join(s.title for s in r.steps), r.how) for r in plan.routes}


def test_the_shortest_route_keeps_what_must_be_heard_before_the_goal() -> None:
    assert routes(plan("compiler")) == {"shortest": ("Base Middle Goal", "15 min shorter: leaves out #4 Deep.")}
    assert not plan("compiler", budget=60).routes  # it is the plan


def test_other_episodes_that_take_as_long_are_no_shorter_route() -> None:
    """E0 alone tells of the ground of E3, which the plan hears for the goal; both take 15 minutes."""
    taught = "e0 c0, e1 c1, e2 c2 c3, e3 c0 c3"
    needs = "c1 c0, c2 c0, c2 c1, c3 c0 worth, c3 c1, c3 c2"
    found = plan("c3", graph(episodes="e0:15 e1:15 e2:15 e3:15", teaches=taught, requires=needs))
    assert found.minutes == 45 and not found.routes


def test_a_difference_by_an_episode_of_unknown_length_is_an_estimate() -> None:
    unknown = [replace(e, minutes=None) if e.id == "deep" else e for e in GRAPH.episodes]
    assert routes(plan("compiler", episodes=unknown))["shortest"][1] == "~11 min shorter: leaves out #4 Deep."


def test_the_gentlest_route_adds_what_is_worth_hearing_on_the_way() -> None:
    worth = changed(requires="+ tracing island worth")
    titles, how = routes(plan("compiler", worth))["gentlest"]
    assert sorted(titles.split()) == ["Aside", "Base", "Deep", "Goal", "Middle"]
    assert how == "5 min longer: adds #5 Aside. It explains Island, which the plan leaves to a sentence."
    assert "gentlest" not in routes(plan("compiler", worth, budget=79))
    assert "gentlest" not in routes(plan("compiler", worth, depth="thorough"))


GONE = changed(concept_relations="island SUPERSEDED_BY lost, lost SUPERSEDED_BY partitioner")


def test_the_newest_route_leads_to_what_took_the_place_of_a_superseded_goal() -> None:
    """Island gave way to Lost and Lost to Partitioner, whose episode is Deep."""
    assert routes(plan("island", GONE))["newest"] == (
        "Base Middle Goal Deep",
        "1 h 10 min longer: adds #0 Base, #2 Middle, #3 Goal and #4 Deep; leaves out #5 Aside. "
        "It leads to Partitioner in place of Island.",
    )
    assert routes(plan("island", GONE, budget=74))["newest"][0] == "Base Middle Deep"


@pytest.mark.parametrize(
    "without",
    [
        plan("island", GONE, budget=14),
        plan("island", GONE, known="partitioner"),
        plan("island partitioner", GONE),
        plan("compiler", GONE),
        # no episode explains it
        plan("island", requires="", concept_relations="island SUPERSEDED_BY nobody"),
        # Tracing is explained on the way to Compiler
        plan("compiler", concept_relations="compiler SUPERSEDED_BY tracing"),
    ],
)
def test_a_route_to_a_successor_fits_and_has_an_episode_that_the_plan_lacks(without: Plan) -> None:
    assert "newest" not in routes(without)


def test_a_goal_that_is_known_is_not_named_in_a_route_to_its_successor() -> None:
    found = plan("island tracing", known="island", concept_relations="island SUPERSEDED_BY views")
    assert routes(found)["newest"][1] == "41 min longer: adds #1 Again and #3 Goal. It leads to Views."


def test_a_superseded_goal_names_what_took_its_place() -> None:
    better = changed(concept_relations="compiler SUPERSEDED_BY whole: it does more.")
    (successor,) = plan("compiler", better).successors
    assert (successor.id, str(successor)) == ("whole", "Compiler was superseded by Whole: it does more.")
    assert not plan("compiler whole", better).successors and not plan("whole", better).successors


@given(asked())
@THOROUGH
def test_routes_differ_reach_the_goals_of_the_plan_and_fit(question: Question) -> None:
    graph, goals, known, heard, budget = question
    plan = make_plan(graph, goals, known, heard, budget)
    chosen = [{s.episode_id for s in steps} for steps in (plan.steps, *(r.steps for r in plan.routes))]
    assert all(a != b for i, a in enumerate(chosen) for b in chosen[:i])
    for route in plan.routes:
        taken = sum(s.minutes for s in route.steps)
        assert budget is None or taken <= budget
        assert any(s.role == "goal" for s in route.steps) == any(s.role == "goal" for s in plan.steps)
        assert route.name != "shortest" or taken < plan.minutes
        if route.name == "gentlest":
            assert {s.episode_id for s in plan.steps} < {s.episode_id for s in route.steps}
