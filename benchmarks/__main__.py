"""All that the docs say of speed, measured: python -m benchmarks [PART ...] [--texts FOLDER] [--beside PROGRAM]

Each part prints a table; --write also puts the tables into docs/architecture.md. The figures are ratios of programs run
side by side, so that they hold on a busy machine; seconds stand beside them.
"""

import argparse
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks import commands, extraction, growth
from benchmarks.tables import BenchmarkTable, written

PAGE = Path(__file__).parent.parent / "docs" / "architecture.md"
PARTS: Mapping[str, tuple[tuple[str, ...], Callable[[argparse.Namespace], BenchmarkTable]]] = {
    "extraction": (extraction.COLUMNS, lambda given: extraction.unseen(given.texts)),
    "commands": (commands.COLUMNS, lambda given: commands.commands(given.beside)),
    "growth": (growth.COLUMNS, lambda given: growth.growth()),
}
"""Each part: the columns of its table, and the function that measures it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print, and write the page where that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure how fast torchatlas is.")
    parser.add_argument("part", nargs="*", help=f"what to measure: {', '.join(PARTS)}; all without")
    parser.add_argument("--texts", type=Path, help="a folder of texts to read; made ones without")
    parser.add_argument("--beside", help="another installed torchatlas to compare commands with")
    parser.add_argument("--write", action="store_true", help=f"write the tables into {PAGE.name} too")
    given = parser.parse_args(arguments)
    if unknown := set(given.part) - PARTS.keys():
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    print(
        f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, {platform.python_version()}"
    )
    for name in given.part or PARTS:
        table = PARTS[name][1](given)
        print(f"\n{name}\n\n{table.markdown()}", flush=True)
        if given.write:
            PAGE.write_text(written(PAGE.read_text("utf-8"), {name: table}), "utf-8")


if __name__ == "__main__":
    main()
