"""The order of two episodes that are both goals: by number, unless the graph says that the later one comes first."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from torchatlas.graph.model import (
    Assumes,
    Concept,
    ConceptRelation,
    Episode,
    ListenAfter,
    RefersTo,
    Requires,
    Snapshot,
    Teaches,
)
from torchatlas.graph.planning.plan import make_plan

GRAPH = Snapshot(
    concepts=(Concept("a", "A", area="One"), Concept("b", "B", area="Two"), Concept("c", "C", area="Three")),
    episodes=(Episode("one", "One", show="Show", number=1), Episode("two", "Two", show="Show", number=2)),
    teaches=(Teaches("one", "a", depth="main"), Teaches("two", "b", depth="main")),
)

HINTS: list[tuple[str, Any, Any]] = [  # the weightiest first: a group, who says "two first", who says "one first"
    ("listen_after", ListenAfter("one", "two"), ListenAfter("two", "one")),
    ("requires", Requires("a", "b", need="hear", reason="r"), Requires("b", "a", need="hear", reason="r")),
    ("requires", Requires("a", "b", need="bridge", reason="r"), Requires("b", "a", need="bridge", reason="r")),
    ("concept_relations", ConceptRelation("b", "a", kind="RUNS_BEFORE"), ConceptRelation("a", "b", kind="RUNS_BEFORE")),
    ("refers_to", RefersTo("one", "two", relation="continues"), RefersTo("two", "one", relation="continues")),
    ("assumes", Assumes("one", "b", how="silent"), Assumes("two", "a", how="silent")),
]


def order(**groups: tuple[Any, ...]) -> list[str]:
    plan = make_plan(replace(GRAPH, **groups), ["one", "two"])  # type: ignore[arg-type]
    return [s.episode_id for s in plan.steps]


def test_without_a_hint_the_numbers_decide() -> None:
    assert order() == ["one", "two"]


@pytest.mark.parametrize(("group", "two_first", "one_first"), HINTS)
def test_each_hint_decides_alone(group: str, two_first: Any, one_first: Any) -> None:
    assert order(**{group: (two_first,)}) == ["two", "one"]
    assert order(**{group: (one_first,)}) == ["one", "two"]


@pytest.mark.parametrize(("strong", "weak"), list(combinations(HINTS, 2)))
def test_of_two_hints_that_contradict_each_other_the_weightier_decides(strong: Any, weak: Any) -> None:
    if strong[0] == weak[0] == "requires":  # that would be a circle
        return
    assert order(**{strong[0]: (strong[1],), weak[0]: (weak[2],)}) == ["two", "one"]


def test_what_the_first_subject_wants_outweighs_what_a_second_one_needs() -> None:
    """One is about A, which wants B of Two; C, only the second subject of Two, needs D, the second one of One."""
    graph = replace(
        GRAPH,
        concepts=(*GRAPH.concepts, Concept("d", "D", area="Four")),
        teaches=tuple(
            Teaches(e, c, depth="main", weight=weight)
            for e, c, weight in (("one", "a", 1.0), ("one", "d", 0.9), ("two", "b", 1.0), ("two", "c", 0.9))
        ),
        requires=(Requires("a", "b", need="worth", reason="r"), Requires("c", "d", need="hear", reason="r")),
    )
    assert [s.episode_id for s in make_plan(graph, ["one", "two"]).steps] == ["two", "one"]


@pytest.mark.parametrize(
    ("edge", "first"),
    [
        (RefersTo("one", "two", relation="listen_first"), "two"),
        (RefersTo("two", "one", relation="announces"), "two"),
        (RefersTo("one", "two", relation="mentions"), "one"),
        (RefersTo("one", "two", relation="more_in"), "one"),
    ],
)
def test_some_references_say_what_comes_first(edge: RefersTo, first: str) -> None:
    assert order(refers_to=(edge,))[0] == first


def test_where_each_takes_the_other_for_granted_the_numbers_decide() -> None:
    both = (Assumes("one", "b", how="silent"), Assumes("two", "a", how="silent"))
    assert order(assumes=both) == ["one", "two"]


@pytest.mark.parametrize("tie", ["taught", "assumed", "area"])
def test_episodes_that_share_a_topic_stand_together(tie: str) -> None:
    """One and Three share C or an area, Two is about something else: Two does not stand between them."""
    third = Episode("three", "Three", show="Show", number=3)
    graph = replace(
        GRAPH,
        concepts=(*GRAPH.concepts, Concept("d", "D", area="One" if tie == "area" else "Four")),
        episodes=(*GRAPH.episodes, third),
        teaches=(*GRAPH.teaches, Teaches("three", "d", depth="main")),
    )
    if tie == "taught":
        shared = tuple(Teaches(e, "c", depth="part", weight=0.5) for e in ("one", "three"))
        graph = replace(graph, teaches=(*graph.teaches, *shared))
    if tie == "assumed":
        graph = replace(graph, assumes=tuple(Assumes(e, "c", how="silent") for e in ("one", "three")))
    found = [s.episode_id for s in make_plan(graph, ["one", "two", "three"]).steps]
    assert found == ["one", "three", "two"]
