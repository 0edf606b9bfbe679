"""How long a person waits for the first map, and for the details of a choice.

The program is started anew each time, over a graph that is built already; the browser's cache is empty. Seconds on the
clock mean little on a busy machine: beside them stands how often a stretch takes the time of a page of Streamlit's with
a title alone, which is started in turn with the map.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from playwright.sync_api import Browser, Error, Page

from benchmarks.tables import BenchmarkTable
from tests.screen import DRAWN, IDLE, chromium, served
from torchatlas.atlas import Atlas
from torchatlas.settings import load_settings

CHOOSE = """(host, [id, name]) => new Promise(done => {
    const began = performance.now(), named = () => [...document.querySelectorAll(".st-key-details h2")];
    host._atlas.choose(id);
    const lit = performance.now() - began;
    const told = () => named().some(h => h.textContent === name);
    const look = () => told() ? done([lit, performance.now() - began]) : setTimeout(look, 2);
    look();
})"""
CHOICES, TIMES = 6, 5
BARE = "start to a Streamlit page with only a title"
BARE_PAGE = (sys.executable, "-m", "benchmarks.bare_page")
COLUMNS = ("stretch", "seconds", "/ the page with only a title")


def first_map(browser: Browser, environment: Mapping[str, str], chosen: Iterable[tuple[str, str]]) -> dict[str, float]:
    """Start the program and open the map; return the name of each stretch -> seconds."""
    began, used = time.monotonic(), os.times()
    with served(environment) as address:
        answers = time.monotonic()
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(address, wait_until="commit")
        page.wait_for_selector(DRAWN, timeout=90_000)
        drawn = time.monotonic()
        page.wait_for_selector(IDLE)
        choices = [choose(page, *one) for one in chosen]
        page.close()
    now = os.times()
    return {
        "start to the server's first answer": answers - began,
        "start to the map": drawn - began,
        "a click to the highlight": statistics.median(lit for lit, _ in choices),
        "a click to the details": statistics.median(details for _, details in choices),
        "CPU time of the program, in total": sum(now[2:4]) - sum(used[2:4]),
    }


def bare_page(browser: Browser, environment: Mapping[str, str]) -> dict[str, float]:
    """Start a page of Streamlit's that has a title alone; return its name -> seconds."""
    began = time.monotonic()
    with served(environment, program=BARE_PAGE) as address:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(address, wait_until="commit")
        page.wait_for_selector("h1")
        shown = time.monotonic() - began
        page.close()
    return {BARE: shown}


def choose(page: Page, id_: str, name: str) -> tuple[float, float]:
    """Choose a node on the map; return the seconds until it is lit and until its details stand beside it."""
    lit, details = page.locator(".atlas-canvas").evaluate(CHOOSE, [id_, name])
    page.wait_for_selector(IDLE)
    return lit / 1000, details / 1000


def waits(folder: Path | None = None) -> BenchmarkTable:
    """Measure each stretch. `folder` is not read."""
    with tempfile.TemporaryDirectory() as home:
        environment = {"TORCHATLAS_HOME": home, "TORCHATLAS_STORE": f"ladybug:{home}/atlas.lbug"}
        with Atlas(load_settings(environment=environment)) as atlas:
            chosen = [(row.id, row.name) for row in atlas.most_explained()][:CHOICES]
        try:
            with chromium() as browser:
                found = [
                    bare_page(browser, environment) | first_map(browser, environment, chosen) for _ in range(TIMES)
                ]
        except Error as e:
            return BenchmarkTable(COLUMNS, (), (f"Left out, since there is no browser: {str(e).splitlines()[0]}",))
    rows = []
    for name in found[0]:
        ratios = (one[name] / one[BARE] for one in found)
        rows.append((name, f"{statistics.median(one[name] for one in found):.2f}", f"{statistics.median(ratios):.2f}"))
    return BenchmarkTable(COLUMNS, tuple(rows), (f"Medians of {TIMES}, load {os.getloadavg()[0]:.0f}.",))
