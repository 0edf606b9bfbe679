"""Let a Neo4j server, or the line to it, fail in the midst of every call: python -m tests.faults [TIMES] [SEED]

Each call is disturbed at a moment that a seed chooses, counted in the turns in which its client speaks:

    cut      the connection is closed
    silent   nothing is passed on any more, in either direction
    deaf     the server hears everything, and nobody hears the server
    killed   the server's process is killed (its own server, as for the next two)
    paused   the server's process stands still until the call has ended
    resumed  the server's process stands still for a second

Each call must end with its answer, or within LIMIT seconds with one line; then a whole graph is there, the old or the
new one, and the next call on the same store works and leaves nothing of the one that failed.
"""

import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path

from tests.bolt_line import BoltLine, ignore
from tests.kills import OURS, labels
from tests.outcomes import Ended, report
from tests.stores.graphs import OTHER, SMALL
from torchatlas.graph.stores.contract import Store
from torchatlas.graph.stores.engines import open_store
from torchatlas.graph.stores.neo4j import connection, rows, server, staging, watched_driver
from torchatlas.graph.values.errors import AtlasError

LIMIT = 30.0  # seconds of a call that fails
CALLS = ("open", "fingerprint", "check", "changes", "load", "snapshot", "query")
LINE_FAULTS, SERVER_FAULTS = ("cut", "silent", "deaf"), ("killed", "paused", "resumed")
GRAPHS = {"one": SMALL, "two": OTHER}


@contextmanager
def impatient() -> Iterator[None]:
    """Ask after a second whether a server is there, and try a transaction again for a second: it saves time."""
    former = watched_driver.PATIENCE, connection.SETTINGS["max_transaction_retry_time"]
    watched_driver.PATIENCE, connection.SETTINGS["max_transaction_retry_time"] = 1.0, 1.0
    try:
        yield
    finally:
        watched_driver.PATIENCE, connection.SETTINGS["max_transaction_retry_time"] = former


class Disturbed:
    """A store at the other end of a line, whose calls can be disturbed."""

    def __init__(self, address: str) -> None:
        """`address` is that of a server, with user and password."""
        self.direct, self.took = address, 0.0  # seconds of the call that was disturbed last
        head, _, port = address.rpartition(":")
        self.line = BoltLine(int(port))
        self.address = f"{head}:{self.line.port}"
        self.store: Store = open_store(self.address)
        self.store.replace(SMALL, "one")

    def close(self) -> None:
        self.line.close()
        self.store.close()

    def call(self, name: str) -> None:
        """Make one of the CALLS. A graph that is written is the one that is not there yet."""
        mark = "two" if self.mark == "one" else "one"
        if name == "open":
            open_store(self.address).close()
        elif name == "query":
            self.store.query("MATCH (c:Concept) RETURN c.id", seconds=5)
        elif name in ("changes", "load"):
            at_once, batch = (rows.AT_ONCE, staging.BATCH) if name == "changes" else (0, 20)
            former = rows.AT_ONCE, staging.BATCH
            rows.AT_ONCE, staging.BATCH = at_once, batch
            try:
                self.store.replace(GRAPHS[mark], mark)
            finally:
                rows.AT_ONCE, staging.BATCH = former
        else:
            getattr(self.store, name)()

    def turns(self, name: str) -> int:
        """How often the client speaks in an undisturbed call."""
        self.mark, said = self.whole(), list[bytes]()
        self.line.look = said.append
        self.call(name)
        self.line.look = ignore
        return len(said)

    def whole(self) -> str:
        """The fingerprint of the graph that is there. AssertionError where it is torn or lost."""
        with open_store(self.direct) as store:
            mark, graph = store.fingerprint(), store.snapshot()
        assert mark in GRAPHS and graph == GRAPHS[mark], f"the graph is torn or lost: {mark}, {graph}"
        return mark

    def disturb(self, name: str, turn: int, fault: Callable[[], None]) -> str:
        """Make a call with a fault in its turn and return its line, "" where it was answered."""
        left = turn

        def look(_said: bytes) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                fault()

        self.mark = self.whole()
        begun, self.line.look = time.monotonic(), look
        try:
            self.call(name)
            line = ""
        except AtlasError as e:
            line = str(e)
        self.line.look = ignore
        self.took = time.monotonic() - begun
        assert not line or self.took < LIMIT, f"{name}: {self.took:.0f} seconds"
        assert ("\n" not in line and ";" in line) or not line, line
        return line

    def recovers(self) -> None:
        """See that a whole graph is there, that the same store reads and writes, and that nothing is left over."""
        self.mark = self.whole()
        assert self.store.fingerprint() == self.mark
        assert self.store.query("RETURN 1 AS x").rows == ((1,),)
        self.call("changes")
        assert self.whole() != self.mark and labels(self.direct) == OURS


def line_faults(address: str, times: int, seed: int) -> Iterator[Ended]:
    """Disturb each call by each fault of the line, so many times."""
    rng, disturbed = random.Random(seed), Disturbed(address)
    faults = {"cut": disturbed.line.cut, "silent": disturbed.line.hold, "deaf": disturbed.line.deafen}
    try:
        for name in CALLS:
            turns = disturbed.turns(name)
            for fault, begin in [pair for pair in faults.items() for _ in range(times)]:
                line = disturbed.disturb(name, rng.randint(1, turns), begin)
                disturbed.line.cut()
                disturbed.recovers()
                yield Ended(name, fault, line, disturbed.took)
    finally:
        disturbed.close()


def server_faults(home: Path, times: int, seed: int) -> Iterator[Ended]:
    """Do the same by what befalls the server of `home`."""
    rng = random.Random(seed)
    for name in CALLS:
        for fault in [each for each in SERVER_FAULTS for _ in range(times)]:
            running = server.start(home)
            disturbed = Disturbed(f"bolt://{server.USER}:{running.password}@127.0.0.1:{running.port}")
            turn = rng.randint(1, disturbed.turns(name))
            line = disturbed.disturb(name, turn, partial(befall, running.pid, fault))
            if fault == "killed":
                server.start(home, port=running.port)
            elif fault == "paused":
                os.kill(running.pid, signal.SIGCONT)
            disturbed.line.cut()
            disturbed.recovers()
            disturbed.close()
            yield Ended(name, fault, line, disturbed.took)


def befall(pid: int, fault: str) -> None:
    """Kill a process, or let it stand still, for good or for a second."""
    os.kill(pid, signal.SIGKILL if fault == "killed" else signal.SIGSTOP)
    if fault == "resumed":
        threading.Timer(1.0, os.kill, (pid, signal.SIGCONT)).start()


def main() -> None:
    """All of it; a line for each call that was disturbed, and a table."""
    times, seed = int(sys.argv[1]) if len(sys.argv) > 1 else 5, int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with tempfile.TemporaryDirectory() as folder, impatient():
        home = Path(folder)
        running = server.start(home, lambda line: print(line, file=sys.stderr))
        try:
            address = f"bolt://{server.USER}:{running.password}@127.0.0.1:{running.port}"
            report(chain(line_faults(address, times, seed), server_faults(home, -(-times // 3), seed)))
        finally:
            server.stop(home)


if __name__ == "__main__":
    main()
