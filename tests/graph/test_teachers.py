"""Who teaches a concept, how sure that is, and what is named for a goal that no episode explains."""

from dataclasses import replace

import pytest

from tests.graph import builds
from tests.graph.plans import GRAPH, changed, plan, told
from torchatlas.graph.answers import Plan
from torchatlas.graph.model import Episode, Mentions, Origin, Snapshot
from torchatlas.graph.planning.demands import Teachers, known_concepts, main_subjects
from torchatlas.graph.planning.reasons import nearest_to
from torchatlas.ui.plans import plan_markdown


def graph(teaches: str, relations: str = "", requires: str = "") -> Snapshot:
    return builds.graph(
        "goal near far whole kin", "one two three", teaches=teaches, requires=requires, concept_relations=relations
    )


def test_a_subject_counts_before_a_part() -> None:
    found = Teachers(graph("one far goal, two goal, three ~goal"))
    assert found.explaining("goal") == found.about("goal") == ("one", "two")
    assert found.mainly_about("goal") == ("two",)  # of which it is the first subject
    assert main_subjects(found.snapshot, "one") == ["far", "goal"]


def test_a_post_is_no_teacher() -> None:
    taught = graph("one goal, two goal, three goal")
    posts = [replace(e, kind="post") if e.id == "three" else e for e in taught.episodes]
    assert Teachers(replace(taught, episodes=tuple(posts))).explaining("goal") == ("one", "two")


@pytest.mark.parametrize(
    ("relation", "requires"),
    [("", "goal near bridge"), ("goal PART_OF near", ""), ("near PART_OF goal", "")],
)
def test_a_part_is_best_explained_beside_a_subject_close_to_it(relation: str, requires: str) -> None:
    """Two makes less of the goal."""
    assert Teachers(graph("one far ~goal, two near ~kin ~goal", relation, requires)).explaining("goal") == ("two",)


@pytest.mark.parametrize(
    ("teaches", "relations", "episodes"),
    [
        # where nothing close is a subject, a goal is met where most of it is said
        ("one far ~near ~goal, two far ~goal", "", "two"),
        ("two far ~goal, one far ~goal", "", "one"),
        ("", "", ""),
        # a whole without an episode is met where its parts are explained at length
        ("one far ~near, two far ~near, three kin", "near PART_OF goal, kin PART_OF goal", "three one two"),
        # a goal that no episode is devoted to is met within its whole too, where that explains the goal
        ("one near goal, two whole ~goal, three whole", "goal PART_OF whole", "one two"),
        ("one goal, two whole ~goal, three whole", "goal PART_OF whole", "one"),
        ("one near goal, two whole ~goal, three whole", "", "one"),
    ],
)
def test_a_goal_is_met_where_most_of_it_is_said(teaches: str, relations: str, episodes: str) -> None:
    assert Teachers(graph(teaches, relations)).on_goal("goal") == tuple(episodes.split())


def test_what_is_said_in_passing_meets_no_need_and_no_goal_by_its_part() -> None:
    assert Teachers(graph("one far ~near ~goal, two far ~goal")).explaining("goal") == ()
    taught = graph("one far ~near, two far ~near, three kin", "near PART_OF goal, kin PART_OF goal")
    little = [replace(t, weight=0.3) if (t.source, t.target) == ("one", "near") else t for t in taught.teaches]
    assert Teachers(replace(taught, teaches=tuple(little))).on_goal("goal") == ("three", "two")


TIED = "goal USES near, goal USES kin, goal USES far"


