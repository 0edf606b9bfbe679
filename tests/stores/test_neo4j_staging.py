"""A graph too large for one transaction of a server: staged, switched, swept; and what a stopped load leaves."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.kills import OURS, kill_at_random, labels
from tests.stores.conftest import driver
from tests.stores.graphs import OTHER, SMALL
from torchatlas.graph.errors import StoreError
from torchatlas.graph.model import EDGE_GROUPS, Concept, Requires, Snapshot
from torchatlas.graph.stores.base import Store, open_store
from torchatlas.graph.stores.neo4j import _sweep

pytestmark = pytest.mark.neo4j


@pytest.fixture
def staging(empty_server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A store that stages every change, four rows a batch."""
    monkeypatch.setattr("torchatlas.graph.stores.neo4j.AT_ONCE", 0)
    monkeypatch.setattr("torchatlas.graph.stores.neo4j.BATCH", 4)
    with open_store(empty_server) as store:
        yield store


def asked(address: str, text: str) -> list[Any]:
    with driver(address) as direct:
        return [record.values() for record in direct.execute_query(text).records]


def ids(address: str) -> list[str]:
    return sorted(row[0] for row in asked(address, "MATCH (c:Concept) RETURN c.id"))


def test_a_staged_graph_is_the_graph_and_leaves_nothing_else(staging: Store, empty_server: str) -> None:
    for mark, graph in (("one", SMALL), ("two", OTHER), ("three", OTHER), ("four", Snapshot()), ("five", SMALL)):
        staging.replace(graph, mark)
        assert staging.snapshot() == graph and staging.fingerprint() == mark
    assert labels(empty_server) == OURS
    edges = sum(len(getattr(SMALL, name)) for name in EDGE_GROUPS)
    assert asked(empty_server, "MATCH ()-[r]->() RETURN count(r)") == [[edges]]
    constraints = asked(empty_server, "SHOW CONSTRAINTS YIELD name")
    assert constraints and not [name for (name,) in constraints if "staged" in name]


def test_readers_see_the_old_graph_until_the_switch(staging: Store, empty_server: str) -> None:
    staging.replace(SMALL, "one")
    seen: list[bool] = []

    def look(_what: str, _done: int, _total: int) -> None:
        with open_store(empty_server) as reader:
            whole = reader.snapshot() == SMALL and reader.fingerprint() == "one"
        pairs = asked(empty_server, "MATCH (:Concept)-[r:REQUIRES]->(:Concept) RETURN count(r)")
        seen.append(whole and ids(empty_server) == sorted(c.id for c in SMALL.concepts) and pairs == [[3]])

    staging.replace(OTHER, "two", look)
    assert len(seen) > 5 and all(seen)
    assert staging.snapshot() == OTHER


def test_what_people_tied_to_a_node_keeps_that_node(staging: Store, empty_server: str) -> None:
    staging.replace(SMALL, "one")
    asked(empty_server, "CREATE (:Person {name: 'A'}), (:Person {name: 'B'})")
    for made in (
        "MATCH (c:Concept {id: 'tensor'}), (p:Person {name: 'A'}) CREATE (p)-[:LIKES {much: true}]->(c)",
        "MATCH (c:Concept {id: 'dispatcher'}), (d:Concept {id: 'tensor'}) CREATE (c)-[:REMINDS_ME_OF]->(d)",
        "MATCH (e:Episode {id: 's-1'}) SET e:Favourite",
        "MATCH (p:Person {name: 'A'}), (q:Person {name: 'B'}) CREATE (p)-[:REQUIRES {mine: true}]->(q)",
    ):
        asked(empty_server, made)
    before = asked(
        empty_server,
        "MATCH (n) WHERE n.id IN ['dispatcher', 'tensor'] AND n:Concept OR n.id = 's-1' RETURN n.id, elementId(n)",
    )
    staging.replace(OTHER, "two")
    assert staging.snapshot() == OTHER
    assert asked(empty_server, "MATCH (p:Person)-[r:LIKES]->(c) RETURN p.name, r.much, c.id, c.definition") == [
        ["A", True, "tensor", "changed"]
    ]
    assert asked(empty_server, "MATCH (a)-[:REMINDS_ME_OF]->(b) RETURN a.id, b.id") == [["dispatcher", "tensor"]]
    assert asked(empty_server, "MATCH (e:Favourite) RETURN e.id, size(labels(e))") == [["s-1", 3]]
    assert asked(empty_server, "MATCH (:Person)-[r:REQUIRES]->(:Person) RETURN r.mine") == [[True]]
    assert asked(empty_server, "MATCH (c)-[:REQUIRES]->(d:Concept {id: 'tensor'}) RETURN c.id") == [["dispatcher"]]
    after = asked(
        empty_server,
        "MATCH (n) WHERE n.id IN ['dispatcher', 'tensor'] AND n:Concept OR n.id = 's-1' RETURN n.id, elementId(n)",
    )
    assert sorted(before) == sorted(after)
    assert labels(empty_server) == OURS | {"Person", "Favourite"}


