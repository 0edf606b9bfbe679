"""The order of episodes that are all goals: by number, unless the graph says that the later one comes first."""

from itertools import combinations
from typing import Any

import pytest

from tests.graph.builds import graph
from tests.graph.plans import plan

AREAS = "a:One b:Two c:Three d:Four"
HINTS = [  # the weightiest first: a group, who says "two first", who says "one first"
    ("listen_after", "one two", "two one"),
    ("requires", "a b", "b a"),
    ("requires", "a b bridge", "b a bridge"),
    ("concept_relations", "b RUNS_BEFORE a", "a RUNS_BEFORE b"),
    ("refers_to", "one continues two", "two continues one"),
    ("assumes", "one b", "two a"),
]


def order(goals: str = "one two", *, concepts: str = AREAS, teaches: str = "one a, two b", **groups: Any) -> str:
    return " ".join(s.episode_id for s in plan(goals, graph(concepts, goals, teaches=teaches, **groups)).steps)


@pytest.mark.parametrize(("group", "two_first", "one_first"), HINTS)
def test_each_hint_decides_alone(group: str, two_first: str, one_first: str) -> None:
    assert order(**{group: two_first}) == "two one"
    assert order(**{group: one_first}) == "one two"


@pytest.mark.parametrize(("strong", "weak"), [pair for pair in combinations(HINTS, 2) if pair != (HINTS[1], HINTS[2])])
def test_of_two_hints_that_contradict_each_other_the_weightier_decides(strong: Any, weak: Any) -> None:
    assert order(**{strong[0]: strong[1], weak[0]: weak[2]}) == "two one"


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ({}, "one two"),
        # each takes the other for granted
        ({"assumes": "one b, two a"}, "one two"),
        # A, of which One is about first, wants B; C, only the second subject of Two, needs D, the second one of One
        ({"teaches": "one a d, two b c", "requires": "a b worth, c d"}, "two one"),
        # some references say what comes first
        ({"refers_to": "one listen_first two"}, "two one"),
        ({"refers_to": "two announces one"}, "two one"),
        ({"refers_to": "one mentions two"}, "one two"),
        ({"refers_to": "one more_in two"}, "one two"),
    ],
)
def test_the_numbers_decide_unless_a_reference_or_the_first_subject_does(groups: dict[str, str], expected: str) -> None:
    assert order(**groups) == expected


@pytest.mark.parametrize(
    "groups",
    [
        {"teaches": "one a ~c, two b, three d ~c"},
        {"assumes": "one c, three c"},
        {"concepts": AREAS.replace("Four", "One")},
    ],
)
def test_episodes_that_share_a_topic_stand_together(groups: dict[str, str]) -> None:
    assert order("one two three", **{"teaches": "one a, two b, three d"} | groups) == "one three two"
