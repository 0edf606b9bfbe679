"""Files of the user's: written whole or not at all."""

import glob
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from torchatlas.graph.values.errors import DataError
from torchatlas.notes import note

_PATIENCE = 60.0  # seconds
_TOLD_AFTER = 1.0  # seconds
_LEFT = 3600.0  # seconds after which no program still writes a file that lies beside


def write_whole(path: Path, content: bytes, *, private: bool = True) -> None:
    """Write beside the file, then move into place, so that a full disk or Ctrl-C leaves the old one. Raises OSError.

    A program that is killed leaves its half-written file beside; the next one to write an hour later removes that.
    A `private` file is this user's alone to read; otherwise it gets the mode of the user's other files.

    Example: write_whole(Path("profile.toml"), b"known = []")
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _sweep(path)
    name = f".{path.name}."
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=name, suffix=".new", delete=False) as file:
        beside = Path(file.name)
        try:
            file.write(content)
            file.flush()  # a small content reaches the disk here, and a full disk is told here
        except OSError:
            beside.unlink()
            raise
    try:
        if not private:
            os.umask(umask := os.umask(0))
            beside.chmod(0o666 & ~umask)
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def read_text(path: Path, remedy: str, *, missing: str | None = None) -> str:
    """Return the text of a user's file, `missing` where there is none. Raises DataError where it cannot be read.

    Example: read_text(Path("own.toml"), "name another file")
    """
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as e:
        if missing is not None and isinstance(e, FileNotFoundError):
            return missing
        raise DataError(f"{path}: cannot be read ({e}); {remedy}") from e


@contextmanager
def changing(path: Path) -> Iterator[None]:
    """Keep other processes from changing a file meanwhile. Raises DataError where that, or writing, is impossible.

    Example: `with changing(settings.profile): ...`
    """
    try:
        with alone(path.with_suffix(".lock"), f"another torchatlas is changing {path}; waiting for it"):
            yield
    except TimeoutError as e:
        raise DataError(f"{path}: another torchatlas has been changing it for {_PATIENCE:g} seconds; end that") from e
    except OSError as e:
        raise DataError(f"{path}: cannot be written ({e.strerror}); TORCHATLAS_HOME names another folder") from e


@contextmanager
def alone(lock: Path, waiting: str, patience: float = _PATIENCE) -> Iterator[None]:
    """Hold the lock in a file, which one process holds at a time; note `waiting` where that takes over a second.

    Raises TimeoutError after `patience` seconds, OSError where the file cannot be written.

    Example: `with alone(home / "build.lock", "another program builds; waiting for it"): ...`
    """
    from filelock import FileLock, Timeout

    lock.parent.mkdir(parents=True, exist_ok=True)
    held = FileLock(lock)
    with suppress(Timeout):
        held.acquire(_TOLD_AFTER)
    if not held.is_locked:
        note(waiting)
        held.acquire(patience)
    try:
        yield
    finally:
        held.release()


def _sweep(path: Path) -> None:
    """Remove what programs that were killed have left beside a file."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.????????.new"):
        with suppress(OSError):  # another program was faster
            if time.time() - left.stat().st_mtime > _LEFT:
                left.unlink()
