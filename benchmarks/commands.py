"""How long commands take, whole processes beside a bare start of Python, or beside another installed torchatlas.

Each command takes turns with what it is compared with; the figures are medians. Seconds of the processor count the
processes that a command starts. Modules are compiled already, as an installer leaves them: Python keeps their bytecode
in a folder beside the home, whatever PYTHONDONTWRITEBYTECODE says.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from statistics import median

from benchmarks.tables import BenchmarkTable

ROUNDS = 5
COLUMNS = ("command", "CPU seconds", "wall-clock seconds", "CPU / a bare start of Python")
ASKED = ("--help", "concepts", "search functionalization", "related 12", "plan AOTAutograd")
"""Commands that read a graph that is built."""
OURS, BARE = [sys.executable, "-m", "torchatlas"], [sys.executable, "-c", "pass"]


def environment(home: Path) -> Mapping[str, str]:
    """Return the variables under which a command works in a home.

    >>> environment(Path("/tmp/home"))["TORCHATLAS_STORE"]
    'ladybug:/tmp/home/atlas.lbug'
    """
    own = {"TORCHATLAS_HOME": str(home), "TORCHATLAS_STORE": f"ladybug:{home / 'atlas.lbug'}"}
    compiled = {"PYTHONPYCACHEPREFIX": str(home.with_name("compiled"))}
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | own | compiled


def spent(command: Sequence[str], environment: Mapping[str, str]) -> tuple[float, float]:
    """Run a command; return the seconds of the processor and by the clock.

    Example: spent([*OURS, "--help"], environment(Path("/tmp/home")))
    """
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, env=dict(environment), check=True, capture_output=True)
    clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock


Prepare = Callable[[Path, int], None]
SAMPLE = (files("torchatlas.data") / "sample.xml").read_text("utf-8")


def forget(home: Path, _turn: int) -> None:
    """Delete what a home holds, but for the feed."""
    for kept in home.rglob("*"):
        if kept.is_file() and kept.name != "sample.xml":
            kept.unlink()


def edit(home: Path, turn: int, words: str = "Change {}.") -> None:
    """Write the feed with other words in one episode."""
    changed = SAMPLE.replace("<p>Dynamo hands", f"<p>{words.format(turn)} Dynamo hands", 1)
    (home / "sample.xml").write_text(changed, "utf-8")


def widen(home: Path, turn: int) -> None:
    """Write the feed with words in it that no episode had."""
    edit(home, turn, "spaCy's (words{0}) are_new{0};")


def rows(folder: Path, other: str | None) -> Iterator[tuple[str, ...]]:
    """Yield a row for each command, measured in a home for each of the two programs."""
    homes = [folder / "ours", folder / "other"]
    for home in homes:
        home.mkdir()

    def run(side: int, command: Sequence[str]) -> tuple[float, float]:
        called = [*OURS, *command] if side == 0 else [other, *command] if other else BARE
        return spent(called, environment(homes[side]))

    def row(name: str, command: Sequence[str], prepare: Prepare = lambda home, turn: None) -> tuple[str, ...]:
        rounds = []
        for turn in range(ROUNDS + 1):
            for home in homes:
                prepare(home, turn)
            rounds.append((*run(0, command), run(1, command)[0]))
        own, clock, yardstick = zip(*rounds[1:], strict=True)  # the first one may compile modules
        ratio = median(ours / theirs for ours, theirs in zip(own, yardstick, strict=True))
        return name, f"{median(own):.2f}", f"{median(clock):.2f}", f"{ratio:.2f}" if other else f"{ratio:.0f}"

    yield row("a first build", ["build", "--offline"], forget)
    yield row("a second build", ["build", "--offline"])
    for command in ASKED:
        yield row(f"`{command}`", command.split())
    for side, home in enumerate(homes):
        edit(home, -1)
        run(side, ["add", str(home / "sample.xml")])
    yield row("a build after one episode of a feed has changed", ["build"], edit)
    yield row("the same, with words that no episode had", ["build"], widen)


def commands(other: str | None = None) -> BenchmarkTable:
    """Measure all commands, beside a bare start of Python or the program `other`.

    Example: print(commands("/tmp/before/bin/torchatlas").markdown())
    """
    columns = (*COLUMNS[:3], f"CPU / that of {other}") if other else COLUMNS
    with tempfile.TemporaryDirectory() as beside:
        return BenchmarkTable(columns, tuple(rows(Path(beside), other)), (f"Medians of {ROUNDS}.",))
