"""The laws of a plan on generated graphs."""

import random
import re
from dataclasses import fields, replace
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graph.test_plan import teaches
from tests.strategies import times
from torchatlas.graph.planning.plan import make_plan
from torchatlas.graph.values.grouping import by_source
from torchatlas.graph.values.model import (
    Concept,
    ConceptRelation,
    Episode,
    ListenAfter,
    Need,
    RefersTo,
    Requires,
    Snapshot,
)
from torchatlas.graph.values.prerequisites import closure

THOROUGH = settings(deadline=None, max_examples=times(300))


@st.composite
def graphs(draw: st.DrawFn) -> Snapshot:
    """Acyclic concepts, episodes with up to two main subjects; declared orders point to earlier numbers.

    Most concepts need others and most are taught, lest most plans be of one step.
    """
    concepts = [f"c{i}" for i in range(draw(st.integers(2, 6)))]
    episodes = [f"e{i}" for i in range(draw(st.integers(2, 7)))]
    needs: list[Need | None] = ["hear", "hear", "bridge", None, None]
    requires = [
        Requires(c, lower, need=need, reason="reason")
        for i, c in enumerate(concepts)
        for lower in concepts[:i]
        if (need := draw(st.sampled_from(needs)))
    ]
    taught = []
    for i, e in enumerate(episodes):
        mine = draw(st.lists(st.sampled_from(concepts), unique=True, max_size=2))
        mine = list(dict.fromkeys([concepts[i % len(concepts)], *mine]))
        mains = draw(st.sampled_from([1, 1, 2, 0]))
        taught += teaches(e, *(c if i < mains else f"~{c}" for i, c in enumerate(mine)))
    pairs = [(later, earlier) for i, later in enumerate(episodes) for earlier in episodes[:i]]
    some = st.lists(st.sampled_from(pairs), unique=True, max_size=3)
    return Snapshot(
        tuple(Concept(c, c.upper(), area=draw(st.sampled_from("AB"))) for c in concepts),
        tuple(
            Episode(e, e.upper(), show="Show", number=i, minutes=draw(st.none() | st.integers(5, 30)))
            for i, e in enumerate(episodes)
        ),
        teaches=tuple(taught),
        requires=tuple(requires),
        listen_after=tuple(ListenAfter(a, b) for a, b in draw(some)),
        refers_to=tuple(RefersTo(a, b, relation="continues") for a, b in draw(some)),
    )


@st.composite
def asked(draw: st.DrawFn) -> tuple[Snapshot, list[str], list[str], list[str], int | None]:
    graph = draw(graphs())
    concepts, episodes = sorted(graph.concept), sorted(graph.episode)
    goals = draw(st.lists(st.sampled_from(concepts[::-1] + episodes), unique=True, min_size=1, max_size=2))
    known = draw(st.just([]) | st.lists(st.sampled_from(concepts), max_size=1))
    heard = draw(st.just([]) | st.lists(st.sampled_from(episodes), max_size=1))
    return graph, goals, known, heard, draw(st.none() | st.integers(0, 90))


@given(asked())
@THOROUGH
def test_the_laws_of_a_plan(question: tuple[Snapshot, list[str], list[str], list[str], int | None]) -> None:
    graph, goals, known, heard, budget = question
    plan = make_plan(graph, goals, known, heard, budget)
    place = {s.episode_id: i for i, s in enumerate(plan.steps)}

    assert plan.minutes == sum(s.minutes for s in plan.steps)
    assert budget is None or plan.minutes <= budget
    assert budget is not None or not plan.unmet
    assert not place.keys() & set(heard)
    for after in graph.listen_after:
        if after.source in place and after.target in place:
            assert place[after.target] < place[after.source]
    for step in plan.steps:
        for need in step.needs:
            assert need.source == "known" or place[need.source] < place[step.episode_id]
        if step.role == "before":  # it serves a concept that is not known
            taught = {t.id for t in step.teaches}
            assert taught - closure(graph.required_by, known)  # no parts of wholes in these graphs
    for route in plan.routes:
        assert budget is None or sum(s.minutes for s in route) <= budget


