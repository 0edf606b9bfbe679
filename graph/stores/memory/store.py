"""A store in this process' memory: for tests, and for a graph that nobody asks in Cypher."""

from collections.abc import Mapping

from torchatlas.graph.stores.contract import Store
from torchatlas.graph.values.answers import Table
from torchatlas.graph.values.errors import QueryError
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.progress import Progress


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
