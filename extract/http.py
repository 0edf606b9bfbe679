"""One http GET with limits, and a cache whose copies are revalidated (RFC 9111: ETag, Last-Modified)."""

import hashlib
import json
import queue
import re
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, ProxyManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError
from urllib3.util.connection import create_connection

from torchatlas.extract.fetch import Document, FetchLimits, Unreachable, copy_name, without_secrets
from torchatlas.extract.text import decoded
from torchatlas.graph.errors import SourceError
from torchatlas.graph.whole_files import write_whole

_NAT64 = ip_network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Return whether an IP address belongs to the internet, not to this computer or a network of its own.

    An IPv6 address that stands for an IPv4 address counts as that one.

    >>> [is_public(a) for a in ("8.8.8.8", "127.0.0.1", "169.254.169.254", "10.0.0.1", "::1", "::ffff:127.0.0.1")]
    [True, False, False, False, False, False]
    """
    parsed = ip_address(address.partition("%")[0])
    meant = (_inner(parsed) or parsed) if isinstance(parsed, IPv6Address) else parsed
    return meant.is_global and not meant.is_multicast


def _inner(address: IPv6Address) -> IPv4Address | None:
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)


class Route:
    """The way of one GET through redirects.

    `local`: whether it may lead to this computer and its network; None lets the first connection decide, so that an
    address that a person typed is asked wherever it lies, and no server on the internet can send the program inside.
    """

    def __init__(self, seconds: float, local: bool | None) -> None:
        self.local = local
        self._ends = time.monotonic() + seconds
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self._over = False

    def __enter__(self) -> "Route":
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        for watched in self._open:
            watched.close()

    @property
    def over(self) -> bool:
        """Whether the deadline has passed."""
        return self._over or time.monotonic() > self._ends

    def addresses(self, host: str, port: int) -> Sequence[str]:
        """Return the IP addresses of a host. Raises OSError, SourceError where the route may not lead there."""
        answer: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()
        # A thread of its own, because nothing can end a look-up.
        threading.Thread(target=_look_up, args=(host, port, answer), daemon=True).start()
        try:
            found = answer.get(timeout=max(0.0, self._ends - time.monotonic()))
        except queue.Empty:
            raise TimeoutError(f"no address was found for {host} in time") from None
        if isinstance(found, OSError):
            raise found
        if self.local is False and not all(map(is_public, found)):
            raise SourceError(
                f"{host} lies on this computer or in its network; only a feed that a server there has sent may name it"
            )
        return found

    def connect(self, to: HTTPConnection) -> socket.socket:
        """Connect to one of the checked addresses. Raises OSError, SourceError."""
        port = to.port or to.default_port
        if to.proxy:  # chosen by the person; what it may be asked for is checked before
            return self._watched(self._socket(to, to.host, port))
        failure: OSError = OSError(f"{to.host} has no address")
        for address in self.addresses(to.host, port):
            try:
                connected = self._socket(to, address, port)
            except OSError as e:
                failure = e
                continue
            if self.local is None:
                self.local = not is_public(address)
            return self._watched(connected)
        raise failure

    def _socket(self, to: HTTPConnection, address: str, port: int) -> socket.socket:
        left = self._ends - time.monotonic()
        if left <= 0:
            raise TimeoutError("the deadline has passed")
        patience = min(left, to.timeout) if isinstance(to.timeout, int | float) else left
        return create_connection((address, port), patience, socket_options=to.socket_options)

    def _watched(self, connected: socket.socket) -> socket.socket:
        """Note a second handle of the connection: TLS takes the first one over."""
        with self._lock:
            self._open.append(connected.dup())
            if self._over:
                _shut(connected)
        return connected

    def _end(self) -> None:
        with self._lock:
            self._over = True
            for watched in self._open:
                _shut(watched)


def _shut(connected: socket.socket) -> None:
    try:
        connected.shutdown(socket.SHUT_RDWR)
    except OSError:  # it has ended by itself
        return


def _look_up(host: str, port: int, answer: "queue.SimpleQueue[list[str] | OSError]") -> None:
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
        answer.put(list(dict.fromkeys(str(address[0]) for *_, address in found)))
    except UnicodeError:
        answer.put(OSError(f"{host} is not a valid host name"))
    except OSError as e:
        answer.put(e)


class RouteAdapter(HTTPAdapter):
    """Connects for requests by a route, through proxies too.

    Example: session.mount("https://", RouteAdapter(route))
    """

    def __init__(self, route: Route) -> None:
        self._route = route
        super().__init__()

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = _pools(self._route)

    def proxy_manager_for(self, *args: Any, **options: Any) -> ProxyManager:
        manager: ProxyManager = super().proxy_manager_for(*args, **options)
        manager.pool_classes_by_scheme = _pools(self._route)
        return manager

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        if requests.utils.select_proxy(request.url or "", options.get("proxies") or {}):
            self._check_behind_proxy(request.url or "")
        return super().send(request, *args, **options)

    def _check_behind_proxy(self, url: str) -> None:
        """Check a host that the proxy will look up. A name that only the proxy knows is the proxy's to judge."""
        host = urlsplit(url).hostname or ""
        try:
            found = self._route.addresses(host, 0)
        except OSError:
            found = ()
        if self._route.local is None:
            self._route.local = bool(found) and not any(map(is_public, found))


def _pools(route: Route) -> dict[str, Any]:
    def connect(self: HTTPConnection) -> socket.socket:
        try:
            return route.connect(self)
        except socket.gaierror as e:
            raise NameResolutionError(self.host, self, e) from e
        except TimeoutError as e:
            raise ConnectTimeoutError(self, f"connection to {self.host} timed out") from e
        except OSError as e:
            raise NewConnectionError(self, f"no connection: {e}") from e

    # As urllib3's own connections through SOCKS do it (urllib3/contrib/socks.py).
    plain = type("RoutedConnection", (HTTPConnection,), {"_new_conn": connect})
    secure = type("RoutedSecureConnection", (HTTPSConnection,), {"_new_conn": connect})
    return {
        "http": type("RoutedPool", (HTTPConnectionPool,), {"ConnectionCls": plain}),
        "https": type("RoutedSecurePool", (HTTPSConnectionPool,), {"ConnectionCls": secure}),
    }


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
