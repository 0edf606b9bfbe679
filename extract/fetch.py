"""Bytes from an address: http or https, a file, or `-` for standard input."""

import re
import sys
from dataclasses import KW_ONLY, dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, unquote_plus, urlsplit

from torchatlas.graph.errors import SourceError
from torchatlas.graph.names import MASK


class Unreachable(SourceError):
    """A server does not answer, or answers that it cannot serve at present."""


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """The most that one fetch may cost: `size` in bytes after decompression, the others in seconds.

    `connect`: for each connection; `silence`: between two bytes; `total`: for redirects, headers and body together.
    """

    size: int = 50_000_000
    connect: float = 10.0
    _: KW_ONLY
    silence: float = 20.0
    total: float = 60.0


@dataclass(frozen=True, slots=True)
class Document:
    """A document as bytes, its address as it may be shown, and a note if the user should be told something.

    `local`: whether a server on this computer or in its network sent it.
    """

    data: bytes
    address: str
    _: KW_ONLY
    note: str = ""
    local: bool = False


DEFAULT_LIMITS = FetchLimits()
ENTRIES = 20_000
"""Entries of a feed, unless the caller allows another number; the longest-lived shows have half as many."""


def copy_name(address: str) -> str:
    """Return the file name under which a copy of a document is kept.

    >>> copy_name("https://example.org/feed.xml")
    'd74f9ca50683ebeccf26481e05931844'
    """
    return sha256(address.encode("utf-8", "surrogatepass")).hexdigest()[:32]


