"""What an answer names for a goal that no episode explains."""

from dataclasses import replace

import pytest

from tests.graph.plans import GRAPH, changed, plan, told
from torchatlas.graph.model import Episode, Mentions, Snapshot
from torchatlas.graph.planning.demands import Teachers
from torchatlas.graph.planning.reasons import nearest_to
from torchatlas.ui.plans import plan_markdown


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
