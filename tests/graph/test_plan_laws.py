"""The laws of a plan, of its depth, of a budget, of sessions and of other routes on generated graphs."""

import random
import re
from dataclasses import fields, replace
from fractions import Fraction
from itertools import combinations, permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graph.builds import THOROUGH, Question, asked, changed, timed, titles, with_parts
from tests.strategies import times
from torchatlas.graph.answers import Split
from torchatlas.graph.formatting import PLAN_DEPTHS
from torchatlas.graph.model import PlanDepth, Snapshot, by_source, closure
from torchatlas.graph.planning.demands import Teachers, main_subjects
from torchatlas.graph.planning.plan import make_plan


@given(asked())
@THOROUGH
def test_the_laws_of_a_plan_and_its_routes(question: Question) -> None:
    graph, goals, known, heard, budget = question
    plan = make_plan(*question)
    usual = make_plan(*timed(question))
    chosen = [{s.episode_id for s in steps} for steps in (usual.steps, *(r.steps for r in usual.routes))]
    assert all(a != b for a, b in combinations(chosen, 2))
    for route, episodes in zip(usual.routes, chosen[1:], strict=True):
        taken = sum(s.minutes for s in route.steps)
        assert budget is None or taken <= budget
        assert any(s.role == "goal" for s in route.steps) == any(s.role == "goal" for s in usual.steps)
        assert route.name != "shortest" or taken < usual.minutes
        assert route.name != "gentlest" or chosen[0] < episodes
    place = {s.episode_id: i for i, s in enumerate(plan.steps)}
    assert plan.minutes == sum(s.minutes or 0 for s in plan.steps)
    assert all(s.minutes == graph.episode[s.episode_id].minutes for s in plan.steps)  # none where it is unknown
    assert budget is None or all(s.minutes is not None or s.episode_id in goals for s in plan.steps)
    assert not plan.unmet if budget is None else plan.minutes <= budget
    assert not place.keys() & set(heard)
    kept = (after for after in graph.listen_after if {after.source, after.target} <= place.keys())
    assert all(place[after.target] < place[after.source] for after in kept)
    for step in plan.steps:
        for need in step.needs:
            assert need.source == "known" or place[need.source] < place[step.episode_id]
        if step.role == "before" and "asks to hear" not in step.why:  # it serves a concept that is not known
            assert {t.id for t in step.teaches} - closure(graph.required_by, known)  # no wholes in these graphs


