"""A map of more nodes than a browser can draw: what stands behind a node opens by a click and by a key."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.atlas import large, stored
from tests.screen import opened, served

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LANDMARKS = "host => host._atlas.order.filter(n => n.behind).map(n => [n.id, n.behind])"
SHOWN = "host => host._atlas.picture.nodes.length"
CLICK = """(host, id) => {
    const s = host._atlas, at = s.node.get(id);
    s.net.moveTo({ scale: 4, position: at });
    return [host.clientWidth / 2, host.clientHeight / 2];
}"""

GO = "async (host, id) => { (await import('/atlas/map.js')).go(host._atlas, id); host.focus(); }"


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    with served(stored(tmp_path, large(2400))) as address, browser.new_context() as context:
        found = context.new_page()
        opened(found, f"{address}/?show=all")
        yield found


def test_what_stands_behind_a_node_opens_by_a_click_and_by_a_key(page: Page) -> None:
    canvas = page.locator(".atlas-canvas")
    (first, behind), (second, more), *_ = canvas.evaluate(LANDMARKS)
    hidden = 2400 - canvas.evaluate(SHOWN)
    expect(page.get_by_text(f"{hidden:,} more stand behind the names with a number")).to_be_visible()
    x, y = canvas.evaluate(CLICK, first)
    canvas.click(position={"x": x, "y": y})
    expect(page.get_by_text(f"{behind:,} node{'s' if behind > 1 else ''} behind it.")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"behind={first}"))
    expect(canvas).to_have_attribute("aria-label", re.compile("behind it$"))
    expect(canvas).to_have_attribute("data-selected", first)
    assert canvas.evaluate(SHOWN) == 1 + behind
    page.get_by_role("button", name="Show the whole map").click()
    expect(canvas).to_have_attribute("aria-label", re.compile("stand behind others$"))
    canvas.evaluate(
        "async (host, id) => { (await import('/atlas/map.js')).go(host._atlas, id); host.focus(); }", second
    )
    expect(page.locator(".atlas-status")).to_contain_text("Enter shows what is behind it")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"behind={second}"))
    expect(canvas).to_have_attribute("aria-label", re.compile("behind it$"))
    expect(canvas).to_have_attribute("data-selected", second)
    assert canvas.evaluate(SHOWN) == 1 + more
    page.go_back()
    expect(page.get_by_text(f"{hidden:,} more stand behind")).to_be_visible()
