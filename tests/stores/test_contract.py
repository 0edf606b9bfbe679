"""Promises that every store keeps, whatever its engine."""

from dataclasses import replace

import pytest

from tests.stores.graphs import SMALL
from torchatlas.graph.errors import QueryError, StoreError
from torchatlas.graph.model import Concept, Requires, Snapshot
from torchatlas.graph.stores.base import Store, open_store


def test_an_empty_store_holds_the_empty_graph(store: Store) -> None:
    assert store.fingerprint() is None
    assert store.snapshot() == Snapshot()


def test_a_written_graph_is_read_back(store: Store) -> None:
    store.replace(SMALL, "one")
    assert store.snapshot() == SMALL
    assert store.fingerprint() == "one"


def test_writing_twice_changes_nothing(store: Store) -> None:
    store.replace(SMALL, "one")
    store.replace(SMALL, "two")
    assert store.snapshot() == SMALL
    assert store.fingerprint() == "two"


def test_another_graph_is_never_held(store: Store) -> None:
    assert not store.holds("one")
    store.replace(SMALL, "one")
    assert not store.holds("two")


def test_the_old_graph_leaves_nothing_behind(store: Store) -> None:
    store.replace(SMALL, "one")
    changed = tuple(replace(c, aliases=(), x=9) for c in SMALL.concepts if c.id != "autograd")
    smaller = Snapshot(concepts=changed, requires=(Requires("dispatcher", "stride", need="hear", reason="new"),))
    store.replace(smaller, "two")
    assert store.snapshot() == smaller
    store.replace(Snapshot(), "three")
    assert store.snapshot() == Snapshot()
    assert store.fingerprint() == "three"


def test_the_stamp_changes_with_the_graph_and_with_nothing_else(store: Store) -> None:
    stamps = [store.stamp()]
    for graph, mark in ((SMALL, "one"), (Snapshot(), "one"), (SMALL, "two")):
        store.replace(graph, mark)
        stamps.append(store.stamp())
        store.check()
        store.fingerprint()
        store.snapshot()
        assert store.stamp() == stamps[-1]
    assert len(set(stamps)) == 4


def test_a_second_store_at_the_same_address_has_the_same_stamp(cypher_store: Store, request) -> None:
    cypher_store.replace(SMALL, "one")
    cypher_store.query("MATCH (c:Concept) RETURN c.id")
    with open_store(same_address(cypher_store, request)) as other:
        assert other.stamp() == cypher_store.stamp()


def same_address(store: Store, request: pytest.FixtureRequest) -> str:
    """The address of an open store, with the password that the store hides."""
    return request.getfixturevalue("neo4j_address") if store.address.startswith("bolt") else store.address


def test_an_edge_between_the_wrong_kinds_of_nodes_changes_nothing(cypher_store: Store) -> None:
    cypher_store.replace(SMALL, "one")
    wrong = replace(SMALL, requires=(Requires("s-1", "s-2", need="hear", reason="episodes are no concepts"),))
    with pytest.raises(StoreError, match=r"REQUIRES|s-1"):
        cypher_store.replace(wrong, "two")
    assert cypher_store.snapshot() == SMALL
    assert cypher_store.fingerprint() == "one"


def test_progress_ends_at_the_total(cypher_store: Store) -> None:
    told: list[tuple[str, int, int]] = []
    cypher_store.replace(SMALL, "one", lambda *step: told.append(step))
    assert told[-1][1] == told[-1][2] > 0
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


def test_a_second_reader_sees_the_old_graph_until_the_new_one_is_whole(cypher_store: Store, request) -> None:
    cypher_store.replace(SMALL, "one")
    seen: list[bool] = []

    def look(_what: str, _done: int, _total: int) -> None:
        with open_store(same_address(cypher_store, request)) as reader:
            seen.append(reader.snapshot() == SMALL and reader.fingerprint() == "one")

    cypher_store.replace(Snapshot(concepts=(Concept("new", "New", area="x"),)), "two", look)
    assert seen and all(seen)
    assert cypher_store.fingerprint() == "two"


def test_memory_says_that_it_understands_no_cypher() -> None:
    with open_store("memory:") as store, pytest.raises(QueryError, match="no Cypher"):
        store.query("RETURN 1 AS x")
