"""The server that we start: one for each folder; it outlives its starter, ends when told to, and survives a kill.

A server, ours or of others, that falls silent, stands still or is killed, and a line that is cut, in the midst of what
is asked; queries whose limits a server does not keep; and what a cluster hears and says: a real server is asked by
routing, and the line between forges a change of leader.
"""

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from neo4j import Transaction

from tests import attacks, kills
from tests.bolt_line import BoltLine, ignore
from tests.stores.conftest import address_of, driver, is_running, rows_at
from tests.stores.graphs import OTHER, SMALL
from torchatlas.graph.errors import AtlasError, QueryError, StoreError
from torchatlas.graph.stores import neo4j as bolt
from torchatlas.graph.stores import neo4j_server as server
from torchatlas.graph.stores.base import Store, open_store
from torchatlas.graph.stores.worker import GRACE
from torchatlas.ui.cli.program import main

pytestmark = pytest.mark.neo4j
VERSION = os.environ.get("TORCHATLAS_TEST_NEO4J_VERSION", server.VERSION)
SIGNALS = pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")
START = "import sys; from pathlib import Path; from torchatlas.graph.stores import neo4j_server as server\n"
START += "print(server.start(Path(sys.argv[1]), port=int(sys.argv[2])).pid)"


@pytest.fixture
def home(tmp_path: Path, neo4j_address: str) -> Iterator[Path]:
    """A folder for a server; neo4j_address: where none can be started, this is skipped with its reason."""
    yield tmp_path / "neo4j"
    server.stop(tmp_path / "neo4j")


def torchatlas(home: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["neo4j", *words], env={"TORCHATLAS_HOME": str(home.parent)})


