"""The laws of a plan on generated graphs."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from graph.model import (
    Concept,
    Episode,
    ListenAfter,
    RefersTo,
    Requires,
    Snapshot,
)
from graph.plan import make_plan
from graph.prerequisites import closure
from tests.graph.test_plan import teaches, vars_of


@st.composite
def graphs(draw: st.DrawFn) -> Snapshot:
    """Acyclic concepts, episodes with up to two main subjects; declared orders point to earlier numbers."""
    concepts = [f"c{i}" for i in range(draw(st.integers(1, 7)))]
    episodes = [f"e{i}" for i in range(draw(st.integers(1, 7)))]
    requires = [
        Requires(c, lower, draw(st.sampled_from(("hear", "bridge"))), "reason")
        for i, c in enumerate(concepts)
        for lower in concepts[:i]
        if draw(st.integers(0, 3)) == 0
    ]
    taught = []
    for e in episodes:
        mine = draw(st.lists(st.sampled_from(concepts), unique=True, max_size=3))
        mains = draw(st.integers(0, 2))
        taught += teaches(e, *(c if i < mains else f"~{c}" for i, c in enumerate(mine)))
    pairs = [(later, earlier) for i, later in enumerate(episodes) for earlier in episodes[:i]]
    some = st.lists(st.sampled_from(pairs), unique=True, max_size=3) if pairs else st.just([])
    return Snapshot(
        tuple(Concept(c, c.upper(), draw(st.sampled_from("AB"))) for c in concepts),
        tuple(
            Episode(e, e.upper(), "Show", number=i, minutes=draw(st.none() | st.integers(5, 30)))
            for i, e in enumerate(episodes)
        ),
        teaches=tuple(taught),
        requires=tuple(requires),
        listen_after=tuple(ListenAfter(a, b) for a, b in draw(some)),
        refers_to=tuple(RefersTo(a, b, "continues") for a, b in draw(some)),
    )


@st.composite
def asked(draw: st.DrawFn) -> tuple[Snapshot, list[str], list[str], list[str], int | None]:
    graph = draw(graphs())
    concepts, episodes = sorted(graph.concept), sorted(graph.episode)
    goals = draw(st.lists(st.sampled_from(concepts + episodes), unique=True, min_size=1, max_size=2))
    known = draw(st.lists(st.sampled_from(concepts), unique=True, max_size=1))
    heard = draw(st.lists(st.sampled_from(episodes), unique=True, max_size=1))
    return graph, goals, known, heard, draw(st.none() | st.integers(0, 60))


@given(asked())
@settings(deadline=None)
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
            assert taught - closure(graph.requires, known)  # no parts of wholes in these graphs
    for route in plan.routes:
        assert budget is None or sum(s.minutes for s in route) <= budget


@given(asked(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=50)
def test_a_plan_does_not_depend_on_the_order_of_the_input(
    question: tuple[Snapshot, list[str], list[str], list[str], int | None], chance: random.Random
) -> None:
    graph, goals, known, heard, budget = question
    shuffled = Snapshot(**{name: tuple(chance.sample(value, len(value))) for name, value in vars_of(graph).items()})
    assert make_plan(shuffled, goals, known, heard, budget) == make_plan(graph, goals, known, heard, budget)


@given(asked())
@settings(deadline=None)
def test_no_step_stands_before_one_that_teaches_what_it_needs(
    question: tuple[Snapshot, list[str], list[str], list[str], int | None],
) -> None:
    """Where every episode has one main subject and no author declares an order, nothing can stand in the way."""
    graph, goals, known, heard, budget = question
    first = {e: next((t for t in ts if t.depth == "main"), None) for e, ts in graph.taught_by.items()}
    single = Snapshot(**(vars_of(graph) | {"teaches": tuple(filter(None, first.values())), "listen_after": ()}))
    plan = make_plan(single, goals, known, heard, budget)
    place = {s.episode_id: i for i, s in enumerate(plan.steps)}
    for later in place:
        for earlier in place:
            a, b = single.taught_by.get(later), single.taught_by.get(earlier)
            if a and b and b[0].target in closure(single.requires, [a[0].target]) - {a[0].target}:
                assert place[earlier] < place[later]


@given(asked())
@settings(deadline=None)
def test_without_a_budget_nothing_needed_is_missing(
    question: tuple[Snapshot, list[str], list[str], list[str], int | None],
) -> None:
    graph, goals, known, heard, _ = question
    plan = make_plan(graph, goals, known, heard)
    mains = {t.target for e in heard for t in graph.taught_by.get(e, ()) if t.depth == "main"}
    mine = closure(graph.requires, {*known, *mains})
    taught = {t.id for s in plan.steps for t in s.teaches}
    gaps = {g.id for g in plan.gaps}
    concepts = [g for g in goals if g in graph.concept and g not in known]
    below = closure([r for r in graph.requires if r.target not in mine], concepts, "hear") - set(concepts)
    assert below - mine <= taught | gaps
