"""What a plan says is true in every state of the listener and of the budget."""

from dataclasses import replace

from tests.graph.plans import GRAPH, changed, teaches, titles
from torchatlas.graph.answers import Split
from torchatlas.graph.model import Concept, Episode
from torchatlas.graph.planning.plan import make_plan

ALL = [e.id for e in GRAPH.episodes]


def test_where_all_is_heard_the_plan_says_so_and_offers_nothing() -> None:
    plan = make_plan(GRAPH, ["compiler"], heard=ALL, budget=5)
    assert plan.remarks == ("You have heard the episodes that explain Compiler.",)
    assert not plan.steps and not plan.more and not plan.routes and not plan.unmet


def test_where_only_parts_are_left_the_plan_says_so() -> None:
    heard = ["show/base", "show/middle", "show/goal"]
    words = "You have heard the episodes that explain Compiler"
    assert make_plan(GRAPH, ["compiler"], heard=heard).remarks == (
        f"{words}; only episodes that deepen Compiler are left.",
    )
    small = make_plan(GRAPH, ["compiler"], heard=heard, budget=10)
    more = "5 min more add #4 Deep. Without a limit the plan takes 15 min."
    assert small.remarks == (more, f"{words}.") and not small.steps


def test_a_budget_too_small_for_anything_says_what_is_enough() -> None:
    plan = make_plan(GRAPH, ["compiler"], budget=1)
    assert plan.remarks == (
        "Left out: Compiler, which needs 29 min more.",
        "29 min more add #3 Goal. Without a limit the plan takes 1 h 15 min.",
    )
    assert titles(make_plan(GRAPH, ["compiler"], budget=30)) == ["Goal"]


def test_a_known_goal_has_no_step_and_nothing_more_is_offered() -> None:
    plan = make_plan(GRAPH, ["compiler"], known=["compiler"], budget=5)
    assert plan.remarks == ("Compiler is already known, so the plan has no step for Compiler.",)


def test_a_goal_without_an_episode_whose_needs_do_not_fit_leads_nowhere_yet() -> None:
    concepts = (*GRAPH.concepts, Concept("alone", "Alone", area="Area"))
    graph = replace(
        changed(concepts=concepts, concept_relations=()),
        requires=tuple(
            replace(r, source="alone") if r.source == "lost" else r for r in GRAPH.requires if r.target != "lost"
        ),
    )
    fits = make_plan(graph, ["alone"], budget=30)
    assert "No episode explains Alone; the steps lead up to Alone." in fits.remarks
    none = make_plan(graph, ["alone"], budget=5)
    assert not none.steps and none.remarks == (
        "5 min more add #0 Base. Without a limit the plan takes 30 min.",
        "No episode explains Alone.",
    )


def test_sessions_with_too_little_time_say_what_is_enough() -> None:
    plan = make_plan(GRAPH, ["compiler"], split=Split(2, 10))
    assert not plan.sessions and plan.remarks == (
        "Left out: Compiler, which needs 10 min more.",
        "10 min more add #3 Goal. Without a limit the plan takes 1 h 15 min.",
    )


def test_a_whole_of_unknown_length_is_marked_as_an_estimate() -> None:
    long = Episode("show/long", "Long", show="Show", number=9)
    graph = changed(episodes=[*GRAPH.episodes, long], teaches=[*GRAPH.teaches, *teaches("show/long", "whole")])
    plan = make_plan(graph, ["whole"], budget=1)
    assert plan.more and "~" in str(plan.more)
