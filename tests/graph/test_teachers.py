"""Who teaches a concept, and what is named for a goal that no episode explains."""

import re
from dataclasses import replace
from typing import Any

import pytest

from tests.extract.cases import rows
from tests.graph import builds
from tests.graph.builds import changed
from torchatlas.graph.model import Mentions, Snapshot
from torchatlas.graph.planning.demands import Teachers, known_concepts, main_subjects
from torchatlas.graph.planning.reasons import nearest_to

TIED = "goal USES near, goal USES kin, goal USES far"
CLOSEST = f"""
# for what nobody teaches the episodes on its whole stand in; Three teaches more of what is tied to it
one whole, two kin whole, three near ~whole; goal PART_OF whole, goal ALTERNATIVE_TO near => one
# unless an episode is devoted to a part of it: then all that is tied to it counts
one whole, three near ~whole; goal PART_OF whole, near PART_OF goal => three
one whole, three near ~whole; goal PART_OF whole => one
# else the episode that teaches most of what is tied and not below
one near, two kin ~near, three far ~near ~kin; {TIED} => three
one near, two kin ~near, three far ~near ~kin; {TIED}; goal far bridge => two
# else what explains its kin: what it is a part of, extends or implements leads there, and a curated kind
two far ~kin; goal PART_OF kin => two | two far ~kin; goal EXTENDS kin => two | two far ~kin; goal USES kin =>
two far ~kin; kin IMPLEMENTED_WITH goal => two | two far ~kin; goal IMPLEMENTED_WITH kin =>
two far ~kin; kin EXTENDS goal => two | two far ~kin; kin EXTENDS goal declared =>
# else the episode with most of a subject to which another relation leads
one far whole kin, two far near; goal USES kin, near USES goal => two | ; goal USES kin, near USES goal =>
"""
ON_GOAL = """
# a goal is met where most of it is said; where nothing close is a subject
one far ~near ~goal, two far ~goal => two | two far ~goal, one far ~goal => one | =>
# a whole without an episode is met where its parts are explained at length
one far ~near, two far ~near, three kin; near PART_OF goal, kin PART_OF goal => three one two
# a goal that no episode is devoted to is met within its whole too, where that explains the goal
one near goal, two whole ~goal, three whole; goal PART_OF whole => one two
one goal, two whole ~goal, three whole; goal PART_OF whole => one | one near goal, two whole ~goal, three whole => one
"""
EXPLAINING = """
# a subject counts before a part
one far goal, two goal, three ~goal => one two
# a part is best explained beside a subject close to it; Two makes less of the goal
one far ~goal, two near ~kin ~goal; ; goal near bridge => two
one far ~goal, two near ~kin ~goal; goal PART_OF near => two
one far ~goal, two near ~kin ~goal; near PART_OF goal => two
# what is said in passing meets no need
one far ~near ~goal, two far ~goal =>
"""


def graph(*texts: str) -> Snapshot:
    """The concepts and episodes with what is taught and, where they are given, relations and needs."""
    groups = dict(zip(("teaches", "concept_relations", "requires"), texts, strict=False))
    return builds.graph("goal near far whole kin", "one two three", **groups)


TABLES = (("closest", CLOSEST), ("on_goal", ON_GOAL), ("explaining", EXPLAINING))


@pytest.mark.parametrize(
    ("asked", "of", "episodes"), [(asked, *row) for asked, table in TABLES for row in rows(table) if len(row) == 2]
)
def test_who_teaches_a_concept_and_who_is_closest_where_nobody_does(asked: str, of: str, episodes: str) -> None:
    assert getattr(Teachers(graph(*of.split("; "))), asked)("goal") == tuple(episodes.split())


def test_a_subject_and_the_first_subject_are_told_apart_and_a_trailer_is_no_teacher() -> None:
    found = Teachers(graph("one far goal, two goal, three ~goal"))
    assert (found.about("goal"), found.mainly_about("goal")) == (("one", "two"), ("two",))
    assert main_subjects(found.graph, "one") == ["far", "goal"]
    assert Teachers(changed(found.graph, trailers="two")).explaining("goal") == ("one",)


def test_what_is_said_in_passing_meets_no_goal_by_its_part() -> None:
    taught = graph("one far ~near, two far ~near, three kin", "near PART_OF goal, kin PART_OF goal")
    little = [replace(t, weight=0.3) if (t.source, t.target) == ("one", "near") else t for t in taught.teaches]
    assert Teachers(replace(taught, teaches=tuple(little))).on_goal("goal") == ("three", "two")


