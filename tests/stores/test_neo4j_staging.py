"""What is written on a server: only what differs, beside data of other people.

A graph too large for one transaction is staged, switched and swept; what a stopped load leaves is swept too.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.graph.builds import changed, graph
from tests.kills import OURS, kill_at_random, labels
from tests.stores.conftest import driver
from tests.stores.graphs import OTHER, SMALL
from torchatlas.graph.errors import StoreError
from torchatlas.graph.model import EDGE_GROUPS, Snapshot
from torchatlas.graph.stores import neo4j as bolt
from torchatlas.graph.stores.base import Store, open_store

pytestmark = pytest.mark.neo4j


@pytest.fixture
def store(empty_server: str) -> Iterator[Store]:
    with open_store(empty_server) as opened:
        yield opened


@pytest.fixture(params=[0])
def staging(store: Store, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store that stages every change, or all beyond so many rows, four rows a batch."""
    monkeypatch.setattr("torchatlas.graph.stores.neo4j.AT_ONCE", request.param)
    monkeypatch.setattr("torchatlas.graph.stores.neo4j.BATCH", 4)
    return store


STAGED_OR_NOT = pytest.mark.parametrize("staging", [0, 50_000], indirect=True)


def asked(address: str, text: str) -> list[Any]:
    with driver(address) as direct:
        return [record.values() for record in direct.execute_query(text).records]


def test_a_staged_graph_is_the_graph_and_leaves_nothing_else(staging: Store, empty_server: str) -> None:
    for mark, given in (("one", SMALL), ("two", OTHER), ("three", OTHER), ("four", Snapshot()), ("five", SMALL)):
        staging.replace(given, mark)
        assert staging.snapshot() == given and staging.fingerprint() == mark
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
        ids = asked(empty_server, "MATCH (c:Concept) RETURN c.id")
        pairs = asked(empty_server, "MATCH (:Concept)-[r:REQUIRES]->(:Concept) RETURN count(r)")
        seen.append(whole and sorted(ids) == sorted([c.id] for c in SMALL.concepts) and pairs == [[3]])

    staging.replace(OTHER, "two", look)
    assert len(seen) > 5 and all(seen)
    assert staging.snapshot() == OTHER


@STAGED_OR_NOT
def test_what_people_tied_to_a_node_keeps_that_node(staging: Store, empty_server: str) -> None:
    asked(empty_server, "CREATE (:Person {name: 'A'})-[:REQUIRES {mine: true}]->(:Person {name: 'B'})")
    staging.replace(SMALL, "one")
    for made in (
        "MATCH (c:Concept {id: 'tensor'}), (p:Person {name: 'A'}) CREATE (p)-[:LIKES {much: true}]->(c)",
        "MATCH (c:Concept {id: 'dispatcher'}), (d:Concept {id: 'tensor'}) CREATE (c)-[:REMINDS_ME_OF]->(d)",
        "MATCH (e:Episode {id: 's-1'}) SET e:Favourite",
    ):
        asked(empty_server, made)
    kept = "MATCH (n) WHERE n.id IN ['dispatcher', 'tensor'] AND n:Concept OR n.id = 's-1' RETURN n.id, elementId(n)"
    before = asked(empty_server, kept)
    staging.replace(OTHER, "two")
    assert staging.snapshot() == OTHER
    for text, found in (
        ("MATCH (p:Person)-[r:LIKES]->(c) RETURN p.name, r.much, c.id, c.definition", ["A", True, "tensor", "changed"]),
        ("MATCH (a)-[:REMINDS_ME_OF]->(b) RETURN a.id, b.id", ["dispatcher", "tensor"]),
        ("MATCH (e:Favourite) RETURN e.id, size(labels(e))", ["s-1", 3]),
        ("MATCH (a:Person)-[r:REQUIRES]->(b:Person) RETURN a.name, b.name, r.mine", ["A", "B", True]),
        ("MATCH (c)-[:REQUIRES]->(d:Concept {id: 'tensor'}) RETURN c.id", ["dispatcher"]),
    ):
        assert asked(empty_server, text) == [found]
    assert sorted(before) == sorted(asked(empty_server, kept))
    assert labels(empty_server) == OURS | {"Person", "Favourite"}


