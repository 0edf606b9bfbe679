"""Let a Neo4j server be killed or stand still while a whole command runs: python -m tests.outages [TIMES] [SEED]

    build    torchatlas build --offline, over another graph
    query    torchatlas query, with a question of a second or more

    killed   the server's process is killed
    paused   it stands still until the command has ended
    resumed  it stands still for a second

A seed chooses the moment, before the end of a command that nothing disturbs, and rather late than early: a build writes
at its end. Each command must end with its answer, or within LIMIT seconds with one line. Then a whole graph is there,
the old or the new one, and the next command works and leaves nothing of the one that failed.
"""

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path

from tests.doc_sessions import ROOT
from tests.faults import SERVER_FAULTS, befall
from tests.kills import OURS, labels
from tests.outcomes import Ended, report
from tests.stores.graphs import SMALL
from torchatlas.graph.stores.engines import open_store
from torchatlas.graph.stores.neo4j import server

LIMIT = 150.0  # seconds of a command that fails: a server that has started is waited for for 90
PATIENCE = 900.0  # seconds of a command that nothing disturbs, on a busy computer
CALLS = {
    "build": ("build", "--offline"),
    "query": ("query", "MATCH (a:Concept), (b:Concept) WITH a, b LIMIT 1000000 RETURN max(a.id + b.id)"),
}
PROGRAM = (sys.executable, "-m", "torchatlas")
IMPATIENT = (
    sys.executable,
    "-c",
    "from tests.faults import impatient\nfrom torchatlas.ui.cli.program import main\nwith impatient(): main()",
)
"""The program, which gives a silent server up after two seconds."""
ON_THE_WAY = re.compile(
    r"(Reading episodes|Drawing the map|Writing the graph) \.\.\.|starting Neo4j \S+"
    r"|waiting for Neo4j at \S+, which is at work"
    r"|waiting for the Neo4j server that another process is starting or stopping"
    r"|port \d+ is taken, so this server listens on \d+|written to \S+"
    r"|the graph is of another version of torchatlas; it is built anew"
)
"""What a command says besides."""


class Commands:
    """The program over a server of its own; a graph is there before each build, and another one after it."""

    def __init__(self, home: Path, program: Sequence[str] = PROGRAM) -> None:
        """`home` is the program's folder, with whatever the map is made of."""
        self.home, self.place, self.program = home, home / "neo4j", program
        self.address = f"neo4j+local:{self.place}"
        self.environment = os.environ | {"TORCHATLAS_HOME": str(home), "TORCHATLAS_STORE": self.address}
        self.seconds = dict[str, float]()

    def learn(self, name: str) -> None:
        """Note how long a call takes that nothing disturbs, and which graph is there after it."""
        self.prepare(name)
        begun = time.monotonic()
        with self._started(*CALLS[name]) as asking:
            assert ended(asking, PATIENCE) == ""
        self.seconds[name] = time.monotonic() - begun
        with open_store(self.address) as store:
            self.built = store.fingerprint()
            self.graphs = {"old": SMALL, self.built: store.snapshot()}

    def prepare(self, name: str) -> None:
        """Have the old graph there where a call builds the new one."""
        with open_store(self.address) as store:
            if name == "build":
                store.replace(SMALL, "old")

    def _started(self, *words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [*self.program, *words], env=self.environment, cwd=ROOT, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def disturb(self, name: str, fault: str, moment: float) -> Ended | None:
        """Let a fault befall the server `moment` seconds after the start of a call; None where that is too late."""
        self.prepare(name)
        pid, begun = server.start(self.place).pid, time.monotonic()
        with self._started(*CALLS[name]) as asking:
            with suppress(subprocess.TimeoutExpired):
                asking.communicate(timeout=moment)
                self.seconds[name] = moment  # it takes less than it took when the server was new
                return None
            befall(pid, fault)
            try:
                line = ended(asking, LIMIT)
            finally:
                asking.kill()
                if fault == "paused":
                    os.kill(pid, signal.SIGCONT)
        return Ended(name, fault, line, time.monotonic() - begun)

    def recovers(self) -> None:
        """See that a whole graph is there, and that the next command works and leaves nothing else."""
        self.whole()
        with self._started("query", "MATCH (c:Concept) RETURN count(c)") as asking:
            assert ended(asking, PATIENCE) == ""
        assert self.whole() == self.built
        running = server.start(self.place)
        assert labels(f"bolt://{server.USER}:{running.password}@127.0.0.1:{running.port}") <= OURS

    def whole(self) -> str | None:
        """The fingerprint of the graph that is there. AssertionError where it is torn or lost."""
        with open_store(self.address) as store:
            mark, graph = store.fingerprint(), store.snapshot()
        assert graph == self.graphs.get(mark), f"the graph is torn or lost: {mark}, {len(graph.concepts)} concepts"
        return mark


def ended(asking: "subprocess.Popen[str]", patience: float) -> str:
    """Wait for a command and return the line with which it failed, "" where it answered. AssertionError: it broke."""
    out, err = asking.communicate(timeout=patience)
    said = [line for line in err.splitlines() if not ON_THE_WAY.fullmatch(line)]
    if asking.returncode == 0:
        assert out and not said, err
        return ""
    assert (asking.returncode, out, len(said)) == (1, "", 1) and said[0].startswith("Error: ") and ";" in said[0], err
    return said[0].removeprefix("Error: ")


def outages(commands: Commands, faults: Iterable[tuple[str, str]], seed: int) -> Iterator[Ended]:
    """Disturb calls by faults, given as pairs, and look at what is there then."""
    rng = random.Random(seed)
    for name, fault in faults:
        if name not in commands.seconds:
            commands.learn(name)
        found = None
        while found is None:
            seconds = commands.seconds[name]
            found = commands.disturb(name, fault, rng.triangular(0, seconds, seconds))
        commands.recovers()
        yield found


def main() -> None:
    """All of it over the shipped map; a line for each command that was disturbed, and a table."""
    times, seed = int(sys.argv[1]) if len(sys.argv) > 1 else 5, int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        try:
            report(outages(Commands(home), sorted([*product(CALLS, SERVER_FAULTS)] * times), seed))
        finally:
            server.stop(home / "neo4j")


if __name__ == "__main__":
    main()