def test_two_who_start_at_once_get_one_server_that_outlives_both_and_a_kill(home: Path) -> None:
    run = [sys.executable, "-c", START, home, str(server._free(0))]
    starters = [subprocess.Popen(run, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    first, second = (starter.communicate()[0] for starter in starters)
    assert first == second and int(first)
    with open_store(f"neo4j+local:{home}") as store:
        store.replace(SMALL, "one")
    assert stat.S_IMODE((home / "password").stat().st_mode) == 0o600
    password = (home / "password").read_text("utf-8")
    os.kill(int(first), signal.SIGKILL)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as innocent:
        while server.is_served(home):
            time.sleep(0.1)
        state = json.loads((home / "server.json").read_text("utf-8"))
        (home / "server.json").write_text(json.dumps(state | {"pid": innocent.pid}), "utf-8")  # the number, used again
        assert server.status(home) is None and not server.stop(home)
        assert innocent.poll() is None
        innocent.communicate()
    with open_store(f"neo4j+local:{home}") as store:
        assert store.snapshot() == SMALL
    again = server.status(home)
    assert again and again.password == password and again.pid != int(first)
    assert server.stop(home) and not server.stop(home)
    assert server.status(home) is None


def test_a_server_that_nobody_uses_ends_unless_it_was_told_to_stay(home: Path, monkeypatch) -> None:
    monkeypatch.setattr(server, "IDLE", 2.0)
    assert server.start(home, port=server._free(0), stay=True).stays
    time.sleep(3)
    with open_store(f"neo4j+local:{home}") as store:
        (home / "stay").unlink()  # not before: it might end in this moment
        time.sleep(3)
        store.replace(SMALL, "one")
        running = server.status(home)
        assert running and not running.stays
    deadline = time.monotonic() + 60
    while server.is_served(home):
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_the_commands_say_what_runs_and_how_to_connect(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries, really = iter([False]), bolt.answers
    assert json.loads(torchatlas(home, "status", "--format", "json").stdout)["running"] is False
    assert "torchatlas neo4j start" in torchatlas(home, "status").stdout
    port = server._free(0)
    with monkeypatch.context() as late:
        late.setattr(bolt, "answers", lambda *asked: next(tries, True) and really(*asked))
        started = torchatlas(home, "start", "--port", str(port))
    assert next(tries, True)  # a busy machine: the first answer came too late
    assert started.exit_code == 0 and "starting Neo4j" in started.stderr
    assert f"NEO4J_URI=bolt://127.0.0.1:{port} NEO4J_PASSWORD=" in started.stdout and "neo4j stop" in started.stdout
    facts = json.loads(torchatlas(home, "status", "--format", "json").stdout)
    password = Path(facts["password_file"]).read_text("utf-8")
    assert password not in started.output
    assert facts["version"] == server.VERSION and facts["stays"] is True
    with open_store(f"bolt://{facts['user']}:{password}@127.0.0.1:{port}") as store:
        assert store.fingerprint() is None
    other = torchatlas(home, "start", "--apoc", "--port", str(server._free(0)))
    assert other.exit_code == 0 and "runs already, without APOC" in other.stderr and str(port) in other.stdout
    assert torchatlas(home, "stop").stdout == "stopped\n"
    assert torchatlas(home, "stop").stdout == "no server runs\n"


def test_neo4j_graphrag_reads_the_schema_by_the_procedures_of_apoc_that_are_there(apoc_address: str) -> None:
    asked, (llm, retrievers) = [], (pytest.importorskip(f"neo4j_graphrag.{name}") for name in ("llm", "retrievers"))

    class Model(llm.LLMInterface):
        def invoke(self, input: str, *_: object) -> object:
            asked.append(input)
            return llm.LLMResponse(content="MATCH ({id: 'dispatcher'})-[:REQUIRES]->(c) RETURN c.name AS name")

        ainvoke = invoke

    with open_store(apoc_address) as store, driver(apoc_address) as direct:
        store.replace(SMALL, "one")
        found = retrievers.Text2CypherRetriever(direct, Model("none")).search(query_text="What does it need?")
        assert [item.content for item in found.items] == ["<Record name='Tensor'>"]
        assert "(:Concept)-[:REQUIRES]->(:Concept)" in asked[0] and "definition: STRING" in asked[0]
    offered = rows_at(apoc_address, "SHOW PROCEDURES YIELD name WHERE name STARTS WITH 'apoc' RETURN name")
    assert offered == [["apoc.meta.data"], ["apoc.meta.schema"]]


def test_two_servers_that_want_one_port_at_the_same_moment_both_run(home: Path, monkeypatch) -> None:
    monkeypatch.setattr(server, "PORT", server._free(0))
    homes, told = [home / "one", home / "two"], []
    with ThreadPoolExecutor() as together:
        started = list(together.map(lambda own: server.start(own, told.append), homes))
    try:
        ports = {running.port for running in started}
        assert len(ports) == 2 and server.PORT in ports
        assert [line for line in told if f"port {server.PORT} is taken" in line]
        assert [server.status(own) for own in homes] == started
    finally:
        assert all([server.stop(own) for own in homes])  # noqa: C419 (both are stopped, whatever the first says)


def test_a_taken_port_and_a_home_that_cannot_be_written_are_one_line(home: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(StoreError, match=f"port {port} is taken") as caught:
            server.start(home, port=port)
    assert "\n" not in str(caught.value) and not server.is_served(home)
    (tmp_path / "file").write_text("")
    result = torchatlas(tmp_path / "file" / "neo4j", "start")
    assert result.exit_code == 1 and "no folder" in result.stderr and result.stderr.count("\n") == 1


@SIGNALS
def test_a_server_that_is_stopped_or_stands_still_as_it_starts_is_ended(home: Path, monkeypatch) -> None:
    monkeypatch.setattr(server, "_SILENCE", 3.0)
    for said in ("", r"did not start .*; .*see .*server\.log"):
        (home / "server.json").unlink(missing_ok=True)
        with ThreadPoolExecutor() as apart:
            starting = apart.submit(server.start, home, version=VERSION)
            while not (home / "server.json").exists():
                time.sleep(0.01)
            if said:
                os.kill(json.loads((home / "server.json").read_text())["pid"], signal.SIGSTOP)
            else:
                assert server.stop(home)
            with pytest.raises(StoreError, match=said or None):
                starting.result()
        assert not server.is_served(home)


REGEX = "RETURN 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' =~ '^((a|a)*)*c$' AS x"
ENDLESS = "RETURN all(x IN range(1, 10000000000) WHERE x > 0) AS x"
NO_ANSWER = f"RETURN {'NOT ' * 20_000}true AS x"  # it overflows the parser's stack, and the server says nothing
LARGE = "RETURN range(1, 30000000) AS x"
ENDED = "the query took more than 1 seconds; narrow it or add a LIMIT"


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory, neo4j_address: str) -> Iterator[Path]:
    """The folder of a running server of its own: what it is asked keeps it busy for minutes."""
    folder = tmp_path_factory.mktemp("busy")
    server.start(folder, version=VERSION)
    yield folder
    server.stop(folder)


@pytest.mark.slow
@pytest.mark.parametrize("text", [REGEX, ENDLESS, NO_ANSWER, LARGE], ids=["regex", "endless", "no answer", "large"])
def test_what_the_server_would_not_end_is_ended_here(busy: Path, text: str) -> None:
    with open_store(f"neo4j+local:{busy}") as store:
        begun, threads = time.monotonic(), threading.active_count()
        with pytest.raises(QueryError) as caught:
            store.query(text, seconds=1)
        assert str(caught.value) == ENDED
        assert time.monotonic() - begun < 1 + GRACE + attacks.OVERHEAD
        while threading.active_count() > threads:
            assert time.monotonic() - begun < 60
            time.sleep(0.05)
        assert store.query("RETURN 1 AS x", seconds=30).rows == ((1,),)
    with driver(address_of(server.status(busy))) as direct:  # the server was told to end it too
        ask = "SHOW TRANSACTIONS YIELD currentQuery AS q, status AS s WHERE q STARTS WITH $begin RETURN s"
        assert all("Terminated" in row["s"] for row in direct.execute_query(ask, begin=text[:30]).records)


def stopped(home: Path, pid: int) -> None:
    """Stop a server; until it has ended nobody says that no server runs, and then its process is gone."""
    with ThreadPoolExecutor() as apart:
        stopping = apart.submit(server.stop, home)
        while is_running(pid):
            try:
                found: object = server.status(home)
            except StoreError as e:
                found = str(e)
            assert (found and not stopping.done()) or not is_running(pid)  # it may have ended during the look
            time.sleep(0.2)
        assert stopping.result()
    assert server.status(home) is None and not server.stop(home)


@pytest.mark.slow
@SIGNALS
def test_a_server_whose_threads_never_look_up_is_stopped_and_one_that_stands_still_is_told_too(busy: Path) -> None:
    running = server.start(busy, version=VERSION)
    with open_store(f"neo4j+local:{busy}") as store:
        store.replace(SMALL, "one")
        for text in (REGEX, ENDLESS, NO_ANSWER, *attacks.some_bombs(4)):
            attacks.outcome(store, text, seconds=1)
    stopped(busy, running.pid)
    running = server.start(busy, version=VERSION)
    with open_store(f"neo4j+local:{busy}") as again:
        assert again.snapshot() == SMALL
    os.kill(running.pid, signal.SIGSTOP)
    with pytest.raises(StoreError, match=rf"too busy \(process {running.pid}\).*torchatlas neo4j stop"):
        server.status(busy)
    stopped(busy, running.pid)


LOCK = "MERGE (m:TorchatlasMeta {id: 'atlas'}) SET m.id = 'atlas'"
BEGIN, RUN, READS = b"\xb1\x11", b"\xb3\x10", b"mode\x81r"
NO_LEADER = "Neo.ClientError.Cluster.NotALeader"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tell of a silent server after a second, and try a transaction again for a second: it saves time."""
    monkeypatch.setattr(bolt, "PATIENCE", 1.0)
    monkeypatch.setitem(bolt.SETTINGS, "max_transaction_retry_time", 1.0)


@contextmanager
def through(address: str) -> Iterator[tuple[Store, BoltLine]]:
    """A store with SMALL, and the line at whose other end it is."""
    head, _, port = address.rpartition(":")
    line = BoltLine(int(port))
    with open_store(f"{head}:{line.port}") as store:
        store.replace(SMALL, "one")
        yield store, line
    line.close()


def write(store: Store, address: str) -> None:
    mark = kills.other(kills.whole(address))
    store.replace(kills.GRAPHS[mark], mark)


def disturbed(call: Callable[[], None], line: BoltLine, turn: int, fault: Callable[[], None]) -> str:
    """Make a call with a fault in the client's turn and return its line, "" where it was answered."""
    turns, said, begun = count(1), "", time.monotonic()
    line.look = lambda _said: fault() if next(turns) == turn else None
    try:
        call()
    except AtlasError as e:
        said = str(e)
    line.look = ignore
    assert not said or (time.monotonic() - begun < 30 and "\n" not in said and ";" in said), said
    return said


def recovers(store: Store, address: str) -> None:
    """See that a whole graph is there, that the same store reads and writes, and that nothing is left over."""
    mark = kills.whole(address)
    assert store.fingerprint() == mark
    assert store.query("RETURN 1 AS x").rows == ((1,),)
    write(store, address)
    assert kills.whole(address) != mark and kills.labels(address) == kills.OURS


CALLS: dict[str, tuple[Callable[[Store, str], object], str, int, str]] = {
    "check": (lambda store, _: store.check(), "hold", 3, "silent while writing; see whether it .*nothing is half writ"),
    "read": (lambda store, _: store.snapshot(), "deafen", 1, "has fallen silent while reading"),
    "query": (lambda store, _: store.query("RETURN 1 AS x", seconds=1), "deafen", 1, ENDED),
    "changes": (write, "cut", 15, "broke while writing; try again|^$"),
}


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("of", CALLS)
def test_a_call_that_is_disturbed_ends_with_one_line_and_the_next_one_works(empty_server: str, of: str) -> None:
    call, fault, turn, says = CALLS[of]
    with through(empty_server) as (store, line):
        said = disturbed(lambda: call(store, empty_server), line, turn, getattr(line, fault))
        assert re.search(says, said), said
        line.cut()
        recovers(store, empty_server)


@pytest.mark.usefixtures("impatient")
def test_a_server_that_works_for_others_is_waited_for_but_not_for_ever(empty_server: str, monkeypatch) -> None:
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
        monkeypatch.setattr(bolt._write, "timeout", 1.0)
        with session.begin_transaction() as transaction:
            transaction.run(LOCK).consume()
            with pytest.raises(StoreError, match=r"another program has kept [^\n]* nothing is half written$"):
                store.replace(SMALL, "three")
        store.replace(SMALL, "three")


@pytest.mark.slow
@SIGNALS
@pytest.mark.usefixtures("impatient")
def test_a_server_that_stands_still_or_is_killed_in_a_load_ends_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    running = server.start(home)
    address = address_of(running)
    with through(address) as (store, line):
        with monkeypatch.context() as slowly:
            slowly.setattr(bolt, "BATCH", 1)
            said = disturbed(lambda: write(store, address), line, 50, lambda: os.kill(running.pid, signal.SIGSTOP))
            assert "has fallen silent while writing" in said
            os.kill(running.pid, signal.SIGCONT)
            recovers(store, address)
            said = disturbed(lambda: write(store, address), line, 50, lambda: os.kill(running.pid, signal.SIGKILL))
        assert re.search("no Neo4j server answers.*start it|broke while writing|has fallen silent", said)
        server.start(home, port=running.port)
        recovers(store, address)


def failure(code: str) -> bytes:
    """The message of Bolt 5.7 and later by which a server refuses."""
    facts = {"neo4j_code": code, "message": "m", "gql_status": "50N42", "description": "d"}
    texts = (text.encode() for pair in facts.items() for text in pair)
    packed = b"\xb1\x7f\xa4" + b"".join(b"\xd0%c%b" % (len(text), text) for text in texts)
    return len(packed).to_bytes(2) + packed + b"\0\0"


def begins_writing(said: bytes) -> bool:
    return said[2:4] == BEGIN and READS not in said


@pytest.mark.slow
def test_a_check_and_a_load_outlive_changes_of_the_leader(empty_server: str) -> None:
    writes, refused = count(1), list[int]()

    def refuse(said: bytes) -> bytes:
        if not begins_writing(said) or (number := next(writes)) not in (1, 3, 5):
            return b""
        refused.append(number)
        return failure(NO_LEADER)

    with through(empty_server.replace("bolt", "neo4j", 1)) as (routed, line):
        line.stand_in = refuse
        routed.check()
        routed.replace(OTHER, "two")
        assert len(refused) == 3 and routed.fingerprint() == "two" and routed.snapshot() == OTHER


def test_readers_ask_for_a_reader_where_there_is_no_leader_and_wait_for_what_they_wrote(empty_server: str) -> None:
    said: list[bytes] = []
    address = empty_server.replace("bolt", "neo4j", 1)
    with through(address) as (routed, line):
        routed.replace(OTHER, "two")
        line.look = said.append
        assert routed.fingerprint() == "two" and routed.snapshot() == OTHER
        assert routed.query("MATCH (c:Concept) RETURN count(c)").rows == ((len(OTHER.concepts),),)
        asked = [each for each in said if b"MATCH" in each or each[2:4] == BEGIN]
        transactions = [each for each in asked if each[2:4] == BEGIN or b"EXPLAIN" in each]
        assert len(transactions) == 3
        assert all(READS in each and b"bookmarks" in each for each in transactions)
        said.clear()
        line.stand_in = lambda each: failure(NO_LEADER) if begins_writing(each) else b""
        with open_store(f"{address.rpartition(':')[0]}:{line.port}") as reader:
            assert reader.snapshot() == OTHER
    # What is said outside of a transaction, or before one, would need the leader too.
    assert READS in next(each for each in said if each[2:4] in (BEGIN, RUN))
