"""An error of the driver becomes one line with the remedy. The values are the driver's own; no driver is imitated."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager

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
from torchatlas.graph.stores.neo4j import _explained, _located, _too_old

ADDRESS = "bolt://h:7687"


def answered(code: str, message: str = "what the server says\nin two lines") -> Neo4jError:
    """The error that the driver makes of a server's answer."""
    return Neo4jError._hydrate_neo4j(code=code, message=message)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("Neo.ClientError.Security.Unauthorized", "NEO4J_PASSWORD"),
        ("Neo.ClientError.Database.DatabaseNotFound", "no database 'd'.*NEO4J_DATABASE"),
        ("Neo.ClientError.Cluster.NotALeader", "read-only replica, or not the leader.*neo4j://"),
        ("Neo.ClientError.General.ForbiddenOnReadOnlyDatabase", "read-only replica.*neo4j://"),
        ("Neo.DatabaseError.Transaction.TransactionLogError", "is full.*make room.*restart"),
        ("Neo.ClientError.Transaction.LockClientStopped", "another program has kept .* end that program"),
        ("Neo.DatabaseError.General.UnknownError", "failed while writing: what the server says$"),
    ],
)
def test_an_answer_of_the_server_is_told_with_its_remedy(code: str, says: str) -> None:
    line = _explained(answered(code), ADDRESS, "d", "writing")
    assert "\n" not in line
    with pytest.raises(StoreError, match=says):
        raise StoreError(line)


def caused(error: DriverError, cause: Exception) -> DriverError:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "doing", "says"),
    [
        (answered("Neo.DatabaseError.Transaction.TransactionCommitFailed", "IOException: No space left on device"),
         "writing", "disk of Neo4j at bolt://h:7687 is full"),
        (answered("Neo.DatabaseError.General.UnknownError", "a critical error, and needs to be restarted. Please see"),
         "connecting", "restart it"),
        (IncompleteCommit("x"), "writing", "broke while writing; try again, nothing is doubled"),
        (IncompleteCommit("x"), "reading", "broke while reading; try again"),
        (SessionExpired("x"), "writing", "nothing is half written"),
        (ServiceUnavailable("x"), "reading", "broke while reading; try again$"),
        (caused(ServiceUnavailable("x"), ConnectionRefusedError()), "writing", "no Neo4j server answers.*start it"),
        (caused(ServiceUnavailable("x"), TimeoutError()), "reading", "has fallen silent while reading; see whether"),
        (ConnectionAcquisitionTimeoutError("x"), "writing", "has fallen silent while writing.*nothing is half written"),
        (ServiceUnavailable("x"), "connecting", "start it, or use the embedded store"),
        (caused(ServiceUnavailable("x"), TimeoutError("timed out")), "connecting", "in time"),
        (caused(ServiceUnavailable("x"), ExceptionGroup("all", [caused(ServiceUnavailable("y"), socket.gaierror())])),
         "connecting", "no computer has the name"),
        (caused(ServiceUnavailable("x"), ssl.SSLCertVerificationError("self-signed")), "connecting", r"\+ssc"),
    ],
)  # fmt: skip
def test_a_broken_connection_is_told_with_its_remedy(error: DriverError | Neo4jError, doing: str, says: str) -> None:
    with pytest.raises(StoreError, match=says):
        raise StoreError(_explained(error, ADDRESS, None, doing))


@pytest.mark.parametrize(
    ("agent", "old"),
    [("Neo4j/4.4.30", True), ("Neo4j/3.5.1", True), ("Neo4j/5.26.30", False), ("Neo4j/2026.09.0", False),
     ("Neo4j/5.27-aura", False), ("Other/1.0", False), ("", False)],
)  # fmt: skip
def test_a_server_that_is_too_old_is_told_which_are_not(agent: str, old: bool) -> None:
    line = _too_old(agent)
    assert (line is not None) is old
    assert line is None or ("5" in line and "2026.09" in line)


@contextmanager
def listener(answer: bytes | None) -> Iterator[int]:
    """The port of something that is no Neo4j server: it answers, or hangs up at once."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    peer, _ = listening.accept()
                except OSError:
                    return
                with peer:
                    if answer:
                        peer.recv(100)
                        peer.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)
    thread.join()


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_something_that_is_no_server_is_told(scheme: str, monkeypatch, capfd) -> None:
    for answer, says in ((None, r"hangs up.*bolt\+s"), (b"HTTP/1.1 400 Bad Request\r\n\r\n", "web pages.*7687")):
        with listener(answer) as port, pytest.raises(StoreError, match=says) as caught:
            open_store(f"{scheme}://u:secret@127.0.0.1:{port}")
        assert "\n" not in str(caught.value) and "secret" not in str(caught.value)
    with pytest.raises(StoreError, match=r"no computer has the name in .*host\.invalid"):
        open_store(f"{scheme}://host.invalid")
    assert capfd.readouterr() == ("", "")


@pytest.mark.neo4j
@pytest.mark.parametrize("scheme", ["bolt+s", "bolt+ssc", "neo4j+s"])
def test_encryption_that_the_server_has_not_is_told(neo4j_address: str, scheme: str) -> None:
    host = neo4j_address.rpartition("@")[2]
    with pytest.raises(StoreError, match=r"does not encrypt.*without \+s") as caught:
        open_store(f"{scheme}://u:p@{host}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "environment", "expected"),
    [
        ("bolt://h", {}, ("bolt://h", None, None)),
        ("bolt://h:7688", {"NEO4J_PASSWORD": "p"}, ("bolt://h:7688", ("neo4j", "p"), None)),
        ("neo4j+s://u:p%40q@h/db", {"NEO4J_PASSWORD": "no"}, ("neo4j+s://h", ("u", "p@q"), "db")),
        (
            "neo4j://h",
            {"NEO4J_USERNAME": "u", "NEO4J_PASSWORD": "p", "NEO4J_DATABASE": "d"},
            ("neo4j://h", ("u", "p"), "d"),
        ),
        ("neo4j+ssc://[::1]:7687", {}, ("neo4j+ssc://[::1]:7687", None, None)),
        ("neo4j://h?policy=x", {}, ("neo4j://h?policy=x", None, None)),
    ],
)
def test_user_and_database_come_from_the_address_or_the_environment(address, environment, expected) -> None:
    assert _located(address, environment) == expected


@pytest.mark.parametrize("address", ["bolt://", "bolt://h:port", "bolt://h:99999"])
def test_an_address_without_a_host_or_with_an_odd_port_is_told(address: str) -> None:
    with pytest.raises(StoreError, match=r"host|port"):
        open_store(address)