@given(asked(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=times(50))
def test_a_plan_does_not_depend_on_the_order_of_the_input(question: Question, chance: random.Random) -> None:
    groups = {f.name: getattr(question[0], f.name) for f in fields(Snapshot)}
    shuffled = Snapshot(**{name: tuple(chance.sample(group, len(group))) for name, group in groups.items()})
    assert make_plan(shuffled, *question[1:]) == make_plan(*question)


@given(asked())
@THOROUGH
def test_no_step_stands_before_one_that_teaches_what_it_needs(question: Question) -> None:
    """With one main subject an episode and no declared order; the order of several goals goes before bridges."""
    graph, goals, *rest = question
    needs = ("hear", "worth") if len(goals) > 1 else ()  # all
    first = {e: next((t for t in ts if t.depth == "main"), None) for e, ts in graph.taught_by.items()}
    single = replace(graph, teaches=tuple(filter(None, first.values())), listen_after=(), refers_to=())
    order = [s.episode_id for s in make_plan(single, goals, *rest).steps]
    mains = [first[e].target for e in order if first.get(e)]
    for earlier, later in combinations(mains, 2):
        assert later not in closure(single.required_by, [earlier], *needs) - {earlier}


@given(asked())
@THOROUGH
def test_what_a_goal_needs_stands_before_it_unless_an_author_declares_another_order(question: Question) -> None:
    graph, (goal, *_), *rest = question
    steps = make_plan(replace(graph, listen_after=()), [goal], *rest).steps
    below = closure(graph.required_by, [goal] if goal in graph.concept else main_subjects(graph, goal))
    for earlier, later in combinations(steps, 2):
        if (earlier.role, later.role) == ("goal", "before"):
            _, tie, needed = TIE.match(later.why.lower()).groups()  # type: ignore[union-attr]
            assert (needed if tie == "needs" else later.why.lower()[:2]) not in below


@given(asked())
@THOROUGH
def test_without_a_budget_nothing_needed_is_missing_and_one_that_suffices_changes_nothing(question: Question) -> None:
    graph, goals, known, heard, _ = timed(question)
    plan = make_plan(graph, goals, known, heard)
    explained = Teachers(graph).explaining
    told = {t.target: t.depth for e in heard for t in graph.taught_by.get(e, ())}
    mine = closure(graph.required_by, {*known, *(c for c, depth in told.items() if depth == "main")})
    taught = {t.id for s in plan.steps for t in s.teaches}
    gaps = {g.id for g in plan.gaps}
    concepts = [g for g in goals if g in graph.concept and g not in mine and g not in told]
    unknown = by_source(r for r in graph.requires if r.target not in mine and r.target not in told)
    worth = {r.target for c in concepts for r in unknown.get(c, ()) if r.need == "worth" and explained(r.target)}
    below = closure(unknown, {*concepts, *worth}, "hear") - set(concepts)
    assert below <= taught | gaps
    assert replace(make_plan(graph, goals, known, heard, plan.minutes), routes=()) == replace(plan, routes=())


@given(asked(), st.data())
@THOROUGH
def test_what_a_step_says_of_concepts_is_true_of_the_graph(question: Question, data: st.DataObject) -> None:
    graph, _, known, heard, budget = question
    pairs = list(permutations(sorted(graph.concept), 2))
    reasons = st.sampled_from(["", ": reason"])
    parts = data.draw(st.dictionaries(st.sampled_from(pairs), reasons, min_size=1, max_size=5))
    goals = sorted({whole for _, whole in parts})[:2]
    graph = changed(graph, concept_relations=", ".join(f"{a} PART_OF {b}{why}" for (a, b), why in parts.items()))
    hear = {(r.source, r.target) for r in graph.requires if r.need == "hear"}
    helps = {(r.source, r.target) for r in graph.requires} - hear  # a bridge helps on the gentlest route
    taught = {(t.source, t.target): t.depth for t in graph.teaches}
    asks = {(a.source, a.target) for a in graph.listen_after}
    plan = make_plan(graph, goals, known, heard, budget)
    for step in (s for steps in (plan.steps, *(r.steps for r in plan.routes)) for s in steps):
        one, tie, other = TIE.match(step.why.lower()).groups()  # type: ignore[union-attr]
        holds = {
            "needs": (one, other) in hear and (step.episode_id, other) in taught,
            "helps with": (other, one) in helps and (step.episode_id, one) in taught,
            "asks to hear": (one, other) in asks and step.episode_id == other,
            "is a part of": (one, other) in parts and taught.get((step.episode_id, one)) == "main",
            "builds on": other in closure(graph.required_by, [one]) and taught.get((step.episode_id, one)) == "main",
            "": step.role == "goal",
        }
        assert holds[tie]


TIE = re.compile(r"([ce]\d)? ?(needs|helps with|asks to hear|is a part of|builds on|)(?: ([ce]\d))?")


@given(with_parts())
@THOROUGH
def test_a_deeper_plan_holds_the_briefer_one(question: Question) -> None:
    brief, usual, thorough = (make_plan(*question, depth=depth) for depth in PLAN_DEPTHS)
    assert set(titles(brief)) <= set(titles(usual)) <= set(titles(thorough))
    assert all(step.role == "goal" for step in brief.steps)


@given(with_parts(), st.sampled_from([*PLAN_DEPTHS]), st.data())
@THOROUGH
def test_who_knows_more_never_gets_a_longer_plan(question: Question, depth: PlanDepth, data: st.DataObject) -> None:
    graph, goals, known, heard, _ = timed(question)
    more = data.draw(st.sampled_from([*sorted(graph.concept), *sorted(graph.episode)]))
    learned = [*known, more] if more in graph.concept else known
    listened = [*heard, more] if more in graph.episode else heard
    before = make_plan(graph, goals, known, heard, depth=depth)
    assert make_plan(graph, goals, learned, listened, depth=depth).minutes <= before.minutes


@given(with_parts())
@THOROUGH
def test_a_plan_for_several_goals_covers_what_each_needs(question: Question) -> None:
    """What deepens a goal may be an own episode of another one, and then calls for nothing further."""
    graph, goals, known, heard, _ = question
    everything = make_plan(graph, goals, known, heard)
    taught = {t.id for s in everything.steps for t in s.teaches} | set(titles(everything))
    taught |= {r.target for r in graph.concept_relations if r.kind == "PART_OF" and r.source in taught}  # by its parts
    for goal in goals:
        alone = make_plan(graph, [goal], known, heard)
        assert {s.title for s in alone.steps if s.role == "goal"} <= set(titles(everything))
        needed = closure(graph.required_by, [goal, *main_subjects(graph, goal)])
        told = {p.id for p in (*everything.gaps, *everything.primer)} | {*goals}  # a heard goal has a note
        assert needed.intersection(g.id for g in alone.gaps) <= told | taught


@given(asked())
@settings(deadline=None, max_examples=times(40))  # each tries every budget in between
def test_more_is_the_smallest_budget_with_another_plan_and_names_the_difference(question: Question) -> None:
    graph, goals, known, heard, budget = timed(question)
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
@settings(deadline=None, max_examples=times(80))  # each makes four plans within a budget
def test_nothing_is_heard_for_a_goal_that_does_not_fit(question: Question) -> None:
    graph, goals, known, heard, budget = question
    plan = make_plan(graph, goals[:1], known, heard, budget)
    assert not (plan.unmet and plan.steps)
    plans = [make_plan(graph, goals, known, heard, minutes) for minutes in (15, 30, 60)]
    assert [len(p.unmet) for p in plans] == sorted((len(p.unmet) for p in plans), reverse=True)


@given(asked(), st.integers(1, 4), st.integers(1, 40), st.sampled_from([0.5, 0.7, 1, 1.33, 1.5, 4]))
@THOROUGH
def test_sessions_hold_the_plan_and_none_is_too_long(question: Question, count, minutes, speed) -> None:
    plan = make_plan(*timed(question)[:4], split=Split(count, minutes), speed=speed)
    assert len(plan.sessions) <= count and all(session.minutes <= minutes for session in plan.sessions)
    heard_of: dict[str, int] = {}
    for stretch in (stretch for session in plan.sessions for stretch in session.stretches):
        assert stretch.start == heard_of.get(stretch.id, 0) and stretch.resumes == (stretch.start > 0)
        heard_of[stretch.id] = stretch.end
    assert [*heard_of] == [s.episode_id for s in plan.steps]
    for step in plan.steps:
        assert step.minutes - 1 < Fraction(heard_of[step.episode_id]) / 60 / Fraction(str(speed)) <= step.minutes
