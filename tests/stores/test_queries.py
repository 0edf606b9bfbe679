"""Asking in Cypher: all engines answer alike, and none does more than read."""

from pathlib import Path

import pytest

from tests.cypher_texts import ALLOWED, REFUSED
from tests.stores.graphs import SMALL
from torchatlas.graph.cypher import parse
from torchatlas.graph.errors import QueryError
from torchatlas.graph.stores.base import Store

QUESTIONS = [
    parse(path.read_text("utf-8"), path.stem)
    for path in sorted((Path(__file__).parents[2] / "data" / "questions").glob("*.cypher"))
]
CONCEPTS = "MATCH (c:Concept) RETURN c.id AS id ORDER BY id"


@pytest.mark.slow
@pytest.mark.parametrize("text", ALLOWED)
def test_a_reading_query_is_run(asked: Store, text: str) -> None:
    assert asked.query(text).columns


@pytest.mark.slow
@pytest.mark.parametrize("text", REFUSED)
def test_anything_else_is_refused_and_changes_nothing(asked: Store, text: str, asking_folder: Path) -> None:
    with pytest.raises(QueryError) as caught:
        asked.query(text)
    assert "\n" not in str(caught.value)
    assert not list(asking_folder.iterdir())
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
        "aliases": ["array"], "phrases": [], "in_texts": [], "source_paths": ["c10/core/TensorImpl.h"], "x": 3, "y": -4,
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


@pytest.mark.slow
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


EXPECTED: dict[str, tuple[dict[str, object], list[tuple[object, ...]]]] = {
    "after": (
        {"concept": "stride"},
        [
            ("tensor", "Tensor", "Tensors", 1),
            ("dispatcher", "Dispatcher", "Dispatch", 2),
            ("autograd", "Autograd", "Autograd", 3),
        ],
    ),
    "alternatives": ({}, [("Autograd", "Stride", "for the test", "curated")]),
    "answers": ({"words": "WHY"}, [("s-1", "On tensors", "Why?")]),
    "area": ({"area": "Tensors"}, [("s-1", 1, "On tensors", 1)]),
    "before": (
        {"concept": "autograd"},
        [
            ("dispatcher", "Dispatcher", 1, 'Picks a kernel; says "it\'s" \\ mine.'),
            ("tensor", "Tensor", 2, "Data with a shape."),
            ("stride", "Stride", 3, "Steps in memory."),
        ],
    ),
    "beginnings": ({"limit": 9}, [("s-1", "On tensors", 17, 1, 0)]),
    "bridges": ({"area": "Dispatch", "other": "Tensors"}, [("dispatcher", "Dispatcher", 1)]),
    "chain": (
        {"concept": "autograd", "needed": "stride"},
        [
            ("Autograd", "Dispatcher", "It is a key.", 3, 0),
            ("Dispatcher", "Tensor", "It moves tensors.", 3, 1),
            ("Tensor", "Stride", "Strides are in it.", 3, 2),
        ],
    ),
    "changed-since": ({"year": "2022"}, [("s-1", "2021-05-01", "On tensors", "It has moved.")]),
    "fits": ({"minutes": 17, "area": "Tensors"}, [("s-1", "On tensors", 17)]),
    "foundations": ({"limit": 2}, [("dispatcher", "Dispatcher", "Dispatch", 1), ("stride", "Stride", "Tensors", 1)]),
    "guests": ({}, [("A. B.", 2, "On dispatch")]),
    "listen-after": ({}, [("On dispatch", "On tensors", "declared", "hear the other one first")]),
    "named": ({"concept": "autograd"}, [("s-1", "On tensors", 2, "summary", "autograd")]),
    "nearest": ({"episode": "s-1"}, [("s-2", "On dispatch", 0.75, ["both lean on tensor", "one show"])]),
    "parts": ({"concept": "tensor"}, [("stride", "Stride", "Steps in memory.", 0)]),
    "pipeline": ({}, [("Autograd", "Dispatcher", "its key comes first")]),
    "reading": ({"concept": "tensor"}, [("docs", "https://example.org/x", "the notes", "On tensors")]),
    "refers-to": ({"episode": "s-2"}, [("s-1", "On tensors", "announces", None)]),
    "shared": ({"one": "s-1", "two": "s-2"}, [("tensor", "Tensor", "Tensors")]),
    "source-tree": ({"path": "c10/core"}, [("tensor", "Tensor", "c10/core/TensorImpl.h", 1)]),
    "superseded": ({}, [("Stride", "Tensor", "so it is here", 1)]),
    "taken-for-granted": ({"limit": 9}, [("autograd", "Autograd", 1, 0), ("tensor", "Tensor", 1, 1)]),
    "untaught": ({}, [("autograd", "Autograd", 1)]),
    "where-explained": ({"concept": "tensor"}, [("s-1", "On tensors", "main", 1.0, 30)]),
    "who-cites": ({"part": "example.org"}, [("s-1", "On tensors", "https://example.org/x", "the notes")]),
    "worth-an-episode": ({"concept": "autograd"}, [("dispatcher", "Dispatcher", "It is a key.", "On dispatch", None)]),
}


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.name)
def test_a_shipped_question_finds_what_is_there(asked: Store, question) -> None:
    values, expected = EXPECTED[question.name]
    assert list(asked.query(question.cypher, question.bind(values)).rows) == expected