@given(asked(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=times(50))
def test_a_plan_does_not_depend_on_the_order_of_the_input(
    question: tuple[Snapshot, list[str], list[str], list[str], int | None], chance: random.Random
) -> None:
    graph, goals, known, heard, budget = question
    groups = {f.name: getattr(graph, f.name) for f in fields(graph)}
    shuffled = Snapshot(**{name: tuple(chance.sample(group, len(group))) for name, group in groups.items()})
    assert make_plan(shuffled, goals, known, heard, budget) == make_plan(graph, goals, known, heard, budget)


@given(asked())
@THOROUGH
def test_no_step_stands_before_one_that_teaches_what_it_needs(
    question: tuple[Snapshot, list[str], list[str], list[str], int | None],
) -> None:
    """Where every episode has one main subject and no author declares an order, nothing can stand in the way."""
    graph, goals, known, heard, budget = question
    first = {e: next((t for t in ts if t.depth == "main"), None) for e, ts in graph.taught_by.items()}
    single = replace(graph, teaches=tuple(filter(None, first.values())), listen_after=())
    plan = make_plan(single, goals, known, heard, budget)
    place = {s.episode_id: i for i, s in enumerate(plan.steps)}
    for later in place:
        for earlier in place:
            a, b = single.taught_by.get(later), single.taught_by.get(earlier)
            if a and b and b[0].target in closure(single.required_by, [a[0].target]) - {a[0].target}:
                assert place[earlier] < place[later]


@given(asked())
@THOROUGH
def test_without_a_budget_nothing_needed_is_missing(
    question: tuple[Snapshot, list[str], list[str], list[str], int | None],
) -> None:
    graph, goals, known, heard, _ = question
    plan = make_plan(graph, goals, known, heard)
    mains = {t.target for e in heard for t in graph.taught_by.get(e, ()) if t.depth == "main"}
    mine = closure(graph.required_by, {*known, *mains})
    taught = {t.id for s in plan.steps for t in s.teaches}
    gaps = {g.id for g in plan.gaps}
    concepts = [g for g in goals if g in graph.concept and g not in known]
    unknown = by_source(r for r in graph.requires if r.target not in mine)
    below = closure(unknown, concepts, "hear") - set(concepts)
    assert below - mine <= taught | gaps


@given(asked(), st.data())
@THOROUGH
def test_what_a_step_says_of_concepts_is_true_of_the_graph(
    question: tuple[Snapshot, list[str], list[str], list[str], int | None], data: st.DataObject
) -> None:
    graph, _, known, heard, budget = question
    pairs = list(permutations(sorted(graph.concept), 2))
    parts = data.draw(st.dictionaries(st.sampled_from(pairs), st.sampled_from(["", "reason"]), min_size=1, max_size=5))
    goals = sorted({whole for _, whole in parts})[:2]
    graph = replace(
        graph, concept_relations=tuple(ConceptRelation(*p, kind="PART_OF", reason=r) for p, r in parts.items())
    )
    needed = {(r.source, r.target) for r in graph.requires if r.need == "hear"}
    taught = {(t.source, t.target): t for t in graph.teaches}
    plan = make_plan(graph, goals, known, heard, budget)
    for step in (s for steps in (plan.steps, *plan.routes) for s in steps):
        one, tie, other = TIE.match(step.why.lower()).groups()  # type: ignore[union-attr]
        if tie == "needs":
            assert (one, other) in needed
            assert (step.episode_id, other) in taught
        elif tie == "is a part of":
            assert (one, other) in parts and taught[step.episode_id, one].depth == "main"
        elif tie == "builds on":
            assert other in closure(graph.required_by, [one]) and taught[step.episode_id, one].depth == "main"
        else:
            assert step.role == "goal"


TIE = re.compile(r"(c\d)? ?(needs|is a part of|builds on|)(?: (c\d))?")
