"""A store in the memory of this process: for tests, and for a graph that nobody asks in Cypher."""

from collections.abc import Callable, Mapping

from torchatlas.graph.errors import QueryError
from torchatlas.graph.markdown import Table
from torchatlas.graph.model import Progress, Snapshot
from torchatlas.graph.stores.base import ROWS, SECONDS, Store


def open_store(_address: str, _say: Callable[[str], None] | None = None) -> "MemoryStore":
    """Return a new empty store.

    >>> open_store("memory:").address
    'memory:'
    """
    return MemoryStore()


class MemoryStore(Store):
    """A store that holds one snapshot and ends with the process."""

    def __init__(self) -> None:
        self.address = "memory:"
        self._snapshot = Snapshot()
        self._fingerprint: str | None = None
        self._changes = 0

    def fingerprint(self) -> str | None:
        return self._fingerprint

    def stamp(self) -> str:
        return f"{self._changes}"

    def check(self) -> None:
        """Do nothing: memory can always be written."""

    def replace(self, snapshot: Snapshot, fingerprint: str, progress: Progress | None = None) -> None:
        self._snapshot, self._fingerprint = snapshot, fingerprint
        self._changes += 1

    def snapshot(self) -> Snapshot:
        return self._snapshot

    def query(
        self, cypher: str, parameters: Mapping[str, object] | None = None, *, rows: int = ROWS, seconds: float = SECONDS
    ) -> Table:
        raise QueryError("the store 'memory:' understands no Cypher; use the store ladybug:PATH or a Neo4j server")

    def interrupt(self) -> None:
        """Do nothing: there are no queries."""

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
