"""Strangers (texts, pages of other origins, smuggled scripts) do nothing to the running program; a feed is fetched."""

import http.client
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.application.test_feeds import Handler, Site
from tests.e2e.conftest import See
from tests.screen import IDLE, guarded, opened, served
from torchatlas.atlas import Atlas
from torchatlas.settings import load_settings

pytestmark = pytest.mark.browser


def test_names_that_try_to_be_code_are_shown_and_run_nothing(page: Page, see: See) -> None:
    for path in ("/?node=show-hostile", "/episode?episode=show-hostile", "/path?goal=hostile", "/?node=hostile"):
        seen = see(path, drawn=path.startswith("/?"))
        assert page.locator("img[src=x]").count() == page.locator('a[href^="javascript:"]').count() == 0
        expect(page.get_by_text("__init__ $a_b$ [x](javascript:window.hacked=1) </script>").first).to_be_attached()
    seen.hover("hostile")
    expect(page.locator(".atlas-tip")).to_contain_text("<img src=x")
    see("/?node=%3Cscript%3Ewindow.hacked%3D1%3C/script%3E&area=x&show=y&radius=z").has(selected="")
    see("/path?goal=nothing&budget=-1", drawn=False)
    expect(page.get_by_text("What do you want to understand?")).to_be_visible()


@pytest.fixture
def stranger(browser: Browser) -> Iterator[Page]:
    """An empty page of a program on another port of this computer."""
    with Site(("127.0.0.1", 0), Handler) as server, browser.new_context() as context:
        server.pages, server.asked = {"/": "<!doctype html><title>stranger</title>"}, []
        Thread(target=server.serve_forever, daemon=True).start()
        page = context.new_page()
        page.goto(f"{server.at}/")
        yield page
        server.shutdown()


SOCKET = """address => new Promise(done => {
    const socket = new WebSocket(address.replace("http", "ws") + "/_stcore/stream", ["streamlit"]);
    socket.onopen = () => done("open");
    socket.onerror = () => done("refused");
})"""
FETCH = """([at, mode]) => fetch(at + "/_stcore/health", {mode}).then(a => a.type + a.status, e => "failed")"""


def test_the_program_answers_no_stranger_who_may_only_link_to_it(see: See, address: str, stranger: Page) -> None:
    own = see().page
    assert own.evaluate(SOCKET, address) == "open" and own.evaluate(FETCH, [address, "cors"]) == "basic200"
    assert stranger.evaluate(SOCKET, address) == "refused"
    assert {stranger.evaluate(FETCH, [address, mode]) for mode in ("cors", "no-cors")} == {"failed"}
    add = "([tag, given]) => document.body.append(Object.assign(document.createElement(tag), given))"
    stranger.evaluate(add, ["iframe", {"src": address}])
    stranger.wait_for_timeout(2000)
    inner = [frame for frame in stranger.frames if frame != stranger.main_frame]
    assert inner and all(frame.locator("[data-testid=stApp]").count() == 0 for frame in inner)
    stranger.evaluate(add, ["a", {"href": address, "textContent": "map"}])
    stranger.get_by_role("link", name="map").click()
    expect(stranger.locator("[data-testid=stApp]")).to_be_visible(timeout=30_000)


def test_a_script_that_got_into_the_page_would_not_run(page: Page, see: See) -> None:
    see()
    page.evaluate(
        """() => {
        const script = document.createElement("script");
        script.textContent = "window.smuggled = 1";
        document.body.append(script);
        const image = document.createElement("img");
        image.setAttribute("onerror", "window.smuggled = 1");
        image.src = "data:,";
        document.body.append(image);
    }"""
    )
    page.wait_for_timeout(500)
    assert page.evaluate("window.smuggled") is None


@pytest.mark.parametrize(
    ("host", "status"), [("{}", 200), ("localhost:{port}", 200), ("evil.example", 403), ("127.0.0.2:{port}", 403)]
)
def test_a_name_that_is_not_ours_gets_nothing(address: str, host: str, status: int) -> None:
    place = urlsplit(address).netloc
    for path in ("/", "/_stcore/health", "/_stcore/host-config", "/path?goal=view"):
        connection = http.client.HTTPConnection(place, timeout=10)
        connection.request("GET", path, headers={"Host": host.format(place, port=place.split(":")[1])})
        answer = connection.getresponse()
        assert answer.status == status, path
        assert "frame-ancestors 'none'" in (answer.getheader("Content-Security-Policy") or "")
        connection.close()


SHOW = '<rss version="2.0"><channel><title>Widget Radio</title>{}</channel></rss>'
ITEM = "<item><title>{0}</title><guid>{0}</guid><pubDate>Mon, 04 May 2020 10:00:00 GMT</pubDate>{1}</item>"
PATIENCE = 180_000  # milliseconds: the program loads its reader of texts first, and a busy machine is no failure
AUDIO = '<enclosure url="https://example.org/one.mp3" type="audio/mpeg" length="1"/>'
SPOKEN = '<i:duration xmlns:i="http://www.itunes.com/dtds/podcast-1.0.dtd">9:00</i:duration>'
may_answer = Event()


class Slow(Handler):
    """Waits until it may answer."""

    def parse_request(self) -> bool:
        may_answer.wait(30)
        return super().parse_request()


def feed(**episodes: str) -> dict[str, str]:
    return {"/feed.xml": SHOW.format("".join(ITEM.format(title, more) for title, more in episodes.items()))}


@pytest.mark.slow
def test_the_feed_brings_audio_and_new_episodes_or_a_line_says_why_not(browser: Browser, tmp_path: Path) -> None:
    environment = {"TORCHATLAS_HOME": str(tmp_path), "TORCHATLAS_STORE": f"ladybug:{tmp_path}/atlas.lbug"}
    (tmp_path / "sources.toml").write_text("shipped = false\n")
    site = Site(("127.0.0.1", 0), Slow)
    site.pages, site.asked = feed(One=SPOKEN, Two=SPOKEN), []
    may_answer.set()
    Thread(target=site.serve_forever, daemon=True).start()
    with Atlas(load_settings(environment=environment)) as atlas:
        episodes = {e.title: e.id for e in atlas.add(f"{site.at}/feed.xml").graph.episodes}
    with served(environment) as address, browser.new_context() as context:
        radio = context.new_page()
        outside = guarded(radio, address)

        opened(radio, f"{address}/episode?episode={episodes['One']}", drawn=False)
        site.pages = feed(One=AUDIO, Two=SPOKEN, Three=SPOKEN)
        may_answer.clear()
        radio.get_by_role("button", name="Fetch the feed").click()
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
        radio.get_by_role("link", name="No audio here. Add the show's feed").click()
        radio.get_by_role("textbox", name="Add a podcast, blog or channel").fill(f"{site.at}/feed.xml")
        radio.get_by_role("button", name="Add", exact=True).click()
        failed = radio.get_by_text("The feed could not be fetched, and the map is as it was: ")
        expect(failed).to_be_visible(timeout=PATIENCE)
        assert not [url for url in outside if not url.endswith(".mp3")]
