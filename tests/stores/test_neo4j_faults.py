"""A server that falls silent, stands still or is killed, and a line that is cut, in the midst of what is asked.

And what a cluster hears and says: a real server is asked by routing, and the line between forges a change of leader.
"""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from subprocess import PIPE

import pytest
from neo4j import Transaction

from tests import kills
from tests.bolt_line import BoltLine, ignore
from tests.doc_sessions import ROOT
from tests.stores.conftest import address_of, driver
from tests.stores.graphs import OTHER, SMALL
from torchatlas.graph.errors import AtlasError, StoreError
from torchatlas.graph.stores import neo4j as bolt
from torchatlas.graph.stores import neo4j_server as server
from torchatlas.graph.stores.base import Store, open_store

pytestmark = pytest.mark.neo4j
IMPATIENT = """
from tests.stores.test_neo4j_faults import impatient
from torchatlas.ui.cli.program import main
with impatient(): main()
"""
"""The program, which gives a silent server up after two seconds."""
LOCK = "MERGE (m:TorchatlasMeta {id: 'atlas'}) SET m.id = 'atlas'"
BEGIN, RUN, READS = b"\xb1\x11", b"\xb3\x10", b"mode\x81r"
NO_LEADER = "Neo.ClientError.Cluster.NotALeader"
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
            self.store.replace(kills.GRAPHS[other], other)
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

        mark = kills.whole(self.direct)
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
        mark = kills.whole(self.direct)
        assert self.store.fingerprint() == mark
        assert self.store.query("RETURN 1 AS x").rows == ((1,),)
        self.call("changes", mark)
        assert kills.whole(self.direct) != mark and kills.labels(self.direct) == kills.OURS


@pytest.fixture(autouse=True)
def _impatient(request: pytest.FixtureRequest) -> Iterator[None]:
    with nullcontext() if "routed" in request.fixturenames else impatient():
        yield


@pytest.fixture
def disturbed(empty_server: str) -> Iterator[Disturbed]:
    made = Disturbed(empty_server)
    yield made
    made.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "fault", "turn", "says"),
    [
        ("check", "hold", 3, "has fallen silent while writing; see whether it runs.*nothing is half written"),
        ("snapshot", "deafen", 1, "has fallen silent while reading"),
        ("changes", "cut", 15, "broke while writing; try again|^$"),
    ],
)
def test_a_call_that_is_disturbed_ends_with_one_line_and_the_next_one_works(
    disturbed: Disturbed, call: str, fault: str, turn: int, says: str
) -> None:
    line = disturbed.disturb(call, turn, getattr(disturbed.line, fault))
    with pytest.raises(StoreError, match=says):
        raise StoreError(line)
    disturbed.line.cut()
    disturbed.recovers()


def test_a_server_that_works_for_others_is_waited_for(empty_server: str) -> None:
    told, held = list[str](), list[Transaction]()

    def tell(line: str) -> None:
        told.append(line)
        if held:
            held.pop().rollback()

    with open_store(empty_server, tell) as store, driver(empty_server) as direct, direct.session() as session:
        store.replace(SMALL, "one")
        held.append(session.begin_transaction())
        held[0].run(LOCK).consume()
        store.replace(OTHER, "two")
        assert store.fingerprint() == "two"
    assert told and not held and all(line.startswith("waiting for Neo4j at bolt://127.0.0.1") for line in told)


def test_a_writer_that_stands_still_does_not_keep_others_for_ever(
    empty_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bolt._run, "timeout", 1.0)
    with open_store(empty_server) as store, driver(empty_server) as direct, direct.session() as session:
        store.replace(SMALL, "one")
        with session.begin_transaction() as transaction:
            transaction.run(LOCK).consume()
            with pytest.raises(StoreError, match=r"another program has kept .* nothing is half written") as caught:
                store.replace(OTHER, "two")
            assert "\n" not in str(caught.value)
        store.replace(OTHER, "two")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, neo4j_address: str) -> Iterator[Path]:
    """The folder of a small map with a server of its own; neo4j_address skips, with its reason, where none starts."""
    home = tmp_path_factory.mktemp("own")
    (home / "sources.toml").write_text(f'shipped = false\nvocabularies = ["{home / "mine.toml"}"]\n', "utf-8")
    topics = (f'[c{i}]\nname = "lantern {i}"\ndefinition = "Lights {i}."\n' for i in range(800))
    (home / "mine.toml").write_text('area = "Light"\n' + "".join(topics), "utf-8")
    yield home
    server.stop(home / "neo4j")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")
def test_a_server_that_stands_still_or_is_killed_in_a_load_ends_it(own: Path) -> None:
    running = server.start(own / "neo4j")
    disturbed = Disturbed(address_of(running))
    line = disturbed.disturb("load", 50, lambda: os.kill(running.pid, signal.SIGSTOP))
    assert "has fallen silent while writing" in line
    os.kill(running.pid, signal.SIGCONT)
    disturbed.recovers()
    line = disturbed.disturb("load", 50, lambda: os.kill(running.pid, signal.SIGKILL))
    assert re.search("no Neo4j server answers.*start it|broke while writing|has fallen silent", line)
    server.start(own / "neo4j", port=running.port)
    disturbed.recovers()
    disturbed.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")
