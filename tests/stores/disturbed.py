"""A Neo4j server at the other end of a line, whose calls can be disturbed in the midst."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.bolt_line import BoltLine, ignore
from tests.kills import GRAPHS, OURS, labels, whole
from tests.stores.graphs import SMALL
from torchatlas.graph.errors import AtlasError
from torchatlas.graph.stores import neo4j as bolt
from torchatlas.graph.stores.base import Store, open_store

LIMIT = 30.0  # seconds of a call that fails


@contextmanager
def impatient() -> Iterator[None]:
    """Ask after a second whether a server is there, and try a transaction again for a second: it saves time."""
    former = bolt.PATIENCE, bolt.SETTINGS["max_transaction_retry_time"]
    bolt.PATIENCE, bolt.SETTINGS["max_transaction_retry_time"] = 1.0, 1.0
    try:
        yield
    finally:
        bolt.PATIENCE, bolt.SETTINGS["max_transaction_retry_time"] = former


class Disturbed:
    """A store at the other end of a line, whose calls can be disturbed."""

    def __init__(self, address: str) -> None:
        """`address` is that of a server, with user and password."""
        self.direct = address
        head, _, port = address.rpartition(":")
        self.line = BoltLine(int(port))
        self.store: Store = open_store(f"{head}:{self.line.port}")
        self.store.replace(SMALL, "one")

    def close(self) -> None:
        self.line.close()
        self.store.close()

    def call(self, name: str, mark: str) -> None:
        """Check, read (`snapshot`), or write a graph as `changes` or as a `load` beside the one of `mark`."""
        if name not in ("changes", "load"):
            getattr(self.store, name)()
            return
        former = bolt.AT_ONCE, bolt.BATCH
        if name == "load":
            bolt.AT_ONCE, bolt.BATCH = 0, 20
        other = "two" if mark == "one" else "one"
        try:
            self.store.replace(GRAPHS[other], other)
        finally:
            bolt.AT_ONCE, bolt.BATCH = former

    def disturb(self, name: str, turn: int, fault: Callable[[], None]) -> str:
        """Make a call with a fault in the client's turn and return its line, "" where it was answered."""
        left, line = turn, ""

        def look(_said: bytes) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                fault()

        mark = whole(self.direct)
        begun, self.line.look = time.monotonic(), look
        try:
            self.call(name, mark)
        except AtlasError as e:
            line = str(e)
        self.line.look = ignore
        assert not line or (time.monotonic() - begun < LIMIT and "\n" not in line and ";" in line), line
        return line

    def recovers(self) -> None:
        """See that a whole graph is there, that the same store reads and writes, and that nothing is left over."""
        mark = whole(self.direct)
        assert self.store.fingerprint() == mark
        assert self.store.query("RETURN 1 AS x").rows == ((1,),)
        self.call("changes", mark)
        assert whole(self.direct) != mark and labels(self.direct) == OURS
