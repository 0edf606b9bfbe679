from dataclasses import replace

import pytest

from tests.graph.plans import GRAPH, changed, teaches, titles
from torchatlas.graph.answers import Primer
from torchatlas.graph.errors import CycleError, UnknownName
from torchatlas.graph.model import Assumes, Concept, ConceptRelation, Episode, ListenAfter, Requires
from torchatlas.graph.planning.plan import make_plan


def test_a_plan_holds_what_is_needed_before_the_goal_and_what_deepens_it() -> None:
    plan = make_plan(GRAPH, ["compiler"])
    assert [(s.title, s.role) for s in plan.steps] == [
        ("Base", "before"),
        ("Middle", "before"),
        ("Goal", "goal"),
        ("Deep", "deepens"),
    ]
    assert plan.minutes == 75
    assert plan.goals == ("Compiler",)
    assert plan.primer == (Primer("nobody", "Nobody", definition="What nobody is.", origin="curated"),)
    assert not plan.gaps and not plan.unmet and not plan.notes


def test_every_step_says_why_and_what_it_leans_on() -> None:
    base, middle, goal, deep = make_plan(GRAPH, ["compiler"]).steps
    assert base.why == "Tracing needs Views: traces are full of views."
    assert middle.why == "Compiler needs Tracing: it compiles what was traced."
    assert goal.why == "This episode is about Compiler, your goal."
    assert deep.why == "Partitioner builds on Compiler, your goal; the episode on Compiler only touches on Partitioner."
    assert [(n.id, n.source) for n in goal.needs] == [("tracing", "show/middle"), ("views", "show/base")]
    assert [(t.id, t.at) for t in middle.teaches] == [("tracing", 0), ("detail", 60)]


def test_a_step_tells_of_the_need_that_only_it_meets() -> None:
    graph = changed(
        teaches=[
            *(t for t in GRAPH.teaches if t.source not in ("show/base", "show/middle")),
            *teaches("show/base", "views", "tracing"),
            *teaches("show/middle", "tracing", "detail"),
        ],
        requires=[*GRAPH.requires, Requires("compiler", "detail", need="hear", reason="it is in it")],
    )
    base, middle = make_plan(graph, ["compiler"]).steps[:2]
    assert base.why == "Tracing needs Views: traces are full of views."
    assert middle.why == "Compiler needs Detail: it is in it."
    assert make_plan(graph, ["detail"]).steps[-1].why == "This episode is also about Detail, your goal."


def test_a_step_that_meets_a_need_of_its_own_subject_is_there_for_the_subject() -> None:
    graph = changed(teaches=[*GRAPH.teaches, *teaches("show/middle", "tracing", "views")[1:]])
    (middle,) = (s for s in make_plan(graph, ["compiler"]).steps if s.title == "Middle")
    assert middle.why == "Compiler needs Tracing: it compiles what was traced."


def test_what_a_goal_itself_needs_is_met_by_an_episode_devoted_to_it() -> None:
    taught = [*(t for t in GRAPH.teaches if t.source != "show/goal"), *teaches("show/goal", "compiler", "tracing")]
    assert titles(make_plan(changed(teaches=taught), ["compiler"]))[:3] == ["Base", "Middle", "Goal"]
    further = make_plan(
        changed(teaches=[*GRAPH.teaches, *teaches("show/middle", "tracing", "views")[1:]]), ["compiler"]
    )
    assert titles(further)[:2] == ["Middle", "Goal"]  # further below, whichever takes the fewest minutes


def test_what_is_known_is_not_planned_and_neither_is_what_lies_below_it() -> None:
    plan = make_plan(GRAPH, ["compiler"], known=["tracing"])
    assert titles(plan) == ["Goal", "Deep"]
    assert plan.known == ("Tracing",)
    assert [(n.id, n.source) for n in plan.steps[0].needs] == [("tracing", "known"), ("views", "known")]


def test_who_knows_a_whole_knows_its_parts_but_hearing_of_it_is_not_knowing() -> None:
    assert titles(make_plan(GRAPH, ["partitioner"], known=["whole"])) == ["Deep"]
    told = changed(teaches=[*GRAPH.teaches, *teaches("show/aside", "island", "whole")[1:]])
    assert "Goal" in titles(make_plan(told, ["partitioner"], heard=["show/aside"]))


