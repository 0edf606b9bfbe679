"""The server that we start: one for each folder; it outlives its starter, ends when told to, and survives a kill."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.stores.graphs import SMALL
from torchatlas.graph.errors import StoreError
from torchatlas.graph.stores import neo4j as bolt
from torchatlas.graph.stores import neo4j_server as server
from torchatlas.graph.stores.base import open_store
from torchatlas.ui.cli.program import main

pytestmark = pytest.mark.neo4j
START = "import sys; from pathlib import Path; from torchatlas.graph.stores import neo4j_server as server\n"
START += "print(server.start(Path(sys.argv[1]), port=int(sys.argv[2])).pid)"


@pytest.fixture
def home(tmp_path: Path, neo4j_address: str) -> Iterator[Path]:
    """A folder for a server; neo4j_address: where none can be started, this is skipped with its reason."""
    yield tmp_path / "neo4j"
    server.stop(tmp_path / "neo4j")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def torchatlas(home: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["neo4j", *words], env={"TORCHATLAS_HOME": str(home.parent)})


def test_two_who_start_at_once_get_one_server_that_outlives_both_and_a_kill(home: Path) -> None:
    run = [sys.executable, "-c", START, home, str(free_port())]
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
    assert server.start(home, port=free_port(), stay=True).stays
    time.sleep(4)
    with open_store(f"neo4j+local:{home}") as store:
        (home / "stay").unlink()  # not before: it might end in this moment
        time.sleep(4)
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
    port = free_port()
    with monkeypatch.context() as late:
        late.setattr(bolt, "answers", lambda *asked: next(tries, True) and really(*asked))
        started = torchatlas(home, "start", "--port", str(port))
    assert next(tries, True)  # a busy machine: the first answer came too late
    assert started.exit_code == 0 and "starting Neo4j" in started.stderr
    assert f"NEO4J_URI=bolt://127.0.0.1:{port} NEO4J_PASSWORD=" in started.stdout and "neo4j stop" in started.stdout
    facts = json.loads(torchatlas(home, "status", "--format", "json").stdout)
    password = Path(facts["password_file"]).read_text("utf-8")
    assert password not in started.output
    assert facts["bytes"] > 0 and facts["version"] == server.VERSION and facts["stays"] is True
    with open_store(f"bolt://{facts['user']}:{password}@127.0.0.1:{port}") as store:
        assert store.fingerprint() is None
    other = torchatlas(home, "start", "--port", str(free_port()))
    assert other.exit_code == 0 and "runs already" in other.stderr and str(port) in other.stdout
    assert torchatlas(home, "stop").stdout == "stopped\n"
    assert torchatlas(home, "stop").stdout == "no server runs\n"


def test_two_servers_that_want_one_port_at_the_same_moment_both_run(home: Path, monkeypatch) -> None:
    monkeypatch.setattr(server, "PORT", free_port())
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


def test_a_taken_port_is_one_line(home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(StoreError, match=f"port {port} is taken") as caught:
            server.start(home, port=port)
    assert "\n" not in str(caught.value) and not server.is_served(home)


def test_a_home_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = torchatlas(tmp_path / "file" / "neo4j", "start")
    assert result.exit_code == 1 and "no folder" in result.stderr and result.stderr.count("\n") == 1