@pytest.mark.parametrize(
    ("teaches", "relations", "requires", "episodes"),
    [
        # for what nobody teaches the episodes on its whole stand in; Three teaches more of what is tied to it
        ("one whole, two kin whole, three near ~whole", "goal PART_OF whole, goal ALTERNATIVE_TO near", "", "one"),
        # unless an episode is devoted to a part of it: then all that is tied to it counts
        ("one whole, three near ~whole", "goal PART_OF whole, near PART_OF goal", "", "three"),
        ("one whole, three near ~whole", "goal PART_OF whole", "", "one"),
        # else the episode that teaches most of what is tied and not below
        ("one near, two kin ~near, three far ~near ~kin", TIED, "", "three"),
        ("one near, two kin ~near, three far ~near ~kin", TIED, "goal far bridge", "two"),
        # else what explains its kin: what it is a part of, extends or implements leads there, and a curated kind
        ("two far ~kin", "goal PART_OF kin", "", "two"),
        ("two far ~kin", "goal EXTENDS kin", "", "two"),
        ("two far ~kin", "kin IMPLEMENTED_WITH goal", "", "two"),
        ("two far ~kin", "kin EXTENDS goal", "", "two"),
        ("two far ~kin", "kin EXTENDS goal declared", "", ""),
        ("two far ~kin", "goal IMPLEMENTED_WITH kin", "", ""),
        ("two far ~kin", "goal USES kin", "", ""),
        # else the episode with most of a subject to which another relation leads
        ("one far whole kin, two far near", "goal USES kin, near USES goal", "", "two"),
        ("", "goal USES kin, near USES goal", "", ""),
    ],
)
def test_the_closest_where_nobody_teaches_it(teaches: str, relations: str, requires: str, episodes: str) -> None:
    assert Teachers(graph(teaches, relations, requires)).closest("goal") == tuple(episodes.split())


def test_only_what_the_catalogue_says_makes_the_parts_of_a_known_whole_known() -> None:
    chosen = graph("one goal ~far", "far PART_OF whole, near PART_OF whole declared, kin USES whole")
    assert known_concepts(chosen, ["whole"], []) == {"whole", "far"}
    assert known_concepts(chosen, [], ["one"]) == {"goal"}


ALL: tuple[Origin, ...] = ("curated", "declared", "drafted", "inferred")


def origins(plan: Plan) -> dict[str, Origin | None]:
    return {step.title: step.origin for step in plan.steps}


def with_needs(**origin: Origin) -> Snapshot:
    """Return the graph whose needs, by their ends ("compiler_tracing"), come from somewhere else."""
    return changed(requires=[replace(r, origin=origin.get(f"{r.source}_{r.target}", r.origin)) for r in GRAPH.requires])


def test_a_plan_that_people_judged_has_nothing_to_say() -> None:
    found = plan("compiler")
    assert found.origin == "curated" and {*origins(found).values()} == {"curated"}
    assert not found.remarks and not any(step.doubt for step in found.steps)


@pytest.mark.parametrize("origin", ALL[1:])
def test_a_step_is_as_sure_as_the_need_that_calls_for_it_and_the_plan_as_its_least_sure_step(origin: Origin) -> None:
    found = plan("compiler", with_needs(compiler_tracing=origin))
    assert origins(found) == {"Base": "curated", "Middle": origin, "Goal": "curated", "Deep": "curated"}
    assert found.origin == origin and found.remarks[-1].startswith(f"How sure: {origin}; ")


def test_a_step_is_no_surer_than_that_its_episode_explains_what_is_needed() -> None:
    taught = [replace(t, origin="inferred") if t.source == "goal" else t for t in GRAPH.teaches]
    found = origins(plan("compiler", with_needs(compiler_tracing="declared"), teaches=taught))
    assert (found["Goal"], found["Middle"], found["Base"]) == ("inferred", "declared", "curated")


def test_an_episode_that_was_asked_for_needs_no_evidence_and_one_that_it_asks_for_is_declared() -> None:
    found = plan("aside", listen_after="aside deep: listen to Deep first")
    assert origins(found) == {"Deep": "declared", "Aside": None} and found.origin == "declared"
    assert plan("aside").origin is None


def test_an_episode_that_only_names_a_goal_is_a_guess() -> None:
    named = Mentions("bare", "nobody", count=1, field="description", start=0, end=6, evidence="nobody")
    found = plan("nobody", episodes="+ bare:9", requires="", assumes="", mentions=[named])
    assert origins(found) == {"Bare": "inferred"} and found.steps[0].nearest


def test_a_sentence_is_as_sure_as_the_surest_edge_that_calls_for_it() -> None:
    assert [line.told for line in plan("compiler").primer] == ["What nobody is."]
    drafted = plan("compiler", with_needs(compiler_nobody="drafted"))
    assert [line.told for line in drafted.primer] == ["What nobody is. (drafted)"]


