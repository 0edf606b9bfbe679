"""Measure what a map of very many nodes, and the shipped one, cost a browser: python -m benchmarks.large_map NODES

The large graph is made up, the same every time. Frames a second are those that a person sees who drags the map, and
who turns the wheel over it, for two seconds each: real events of a mouse, in a browser that draws in software. Bytes
are those of the picture that the page fetches.
"""

import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page

from tests.atlas import placed, stored
from tests.screen import chromium, opened, served
from torchatlas.atlas import Atlas
from torchatlas.graph.values.model import Concept, Episode, Requires, Snapshot, Teaches
from torchatlas.settings import load_settings

COUNT = "host => { host._frames = 0; host._atlas.net.on('afterDrawing', () => host._frames++); }"
LARGE = {"the whole map": "/?show=all", "a choice": "/?show=all&node=c0", "episodes": "/?show=episodes"}
SHIPPED = {
    "met in episodes": "/",
    "the whole map": "/?show=all",
    "a choice": "/?node=autograd",
    "a route": "/?path=vmap",
}
SECONDS = 2.0


def large(count: int = 10_000) -> Snapshot:
    """Return a graph of so many nodes, half of them episodes, the same every time."""
    rng, half = Random(3), count // 2
    concepts = tuple(Concept(f"c{i}", f"concept {i}", area=f"Area {i % 16}") for i in range(half))
    episodes = tuple(Episode(f"e{i}", f"Episode {i}", show="Show", minutes=20) for i in range(half))
    needs = {(i, rng.randrange(i)) for i in range(1, half) for _ in range(2)}
    return placed(
        Snapshot(
            concepts,
            episodes,
            teaches=tuple(Teaches(f"e{i}", f"c{rng.randrange(half)}", depth="main") for i in range(half)),
            requires=tuple(Requires(f"c{a}", f"c{b}", need="hear", reason="made up") for a, b in sorted(needs)),
        )
    )


def drag(page: Page, x: float, y: float) -> float:
    """Drag the map around a point; return the frames a second."""
    page.mouse.move(x, y)
    page.mouse.down()
    rate = frames(page, lambda now: page.mouse.move(x + 150 * math.sin(3 * now), y + 60 * math.sin(2 * now)))
    page.mouse.up()
    return rate


def turn(page: Page, x: float, y: float) -> float:
    """Turn the wheel at a point, to and fro; return the frames a second."""
    page.mouse.move(x, y)
    return frames(page, lambda now: page.mouse.wheel(0, 60 if now % 1 < 0.5 else -60))


def frames(page: Page, act: Callable[[float], None]) -> float:
    """Act for `SECONDS`, each time with the seconds since the begin; return how often a second the map was drawn."""
    canvas, began = page.locator(".atlas-canvas"), time.monotonic()
    before = canvas.evaluate("host => host._frames")
    while (now := time.monotonic() - began) < SECONDS:
        act(now)
    drawn: int = canvas.evaluate("host => host._frames") - before
    return drawn / (time.monotonic() - began)


def looked_at(browser: Browser, address: str) -> str:
    """Open a view of a map; return in a line what it costs."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    began = time.monotonic()
    opened(page, address)
    waited, canvas = time.monotonic() - began, page.locator(".atlas-canvas")
    body = canvas.evaluate("host => JSON.stringify(host._atlas.picture)")
    canvas.evaluate(COUNT)
    box = canvas.bounding_box()
    assert box
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    rates = drag(page, *at), turn(page, *at)
    page.close()
    shown = len(json.loads(body)["nodes"])
    told = "{:5,} drawn {:6.0f} kB {:5.1f} frames/s dragged {:5.1f} zoomed {:5.1f} s to open"
    return told.format(shown, len(body) / 1000, *rates, waited)


def measure(browser: Browser, environment: Mapping[str, str], views: Mapping[str, str]) -> None:
    """Print a line for each view of a map."""
    with served(environment, patience=300) as address:
        for name, path in views.items():
            print(f"  {name:15} {looked_at(browser, address + path)}", flush=True)


def main(count: int) -> None:
    """Print nodes drawn, bytes and frames a second for each view of the shipped map and of a large one."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        home, other = Path(folder, "shipped"), Path(folder, "large")
        home.mkdir()
        environment = {"TORCHATLAS_HOME": str(home), "TORCHATLAS_STORE": f"ladybug:{home}/atlas.lbug"}
        with Atlas(load_settings(environment=environment)) as atlas:
            nodes = len(atlas.graph.concepts) + len(atlas.graph.episodes)
        print(f"{nodes:,} nodes, shipped, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        measure(browser, environment, SHIPPED)
        other.mkdir()
        print(f"{count:,} nodes, made up, load {os.getloadavg()[0]:.1f}")
        measure(browser, stored(other, large(count)), LARGE)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
