"""Files of the user's: read, written and locked, and what the system refuses told in one line."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from torchatlas.graph.errors import DataError, shortened
from torchatlas.graph.whole_files import write_whole
from torchatlas.notes import note

_PATIENCE = 60.0  # seconds
_TOLD_AFTER = 1.0  # seconds
_OTHER_HOME = "TORCHATLAS_HOME names another folder"


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


def read_copy(path: Path) -> bytes | None:
    """Return a copy that the program keeps, None where there is none. Raises DataError where it cannot be read.

    >>> read_copy(Path("no such file"))
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:  # it may have been removed a moment ago
        return None
    except OSError as e:
        raise DataError(f"{path}: cannot be read ({e.strerror}); let this user read it, or remove it") from e


def remove_copy(path: Path) -> None:
    """Remove a copy that the program keeps, where there is one. Raises DataError where that is not possible.

    Example: remove_copy(Path("sources/0a1b.feed"))
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as e:
        raise DataError(f"{path}: cannot be removed ({e.strerror}); remove it yourself") from e


def write_file(path: Path, content: bytes) -> Path:
    """Write a whole file for the person and return its path. Raises DataError where that is not possible.

    Example: write_file(Path("atlas.json"), graph_bytes(atlas.graph, "json"))
    """
    with _named(path):
        if path.exists() and not path.is_file():
            raise DataError(f"{path}: is not a file; name another place, or - for standard output")
        write_whole(path, content, private=False)
    return path


def is_taken(path: Path) -> bool:
    """Return whether there is a file or folder at a path. Raises DataError where there cannot be one.

    >>> is_taken(Path("no such file"))
    False
    """
    with _named(path):
        return path.exists()


@contextmanager
def changing(path: Path) -> Iterator[None]:
    """Keep other processes from changing a file meanwhile. Raises DataError where that, or writing, is impossible.

    Example: `with changing(settings.profile): ...`
    """
    other = f"another torchatlas is changing {path}"
    with _written(path, _OTHER_HOME), alone(path.with_suffix(".lock"), other, _PATIENCE):
        yield


@contextmanager
def alone(lock: Path, other: str, patience: float) -> Iterator[None]:
    """Hold the lock in a file, which one process holds at a time; note what the `other` does if it takes over a second.

    Raises DataError after `patience` seconds, and where the file cannot be written.

    Example: `with alone(home / "build.lock", "another torchatlas is building the map", 3600): ...`
    """
    from filelock import FileLock, Timeout

    held = FileLock(lock)
    with _written(lock.parent, _OTHER_HOME):
        lock.parent.mkdir(parents=True, exist_ok=True)
        with suppress(Timeout):
            held.acquire(_TOLD_AFTER)
        if not held.is_locked:
            note(f"{other}; waiting for it")
            try:
                held.acquire(patience)
            except Timeout as e:
                raise DataError(f"{other}, and has not ended in {patience:g} seconds; end that program") from e
    try:
        yield
    finally:
        held.release()


@contextmanager
def _written(path: Path, remedy: str) -> Iterator[None]:
    """Turn what the system raises for a file or folder into one line."""
    try:
        yield
    except OSError as e:
        raise DataError(f"{shortened(str(path))}: cannot be written ({e.strerror}); {remedy}") from e


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Turn what the system raises for a path that the person has named into one line."""
    try:
        with _written(path, "name another place"):
            yield
    except ValueError as e:  # a name that no system has, such as one with a null byte
        raise DataError(f"{shortened(str(path))!r} cannot be the name of a file ({e}); name another place") from e
