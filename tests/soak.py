"""The graph of a folder changes all the time, or stays, while programs and pages ask it: python -m tests.soak

    --minutes 10   two command-line programs and a page, while `torchatlas build` runs with two corrections in turn
    --crowd 20     so many of each over a graph that stays, with the median and the slowest answer

What is asked, and what counts as wrong, is in `tests.load`.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from pathlib import Path

from tests.atlas import snapshot, stored
from tests.chromium import find
from tests.load import Found, command, load
from torchatlas.graph.stores.engines import open_store
from torchatlas.graph.values.model import Snapshot
from torchatlas.settings import load_settings

CORRECTIONS = tuple(
    f"""[topic.lamp-{name}]
name = "lamp {name}"
bridge.dispatcher = "it is for the soak"
[[rename]]
concept = "{concept}"
name = "Renamed {name}"
"""
    for name, concept in (("one", "autograd"), ("two", "dispatcher"))
)


async def swaps(home: Path, seconds: float, chromium: str | None) -> Found:
    """The soak over a small graph, which is replaced by another one as fast as that can be written."""
    environment = stored(home)
    settings = load_settings(environment=os.environ | environment)
    turn = cycle((snapshot(), other()))

    def replace_graph() -> None:
        with open_store(settings.store) as store:
            store.replace(next(turn), str(store.fingerprint()))

    async def change() -> None:
        await asyncio.to_thread(replace_graph)

    async with load(environment, chromium) as asked:
        for _ in range(2):
            await change()
            await asked.learn()
        await asked.run(seconds, 2, change)
    return asked.judge(home)


def other() -> Snapshot:
    """The small graph with other names, and one concept more."""
    graph = snapshot()
    renamed = tuple(replace(c, name=c.name.replace(" idea", " notion")) for c in graph.concepts)
    return replace(graph, concepts=(*renamed, replace(renamed[0], id="lamp", name="lamp", aliases=())))


async def builds(home: Path, seconds: float, chromium: str | None) -> Found:
    """The soak over the shipped graph, which is built with one and the other correction in turn."""
    environment = {"TORCHATLAS_HOME": str(home), "TORCHATLAS_STORE": f"ladybug:{home / 'atlas.lbug'}"}
    turn = cycle(CORRECTIONS)

    async def change() -> None:
        (home / "corrections.toml").write_text(next(turn), "utf-8")
        code, _, said = await command(environment, "build", "--offline")
        assert code == 0, said
        await asyncio.sleep(5)

    await change()
    async with load(environment, chromium) as asked:
        for _ in CORRECTIONS:
            await asked.learn()
            await change()
        await asked.run(seconds, 2, change)
    return asked.judge(home)


def crowd(size: int) -> Callable[[Path, float, str | None], object]:
    """So many programs and pages over the shipped graph."""

    async def work(home: Path, seconds: float, chromium: str | None) -> Found:
        environment = {"TORCHATLAS_HOME": str(home), "TORCHATLAS_STORE": f"ladybug:{home / 'atlas.lbug'}"}
        await command(environment, "build", "--offline")
        async with load(environment, chromium, size) as asked:
            await asked.learn()
            await asked.run(seconds, size, None)
        return asked.judge(home)

    return work


def main() -> int:
    """Do what is asked for, print the figures, and return 1 where something was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--crowd", type=int, default=0)
    given = parser.parse_args()
    work = crowd(given.crowd) if given.crowd else builds
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(work(Path(folder), given.minutes * 60, find()))
    found.report()
    return int(bool(found.wrong))


if __name__ == "__main__":
    sys.exit(main())
