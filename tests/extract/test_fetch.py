"""What is fetched, kept and refused; no password and no token is shown, however an address is written."""

import gzip
import io
import os
import re
import shutil
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import check_links
from tests.extract.cases import TEXTS, cases, claims, pairs
from torchatlas.extract.fetch import FetchLimits, copy_name, fetch, is_public, without_secrets
from torchatlas.extract.text import decoded
from torchatlas.graph.errors import SourceError

SMALL = FetchLimits(size=10_000)
QUICK = FetchLimits(total=1.0)  # for a server that takes longer; any may, on a busy machine


def answer(status: int, body: bytes | None = b"", **headers: str) -> bytes:
    """What a server writes; without a body, it is written after this."""
    size = {} if body is None else {"Content-Length": str(len(body))}
    lines = [f"HTTP/1.0 {status} X", *(f"{n.replace('_', '-')}: {v}" for n, v in (headers | size).items()), "", ""]
    return "\r\n".join(lines).encode() + (body or b"")


PACKED = answer(200, gzip.compress(b"x" * 5_000_000), Content_Encoding="gzip")
HEADERS = [b"X-%d: 1\r\n" % n for n in range(600)]
ANSWERS: dict[str, tuple[float, list[bytes]]] = {  # the seconds between the parts, and the parts
    "/feed": (0, [answer(200, b"<rss/>", ETag='"v1"')]),
    "/large": (0, [answer(200, b"x" * 20_000)]),
    "/bomb": (0, [PACKED]),
    "/damaged": (0, [answer(200, b"not packed", Content_Encoding="gzip")]),
    "/to-file": (0, [answer(302, Location="file:///etc/passwd")]),
    "/circle": (0, [answer(302, Location="/circle")]),
    "/moved": (0, [answer(301, Location="/feed")]),
    "/russian": (0, [answer(200, "Тензор".encode("koi8-r"), Content_Type="text/xml; charset='KOI8-R'")]),
    "/silent": (60, [b""]),
    "/busy": (0, [answer(429, Retry_After="1")]),
    "/endless": (0.001, [answer(200, None), *[b"x" * 1000] * 3000]),
    "/drip": (0.1, [answer(200, None), *[b"x"] * 600]),
    "/slow-head": (0.1, [b"HTTP/1.1 200 OK\r\n", *HEADERS, b"\r\n<rss/>"]),
    "/heavy": (0.02, [answer(302, None, Location="/feed"), *[b"x" * 100_000] * 1000]),
    **{f"/slowly/{n}": (0.3, [b"", answer(302, Location=f"/slowly/{n + 1}")]) for n in range(30)},
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
        pause, parts = ANSWERS.get(self.path, (0, [answer(404, b"nothing")]))
        if self.path.endswith("/inside"):
            parts = [answer(302, Location=f"http://127.0.0.1:{self.server.server_address[1]}/feed")]
        elif self.server.broken:
            parts = [answer(500, b"down")]
        elif self.server.hits[-1] == ("/feed", '"v1"'):
            parts = [answer(304)]
        for part in parts:
            self.wfile.write(part)
            time.sleep(pause)

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


def test_an_unchanged_feed_is_not_sent_again_and_its_copy_serves_when_the_server_is_gone(site: Site, tmp_path) -> None:
    address = at(site, "/feed")
    first, second = (fetch(address, tmp_path) for _ in range(2))
    assert first.data == second.data == b"<rss/>" and not second.note
    assert site.hits == [("/feed", None), ("/feed", '"v1"')]
    site.broken = True
    assert "answers 500; try again later" in refused(address)
    down = fetch(address, tmp_path, SMALL)
    site.shutdown()
    site.server_close()
    for kept, words in ((down, "500"), (fetch(address, tmp_path, SMALL), "cannot be reached")):
        assert kept.data == b"<rss/>" and words in kept.note and "copy" in kept.note


def test_a_cache_that_cannot_be_written_leaves_nothing_and_a_damaged_copy_is_fetched_again(site, tmp_path) -> None:
    address, kept = at(site, "/feed"), tmp_path / copy_name(at(site, "/feed"))
    kept.mkdir()
    assert fetch(address, tmp_path).data == b"<rss/>" and [*tmp_path.iterdir()] == [kept]
    kept.rmdir()
    fetch(address, tmp_path)
    kept.write_bytes(kept.read_bytes()[:-2])
    assert fetch(address, tmp_path).data == b"<rss/>" and site.hits[-1] == ("/feed", None)


@pytest.mark.parametrize(("path", "words"), pairs(TEXTS["what goes wrong"]))
def test_what_goes_wrong_is_said_in_one_line(site: Site, path: str, words: str) -> None:
    limits = {"/silent": FetchLimits(silence=0.5)}.get(path, QUICK if "seconds" in words else SMALL)
    begin = time.monotonic()
    assert words in refused(at(site, path), limits)
    assert time.monotonic() - begin < 30  # more than the deadline of a second, less than a server would take


@pytest.mark.parametrize("path", ["/feed", "/moved"])
def test_what_the_internet_names_is_not_asked_for_here(site: Site, path: str) -> None:
    for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433"):
        address = at(site, path).replace("127.0.0.1", host)
        with pytest.raises(SourceError, match="lies on this computer or in its network"):
            fetch(address, None, SMALL, local=False)
    assert site.hits == []
    for local in (None, True):  # one that a person gave may lie here, and says so
        found = fetch(at(site, path), None, SMALL, local=local)
        assert found.local and found.data == b"<rss/>"


def test_what_is_asked_of_a_proxy_is_checked_too_and_no_redirect_leads_inside(site: Site, monkeypatch) -> None:
    """The site plays a proxy, behind which an address of the internet redirects to this computer."""
    monkeypatch.setenv("http_proxy", at(site, ""))
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SourceError, match="in its network"):
        fetch("http://169.254.169.254/latest", None, SMALL, local=False)
    assert site.hits == [] and "404" in refused("http://name-of-nobody.invalid/a")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "127.0.0.1")
    assert "in its network" in refused("http://8.8.8.8/inside")
    assert [path for path, _ in site.hits] == ["http://name-of-nobody.invalid/a", "http://8.8.8.8/inside"]


