"""Who teaches a concept: by the depth of what an episode teaches, then by what else the episode is about."""

from dataclasses import replace
from typing import Any

import pytest

from tests.graph.plans import teaches
from torchatlas.graph.model import Concept, ConceptRelation, Episode, Requires, Snapshot
from torchatlas.graph.planning.demands import Teachers, known_concepts, main_subjects

IDS = ("goal", "near", "far", "whole", "kin")
EPISODES = ("one", "two", "three")


def graph(*taught: Any, requires: tuple[Requires, ...] = (), relations: tuple[ConceptRelation, ...] = ()) -> Snapshot:
    """Each of `taught` is an episode and what it teaches, parts with a ~."""
    return Snapshot(
        concepts=tuple(Concept(c, c.title(), area="Area") for c in IDS),
        episodes=tuple(Episode(e, e.title(), show="Show", number=n) for n, e in enumerate(EPISODES)),
        teaches=tuple(t for episode, *concepts in taught for t in teaches(episode, *concepts)),
        requires=requires,
        concept_relations=relations,
    )


def part(source: str, target: str) -> ConceptRelation:
    return ConceptRelation(source, target, kind="PART_OF")


def test_a_subject_counts_before_a_part() -> None:
    found = Teachers(graph(("one", "far", "goal"), ("two", "goal"), ("three", "~goal")))
    assert found.explaining("goal") == found.about("goal") == ("one", "two")
    assert found.mainly_about("goal") == ("two",)  # of which it is the first subject
    assert main_subjects(found.snapshot, "one") == ["far", "goal"]


def test_a_post_is_no_teacher() -> None:
    taught = graph(("one", "goal"), ("two", "goal"))
    post = Episode("post", "Post", show="Show", kind="post")
    with_post = Snapshot(
        concepts=taught.concepts, episodes=(*taught.episodes, post), teaches=(*taught.teaches, *teaches("post", "goal"))
    )
    assert Teachers(with_post).explaining("goal") == ("one", "two")


@pytest.mark.parametrize("tie", ["requires", "required relation", "relation", "relation back"])
def test_a_part_is_best_explained_beside_a_subject_close_to_it(tie: str) -> None:
    needs = Requires("goal", "near", need="bridge", reason="r")
    relations = {"relation": part("goal", "near"), "relation back": part("near", "goal")}
    chosen = graph(
        ("one", "far", "~goal"),
        ("two", "near", "~kin", "~goal"),  # it makes less of the goal
        requires=(needs,) if "require" in tie else (),
        relations=tuple(r for name, r in relations.items() if name == tie),
    )
    assert Teachers(chosen).explaining("goal") == ("two",)


def test_where_nothing_close_is_a_subject_a_goal_is_met_where_most_of_it_is_said_and_a_need_is_not() -> None:
    first = Teachers(graph(("one", "far", "~near", "~goal"), ("two", "far", "~goal")))
    assert first.on_goal("goal") == ("two",) and first.explaining("goal") == ()
    assert Teachers(graph(("two", "far", "~goal"), ("one", "far", "~goal"))).on_goal("goal") == ("one",)
    assert Teachers(graph()).on_goal("goal") == ()


def test_a_whole_without_an_episode_is_met_where_its_parts_are_explained_at_length() -> None:
    """Three says little of Near; Kin has an episode of its own, which deepens the goal instead."""
    relations = (part("near", "goal"), part("kin", "goal"))
    taught = graph(("one", "far", "~near"), ("two", "far", "~near"), ("three", "kin"), relations=relations)
    little = [replace(t, weight=0.3) if (t.source, t.target) == ("one", "near") else t for t in taught.teaches]
    assert Teachers(taught).on_goal("goal") == ("three", "one", "two")
    assert Teachers(replace(taught, teaches=tuple(little))).on_goal("goal") == ("three", "two")


