"""The contract of a store: one small protocol that every engine keeps."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from torchatlas.graph.errors import check_least
from torchatlas.graph.markdown import Table
from torchatlas.graph.model import Progress, Snapshot

ROWS, SECONDS = 1000, 10.0
"""The rows of a query, and the seconds that it may take, where nobody says otherwise."""
MIN_SECONDS, MAX_SECONDS = 0.001, 86_400.0
"""The least time that a query may be given, since an engine counts in milliseconds, and the most, a day."""


def check_limits(rows: int, seconds: float) -> None:
    """Raise AtlasError for limits of a query that make no sense.

    >>> check_limits(ROWS, SECONDS)
    """
    check_least("the limit of rows", rows, 1)
    check_least("the limit of seconds", seconds, MIN_SECONDS, MAX_SECONDS)


class Store(AbstractContextManager["Store"], Protocol):
    """A place for one graph. tests/stores checks this contract over every engine.

    Any failure of an engine is a StoreError with its cause chained; a bug keeps its own exception.

    Example: `with open_store(address) as store: store.query("MATCH (c:Concept) RETURN c.name")`
    """

    address: str
    """The address without a password."""

    def fingerprint(self) -> str | None:
        """Return the fingerprint that `replace` was given, None where there is no whole graph of this schema.

        Example: `store.fingerprint() == inputs.fingerprint`
        """

    def holds(self, fingerprint: str) -> bool:
        """Return whether `replace` would surely change nothing: the graph is there just as it was given, by this mark.

        False where others may have written to the graph meanwhile, and nothing tells.
        Example: `store.holds(inputs.fingerprint)`
        """
        return False

    def stamp(self) -> str:
        """Return something cheap that changes whenever the stored graph does, and stays the same between reads.

        Example: `store.stamp() == stamp_of_the_answer`
        """

    def check(self) -> None:
        """Raise StoreError where `replace` would refuse or could not write; change nothing. Call before a build.

        Example: `store.check()`
        """

    def replace(self, snapshot: Snapshot, fingerprint: str, progress: Progress | None = None) -> None:
        """Make the stored graph exactly this snapshot, all or nothing; readers see the old graph until then.

        Replacing a graph by itself changes nothing but the fingerprint and the stamp.
        Example: `store.replace(snapshot, inputs.fingerprint)`
        """

    def snapshot(self) -> Snapshot:
        """Return exactly what was last given to `replace`, an empty Snapshot where nothing was.

        Example: `store.snapshot().concept["vmap"].name`
        """

    def query(
        self, cypher: str, parameters: Mapping[str, object] | None = None, *, rows: int = ROWS, seconds: float = SECONDS
    ) -> Table:
        """Run one reading Cypher statement and return at most so many rows.

        Raises QueryError for any other statement and for one that takes longer than `seconds`.
        Example: `store.query("MATCH (c:Concept) RETURN c.name", rows=10).rows`
        """

    def interrupt(self) -> None:
        """End a query under way, from another thread; `query` raises QueryError then. Without one, do nothing.

        Example: `store.interrupt()`
        """

    def close(self) -> None:
        """Release connections and processes, for example `store.close()`."""

    def __exit__(self, *_exc: object) -> None:
        self.close()
