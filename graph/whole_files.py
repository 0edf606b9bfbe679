"""Files that are written whole or not at all, whoever keeps them."""

import glob
import os
import time
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from secrets import token_hex

_LEFT = 3600.0  # seconds after which no program still writes a file that lies beside


def write_whole(path: Path, content: bytes, *, private: bool = True) -> None:
    """Write beside the file, then move into place, so that a full disk or Ctrl-C leaves the old one. Raises OSError.

    What a killed program left beside goes an hour later. A `private` file is this user's alone to read; otherwise it
    gets the mode of the user's other files. Example: `write_whole(Path("profile.toml"), b"known = []")`
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.glob(f".{glob.escape(path.name)}.????????.new"):
        with suppress(OSError):  # another program was faster
            if time.time() - left.stat().st_mtime > _LEFT:
                left.unlink()
    beside = path.with_name(f".{path.name}.{token_hex(4)}.new")
    with ExitStack() as undone:
        undone.callback(beside.unlink, missing_ok=True)
        with open(beside, "xb", opener=partial(os.open, mode=0o600 if private else 0o666)) as file:
            file.write(content)
        beside.replace(path)
        undone.pop_all()
