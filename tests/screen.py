"""The running program and a real browser, for the tests of the screen and for screenshots."""

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.chromium import FLAGS, find
from torchatlas.graph.stores.neo4j_server import _free

ROOT = Path(__file__).parent.parent
PROGRAM = (sys.executable, "-m", "torchatlas", "--no-browser")
IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'
DRAWN = ".atlas-canvas[data-drawn]"
CHOOSE = """async (host, id) => {
    (await import("/atlas/map.js")).choose(host._atlas, id);
    return host.dataset;
}"""
"""Chooses a node as a click does; the host's data then."""
LAST = ".st-key-keys"
"""What the script draws last. IDLE alone also holds for a moment before its first line has run."""


@contextmanager
def served(
    environment: Mapping[str, str], patience: float = 60, program: Sequence[str] = PROGRAM, port: int = 0
) -> Iterator[str]:
    """Start `torchatlas`, or another Streamlit `program`, on a port, 0: a free one; its address, once it is healthy."""
    port = port or _free(0)
    command = [*program, "--port", str(port)]
    log = Path(environment["TORCHATLAS_HOME"]) / "served.log"
    with log.open("wb") as out:
        app = subprocess.Popen(command, env=os.environ | environment, cwd=ROOT, stdout=out, stderr=out)
    try:
        address = f"http://127.0.0.1:{port}"
        end = time.monotonic() + patience
        while not healthy(address):
            if app.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the screen did not start:\n{log.read_text('utf-8', 'replace')}")
            time.sleep(0.1)
        yield address
    finally:
        app.terminate()
        app.wait(timeout=20)


def healthy(address: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
        return bool(answer.status == 200)
    return False


@contextmanager
def chromium() -> Iterator[Browser]:
    """A real Chromium; the caller makes sure that there is one."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        yield browser
        browser.close()


def guarded(page: Page, address: str) -> list[str]:
    """Let the list fill with what the page tries to reach beside the app; this browser finds no other host (FLAGS)."""
    asked, own = list[str](), (address, "data:", "blob:")
    page.on("request", lambda request: None if request.url.startswith(own) else asked.append(request.url))
    return asked


def opened(page: Page, address: str, drawn: bool = True) -> None:
    """Go there and wait until the script is done, its widgets are loaded and, where there is one, the picture drawn."""
    page.goto(address)
    page.wait_for_selector(LAST, state="attached", timeout=60_000)
    page.wait_for_selector(IDLE, timeout=60_000)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=60_000)
    if drawn:
        page.wait_for_selector(DRAWN, timeout=60_000)


def soon(page: Page, holds: Callable[[], bool], seconds: float = 20) -> bool:
    """Whether something holds within that time: a page that is still being drawn moves what was measured."""
    end = time.monotonic() + seconds
    while not (held := holds()) and time.monotonic() < end:
        page.wait_for_timeout(100)
    return held
