"""The engines by the form of an address. An engine is imported when it is opened."""

from collections.abc import Callable

from torchatlas.graph.stores.contract import Store
from torchatlas.graph.values.errors import StoreError

SERVER_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
FORMS = "memory:, ladybug:PATH, bolt://HOST:PORT, neo4j://HOST (also +s, +ssc), neo4j+local:"


def open_store(address: str, say: Callable[[str], None] | None = None) -> Store:
    """The store at an address, one of FORMS; engines are imported only here.

    A server's user, password and database may be part of the address (`bolt://user:password@host:7687/database`) or
    stand in NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE. `say` is told what takes long (starting a server,
    waiting for another build) and what else is worth a line.
    Raises StoreError for an address of another form and for a server that does not answer.
    """
    scheme, colon, rest = address.partition(":")
    if address == "memory:":
        from torchatlas.graph.stores.memory.store import MemoryStore

        return MemoryStore()
    if scheme == "ladybug" and rest:
        from torchatlas.graph.stores.ladybug.store import LadybugStore

        return LadybugStore(rest, say)
    if scheme in SERVER_SCHEMES and rest.startswith("//"):
        from torchatlas.graph.stores.neo4j.store import open_server

        return open_server(address)
    if scheme == "neo4j+local" and colon:
        from torchatlas.graph.stores.neo4j.store import open_local

        return open_local(rest, say)
    raise StoreError(f"{_without_password(address)!r} is no address of a store; use one of: {FORMS}")


def _without_password(address: str) -> str:
    head, at, host = address.rpartition("@")
    return f"{head.partition('//')[0]}//...@{host}" if at else address
