"""What pages of other origins can do to the running program: nothing, seen in a real browser."""

import http.client
import http.server
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.screen import opened

pytestmark = pytest.mark.browser


class _Stranger(http.server.BaseHTTPRequestHandler):
    """A program on another port of this computer, with an empty page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>stranger</title>")

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def stranger(browser: Browser) -> Iterator[Page]:
    """A page of another port."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Stranger)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/")
    yield page
    context.close()
    server.shutdown()
    server.server_close()


SOCKET = """address => new Promise(done => {
    const socket = new WebSocket(address.replace("http", "ws") + "/_stcore/stream", ["streamlit"]);
    socket.onopen = () => done("open");
    socket.onerror = () => done("refused");
})"""
FETCH = (
    """([address, mode]) => fetch(address + "/_stcore/health", {mode}).then(a => a.type + a.status, e => "failed")"""
)


def test_the_program_answers_its_own_page_and_no_stranger(page: Page, address: str, stranger: Page) -> None:
    opened(page, address)
    assert page.evaluate(SOCKET, address) == "open"
    assert page.evaluate(FETCH, [address, "cors"]) == "basic200"
    assert stranger.evaluate(SOCKET, address) == "refused"
    assert stranger.evaluate(FETCH, [address, "cors"]) == "failed"
    assert stranger.evaluate(FETCH, [address, "no-cors"]) == "failed"


def test_no_page_frames_the_program(address: str, stranger: Page) -> None:
    stranger.evaluate(
        "address => { const frame = document.createElement('iframe'); frame.src = address;"
        " document.body.append(frame); }",
        address,
    )
    stranger.wait_for_timeout(2000)
    inner = [frame for frame in stranger.frames if frame != stranger.main_frame]
    assert inner and all(frame.locator("[data-testid=stApp]").count() == 0 for frame in inner)


def test_a_link_from_elsewhere_opens_the_program(address: str, stranger: Page) -> None:
    stranger.evaluate(
        "address => { const link = document.createElement('a'); link.href = address; link.textContent = 'map'; "
        "document.body.append(link); }",
        address,
    )
    stranger.get_by_role("link", name="map").click()
    expect(stranger.locator("[data-testid=stApp]")).to_be_visible(timeout=30_000)


def test_a_script_that_got_into_the_page_would_not_run(page: Page, address: str) -> None:
    opened(page, address)
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
        connection.putrequest("GET", path, skip_host=True)
        connection.putheader("Host", host.format(place, port=place.split(":")[1]))
        connection.endheaders()
        answer = connection.getresponse()
        assert answer.status == status, path
        assert "frame-ancestors 'none'" in (answer.getheader("Content-Security-Policy") or "")
        connection.close()
