"""A small graph to plan in, tables of what plans in it say, and generated graphs with questions to them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from tests.graph import builds
from tests.strategies import times
from torchatlas.graph import model
from torchatlas.graph.answers import Nearby, Needed, Plan, Primer, Route, Split, Taught
from torchatlas.graph.model import Snapshot
from torchatlas.graph.planning.plan import make_plan

GRAPH = builds.graph(  # Compiler needs Tracing, which needs Views; each has its episode
    "views tracing compiler partitioner detail nobody whole lost island",
    "base:10 again:11 middle:20 goal:30 deep:15 aside:5",
    teaches="base views ~compiler, again views, middle tracing ~detail, goal compiler ~partitioner, deep partitioner, "
    "aside island",
    assumes="goal nobody views",
    requires="compiler tracing: it compiles what was traced, tracing views: traces are full of views, "
    "compiler nobody bridge: a word on it is enough, partitioner compiler: it splits what the compiler made, "
    "lost tracing: it is found by tracing, whole lost: it is lost as a whole",
    concept_relations="compiler PART_OF whole: it is the heart of it",
    links=(model.Link("l", "https://docs.example/tracing", type="docs", label="Detail of tracing"),),
    cites=(model.Cites("middle", "l"),),
)
GRAPH = replace(
    GRAPH, concepts=tuple(replace(c, source_paths=("aten/src",)) if c.id == "detail" else c for c in GRAPH.concepts)
)


def changed(
    graph: Snapshot = GRAPH, *, posts: str = "", unknown: str = "", origins: str = "", **groups: Any
) -> Snapshot:
    """Return the graph with other groups, posts among its episodes or unknown lengths, and where edges come from.

    `origins`: "compiler tracing inferred, goal compiler declared".
    """
    graph = builds.changed(graph, **groups)
    told = {tuple(ends): origin for *ends, origin in map(str.split, filter(None, origins.split(", ")))}
    episodes = (replace(e, kind="post") if e.id in posts.split() else e for e in graph.episodes)
    told_of: Any = {
        name: tuple(replace(e, origin=told.get((e.source, e.target), e.origin)) for e in getattr(graph, name))
        for name in ("requires", "teaches")
    }
    lengths = tuple(replace(e, minutes=None) if e.id in unknown.split() else e for e in episodes)
    return replace(graph, episodes=lengths, **told_of)


def plan(goals: str, graph: Snapshot = GRAPH, known: str = "", heard: str = "", **options: Any) -> Plan:
    """Plan for goals in a graph; options that `changed` knows change it first."""
    names = {f.name for f in fields(Snapshot)} | {"posts", "unknown", "origins"}
    graph = changed(graph, **{name: options.pop(name) for name in names & options.keys()})
    return make_plan(graph, goals.split(), known.split(), heard.split(), **options)


READ: dict[str, Any] = {"budget": int, "speed": float, "split": Split.parse}


def ask(question: str, graphs: Mapping[str, Snapshot] | None = None) -> Plan:
    """Plan as a line asks: "compiler island; known=tracing; budget=30; requires=+ tracing island worth".

    `in=NAME` plans in one of the graphs.
    """
    goals, *options = question.split("; ")
    given = dict(option.split("=", 1) for option in options)
    graph = graphs[given.pop("in")] if graphs and "in" in given else GRAPH
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


def titles(plan: Plan) -> list[str]:
    return [s.title for s in plan.steps]


def told(plan: Any) -> str:
    """The steps of a plan or a route, each with its role: "before Base, goal Goal"."""
    return ", ".join(f"{s.role} {s.title}" for s in plan.steps)


THOROUGH = settings(deadline=None, max_examples=times(300))


@st.composite
def graphs(draw: st.DrawFn) -> Snapshot:
    """Acyclic concepts, episodes with up to two main subjects; declared orders point to earlier numbers.

    Most concepts need others and most are taught, so that most plans have several steps.
    """
    concepts = [f"c{i}" for i in range(draw(st.integers(2, 6)))]
    episodes = [f"e{i}" for i in range(draw(st.integers(2, 7)))]
    kinds = st.sampled_from(["hear", "hear", "worth", "bridge", "", ""])
    needs = [f"{c} {low} {kind}" for i, c in enumerate(concepts) for low in concepts[:i] if (kind := draw(kinds))]
    taught = []
    for i, e in enumerate(episodes):
        mine = [concepts[i % len(concepts)], *draw(st.lists(st.sampled_from(concepts), unique=True, max_size=2))]
        mains = draw(st.sampled_from([1, 1, 2, 0]))
        taught.append(" ".join([e, *(c if n < mains else f"~{c}" for n, c in enumerate(dict.fromkeys(mine)))]))
    pairs = [(later, earlier) for i, later in enumerate(episodes) for earlier in episodes[:i]]
    some = st.lists(st.sampled_from(pairs), unique=True, max_size=3)
    return builds.graph(
        " ".join(f"{c}:{draw(st.sampled_from('AB'))}" for c in concepts),
        " ".join(f"{e}:{draw(st.just('') | st.integers(5, 30))}" for e in episodes),
        teaches=", ".join(taught),
        requires=", ".join(needs),
        listen_after=", ".join(f"{a} {b}" for a, b in draw(some)),
        refers_to=", ".join(f"{a} continues {b}" for a, b in draw(some)),
    )


Question = tuple[Snapshot, list[str], list[str], list[str], int | None]
"""A graph, goals, what is known, what was heard, and a budget in minutes."""


@st.composite
def asked(draw: st.DrawFn) -> Question:
    graph = draw(graphs())
    concepts, episodes = sorted(graph.concept), sorted(graph.episode)
    goals = draw(st.lists(st.sampled_from(concepts[::-1] + episodes), unique=True, min_size=1, max_size=2))
    known, heard = (draw(st.just([]) | st.lists(st.sampled_from(of), max_size=1)) for of in (concepts, episodes))
    return graph, goals, known, heard, draw(st.none() | st.integers(0, 90))


@st.composite
def with_parts(draw: st.DrawFn) -> Question:
    """A question to a graph in which some concepts are parts of others, also around in circles."""
    graph, *rest = draw(asked())
    pairs = st.tuples(*[st.sampled_from(sorted(graph.concept))] * 2).filter(lambda p: p[0] != p[1])
    parts = ", ".join(f"{a} PART_OF {b}: reason" for a, b in draw(st.lists(pairs, unique=True, max_size=4)))
    return builds.changed(graph, concept_relations=parts), *rest
