"""What a plan says: its episodes, their order, the reasons, what fits, what does not, other routes, how sure it is."""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.extract.cases import pairs
from tests.graph.builds import GRAPH, changed, graph, plan
from torchatlas.graph.answers import Nearby, Needed, Plan, Primer, Route, Split, Taught, Unmet
from torchatlas.graph.errors import AtlasError
from torchatlas.graph.model import Episode, Mentions, Snapshot
from torchatlas.graph.planning import choice
from torchatlas.graph.planning.sessions import lengths_of
from torchatlas.ui.plans import plan_markdown

SPLITS = ("", "3", "x30m", "3x", "0x30m", "3x0m", "-1x30m", "100x5m", "3x30m2", "٣x30m")
NAMED = Mentions("bare", "nobody", count=1, field="description", start=0, end=6, evidence="nobody")
BARE: Any = {"basis": "title", "dated": ("Says X; now Y.",)}
NEEDS = "compiler tracing, tracing views, partitioner compiler"
WORTHY = "tracing views, compiler tracing worth: it does so, partitioner compiler worth"
GRAPHS = {
    "asking": graph("locks", "a:10 b:10 c:10 d:10", listen_after="b a: First., c b: First., d c: First."),
    "dated": changed(episodes=[replace(e, **BARE) if e.id == "goal" else e for e in GRAPH.episodes]),
    "bare": changed(episodes="+ bare:9", requires="", assumes="", mentions=[NAMED]),
    "worthy": changed(requires=WORTHY),
    "statistic": changed(requires="compiler island bridge, partitioner island"),
    "whole": changed(episodes="+ overview:10", teaches="overview whole", requires=NEEDS),
    "unloved": changed(teaches="middle tracing detail, aside island lost", concept_relations=""),
    "kinds": changed(teaches="aside island lost", requires=""),
    "judged": changed(concept_relations="partitioner DEEPENS island: it is its best example"),
    "gone": changed(concept_relations="island SUPERSEDED_BY lost, lost SUPERSEDED_BY partitioner"),
    "worth": changed(
        graph("", "g:20 w:15 p:15", teaches="g goal, w worth, p part", requires="goal worth worth"),
        concept_relations="part PART_OF goal",
    ),
    "better": graph("", "g:20 n:15 w:10", teaches="g goal, n need, w worth", requires="goal need, goal worth worth"),
    "own": changed(
        graph("", "a:9 b:9 c:9 d:9 e:9", teaches="a x, b x ~y, c x, d x, e x"),
        origins="a x declared, b x declared, c x declared, d x declared, e x inferred",
    ),
    "lined": changed(
        graph(teaches="g goal, a one, b two, c three", requires="goal one, goal two, goal three"),
        episodes=[
            Episode(id_, id_.upper(), "s", minutes=9, x=x) for id_, x in zip("abcg", (0, 900, 300, 600), strict=True)
        ],
    ),
    "equal": graph(
        episodes="e0:15 e1:15 e2:15 e3:15",
        teaches="e0 c0, e1 c1, e2 c2 c3, e3 c0 c3",
        requires="c1 c0, c2 c0, c2 c1, c3 c0 worth, c3 c1, c3 c2",
    ),
}
HOLDS = Path(__file__).with_name("plans.txt").read_text("utf-8")
"""Questions and what is seen of their plans."""
READ: dict[str, Any] = {"budget": int, "taken": str.split, "speed": float, "split": Split.parse}


def ask(question: str) -> Plan:
    """Plan as a line asks: "compiler island; known=tracing; budget=30; requires=+ tracing island worth".

    `in=NAME` plans in one of GRAPHS.
    """
    goals, *options = question.split("; ")
    given = dict(option.split("=", 1) for option in options)
    graph = GRAPHS[given.pop("in")] if "in" in given else GRAPH
    return plan(goals, graph, **{name: READ.get(name, str)(words) for name, words in given.items()})


def table(text: str) -> list[Any]:
    """The questions of a table, and what is seen of each plan: view -> words.

    A question begins a line. Behind " => " and " / ", and below, further in, stand views: the plan's steps, or
    "why Middle: ...". Comments say what the cases below them claim.
    """
    found, claim = [], ""
    for case in re.split(r"\n+(?=\S)", text.strip()):
        if case[0] == "#":
            claim = case[2:]
            continue
        question, *views = re.split(r"\s+=>|\n +| /(?= )", case)
        told = [v.strip() if re.match(r" ?[a-z]+( \w+)?:", v) else f"steps: {v}" for v in views]
        of = {view: words.strip() for view, _, words in (v.partition(":") for v in told)}
        assert of, f"nothing is seen of {question}"
        found.append(pytest.param(question, of, id=f"{claim}: {question}"))
    return found


def seen(plan: Plan, views: Iterable[str]) -> dict[str, str]:
    """The views of a plan: `steps` or a field, perhaps of one of its steps, routes or primers: "why Middle"."""
    found = {}
    for view in views:
        name, _, which = view.partition(" ")
        parts: Any = {s.title: s for s in plan.steps} | {p.id: p for p in plan.primer} | {"": plan}
        of = (parts | {r.name: r for r in plan.routes})[which]
        value = told(of) if name == "steps" else getattr(of, name)
        found[view] = " | ".join(map(_words, value)) if isinstance(value, tuple) else str(value or "")
    return found


