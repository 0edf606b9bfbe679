"""Asking in Cypher: both engines answer alike, neither does more than read."""

from pathlib import Path

import pytest

from graph.errors import QueryError
from graph.questions import parse
from graph.stores import Store
from tests.cypher_texts import ALLOWED, REFUSED
from tests.stores.graphs import SMALL

QUESTIONS = [
    parse(path.read_text("utf-8"), path.stem)
    for path in sorted((Path(__file__).parents[2] / "data" / "questions").glob("*.cypher"))
]
CONCEPTS = "MATCH (c:Concept) RETURN c.id AS id ORDER BY id"


@pytest.fixture
def asked(cypher_store: Store) -> Store:
    cypher_store.replace(SMALL, "one")
    return cypher_store


@pytest.mark.parametrize("text", ALLOWED)
def test_a_reading_query_is_run(asked: Store, text: str) -> None:
    assert asked.query(text).columns


@pytest.mark.parametrize("text", REFUSED)
def test_anything_else_is_refused_and_changes_nothing(asked: Store, text: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(QueryError) as caught:
        asked.query(text)
    assert "\n" not in str(caught.value)
    assert sorted(tmp_path.iterdir()) == before
    assert asked.snapshot() == SMALL


def test_columns_and_rows(asked: Store) -> None:
    table = asked.query(CONCEPTS)
    assert table.columns == ("id",)
    assert table.rows == (("autograd",), ("dispatcher",), ("stride",), ("tensor",))
    assert not table.truncated


@pytest.mark.parametrize(("rows", "truncated"), [(3, True), (4, False), (5, False)])
def test_the_row_cap_says_that_it_cut(asked: Store, rows: int, truncated: bool) -> None:
    table = asked.query(CONCEPTS, rows=rows)
    assert (len(table.rows), table.truncated) == (min(rows, 4), truncated)


def test_parameters_are_values_and_never_text(asked: Store) -> None:
    text = "MATCH (c:Concept) WHERE c.id = $id RETURN c.name AS name"
    assert asked.query(text, {"id": "tensor", "unused": 1}).rows == (("Tensor",),)
    assert asked.query(text, {"id": "x' OR 1=1 //"}).rows == ()
    with pytest.raises(QueryError, match=r"\$id"):
        asked.query(text)


def test_a_query_that_takes_too_long_is_ended(asked: Store) -> None:
    runaway = "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b RETURN sum(a * b) AS s"
    with pytest.raises(QueryError, match=r"more than 0[.]2 seconds"):
        asked.query(runaway, seconds=0.2)


def test_nodes_relationships_and_paths_become_plain_values(asked: Store) -> None:
    text = "MATCH p = (a:Concept {id: 'dispatcher'})-[r:REQUIRES]->(b:Concept) RETURN b, r, p, {n: [b.x]} AS m"
    ((node, edge, path, made),) = asked.query(text).rows
    assert node == {
        "_label": "Concept", "id": "tensor", "name": "Tensor", "area": "Tensors", "definition": "Data with a shape.",
        "aliases": ["array"], "source_paths": ["c10/core/TensorImpl.h"], "x": 3, "y": -4,
    }  # fmt: skip
    assert edge == {
        "_label": "REQUIRES", "need": "hear", "reason": "It moves tensors.", "origin": "curated", "confidence": 1.0,
        "quote": "", "field": "",
    }  # fmt: skip
    assert path["_nodes"][1] == node
    assert path["_relationships"] == [edge | {"_source": "dispatcher", "_target": "tensor"}]
    assert made == {"n": [3]}


def test_numbers_that_json_has_not_become_text(asked: Store) -> None:
    text = "RETURN 1.0 / 0.0 AS a, -1.0 / 0.0 AS b, [0.0 / 0.0] AS c, 0.5 AS d"
    assert asked.query(text).rows == (("Infinity", "-Infinity", ["NaN"], 0.5),)


def test_nulls_are_left_out_of_a_node(asked: Store) -> None:
    (((episode),),) = asked.query("MATCH (e:Episode {number: 2}) RETURN e").rows
    assert "published" not in episode and episode["guests"] == ["A. B."]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("MATCH (c:Concpt) RETURN c", "did you mean Concept"),
        ("MATCH (c:Concept)-[:REQUIRE]->(d) RETURN c", "did you mean REQUIRES"),
        ("MATCH (c:Concept) RETURN c.nam", "did you mean name"),
        ("MATCH (c:Concept RETURN c", "RETURN"),
        ("MATCH (c:Concept) RETURN d.x", "d"),
    ],
)
def test_a_mistake_is_told_in_one_helpful_line(asked: Store, text: str, says: str) -> None:
    with pytest.raises(QueryError, match=says) as caught:
        asked.query(text)
    assert "\n" not in str(caught.value) and "EXPLAIN" not in str(caught.value)


EXPECTED = {
    "before": ({"concept": "autograd"}, [("dispatcher", 1), ("tensor", 2), ("stride", 3)]),
    "bridges": ({"area": "Dispatch", "other": "Tensors"}, [("dispatcher", "Dispatcher")]),
    "foundations": ({"limit": 2}, [("dispatcher", "Dispatcher"), ("stride", "Stride")]),
    "listen-after": ({}, [("On dispatch", "On tensors")]),
    "shared": ({"one": 1, "two": 2}, [("tensor", "Tensor")]),
    "untaught": ({}, [("autograd", "Autograd")]),
    "where-explained": ({"concept": "tensor"}, [("s-1", "On tensors")]),
    "who-cites": ({"part": "example.org"}, [("s-1", "On tensors")]),
}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.name)
def test_a_shipped_question_finds_what_is_there(asked: Store, question) -> None:
    values, expected = EXPECTED[question.name]
    rows = asked.query(question.cypher, question.bind(values)).rows
    assert [row[0] for row in rows] == [first for first, _ in expected]
    assert {second for _, second in expected} == {value for row in rows for value in row} & {s for _, s in expected}
