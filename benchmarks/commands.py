"""How long commands take, whole processes beside a bare start of Python.

Each command takes turns with `python -c pass`; the figures are medians. Seconds of the processor count the processes
that a command starts; the ratio is theirs to those of the bare start. Modules are compiled already, as an installer
leaves them: Python keeps their bytecode in a folder beside the home, whatever PYTHONDONTWRITEBYTECODE says.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from statistics import median

from benchmarks.tables import BenchmarkTable

ROUNDS = 5
COLUMNS = ("command", "CPU seconds", "wall-clock seconds", "CPU / a bare start of Python")
ASKED = ("--help", "concepts", "search functionalization", "related 12", "plan AOTAutograd")
"""Commands that read a graph that is built."""


def spent(arguments: list[str], environment: Mapping[str, str]) -> tuple[float, float]:
    """Run Python; return the seconds of the processor and by the clock."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=dict(environment), check=True, capture_output=True)
    clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock


def row(
    name: str, command: list[str], environment: Mapping[str, str], prepare: Callable[[int], None] = lambda turn: None
) -> tuple[str, ...]:
    """Measure a command, after `prepare` in each round; return its row."""
    rounds = []
    for turn in range(ROUNDS + 1):
        prepare(turn)
        bare = spent(["-c", "pass"], environment)
        rounds.append((*spent(["-m", "torchatlas", *command], environment), bare[0]))
    rounds = rounds[1:]  # the first one may compile modules
    cpu, clock = (median(side) for side in list(zip(*rounds, strict=True))[:2])
    return name, f"{cpu:.2f}", f"{clock:.2f}", f"{median(own / bare for own, _, bare in rounds):.0f}"


def rows(home: Path) -> Iterator[tuple[str, ...]]:
    """Measure builds and questions in a home of their own."""
    own = {"TORCHATLAS_HOME": str(home), "TORCHATLAS_STORE": f"ladybug:{home}/atlas.lbug"}
    compiled = {"PYTHONPYCACHEPREFIX": str(home.with_name("compiled"))}
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | own | compiled
    feed = home / "sample.xml"
    sample = (files("torchatlas.data") / "sample.xml").read_text("utf-8")

    def forget(turn: int) -> None:
        for kept in home.rglob("*"):
            if kept.is_file() and kept != feed:
                kept.unlink()

    def edit(turn: int, words: str = "Change") -> None:
        feed.write_text(sample.replace("<p>Dynamo hands", f"<p>{words} {turn}. Dynamo hands", 1), "utf-8")

    def widen(turn: int) -> None:
        edit(turn, f"spaCy's (words{turn}) are_new{turn};")

    home.mkdir(exist_ok=True)
    yield row("a first build", ["build", "--offline"], environment, forget)
    yield row("a second build", ["build", "--offline"], environment)
    for command in ASKED:
        yield row(f"`{command}`", command.split(), environment)
    edit(-1)
    spent(["-m", "torchatlas", "add", str(feed)], environment)
    yield row("a build after one episode of a feed has changed", ["build"], environment, edit)
    yield row("the same, with words that no episode had", ["build"], environment, widen)


def commands(folder: Path | None = None) -> BenchmarkTable:
    """Measure all commands. `folder` is not read."""
    with tempfile.TemporaryDirectory() as beside:
        return BenchmarkTable(COLUMNS, tuple(rows(Path(beside) / "home")), (f"Medians of {ROUNDS}.",))
