"""Bytes from an address: http (with a cache, RFC 9111), a file, or `-`."""

import json
import re
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, unquote_plus, urlsplit

from torchatlas.graph.errors import SourceError
from torchatlas.graph.names import MASK
from torchatlas.graph.whole_files import write_whole

if TYPE_CHECKING:  # only an address on the web needs these, and they are slow to load
    import socket

    import requests
    from urllib3.connection import HTTPConnection


class Unreachable(SourceError):
    """A server does not answer, or answers that it cannot serve at present."""


class FetchLimits(NamedTuple):
    """Limits of one fetch: `size` in bytes decompressed, the others in seconds.

    `connect`: per connection; `silence`: between bytes; `total`: all together.
    """

    size: int = 50_000_000
    connect: float = 10.0
    silence: float = 20.0
    total: float = 60.0


class Document(NamedTuple):
    """A document, its printable address, a note, whether it is local, where redirects led."""

    data: bytes
    address: str
    note: str = ""
    local: bool = False
    target: str = ""


DEFAULT_LIMITS = FetchLimits()
ENTRIES = 20_000  # of a feed; long shows have half
_NAT64 = ip_network("64:ff9b::/96")
_CHARSET = re.compile(r"""\bcharset\s*=\s*["']?(?!utf-8)([\w.:-]+)""", re.I)
_ACCEPTED = "application/rss+xml, application/atom+xml, */*;q=0.5"
_MEANING = {401: " (it wants a password)", 403: " (forbidden)", 404: " (there is nothing there)", 410: " (it is gone)"}
_REASONS = {  # by the name of an error; the first counts
    "gaierror": "its name is unknown; is there a network?",
    "InvalidSchema": "it redirects to something other than http",
    "TooManyRedirects": "it redirects in a circle",
    "DecodeError": "its answer is damaged",
    "SSLError": "its certificate cannot be verified",
    **dict.fromkeys(("Timeout", "TimeoutError"), "no answer in time"),
    **dict.fromkeys(("ConnectionError", "ProtocolError"), "the connection failed"),
}
# Name in the kept file -> the header of an answer, and that of a request.
_VALIDATORS = {"etag": ("ETag", "If-None-Match"), "modified": ("Last-Modified", "If-Modified-Since")}
# Those of the standard library differ from one machine to another.
_MEDIA_TYPES = (
    "mp3=audio/mpeg m4a=audio/mp4 m4b=audio/mp4 aac=audio/aac ogg=audio/ogg oga=audio/ogg opus=audio/ogg "
    "flac=audio/flac wav=audio/wav mp4=video/mp4 m4v=video/mp4 mov=video/quicktime webm=video/webm"
)
_TYPE_OF = dict(pair.split("=") for pair in _MEDIA_TYPES.split())
_WELL_FORMED = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*://)(?P<person>[^/?#\\\s]*@)?"
    r"(?P<host>(?:[\w.-]+|\[[\w:.%]+\])(?::\d{1,5})?)(?=[/?#]|\Z)"
)
_SECRET = re.compile(
    r"token|(?<![a-z])key(?!word)|api_?key|auth(?!or(?!i[sz]))|(?<![a-z])sig(?:nature)?(?![a-z])|secret|passw|pwd"
    r"|(?<![a-z])pass(?![a-z])|credential|session|(?<![a-z])sid(?![a-z])|hmac|jwt",
    re.I,
)
_RANDOM = re.compile(r"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9_~+/=.-]{20,}|[0-9]{20,}|[A-Za-z0-9]{32,}")
_PUBLIC = re.compile(  # what these show in their paths are ids, no secrets
    r"https?://(?:(?:\w+\.)?(?:youtube(?:-nocookie)?\.com|youtu\.be|omny\.fm|spotify\.com|arxiv\.org)/"
    r"|feeds\.acast\.com/public/|(?:www\.)?omnycontent\.com/d/|podcasts\.apple\.com/)",
    re.I,
)
_SEGMENT = re.compile(r"(?<=/)(?P<value>[^/]+?)(?P<ending>\.[A-Za-z][A-Za-z0-9]{1,4})?(?=/|\Z)")


