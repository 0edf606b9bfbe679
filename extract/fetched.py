"""What a fetch may cost, and what it brings."""

from dataclasses import dataclass

from graph.errors import SourceError


class Unreachable(SourceError):
    """A server that gives no answer, or has none to give at present."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one fetch may cost: bytes (after decompression) and seconds."""

    size: int = 50_000_000
    connect: float = 10.0
    silence: float = 20.0
    total: float = 60.0


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document as bytes, its address as it may be shown, and a note where the user should be told something."""

    data: bytes
    address: str
    note: str = ""


DEFAULT_LIMITS = Limits()
