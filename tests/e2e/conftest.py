"""One running program and one browser for all tests here; a fresh page for each."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.atlas import stored
from tests.chromium import find
from tests.screen import chromium, guarded, opened, served, soon

expect.set_options(timeout=20_000)  # a busy machine is no failure
PHONE, LAPTOP, DESK = ({"width": w, "height": h} for w, h in ((390, 844), (1024, 768), (1400, 900)))


class Map:
    """The map of a page that is open."""

    def __init__(self, page: Page) -> None:
        self.page, self.canvas = page, page.locator(".atlas-canvas")

    def js(self, what: str, given: object = None) -> Any:
        """The value of an expression over the picture's state `s`, its network `net` and what is `given`."""
        return self.canvas.evaluate(f"(host, given) => {{ const s = host._atlas, net = s.net; return {what}; }}", given)

    def at(self, node: str) -> tuple[float, float]:
        """Where a node stands, in pixels of the frame."""
        place = self.js("net.canvasToDOM(s.node.get(given))", node)
        return place["x"], place["y"]

    def scale(self) -> float:
        return float(self.js("net.getScale()"))

    def hover(self, place: str | tuple[float, float]) -> None:
        x, y = self.at(place) if isinstance(place, str) else place
        self.canvas.hover(position={"x": x, "y": y})

    def click(self, place: str | tuple[float, float]) -> None:
        x, y = self.at(place) if isinstance(place, str) else place
        self.canvas.click(position={"x": x, "y": y})

    def has(self, **attributes: str) -> None:
        for name, value in attributes.items():
            expect(self.canvas).to_have_attribute(f"data-{name}", value)

    def words(self, attribute: str) -> list[str]:
        return (self.canvas.get_attribute(f"data-{attribute}") or "").split()


See = Callable[..., Map]


def box(part: Locator) -> dict[str, float]:
    found = part.bounding_box()
    return dict(found) if found else dict.fromkeys(("x", "y", "width", "height"), float("nan"))


def on_one_line(*parts: Locator) -> bool:
    """Whether the middles of parts come to stand at one height, within 2 pixels."""

    def together() -> bool:
        middles = [b["y"] + b["height"] / 2 for b in map(box, parts)]
        return max(middles) - min(middles) <= 2

    return soon(parts[0].page, together)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if find() is None:
        reason = "no Chromium: python tests/chromium.py gets one"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def address(browser: Browser, home: Path) -> Iterator[str]:
    with served(stored(home)) as found:
        yield found


@pytest.fixture(scope="session")
def window(browser: Browser) -> Iterator[BrowserContext]:
    """One memory for all pages: the program's scripts are fetched and compiled once."""
    with browser.new_context(viewport=DESK, color_scheme="light") as context:
        yield context


@contextmanager
def blameless(page: Page, address: str) -> Iterator[Page]:
    """A page that can reach the app only, and must have tried nothing else."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("response", lambda r: errors.append(r.url) if r.status >= 400 and "/_stcore/" in r.url else None)
    outside = guarded(page, address)
    yield page
    hacked = page.evaluate("window.hacked")
    page.close()
    assert not outside and not errors and hacked is None


@pytest.fixture
def page(window: BrowserContext, address: str) -> Iterator[Page]:
    with blameless(window.new_page(), address) as page:
        yield page


@pytest.fixture
def see(page: Page, address: str) -> See:
    """Open a page: see("/path?goal=view", drawn=False)."""

    def seen(path: str = "", drawn: bool = True) -> Map:
        opened(page, address + path, drawn=drawn)
        return Map(page)

    return seen
