"""The server's doors without a browser: which requests pass, and what every answer tells the browser."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.extract.cases import rows
from torchatlas.ui.local_server import SecurityMiddleware, policy, refusal

LINK = "sec-fetch-site: cross-site; sec-fetch-mode: navigate; sec-fetch-dest: document"
MEANT = {"ours": "host: 127.0.0.1:8501", "link": LINK}
WHO = """ours => | host: localhost => | host: LOCALHOST:8501 => | host: [::1]:8501 =>
    ours; origin: http://127.0.0.1:8501; sec-fetch-site: same-origin =>
    host: localhost:9000; origin: http://localhost:9000 => | host: localhost:9000; origin: https://localhost:9000 =>
    ours; sec-fetch-site: none; sec-fetch-mode: navigate => | ours; link => | => not nothing
    host: evil.example:8501 => not evil.example:8501 | host: 127.0.0.1.evil.example => not 127
    host: 127.0.0.2:8501 => not 127.0.0.2 | host: localhost@evil.example => not localhost@
    host: localhost, evil.example => not localhost, | host: localhost/.evil.example => not localhost/
    host: [::1 => not [::1 | ours; origin: http://127.0.0.1:9999 => a page of http://127.0.0.1:9999 may not ask
    ours; origin: http://localhost:8501 => a page of http://localhost:8501
    ours; origin: http://127.0.0.1 => a page of | ours; origin: null => a page of null | ours; origin: => a page of
    ours; origin: file:// => a page of file://
    ours; origin: https://evil.example => a page of https://evil.example
    ours; sec-fetch-site: cross-site; sec-fetch-mode: no-cors => may only link to
    ours; sec-fetch-site: same-site; sec-fetch-mode: no-cors => may only link to
    ours; link; sec-websocket-key: x => may only link to
    ours; link; sec-fetch-dest: iframe => may only link to | ours; link; sec-fetch-dest: object => may only link to"""


@pytest.mark.parametrize(("headers", "why"), rows(WHO))
def test_the_person_gets_in_and_others_do_not(headers: str, why: str) -> None:
    """Also by a port forwarded to another one, behind something that speaks TLS, and by a link on another page."""
    for name, meant in MEANT.items():
        headers = headers.replace(name, meant)
    told = refusal(dict(each.partition(":")[::2] for each in headers.replace(": ", ":").split("; ") if each))
    assert why in told and bool(why) == bool(told)


def answers(kind: str, *headers: tuple[str, str]) -> list[dict[str, Any]]:
    """What the server sends for a request with these headers; the application behind it says yes."""
    sent: list[dict[str, Any]] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        theirs = [(b"X-Frame-Options", b"ALLOWALL"), (b"x-own", b"1")]
        first = {"type": "http.response.start", "status": 200, "headers": theirs}
        await send(first if scope["type"] == "http" else {"type": "websocket.accept"})

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": kind, "headers": [(name.encode(), value.encode()) for name, value in headers]}
    with ThreadPoolExecutor(1) as apart:  # a browser of other tests may run a loop in this thread
        apart.submit(asyncio.run, SecurityMiddleware(application, policy=policy(""))(scope, receive, send)).result()
    return sent


def test_a_page_that_passes_cannot_be_framed_and_runs_its_own_scripts_only() -> None:
    (start,) = answers("http", ("host", "localhost:8501"))
    headers = dict(start["headers"])
    assert start["status"] == 200 and headers[b"x-own"] == b"1"
    assert [value for name, value in start["headers"] if name.lower() == b"x-frame-options"] == [b"DENY"]
    assert b"frame-ancestors 'none'" in headers[b"content-security-policy"]
    assert headers[b"content-security-policy"].endswith(b"; media-src 'none'")
    found = policy("<script>\n  ready = 1\n</script><script src='a.js'></script>")
    assert found.count("'sha256-") == 1 and "'unsafe-inline'" not in found.split("style-src")[0]


def test_a_refusal_is_one_line_and_a_websocket_is_never_opened() -> None:
    start, body = answers("http", ("host", "evil.example"))
    assert start["status"] == 403 and body["body"].count(b"\n") == 1 and b"evil.example" in body["body"]
    ours, other = ("host", "127.0.0.1:8501"), ("origin", "http://127.0.0.1:9999")
    assert [m["type"] for m in answers("websocket", ours, other)] == ["websocket.close"]
    assert [m["type"] for m in answers("websocket", ours)] == ["websocket.accept"]
    both = ("host", "evil.example"), ("Host", "localhost:8501")  # of a header that stands twice both count
    assert answers("http", *both)[0]["status"] == answers("http", *reversed(both))[0]["status"] == 403
