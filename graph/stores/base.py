"""The contract of a store, the table of engines, and their plain values."""

import math
import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from torchatlas.graph.errors import QueryError, StoreError, check_least, shortened

if TYPE_CHECKING:
    from torchatlas.graph.answers import Table
    from torchatlas.graph.model import Progress, Snapshot
ROWS, SECONDS = 1000, 10.0
"""The rows of a query, and the seconds that it may take, by default."""
MIN_SECONDS, MAX_SECONDS = 0.001, 86_400.0
"""The limits of these seconds."""


def check_limits(rows: int, seconds: float) -> None:
    """Raise AtlasError for limits that make no sense: `check_limits(0, 10)`."""
    check_least("the limit of rows", rows, 1)
    check_least("the limit of seconds", seconds, MIN_SECONDS, MAX_SECONDS)


class Store(AbstractContextManager["Store"], Protocol):
    """A place for one graph: `with open_store(address) as store: ...`. Raises StoreError."""

    address: str  # without a password
    notices_damage: bool = False  # whether a damaged graph has no fingerprint

    def fingerprint(self) -> str | None:
        """Return what `replace` was given, None without a graph of this schema."""

    def stamp(self) -> str:
        """Return a cheap text that changes with the stored graph, and only then."""

    def check(self) -> None:
        """Raise StoreError where `replace` would; change nothing."""

    def replace(self, snapshot: "Snapshot", fingerprint: str, progress: "Progress | None" = None) -> None:
        """Store exactly this or nothing; readers see the old graph until then."""

    def snapshot(self) -> "Snapshot":
        """Return what was last given to `replace`, else an empty Snapshot."""

    def query(
        self, cypher: str, parameters: Mapping[str, object] | None = None, *, rows: int = ROWS, seconds: float = SECONDS
    ) -> "Table":
        """Run one read, up to `rows`. Raises QueryError for others and slow ones."""
        raise QueryError(f"the store {self.address!r} understands no Cypher; use ladybug:PATH or a Neo4j server")

    def interrupt(self) -> None:
        """End any running query, from another thread; that raises QueryError."""

    def close(self) -> None:
        """Release connections and processes."""

    def __exit__(self, *_exc: object) -> None:
        self.close()


class Engine(NamedTuple):
    """An engine; its module has `open_store`: `Engine("toy:X", r"toy:.+", "a.toy")`."""

    form: str
    pattern: str
    module: str


ENGINES = (
    Engine("memory:", r"memory:", f"{__package__}.memory"),
    Engine("ladybug:PATH", r"ladybug:.+", f"{__package__}.ladybug"),
    Engine("bolt://HOST:PORT (also +s, +ssc)", r"bolt(\+s|\+ssc)?://.*", f"{__package__}.neo4j"),
    Engine("neo4j://HOST (also +s, +ssc)", r"neo4j(\+s|\+ssc)?://.*", f"{__package__}.neo4j"),
    Engine("neo4j+local:[FOLDER]", r"neo4j\+local:.*", f"{__package__}.neo4j"),
)


def forms() -> str:
    """Return the forms of all addresses: "memory:, ladybug:PATH, ..."."""
    return ", ".join(engine.form for engine in ENGINES)


def open_store(address: str, say: Callable[[str], None] | None = None) -> Store:
    """Open a store: `open_store("memory:")`. `say` gets a line on slow steps.

    Raises StoreError for a wrong address and a silent server.
    """
    for engine in ENGINES:
        if "\0" not in address and re.fullmatch(engine.pattern, address, re.DOTALL):
            store: Store = import_module(engine.module).open_store(address, say)
            return store
    head, at, host = address.rpartition("@")
    shown = f"{head.partition('//')[0]}//...@{host}" if at else address  # without a password
    raise StoreError(f"{shortened(shown)!r} is not the address of a store; use one of: {forms()}")


def plain(value: Any, unpacked: Callable[[Any], Any]) -> Any:
    """Return what JSON holds: "Infinity" for `plain(float("inf"), unpacked)`.

    An engine's `unpacked` makes a node or relationship a dict without nulls, with a
    `_label`, and a path `{"_nodes": [...], "_relationships": [...]}`, these with ids
    `_source` and `_target`. It hides row ids and markers. Dates become text here.
    """
    value = unpacked(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {str(key): plain(inner, unpacked) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner, unpacked) for inner in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)
