"""Promises that every store keeps, whatever its engine."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.graph.builds import changed, graph
from tests.stores.graphs import OTHER, SMALL
from tests.stores.test_queries import QUESTIONS
from tests.strategies import snapshots, times
from torchatlas.graph.cypher import Question
from torchatlas.graph.errors import QueryError, StoreError
from torchatlas.graph.model import Snapshot
from torchatlas.graph.stores.base import Store, open_store

FEW = settings(
    max_examples=times(12), deadline=None, suppress_health_check=list(HealthCheck), phases=set(Phase) - {Phase.shrink}
)
COUNT = "MATCH (c:Concept) RETURN count(c)"


def test_a_store_has_the_last_graph_and_nothing_of_the_one_before_and_a_stamp_for_each(store: Store) -> None:
    assert store.fingerprint() is None and store.snapshot() == Snapshot() and not store.holds("one")
    fewer = tuple(replace(c, aliases=(), x=9) for c in SMALL.concepts if c.id != "autograd")
    smaller = graph(fewer, requires="dispatcher stride: new")
    stamps = [store.stamp()]
    for held, mark in ((SMALL, "one"), (SMALL, "two"), (smaller, "two"), (OTHER, "three"), (Snapshot(), "four")):
        store.replace(held, mark)
        stamps.append(store.stamp())
        store.check()
        assert store.snapshot() == held and store.fingerprint() == mark
        assert not store.holds("one" if mark != "one" else "two")
        assert store.stamp() == stamps[-1]
    assert len(set(stamps)) == len(stamps)


def test_a_second_store_at_the_same_address_sees_the_old_graph_until_the_new_one_is_whole(
    cypher_store: Store, request: pytest.FixtureRequest
) -> None:
    address, seen, told = cypher_store.address, list[bool](), list[tuple[int, int]]()
    if address.startswith("bolt"):  # without the password, which the store hides
        address = request.getfixturevalue("neo4j_address")

    def look(_what: str, done: int, total: int) -> None:
        told.append((done, total))
        with open_store(address) as reader:
            old = reader.snapshot() == SMALL and reader.fingerprint() == "one"
            seen.append(old and (bool(seen) or reader.query(COUNT).rows == ((len(SMALL.concepts),),)))

    cypher_store.replace(SMALL, "one")
    cypher_store.query(COUNT)
    with open_store(address) as other:
        assert other.stamp() == cypher_store.stamp()
    cypher_store.replace(OTHER, "two", look)
    assert seen and all(seen) and told == sorted(told) and told[-1][0] == told[-1][1] > 0
    wrong = changed(SMALL, requires="s-1 s-2: episodes are no concepts")
    with pytest.raises(StoreError, match=r"REQUIRES|s-1"):
        cypher_store.replace(wrong, "three")
    assert cypher_store.snapshot() == OTHER and cypher_store.fingerprint() == "two"


def test_memory_says_that_it_understands_no_cypher() -> None:
    with open_store("memory:") as store, pytest.raises(QueryError, match="no Cypher"):
        store.query("RETURN 1 AS x")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(f"ladybug:{tmp_path_factory.mktemp('agreement') / 'graph.lbug'}") as store:
        yield store


@pytest.fixture(scope="module")
def server(neo4j_address: str) -> Iterator[Store]:
    with open_store(neo4j_address) as store:
        yield store


@FEW
@given(graph=snapshots())
def test_the_embedded_engine_holds_any_graph(file: Store, graph: Snapshot) -> None:
    file.replace(graph, "f")
    assert file.snapshot() == graph


@pytest.mark.neo4j
@FEW
@given(graph=snapshots(), data=st.data())
def test_both_engines_hold_any_graph_and_answer_alike(
    file: Store, server: Store, graph: Snapshot, data: st.DataObject
) -> None:
    for store in (file, server):
        store.replace(graph, "f")
        assert store.snapshot() == graph
    for question in QUESTIONS:
        values = question.bind({p.name: data.draw(_value(question, p.name, graph)) for p in question.parameters})
        assert file.query(question.cypher, values) == server.query(question.cypher, values), question.name


def _value(question: Question, name: str, graph: Snapshot) -> st.SearchStrategy[object]:
    """Values that have an answer where the graph has one. A blank one is missing."""
    parameter = next(p for p in question.parameters if p.name == name)
    there: dict[str, list[object]] = {
        "concept": [c.id for c in graph.concepts if c.id.strip()],
        "episode": [e.id for e in graph.episodes if e.id.strip()],
        "area": [c.area for c in graph.concepts if c.area.strip()],
        "integer": [1, 2, 50, 2022],
        "string": [t[:2] for t in (*(k.url for k in graph.links), *(c.name for c in graph.concepts)) if t[:2].strip()],
    }
    return st.sampled_from(there[parameter.type] or [parameter.example])