def test_only_what_the_catalogue_says_makes_the_parts_of_a_known_whole_known() -> None:
    chosen = graph("one goal ~far", "far PART_OF whole, near PART_OF whole declared, kin USES whole")
    assert known_concepts(chosen, ["whole"], []) == {"whole", "far"}
    assert known_concepts(chosen, [], ["one"]) == {"goal"}


BETWEEN = "lost whole bridge, lost nobody bridge, detail nobody bridge, partitioner whole bridge, island whole bridge"
TIES = "lost views bridge, lost tracing worth, partitioner lost bridge"
RELATIONS = "lost USES island, lost PART_OF compiler, compiler ALTERNATIVE_TO lost"
NEAREST = f"""
# the nearest come first, each once, with the tie in words
{TIES}; {RELATIONS}
    hear #3 Goal: Lost is a part of Compiler; this episode explains Compiler.
    hear #2 Middle: Lost needs Tracing; this episode explains Tracing.
    hear #1 Again: Lost needs Views; this episode explains Views.
    hear #5 Aside: Lost uses Island; this episode explains Island.
    read Tracing: Lost needs Tracing.
{TIES}; {RELATIONS}; goal
    hear #2 Middle: Lost needs Tracing; this episode explains Tracing.
    hear #1 Again: Lost needs Views; this episode explains Views.
    hear #5 Aside: Lost uses Island; this episode explains Island.
    hear #4 Deep: Partitioner needs Lost; this episode explains Partitioner.
    read Tracing: Lost needs Tracing.
# where nothing tied has an episode, what lies further below counts
whole nobody bridge, nobody views bridge; lost PART_OF whole
    hear #1 Again: Lost builds on Views; this episode explains Views.
# then what a concept between ties to it: Whole has more ties than Nobody; Detail is explained in passing
{BETWEEN}; whole USES compiler
    hear #2 Middle: Lost needs Nobody; Detail needs Nobody; this episode explains Detail.
    hear #3 Goal: Lost needs Whole; Whole uses Compiler; this episode explains Compiler.
{BETWEEN}, lost views bridge; whole USES compiler
    hear #1 Again: Lost needs Views; this episode explains Views.
# an episode that explains something tied in passing is near where no other is, and a page on it is read
; lost USES detail
    hear #2 Middle: Lost uses Detail; this episode explains Detail.
    read Detail: Lost uses Detail.
"""


def near(graph: Snapshot, without: str = "") -> list[str]:
    found = nearest_to(Teachers(graph), "lost", without=set(without.split()))
    return [f"{n.kind} {n.name}: {n.why}" for n in found]


@pytest.mark.parametrize("case", re.split(r"\n(?! )", re.sub(r"(?m)^#.*\n", "", NEAREST).strip("\n")))
def test_what_is_nearest_to_a_concept_that_nobody_explains(case: str) -> None:
    asked, *expected = case.split("\n    ")
    requires, relations, *without = asked.split("; ")
    assert near(changed(requires=requires, concept_relations=relations), *without) == expected


def test_episodes_that_lean_on_the_goal_or_name_it_are_near_but_trailers_are_not() -> None:
    text: Any = {"field": "title", "start": 0, "end": 4, "evidence": "lost"}
    named = [Mentions(e, "lost", count=n, **text) for e, n in (("deep", 1), ("goal", 3), ("aside", 9))]
    lean = changed(trailers="aside", requires="", concept_relations="", assumes="base lost, aside lost", mentions=named)
    assert near(lean) == [
        "hear #0 Base: This episode takes Lost for granted.",
        "hear #3 Goal: A description of this episode names Lost.",
        "hear #4 Deep: A description of this episode names Lost.",
    ]


def test_a_page_on_something_tied_is_read_where_the_goal_has_none() -> None:
    part = changed(requires="", concept_relations="lost PART_OF detail")
    assert nearest_to(Teachers(part), "lost")[-1].link == "https://docs.example/tracing"
    own = [replace(c, source_paths=("c10",)) if c.id == "lost" else c for c in part.concepts]
    assert not [why for why in near(replace(part, concepts=tuple(own))) if why.startswith("read")]