OUTSIDE = "1.1.1.1 | 8.8.8.8 | 2606:4700::1111 | ::ffff:8.8.8.8 | 64:ff9b::808:808"
NETWORKS = [(a, table == OUTSIDE) for table in (OUTSIDE, TEXTS["this network"]) for a in cases(table)]
PLACES = [p if "://" in p else f"https://x.invalid/{p}" for p in cases(TEXTS["places without a secret"])]
PLACES += ["/home/me/0b9c2d14-7f3e-4c1a-9b7d-2f60c1a8e5d3/feed.xml"]
SHOWN = [*pairs(TEXTS["passwords"]), *((place, place) for place in PLACES)]
test_values = claims({"the internet, or this network": (is_public, NETWORKS), "no secrets": (without_secrets, SHOWN)})


@pytest.mark.parametrize(("address", "said"), pairs(TEXTS["addresses that cannot be reached"]))
def test_an_address_that_cannot_be_reached_is_told_without_its_password(address: str, said: str) -> None:
    message = refused(address.replace(r"\0", "\0"))
    assert said in message and "secret" not in message


ODD = "[]:@%/?#\\\\ \"'<>{}|^`~!$&*()+,;=\t\n\r\0\u2100\uff0f\u202e\ud800\xe9aZ1."
SIGNS = st.text(st.sampled_from(ODD), max_size=4)
BEGINS = [*cases(TEXTS["malformed begins"]), " http://", "", "\thttp://"]
HOSTS = [*cases(TEXTS["malformed hosts"]), "]", "", "x.inv\u2100lid"]


@given(*map(st.sampled_from, (BEGINS, HOSTS, ["", "/x", "/x?y#z", "?y", "#z", "/a b"])), SIGNS, SIGNS)
def test_no_malformed_address_shows_its_password(begin: str, host: str, rest: str, before: str, after: str) -> None:
    address = f"{begin}me:{SECRET}{before}{after}@{host}{rest}"
    assert SECRET not in without_secrets(address)
    with pytest.raises(SourceError) as told:
        fetch(address, None, FetchLimits(connect=0.1, silence=0.1, total=0.2), local=False)
    assert SECRET not in str(told.value)


