"""An open page outlives its program: it says that there is none, goes on with the next one, and loses no click."""

import re
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.atlas import stored
from tests.bolt_line import BoltLine
from tests.screen import CHOOSE, DRAWN, IDLE, opened, served

pytestmark = pytest.mark.browser


def chosen(page: Page, node: str, name: str) -> None:
    """A choice on the map arrives in the address and in the details."""
    page.locator(DRAWN).evaluate(CHOOSE, node)
    expect(page).to_have_url(re.compile(f"node={node}$"))
    expect(page.locator(".st-key-details h2").first).to_have_text(name)


def test_a_page_goes_on_with_the_next_program_and_loses_no_click(browser: Browser, tmp_path: Path) -> None:
    environment, page = stored(tmp_path), browser.new_page()
    line = page.get_by_role("alert")
    with served(environment) as address:
        opened(page, f"{address}/?node=view")
    page.evaluate("window.same = true")
    port = int(address.rpartition(":")[2])
    expect(line).to_have_text(
        f"torchatlas has stopped. Start it again with torchatlas --port {port}. This page then goes on by itself."
    )
    expect(page.get_by_role("dialog")).to_have_count(0)  # Streamlit's own, about the internet
    with served(environment, port=port):
        page.locator(".st-key-details").get_by_role("button", name="strides idea").first.click()
        expect(page).to_have_url(re.compile("node=strides$"))
        expect(line).to_have_count(0)
        chosen(page, "tensor", "tensor idea")
    assert page.evaluate("window.same")  # it was not loaded again
    page.wait_for_selector("html[data-lost]", state="attached")
    page.locator(DRAWN).evaluate(CHOOSE, "autograd")  # nobody hears it
    with served(environment, port=port):
        expect(page.locator(".st-key-details h2").first).to_have_text("autograd idea")
        chosen(page, "view", "__torch_function__")
    page.close()


def test_a_page_that_was_frozen_while_its_connection_was_cut_goes_on(browser: Browser, address: str) -> None:
    page = browser.new_page()
    with closing(BoltLine(int(address.rpartition(":")[2]))) as line:
        opened(page, f"http://127.0.0.1:{line.port}/?node=view")
        life = page.context.new_cdp_session(page)
        life.send("Page.setWebLifecycleState", {"state": "frozen"})
        line.cut()
        page.wait_for_timeout(30_000)
        life.send("Page.setWebLifecycleState", {"state": "active"})
        page.wait_for_selector(IDLE)
        chosen(page, "strides", "strides idea")
        expect(page.get_by_role("alert")).to_have_count(0)
    page.close()
