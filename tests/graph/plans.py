"""A small graph to plan in: Compiler needs Tracing, which needs Views; each has its episode."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from torchatlas.graph.answers import Plan
from torchatlas.graph.model import (
    Assumes,
    Cites,
    Concept,
    ConceptRelation,
    Episode,
    Link,
    Requires,
    Snapshot,
    Teaches,
)

MINUTES: Mapping[str, int | None] = {"base": 10, "again": 11, "middle": 20, "goal": 30, "deep": 15, "aside": 5}


def teaches(episode: str, *concepts: str) -> tuple[Teaches, ...]:
    """Main subjects, but those with a ~ are parts."""
    found = enumerate(concepts)
    return tuple(
        Teaches(
            episode,
            c.strip("~"),
            depth="part" if "~" in c else "main",
            weight=(0.5 if "~" in c else 1.0) - i / 100,
            at=60 * i,
        )
        for i, c in found
    )


GRAPH = Snapshot(
    concepts=tuple(
        Concept(
            c, c.title(), area="Area", definition=f"What {c} is.", source_paths=("aten/src",) if c == "detail" else ()
        )
        for c in ("views", "tracing", "compiler", "partitioner", "detail", "nobody", "whole", "lost", "island")
    ),
    episodes=tuple(
        Episode(f"show/{e}", e.title(), show="Show", number=n, minutes=m) for n, (e, m) in enumerate(MINUTES.items())
    ),
    links=(Link("l", "https://docs.example/tracing", type="docs", label="Detail of tracing"),),
    teaches=(
        *teaches("show/base", "views", "~compiler"),
        *teaches("show/again", "views"),
        *teaches("show/middle", "tracing", "~detail"),
        *teaches("show/goal", "compiler", "~partitioner"),
        *teaches("show/deep", "partitioner"),
        *teaches("show/aside", "island"),
    ),
    assumes=(Assumes("show/goal", "nobody", how="silent"), Assumes("show/goal", "views", how="silent")),
    requires=(
        Requires("compiler", "tracing", need="hear", reason="it compiles what was traced"),
        Requires("tracing", "views", need="hear", reason="traces are full of views"),
        Requires("compiler", "nobody", need="bridge", reason="a word on it is enough"),
        Requires("partitioner", "compiler", need="hear", reason="it splits what the compiler made"),
        Requires("lost", "tracing", need="hear", reason="it is found by tracing"),
        Requires("whole", "lost", need="hear", reason="it is lost as a whole"),
    ),
    cites=(Cites("show/middle", "l"),),
    concept_relations=(ConceptRelation("compiler", "whole", kind="PART_OF", reason="it is the heart of it"),),
)


def changed(**groups: Iterable[object]) -> Snapshot:
    return replace(GRAPH, **{name: tuple(values) for name, values in groups.items()})  # type: ignore[arg-type]


def titles(plan: Plan) -> list[str]:
    return [s.title for s in plan.steps]
