"""A store in the memory of this process: for tests, and for a graph that nobody asks in Cypher."""

from collections.abc import Callable

from torchatlas.graph.model import Progress, Snapshot
from torchatlas.graph.stores.base import Store


class MemoryStore(Store):
    """A store that holds one snapshot and ends with the process."""

    def __init__(self, address: str = "memory:", _say: Callable[[str], None] | None = None) -> None:
        self.address = address
        self._snapshot, self._fingerprint, self._changes = Snapshot(), "", 0

    def fingerprint(self) -> str | None:
        return self._fingerprint if self._changes else None

    def stamp(self) -> str:
        return f"{self._changes}"

    def replace(self, snapshot: Snapshot, fingerprint: str, progress: Progress | None = None) -> None:
        self._snapshot, self._fingerprint, self._changes = snapshot, fingerprint, self._changes + 1

    def snapshot(self) -> Snapshot:
        return self._snapshot


open_store = MemoryStore
