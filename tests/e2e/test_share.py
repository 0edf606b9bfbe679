"""The page to send around: opened from a file, with the network off, in a real browser."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.atlas import HOSTILE, stored
from tests.e2e.conftest import DESK
from torchatlas.atlas import Atlas
from torchatlas.files import write_file
from torchatlas.settings import load_settings
from torchatlas.ui.web.share import share_page

pytestmark = pytest.mark.browser
CANVAS = ".atlas-canvas[data-drawn]"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of the whole map, one of the way to a goal, and one whose goal tries to be HTML."""
    home = tmp_path_factory.mktemp("home")
    goals = {"map": (), "path": ("aotautograd",), "hostile": ("hostile", "show-hostile")}
    with Atlas(load_settings(environment=os.environ | stored(home))) as atlas:
        plans = {name: atlas.plan(*of) if of else None for name, of in goals.items()}
        pages = {name: share_page(atlas.graph, atlas.subject, plan).encode() for name, plan in plans.items()}
        return {name: write_file(home / f"{name}.html", page) for name, page in pages.items()}


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page without a network, which must have asked for nothing but the file."""
    asked: list[str] = []
    errors: list[str] = []
    with browser.new_context(viewport=DESK, offline=True) as context:
        found = context.new_page()
        found.on("request", lambda request: asked.append(request.url.partition("#")[0]))
        found.on("pageerror", lambda error: errors.append(str(error)))
        found.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        yield found
        assert found.evaluate("window.hacked") is None
    (only,) = {url for url in asked if not url.startswith(("data:", "blob:"))}
    assert not errors and only.startswith("file://")


def test_a_file_shows_the_map_and_details_of_what_is_chosen(page: Page, files: dict[str, Path]) -> None:
    page.goto(files["map"].as_uri())
    canvas = page.locator(CANVAS)
    expect(canvas).to_have_attribute("data-selected", "")
    assert "dispatcher" in str(canvas.get_attribute("data-labels")).split()
    page.fill("#find", "autograd idea")
    page.press("#find", "Enter")
    expect(canvas).to_have_attribute("data-selected", "autograd")
    details = page.locator("#details")
    expect(details).to_contain_text("What autograd is.")
    details.get_by_role("button", name="dispatcher").first.click()
    expect(canvas).to_have_attribute("data-selected", "dispatcher")
    page.reload()
    expect(canvas).to_have_attribute("data-selected", "dispatcher")  # the address names it
    assert not page.locator("#plan li").count()


def test_a_file_for_a_goal_shows_the_route_and_its_steps(page: Page, files: dict[str, Path]) -> None:
    page.goto(files["path"].as_uri())
    canvas = page.locator(CANVAS)
    route = str(canvas.get_attribute("data-route")).split()
    assert route[-1] == "show-aotautograd" and len(route) > 1
    steps = page.locator("#plan ol > li")
    expect(steps).to_have_count(len(route))
    steps.last.hover()
    expect(canvas).to_have_attribute("data-pulsed", str(len(route)))
    steps.last.get_by_role("button").click()
    expect(canvas).to_have_attribute("data-selected", "show-aotautograd")
    assert steps.first.get_by_role("link").get_attribute("href", timeout=5000).startswith("https://example.org/")


def test_hostile_text_is_text(page: Page, files: dict[str, Path]) -> None:
    page.goto(f"{files['hostile'].as_uri()}#hostile")
    expect(page.locator(CANVAS)).to_have_attribute("data-selected", "hostile")
    expect(page.locator("h1")).to_contain_text(HOSTILE)
    expect(page.locator("#details")).to_contain_text(HOSTILE)
    page.get_by_role("button", name=HOSTILE).first.click()
    page.get_by_text("As a list").click()
    assert not page.locator("#details img, #plan img, .atlas-list img, a[href^=javascript]").count()


def test_the_policy_of_the_page_stops_what_is_not_its_own(browser: Browser, files: dict[str, Path]) -> None:
    with browser.new_context(offline=True) as context:
        page, asked = context.new_page(), list[str]()
        page.goto(files["map"].as_uri())
        page.wait_for_selector(CANVAS)
        page.on("request", lambda request: asked.append(request.url))
        for tag, what in (("script", "text"), ("img", "src"), ("iframe", "src"), ("script", "src")):
            value = "window.hacked = 1" if what == "text" else "https://example.org/x"
            with page.expect_console_message(lambda message: "Content Security Policy" in message.text, timeout=5000):
                page.evaluate(
                    "([tag, what, value]) => "
                    "document.body.append(Object.assign(document.createElement(tag), { [what]: value }))",
                    [tag, what, value],
                )
        assert page.evaluate("window.hacked") is None
