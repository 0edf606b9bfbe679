"""How cost grows with the number of episodes, in feeds that are made of the shipped vocabulary.

Each stage of a build, and some answers, are measured in CPU seconds; the last rows are whole commands. The exponent is
log(cost ratio) / log(size ratio): 1 is linear, 2 is the square.
"""

import math
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.commands import OURS, environment, spent
from benchmarks.extraction import seconds
from benchmarks.made import feeds
from benchmarks.tables import BenchmarkTable
from torchatlas.build import Corpus, Inputs, correct_curated, read_inputs
from torchatlas.extract.extraction_cache import ExtractionCache
from torchatlas.extract.pipeline import Readers
from torchatlas.graph.build import complete_graph, join_graph
from torchatlas.graph.corrections import without
from torchatlas.graph.layout import overview
from torchatlas.graph.planning.plan import make_plan
from torchatlas.graph.questions import Resolver, search
from torchatlas.graph.related import ranked, related
from torchatlas.graph.stores.base import open_store
from torchatlas.settings import Settings

SIZES = (830, 8_300)
ASKED = 20
"""How often each question is asked in a stage."""
COMMANDS = ("build", "plan AOTAutograd", "search functionalization")
COLUMNS = ("stage", *(f"{size:,} episodes: CPU s" for size in SIZES), "exponent")


def stages(inputs: Inputs, store: str) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the stages of a build, and answers over its graph; each must be called before the next one is taken.

    Example: for name, work in stages(inputs, "memory:"): work()
    """
    made = dict[str, Any]()
    yield (
        "read and parse the feeds",
        lambda: made.update(texts=Corpus(inputs, ExtractionCache(None), Readers(1))),
    )
    texts = made["texts"]
    curated = texts.curated
    yield "extract, in one process", lambda: made.update(found=tuple(texts.extract()))
    yield (
        "join",
        lambda: made.update(joined=join_graph(curated.vocabulary, curated.catalogue, made["found"], curated.own)),
    )
    joined = without(made["joined"][0], curated.dropped)[0]
    yield "layout", lambda: overview(joined)
    yield "related episodes of all", lambda: ranked(joined)
    graph = complete_graph(joined)
    with open_store(store) as opened:
        yield "write the graph", lambda: opened.replace(graph, "growth")
        yield "read the graph", opened.snapshot
    concepts, episodes, resolver = _some(graph.concepts), _some(graph.episodes), Resolver(graph)
    yield f"plan, {ASKED} goals", lambda: [make_plan(graph, [c.id]) for c in concepts]
    yield f"search, {ASKED} questions", lambda: [search(resolver, f"how does {c.name} work") for c in concepts]
    yield f"related episodes of {ASKED}", lambda: [related(graph, e.id) for e in episodes]


def _some(rows: Sequence[Any]) -> Sequence[Any]:
    """Return some of the rows, evenly spread."""
    return rows[:: max(1, len(rows) // ASKED)][:ASKED]


def made_inputs(episodes: int, inputs: Inputs) -> Inputs:
    """Return the inputs with feeds of so many episodes, which are made of their vocabulary.

    Example: made_inputs(830, read_inputs(settings)).feeds
    """
    return replace(inputs, feeds=feeds(episodes, correct_curated(inputs).vocabulary.concepts), cache=None)


def costs(episodes: int, home: Path) -> dict[str, float]:
    """Return the name of each stage and command -> its CPU seconds."""
    settings = Settings(f"ladybug:{home / 'atlas.lbug'}", home, profile=home / "profile.toml")
    inputs = made_inputs(episodes, read_inputs(settings))
    found = {name: seconds(work) for name, work in stages(inputs, f"ladybug:{home / 'stages.lbug'}")}
    for number, (_, document) in enumerate(inputs.feeds):
        (home / f"{number}.xml").write_bytes(document)
    names = ", ".join(f'"{number}.xml"' for number in range(len(inputs.feeds)))
    (home / "sources.toml").write_text(f"sources = [{names}]\n", "utf-8")
    for command in COMMANDS:
        found[f"`torchatlas {command}`"] = spent([*OURS, *command.split()], environment(home))[0]
    return found


def growth(sizes: Sequence[int] = SIZES) -> BenchmarkTable:
    """Measure both sizes, after a run that imports the modules.

    Example: print(growth().markdown())
    """
    found = []
    for size in (30, *sizes):
        with tempfile.TemporaryDirectory() as home:
            found.append(costs(size, Path(home)))
    _, small, large = found
    ratio = sizes[1] / sizes[0]
    rows = (
        (name, f"{small[name]:.2f}", f"{cost:.2f}", f"{math.log(cost / max(small[name], 0.01)) / math.log(ratio):.2f}")
        for name, cost in large.items()
    )
    return BenchmarkTable(
        COLUMNS, tuple(rows), ("The commands also read the shipped catalogue, and `build` the feeds.",)
    )