def test_who_knows_a_concept_need_not_know_what_a_statistic_puts_below_it() -> None:
    guessed = Requires("compiler", "island", need="bridge", reason="named first", origin="inferred", confidence=0.8)
    needed = Requires("partitioner", "island", need="hear", reason="r")
    guess = changed(requires=[guessed, needed])
    assert titles(make_plan(guess, ["partitioner"], known=["compiler"])) == ["Aside", "Deep"]
    sure = changed(requires=[replace(guessed, origin="curated"), needed])
    assert titles(make_plan(sure, ["partitioner"], known=["compiler"])) == ["Deep"]


def test_who_asks_for_something_does_not_know_it_from_what_is_above_it() -> None:
    """Whoever knows Compiler knows Tracing as a rule, but hardly asks for it then."""
    assert titles(make_plan(GRAPH, ["tracing"], known=["compiler"])) == ["Middle"]
    assert not make_plan(GRAPH, ["tracing"], known=["tracing"]).steps
    assert not make_plan(GRAPH, ["tracing"], known=["compiler"], heard=["show/goal", "show/middle"]).steps


def test_what_was_heard_makes_its_subject_known() -> None:
    assert titles(make_plan(GRAPH, ["compiler"], heard=["show/again"])) == ["Middle", "Goal", "Deep"]


def test_where_the_goal_itself_was_heard_only_what_deepens_it_is_left() -> None:
    plan = make_plan(GRAPH, ["compiler"], heard=["show/goal"])
    assert [(s.title, s.role) for s in plan.steps] == [("Deep", "deepens")]
    assert plan.notes == (
        "You have heard the episodes that explain Compiler; only episodes that deepen Compiler are left.",
    )
    assert not plan.gaps


def test_a_goal_that_is_known_needs_nothing() -> None:
    plan = make_plan(GRAPH, ["compiler"], known=["compiler"])
    assert not plan.steps
    assert plan.notes == ("Compiler is already known, so the plan has no step for Compiler.",)


def test_a_goal_below_what_was_heard_is_still_to_be_heard_itself() -> None:
    plan = make_plan(GRAPH, ["tracing"], heard=["show/goal"])
    assert [(s.title, s.role) for s in plan.steps] == [("Middle", "goal")]
    assert not plan.notes
    one_of_two = make_plan(GRAPH, ["views"], heard=["show/base"])
    assert titles(one_of_two) == ["Again"]


def test_the_notes_say_what_was_heard() -> None:
    untold = changed(teaches=[t for t in GRAPH.teaches if t.target != "tracing"])
    plan = make_plan(untold, ["tracing"], heard=["show/goal"])
    assert plan.notes == ("You have heard the episodes that build on Tracing.",)
    plan = make_plan(GRAPH, ["show/goal"], heard=["show/goal"])
    assert plan.notes == ("You have heard Goal, so the plan has no step for Goal.",)


def test_of_two_as_short_the_one_devoted_to_the_concept_is_taken() -> None:
    also = Episode("show/also", "Also", show="Show", number=-1, minutes=10)
    plan = make_plan(
        changed(episodes=[*GRAPH.episodes, also], teaches=[*GRAPH.teaches, *teaches(also.id, "island", "views")]),
        ["compiler"],
    )
    assert titles(plan)[0] == "Base"


def test_a_post_is_no_step_of_a_plan() -> None:
    posts = [replace(e, kind="post") if e.id == "show/base" else e for e in GRAPH.episodes]
    assert titles(make_plan(changed(episodes=posts), ["compiler"]))[0] == "Again"
    assert not make_plan(changed(episodes=[replace(e, kind="post") for e in posts]), ["compiler"]).steps


def test_an_episode_may_be_the_goal() -> None:
    plan = make_plan(GRAPH, ["show/middle"])
    assert [(s.title, s.role) for s in plan.steps] == [("Base", "before"), ("Middle", "goal")]
    assert plan.steps[1].why == "You asked for this episode."


