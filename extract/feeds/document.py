"""Documents as bytes, with their addresses; and the limits within which they are fetched."""

from dataclasses import KW_ONLY, dataclass
from hashlib import sha256

from torchatlas.graph.values.errors import SourceError


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


def copy_name(address: str) -> str:
    """Return the file name under which a copy of a document is kept.

    >>> copy_name("https://example.org/feed.xml")
    'd74f9ca50683ebeccf26481e05931844'
    """
    return sha256(address.encode("utf-8", "surrogatepass")).hexdigest()[:32]
