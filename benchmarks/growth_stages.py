"""The stages of a build and the answers to questions, each as a function of what an earlier one has made."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.growth_feeds import feeds
from benchmarks.growth_home import make_home, run_command, settings
from torchatlas.graph.answers.related import nearest, related
from torchatlas.graph.answers.resolution import Resolver
from torchatlas.graph.answers.search import search
from torchatlas.graph.build.corrections.apply import without
from torchatlas.graph.build.join import join_graph, placed
from torchatlas.graph.planning.plan import make_plan
from torchatlas.graph.stores.engines import open_store
from torchatlas.graph.values.findings import Extraction
from torchatlas.graph.values.model import Snapshot
from torchatlas.inputs.inputs import Inputs, read_inputs
from torchatlas.pipeline import Corpus, correct_curated, extract_texts, read_texts
from torchatlas.ui.pictures.clustered import clustered_map
from torchatlas.ui.pictures.draw import payload

GOALS, SEARCHES, EPISODES = 40, 40, 10
"""How often each question is asked in a stage."""
ASKED = (("plan", "AOTAutograd"), ("search", "functionalization"), ("related", "pytorch-developer-podcast/vmap"))
"""Commands that are asked once a process."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """Where the stages of one size keep their things: a folder, and the addresses of the stores to load."""

    folder: Path
    server: str = ""

    @property
    def store(self) -> str:
        """The address of the embedded store."""
        return f"ladybug:{self.folder / 'atlas.lbug'}"

    @property
    def home(self) -> Path:
        """The home in which commands run."""
        return self.folder / "home"


@dataclass(frozen=True, slots=True)
class Stage:
    """A piece of work. `needs`: names of what earlier stages made; `makes`: the name of what this one makes, if any.

    `work` takes the place and what is needed. `sized`: the size in bytes of what the work returns is worth telling.
    `whole`: the work is that of other processes, and returns how many bytes they held at the most.
    """

    name: str
    work: Callable[..., Any]
    _: KW_ONLY
    needs: tuple[str, ...] = ()
    makes: str = ""
    sized: bool = False
    whole: bool = False


def shipped(folder: Path) -> Inputs:
    """Return the shipped files as inputs of a build, without anything of the user's. `folder`: an empty one.

    Example: len(shipped(Path("/tmp/growth")).episodes)
    """
    return read_inputs(settings(folder))


def made_inputs(episodes: int, inputs: Inputs) -> Inputs:
    """Return the inputs with feeds of so many episodes, which are made of their vocabulary.

    Example: made_inputs(830, shipped(Path("/tmp/growth"))).feeds
    """
    concepts = correct_curated(inputs).vocabulary.concepts
    return replace(inputs, feeds=feeds(episodes, concepts), cache=None)


def _read(_place: Workspace, inputs: Inputs) -> Corpus:
    from torchatlas.extract.extraction_cache import ExtractionCache
    from torchatlas.extract.workers import Workers

    return read_texts(inputs, ExtractionCache(None), partial(Workers, jobs=1))


def _extract(_place: Workspace, texts: Corpus) -> tuple[Extraction, ...]:
    return tuple(extract_texts(texts))


def _join(_place: Workspace, texts: Corpus, extractions: Sequence[Extraction]) -> Snapshot:
    curated = texts.curated
    joined = join_graph(curated.vocabulary, curated.catalogue, extractions, curated.own)
    return without(joined.graph, curated.dropped)[0]


def _layout(_place: Workspace, joined: Snapshot) -> Snapshot:
    return placed(joined)


def _related(_place: Workspace, graph: Snapshot) -> Snapshot:
    return replace(graph, related_to=nearest(graph))


def _load(address: str, graph: Snapshot) -> None:
    with open_store(address) as store:
        store.replace(graph, "growth")


def _read_back(place: Workspace) -> int:
    with open_store(place.store) as store:
        return len(store.snapshot().episodes)


def _plans(_place: Workspace, graph: Snapshot) -> int:
    return sum(len(make_plan(graph, [c.id]).steps) for c in _some(graph.concepts, GOALS))


def _searches(_place: Workspace, graph: Snapshot) -> int:
    resolver = Resolver(graph)
    return sum(len(search(resolver, f"how does {c.name} work")) for c in _some(graph.concepts, SEARCHES))


def _related_of_some(_place: Workspace, graph: Snapshot) -> int:
    return sum(len(related(graph, e.id)) for e in _some(graph.episodes, EPISODES))


def _page(_place: Workspace, graph: Snapshot) -> bytes:
    return json.dumps(payload(clustered_map(graph, shown="met"))).encode()


def _build(place: Workspace, inputs: Inputs) -> int:
    make_home(place.home, inputs.feeds)
    return run_command(place.home, "build", "--jobs", "2")


def _asked(*command: str) -> Callable[[Workspace], int]:
    return lambda place: run_command(place.home, *command)


def _some(rows: Sequence[Any], count: int) -> Sequence[Any]:
    """Return so many of the rows, evenly spread."""
    return rows[:: max(1, len(rows) // count)][:count]


STAGES = (
    Stage("read and parse the feeds", _read, needs=("inputs",), makes="texts"),
    Stage("extract, in one process", _extract, needs=("texts",), makes="extractions"),
    Stage("join", _join, needs=("texts", "extractions"), makes="joined"),
    Stage("layout", _layout, needs=("joined",), makes="placed"),
    Stage("related episodes of all", _related, needs=("placed",), makes="graph"),
    Stage("load, embedded", lambda place, graph: _load(place.store, graph), needs=("graph",)),
    Stage("read back", _read_back),
    Stage(f"plan, {GOALS} goals", _plans, needs=("graph",)),
    Stage(f"search, {SEARCHES} questions", _searches, needs=("graph",)),
    Stage(f"related episodes of {EPISODES}", _related_of_some, needs=("graph",)),
    Stage("what the map page sends", _page, needs=("graph",), sized=True),
    Stage("`torchatlas build --jobs 2`", _build, needs=("inputs",), whole=True),
    *(Stage(f"`torchatlas {' '.join(asked)}`", _asked(*asked), whole=True) for asked in ASKED),
)
"""All stages in their order. The last ones are whole processes: a first build, which does the first six again, and
questions about the graph that it has stored."""

SERVER = Stage("load, Neo4j", lambda place, graph: _load(place.server, graph), needs=("graph",))
"""The stage that a server is asked for."""


def stages(server: str = "") -> Mapping[str, Stage]:
    """Return the stages by name; the one of the server too, where there is the address of one.

    >>> list(stages())[2]
    'join'
    """
    return {stage.name: stage for stage in (*STAGES, *([SERVER] if server else []))}
