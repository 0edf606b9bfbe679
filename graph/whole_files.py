"""Files that are written whole or not at all, whoever keeps them."""

import glob
import os
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from secrets import token_hex

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
