"""A checksum beside the file of a graph: the engine itself does not notice most bytes that come to harm.

The checksum is a CRC-32, which is fast: it tells accidents, and nobody attacks a cache. While a graph is replaced, the
file names the old and the new checksum, so that a reader finds its own at every moment.
"""

import re
import zlib
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from torchatlas.graph.stores.ladybug.force import force

_BLOCK = 1 << 20
_WRITTEN = re.compile(r"[0-9a-f]{8}( [0-9a-f]{8})?\n")


def is_damaged(path: Path) -> bool:
    """Return whether a file is none of those whose checksums stand beside it; False where none does. Raises OSError.

    Example: is_damaged(Path("atlas.lbug"))
    """
    known = _known(path)
    while known and checksum(path) not in known:
        before, known = known, _known(path)
        if known == before:  # no build has replaced the file meanwhile
            return True
    return False


def checksum(path: Path) -> str:
    """Return the checksum of a file; an unchanged file is read once. Raises OSError.

    Example: checksum(Path("atlas.lbug"))
    """
    found = path.stat()
    return _checksum(path, found.st_ino, found.st_mtime_ns, found.st_size)


def note(path: Path, folder: Path, *sums: str) -> None:
    """Write the checksums that the file at `path` may have; `folder` is on the same disk. Raises OSError.

    Example: note(Path("atlas.lbug"), Path("atlas.lbug.new"), "0a1b2c3d")
    """
    beside = folder / "checksum"
    beside.write_text(" ".join(dict.fromkeys(sums)) + "\n", "ascii")
    force(beside)
    beside.replace(_place(path))


def _place(path: Path) -> Path:
    return path.with_name(f"{path.name}.checksum")


def _known(path: Path) -> tuple[str, ...]:
    with suppress(OSError, UnicodeDecodeError):
        written = _place(path).read_text("ascii")
        return tuple(written.split()) if _WRITTEN.fullmatch(written) else ()
    return ()


@lru_cache(maxsize=16)
def _checksum(path: Path, *_stamp: int) -> str:
    value = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            value = zlib.crc32(block, value)
    return f"{value:08x}"
