"""CPU seconds that hostile inputs cost as they grow: python -m benchmarks.hostile_inputs [WORDS]

Each shape is built at n, 2n and 4n bytes and read by the program's own reader in CPU seconds, the best of ROUNDS. A
reading of n bytes takes WORTH seconds or more, so that its figure means something; n is at most LARGEST.

    n        megabytes
    s/MB     CPU seconds for each megabyte, at each of the three sizes
    growth   s/MB at 4n, divided by s/MB at n: 1 is linear, 4 is the square

WORDS chooses the shapes whose names hold one of these words. The exit code is 1 where a shape grows by more than GROWS.
"""

import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.hostile_shapes import Read, Shape, shapes
from benchmarks.tables import BenchmarkTable
from torchatlas.graph.values.errors import AtlasError

SIZE, LARGEST, ROUNDS = 250_000, 4_000_000, 2
WORTH = 0.05
GROWS = 2.5
SHORT = 250_000
TELLING = 0.5
"""CPU seconds for a megabyte below which growth is noise in the short form."""
COLUMNS = ("input", "worst shape", "cost of a megabyte at 4n / at n")
ENOUGH = 20.0
"""CPU seconds of one reading, after which larger ones are left out."""


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds for each megabyte at n, 2n and 4n bytes; fewer where one took longer than `ENOUGH`."""

    per_megabyte: tuple[float, ...]
    size: int = SIZE

    @property
    def growth(self) -> float:
        """The last figure divided by the first.

        >>> Cost((1.0, 1.5, 2.0)).growth
        2.0
        """
        return self.per_megabyte[-1] / self.per_megabyte[0]


def cost(shape: Shape, size: int = SIZE, rounds: int = ROUNDS) -> Cost:
    """Measure a shape. An AtlasError is an answer like any other."""
    found: list[float] = []
    for times in (1, 2, 4):
        document = shape.document(times * size)
        taken = min(_seconds(shape.read, document) for _ in range(rounds))
        found.append(taken / len(document) * 1e6)
        if taken > ENOUGH:
            break
    return Cost(tuple(found), size)


def telling_size(shape: Shape) -> int:
    """Return the smallest number of bytes whose reading takes `WORTH` seconds, doubled from `SIZE` to `LARGEST`.

    Example: telling_size(shapes()[0])
    """
    size = SIZE
    while size < LARGEST and _seconds(shape.read, shape.document(size)) < WORTH:
        size *= 2
    return size


def _seconds(read: Read, document: bytes) -> float:
    begin = time.process_time()
    with suppress(AtlasError):
        read(document)
    return max(time.process_time() - begin, 1e-3)


def in_short(folder: Path | None = None) -> BenchmarkTable:
    """Measure every shape once at n = SHORT, and return the worst of each kind. `folder` is not read."""
    worst: dict[str, tuple[float, str]] = {}
    for shape in shapes():
        kind, _, name = shape.name.partition(": ")
        measured = cost(shape, SHORT, 1)
        growth = measured.growth if measured.per_megabyte[-1] > TELLING else 1.0
        worst[kind] = max(worst.get(kind, (0.0, "")), (growth, name))
    rows = tuple((kind, name, f"{growth:.1f}") for kind, (growth, name) in worst.items())
    size = (
        f"{len(shapes())} shapes of {SHORT // 1000} kB; where a megabyte takes under {TELLING} s, growth counts as 1.0."
    )
    return BenchmarkTable(
        COLUMNS, rows, (size, "`make bench-hostile` measures each shape at a size that means something.")
    )


def main(words: Sequence[str]) -> int:
    """Measure and print; return 1 where a shape grows too fast."""
    print(f"{'CPU s/MB at':45}{'n (MB)':>9}{'n':>9}{'2n':>9}{'4n':>9}{'growth':>9}")
    grown = 0
    for shape in shapes():
        if not words or any(word in shape.name for word in words):
            measured = cost(shape, telling_size(shape))
            mark = "  <- grows" if measured.growth > GROWS else ""
            grown += bool(mark)
            figures = "".join(f"{figure:9.2f}" for figure in measured.per_megabyte)
            print(f"{shape.name:45}{measured.size / 1e6:9.2f}{figures:27}{measured.growth:9.1f}{mark}", flush=True)
    return int(grown > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
