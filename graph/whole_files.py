"""Files that are written whole or not at all, by one program at a time, whoever keeps them."""

import glob
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from secrets import token_hex

from torchatlas.graph.errors import AtlasError, DataError, shortened

_TOLD_AFTER = 1.0  # seconds
_LEFT = 3600.0  # seconds after which a killed program left the file


def write_whole(path: Path, content: bytes, *, private: bool = True, forced: bool = True) -> None:
    """Write beside, then move: `write_whole(Path("a.toml"), b"")`. Raises OSError.

    A `private` file is this user's alone to read. A `forced` one is on the disk
    before it replaces the old one; caches need not be. A link stays.
    """
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.glob(f".{glob.escape(path.name)}.????????.new"):
        with suppress(OSError):  # another program was faster
            if time.time() - left.stat().st_mtime > _LEFT:
                left.unlink()
    beside = path.with_name(f".{path.name}.{token_hex(4)}.new")
    try:
        with open(beside, "xb", opener=partial(os.open, mode=0o600 if private else 0o666)) as file:
            file.write(content)
            if forced:
                file.flush()
                os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def alone(
    lock: Path, other: str, patience: float, say: Callable[[str], None], error: type[AtlasError] = DataError
) -> Iterator[None]:
    """Hold a lock, else say what `other` does: `with alone(lock, "it builds", 9, print): ...`.

    Raises an `error` after `patience` seconds, DataError where the file cannot be written.
    """
    from filelock import FileLock, Timeout

    held = FileLock(lock)
    with writing(lock.parent):
        lock.parent.mkdir(parents=True, exist_ok=True)
        with suppress(Timeout):
            held.acquire(_TOLD_AFTER)
        if not held.is_locked:
            say(f"{other}; waiting for it")
            try:
                held.acquire(patience)
            except Timeout as e:
                raise error(f"{other}, and has not ended in {patience:g} seconds; end that program") from e
    try:
        yield
    finally:
        held.release()


@contextmanager
def writing(path: Path, remedy: str = "TORCHATLAS_HOME names another folder") -> Iterator[None]:
    """Raise DataError for a refused file: `with writing(path): path.touch()`."""
    try:
        yield
    except OSError as e:
        raise DataError(f"{shortened(str(path))}: cannot be written ({e.strerror}); {remedy}") from e
