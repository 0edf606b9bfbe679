"""What follows a goal in a plan: its components, and what builds on it."""

from dataclasses import replace

import pytest

from tests.graph.plans import GRAPH, changed, teaches, titles
from torchatlas.graph.model import ConceptRelation, Episode, Need, Requires
from torchatlas.graph.planning.plan import make_plan


@pytest.mark.parametrize(("untaught", "reason"), [(False, "it is the heart of it"), (False, ""), (True, "so it is")])
def test_the_parts_of_a_whole_follow_it_with_what_they_need(untaught: bool, reason: str) -> None:
    """A part that no episode teaches is looked into for parts of its own."""
    between = "nobody" if untaught else "whole"
    graph = changed(
        teaches=[*GRAPH.teaches, *teaches("show/overview", "whole")],
        episodes=[*GRAPH.episodes, Episode("show/overview", "Overview", show="Show", number=99, minutes=10)],
        requires=[r for r in GRAPH.requires if r.source not in ("whole", "lost") and r.target != "nobody"],
        concept_relations=[
            ConceptRelation("compiler", between, kind="PART_OF", reason=reason),
            ConceptRelation("nobody", "whole", kind="PART_OF"),
        ],
    )
    plan = make_plan(graph, ["whole"])
    assert titles(plan).index("Overview") < titles(plan).index("Goal")
    assert {s.title: s.role for s in plan.steps} == {
        "Overview": "goal",
        "Base": "before",
        "Middle": "before",
        "Goal": "deepens",
    }
    whole = "Nobody" if untaught else "Whole, your goal"
    assert plan.steps[-1].why == f"Compiler is a part of {whole}{reason and ': '}{reason}."


def test_of_what_is_inside_an_untaught_part_the_least_demanding_is_taken() -> None:
    """Compiler needs two more episodes, Tracing one."""
    inside = [ConceptRelation(c, "nobody", kind="PART_OF") for c in ("compiler", "tracing")]
    graph = changed(concept_relations=[*inside, ConceptRelation("nobody", "island", kind="PART_OF")])
    plan = make_plan(graph, ["island"])
    assert [(s.title, s.role) for s in plan.steps] == [("Aside", "goal"), ("Base", "before"), ("Middle", "deepens")]


def test_what_calls_for_no_further_episode_is_taken_from_inside_an_untaught_part() -> None:
    """The episode on Partitioner also explains what Partitioner needs."""
    inside = [ConceptRelation(c, "nobody", kind="PART_OF") for c in ("views", "partitioner")]
    graph = changed(
        teaches=[*GRAPH.teaches, *teaches("show/deep", "partitioner", "detail")[1:]],
        requires=[Requires("partitioner", "detail", need="hear", reason="details are split")],
        concept_relations=[*inside, ConceptRelation("nobody", "island", kind="PART_OF")],
    )
    assert titles(make_plan(graph, ["island"])) == ["Aside", "Deep", "Base"]


def test_a_part_gets_an_episode_beside_those_of_the_goal() -> None:
    """Middle is about Views first, and about the goal as well."""
    graph = changed(
        teaches=[*(t for t in GRAPH.teaches if t.source != "show/middle"), *teaches("show/middle", "views", "island")],
        concept_relations=[ConceptRelation("views", "island", kind="PART_OF")],
    )
    assert [s.title for s in make_plan(graph, ["island"]).steps if s.role == "deepens"] == ["Base"]


def test_a_whole_comes_before_its_parts() -> None:
    part = ConceptRelation("views", "island", kind="PART_OF", reason="it is on it")
    plan = make_plan(changed(concept_relations=[part]), ["island"])
    assert [(s.title, s.role) for s in plan.steps] == [("Aside", "goal"), ("Base", "deepens")]


def test_what_a_part_needs_is_no_part_beside_it() -> None:
    parts = [
        ConceptRelation(c, w, kind="PART_OF")
        for c, w in (("tracing", "island"), ("whole", "island"), ("views", "whole"))
    ]
    plan = make_plan(changed(concept_relations=parts), ["island"])
    assert [(s.title, s.role) for s in plan.steps] == [("Aside", "goal"), ("Base", "before"), ("Middle", "deepens")]


def test_a_part_that_no_episode_teaches_is_not_planned_and_no_gap_either() -> None:
    part = ConceptRelation("nobody", "island", kind="PART_OF", reason="it is on it")
    plan = make_plan(changed(concept_relations=[part]), ["island"])
    assert titles(plan) == ["Aside"]
    assert not plan.gaps


def test_a_component_that_an_episode_is_about_beside_deepens_it_where_another_is_devoted_to_the_component() -> None:
    """Deep is devoted to Partitioner; no episode is devoted to Detail."""

    def planned(side: str) -> list[str]:
        others = (t for t in GRAPH.teaches if t.source not in ("show/goal", "show/deep"))
        told = [*others, *teaches("show/goal", "compiler", side), *teaches("show/deep", "partitioner")]
        part = [ConceptRelation(side, "compiler", kind="PART_OF")]
        return titles(make_plan(changed(requires=[], teaches=told, concept_relations=part), ["show/goal"]))

    assert planned("partitioner") == ["Goal", "Deep"]
    assert planned("detail") == ["Goal"]


