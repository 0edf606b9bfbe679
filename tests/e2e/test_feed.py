"""The button that fetches a show's feed, over a real server: audio and new episodes come in, or a line says why not."""

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.screen import IDLE, guarded, opened, served
from torchatlas.atlas import Atlas
from torchatlas.settings import load_settings

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHOW = '<rss version="2.0"><channel><title>Widget Radio</title>{items}</channel></rss>'
ITEM = "<item><title>{title}</title><guid>{title}</guid><pubDate>Mon, 04 May 2020 10:00:00 GMT</pubDate>{more}</item>"
PATIENCE = 180_000  # milliseconds: the program loads its reader of texts first, and a busy machine is no failure
AUDIO = '<enclosure url="https://example.org/one.mp3" type="audio/mpeg" length="1"/>'


class Site(ThreadingHTTPServer):
    """One feed, which waits until it may answer."""

    daemon_threads = True
    feed = ""
    may_answer: Event

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/feed.xml"


class Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.may_answer.wait(30)
        body = self.server.feed.encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def feed(*episodes: tuple[str, str]) -> str:
    return SHOW.format(items="".join(ITEM.format(title=title, more=more) for title, more in episodes))


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(("127.0.0.1", 0), Handler) as server:
        server.may_answer = Event()
        server.may_answer.set()
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def radio(browser: Browser, site: Site, tmp_path: Path) -> Iterator[Page]:
    """The episode One of a map of that feed alone, which had no audio when it was read."""
    environment = {"TORCHATLAS_HOME": str(tmp_path), "TORCHATLAS_STORE": f"ladybug:{tmp_path}/atlas.lbug"}
    (tmp_path / "sources.toml").write_text("shipped = false\n")
    site.feed = feed(("One", ""), ("Two", ""))
    with Atlas(load_settings(environment=environment)) as atlas:
        episodes = {e.title: e.id for e in atlas.add(site.address).graph.episodes}
    with served(environment) as address, browser.new_context() as context:
        page = context.new_page()
        outside = guarded(page, address)
        opened(page, f"{address}/episode?episode={episodes['One']}", drawn=False)
        yield page
        assert not [url for url in outside if not url.endswith(".mp3")]


def fetch(page: Page) -> None:
    page.get_by_role("button", name="No audio here").click()
    page.get_by_role("button", name="Fetch the show's feed").click()


def test_the_feed_brings_audio_and_new_episodes_or_a_line_says_why_not(radio: Page, site: Site) -> None:
    site.feed = feed(("One", AUDIO), ("Two", ""), ("Three", ""))
    site.may_answer.clear()
    fetch(radio)
    expect(radio.get_by_role("progressbar")).to_be_visible()
    expect(radio.get_by_text("Fetching the feed")).to_be_visible()
    site.may_answer.set()
    expect(radio.get_by_text("The feed is in the map: ")).to_be_visible(timeout=PATIENCE)
    radio.get_by_role("button", name="Close").click()
    expect(radio.get_by_text("The feed is in the map: ")).to_have_count(0)
    radio.wait_for_selector(IDLE)
    radio.get_by_role("button", name="Listen").click()
    expect(radio.locator("audio")).to_have_attribute("src", "https://example.org/one.mp3")
    radio.get_by_role("link", name="All episodes").click()
    expect(radio.get_by_role("heading", name="3 episodes")).to_be_visible()
    radio.get_by_role("link", name="Two").click()
    expect(radio).to_have_url(re.compile("two$"))
    expect(radio.get_by_role("heading", name="Two")).to_be_visible()
    site.shutdown()
    site.server_close()
    fetch(radio)
    expect(radio.get_by_text("The feed could not be fetched, and the map is as it was: ")).to_be_visible(
        timeout=PATIENCE
    )
    expect(radio.get_by_role("heading", name="Two")).to_be_visible()