def test_for_what_nobody_teaches_the_episodes_on_its_whole_stand_in() -> None:
    """Three teaches more of what is tied to it."""
    taught = (("one", "whole"), ("two", "kin", "whole"), ("three", "near", "~whole"))
    relations = (part("goal", "whole"), ConceptRelation("goal", "near", kind="ALTERNATIVE_TO"))
    assert Teachers(graph(*taught, relations=relations)).closest("goal") == ("one",)


def test_unless_an_episode_is_devoted_to_a_part_of_it() -> None:
    """Then all that is tied to it counts, and Three teaches more of that."""
    taught = (("one", "whole"), ("three", "near", "~whole"))
    relations = (part("goal", "whole"), part("near", "goal"))
    assert Teachers(graph(*taught, relations=relations)).closest("goal") == ("three",)
    assert Teachers(graph(*taught, relations=relations[:1])).closest("goal") == ("one",)


def test_else_the_episode_that_teaches_most_of_what_is_tied_and_not_below() -> None:
    relations = tuple(ConceptRelation("goal", c, kind="USES") for c in ("near", "kin", "far"))
    taught = (("one", "near"), ("two", "kin", "~near"), ("three", "far", "~near", "~kin"))
    assert Teachers(graph(*taught, relations=relations)).closest("goal") == ("three",)
    below = (Requires("goal", "far", need="bridge", reason="r"),)
    assert Teachers(graph(*taught, relations=relations, requires=below)).closest("goal") == ("two",)


@pytest.mark.parametrize(
    ("relation", "explains"),
    [
        (ConceptRelation("goal", "kin", kind="PART_OF"), ("two",)),
        (ConceptRelation("goal", "kin", kind="EXTENDS"), ("two",)),
        (ConceptRelation("kin", "goal", kind="IMPLEMENTED_WITH"), ("two",)),
        (ConceptRelation("kin", "goal", kind="EXTENDS"), ("two",)),
        (ConceptRelation("kin", "goal", kind="EXTENDS", origin="declared"), ()),
        (ConceptRelation("goal", "kin", kind="IMPLEMENTED_WITH"), ()),
        (ConceptRelation("goal", "kin", kind="USES"), ()),
    ],
)
def test_else_what_explains_its_kin(relation: ConceptRelation, explains: tuple[str, ...]) -> None:
    """Two explains Kin, on the way: what Goal is a part of, extends or implements leads there, and a curated kind."""
    assert Teachers(graph(("two", "far", "~kin"), relations=(relation,))).closest("goal") == explains


def test_else_the_episode_with_most_of_a_subject_to_which_another_relation_leads() -> None:
    relations = (ConceptRelation("goal", "kin", kind="USES"), ConceptRelation("near", "goal", kind="USES"))
    taught = (("one", "far", "whole", "kin"), ("two", "far", "near"))
    assert Teachers(graph(*taught, relations=relations)).closest("goal") == ("two",)
    assert Teachers(graph(relations=relations)).closest("goal") == ()


def test_only_what_the_catalogue_says_makes_the_parts_of_a_known_whole_known() -> None:
    said = ConceptRelation("near", "whole", kind="PART_OF", origin="declared")
    uses = ConceptRelation("kin", "whole", kind="USES")
    chosen = graph(("one", "goal", "~far"), relations=(part("far", "whole"), said, uses))
    assert known_concepts(chosen, ["whole"], []) == {"whole", "far"}
    assert known_concepts(chosen, [], ["one"]) == {"goal"}


def test_a_goal_that_no_episode_is_devoted_to_is_met_within_its_whole_too() -> None:
    taught = ("one", "near", "goal"), ("two", "whole", "~goal"), ("three", "whole")
    found = Teachers(graph(*taught, relations=(part("goal", "whole"),)))
    assert found.on_goal("goal") == ("one", "two")  # "three" is about the whole and does not explain the goal
    devoted = Teachers(graph(("one", "goal"), *taught[1:], relations=(part("goal", "whole"),)))
    assert devoted.on_goal("goal") == ("one",)
    assert Teachers(graph(*taught)).on_goal("goal") == ("one",)
