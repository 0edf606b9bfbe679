"""Files of the user's: written whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from torchatlas.graph.values.errors import DataError

_PATIENCE = 10.0  # seconds


def write_whole(path: Path, content: bytes, *, private: bool = True) -> None:
    """Write beside the file, then move into place, so that a full disk or Ctrl-C leaves the old one. Raises OSError.

    A `private` file is this user's alone to read; otherwise it gets the mode of the user's other files.

    Example: write_whole(Path("profile.toml"), b"known = []")
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
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
    from filelock import FileLock, Timeout

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock"), _PATIENCE):
            yield
    except Timeout as e:
        raise DataError(f"{path}: another torchatlas has been changing it for {_PATIENCE:g} seconds; end that") from e
    except OSError as e:
        raise DataError(f"{path}: cannot be written ({e.strerror}); TORCHATLAS_HOME names another folder") from e