def test_the_later_of_two_loads_wins_and_the_other_says_so(staging: Store, empty_server: str) -> None:
    staging.replace(SMALL, "one")
    third = Snapshot(concepts=(Concept("third", "Third", area="x"),))

    def overtake(_what: str, done: int, _total: int) -> None:
        if done == 4:
            with open_store(empty_server) as other:
                other.replace(third, "three")

    with pytest.raises(StoreError, match="another torchatlas has begun"):
        staging.replace(OTHER, "two", overtake)
    assert staging.snapshot() == third and staging.fingerprint() == "three"
    assert labels(empty_server) == {"Torchatlas", "TorchatlasMeta", "Concept"}


def test_a_sweep_that_comes_late_leaves_what_another_load_has_staged(staging: Store, empty_server: str) -> None:
    def late(_what: str, done: int, _total: int) -> None:
        if done == 4:
            with driver(empty_server) as direct, direct.session() as session:
                _sweep(session, "of a load that was overtaken")

    staging.replace(SMALL, "one", late)
    assert staging.snapshot() == SMALL


def test_a_load_that_fails_leaves_the_last_graph_and_the_next_one_sweeps_up(staging: Store, empty_server: str) -> None:
    staging.replace(SMALL, "one")
    wrong = replace(OTHER, requires=(Requires("s-1", "s-2", need="hear", reason="episodes are no concepts"),))
    with pytest.raises(StoreError, match="REQUIRES"):
        staging.replace(wrong, "two")
    assert staging.snapshot() == SMALL and staging.fingerprint() == "one"
    assert "TorchatlasStagedConcept" in labels(empty_server)
    staging.replace(SMALL, "three")
    assert labels(empty_server) == OURS


def test_loads_that_are_killed_leave_a_whole_graph(empty_server: str) -> None:
    assert sum(kill_at_random(empty_server, times=3, seed=0, longest=3.0).values()) == 3
    assert labels(empty_server) == OURS


def test_a_reader_is_never_given_half_of_each_of_two_graphs(empty_server: str, monkeypatch) -> None:
    from torchatlas.graph.stores import neo4j as bolt

    read, turns = bolt._stored, []

    def slow(tx: Any, table: Any) -> Any:
        found = read(tx, table)
        if not turns:
            turns.append(table)
            with open_store(empty_server) as writer, monkeypatch.context() as fast:
                fast.setattr(bolt, "_stored", read)
                writer.replace(OTHER, "two")
        return found

    with open_store(empty_server) as store:
        store.replace(SMALL, "one")
        monkeypatch.setattr(bolt, "_stored", slow)
        assert store.snapshot() == OTHER


@pytest.mark.parametrize("at_once", [0, 50_000])
def test_what_another_version_of_the_schema_wrote_goes(empty_server: str, at_once: int, monkeypatch) -> None:
    monkeypatch.setattr("torchatlas.graph.stores.neo4j.AT_ONCE", at_once)
    with open_store(empty_server) as store:
        store.replace(SMALL, "one")
        for made in (
            "MATCH (a:Concept {id: 'tensor'}), (b:Concept {id: 'stride'}) CREATE (a)-[:FORMER]->(b)",
            "MATCH (a:Concept {id: 'tensor'}) CREATE (:Former:Torchatlas {id: 'x'})-[:FORMER]->(a)",
            "MATCH (a:Concept {id: 'tensor'}) CREATE (:Mine)-[:FORMER]->(a)",
            "MATCH (m:TorchatlasMeta) SET m.schema = 'former', m.types = m.types + 'FORMER', m.labels = ['Former']",
        ):
            asked(empty_server, made)
        assert store.fingerprint() is None
        store.replace(SMALL, "two")
        assert store.snapshot() == SMALL
    assert labels(empty_server) == OURS | {"Mine"}
    assert asked(empty_server, "MATCH (a)-[:FORMER]->(b) RETURN labels(a), b.id") == [[["Mine"], "tensor"]]