SECRET = "SEKRETpw"
TOKENS = cases("f3a9c1d07be24c55a1b2 | q7-Xk2_9aZbC4dEfGhIjKl | PhnwGkLqRtYzXcVbNmAsDfGhJkLpOiUy")
TOKENS.append("9" * 24)
LONG = cases("0b9c2d14-7f3e-4c1a-9b7d-2f60c1a8e5d3 | eyJhbGciOiJIUzI1NiJ9.eyJ1IjoxMn0.k3Jx9Pq2LmN4Rt8Zw")
MASKED = [(f"/feed?{query}", secret) for query in cases(TEXTS["secrets by their names"]) for secret in (SECRET, "abc")]
MASKED += [(f"/f?{query}", token) for query in cases("u={} | {} | a=b&{} | a=1#{}") for token in TOKENS]
PATHS = cases("/{} | /feeds/{}/rss | /show/{}.xml?page=2 | /a/{}#top")
MASKED += [(path, token) for path in PATHS for token in TOKENS + LONG]


@pytest.mark.parametrize(("place", "secret"), MASKED)
def test_secrets_are_masked_by_their_names_or_by_their_look_and_are_in_no_message(place: str, secret: str) -> None:
    address, shown = (f"https://x.invalid{place}".format(word) for word in (secret, "***"))
    assert without_secrets(address) == without_secrets(shown) == shown
    with pytest.raises(SourceError) as told:
        fetch(address, None, FetchLimits(total=0.2), local=False)
    assert secret not in str(told.value)
    if place in PATHS:
        assert secret not in without_secrets(address.replace("//", "/"))


def test_an_encoding_that_only_the_server_states_is_followed_and_no_body_of_a_redirect_read(site, tmp_path) -> None:
    for _ in range(2):
        assert decoded(fetch(at(site, "/russian"), tmp_path).data) == "Тензор"
    assert fetch(at(site, "/heavy"), None, FetchLimits(total=10.0)).data == b"<rss/>"


def test_files_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "feed.xml"
    path.write_bytes(b"<rss/>")
    assert fetch(str(path)).data == b"<rss/>"
    assert "no file" in refused(str(tmp_path / "nothing.xml")) and "directory" in refused(str(tmp_path))
    assert "larger" in refused(str(path), FetchLimits(size=3))
    if os.geteuid() != 0:  # the superuser may read everything
        path.chmod(0)
        assert "Permission denied" in refused(str(path))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"<rss/>")))
    assert fetch("-").data == b"<rss/>"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
def test_a_server_whose_certificate_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    made = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    where = ("-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "cert"))
    subprocess.run(["openssl", *made.split(), *where], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert", tmp_path / "key")
    with HTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(SourceError, match=r"its certificate cannot be verified$"):
            fetch(f"https://localhost:{server.server_address[1]}/")
        server.shutdown()


def test_a_page_that_is_gone_is_a_failure(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def check(*addresses: str) -> tuple[int, list[str]]:
        (file := tmp_path / "r").write_text("".join(f'[[resources]]\ntitle = ""\nurl = "{a}"\n' for a in addresses))
        code = check_links.main([file], 0.01, 0.3)
        return code, re.sub(rf"{file}: : http://\S+?/(?=\w)", "", capsys.readouterr().out).splitlines()

    said = ["busy: busy (429)", "gone: gone (404)", f"moved: moved (to {at(site, '/feed')})", "silent: silent"]
    found = check(*(at(site, f"/{path}") for path in ("feed", "busy", "gone", "moved", "silent")))
    assert found == (1, [*said, "5 pages: 1 busy, 1 there, 1 gone, 1 moved, 1 silent"])
    assert check(at(site, "/feed"), "http://127.0.0.1:1/a")[0] == 0 and site.hits.count(("/busy", None)) == 3
    assert check("http://127.0.0.1:1/a") == (0, ["No network: none of 1 pages was asked for"])
