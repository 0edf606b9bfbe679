import gzip
import io
import os
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest

from tests.extract.cases import cases, pairs
from torchatlas.extract.fetch import FetchLimits, copy_name, fetch, is_public, without_secrets
from torchatlas.extract.text import decoded
from torchatlas.graph.errors import SourceError

SMALL = FetchLimits(size=10_000)
QUICK = FetchLimits(total=1.0)  # for a server that takes longer; any may, on a busy machine


ANSWERS: dict[str, tuple[int, bytes, dict[str, str]]] = {
    "/large": (200, b"x" * 20_000, {}),
    "/bomb": (200, gzip.compress(b"x" * 5_000_000), {"Content-Encoding": "gzip"}),
    "/to-file": (302, b"", {"Location": "file:///etc/passwd"}),
    "/circle": (302, b"", {"Location": "/circle"}),
    "/moved": (301, b"", {"Location": "/feed"}),
    "/russian": (200, "Тензор".encode("koi8-r"), {"Content-Type": "text/xml; charset='KOI8-R'"}),
}


class Site(ThreadingHTTPServer):
    """A real server on this machine. `hits`: (path, If-None-Match) it was asked for; `broken` makes it fail."""

    daemon_threads = True
    hits: list[tuple[str, str | None]]
    broken = False


class Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.hits.append((self.path, self.headers.get("If-None-Match")))
        if self.server.broken:
            return self.answer(500, b"down")
        if self.path == "/feed":
            if self.headers.get("If-None-Match") == '"v1"':
                return self.answer(304, b"")
            return self.answer(200, b"<rss/>", ETag='"v1"')
        if self.path == "/silent":
            time.sleep(60)
        if self.path == "/endless":
            return self.trickle([b"x" * 1000] * 3000, 0.001)
        if self.path == "/drip":
            return self.trickle([b"x"] * 600, 0.1)
        if self.path == "/slow-head":
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            return self.trickle([b"X-%d: 1\r\n" % n for n in range(600)] + [b"\r\n<rss/>"], 0.1, head=False)
        if self.path.startswith("/slowly/"):
            time.sleep(0.3)
            return self.answer(302, b"", Location=f"/slowly/{int(self.path[8:]) + 1}")
        if self.path.endswith("/inside"):
            return self.answer(302, b"", Location=f"http://127.0.0.1:{self.server.server_address[1]}/feed")
        if self.path == "/heavy":
            return self.trickle([b"x" * 100_000] * 1000, 0.02, 302, Location="/feed")
        status, body, headers = ANSWERS.get(self.path, (404, b"nothing", {}))
        return self.answer(status, body, **headers)

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        self.begin(status, **headers | {"Content-Length": str(len(body))})
        self.wfile.write(body)

    def trickle(self, parts: list[bytes], pause: float, status: int = 200, head: bool = True, **headers: str) -> None:
        if head:
            self.begin(status, **headers)
        for part in parts:
            self.wfile.write(part)
            self.wfile.flush()
            time.sleep(pause)

    def begin(self, status: int, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[Site]:
    server = Site(("127.0.0.1", 0), Handler)
    server.hits = []
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def at(site: Site, path: str) -> str:
    return f"http://127.0.0.1:{site.server_address[1]}{path}"


def refused(address: str, limits: FetchLimits = SMALL, cache: Path | None = None) -> str:
    with pytest.raises(SourceError) as caught:
        fetch(address, cache, limits)
    message = str(caught.value)
    assert "\n" not in message and len(message) < 300
    return message


def test_an_unchanged_feed_is_not_sent_again(site: Site, tmp_path: Path) -> None:
    first, second = (fetch(at(site, "/feed"), tmp_path) for _ in range(2))
    assert first.data == second.data == b"<rss/>" and not second.note
    assert site.hits == [("/feed", None), ("/feed", '"v1"')]


def test_the_kept_copy_serves_when_the_server_fails_or_is_gone(site: Site, tmp_path: Path) -> None:
    address = at(site, "/feed")
    fetch(address, tmp_path)
    site.broken = True
    down = fetch(address, tmp_path, SMALL)
    site.shutdown()
    site.server_close()
    gone = fetch(address, tmp_path, SMALL)
    for answer, words in ((down, "500"), (gone, "cannot be reached")):
        assert answer.data == b"<rss/>" and words in answer.note and "copy" in answer.note


def test_a_server_that_fails_may_be_asked_again_later(site: Site) -> None:
    site.broken = True
    assert "answers 500; try again later" in refused(at(site, "/feed"))


def test_a_cache_that_cannot_be_written_leaves_nothing(site: Site, tmp_path: Path) -> None:
    address = at(site, "/feed")
    (tmp_path / copy_name(address)).mkdir()
    assert fetch(address, tmp_path).data == b"<rss/>"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_damaged_copy_is_fetched_again(site: Site, tmp_path: Path) -> None:
    fetch(at(site, "/feed"), tmp_path)
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(kept.read_bytes()[:-2])
    assert fetch(at(site, "/feed"), tmp_path).data == b"<rss/>"
    assert site.hits[-1] == ("/feed", None)


@pytest.mark.parametrize(
    ("path", "limits", "words"),
    [
        ("/nothing", SMALL, "404"),
        ("/large", SMALL, "larger than 10,000"),
        ("/bomb", SMALL, "larger than 10,000"),
        ("/endless", SMALL, "larger than 10,000"),
        ("/silent", FetchLimits(silence=0.5), "no answer in time"),
        ("/drip", QUICK, "not finished after 1 seconds"),
        ("/slow-head", QUICK, "not finished after 1 seconds"),
        ("/slowly/0", QUICK, "not finished after 1 seconds"),
        ("/to-file", SMALL, "other than http"),
        ("/circle", SMALL, "circle"),
    ],
)
def test_what_goes_wrong_is_said_in_one_line(site: Site, path: str, limits: FetchLimits, words: str) -> None:
    begin = time.monotonic()
    assert words in refused(at(site, path), limits)
    assert time.monotonic() - begin < 30  # more than the deadline of a second, less than a server would take


def test_the_body_of_a_redirect_is_not_read(site: Site) -> None:
    assert fetch(at(site, "/heavy"), None, FetchLimits(total=10.0)).data == b"<rss/>"


@pytest.mark.parametrize("path", ["/feed", "/moved"])
def test_what_the_internet_names_is_not_asked_for_here(site: Site, path: str) -> None:
    for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433"):
        address = at(site, path).replace("127.0.0.1", host)
        with pytest.raises(SourceError, match="lies on this computer or in its network"):
            fetch(address, None, SMALL, local=False)
    assert site.hits == []


def test_no_redirect_leads_inside_from_the_internet(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site plays a proxy, behind which an address of the internet redirects to this computer."""
    monkeypatch.setenv("http_proxy", at(site, ""))
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "127.0.0.1")
    assert "in its network" in refused("http://8.8.8.8/inside")
    assert [path for path, _ in site.hits] == ["http://8.8.8.8/inside"]


@pytest.mark.parametrize("local", [None, True])
def test_an_address_that_a_person_gave_may_lie_here_and_says_so(site: Site, local: bool | None) -> None:
    moved = fetch(at(site, "/moved"), None, SMALL, local=local)
    assert moved.local and moved.data == b"<rss/>"


def test_what_is_asked_of_a_proxy_is_checked_too(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", at(site, ""))
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SourceError, match="in its network"):
        fetch("http://169.254.169.254/latest", None, SMALL, local=False)
    assert site.hits == []
    assert "404" in refused("http://name-of-nobody.invalid/a")
    assert [path for path, _ in site.hits] == ["http://name-of-nobody.invalid/a"]


INSIDE = """0.0.0.0 | 10.1.2.3 | 100.64.0.1 | 127.0.0.2 | 169.254.169.254 | 172.16.0.1 | 192.168.1.1 | 224.0.0.1
    255.255.255.255 | :: | ::1 | fe80::1%lo | fc00::1 | ::ffff:10.0.0.1 | 64:ff9b::7f00:1 | 2002:7f00:1::1"""
OUTSIDE = "1.1.1.1 | 8.8.8.8 | 2606:4700::1111 | ::ffff:8.8.8.8 | 64:ff9b::808:808"


@pytest.mark.parametrize("address", cases(INSIDE + "\n" + OUTSIDE))
def test_addresses_of_the_internet_are_told_from_others(address: str) -> None:
    assert is_public(address) is (address in cases(OUTSIDE))


UNREACHABLE = """http://127.0.0.1:9/feed => connection failed | http://[/feed => no address that can be read
    ftp://x.invalid/feed => only http | file:///etc/passwd => only http | a\0b => cannot be read
    http://me:secret@127.0.0.1:9/feed => | ftp://me:secret@x.invalid/feed => | http://me:secret@[::1/x =>
    http:/me:secret@x.invalid/feed.xml =>"""
UNMASKED = """https://me:secret@x.invalid/a@b => https://x.invalid/a@b | /home/me/a@b.xml => /home/me/a@b.xml
    https://x.invalid:8080/@me/feed?a=b@c => https://x.invalid:8080/@me/feed?a=b@c | http://[x => http://[x"""


@pytest.mark.parametrize(("address", "said"), pairs(UNREACHABLE))
def test_an_address_that_cannot_be_reached_is_told_without_its_password(address: str, said: str) -> None:
    message = refused(address)
    assert said in message and "secret" not in message


@pytest.mark.parametrize(("address", "shown"), pairs(UNMASKED))
def test_a_password_is_not_shown(address: str, shown: str) -> None:
    assert without_secrets(address) == shown


def test_an_encoding_that_only_the_server_states_is_followed(site: Site, tmp_path: Path) -> None:
    for _ in range(2):
        assert decoded(fetch(at(site, "/russian"), tmp_path).data) == "Тензор"


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(b"<rss/>")
    assert fetch(str(path)).data == b"<rss/>"
    assert "no file" in refused(str(tmp_path / "nothing.xml"))
    assert "folder" in refused(str(tmp_path))
    assert "larger" in refused(str(path), FetchLimits(size=3))
    if os.geteuid() != 0:  # the superuser may read everything
        path.chmod(0)
        assert "permissions" in refused(str(path))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"<rss/>")))
    assert fetch("-").data == b"<rss/>"
