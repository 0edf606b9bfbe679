"""What a plan says: its episodes, their order, the reasons, what fits, what does not, other routes, how sure it is."""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
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
    "equal": graph(
        episodes="e0:15 e1:15 e2:15 e3:15",
        teaches="e0 c0, e1 c1, e2 c2 c3, e3 c0 c3",
        requires="c1 c0, c2 c0, c2 c1, c3 c0 worth, c3 c1, c3 c2",
    ),
}
HOLDS = """
compiler => before Base, before Middle, goal Goal, deepens Deep / amount: 4 episodes, 1 h 15 min / goals: Compiler
    primer: nobody / gaps: / unmet:
    remarks:
    nearest: / successors: / sessions: / depth: usual / origin: curated / routes: shortest
    needs Goal: tracing middle | views base / teaches Middle: tracing 0 | detail 60
    why Base: Tracing needs Views: traces are full of views.
    why Middle: Compiler needs Tracing: it compiles what was traced.
    why Goal: This episode is about Compiler.
    why Deep: Partitioner builds on Compiler.
middle => before Base, goal Middle
    why Middle: You asked for this episode.
middle; taken=middle => why Middle: This episode is about Tracing.
deep; teaches=deep ~detail; taken=deep => why Deep: This episode is the nearest to your words.
# what is known is not planned, and neither is what lies below it or is a part of it
compiler; known=tracing => goal Goal, deepens Deep / known: Tracing / needs Goal: tracing known | views known
partitioner; known=whole => goal Deep
compiler; known=compiler => remarks: Compiler is already known, so the plan has no step for Compiler.
# what was heard makes its subject known, but not the parts of its subject
compiler; heard=again => before Middle, goal Goal, deepens Deep
partitioner; heard=aside; teaches=aside island whole => before Goal, goal Deep
compiler; heard=goal => deepens Deep
    remarks: You have heard the episodes that explain Compiler; only episodes that deepen Compiler are left.
    gaps: / routes:
goal; heard=goal => remarks: You have heard Goal, so the plan has no step for Goal.
compiler; heard=base again middle goal deep aside; budget=5 =>
    remarks: You have heard the episodes that explain Compiler.
    gaps:
# who asks for something does not know it from what is above it, nor has heard it
tracing; known=compiler => goal Middle
tracing; known=tracing =>
tracing; known=compiler; heard=goal middle =>
tracing; heard=goal => goal Middle
    remarks:
tracing; heard=goal; teaches=middle => remarks: You have heard the episodes that build on Tracing.
views; heard=base => goal Again
# what a statistic puts below what is known need not be known
partitioner; known=compiler; in=statistic; origins=compiler island inferred => before Aside, goal Deep
partitioner; known=compiler; in=statistic => goal Deep
# what a goal itself needs is met by an episode devoted to it; further below, by the fewest minutes
compiler; teaches=goal compiler tracing => before Base, before Middle, goal Goal
compiler; teaches=middle tracing views ~detail => before Middle, goal Goal, deepens Deep
# of two as short, the one devoted to the concept is taken
tracing; episodes=also:10 base:10 again:11 middle:20 goal deep aside; teaches=also island views
    => before Base, goal Middle
# a part counts only where no episode has it as its subject; what the plan is about stands before other subjects
detail => goal Middle / teaches Middle: detail 60 | tracing 0
    why Middle: From 1:00 this episode explains Detail, beside Tracing, its main subject.
detail; teaches=middle tracing detail => why Middle: This episode is about Detail.
# a declared order is never broken
compiler; listen_after=base middle => before Middle, before Base, goal Goal, deepens Deep
# nothing that a goal needs stands after it, also where the goal is a part of another subject
detail; requires=detail island => before Aside, goal Middle
# of many episodes that nobody judged or put in order, three that are about little else
x; in=own => goal A, goal C, goal D
    notes: The plan has the episodes that are most about X; the depth "thorough" adds 2 more.
x; in=own; heard=a => goal C, goal D
x; in=own; depth=thorough => goal A, goal B, goal C, goal D, goal E / notes:
x; in=own; listen_after=b a => goal A, goal B, goal C, goal D, goal E / notes:
x; in=own; origins=a x curated => goal A, goal B, goal C, goal D, goal E
# what no episode explains is planned by what it needs, were it only a bridge
alone; concepts=+ alone; requires=+ alone island bridge => goal Aside / gaps: alone
    why Aside: No episode explains Alone; Alone needs Island, which this episode explains: r.
# a sequel stands behind the episode on the same subject; where nothing decides, goals come as they were typed
views; requires=views island; teaches=again views ~island => before Aside, goal Base, goal Again
island views => goal Aside, goal Base, goal Again
views island => goal Base, goal Again, goal Aside
# what is worth it to the side subject of an episode is a sentence
goal; requires=compiler views worth; teaches=goal compiler island => before Base, goal Goal
goal; requires=island views worth; teaches=goal compiler island => goal Goal
# what is worth it to the goal is heard first with all that it needs; to something on the way, it is a sentence
compiler; in=worthy => before Base, before Middle, goal Goal, deepens Deep
    why Middle: Tracing helps with Compiler: it does so.
partitioner; in=worthy => before Goal, goal Deep / primer: tracing | nobody | views
partitioner; in=worthy; depth=thorough => before Base, before Middle, before Goal, goal Deep
# what must be heard and has no episode is a gap that blocks nothing, and what is worth it is a sentence
compiler; requires=compiler nobody, compiler tracing, tracing views
    gaps: nobody / primer:
compiler; requires=compiler nobody worth, compiler tracing, tracing views
    gaps: / primer: nobody
lost => before Base, before Middle / gaps: lost
    remarks: No episode explains Lost; the steps lead up to Lost.
# what the goal requires comes first in the primer; two steps take Common for granted, and none is about what needs it
compiler; concepts=+ common; assumes=base common, middle common => primer: nobody | common
# a trailer is no step
compiler; trailers=base => before Again, before Middle, goal Goal, deepens Deep
compiler; trailers=base again middle goal deep aside =>
# a step tells of the need that only it meets
compiler; teaches=base views tracing, middle tracing detail; requires=+ compiler detail: it is in it
    why Base: Tracing needs Views: traces are full of views.
    why Middle: Compiler needs Detail: it is in it.
# a step that meets a need of its own subject is there for the subject
compiler; teaches=middle tracing views ~detail => why Middle: Compiler needs Tracing: it compiles what was traced.
# a need is a better reason than what a text asks for
compiler; listen_after=goal middle: earlier => why Middle: Compiler needs Tracing: it compiles what was traced.
# where nobody teaches the goal the closest episode stands in
whole
    badge Base: before / badge Middle: before / badge Goal: nearest
    why Goal: No episode explains Whole; Compiler, which this episode explains, is a part of Whole:\
 it is the heart of it.
# what is nearest to hear and to read is named, but not what is known or in the plan
lost; requires=+ lost island bridge => before Base, before Middle / nearest: hear #5 Aside | read Tracing
compiler; requires=+ lost island bridge => nearest:
lost; requires=+ lost island bridge; known=lost => nearest:
# what is asked for is followed from the episodes about the goal, not from one that only touches on it or on the way
tracing; listen_after=middle aside => before Aside, before Base, goal Middle
detail; listen_after=middle aside => goal Middle
compiler; listen_after=middle aside => before Base, before Middle, goal Goal, deepens Deep
island; refers_to=aside listen_first deep: the one on parts => before Deep, goal Aside
island; refers_to=aside continues deep: the one on parts => goal Aside
island; refers_to=aside more_in deep: the one on parts => goal Aside
# what an episode asks to hear first comes before it without any vocabulary, and what that asks for in turn, and no more
b; in=asking => before A, goal B
    why A: B asks to hear A first: "First".
b; in=asking; depth=brief => goal B
d; in=asking => before B, before C, goal D
    why B: C asks to hear B first: "First".
# what was heard or is known is not asked for again, and a trailer is no step
b; in=asking; heard=a => goal B
b; in=asking; teaches=a locks => before A, goal B
b; in=asking; teaches=a locks; known=locks => goal B
b; in=asking; trailers=a => goal B
# an outdated fact and a bare title are caveats
compiler; in=dated => caveats Goal: Says X; now Y. | the map knows this episode only by its title
"""
DEEPENS = """
# the parts of a whole follow it with what they need; one that no episode teaches is looked into for parts of its own
whole; in=whole; concept_relations=compiler PART_OF whole: it is the heart of it, nobody PART_OF whole
    => goal Overview, before Base, before Middle, deepens Goal
    why Goal: Compiler is a part of Whole: it is the heart of it.
whole; in=whole; concept_relations=compiler PART_OF whole, nobody PART_OF whole
    why Goal: Compiler is a part of Whole.
whole; in=whole; concept_relations=compiler PART_OF nobody: so it is, nobody PART_OF whole
    => goal Overview, before Base, before Middle, deepens Goal
    why Goal: Compiler is a part of Nobody: so it is.
# of what is inside an untaught part, the least demanding is taken
island; concept_relations=compiler PART_OF nobody, tracing PART_OF nobody, nobody PART_OF island
    => goal Aside, before Base, deepens Middle / gaps:
# what calls for no further episode is taken from inside: that on Partitioner explains what Partitioner needs
island; concept_relations=views PART_OF nobody, partitioner PART_OF nobody, nobody PART_OF island;\
 teaches=deep partitioner detail; requires=partitioner detail => goal Aside, deepens Deep, deepens Base / gaps:
# a whole comes before its parts, also where an episode's side subject needs the part
island; concept_relations=views PART_OF island => goal Aside, deepens Base
island; concept_relations=views PART_OF island; teaches=aside island tracing => goal Aside, deepens Base
# what a part needs is no part beside it
island; concept_relations=tracing PART_OF island, whole PART_OF island, views PART_OF whole
    => goal Aside, before Base, deepens Middle
# what is worth it to a component is worth it to the whole, and what is worth it to that is a sentence
island; concept_relations=compiler PART_OF island; requires=compiler tracing worth, tracing views worth
    => goal Aside, before Middle, deepens Goal / gaps:
# a part that no episode teaches is not planned
island; concept_relations=nobody PART_OF island => goal Aside / gaps:
# a component that an episode is about beside: Deep is devoted to Partitioner, nothing to Detail
goal; concept_relations=partitioner PART_OF compiler; requires=; teaches=goal compiler partitioner
    => goal Goal, deepens Deep
goal; concept_relations=detail PART_OF compiler; requires=; teaches=goal compiler detail => goal Goal
# what deepens a side subject of a goal's episode is not heard
aside; concept_relations=partitioner DEEPENS detail; teaches=aside island detail => goal Aside
detail; concept_relations=partitioner DEEPENS detail; teaches=aside island detail => goal Aside, deepens Deep
# a part gets an episode beside those of the goal: Middle is about Views first, and about the goal as well
island; teaches=middle views island; concept_relations=views PART_OF island => goal Aside, goal Middle, deepens Base
# where no episode is devoted to a goal, what needs it deepens it: Middle is about Tracing first, then about the goal
detail; in=unloved; requires=lost detail worth: it hides there => goal Middle, deepens Aside
    why Aside: Lost builds on Detail: it hides there.
detail; in=unloved; requires=lost detail bridge => goal Middle
# that calls for Base
detail; in=unloved; requires=lost detail worth, lost views => goal Middle
detail; in=unloved; teaches=deep detail; requires=lost detail worth => goal Middle, goal Deep
# and so do its kinds: Views has an episode of its own; Lost is a side subject of Aside
detail; in=kinds; concept_relations=views EXTENDS detail: so it is, lost EXTENDS detail => goal Middle, deepens Base
    why Base: Views extends Detail: so it is.
detail; in=kinds; concept_relations=views EXTENDS detail declared => goal Middle
detail; in=kinds; teaches=again detail; concept_relations=views EXTENDS detail => goal Again
# an episode that takes the goal up again deepens it where its subject must be heard after
views; requires=island views; teaches=aside island ~views => goal Base, goal Again, deepens Aside
views; requires=island views worth; teaches=aside island ~views => goal Base, goal Again
views; requires=island views bridge; teaches=aside island ~views => goal Base, goal Again
views; requires=island views; teaches=aside island => goal Base, goal Again
# what a person judged to deepen a goal follows it and calls for nothing else, a sentence on each need is enough
island; in=judged => goal Aside, deepens Deep / primer: compiler
    why Deep: Partitioner deepens Island: it is its best example.
island; in=judged; depth=brief => goal Aside
island; in=judged; known=partitioner => goal Aside
partitioner; in=judged => before Base, before Middle, before Goal, goal Deep
# a brief plan has the own episodes only and a sentence for what they need
compiler; depth=brief => goal Goal / primer: nobody | tracing | views / depth: brief
# a thorough one has also what deepens the goal and calls for more: Deep for Aside, which no usual plan takes for it
compiler; requires=+ partitioner island => before Base, before Middle, goal Goal
compiler; requires=+ partitioner island; depth=thorough
    => before Aside, before Base, before Middle, goal Goal, deepens Deep
# a deeper plan keeps the episodes of the one before: Again alone takes less time than Base and Aside
compiler; teaches=again views island; requires=+ tracing island worth
    => before Base, before Middle, goal Goal, deepens Deep
compiler; teaches=again views island; requires=+ tracing island worth; depth=thorough
    => before Aside, before Base, before Middle, goal Goal, deepens Deep
"""
LONG = "The full plan takes 1 h 15 min."
BUDGET = f"""
# a small budget serves the goal first, then what it needs
compiler; budget=0 =>
    unmet: Compiler takes 30 min, you have 0 min.
compiler; budget=29 =>
    remarks: Compiler takes 30 min, you have 29 min. | With 1 min more you could hear #3 Goal. {LONG}
    sessions:
compiler; budget=30 => goal Goal / unmet:
# a sentence for what is left out
compiler; budget=45 => before Base, goal Goal / primer: nobody | tracing / unmet:
    remarks: With 15 min more you could hear #2 Middle. {LONG}
# Deep would fit too, but Compiler is not understood without Middle
compiler; budget=59 => before Base, goal Goal
compiler; budget=60 => before Base, before Middle, goal Goal / routes:
compiler; budget=75
    remarks:
    routes: shortest
compiler; budget=10; heard=base middle goal
    remarks: With 5 min more you could hear #4 Deep. The full plan takes 15 min.\
 | You have heard the episodes that explain Compiler.
compiler; budget=5; known=compiler => remarks: Compiler is already known, so the plan has no step for Compiler.
# a goal without an episode is not left out by a budget; where its needs do not fit, nothing leads to it yet
nobody compiler; budget=100 => unmet:
whole compiler; budget=100 => unmet:
lost compiler; budget=100 => unmet:
alone; concepts=+ alone; concept_relations=; requires=alone tracing, tracing views; budget=30
    => before Base, before Middle
    remarks: No episode explains Alone; the steps lead up to Alone.
alone; concepts=+ alone; concept_relations=; requires=alone tracing, tracing views; budget=5 =>
    remarks: With 5 min more you could hear #0 Base. The full plan takes 30 min. | No episode explains Alone.
# what a second goal would cost is counted beside the first; Base would fit, but serves a goal that does not
island compiler; budget=30 => goal Aside
    unmet: Left out: Compiler, which needs 5 min more.
# an unknown length is said and in no sum, and an episode of it outside of a budget unless it is asked for
compiler; unknown=island; budget=10 => unmet: Compiler takes 30 min, you have 10 min.
compiler; unknown=goal; budget=100 => before Middle, goal Base, deepens Deep
    remarks: Outside the budget, as no length is known: #3 Goal.
compiler; unknown=goal
    amount: 4 episodes, 45 min, 1 of unknown length / minutes Goal: / estimated Goal:
compiler; unknown=base again middle goal deep => amount: 4 episodes, length unknown
goal; unknown=goal; budget=10 => before Base, goal Goal / amount: 2 episodes, 10 min, 1 of unknown length
# only what one hears, watches or reads
compiler; only=text => remarks: Nothing within your limits explains Compiler.
# what is worth it goes before what deepens the goal
goal; in=worth; budget=14 =>
goal; in=worth; budget=20 => goal G
goal; in=worth; budget=35 => before W, goal G
goal; in=worth; budget=50 => before W, goal G, deepens P
# what would have to go for something better is named
goal; in=better; budget=30 => before W, goal G
    more: With 5 min more you could hear #1 N in place of #2 W. The full plan takes 45 min.
# lengths and budgets are counted at the speed, and moments are not
compiler; speed=2
    amount: 4 episodes, 38 min at 2x / minutes Goal: 15 / minutes Deep: 8 / teaches Base: views 0 | compiler 60
compiler; budget=30; speed=2 => before Base, before Middle, goal Goal
# sessions are a budget; an episode is cut where something begins; more sessions than asked for are told
compiler; split=2x30m => before Base, before Middle, goal Goal
    schedule: Session 1, 30 min: #0 Base; #2 Middle | Session 2, 30 min: #3 Goal
    more: With 15 min more you could hear #4 Deep. {LONG}
compiler; split=2x29m; known=views
    schedule: Session 1, 21 min: #2 Middle; #3 Goal up to 1:00 | Session 2, 29 min: #3 Goal from 1:00
compiler; split=2x30m; budget=75 => remarks: The plan takes 3 sessions of 30 min, 1 more than you asked for.
compiler; split=2x10m =>
    remarks: Compiler takes 30 min, you have 20 min. | With 10 min more you could hear #3 Goal. {LONG}
"""
ROUTES = """
# the shortest keeps what must be heard before the goal
compiler
    steps shortest: before Base, before Middle, goal Goal
    how shortest: 15 min shorter: leaves out #4 Deep.
compiler; unknown=deep => how shortest: ~11 min shorter: leaves out #4 Deep.
# E0 alone tells of the ground of E3; both take 15 minutes, and a route that takes as long is no shorter one
c3; in=equal
    minutes: 45 / routes:
# the gentlest adds what is worth hearing on the way
compiler; requires=+ tracing island worth
    steps gentlest: before Aside, before Base, before Middle, goal Goal, deepens Deep
    how gentlest: 5 min longer: adds #5 Aside. It explains Island, which the plan leaves to a sentence.
compiler; requires=+ tracing island worth; budget=79 => routes: shortest
compiler; requires=+ tracing island worth; depth=thorough => routes: shortest
# the newest leads to what took the place of a goal: Island gave way to Lost, and Lost to Partitioner
island; in=gone
    steps newest: before Base, before Middle, before Goal, goal Deep
    how newest: 1 h 10 min longer: adds #0 Base, #2 Middle, #3 Goal and #4 Deep; leaves out #5 Aside.\
 It leads to Partitioner in place of Island.
island; in=gone; budget=74 => steps newest: before Base, before Middle, goal Deep
# it fits and has an episode that the plan lacks
island; in=gone; budget=14 => routes:
island; in=gone; known=partitioner => routes:
island partitioner; in=gone => routes:
compiler; in=gone => routes: shortest
# no episode explains it
island; requires=; concept_relations=island SUPERSEDED_BY nobody => routes:
# Tracing is explained on the way to Compiler
compiler; concept_relations=compiler SUPERSEDED_BY tracing => routes: shortest
# a goal that is known is not named in a route to its successor
island tracing; known=island; concept_relations=island SUPERSEDED_BY views
    how newest: 41 min longer: adds #1 Again and #3 Goal. It leads to Views.
compiler; concept_relations=compiler SUPERSEDED_BY whole: it does more.
    successors: Compiler was superseded by Whole: it does more.
compiler whole; concept_relations=compiler SUPERSEDED_BY whole: it does more. => successors:
whole; concept_relations=compiler SUPERSEDED_BY whole: it does more. => successors:
"""
SURE = """
# a step is as sure as the need that calls for it, and the plan as its least sure step
compiler; origins=compiler tracing declared
    origin Base: curated / origin Middle: declared / doubt Middle: declared / doubt Base: / origin: declared
    remarks: How sure: declared; a part of it is there because titles, notes or speakers say so.
compiler; origins=compiler tracing drafted
    origin Middle: drafted / origin: drafted
compiler; origins=compiler tracing inferred
    origin Middle: inferred / origin: inferred
# a step is no surer than that its episode explains what is needed
compiler; origins=compiler tracing declared, goal compiler inferred
    origin Goal: inferred / origin Middle: declared / origin Base: curated
# an episode that was asked for needs no evidence, and one that it asks for is declared
aside; listen_after=aside deep: listen to Deep first
    origin Deep: declared / origin Aside: / origin: declared
aside => origin:
# one that only names a goal is a guess
nobody; in=bare => goal Bare / origin Bare: inferred / badge Bare: nearest
# a sentence is as sure as the surest edge that calls for it
compiler; origins=compiler nobody drafted => told nobody: What nobody is. (drafted)
compiler; requires=+ tracing nobody bridge; origins=compiler nobody drafted => told nobody: What nobody is.
compiler => told nobody: What nobody is.
"""


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


@pytest.mark.parametrize(("question", "views"), table(HOLDS + DEEPENS + BUDGET + ROUTES + SURE))
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
    assert [*lengths_of(told).items()] == [("X0", 90), ("X1", 21), ("X2", 20), ("X3", 10), ("X4", 20), ("YNone", 20)]
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