def near(graph: Snapshot, kind: str = "hear", without: str = "") -> list[tuple[str, str]]:
    """What is nearest to Lost, each with its reason."""
    return [
        (n.name, n.why) for n in nearest_to(Teachers(graph), "lost", without=set(without.split())) if n.kind == kind
    ]


@pytest.mark.parametrize(
    ("requires", "relations", "expected"),
    [
        # the nearest come first, each once, with the tie in words
        (
            "lost views bridge, lost tracing worth, partitioner lost bridge",
            "lost USES island, lost PART_OF compiler, compiler ALTERNATIVE_TO lost",
            [
                ("#3 Goal", "Lost is a part of Compiler; this episode explains Compiler."),
                ("#2 Middle", "Lost needs Tracing; this episode explains Tracing."),
                ("#1 Again", "Lost needs Views; this episode explains Views."),
                ("#5 Aside", "Lost uses Island; this episode explains Island."),
            ],
        ),
        # where nothing tied has an episode, what lies further below counts
        (
            "whole nobody bridge, nobody views bridge",
            "lost PART_OF whole",
            [("#1 Again", "Lost builds on Views; this episode explains Views.")],
        ),
        # then what a concept between ties to it: Whole has more ties than Nobody; Detail is explained in passing
        (
            BETWEEN := "lost whole bridge, lost nobody bridge, detail nobody bridge, partitioner whole bridge, "
            "island whole bridge",
            "whole USES compiler",
            [
                ("#2 Middle", "Lost needs Nobody; Detail needs Nobody; this episode explains Detail."),
                ("#3 Goal", "Lost needs Whole; Whole uses Compiler; this episode explains Compiler."),
            ],
        ),
        (
            f"{BETWEEN}, lost views bridge",
            "whole USES compiler",
            [("#1 Again", "Lost needs Views; this episode explains Views.")],
        ),
        # an episode that explains something tied in passing is near where no other is
        ("", "lost USES detail", [("#2 Middle", "Lost uses Detail; this episode explains Detail.")]),
    ],
)
def test_the_nearest_to_hear(requires: str, relations: str, expected: list[tuple[str, str]]) -> None:
    tied = changed(requires=requires, concept_relations=relations)
    assert near(tied) == expected
    if len(expected) == 4:
        assert [name for name, _ in near(tied, without="goal")] == ["#2 Middle", "#1 Again", "#5 Aside", "#4 Deep"]


def test_episodes_that_lean_on_the_goal_or_name_it_are_near_but_posts_are_not() -> None:
    named = [
        Mentions(e, "lost", count=n, field="title", start=0, end=4, evidence="lost")
        for e, n in (("deep", 1), ("goal", 3), ("post", 9))
    ]
    graph = changed(
        requires="",
        concept_relations="",
        episodes=(*GRAPH.episodes, Episode("post", "Post", show="Show", kind="post")),
        assumes="base lost, post lost",
        mentions=named,
    )
    assert near(graph) == [
        ("#0 Base", "This episode takes Lost for granted."),
        ("#3 Goal", "A description of this episode names Lost."),
        ("#4 Deep", "A description of this episode names Lost."),
    ]


def test_a_page_on_something_tied_is_read_where_the_goal_has_none() -> None:
    graph = changed(requires="", concept_relations="lost PART_OF detail")
    (page,) = [n for n in nearest_to(Teachers(graph), "lost") if n.kind == "read"]
    assert (page.name, page.why, page.link) == ("Detail", "Lost is a part of Detail.", "https://docs.example/tracing")
    own = [replace(c, source_paths=("c10",)) if c.id == "lost" else c for c in graph.concepts]
    assert not near(replace(graph, concepts=tuple(own)), "read")


def test_a_plan_without_an_episode_on_the_goal_names_what_is_near_and_is_not_in_the_plan() -> None:
    graph = changed(requires="+ lost island bridge")
    found = plan("lost", graph)
    assert told(found) == "before Base, before Middle"
    assert [(n.name, n.kind) for n in found.nearest] == [("#5 Aside", "hear"), ("Tracing", "read")]
    shown = "## Nearest to Lost\n\n- **#5 Aside**: Lost needs Island; this episode explains Island."
    assert shown in plan_markdown(found)
    assert not plan("compiler", graph).nearest and not plan("lost", graph, known="lost").nearest