_WELL_FORMED = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*://)(?P<person>[^/?#\\\s]*@)?"
    r"(?P<host>(?:[\w.-]+|\[[\w:.%]+\])(?::\d{1,5})?)(?=[/?#]|\Z)"
)
_VALUE = re.compile(r"(?<=[?&;#])(?:(?P<name>[^=&;#]*)=)?(?P<value>[^&;#]+)")
_SECRET = re.compile(
    r"token|(?<![a-z])key(?!word)|api_?key|auth(?!or(?!i[sz]))|(?<![a-z])sig(?:nature)?(?![a-z])|secret|passw|pwd"
    r"|(?<![a-z])pass(?![a-z])|credential|session|(?<![a-z])sid(?![a-z])|hmac|jwt",
    re.I,
)
_KNOWN = {"channel_id", "playlist_id"}  # long, and public: YouTube's feeds differ in nothing else
_RANDOM = re.compile(r"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9_~+/=.-]{20,}|[0-9]{20,}|[A-Za-z0-9]{32,}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_PATH = re.compile(r"\A[^?#;]*")
_SEGMENT = re.compile(r"(?<=/)(?P<value>[^/]+?)(?P<ending>\.[A-Za-z][A-Za-z0-9]{1,4})?(?=/|\Z)")
_RUN = re.compile(r"[A-Za-z0-9]+")
_MIXED = re.compile(r"[0-9][A-Za-z]")  # words, and the numbers behind them, have none
_MOST = 0.5  # of the letters and digits of a segment


_MEDIA_TYPES = {
    ".mp3": "audio/mpeg", ".m4a": "audio/mp4", ".m4b": "audio/mp4", ".aac": "audio/aac", ".ogg": "audio/ogg",
    ".oga": "audio/ogg", ".opus": "audio/ogg", ".flac": "audio/flac", ".wav": "audio/wav", ".mp4": "video/mp4",
    ".m4v": "video/mp4", ".mov": "video/quicktime", ".webm": "video/webm",
}  # fmt: skip
"""By the ending of a file. Those of the standard library differ from one machine to another."""


def media_type(address: str) -> str | None:
    """Return the media type of the file that an address names, None where its path has none of the known endings.

    >>> media_type("https://example.org/1.MP3?from=app"), media_type("https://example.org/watch?v=1.mp3")
    ('audio/mpeg', None)
    """
    try:
        path = urlsplit(address).path
    except ValueError:
        return None
    return _MEDIA_TYPES.get(PurePosixPath(path).suffix.lower())


def without_secrets(address: str) -> str:
    """Return the address without user name and password, and with a mask for each token in its path and query.

    A value of the query is masked by its name (token, key, auth, signature, password ...), or because it is long and
    looks random. A segment of the path is masked for its looks, too: "the-year-2024-in-review" are words. The path of
    a file on this computer stays.
    Of a malformed address only what follows the last "@" is returned, since nobody can tell where its password ends.

    >>> without_secrets("https://me:secret@example.org/feed.xml?token=12ab&page=2")
    'https://example.org/feed.xml?token=***&page=2'
    >>> without_secrets("https://example.org/q7ZkX29aZbC4dEfGhIjK/feed.xml")
    'https://example.org/***/feed.xml'
    >>> without_secrets("http://me:secret@[::1/feed.xml")
    '[::1/feed.xml'
    """
    head, rest, is_file = "", address, not _SCHEME.match(address)
    if found := _WELL_FORMED.match(address):
        head, rest = f"{found['scheme']}{found['host']}", address[found.end() :]
    elif ":" in (person := address.rpartition("@")[0]) or "//" in person:
        rest = address[len(person) + 1 :]
    if not is_file:
        rest = _PATH.sub(lambda path: _SEGMENT.sub(_masked_segment, path[0]), rest)
    return head + _VALUE.sub(_masked, rest)


def _masked(found: re.Match[str]) -> str:
    name = unquote_plus(found["name"] or "")
    random = name not in _KNOWN and _RANDOM.fullmatch(unquote_plus(found["value"]))
    if not (random or _SECRET.search(name)):
        return found[0]
    return MASK if found["name"] is None else f"{found['name']}={MASK}"


def _masked_segment(found: re.Match[str]) -> str:
    value = unquote(found["value"])
    mixed = sum(len(run) for run in _RUN.findall(value) if _MIXED.search(run))
    words = mixed < _MOST * sum(map(str.isalnum, value)) and not (value.isdigit() or value.isalpha())
    return found[0] if words or not _RANDOM.fullmatch(value) else f"{MASK}{found['ending'] or ''}"


def fetch(
    address: str, cache_dir: Path | None = None, limits: FetchLimits = DEFAULT_LIMITS, *, local: bool | None = None
) -> Document:
    """Read an address. With `cache_dir` an http answer is kept, asked for again only if changed, and used when offline.

    `local`: whether the address may lie on this computer or in its network; None for one that a person gave.

    Raises SourceError with one line for every failure. Example: fetch("https://example.org/feed.xml").data
    """
    if address == "-":
        return Document(_within(sys.stdin.buffer.read(limits.size + 1), address, limits), address)
    if "://" not in address:
        return _read_file(address, limits)
    try:
        scheme = urlsplit(address).scheme.lower()
    except ValueError:  # whose text may hold the password
        raise SourceError(f"{without_secrets(address)!r} is no address that can be read; check its spelling") from None
    if scheme not in {"http", "https"}:
        raise SourceError(
            f"{without_secrets(address)!r}: only http and https addresses, files and - (standard input) are read"
        )
    from torchatlas.extract.http import download  # requests is slow to load

    return download(address, cache_dir, limits, local=local)


def _read_file(address: str, limits: FetchLimits) -> Document:
    shown = without_secrets(address)  # an address without its slashes looks like a file
    try:
        with Path(address).expanduser().open("rb") as file:
            return Document(_within(file.read(limits.size + 1), shown, limits), address)
    except FileNotFoundError:
        raise SourceError(f"there is no file {shown!r}; an address on the web starts with https://") from None
    except IsADirectoryError:
        raise SourceError(f"{shown!r} is a folder; name a file in it") from None
    except PermissionError:
        raise SourceError(f"{shown!r} is not readable for you; check its permissions") from None
    except (OSError, ValueError, RuntimeError) as e:  # a name with a NUL, "~nobody", a broken disk
        raise SourceError(f"{shown!r} cannot be read: {getattr(e, 'strerror', None) or type(e).__name__}") from None


def _within(data: bytes, address: str, limits: FetchLimits) -> bytes:
    if len(data) > limits.size:
        raise SourceError(f"{address!r} is larger than {limits.size:,} bytes, too large for a feed")
    return data
