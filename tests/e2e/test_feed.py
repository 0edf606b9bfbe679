"""The button that fetches a show's feed, over a real server: audio and new episodes come in, or a line says why not."""

import re
from pathlib import Path
from threading import Event, Thread

import pytest
from playwright.sync_api import Browser, expect

from tests.application.test_feeds import Handler, Site
from tests.screen import IDLE, guarded, opened, served
from torchatlas.atlas import Atlas
from torchatlas.settings import load_settings

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHOW = '<rss version="2.0"><channel><title>Widget Radio</title>{}</channel></rss>'
ITEM = "<item><title>{0}</title><guid>{0}</guid><pubDate>Mon, 04 May 2020 10:00:00 GMT</pubDate>{1}</item>"
PATIENCE = 180_000  # milliseconds: the program loads its reader of texts first, and a busy machine is no failure
AUDIO = '<enclosure url="https://example.org/one.mp3" type="audio/mpeg" length="1"/>'
may_answer = Event()


class Slow(Handler):
    """Waits until it may answer."""

    def parse_request(self) -> bool:
        may_answer.wait(30)
        return super().parse_request()


def feed(**episodes: str) -> dict[str, str]:
    return {"/feed.xml": SHOW.format("".join(ITEM.format(title, more) for title, more in episodes.items()))}


def test_the_feed_brings_audio_and_new_episodes_or_a_line_says_why_not(browser: Browser, tmp_path: Path) -> None:
    environment = {"TORCHATLAS_HOME": str(tmp_path), "TORCHATLAS_STORE": f"ladybug:{tmp_path}/atlas.lbug"}
    (tmp_path / "sources.toml").write_text("shipped = false\n")
    site = Site(("127.0.0.1", 0), Slow)
    site.pages, site.asked = feed(One="", Two=""), []
    may_answer.set()
    Thread(target=site.serve_forever, daemon=True).start()
    with Atlas(load_settings(environment=environment)) as atlas:
        episodes = {e.title: e.id for e in atlas.add(f"{site.at}/feed.xml").graph.episodes}
    with served(environment) as address, browser.new_context() as context:
        radio = context.new_page()
        outside = guarded(radio, address)

        def fetch() -> None:
            radio.get_by_role("button", name="No audio here").click()
            radio.get_by_role("button", name="Fetch the show's feed").click()

        opened(radio, f"{address}/episode?episode={episodes['One']}", drawn=False)
        site.pages = feed(One=AUDIO, Two="", Three="")
        may_answer.clear()
        fetch()
        expect(radio.get_by_role("progressbar")).to_be_visible()
        expect(radio.get_by_text("Fetching the feed")).to_be_visible()
        may_answer.set()
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
        fetch()
        failed = radio.get_by_text("The feed could not be fetched, and the map is as it was: ")
        expect(failed).to_be_visible(timeout=PATIENCE)
        expect(radio.get_by_role("heading", name="Two")).to_be_visible()
        assert not [url for url in outside if not url.endswith(".mp3")]
