"""The limits of a query on a real Neo4j server that does not keep them, and the end of a server that is busy with one.

The server is one of its own: what it is asked here keeps it busy for minutes.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests import attacks
from tests.atlas import snapshot
from tests.bolt_line import BoltLine
from tests.doc_sessions import ROOT
from tests.stores.conftest import address_of, driver, is_running
from tests.stores.graphs import SMALL
from torchatlas.build import read_inputs
from torchatlas.graph.errors import QueryError, StoreError
from torchatlas.graph.stores import neo4j_server as server
from torchatlas.graph.stores.base import Store, open_store
from torchatlas.graph.stores.worker import GRACE
from torchatlas.settings import load_settings

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]
VERSION = os.environ.get("TORCHATLAS_TEST_NEO4J_VERSION", server.VERSION)
REGEX = "RETURN 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' =~ '^((a|a)*)*c$' AS x"
ENDLESS = "RETURN all(x IN range(1, 10000000000) WHERE x > 0) AS x"
NO_ANSWER = f"RETURN {'NOT ' * 20_000}true AS x"  # it overflows the parser's stack, and the server says nothing
LARGE = "RETURN range(1, 30000000) AS x"
ENDED = "the query took more than 1 seconds; narrow it or add a LIMIT"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, neo4j_address: str) -> Iterator[Path]:
    """A running server's folder; neo4j_address: where none can be started, this is skipped with its reason."""
    folder = tmp_path_factory.mktemp("busy")
    server.start(folder, version=VERSION)
    yield folder
    server.stop(folder)


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with open_store(f"neo4j+local:{home}") as opened:
        yield opened


@pytest.mark.parametrize("text", [REGEX, ENDLESS, NO_ANSWER, LARGE], ids=["regex", "endless", "no answer", "large"])
def test_what_the_server_would_not_end_is_ended_here(store: Store, text: str) -> None:
    begun, threads = time.monotonic(), threading.active_count()
    with pytest.raises(QueryError) as caught:
        store.query(text, seconds=1)
    assert str(caught.value) == ENDED
    assert time.monotonic() - begun < 1 + GRACE + attacks.OVERHEAD
    deadline = time.monotonic() + 30
    while threading.active_count() > threads:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert store.query("RETURN 1 AS x", seconds=30).rows == ((1,),)


def test_the_server_is_told_to_end_it_too(store: Store, home: Path) -> None:
    with pytest.raises(QueryError, match=ENDED):
        store.query(ENDLESS, seconds=1)
    with driver(address_of(server.status(home))) as direct:
        ask = "SHOW TRANSACTIONS YIELD currentQuery AS q, status AS s WHERE q STARTS WITH 'RETURN all(' RETURN s"
        assert all("Terminated" in row["s"] for row in direct.execute_query(ask).records)


def test_the_command_ends_in_time_with_one_line(store: Store, home: Path) -> None:
    environment = {**os.environ, "TORCHATLAS_HOME": str(home), "TORCHATLAS_STORE": f"neo4j+local:{home}"}
    settings = load_settings(environment=environment)
    store.replace(snapshot(), read_inputs(settings).fingerprint)
    run = [sys.executable, "-m", "torchatlas.ui.cli.program", "query", REGEX, "--seconds", "1"]
    done = subprocess.run(run, capture_output=True, text=True, env=environment, cwd=ROOT, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"Error: {ENDED}\n"


def test_the_page_ends_it_with_the_same_line(store: Store, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from streamlit.testing.v1 import AppTest

    monkeypatch.setenv("TORCHATLAS_HOME", str(home))
    monkeypatch.setenv("TORCHATLAS_STORE", f"neo4j+local:{home}")
    store.replace(snapshot(), read_inputs(load_settings()).fingerprint)
    app = AppTest.from_file(str(ROOT / "ui" / "web" / "app.py"), default_timeout=90).run()
    app.switch_page("screens/cypher.py").run()
    app.text_area[0].input(ENDLESS)
    app.button[0].click().run()
    assert not app.exception
    assert app.error[0].value.replace("\\", "").startswith(ENDED.replace("1 seconds", "10 seconds"))


def test_a_server_that_falls_silent_is_told_in_time(home: Path) -> None:
    running = server.start(home, version=VERSION)
    line = BoltLine(running.port)
    with open_store(address_of(running, line.port)) as store:
        assert store.query("RETURN 1 AS x").rows == ((1,),)
        store.fingerprint()
        line.deafen()
        begun = time.monotonic()
        with pytest.raises(QueryError) as caught:
            store.query("RETURN 1 AS x", seconds=1)
        assert str(caught.value) == ENDED and time.monotonic() - begun < 1 + GRACE + attacks.OVERHEAD
        begun = time.monotonic()
        with pytest.raises(StoreError, match="has fallen silent while reading"):
            store.fingerprint()
        assert time.monotonic() - begun < 30
    begun = time.monotonic()
    with pytest.raises(StoreError) as refused:
        open_store(address_of(running, line.port))
    assert "\n" not in str(refused.value) and time.monotonic() - begun < 30


def stopped(home: Path, pid: int) -> None:
    """Stop a server; until it has ended nobody says that no server runs, and then its process is gone."""
    said: list[object] = []

    def look() -> None:
        while is_running(pid):
            try:
                found: object = server.status(home)
            except StoreError as e:
                found = str(e)
            if found or is_running(pid):  # that no server runs is true of one that ended during the look
                said.append(found)
            time.sleep(0.2)

    looking = threading.Thread(target=look)
    looking.start()
    assert server.stop(home)
    assert not is_running(pid)
    looking.join()
    assert said and None not in said
    assert server.status(home) is None and not server.stop(home)


def test_a_server_whose_threads_never_look_up_is_stopped(store: Store, home: Path) -> None:
    running = server.start(home, version=VERSION)
    store.replace(SMALL, "one")
    for text in (REGEX, ENDLESS, NO_ANSWER, *attacks.some_bombs(4)):
        attacks.outcome(store, text, seconds=1)
    stopped(home, running.pid)
    server.start(home, version=VERSION)
    with open_store(f"neo4j+local:{home}") as again:
        assert again.snapshot() == SMALL


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_a_server_that_stands_still_is_told_and_stopped(home: Path) -> None:
    running = server.start(home, version=VERSION)
    os.kill(running.pid, signal.SIGSTOP)
    with pytest.raises(StoreError, match=rf"too busy \(process {running.pid}\).*torchatlas neo4j stop"):
        server.status(home)
    stopped(home, running.pid)


def test_a_server_that_starts_is_stopped(home: Path) -> None:
    failed: list[str] = []
    server.stop(home)
    (home / "server.json").unlink(missing_ok=True)  # of one that was killed

    def start() -> None:
        try:
            server.start(home, version=VERSION)
        except StoreError as e:
            failed.append(str(e))

    starting = threading.Thread(target=start)
    starting.start()
    while not (home / "server.json").exists():
        time.sleep(0.01)
    assert server.stop(home)
    starting.join()
    assert failed and not server.is_served(home)


def test_only_the_process_that_began_then_is_found() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as innocent:
        theirs = {"pid": innocent.pid, "started": psutil.Process(innocent.pid).create_time()}
        for state in ({**theirs, "started": theirs["started"] - 60}, {"pid": innocent.pid}):
            assert server._process(state) is None
        server._process(theirs).kill()
        assert innocent.wait(10)
    assert server._process(theirs) is None
