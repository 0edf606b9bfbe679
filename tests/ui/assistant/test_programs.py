"""The programs that an assistant starts or finds: over standard input and output, and on a port for one's own only."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters

from tests import attacks
from tests.cypher_texts import LONG
from tests.doc_sessions import ROOT
from tests.extract.cases import rows
from tests.ui.assistant.conftest import Assistant, connected
from tests.ui.cli.commands import done
from torchatlas.graph.stores.neo4j_server import _free
from torchatlas.graph.stores.worker import GRACE
from torchatlas.ui.local_server import is_taken

pytestmark = pytest.mark.slow
PROGRAM = ("-m", "torchatlas", "mcp")


@pytest.fixture(scope="module")
def assistant(environment: dict[str, str]) -> Iterator[Assistant]:
    """A client over standard input and output."""
    variables = {**os.environ, **environment}
    with connected(StdioServerParameters(command=sys.executable, args=[*PROGRAM], env=variables)) as found:
        yield found


def test_a_bomb_ends_at_its_limit(assistant: Assistant) -> None:
    ranges = " ".join(f"UNWIND range(1, 100000) AS {name}" for name in "abc")
    begin = time.monotonic()
    line = assistant.refused("query", cypher=f"{ranges} RETURN sum(a * b + c)", seconds=1)
    assert line.startswith("the query took more than 1 second")
    for bomb in attacks.some_bombs(2):
        assistant.call_tool("query", {"cypher": bomb, "seconds": 1})
    assert time.monotonic() - begin < 3 * (1 + GRACE) + attacks.OVERHEAD
    assert assistant.ask("query", cypher="RETURN 1 AS one")["rows"] == [[1]]


def test_a_call_that_is_cancelled_keeps_nobody_waiting(assistant: Assistant) -> None:
    assistant.give_up("query", cypher=LONG, seconds=60)
    assert assistant.ask_within(30, "search", text="view")["found"]
    assert assistant.ask("query", cypher="RETURN 1 AS one")["rows"] == [[1]]


def test_standard_output_holds_the_protocol_only_and_builds_are_noticed(tmp_path: Path) -> None:
    done(tmp_path, "new", str(tmp_path), "--title", "Bread")
    environment = {**os.environ, "TORCHATLAS_HOME": str(tmp_path)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, *PROGRAM], env=environment, text=True, **pipes) as program:
        assert program.stdin and program.stdout and program.stderr

        def answer(method: str, **parameters: object) -> Any:
            message = {"jsonrpc": "2.0", "id": method, "method": method, "params": parameters}
            print("no JSON [[[", json.dumps(message), sep="\n", file=program.stdin, flush=True)
            found = json.loads(program.stdout.readline())
            assert found["id"] == method
            return found["result"]

        def found(text: str) -> list[object]:
            called = answer("tools/call", name="search", arguments={"text": text})
            return list(called["structuredContent"]["found"])

        client = {"name": "test", "version": "1"}
        answer("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
        assert not found("sourdough starter")
        done(tmp_path, "add", str(ROOT / "docs" / "bread.xml"))
        assert found("sourdough starter")
        program.stdin.close()
        assert program.stdout.read() == "" and "Drawing the map ..." in program.stderr.read()
    assert program.returncode == 0


def test_an_interrupt_ends_it_while_it_waits(environment: dict[str, str]) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, *PROGRAM], env=os.environ | environment, text=True, **pipes) as program:
        assert program.stdin and program.stdout
        print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}), file=program.stdin, flush=True)
        assert json.loads(program.stdout.readline())["id"] == 1
        program.send_signal(signal.SIGINT)
        assert program.wait(timeout=10) == -signal.SIGINT


def test_without_the_extra_the_command_says_what_to_install() -> None:
    code = "import sys; sys.modules['mcp'] = None; from torchatlas.ui.cli.program import main; main(['mcp'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 1 and done.stdout == "", done.stderr
    assert done.stderr.startswith("Error: an assistant needs an extra; remedy: .ci/install mcp in a clone, or with ")


PING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


@pytest.fixture(scope="module")
def port(environment: dict[str, str]) -> Iterator[int]:
    number = _free(0)
    command = [sys.executable, *PROGRAM, "--http", "--port", str(number)]
    program = subprocess.Popen(command, env=os.environ | environment, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while not is_taken(number):
        assert program.poll() is None and time.monotonic() < end
        time.sleep(0.1)
    yield number
    program.terminate()
    _, told = program.communicate(timeout=20)
    assert told == f"An assistant finds the map at http://127.0.0.1:{number}/mcp (Ctrl-C ends it)\n"


def test_a_client_asks_over_http(port: int) -> None:
    with connected(f"http://127.0.0.1:{port}/mcp") as assistant:
        assert assistant.ask("concept", name="view")["explained_in"][0]["id"] == "show-view"
        assert "may only read" in assistant.refused("query", cypher="MATCH (c) DETACH DELETE c")
        assert assistant.read_resource("torchatlas://schema").contents


def test_a_call_that_is_cancelled_keeps_no_other_client_waiting(port: int) -> None:
    with connected(f"http://127.0.0.1:{port}/mcp") as one, connected(f"http://127.0.0.1:{port}/mcp") as other:
        one.give_up("query", cypher=LONG, seconds=60)
        assert other.ask_within(30, "search", text="view")["found"]


def test_several_clients_at_once_get_the_same_answers(port: int) -> None:
    def asked(number: int) -> object:
        with connected(f"http://127.0.0.1:{port}/mcp") as assistant:
            rows = assistant.ask("query", cypher="MATCH (n) RETURN n.id ORDER BY n.id")
            return rows, assistant.ask("plan", goals=["aotautograd"])

    with ThreadPoolExecutor(4) as clients:
        first, *others = clients.map(asked, range(4))
    assert all(other == first for other in others)


WHO = """=> 200 | Origin: http://127.0.0.1:{port} => 200 | Origin: http://127.0.0.1:9 => 403
    Origin: https://evil.example => 403 | Origin: null => 403 | Host: evil.example:{port} => 403
    Host: 127.0.0.2:{port} => 403 | Sec-Fetch-Site: cross-site, Sec-Fetch-Mode: no-cors => 403
    Content-Type: text/plain => 400"""


@pytest.mark.parametrize(("headers", "status"), rows(WHO))
def test_only_the_persons_own_programs_get_in(port: int, headers: str, status: str) -> None:
    """The type of the last is one that a form of another page could send."""
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    sent |= dict(each.split(": ") for each in headers.format(port=port).split(", ") if each)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("POST", "/mcp", json.dumps(PING), sent)
    answer = connection.getresponse()
    assert answer.status == int(status)
    assert (b"inputSchema" in answer.read()) == (status == "200")
    assert "frame-ancestors 'none'" in str(answer.getheader("Content-Security-Policy"))
    connection.close()


def test_it_listens_on_this_computer_only(port: int) -> None:
    with socket.socket() as probe, pytest.raises(OSError):
        probe.bind(("127.0.0.1", port))
    with socket.socket() as other:
        other.bind(("127.0.0.2", port))  # free, so the program has not taken every address


def test_a_taken_port_is_one_line(port: int, environment: dict[str, str]) -> None:
    command = [sys.executable, *PROGRAM, "--http", "--port", str(port)]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr == f"Error: port {port} is taken; name another one, such as --port {port + 1}\n"
