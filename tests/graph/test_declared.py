"""Episodes that a text asks to hear first: a chain of them, as the notes of feeds write it."""

import pytest

from tests.graph.plans import GRAPH, changed, teaches, titles
from torchatlas.graph.model import Concept, Episode, ListenAfter, RefersTo, Snapshot
from torchatlas.graph.planning.plan import make_plan

SHOW = Snapshot(
    concepts=(Concept("locks", "locks", area="Area"),),
    episodes=tuple(Episode(e, e.title(), show="Show", number=n, minutes=10) for n, e in enumerate("abcd")),
    listen_after=tuple(ListenAfter(*pair, quote="Listen to it first.") for pair in ("ba", "cb", "dc")),
)


def test_what_an_episode_asks_to_hear_first_comes_before_it_without_any_vocabulary() -> None:
    plan = make_plan(SHOW, ["b"])
    assert [(s.title, s.role) for s in plan.steps] == [("A", "before"), ("B", "goal")]
    assert plan.steps[0].why == 'B asks to hear A first: "Listen to it first".'
    assert titles(make_plan(SHOW, ["b"], depth="brief")) == ["B"]


def test_what_that_asks_for_in_turn_comes_too_and_no_more() -> None:
    plan = make_plan(SHOW, ["d"])
    assert titles(plan) == ["B", "C", "D"]
    assert plan.steps[0].why == 'C asks to hear B first: "Listen to it first".'


def test_what_was_heard_or_is_known_is_not_asked_for_again() -> None:
    assert titles(make_plan(SHOW, ["b"], heard=["a"])) == ["B"]
    told = Snapshot(SHOW.concepts, SHOW.episodes, listen_after=SHOW.listen_after, teaches=teaches("a", "locks"))
    assert titles(make_plan(told, ["b"])) == ["A", "B"]
    assert titles(make_plan(told, ["b"], known=["locks"])) == ["B"]


def test_a_goal_follows_what_an_episode_about_the_goal_asks_for_and_not_one_that_only_touches_on_the_goal() -> None:
    asks = changed(listen_after=[ListenAfter("show/middle", "show/aside")])
    assert "Aside" in titles(make_plan(asks, ["tracing"]))
    assert "Aside" not in titles(make_plan(asks, ["detail"]))
    assert "Aside" not in titles(make_plan(asks, ["compiler"]))  # on the way to it, Middle is heard as well


@pytest.mark.parametrize(("relation", "followed"), [("listen_first", True), ("continues", False), ("more_in", False)])
def test_only_listen_first_among_references_is_followed(relation: str, followed: bool) -> None:
    reference = RefersTo("show/aside", "show/deep", relation=relation, quote="the one on parts")  # type: ignore[arg-type]
    assert ("Deep" in titles(make_plan(changed(refers_to=[reference]), ["island"]))) is followed


def test_a_post_that_is_asked_for_is_no_step() -> None:
    posts = [Episode("a", "A", show="Show", kind="post"), *SHOW.episodes[1:]]
    assert titles(make_plan(Snapshot(episodes=tuple(posts), listen_after=SHOW.listen_after), ["b"])) == ["B"]


def test_a_need_is_the_better_reason() -> None:
    plan = make_plan(changed(listen_after=[ListenAfter("show/goal", "show/middle", quote="earlier")]), ["compiler"])
    assert plan.steps[1].why == "Compiler needs Tracing: it compiles what was traced."
    assert titles(plan) == titles(make_plan(GRAPH, ["compiler"]))
