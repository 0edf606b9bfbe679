"""Where a graph is kept: one small protocol, three engines behind one address."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from graph.errors import StoreError

if TYPE_CHECKING:  # the process that asks the embedded engine needs none of it, and starts faster without
    from graph.answers import Table
    from graph.model import Snapshot

Progress = Callable[[str, int, int], None]
"""Told (what, done, total) as a long work goes on."""

SERVER_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
FORMS = "memory:, ladybug:PATH, bolt://HOST:PORT, neo4j://HOST (also +s, +ssc), neo4j+local:"


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
    def replace(self, snapshot: "Snapshot", fingerprint: str, progress: Progress | None = None) -> None: ...
    def snapshot(self) -> "Snapshot": ...
    def query(
        self, cypher: str, parameters: Mapping[str, object] | None = None, *, rows: int = 1000, seconds: float = 10.0
    ) -> "Table": ...
    def close(self) -> None: ...


def open_store(address: str, say: Callable[[str], None] | None = None) -> Store:
    """The store at an address, one of FORMS; engines are imported only here.

    A server's user, password and database may be part of the address (`bolt://user:password@host:7687/database`) or
    stand in NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE. `say` is told what takes long (starting a server,
    waiting for another build) and what else is worth a line.
    Raises StoreError for an address of another form and for a server that does not answer.
    """
    scheme, colon, rest = address.partition(":")
    if address == "memory:":
        from graph.stores.memory import MemoryStore

        return MemoryStore()
    if scheme == "ladybug" and rest:
        from graph.stores.ladybug import LadybugStore

        return LadybugStore(rest, say)
    if scheme in SERVER_SCHEMES and rest.startswith("//"):
        from graph.stores.neo4j import open_server

        return open_server(address)
    if scheme == "neo4j+local" and colon:
        from graph.stores.neo4j import open_local

        return open_local(rest, say)
    raise StoreError(f"{_without_password(address)!r} is no address of a store; use one of: {FORMS}")


def _without_password(address: str) -> str:
    head, at, host = address.rpartition("@")
    return f"{head.partition('//')[0]}//...@{host}" if at else address