@pytest.mark.parametrize("fault", [signal.SIGSTOP, signal.SIGKILL])
def test_a_server_that_stands_still_or_is_killed_in_a_build_ends_it(own: Path, fault: signal.Signals) -> None:
    address = f"neo4j+local:{own / 'neo4j'}"
    with open_store(address) as store:
        store.replace(SMALL, "old")
    pid = server.start(own / "neo4j").pid
    environment = os.environ | {"TORCHATLAS_HOME": str(own), "TORCHATLAS_STORE": address}
    command = [sys.executable, "-c", IMPATIENT, "build", "--offline"]
    with subprocess.Popen(command, cwd=ROOT, env=environment, text=True, stdout=PIPE, stderr=PIPE) as building:
        assert building.stdout and building.stderr
        assert "Writing the graph ...\n" in iter(building.stderr.readline, "")
        os.kill(pid, fault)
        said = [line for line in building.stderr if not line.startswith("waiting for Neo4j")]
        assert (building.wait(), len(said)) in ((1, 1), (0, 0))  # it may have been faster
        assert all(line.startswith("Error: ") and ";" in line for line in said)
    if fault == signal.SIGSTOP:
        os.kill(pid, signal.SIGCONT)
    with open_store(address) as store:
        old, graph = store.fingerprint() == "old", store.snapshot()
        assert graph == SMALL if old else len(graph.concepts) == 800
    subprocess.run([sys.executable, "-m", "torchatlas", "build", "--offline"], cwd=ROOT, env=environment, check=True)
    with open_store(address) as store:
        assert len(store.snapshot().concepts) == 800
    assert kills.labels(address_of(server.start(own / "neo4j"))) <= kills.OURS


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_a_server_that_stands_still_as_it_starts_is_ended(
    tmp_path: Path, neo4j_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_SILENCE", 3.0)

    def stand_still() -> None:
        while not (tmp_path / "server.json").exists():
            time.sleep(0.01)
        os.kill(json.loads((tmp_path / "server.json").read_text())["pid"], signal.SIGSTOP)

    threading.Thread(target=stand_still, daemon=True).start()
    with pytest.raises(StoreError, match=r"did not start .*; .*see .*server\.log"):
        server.start(tmp_path)
    assert not server.is_served(tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_a_load_that_is_killed_before_or_after_its_switch_leaves_a_whole_graph(empty_server: str) -> None:
    found = kills.kill_stagings(empty_server, times=1, stride=9)
    assert {"seam", "elsewhere"} == {place for place, *_ in found}
    assert {(place, outcome) for place, _, outcome in found} >= {("seam", "old"), ("elsewhere", "new")}


def failure(code: str) -> bytes:
    """The message of Bolt 5.7 and later by which a server refuses."""
    facts = {"neo4j_code": code, "message": "m", "gql_status": "50N42", "description": "d"}
    texts = (text.encode() for pair in facts.items() for text in pair)
    packed = b"\xb1\x7f\xa4" + b"".join(b"\xd0%c%b" % (len(text), text) for text in texts)
    return len(packed).to_bytes(2) + packed + b"\0\0"


def begins_writing(said: bytes) -> bool:
    return said[2:4] == BEGIN and READS not in said


@pytest.fixture
def line(empty_server: str) -> Iterator[BoltLine]:
    made = BoltLine(int(empty_server.rpartition(":")[2]))
    yield made
    made.close()


@pytest.fixture
def routed(empty_server: str, line: BoltLine) -> Iterator[Store]:
    """A store at an address that begins with neo4j://, at the other end of the line."""
    login = empty_server.removeprefix("bolt://").rpartition("@")[0]
    with open_store(f"neo4j://{login}@127.0.0.1:{line.port}") as opened:
        yield opened


@pytest.mark.slow
def test_a_check_and_a_load_outlive_changes_of_the_leader(routed: Store, line: BoltLine) -> None:
    writes = refused = 0

    def refuse(said: bytes) -> bytes:
        nonlocal writes, refused
        writes += begins_writing(said)
        if not (begins_writing(said) and writes in (1, 3, 5)):
            return b""
        refused += 1
        return failure(NO_LEADER)

    line.stand_in = refuse
    routed.check()
    routed.replace(SMALL, "one")
    assert refused == 3 and routed.fingerprint() == "one" and routed.snapshot() == SMALL


def test_readers_ask_for_a_reader_and_wait_for_what_they_have_written(routed: Store, line: BoltLine) -> None:
    said: list[bytes] = []
    routed.replace(SMALL, "one")
    routed.replace(OTHER, "two")
    line.look = said.append
    assert routed.fingerprint() == "two" and routed.snapshot() == OTHER
    assert routed.query("MATCH (c:Concept) RETURN count(c)").rows == ((len(OTHER.concepts),),)
    asked = [each for each in said if b"MATCH" in each or each[2:4] == BEGIN]
    transactions = [each for each in asked if each[2:4] == BEGIN or b"EXPLAIN" in each]
    assert len(transactions) == 3
    assert all(READS in each and b"bookmarks" in each for each in transactions)


def test_a_store_opens_and_reads_where_there_is_no_leader(empty_server: str, line: BoltLine, routed: Store) -> None:
    routed.replace(SMALL, "one")
    said: list[bytes] = []
    line.look = said.append
    line.stand_in = lambda each: failure(NO_LEADER) if begins_writing(each) else b""
    with open_store(routed.address.replace("//", f"//{empty_server[7:].rpartition('@')[0]}@")) as reader:
        assert reader.snapshot() == SMALL
    # What is said outside of a transaction, or before one, would need the leader too.
    assert READS in next(each for each in said if each[2:4] in (BEGIN, RUN))
