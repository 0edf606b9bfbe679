"""Hundreds of statements, on every engine: what reads is run, all else is refused, a mistake comes with a remedy."""

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest

from tests.cypher_texts import VALUES, more
from tests.stores.graphs import SMALL
from torchatlas.graph.cypher import tokens
from torchatlas.graph.errors import AtlasError, QueryError
from torchatlas.graph.stores.base import Store, open_store
from torchatlas.graph.stores.ladybug import LADYBUG
from torchatlas.graph.stores.neo4j import NEO4J
from torchatlas.graph.stores.worker import CypherStore, Request


def engine(store: Store) -> str:
    """The name of the store's dialect, as the lists of statements know it."""
    scheme = store.address.partition(":")[0]
    return {"ladybug": LADYBUG.engine, "bolt": NEO4J.engine}.get(scheme, scheme)


@pytest.mark.slow
def test_every_reading_form_is_run(asked: Store) -> None:
    for text in more("read", engine(asked)):
        assert asked.query(text, VALUES).columns, text


@pytest.mark.slow
def test_nothing_else_is_and_nothing_is_changed(asked: Store, asking_folder: Path) -> None:
    for text in more("refused", engine(asked)):
        with pytest.raises(QueryError) as caught:
            assert not asked.query(text, VALUES), text
        assert "\n" not in str(caught.value)
    assert not list(asking_folder.iterdir())
    assert asked.snapshot() == SMALL


REMEDIES = [
    ("MATCH (a)-[r:REQUIRES]->(b) RETURN type(r)", "label(r)", ""),
    ("MATCH (a)-[r:REQUIRES]->(b) RETURN label(r)", "", "type(r)"),
    ("MATCH p = shortestPath((a:Concept)-[:REQUIRES*1..9]->(b:Episode)) RETURN p", "* SHORTEST 1..9]", ""),
    ("MATCH p = allShortestPaths((a:Concept)-[:REQUIRES*1..9]->(b:Episode)) RETURN p", "* SHORTEST 1..9]", ""),
    ("MATCH p = (a)-[:REQUIRES* SHORTEST 1..9]->(b:Concept) RETURN p", "", "p = shortestPath("),
    ("MATCH p = (a)-[:REQUIRES* ALL SHORTEST 1..9]->(b:Concept) RETURN p", "", "p = shortestPath("),
    ("MATCH (a:Concept)-[:REQUIRES]->{1,3}(b) RETURN b", "-[:REQUIRES*1..3]->", ""),
    ("MATCH (c:Concept) RETURN [a IN c.aliases | upper(a)]", "list_transform(", ""),
    ("MATCH (c:Concept) RETURN [(c)-[:REQUIRES]->(d) | d.id]", "collect(d.id)", ""),
    ("RETURN list_transform(['a'], x -> upper(x))", "", "[x IN list | toUpper(x)]"),
    ("RETURN toString(1), 'type('", "string(x)", ""),
    ("RETURN string(1)", "", "toString(x)"),
    ("MATCH (c:Concept) WHERE exists(c.name) RETURN c", "IS NOT NULL", "IS NOT NULL"),
    ("MATCH (c:Concept) RETURN c.aliases[0]", "list[1]", ""),
    ("MATCH (c:Concept) RETURN c.title", "it is one of Episode", ""),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "embedded", "server"), REMEDIES)
def test_the_other_dialect_and_a_slip_get_the_form_that_works_here(
    asked: Store, text: str, embedded: str, server: str
) -> None:
    says = {LADYBUG.engine: embedded, NEO4J.engine: server}.get(engine(asked))
    if says is None:
        pytest.skip(f"no remedies are listed for {engine(asked)}")
    if not says:
        assert asked.query(text).columns
        return
    with pytest.raises(QueryError) as caught:
        asked.query(text)
    assert says in str(caught.value) and "\n" not in str(caught.value)


def test_the_session_alone_refuses_to_write(asked: CypherStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked in this process, where the guard and the plan can be left out."""
    monkeypatch.setattr("torchatlas.graph.cypher.check_plan", lambda *_: None)
    text = "CREATE (:Concept {id: 'x'})"
    says = r"(?i)read.only|access mode|administrative|WRITE"

    def ask() -> None:
        with import_module(type(asked).__module__).answering() as answer:
            answer(Request(asked._place(), text, {}, 1, 10.0))

    with ThreadPoolExecutor(1) as apart, pytest.raises(AtlasError, match=says):
        apart.submit(ask).result()  # a browser of other tests may run a loop in this thread
    assert asked.snapshot() == SMALL


def test_the_plan_alone_refuses_what_an_embedded_read_only_engine_runs(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("torchatlas.graph.stores.worker.check_statement", lambda text, _dialect: tokens(text))
    with open_store(f"ladybug:{tmp_path / 'graph.lbug'}") as store:
        store.replace(SMALL, "one")
        with pytest.raises(QueryError, match="COPY_TO"):
            store.query(f"COPY (MATCH (c:Concept) RETURN c.id) TO '{tmp_path / 'out.csv'}'")
    assert not (tmp_path / "out.csv").exists()
