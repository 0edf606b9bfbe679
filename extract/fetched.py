"""What a fetch may cost, and what it brings."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one fetch may cost: bytes (after decompression) and seconds."""

    size: int = 50_000_000
    connect: float = 10.0
    silence: float = 20.0
    total: float = 60.0


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document as bytes, the address it came from, and a note where the caller should tell the user something."""

    data: bytes
    address: str
    note: str = ""


DEFAULT_LIMITS = Limits()
