"""A graph in one file, in the embedded Cypher engine. The file is a cache: `replace` builds another and swaps them."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path

from torchatlas.graph.cypher import check_statement, chosen, written_parameters
from torchatlas.graph.errors import StoreError
from torchatlas.graph.markdown import Table
from torchatlas.graph.model import Progress, Snapshot, from_columns
from torchatlas.graph.stores.contract import ROWS, SECONDS, Store
from torchatlas.graph.stores.ladybug import file, plain_copy
from torchatlas.graph.stores.ladybug.build import build
from torchatlas.graph.stores.ladybug.dialect import LADYBUG
from torchatlas.graph.stores.ladybug.hints import explain
from torchatlas.graph.stores.ladybug.process import DatabaseFile
from torchatlas.graph.stores.query_process import Asker, Request

_FULL = "the disk is full, or allows no file of this size; make room, then: torchatlas build"
LOCK_WAIT = 600.0  # seconds, for another build of the same file, which a slow disk makes long


def open_store(address: str, say: Callable[[str], None] | None = None) -> "LadybugStore":
    """Return the store of the file that an address names; nothing is opened yet.

    Example: `open_store("ladybug:atlas.lbug").snapshot()`
    """
    return LadybugStore(address.partition(":")[2], say)


class LadybugStore(Store):
    """A store that opens its file for each call, and so sees a graph that another process has built meanwhile."""

    def __init__(self, path: str, say: Callable[[str], None] | None = None) -> None:
        self.path = Path(path).expanduser().absolute()
        self.address = f"ladybug:{self.path}"
        self._say = say or (lambda _line: None)
        self._asker = Asker("torchatlas.graph.stores.ladybug.process")

    def close(self) -> None:
        """End the process that asks; nothing else is kept open between calls."""
        self._asker.close()

    def fingerprint(self) -> str | None:
        if (kept := plain_copy.fingerprint(self.path)) is not None:
            return kept
        status, fingerprint = file.read_status(self.path)
        return fingerprint if status == "current" else None

    def holds(self, fingerprint: str) -> bool:
        return self.fingerprint() == fingerprint  # what is not as it was written has no fingerprint

    def stamp(self) -> str:
        try:
            return plain_copy.stamp(self.path)
        except (FileNotFoundError, NotADirectoryError):
            return "none"

    def snapshot(self) -> Snapshot:
        if not self.path.exists():
            return Snapshot()
        if (kept := plain_copy.snapshot(self.path)) is not None:
            return kept
        with file.connected(self.path) as connection:
            tables = file.read_columns(connection, self.path)
        return from_columns(tables)

    def query(
        self, cypher: str, parameters: Mapping[str, object] | None = None, *, rows: int = ROWS, seconds: float = SECONDS
    ) -> Table:
        check_statement(cypher, LADYBUG)
        values = chosen(parameters or {}, cypher)
        given = {written: values[name] for written, name in written_parameters(cypher).items()}  # with backticks
        if not self.path.exists():
            raise StoreError(f"there is no graph at {self.path} yet; remedy: torchatlas build")
        self._asker.start()
        with file.connected(self.path) as connection:
            file.check_version(connection, self.path)
        place = DatabaseFile(self.path, file.MEMORY)
        return self._asker.ask(Request(place, cypher, parameters=given, rows=rows, seconds=seconds))

    def interrupt(self) -> None:
        self._asker.interrupt()

    def check(self) -> None:
        with self._writing():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._beside("lock").touch()
            self._status()
            if not os.access(self.path.parent, os.W_OK):
                raise StoreError(f"cannot write the graph to {self.path}: its folder is not writable")

    def replace(self, snapshot: Snapshot, fingerprint: str, progress: Progress | None = None) -> None:
        folder = self._beside("new")  # for the engine's own passing files too
        with self._writing(), self._alone():
            status = self._status()
            shutil.rmtree(folder, ignore_errors=True)  # left by a build that was killed
            folder.mkdir()
            try:
                build(folder / "graph", snapshot, fingerprint, progress or (lambda *_: None))
                plain_copy.write(folder / "copy", folder / "graph", snapshot, fingerprint)
                if status == "unreadable":
                    self.path.replace(self._beside("unreadable"))
                    self._say(f"the old file cannot be read here; it is kept as {self._beside('unreadable')}")
                elif status == "older":
                    self._say(f"the graph in {self.path} was of another version of torchatlas; it is built anew")
                (folder / "copy").replace(plain_copy.place(self.path))
                (folder / "graph").replace(self.path)
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def _status(self) -> file.Status:
        """Return the status of the graph in the file, without the engine where a copy counts."""
        return "current" if plain_copy.fingerprint(self.path) is not None else file.read_status(self.path)[0]

    def _beside(self, ending: str) -> Path:
        return self.path.with_name(f"{self.path.name}.{ending}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as e:
            line = _FULL if e.errno in (ENOSPC, EFBIG, EDQUOT) else e.strerror
            raise StoreError(f"cannot write the graph to {self.path}: {line}") from e
        except RuntimeError as e:
            line = _FULL if "IO exception" in str(e) else explain(str(e), "")
            raise StoreError(f"cannot write the graph to {self.path}: {line}") from e

    def _alone(self) -> AbstractContextManager[object]:
        """Return the lock that keeps other builds of this file waiting. Raises StoreError where one takes too long."""
        from filelock import FileLock, Timeout

        self.path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self._beside("lock"))
        with suppress(Timeout):
            return lock.acquire(timeout=0)
        self._say(f"another torchatlas is building {self.path}; waiting for it")
        try:
            return lock.acquire(timeout=LOCK_WAIT)
        except Timeout as e:
            raise StoreError(f"another torchatlas is building {self.path}; try again when it has finished") from e
