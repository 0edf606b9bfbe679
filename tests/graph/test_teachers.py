"""Who teaches a concept: by the depth of what an episode teaches, then by what else the episode is about."""

from dataclasses import replace

import pytest

from tests.graph import builds
from torchatlas.graph.model import Snapshot
from torchatlas.graph.planning.demands import Teachers, known_concepts, main_subjects


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
