"""Bytes from an address: http or https, a file, or `-` for standard input."""

import sys
from pathlib import Path
from urllib.parse import urlsplit

from torchatlas.extract.feeds.document import DEFAULT_LIMITS, Document, FetchLimits
from torchatlas.extract.feeds.secrets import without_secrets
from torchatlas.graph.values.errors import SourceError


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
    from torchatlas.extract.feeds.http import download  # requests is slow to load

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