def copy_name(address: str) -> str:
    """Return the file name under which a copy is kept: `copy_name("https://example.org/feed.xml")`."""
    return sha256(address.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def media_type(address: str) -> str | None:
    """Return the media type by the ending of an address; None if unknown.

    >>> media_type("https://e.org/1.MP3?a=b"), media_type("https://e.org/?v=1.mp3")
    ('audio/mpeg', None)
    """
    with suppress(ValueError):
        return _TYPE_OF.get(PurePosixPath(urlsplit(address).path).suffix[1:].lower())
    return None


def without_secrets(address: str) -> str:
    """Return the address without user and password, and with tokens masked.

    A value is masked by its name (token, key) or if it looks random, as parts of
    a path are. Of a malformed address only what follows the last "@" is returned.

    >>> without_secrets("https://me:pw@e.org/q7ZkX29aZbC4dEfGhIjK/?key=12ab&page=2")
    'https://e.org/***/?key=***&page=2'
    """
    head, rest = "", address
    if found := _WELL_FORMED.match(address):
        head, rest = f"{found['scheme']}{found['host']}", address[found.end() :]
    elif ":" in (person := address.rpartition("@")[0]) or "//" in person:
        rest = address[len(person) + 1 :]
    public = _PUBLIC.match(head + rest)
    if not public and re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", address):
        rest = re.sub(r"\A[^?#;]*", lambda path: _SEGMENT.sub(_masked_segment, path[0]), rest)
    masked = partial(_masked, public=bool(public))
    return head + re.sub(r"(?<=[?&;#])(?:(?P<name>[^=&;#]*)=)?(?P<value>[^&;#]+)", masked, rest)


def is_private(address: str | None) -> bool:
    """Return whether it holds a password or token: `is_private("https://me:pw@e.org")`."""
    return address is not None and (MASK in address or without_secrets(address) != address)


def _masked(found: re.Match[str], *, public: bool) -> str:
    name, value = unquote_plus(found["name"] or ""), unquote_plus(found["value"])
    random = not public and name not in ("channel_id", "playlist_id") and _RANDOM.fullmatch(value)
    if not (random or _SECRET.search(name)):
        return found[0]
    return MASK if found["name"] is None else f"{found['name']}={MASK}"


def _masked_segment(found: re.Match[str]) -> str:
    value = unquote(found["value"])
    mixed = sum(len(run) for run in re.findall("[A-Za-z0-9]+", value) if re.search("[0-9][A-Za-z]", run))
    words = 2 * mixed < sum(map(str.isalnum, value)) and not (value.isdigit() or value.isalpha())
    return found[0] if words or not _RANDOM.fullmatch(value) else f"{MASK}{found['ending'] or ''}"


def fetch(
    address: str, cache_dir: Path | None = None, limits: FetchLimits = DEFAULT_LIMITS, *, local: bool | None = None
) -> Document:
    """Read an address. `cache_dir` keeps http answers, also for use offline.

    `local`: may it lie in this network? None: yes, but no redirect may lead there
    from outside. Raises Unreachable without answer and copy, else SourceError.
    Example: fetch("https://example.org/feed.xml").data
    """
    shown = without_secrets(address)
    if "://" not in address:
        data = sys.stdin.buffer.read(limits.size + 1) if address == "-" else _read_file(address, shown, limits.size + 1)
        return Document(_within(data, shown, limits), address)
    try:
        scheme = urlsplit(address).scheme.lower()
    except ValueError:  # whose text may hold the password
        raise SourceError(f"{shown!r} is no address that can be read; check its spelling") from None
    if scheme not in {"http", "https"}:
        raise SourceError(f"{shown!r}: only http and https addresses, files and - (standard input) are read")
    place = cache_dir / copy_name(address) if cache_dir else None
    kept, conditions = _load(place) if place else (None, {})
    route = _Route(limits, local)
    try:
        status, body, headers, (*_, target) = _answer(address, conditions, route)
    except Unreachable as e:
        if kept is not None:
            return Document(kept, shown, note=f"{shown} cannot be reached ({e}); using the copy of last time")
        raise Unreachable(f"{shown} cannot be read: {e}") from None
    if kept is not None and (status == 304 or status >= 500):
        note = "" if status == 304 else f"{shown} answers {status}; using the copy of last time"
        return Document(kept, shown, note, local=status == 304 and bool(route.local), target=target)
    if status >= 500 or status == 429:
        raise Unreachable(f"{shown} answers {status}; try again later")
    if status != 200:
        raise SourceError(f"{shown} answers {status}{_MEANING.get(status, '')}")
    _within(body, shown, limits)
    if charset := _CHARSET.search(headers.get("Content-Type", "")):  # the header is not kept
        from torchatlas.extract.text import decoded

        body = decoded(body, charset[1]).encode("utf-8-sig")
    if place:
        facts = {name: headers.get(sent, "") for name, (sent, _) in _VALIDATORS.items()}
        facts["sha256"] = sha256(body).hexdigest()
        with suppress(OSError):  # a full disk costs only the cache
            write_whole(place, json.dumps(facts).encode() + b"\n" + body, forced=False)
    return Document(body, shown, local=bool(route.local), target=target)


def way_of(address: str) -> tuple[str, ...]:
    """Return a web address and those where its redirects lead; reads no body.

    Raises SourceError, in the words of `fetch`. Example: way_of("https://example.org/1.mp3")[-1]
    """
    shown, limits = without_secrets(address), FetchLimits(size=-1, connect=5, silence=10)
    try:
        status, _, _, way = _answer(address, {}, _Route(limits, None))
    except Unreachable as e:
        raise Unreachable(f"{shown} cannot be read: {e}") from None
    if status >= 400:
        raise SourceError(f"{shown} answers {status}{_MEANING.get(status, '')}")
    return way


def _read_file(address: str, shown: str, most: int) -> bytes:
    try:
        with Path(address).expanduser().open("rb") as file:
            return file.read(most)
    except (OSError, ValueError, RuntimeError) as e:  # a NUL, "~x", a broken disk
        reason = f"cannot be read: {getattr(e, 'strerror', None) or type(e).__name__}; name another file"
        if isinstance(e, FileNotFoundError):
            reason = "is no file; an address on the web starts with https://"
        raise SourceError(f"{shown!r} {reason}") from None


def _within(data: bytes, shown: str, limits: FetchLimits) -> bytes:
    if len(data) > limits.size:
        raise SourceError(f"{shown} is larger than {limits.size:,} bytes, too large for a feed")
    return data


def _load(place: Path) -> tuple[bytes | None, dict[str, str]]:
    """Return the kept answer, if whole, and the headers that ask for changes."""
    with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
        head, _, body = place.read_bytes().partition(b"\n")
        facts = json.loads(head)
        if facts["sha256"] == sha256(body).hexdigest():
            return body, {header: facts[name] for name, (_, header) in _VALIDATORS.items() if facts[name]}
    return None, {}


def is_public(address: str) -> bool:
    """Return whether an IP address, or the one that it stands for, is of the internet.

    >>> is_public("8.8.8.8"), is_public("169.254.169.254"), is_public("::ffff:127.0.0.1")
    (True, False, False)
    """
    meant = ip_address(address.partition("%")[0])
    if isinstance(meant, IPv6Address):
        tunnel = meant.teredo[1] if meant.teredo else None
        nat64 = ip_address(int(meant) & 0xFFFFFFFF) if meant in _NAT64 else None
        meant = nat64 or meant.ipv4_mapped or meant.sixtofour or tunnel or meant
    return meant.is_global and not meant.is_multicast


class _Route:
    """The way of one GET through redirects, with its deadline.

    `local`: may it lead to the local network? None: the first connection decides.
    """

    def __init__(self, limits: FetchLimits, local: bool | None) -> None:
        self.limits, self.local = limits, local
        self.ends = time.monotonic() + limits.total
        self.open: list[socket.socket] = []  # TLS takes the first handles over

    def addresses(self, host: str, port: int) -> list[str]:
        """Return a host's IP addresses. Raises Unreachable or SourceError."""
        import socket

        try:
            found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as e:
            raise Unreachable(_REASONS.get(type(e).__name__, "the connection failed")) from None
        addresses = list(dict.fromkeys(str(address[0]) for *_, address in found))
        if self.local is False and not all(map(is_public, addresses)):
            raise SourceError(f"{host} lies on this computer or in its network; only a feed from there may name it")
        return addresses

    def connect(self, to: "HTTPConnection") -> "socket.socket":
        """Connect to one of the checked addresses. Raises Unreachable, SourceError."""
        from urllib3.util.connection import create_connection

        port, failure = to.port or to.default_port, OSError()
        # A proxy was chosen by the person; what it may be asked for is checked before.
        for address in [to.host] if to.proxy else self.addresses(to.host, port):
            try:
                connected = create_connection((address, port), to.timeout, socket_options=to.socket_options)
            except OSError as e:
                failure = e
                continue
            if self.local is None and not to.proxy:
                self.local = not is_public(address)
            self.open.append(connected.dup())
            if time.monotonic() >= self.ends:
                self.close()
            return connected
        raise Unreachable("no answer in time" if isinstance(failure, TimeoutError) else "the connection failed")

    def close(self) -> None:
        for handle in self.open:
            with suppress(OSError):  # it has ended by itself
                handle.shutdown(2)  # in both directions
            handle.close()


_Answer = tuple[int, bytes, Mapping[str, str], tuple[str, ...]]  # status, body (of about `limits.size`), headers, way


def _answer(url: str, conditions: Mapping[str, str], route: _Route) -> _Answer:
    """Return an answer in time. Raises Unreachable with a few words, SourceError."""
    from concurrent.futures import Future, wait

    import requests
    from urllib3.exceptions import HTTPError

    limits, answer = route.limits, Future[_Answer]()
    asked = {"User-Agent": "torchatlas (podcast feed reader)", "Accept": _ACCEPTED, **conditions}
    patience = limits.connect, limits.silence

    def get() -> None:
        blocks, there = list[bytes](), 0
        try:
            with _session(route) as session, session.get(url, headers=asked, timeout=patience, stream=True) as response:
                # read1 returns what has arrived, so the time limit holds
                while there <= limits.size and (block := response.raw.read1(65_536, decode_content=True)):
                    if time.monotonic() >= route.ends:
                        raise TimeoutError
                    blocks.append(block)
                    there += len(block)
                way = tuple(each.url for each in (*response.history, response))
                answer.set_result((response.status_code, b"".join(blocks), response.headers, way))
        except BaseException as e:
            answer.set_exception(e)

    # A thread of its own, because nothing else can end a look-up of a name.
    threading.Thread(target=get, daemon=True).start()
    wait([answer], max(0.0, route.ends - time.monotonic()))
    try:
        if answer.done():
            return answer.result()
    # requests also lets through urllib3's errors, and ValueError for odd hosts
    # (https://github.com/psf/requests/issues/4746).
    except (requests.RequestException, HTTPError, OSError, ValueError) as e:
        if time.monotonic() < route.ends:
            raise Unreachable(_reason(e)) from None
    finally:
        route.close()
    raise Unreachable(f"not finished after {limits.total:g} seconds")


def _session(route: _Route) -> "requests.Session":
    """Return a session that connects by the route, through proxies too."""
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, ProxyManager

    pools: dict[str, Any] = {}
    for pool in (HTTPConnectionPool, HTTPSConnectionPool):
        # As urllib3's own connections through SOCKS do it (urllib3/contrib/socks.py).
        connection = type("RoutedConnection", (pool.ConnectionCls,), {"_new_conn": lambda self: route.connect(self)})
        pools[pool.scheme] = type("RoutedPool", (pool,), {"ConnectionCls": connection})

    class Adapter(HTTPAdapter):
        def proxy_manager_for(self, *args: Any, **options: Any) -> ProxyManager:
            manager: ProxyManager = super().proxy_manager_for(*args, **options)
            manager.pool_classes_by_scheme = pools
            return manager

        def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
            if requests.utils.select_proxy(request.url or "", options.get("proxies") or {}):
                found: list[str] = []
                with suppress(Unreachable):  # only the proxy knows it
                    found = route.addresses(urlsplit(request.url or "").hostname or "", 0)
                if route.local is None:
                    route.local = bool(found) and not any(map(is_public, found))
            return super().send(request, *args, **options)

    session, adapter = requests.Session(), Adapter()
    session.max_redirects = 10
    # Of a redirect, requests would read the body to its end, however long that is.
    session.hooks["response"].append(lambda response, **_: response.close() if response.is_redirect else None)
    adapter.poolmanager.pool_classes_by_scheme = pools
    for scheme in ("http://", "https://"):
        session.mount(scheme, adapter)
    return session


def _reason(error: Exception) -> str:
    kinds = {kind.__name__ for kind in type(error).__mro__}
    found = (reason for name, reason in _REASONS.items() if name in kinds)
    return next(found, "no answer in time" if "timed out" in str(error) else "it is not a proper address")
