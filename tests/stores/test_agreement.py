"""Generated graphs: every engine holds the same one, and the Cypher engines answer the shipped questions alike."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.stores.test_queries import QUESTIONS
from tests.strategies import snapshots, times
from torchatlas.graph.cypher import Question
from torchatlas.graph.model import Snapshot
from torchatlas.graph.stores.base import Store, open_store

FEW = settings(
    max_examples=times(12), deadline=None, suppress_health_check=list(HealthCheck), phases=set(Phase) - {Phase.shrink}
)


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(f"ladybug:{tmp_path_factory.mktemp('agreement') / 'graph.lbug'}") as store:
        yield store


@pytest.fixture(scope="module")
def server(neo4j_address: str) -> Iterator[Store]:
    with open_store(neo4j_address) as store:
        yield store


@FEW
@given(graph=snapshots())
def test_the_embedded_engine_holds_any_graph(embedded: Store, graph: Snapshot) -> None:
    embedded.replace(graph, "f")
    assert embedded.snapshot() == graph


@pytest.mark.neo4j
@FEW
@given(graph=snapshots())
def test_the_server_holds_any_graph(server: Store, graph: Snapshot) -> None:
    server.replace(graph, "f")
    assert server.snapshot() == graph


@pytest.mark.neo4j
@FEW
@given(graph=snapshots(), data=st.data())
def test_both_engines_answer_alike(embedded: Store, server: Store, graph: Snapshot, data: st.DataObject) -> None:
    for store in (embedded, server):
        store.replace(graph, "f")
    for question in QUESTIONS:
        values = question.bind({p.name: data.draw(_value(question, p.name, graph)) for p in question.parameters})
        assert embedded.query(question.cypher, values) == server.query(question.cypher, values), question.name


def _value(question: Question, name: str, graph: Snapshot) -> st.SearchStrategy[object]:
    """Values that have an answer where the graph has one. A blank one is missing."""
    parameter = next(p for p in question.parameters if p.name == name)
    there: dict[str, list[object]] = {
        "concept": [c.id for c in graph.concepts if c.id.strip()],
        "episode": [e.id for e in graph.episodes if e.id.strip()],
        "area": [c.area for c in graph.concepts if c.area.strip()],
        "integer": [1, 2, 50, 2022],
        "string": [
            text[:2]
            for text in (*(link.url for link in graph.links), *(c.name for c in graph.concepts))
            if text[:2].strip()
        ],
    }
    return st.sampled_from(there[parameter.type] or [parameter.example])
