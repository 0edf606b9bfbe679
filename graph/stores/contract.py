"""The contract of a store: one small protocol, which every engine keeps."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # the process that asks the embedded engine needs none of it, and starts faster without
    from torchatlas.graph.values.answers import Table
    from torchatlas.graph.values.model import Snapshot
    from torchatlas.graph.values.progress import Progress


class Store(AbstractContextManager["Store"], Protocol):
    """A place for one graph. The contract, checked by tests/stores over every engine:

    * `check` raises where `replace` would refuse or could not write, and changes nothing: ask it before a long build;
    * `replace` makes the stored graph exactly this snapshot, all or nothing, and is idempotent: readers see the old
      graph until the new one is whole;
    * `snapshot` returns exactly what was last replaced (an empty Snapshot where nothing was);
    * `fingerprint` returns what `replace` was told the graph was built from, None where there is no whole graph;
    * `query` runs one reading Cypher statement, within `rows` and `seconds`; anything else is a QueryError;
    * any failure of the engine is a StoreError with its cause chained; a bug stays a bug.
    """

    address: str

    def fingerprint(self) -> str | None: ...
    def check(self) -> None: ...
    def replace(self, snapshot: "Snapshot", fingerprint: str, progress: "Progress | None" = None) -> None: ...
    def snapshot(self) -> "Snapshot": ...
    def query(
        self, cypher: str, parameters: Mapping[str, object] | None = None, *, rows: int = 1000, seconds: float = 10.0
    ) -> "Table": ...
    def close(self) -> None: ...
