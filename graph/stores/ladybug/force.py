"""Files that survive a power cut."""

import os
from pathlib import Path


def force(path: Path) -> None:
    """Let a file, or the names in a folder, survive a power cut, where the system can be told so.

    Example: `force(Path("atlas.lbug"))`
    """
    if path.is_file():
        with path.open("rb+") as written:
            os.fsync(written.fileno())
    elif hasattr(os, "O_DIRECTORY"):
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
