"""Which process a server is: by its number and the moment of its start, so that a number used again is no server."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

_SAME = 1.0  # seconds by which two readings of a start may differ, as the computer's clock is set


def identity(pid: int) -> dict[str, Any]:
    """Return the number and the start (seconds since 1970) of a process that lives.

    >>> import os
    >>> sorted(identity(os.getpid()))
    ['pid', 'started']
    """
    import psutil  # type: ignore[import-untyped]

    return {"pid": pid, "started": psutil.Process(pid).create_time()}


def lives(state: Mapping[str, Any]) -> bool:
    """Return whether the process with this identity lives; one without a `started` is not known.

    >>> import os
    >>> lives(identity(os.getpid())), lives({"pid": os.getpid(), "started": 1.0}), lives({"pid": os.getpid()})
    (True, False, False)
    """
    return _process(state) is not None


def kill(state: Mapping[str, Any]) -> None:
    """End the process with this identity at once, and no other.

    Example: `kill(json.loads((home / "server.json").read_text()))`
    """
    import psutil

    if process := _process(state):
        with suppress(psutil.NoSuchProcess):
            process.kill()  # psutil looks once more whether the number has been used again


def _process(state: Mapping[str, Any]) -> Any:
    """Return psutil's process, None where it does not live any more."""
    if "started" not in state:
        return None
    import psutil

    with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
        process = psutil.Process(state["pid"])
        if abs(process.create_time() - state["started"]) < _SAME and process.status() != psutil.STATUS_ZOMBIE:
            return process
    return None
