"""The laws of a budget on generated graphs: the goal first, the whole where it fits, and what more minutes add."""

from dataclasses import replace

from hypothesis import given, settings

from tests.graph.plan_questions import THOROUGH, Question, asked
from tests.strategies import times
from torchatlas.graph.planning.plan import make_plan


@given(asked())
@THOROUGH
def test_a_budget_that_suffices_changes_nothing(question: Question) -> None:
    graph, goals, known, heard, _ = question
    whole = make_plan(graph, goals, known, heard)
    plan = make_plan(graph, goals, known, heard, whole.minutes)
    assert replace(plan, routes=()) == replace(whole, routes=())  # a longer route does not fit


@given(asked())
@settings(deadline=None, max_examples=times(40))  # each tries every budget in between
def test_more_is_the_smallest_budget_with_another_plan_and_names_the_difference(question: Question) -> None:
    graph, goals, known, heard, budget = question
    budget = 20 if budget is None else budget
    plan = make_plan(graph, goals, known, heard, budget)
    whole = make_plan(graph, goals, known, heard)
    taken = {s.episode_id for s in plan.steps}
    if plan.more is None:
        assert taken == {s.episode_id for s in whole.steps}
        return
    for less in range(budget + 1, budget + plan.more.extra_minutes):
        assert make_plan(graph, goals, known, heard, less).steps == plan.steps
    better = {s.episode_id for s in make_plan(graph, goals, known, heard, budget + plan.more.extra_minutes).steps}
    assert {e.id for e in plan.more.adds} == better - taken
    assert {e.id for e in plan.more.drops} == taken - better
    assert plan.more.whole_minutes == whole.minutes


@given(asked())
@THOROUGH
def test_nothing_is_heard_for_a_goal_that_does_not_fit(question: Question) -> None:
    graph, goals, known, heard, budget = question
    plan = make_plan(graph, goals[:1], known, heard, budget)
    assert not (plan.unmet and plan.steps)
    plans = [make_plan(graph, goals, known, heard, minutes) for minutes in (15, 30, 60)]
    assert [len(p.unmet) for p in plans] == sorted((len(p.unmet) for p in plans), reverse=True)
