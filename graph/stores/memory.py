"""A store in this process's memory, for tests and for a graph without Cypher."""

from torchatlas.graph.model import Progress, Snapshot
from torchatlas.graph.stores.base import Store


class MemoryStore(Store):
    """A store that holds one snapshot and ends with the process."""

    def __init__(self, address: str = "memory:", _say: object = None) -> None:
        self.address = address
        self._snapshot, self._changes = Snapshot(), 0
        self._fingerprint: str | None = None

    def fingerprint(self) -> str | None:
        return self._fingerprint

    def stamp(self) -> str:
        return f"{self._changes}"

    def replace(self, snapshot: Snapshot, fingerprint: str, progress: Progress | None = None) -> None:
        self._snapshot, self._fingerprint, self._changes = snapshot, fingerprint, self._changes + 1

    def snapshot(self) -> Snapshot:
        return self._snapshot


open_store = MemoryStore
