"""One running program and one browser for all tests here; a fresh page for each."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.atlas import stored
from tests.chromium import find
from tests.screen import chromium, guarded, served

expect.set_options(timeout=20_000)  # a busy machine is no failure


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
    with browser.new_context(viewport={"width": 1400, "height": 900}, color_scheme="light") as context:
        yield context


@pytest.fixture
def page(window: BrowserContext, address: str) -> Iterator[Page]:
    """A page that can reach the app only, and must have tried nothing else."""
    found = window.new_page()
    errors: list[str] = []
    found.on("pageerror", lambda error: errors.append(str(error)))
    outside = guarded(found, address)
    yield found
    hacked = found.evaluate("window.hacked")
    found.close()
    assert not outside and not errors and hacked is None
