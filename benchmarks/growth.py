"""How cost grows with the number of episodes: python -m benchmarks.growth [--sizes 830 8300 83000]

Feeds of each size are made (`benchmarks.growth_feeds`), and read beside the shipped catalogue. Every stage runs in a
process of its own, which gets what the earlier stages made. The table is Markdown:

    CPU s      seconds of the processor, of the stage alone and of the processes that it starts
    MB         the most memory that the process has held, what the stage was given included; of commands, the most
               that all of their processes have held at once
    exponent   log(cost ratio) / log(size ratio): 1 is linear, 2 is the square

`--server ADDRESS` loads a Neo4j server too, whose database is WIPED. `--keep FOLDER` keeps there what the stages made
and what they cost; a later run with `--only WORDS`, which chooses stages by words in their names, goes on from that.
`--write` writes the table into docs/benchmarks.md.
"""

import argparse
import json
import math
import pickle
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

from benchmarks.growth_stages import STAGES, Stage, Workspace, made_inputs, shipped, stages
from benchmarks.tables import BenchmarkTable, written

SIZES = (830, 8_300, 83_000)
PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
WAITED = [stage.name for stage in STAGES if stage.whole]
"""Stages that are told by the clock too: commands, for which people wait."""
LIMIT = 1.15
"""The exponent above which a row of the table is marked."""
LEAST = 0.05
"""CPU seconds below which an exponent means nothing."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a stage: seconds of the processor and by the clock, megabytes at the most, bytes of its result."""

    cpu: float
    clock: float
    megabytes: float
    size: int | None = None


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print, and write the page where that is asked for."""
    given = _arguments().parse_args(arguments)
    if given.stage:
        print(json.dumps(asdict(run(stages(given.server)[given.stage], Workspace(given.keep, given.server)))))
        return
    with tempfile.TemporaryDirectory(prefix="growth-") as passing:
        root = given.keep or Path(passing)
        costs = {size: measured(size, root / str(size), given.server, given.only) for size in given.sizes}
    print(table(costs).markdown())
    if given.write:
        PAGE.write_text(written(PAGE.read_text("utf-8"), {"growth": table(costs)}), "utf-8")


def run(stage: Stage, place: Workspace) -> Cost:
    """Run a stage in this process on what is kept at its place, and keep what it makes."""
    needed = [pickle.loads((place.folder / name).read_bytes()) for name in stage.needs]  # noqa: S301 (written here)
    begun, cpu = time.perf_counter(), _cpu()
    result = stage.work(place, *needed)
    held = result / 1e6 if stage.whole else _megabytes()
    spent = Cost(_cpu() - cpu, time.perf_counter() - begun, held, len(result) if stage.sized else None)
    if stage.makes:
        (place.folder / stage.makes).write_bytes(pickle.dumps(result))
    return spent


def exponent(small: tuple[int, float], large: tuple[int, float]) -> float:
    """Return by which power of the size the cost grows, of two (size, cost) pairs.

    >>> exponent((830, 1.0), (8_300, 100.0))
    2.0
    """
    return math.log(large[1] / small[1]) / math.log(large[0] / small[0])


def table(costs: Mapping[int, Mapping[str, Cost]]) -> BenchmarkTable:
    """Return a table with a row for each stage. `costs`: size -> name of a stage -> what it took.

    >>> table({83: {"join": Cost(1.0, 1.0, 50.0)}, 830: {"join": Cost(20.0, 20.0, 70.0)}}).rows
    (('join', '1.00, 50', '20.00, 70', '**1.30**'),)
    """
    rows = []
    for name in _measured_everywhere(costs):
        taken = {size: costs[size][name] for size in sorted(costs)}
        powers = [_power((a, taken[a].cpu), (b, taken[b].cpu)) for a, b in _pairs(taken)]
        rows.append((name, *(f"{cost.cpu:.2f}, {cost.megabytes:,.0f}" for cost in taken.values()), *powers))
    return BenchmarkTable(columns(costs), tuple(rows), tuple(_notes(costs)))


def columns(sizes: Iterable[int]) -> tuple[str, ...]:
    """Return the columns of the table of these sizes.

    >>> columns([83, 830])
    ('stage', '83: CPU s, MB', '830: CPU s, MB', 'exponent 83 to 830')
    """
    sizes = sorted(sizes)
    exponents = (f"exponent {a:,} to {b:,}" for a, b in _pairs(sizes))
    return "stage", *(f"{size:,}: CPU s, MB" for size in sizes), *exponents


def _pairs(sizes: Iterable[int]) -> list[tuple[int, int]]:
    """Return each size with the next one, and the first with the last."""
    sizes = sorted(sizes)
    return [*pairwise(sizes), *([(sizes[0], sizes[-1])] if len(sizes) > 2 else [])]


def _measured_everywhere(costs: Mapping[int, Mapping[str, Cost]]) -> list[str]:
    """Return the stages that each size has, in their order."""
    return [name for name in costs[min(costs)] if all(name in of for of in costs.values())]


def _notes(costs: Mapping[int, Mapping[str, Cost]]) -> Iterator[str]:
    """Yield a line on each stage that people wait for, and on each whose result is sent somewhere."""
    sizes = sorted(costs)
    for name in _measured_everywhere(costs):
        of = {f"{size:,}": costs[size][name] for size in sizes}
        if name in WAITED:
            yield f"{name}, by the clock: {', '.join(f'{cost.clock:.1f} s at {size}' for size, cost in of.items())}."
        if all(cost.size for cost in of.values()):
            yield f"{name}: {', '.join(f'{(cost.size or 0) / 1e6:.1f} MB at {size}' for size, cost in of.items())}."


def _power(small: tuple[int, float], large: tuple[int, float]) -> str:
    if large[1] < LEAST:
        return "-"
    power = exponent(small, (large[0], max(large[1], 1e-3)))
    return f"**{power:.2f}**" if power > LIMIT else f"{power:.2f}"


def measured(size: int, folder: Path, server: str = "", only: str = "") -> dict[str, Cost]:
    """Return the cost of each stage for feeds with so many episodes; a line on stderr says how far it is.

    Stages that are not among `only` have the cost that the folder keeps from a former run, if any.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "inputs").exists():
        (folder / "inputs").write_bytes(pickle.dumps(made_inputs(size, shipped(folder))))
    kept = folder / "costs.json"
    costs = {name: Cost(**cost) for name, cost in json.loads(kept.read_text() if kept.exists() else "{}").items()}
    for name in stages(server):
        if not any(word in name for word in only.split(",")):
            continue
        command = [sys.executable, "-m", "benchmarks.growth", "--stage", name, "--keep", str(folder)]
        ran = subprocess.run([*command, "--server", server], check=True, stdout=subprocess.PIPE, text=True)
        cost = costs[name] = Cost(**json.loads(ran.stdout))
        kept.write_text(json.dumps({name: asdict(cost) for name, cost in costs.items()}))
        said = f"{cost.cpu:8.2f} CPU s {cost.clock:8.2f} s by the clock {cost.megabytes:6.0f} MB"
        print(f"{size:7,} {name:45} {said}", file=sys.stderr, flush=True)
    return {name: costs[name] for name in stages(server) if name in costs}


def _cpu() -> float:
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def _megabytes() -> float:
    """Return the most that this process has held, in megabytes. The unit is kilobytes on Linux, bytes on macOS."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="how cost grows with the number of episodes")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--server", default="", help="address of a Neo4j server, whose database is wiped")
    parser.add_argument("--keep", type=Path, help="the folder to keep what the stages make in")
    parser.add_argument("--only", default="", help="words, with commas: the stages whose names hold one of them")
    parser.add_argument("--write", action="store_true", help=f"write the table into {PAGE.name} too")
    parser.add_argument("--stage", help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    main()