def test_what_needs_a_goal_to_which_no_episode_is_devoted_deepens_the_goal() -> None:
    """Middle is about Tracing first, then about the goal; Aside's subject needs the goal, but not as its first one."""
    graph = changed(
        teaches=[
            *(t for t in GRAPH.teaches if t.source not in ("show/middle", "show/aside")),
            *teaches("show/middle", "tracing", "detail"),
            *teaches("show/aside", "island", "lost"),
        ],
        requires=[Requires("lost", "detail", need="worth", reason="it hides there")],
        concept_relations=[],
    )
    plan = make_plan(graph, ["detail"])
    assert [(s.title, s.role) for s in plan.steps] == [("Middle", "goal"), ("Aside", "deepens")]
    assert plan.steps[1].why == "Lost builds on Detail, your goal: it hides there."
    bridge = [Requires("lost", "detail", need="bridge", reason="r")]
    assert titles(make_plan(replace(graph, requires=tuple(bridge)), ["detail"])) == ["Middle"]
    more = [*graph.requires, Requires("lost", "views", need="hear", reason="r")]
    assert titles(make_plan(replace(graph, requires=tuple(more)), ["detail"])) == ["Middle"]  # calls for Base
    devoted = [*graph.teaches, *teaches("show/deep", "detail")]
    own = replace(graph, teaches=tuple(t for t in devoted if (t.source, t.target) != ("show/deep", "partitioner")))
    assert "Aside" not in titles(make_plan(own, ["detail"]))


def test_what_is_worth_it_to_a_component_is_worth_it_to_the_whole() -> None:
    graph = changed(
        requires=[
            Requires("compiler", "tracing", need="worth", reason="r"),
            Requires("tracing", "views", need="worth", reason="r"),
        ],
        concept_relations=[ConceptRelation("compiler", "island", kind="PART_OF")],
    )
    plan = make_plan(graph, ["island"])
    assert {s.title: s.role for s in plan.steps} == {"Aside": "goal", "Middle": "before", "Goal": "deepens"}
    assert make_plan(graph, ["compiler"]).steps[0].title == "Middle"  # and what is worth it to that is a sentence


def test_a_goal_comes_before_what_deepens_it_also_where_a_side_subject_of_the_goals_episode_needs_that() -> None:
    """Aside is about Island first and about Tracing beside, which needs Views; Views are a part of Island."""
    graph = changed(
        teaches=[*GRAPH.teaches, *teaches("show/aside", "island", "tracing")[1:]],
        concept_relations=[ConceptRelation("views", "island", kind="PART_OF")],
    )
    plan = make_plan(graph, ["island"])
    assert [(s.title, s.role) for s in plan.steps] == [("Aside", "goal"), ("Base", "deepens")]


def test_the_kinds_of_a_goal_deepen_it_where_no_episode_is_devoted_to_the_goal() -> None:
    """Tracing has an episode of its own; Lost is a side subject of Aside."""
    kinds = [ConceptRelation(c, "detail", kind="EXTENDS", reason="so it is") for c in ("views", "lost")]
    graph = changed(
        teaches=[*GRAPH.teaches, *teaches("show/aside", "island", "lost")[1:]], requires=[], concept_relations=kinds
    )
    plan = make_plan(graph, ["detail"])
    assert [(s.title, s.role) for s in plan.steps] == [("Middle", "goal"), ("Base", "deepens")]
    assert plan.steps[1].why == "Views extends Detail, your goal: so it is."
    declared = replace(graph, concept_relations=tuple(replace(k, origin="declared") for k in kinds))
    assert titles(make_plan(declared, ["detail"])) == ["Middle"]
    devoted = replace(graph, teaches=(*graph.teaches, *teaches("show/again", "detail")))
    devoted = replace(devoted, teaches=tuple(t for t in devoted.teaches if t != GRAPH.teaches[2]))
    assert titles(make_plan(devoted, ["detail"])) == ["Again"]


def test_an_episode_that_takes_the_goal_up_again_deepens_it_where_its_subject_must_be_heard_after() -> None:
    again = [*GRAPH.teaches, *teaches("show/aside", "island", "~views")[1:]]

    def planned(need: Need, *, mentioned: bool = True) -> list[str]:
        needs = [Requires("island", "views", need=need, reason="r")]
        graph = changed(teaches=again if mentioned else GRAPH.teaches, requires=needs)
        return sorted(titles(make_plan(graph, ["views"])))

    assert planned("hear") == ["Again", "Aside", "Base"]
    assert planned("worth") == planned("bridge") == planned("hear", mentioned=False) == ["Again", "Base"]


def test_what_a_person_judged_to_deepen_a_goal_follows_it_and_calls_for_nothing_else() -> None:
    """Partitioner needs Compiler, which needs Tracing: a sentence on each is enough, but not in a thorough plan."""
    edge = ConceptRelation("partitioner", "island", kind="DEEPENS", reason="it is its best example")
    graph = changed(concept_relations=[edge])
    plan = make_plan(graph, ["island"])
    assert [(s.title, s.role) for s in plan.steps] == [("Aside", "goal"), ("Deep", "deepens")]
    assert plan.steps[-1].why == "Partitioner deepens Island, your goal: it is its best example."
    assert [p.name for p in plan.primer] == ["Compiler"]
    assert titles(make_plan(graph, ["island"], depth="brief")) == ["Aside"]
    assert titles(make_plan(graph, ["island"], known=["partitioner"])) == ["Aside"]
    assert titles(make_plan(graph, ["partitioner"])) == ["Base", "Middle", "Goal", "Deep"]


def test_what_deepens_a_side_subject_of_a_goals_episode_is_not_heard() -> None:
    graph = changed(
        teaches=[*GRAPH.teaches, *teaches("show/aside", "island", "detail")[1:]],
        concept_relations=[ConceptRelation("partitioner", "detail", kind="DEEPENS", reason="r")],
    )
    assert titles(make_plan(graph, ["show/aside"])) == ["Aside"]
    assert "Deep" in titles(make_plan(graph, ["detail"]))
