"""One http GET with limits, and a cache whose copies are revalidated (RFC 9111: ETag, Last-Modified)."""

import hashlib
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import requests
import urllib3

from torchatlas.extract.feeds.decoding import decoded
from torchatlas.extract.feeds.document import Document, FetchLimits, Unreachable, copy_name
from torchatlas.extract.feeds.route import Route, RouteAdapter
from torchatlas.extract.feeds.secrets import without_secrets
from torchatlas.graph.values.errors import SourceError
from torchatlas.graph.whole_files import write_whole

USER_AGENT = "torchatlas (podcast feed reader)"
BLOCK = 65_536
_CHARSET = re.compile(r"""\bcharset\s*=\s*["']?(?!utf-8)([\w.:-]+)""", re.I)
_MEANING = {401: " (it wants a password)", 403: " (forbidden)", 404: " (there is nothing there)", 410: " (it is gone)"}
FAILURES = (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError)
"""Besides its own errors, requests lets through urllib3's while streaming, and ValueError for odd hosts and ports.

https://github.com/psf/requests/issues/4746
"""


_VALIDATORS = {"etag": ("ETag", "If-None-Match"), "modified": ("Last-Modified", "If-Modified-Since")}
"""Name in the kept file -> the header by which a server dates its answer, and the one that asks for a newer answer."""


def download(url: str, cache_dir: Path | None, limits: FetchLimits, *, local: bool | None = None) -> Document:
    """GET `url`, following redirects to http and https only. A kept copy serves when network or server fail.

    `local`: whether it may lie on this computer or in its network; None for an address that a person gave, which may,
    but does not redirect there from the internet.

    Raises Unreachable if there is no answer and no copy, SourceError for every other failure.
    Example: download("https://example.org/feed.xml", Path("cache"), DEFAULT_LIMITS).data
    """
    shown = without_secrets(url)
    place = cache_dir / copy_name(url) if cache_dir else None
    kept, conditions = _load(place) if place else (None, {})
    try:
        with Route(limits.total, local) as route:
            status, body, headers = _get(url, conditions, limits, route)
    except FAILURES as e:
        if kept is not None:
            note = f"{shown} cannot be reached ({_reason(e)}); using the copy of last time"
            return Document(kept, shown, note=note)
        raise Unreachable(f"{shown} cannot be read: {_reason(e)}") from None
    if status == 304 and kept is not None:
        return Document(kept, shown, local=bool(route.local))
    if status >= 500 and kept is not None:
        return Document(kept, shown, note=f"{shown} answers {status}; using the copy of last time")
    if status >= 500 or status == 429:
        raise Unreachable(f"{shown} answers {status}; try again later")
    if status != 200:
        raise SourceError(f"{shown} answers {status}{_MEANING.get(status, '')}")
    if len(body) > limits.size:
        raise SourceError(f"{shown} is larger than {limits.size:,} bytes, too large for a feed")
    if charset := _CHARSET.search(headers.get("Content-Type", "")):  # as UTF-8, because the header is not kept
        body = decoded(body, charset[1]).encode("utf-8-sig")
    if place:
        _save(place, body, {name: headers.get(sent, "") for name, (sent, _) in _VALIDATORS.items()})
    return Document(body, shown, local=bool(route.local))


def _get(
    url: str, conditions: Mapping[str, str], limits: FetchLimits, route: Route
) -> tuple[int, bytes, Mapping[str, str]]:
    """Return status, body (at most `limits.size` bytes and one block) and headers. The route ends it all in time."""
    asked = {"User-Agent": USER_AGENT, "Accept": "application/rss+xml, application/atom+xml, */*;q=0.5", **conditions}
    late = requests.Timeout(f"not finished after {limits.total:g} seconds")
    with requests.Session() as session:
        session.max_redirects = 10
        for scheme in ("http://", "https://"):
            session.mount(scheme, RouteAdapter(route))
        session.hooks["response"].append(_without_body)
        try:
            with session.get(url, headers=asked, timeout=(limits.connect, limits.silence), stream=True) as response:
                body = _body(response, limits.size, route)
        except FAILURES:
            if route.over:
                raise late from None
            raise
        if route.over and len(body) <= limits.size:
            raise late
        return response.status_code, body, response.headers


def _body(response: requests.Response, size: int, route: Route) -> bytes:
    """Return what comes until the end, the deadline, or more than `size` bytes."""
    blocks: list[bytes] = []
    there = 0
    # read1 hands over what has arrived, so a server that drips cannot outlive the clock
    while there <= size and not route.over and (block := response.raw.read1(BLOCK, decode_content=True)):
        blocks.append(block)
        there += len(block)
    return b"".join(blocks)


def _without_body(response: requests.Response, **_: object) -> None:
    """Close a redirect: requests would read its body to the end, however long that is."""
    if response.is_redirect:
        response.close()


def _reason(error: Exception) -> str:
    """Return a failure in a few words: the libraries' own messages are nested reprs."""
    text = str(error)
    if isinstance(error, requests.exceptions.InvalidSchema):
        return "it redirects to something other than http"
    if isinstance(error, requests.TooManyRedirects):
        return "it redirects in a circle"
    if isinstance(error, requests.exceptions.SSLError):
        return "its certificate cannot be verified"
    if isinstance(error, (requests.Timeout, urllib3.exceptions.TimeoutError)) or "timed out" in text:
        return text if text.startswith("not finished") else "no answer in time"
    if "NameResolution" in text or "getaddrinfo" in text:
        return "its name is unknown; is there a network?"
    if isinstance(error, (requests.ConnectionError, urllib3.exceptions.ProtocolError, OSError)):
        return "the connection failed"
    return "it is not a proper address"


def _load(place: Path) -> tuple[bytes | None, dict[str, str]]:
    """Return the kept answer and the headers that ask whether it has changed.

    None and no headers if there is none or it is damaged, which costs one more download.
    """
    try:
        head, _, body = place.read_bytes().partition(b"\n")
        facts = json.loads(head)
        if facts["sha256"] == hashlib.sha256(body).hexdigest():
            return body, {header: facts[name] for name, (_, header) in _VALIDATORS.items() if facts[name]}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass
    return None, {}


def _save(place: Path, body: bytes, validators: Mapping[str, str]) -> None:
    """Write one file, so that headers and body never disagree. A full disk costs only the cache."""
    facts = {**validators, "sha256": hashlib.sha256(body).hexdigest()}
    with suppress(OSError):
        write_whole(place, json.dumps(facts).encode() + b"\n" + body)
