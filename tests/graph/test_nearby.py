"""What an answer names for a goal that no episode explains."""

from dataclasses import replace

from tests.graph.plans import GRAPH, changed, titles
from torchatlas.graph.model import Assumes, Concept, ConceptRelation, Episode, Mentions, Requires
from torchatlas.graph.planning.demands import Teachers
from torchatlas.graph.planning.plan import make_plan
from torchatlas.graph.planning.reasons import nearest_to
from torchatlas.ui.plans import plan_markdown

ALONE = changed(requires=[], concept_relations=[])


def test_the_nearest_to_hear_come_first_each_once_with_the_tie_in_words() -> None:
    graph = replace(
        ALONE,
        concept_relations=(
            ConceptRelation("lost", "island", kind="USES"),
            ConceptRelation("lost", "compiler", kind="PART_OF"),
            ConceptRelation("compiler", "lost", kind="ALTERNATIVE_TO"),
        ),
        requires=(
            Requires("lost", "views", need="bridge", reason="r"),
            Requires("lost", "tracing", need="worth", reason="r"),
            Requires("partitioner", "lost", need="bridge", reason="r"),
        ),
    )
    near = nearest_to(Teachers(graph), "lost")
    assert [(n.name, n.why) for n in near if n.kind == "hear"] == [
        ("#3 Goal", "Lost is a part of Compiler; this episode explains Compiler."),
        ("#2 Middle", "Lost needs Tracing; this episode explains Tracing."),
        ("#1 Again", "Lost needs Views; this episode explains Views."),
        ("#5 Aside", "Lost uses Island; this episode explains Island."),
    ]
    without = nearest_to(Teachers(graph), "lost", without={"show/goal"})
    assert [n.name for n in without if n.kind == "hear"] == ["#2 Middle", "#1 Again", "#5 Aside", "#4 Deep"]


def test_where_nothing_tied_has_an_episode_what_lies_further_below_counts() -> None:
    graph = replace(
        ALONE,
        concept_relations=(ConceptRelation("lost", "whole", kind="PART_OF"),),
        requires=(
            Requires("whole", "nobody", need="bridge", reason="r"),
            Requires("nobody", "views", need="bridge", reason="r"),
        ),
    )
    assert [n.why for n in nearest_to(Teachers(graph), "lost")] == [
        "Lost builds on Views; this episode explains Views."
    ]


def test_where_nothing_else_is_near_what_a_concept_between_ties_to_the_goal_counts() -> None:
    """Whole has more ties than Nobody; Detail is explained only in passing."""
    graph = replace(
        ALONE,
        concept_relations=(ConceptRelation("whole", "compiler", kind="USES"),),
        requires=(
            Requires("lost", "whole", need="bridge", reason="r"),
            Requires("lost", "nobody", need="bridge", reason="r"),
            Requires("detail", "nobody", need="bridge", reason="r"),
            Requires("partitioner", "whole", need="bridge", reason="r"),
            Requires("island", "whole", need="bridge", reason="r"),
        ),
    )
    assert [n.why for n in nearest_to(Teachers(graph), "lost")] == [
        "Lost needs Nobody; Detail needs Nobody; this episode explains Detail.",
        "Lost needs Whole; Whole uses Compiler; this episode explains Compiler.",
    ]
    nearer = replace(graph, requires=(*graph.requires, Requires("lost", "views", need="bridge", reason="r")))
    assert [n.why for n in nearest_to(Teachers(nearer), "lost")] == ["Lost needs Views; this episode explains Views."]


def test_an_episode_that_explains_something_tied_in_passing_is_near_where_no_other_is() -> None:
    graph = replace(ALONE, concept_relations=(ConceptRelation("lost", "detail", kind="USES"),))
    (near,) = [n for n in nearest_to(Teachers(graph), "lost") if n.kind == "hear"]
    assert (near.name, near.why) == ("#2 Middle", "Lost uses Detail; this episode explains Detail.")


def test_episodes_that_lean_on_the_goal_or_name_it_are_near_but_posts_are_not() -> None:
    named = [
        Mentions(f"show/{e}", "lost", count=n, field="title", start=0, end=4, evidence="lost")
        for e, n in (("deep", 1), ("goal", 3), ("post", 9))
    ]
    graph = replace(
        ALONE,
        episodes=(*GRAPH.episodes, Episode("show/post", "Post", show="Show", kind="post")),
        assumes=(Assumes("show/base", "lost", how="silent"), Assumes("show/post", "lost", how="silent")),
        mentions=tuple(named),
    )
    assert [(n.name, n.why) for n in nearest_to(Teachers(graph), "lost")] == [
        ("#0 Base", "This episode takes Lost for granted."),
        ("#3 Goal", "A description of this episode names Lost."),
        ("#4 Deep", "A description of this episode names Lost."),
    ]


def test_a_page_on_something_tied_is_read_where_the_goal_has_none() -> None:
    read = Concept("lost", "Lost", area="Area", source_paths=("c10",))
    graph = replace(ALONE, concept_relations=(ConceptRelation("lost", "detail", kind="PART_OF"),))
    (page,) = [n for n in nearest_to(Teachers(graph), "lost") if n.kind == "read"]
    assert (page.name, page.why) == ("Detail", "Lost is a part of Detail.")
    assert page.link == "https://docs.example/tracing"
    own = replace(graph, concepts=tuple(read if c.id == "lost" else c for c in graph.concepts))
    assert not [n for n in nearest_to(Teachers(own), "lost") if n.kind == "read"]


def test_a_plan_without_an_episode_on_the_goal_names_what_is_near_and_is_not_in_the_plan() -> None:
    graph = changed(requires=[*GRAPH.requires, Requires("lost", "island", need="bridge", reason="r")])
    plan = make_plan(graph, ["lost"])
    assert titles(plan) == ["Base", "Middle"]
    assert [(n.name, n.kind) for n in plan.nearest] == [("#5 Aside", "hear"), ("Tracing", "read")]
    assert plan.notes == ("No episode explains Lost; the steps lead up to Lost.",)
    assert "## Nearest to Lost\n\n- **#5 Aside**: Lost needs Island; this episode explains Island." in plan_markdown(
        plan
    )
    assert not make_plan(graph, ["compiler"]).nearest and not make_plan(graph, ["lost"], known=["lost"]).nearest
