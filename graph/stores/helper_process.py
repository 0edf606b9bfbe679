"""The environment of a helper process: it imports this very program, wherever its parent found it."""

import os
from importlib.resources import files
from pathlib import Path


def environment() -> dict[str, str]:
    """Return this process's environment with the folder that holds the package `torchatlas` as the import root.

    A checkout reaches `graph` through a link, so the path of a module inside would lead elsewhere.
    """
    return {**os.environ, "PYTHONPATH": str(Path(str(files("torchatlas"))).parent)}