def test_a_part_counts_only_where_no_episode_has_it_as_its_subject() -> None:
    assert "Base" not in titles(make_plan(GRAPH, ["compiler"], known=["tracing"]))
    plan = make_plan(GRAPH, ["detail"])
    assert [(s.title, s.role) for s in plan.steps] == [("Middle", "goal")]
    said = "No episode is about Detail, your goal; this episode explains Detail beside its main subject."
    assert plan.steps[0].why == said
    assert plan.steps[0].teaches[0].id == "detail"  # what the plan is about stands before the episode's other subjects


def test_what_no_episode_teaches_is_a_gap_that_blocks_nothing() -> None:
    plan = make_plan(GRAPH, ["lost"])
    assert titles(plan) == ["Base", "Middle"]
    assert [g.id for g in plan.gaps] == ["lost"]
    assert plan.notes == ("No episode explains Lost; the steps lead up to Lost.",)


def test_a_gap_is_no_line_of_the_primer() -> None:
    needs = Requires("compiler", "nobody", need="hear", reason="nothing goes without it")
    plan = make_plan(changed(requires=[needs, *(r for r in GRAPH.requires if r.target != "nobody")]), ["compiler"])
    assert [g.id for g in plan.gaps] == ["nobody"]
    assert not plan.primer


def test_where_nobody_teaches_the_goal_the_closest_episode_stands_in() -> None:
    plan = make_plan(GRAPH, ["whole"])
    assert titles(plan) == ["Base", "Middle", "Goal"]
    assert [step.badge for step in plan.steps] == ["before", "before", "nearest"]
    assert (
        plan.steps[-1].why == "No episode explains Whole, your goal; this episode explains Compiler, a part of Whole."
    )


@pytest.mark.parametrize(
    "relation",
    [
        ConceptRelation("lost", "detail", kind="PART_OF"),
        ConceptRelation("lost", "detail", kind="EXTENDS"),
        ConceptRelation("detail", "lost", kind="IMPLEMENTED_WITH"),
        ConceptRelation("lost", "second", kind="ALTERNATIVE_TO"),
    ],
)
def test_what_nobody_teaches_is_met_where_its_kin_is_explained(relation: ConceptRelation) -> None:
    """The kin need not be what the episode is about in the first place; another relation must lead to a subject."""
    graph = changed(
        concepts=[*GRAPH.concepts, Concept("second", "Second", area="Area")],
        teaches=[*GRAPH.teaches, *teaches("show/middle", "tracing", "second")[1:]],
        requires=[],
        concept_relations=[relation],
    )
    assert titles(make_plan(graph, ["lost"])) == ["Middle"]


def test_what_the_goal_requires_comes_first_in_the_primer() -> None:
    """Two steps take Common for granted, and no step is about what needs it; the goal itself requires Nobody."""
    graph = changed(
        concepts=[*GRAPH.concepts, Concept("common", "Common", area="Area")],
        assumes=[Assumes(e, "common", how="silent") for e in ("show/base", "show/middle")],
    )
    assert [p.id for p in make_plan(graph, ["compiler"]).primer] == ["nobody", "common"]


def test_a_declared_order_is_never_broken() -> None:
    after = ListenAfter("show/base", "show/middle")
    assert titles(make_plan(changed(listen_after=[after]), ["compiler"])) == ["Middle", "Base", "Goal", "Deep"]


def test_an_outdated_fact_and_a_bare_title_are_caveats() -> None:
    bare = Episode("show/goal", "Goal", show="Show", number=3, minutes=30, basis="title", dated=("Says X; now Y.",))
    episodes = [e if e.id != bare.id else bare for e in GRAPH.episodes]
    step = make_plan(changed(episodes=episodes), ["compiler"]).steps[2]
    assert step.caveats == ("Says X; now Y.", "the map knows this episode only by its title")


def test_what_is_unknown_or_circular_is_refused() -> None:
    for goals, known, heard, kind in (
        (["nowhere"], [], [], "concept or episode"),
        (["views"], ["nowhere"], [], "concept"),
        (["views"], [], ["nowhere"], "episode"),
    ):
        with pytest.raises(UnknownName, match=f"no {kind} .*nowhere"):
            make_plan(GRAPH, goals, known, heard)
    circle = (*GRAPH.requires, Requires("views", "compiler", need="bridge", reason="round"))
    with pytest.raises(CycleError):
        make_plan(changed(requires=circle), ["views"])
