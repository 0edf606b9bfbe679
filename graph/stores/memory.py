"""A store in this process' memory: for tests, and for a graph that nobody asks in Cypher."""

from collections.abc import Mapping

from graph.answers import Table
from graph.errors import QueryError
from graph.model import Snapshot
from graph.stores import Progress, Store


class MemoryStore(Store):
    """Holds one snapshot and forgets it with the process."""

    def __init__(self) -> None:
        self.address = "memory:"
        self._snapshot = Snapshot()
        self._fingerprint: str | None = None

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def fingerprint(self) -> str | None:
        return self._fingerprint

    def check(self) -> None:
        """It can always be written."""

    def replace(self, snapshot: Snapshot, fingerprint: str, progress: Progress | None = None) -> None:
        self._snapshot, self._fingerprint = snapshot, fingerprint

    def snapshot(self) -> Snapshot:
        return self._snapshot

    def query(
        self, cypher: str, parameters: Mapping[str, object] | None = None, *, rows: int = 1000, seconds: float = 10.0
    ) -> Table:
        raise QueryError("the store memory: understands no Cypher; use --store ladybug:PATH or a Neo4j server")

    def close(self) -> None:
        """Nothing to close."""