def _words(item: Any) -> str:
    short = {Taught: "{0.id} {0.at}", Needed: "{0.id} {0.source}", Nearby: "{0.kind} {0.name}", Primer: "{0.id}"}
    return (short | {Route: "{0.name}"}).get(type(item), "{0}").format(item)


def told(plan: Any) -> str:
    """The steps of a plan or a route, each with its role: "before Base, goal Goal"."""
    return ", ".join(f"{s.role} {s.title}" for s in plan.steps)


@pytest.mark.parametrize(("question", "views"), table(HOLDS))
def test_a_plan_says(question: str, views: dict[str, str]) -> None:
    assert seen(ask(question), views) == views


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("nowhere", "no concept or episode .*nowhere"),
        ("views; known=nowhere", "no concept .*nowhere"),
        ("views; heard=nowhere", "no episode .*nowhere"),
        ("views; requires=+ views compiler bridge", "circle"),
        *((f"views; split={split}", "write 3x30m") for split in SPLITS),
    ],
)
def test_what_is_unknown_runs_in_a_circle_or_makes_no_sense_is_refused(question: str, said: str) -> None:
    with pytest.raises(AtlasError, match=said):
        ask(question)


def test_where_the_time_runs_out_the_plan_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "shortest", lambda *_: None)
    found = ask("island compiler; budget=30")
    left = "Left out: Compiler; the time ran out before it was known how much more that needs."
    assert found.unmet == (Unmet("Compiler", None),) and found.remarks[0] == left
    assert replace(found, steps=(), more=None).heading == "Nothing fits for Island, Compiler."
    monkeypatch.setattr(choice, "_SECONDS", 0.0)
    assert ask("compiler; budget=60").notes == ("The time for choosing ran out: a choice up to 100% better may exist.",)


def test_the_usual_length_is_the_median_and_episodes_are_in_the_order_of_their_numbers() -> None:
    facts = [("X", 3, 10), ("X", 1, 21), ("X", 2, None), ("Y", None, None), ("X", 0, 90), ("X", 4, 20)]
    told = Snapshot(episodes=tuple(Episode(f"{show}{n}", "", show=show, number=n, minutes=m) for show, n, m in facts))
    assert [*lengths_of(told).items()] == [("X0", 90), ("X1", 21), ("X2", 20), ("X3", 10), ("X4", 20), ("YNone", 15)]
    assert lengths_of(told, 0.7)["X1"] == 30  # as a binary fraction, 0.7 is a little less


AREAS = "a:One b:Two c:Three d:Four"
HINTS = [  # the weightiest first: a group, who says "two first", who says "one first"
    ("listen_after", "one two", "two one"),
    ("requires", "a b", "b a"),
    ("concept_relations", "b RUNS_BEFORE a", "a RUNS_BEFORE b"),
    ("concept_relations", "a USES b", "b USES a"),
    ("refers_to", "one continues two", "two continues one"),
]


def order(goals: str = "one two", *, concepts: str = AREAS, teaches: str = "one a, two b", **groups: Any) -> str:
    return " ".join(s.episode_id for s in plan(goals, graph(concepts, goals, teaches=teaches, **groups)).steps)


@pytest.mark.parametrize(("strong", "weak"), [pair for pair in combinations(HINTS, 2) if pair[0][0] != pair[1][0]])
def test_each_hint_decides_alone_and_of_two_that_contradict_each_other_the_weightier(strong: Any, weak: Any) -> None:
    for group, two_first, one_first in (strong, weak):
        assert (order(**{group: two_first}), order(**{group: one_first})) == ("two one", "one two")
    assert order(**{strong[0]: strong[1], weak[0]: weak[2]}) == "two one"


# Each takes the other for granted. A, of which One is about first, wants B; C, only the second subject of Two, needs D,
# the second one of One. Some references say what comes first. Episodes that share a topic stand together.
ORDERED = """
=> one two | assumes=one b, two a => one two | teaches=one a d, two b c; requires=a b worth, c d => two one
refers_to=one listen_first two => two one | refers_to=two announces one => two one
goals=top; teaches=one a, two b, top g; requires=g a, g b, a b bridge => two one top
goals=top one; teaches=one b, two a, top g; requires=g a, g b, a b bridge => two one top
goals=top; teaches=one a, two b, top g; requires=g a, g b; assumes=one b => two one top
refers_to=one mentions two => one two | refers_to=one more_in two => one two
goals=top; teaches=one a ~c, three b, two d ~c, top g; requires=g a, g b, g d => one two three top
goals=top; teaches=one a, three b, two d, top g; requires=g a, g b, g d; assumes=one c, two c => one two three top
goals=top; teaches=one a, three b, two d, top g; requires=g a, g b, g d; concepts=a:I d:I b:J => one two three top
"""


@pytest.mark.parametrize(("groups", "expected"), pairs(ORDERED))
def test_the_numbers_decide_unless_a_reference_the_first_subject_or_a_topic_does(groups: str, expected: str) -> None:
    assert order(**dict(group.split("=") for group in groups.split("; ") if group)) == expected


def test_what_is_nearest_is_shown_under_a_heading() -> None:
    shown = "## Nearest to Lost\n\n- **#5 Aside**: Lost needs Island; this episode explains Island."
    assert shown in plan_markdown(ask("lost; requires=+ lost island bridge"))
