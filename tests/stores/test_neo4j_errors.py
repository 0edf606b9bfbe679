"""An error of the driver becomes one line with the remedy. The values are the driver's own; no driver is imitated."""

import re
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import BaseRequestHandler, TCPServer

import pytest
from neo4j.exceptions import (
    ConnectionAcquisitionTimeoutError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)

from torchatlas.graph.errors import StoreError
from torchatlas.graph.stores.base import open_store
from torchatlas.graph.stores.neo4j import _TOO_OLD, _explained


def answered(code: str, message: str = "what the server says\nin two lines") -> Neo4jError:
    """The error that the driver makes of a server's answer."""
    return Neo4jError._hydrate_neo4j(code=f"Neo.{code}", message=message)


def caused(error: DriverError, cause: Exception) -> DriverError:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "doing", "says"),
    [
        (answered("ClientError.Security.Unauthorized"), "writing", "NEO4J_PASSWORD"),
        (answered("ClientError.Database.DatabaseNotFound"), "writing", "no database 'd'.*NEO4J_DATABASE"),
        (answered("ClientError.Cluster.NotALeader"), "writing", "read-only replica, or not the leader.*neo4j://"),
        (answered("ClientError.General.ForbiddenOnReadOnlyDatabase"), "writing", "read-only replica.*neo4j://"),
        (answered("DatabaseError.Transaction.TransactionLogError"), "writing", "is full.*make room.*restart"),
        (answered("ClientError.Transaction.LockClientStopped"), "writing", "program has kept .* end that program"),
        *(  # the server's own words explain it
            (answered(code), "writing", "failed while writing: what the server says$")
            for code in (
                "ClientError.Security.AuthenticationRateLimit",
                "ClientError.Security.CredentialsExpired",
                "ClientError.Security.Forbidden",
                "DatabaseError.General.UnknownError",
                "TransientError.General.DatabaseUnavailable",
                "TransientError.General.MemoryPoolOutOfMemoryError",
                "TransientError.General.OutOfMemoryError",
            )
        ),
        (answered("DatabaseError.Transaction.TransactionCommitFailed", "IOException: No space left on device"),
         "writing", "disk of Neo4j at bolt://h:7687 is full"),
        (answered("DatabaseError.General.UnknownError", "a critical error, and needs to be restarted. Please see"),
         "connecting", "restart it"),
        (IncompleteCommit("x"), "writing", "broke while writing; try again, nothing is doubled"),
        (IncompleteCommit("x"), "reading", "broke while reading; try again"),
        (SessionExpired("x"), "writing", "nothing is half written"),
        (ServiceUnavailable("x"), "reading", "broke while reading; try again$"),
        (caused(ServiceUnavailable("x"), ConnectionRefusedError()), "writing", "no Neo4j server answers.*start it"),
        (caused(ServiceUnavailable("x"), TimeoutError()), "reading", "has fallen silent while reading; see whether"),
        (ConnectionAcquisitionTimeoutError("x"), "writing", "has fallen silent while writing.*nothing is half written"),
        (ServiceUnavailable("x"), "connecting", "start it, or use the embedded"),
        (caused(ServiceUnavailable("x"), TimeoutError("timed out")), "connecting", "no Neo4j server answers"),
        (caused(ServiceUnavailable("x"), ExceptionGroup("all", [caused(ServiceUnavailable("y"), socket.gaierror())])),
         "connecting", "check the host"),
        (caused(ServiceUnavailable("x"), ssl.SSLCertVerificationError("self-signed")), "connecting", r"\+ssc"),
    ],
)  # fmt: skip
def test_what_the_driver_raises_is_one_line_with_its_remedy(error: Exception, doing: str, says: str) -> None:
    line = _explained(error, "bolt://h:7687", "d", doing)
    assert re.search(says, line) and "\n" not in line


@pytest.mark.parametrize(
    ("agent", "old"),
    [("Neo4j/4.4.30", True), ("Neo4j/3.5.1", True), ("Neo4j/5.26.30", False), ("Neo4j/2026.09.0", False),
     ("Neo4j/5.27-aura", False), ("Other/1.0", False), ("", False)],
)  # fmt: skip
def test_a_server_that_is_too_old_is_known_by_its_agent(agent: str, old: bool) -> None:
    assert bool(_TOO_OLD.match(agent)) is old


@contextmanager
def listener(answer: bytes | None) -> Iterator[int]:
    """The port of something that is no Neo4j server: it answers, or hangs up at once."""

    class Answering(BaseRequestHandler):
        def handle(self) -> None:
            if answer:
                self.request.recv(100)
                self.request.sendall(answer)

    with TCPServer(("127.0.0.1", 0), Answering) as listening:
        threading.Thread(target=listening.serve_forever, args=(0.05,), daemon=True).start()
        yield listening.server_address[1]
        listening.shutdown()


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_something_that_is_no_server_is_told(scheme: str, capfd) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        down = free.getsockname()[1]
    with listener(None) as hanging_up, listener(b"HTTP/1.1 400 Bad Request\r\n\r\n") as web:
        for host, says in (
            (f"127.0.0.1:{down}", "no Neo4j server answers.*start it"),
            (f"127.0.0.1:{hanging_up}", r"speaks no such Bolt.*write \+s"),
            (f"127.0.0.1:{web}", "speaks no such Bolt.*7687"),
            ("host.invalid", r"answers at .*host\.invalid; check the host"),
        ):
            with pytest.raises(StoreError, match=says) as caught:
                open_store(f"{scheme}://u:secret@{host}")
            assert "\n" not in str(caught.value) and "secret" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_a_port_that_says_nothing_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(StoreError, match=r"127\.0\.0\.1") as caught:
        open_store(f"bolt://127.0.0.1:{silent.getsockname()[1]}")
    assert "\n" not in str(caught.value)


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("bolt://neo4j:wrong@HOST", "NEO4J_PASSWORD"),
        ("bolt://HOST", "NEO4J_PASSWORD"),
        ("SERVER/nope", "no database 'nope'.*NEO4J_DATABASE"),
        *(
            (f"{scheme}://u:p@HOST", r"write \+s if it encrypts.*else neither")
            for scheme in ("bolt+s", "bolt+ssc", "neo4j+s")
        ),
    ],
)
def test_what_the_server_has_not_is_told(neo4j_address: str, address: str, says: str, monkeypatch) -> None:
    monkeypatch.delenv("NEO4J_PASSWORD", raising=False)
    address = address.replace("HOST", neo4j_address.rpartition("@")[2]).replace("SERVER", neo4j_address)
    with pytest.raises(StoreError, match=says) as caught:
        open_store(address)
    assert "\n" not in str(caught.value) and "wrong" not in str(caught.value)


def test_a_missing_extra_is_told(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("torchatlas.graph.stores.neo4j_server._NEEDS", ("no_such_package",))
    with pytest.raises(StoreError, match=r'pip install "torchatlas\[server\]"'):
        open_store(f"neo4j+local:{tmp_path}")


def test_without_jars_and_network_one_line_says_so(tmp_path: Path, monkeypatch) -> None:
    pytest.importorskip("jgo")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("http_proxy", "https_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with pytest.raises(StoreError, match="cannot be downloaded") as caught:
        open_store(f"neo4j+local:{tmp_path / 'server'}")
    assert len(str(caught.value)) < 400 and "\n" not in str(caught.value)