def test_foreign_nodes_of_our_labels_are_told_refused_and_kept(store: Store, empty_server: str) -> None:
    store.check()
    assert store.fingerprint() is None and asked(empty_server, "MATCH (n) RETURN n") == []
    asked(empty_server, "CREATE (:Episode {id: 's-1', title: 'mine'})")
    for use in (store.check, lambda: store.replace(SMALL, "one")):
        with pytest.raises(StoreError, match=r"1 Episode nodes that torchatlas did not make.*NEO4J_DATABASE") as caught:
            use()
        assert "\n" not in str(caught.value)
    assert store.fingerprint() is None and store.snapshot() == Snapshot()
    assert asked(empty_server, "MATCH (n) RETURN count(n), collect(n.title)") == [[1, ["mine"]]]


def test_only_what_differs_is_written_in_batches(store: Store, empty_server: str, monkeypatch) -> None:
    monkeypatch.setattr("torchatlas.graph.stores.neo4j.BATCH", 2)
    new = replace(SMALL, concepts=(*SMALL.concepts[1:], replace(SMALL.concepts[0], definition="new")))
    told: list[tuple[str, int, int]] = []
    store.replace(SMALL, "one")
    assert store.snapshot() == SMALL
    store.replace(new, "two", lambda *step: told.append(step))
    assert told == [("Writing the graph", 1, 1)]
    assert store.snapshot() == new
    asked(empty_server, "MATCH (a {id: 'dispatcher'})-[:REQUIRES]->(b {id: 'tensor'}) CREATE (a)-[:REQUIRES]->(b)")
    store.replace(new, "three")
    assert store.snapshot() == new
    text = "MATCH (c:Concept {id: 'tensor'}) RETURN labels(c), [1, 'Torchatlas']"  # no label of ours is shown
    assert store.query(text).rows == ((["Concept"], [1, "Torchatlas"]),)


def test_the_later_of_two_loads_wins_and_the_other_says_so(staging: Store, empty_server: str) -> None:
    staging.replace(SMALL, "one")
    third = graph("third")

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
                bolt._sweep(session, "of a load that was overtaken")

    staging.replace(SMALL, "one", late)
    assert staging.snapshot() == SMALL


def test_a_load_that_fails_leaves_the_last_graph_and_the_next_one_sweeps_up(staging: Store, empty_server: str) -> None:
    staging.replace(SMALL, "one")
    with pytest.raises(StoreError, match="REQUIRES"):
        staging.replace(changed(OTHER, requires="s-1 s-2: episodes are no concepts"), "two")
    assert staging.snapshot() == SMALL and staging.fingerprint() == "one"
    assert "TorchatlasStagedConcept" in labels(empty_server)
    staging.replace(SMALL, "three")
    assert labels(empty_server) == OURS


def test_loads_that_are_killed_leave_a_whole_graph(empty_server: str) -> None:
    assert sum(kill_at_random(empty_server, times=3, seed=0, longest=3.0).values()) == 3
    assert labels(empty_server) == OURS


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


@STAGED_OR_NOT
def test_what_another_version_of_the_schema_wrote_wants_a_build_and_goes(staging: Store, empty_server: str) -> None:
    staging.replace(SMALL, "one")
    for made in (
        "MATCH (a:Concept {id: 'tensor'}), (b:Concept {id: 'stride'}) CREATE (a)-[:FORMER]->(b)",
        "MATCH (a:Concept {id: 'tensor'}) CREATE (:Former:Torchatlas {id: 'x'})-[:FORMER]->(a)",
        "MATCH (a:Concept {id: 'tensor'}) CREATE (:Mine)-[:FORMER]->(a)",
        "MATCH (m:TorchatlasMeta) SET m.schema = 'former', m.types = m.types + 'FORMER', m.labels = ['Former']",
    ):
        asked(empty_server, made)
    assert staging.fingerprint() is None
    with pytest.raises(StoreError, match="torchatlas build"):
        staging.snapshot()
    staging.replace(SMALL, "two")
    assert staging.snapshot() == SMALL
    assert labels(empty_server) == OURS | {"Mine"}
    assert asked(empty_server, "MATCH (a)-[:FORMER]->(b) RETURN labels(a), b.id") == [[["Mine"], "tensor"]]
