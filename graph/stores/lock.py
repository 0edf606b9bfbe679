"""A lock between processes: the operating system holds it, so it ends with the process that took it."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def exclusive(path: Path, wait: float, waiting: Callable[[], None] = lambda: None) -> Iterator[bool]:
    """Hold the lock file `path`; yield False, holding nothing, where another process kept it for `wait` seconds.

    `waiting` is called once where the lock is not free at once.

    The file stays behind on purpose: removing it would let a third process lock another file of the same name.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        deadline = time.monotonic() + wait
        if not (taken := _try(handle)) and wait:
            waiting()
        while not taken and time.monotonic() < deadline:
            time.sleep(0.1)
            taken = _try(handle)
        yield taken
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _try(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
