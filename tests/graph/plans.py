"""A small graph to plan in: Compiler needs Tracing, which needs Views; each has its episode."""

from dataclasses import fields, replace
from typing import Any

from tests.graph import builds
from torchatlas.graph.answers import Plan
from torchatlas.graph.model import Cites, Link, Snapshot
from torchatlas.graph.planning.plan import make_plan

GRAPH = builds.graph(
    "views tracing compiler partitioner detail nobody whole lost island",
    "base:10 again:11 middle:20 goal:30 deep:15 aside:5",
    teaches="base views ~compiler, again views, middle tracing ~detail, goal compiler ~partitioner, deep partitioner, "
    "aside island",
    assumes="goal nobody views",
    requires="compiler tracing: it compiles what was traced, tracing views: traces are full of views, "
    "compiler nobody bridge: a word on it is enough, partitioner compiler: it splits what the compiler made, "
    "lost tracing: it is found by tracing, whole lost: it is lost as a whole",
    concept_relations="compiler PART_OF whole: it is the heart of it",
    links=(Link("l", "https://docs.example/tracing", type="docs", label="Detail of tracing"),),
    cites=(Cites("middle", "l"),),
)
GRAPH = replace(
    GRAPH, concepts=tuple(replace(c, source_paths=("aten/src",)) if c.id == "detail" else c for c in GRAPH.concepts)
)


def changed(**groups: Any) -> Snapshot:
    return builds.changed(GRAPH, **groups)


def plan(goals: str, graph: Snapshot = GRAPH, known: str = "", heard: str = "", **options: Any) -> Plan:
    """Plan for goals in a graph; options that name its groups change it first."""
    groups = {f.name: options.pop(f.name) for f in fields(Snapshot) if f.name in options}
    return make_plan(builds.changed(graph, **groups), goals.split(), known.split(), heard.split(), **options)


def titles(plan: Plan) -> list[str]:
    return [s.title for s in plan.steps]


def told(plan: Plan) -> str:
    """The steps, each with its role: "before Base, goal Goal"."""
    return ", ".join(f"{s.role} {s.title}" for s in plan.steps)
