"""An engine for the test that adds one."""

from collections.abc import Callable

from torchatlas.graph.stores.memory import MemoryStore


def open_store(address: str, _say: Callable[[str], None] | None) -> MemoryStore:
    store = MemoryStore()
    store.address = address
    return store
