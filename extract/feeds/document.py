"""What a fetch may cost, and what it brings."""

from dataclasses import KW_ONLY, dataclass
from hashlib import sha256
from urllib.parse import urlsplit

from torchatlas.graph.values.errors import SourceError


class Unreachable(SourceError):
    """A server that gives no answer, or has none to give at present."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one fetch may cost: bytes (after decompression) and seconds."""

    size: int = 50_000_000
    connect: float = 10.0
    _: KW_ONLY
    silence: float = 20.0
    total: float = 60.0


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document as bytes, its address as it may be shown, and a note where the user should be told something."""

    data: bytes
    address: str
    _: KW_ONLY
    note: str = ""


DEFAULT_LIMITS = Limits()


def copy_name(address: str) -> str:
    """The name under which a copy of what an address brings is kept."""
    return sha256(address.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def without_password(url: str) -> str:
    """The address as it may be shown: without a user name and password."""
    try:
        host = urlsplit(url).netloc
    except ValueError:  # brackets that belong to no IPv6 address
        return url
    return url.replace(host, host.rpartition("@")[2], 1) if "@" in host else url
