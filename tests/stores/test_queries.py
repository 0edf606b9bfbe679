"""Asking in Cypher, on every engine: they answer alike, none does more than read, and a mistake is one helpful line."""

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.stores.graphs import SMALL
from tests.stores.test_attacks import engine
from torchatlas.graph.cypher import parse, tokens
from torchatlas.graph.errors import AtlasError, QueryError
from torchatlas.graph.stores.base import Store
from torchatlas.graph.stores.ladybug import LADYBUG
from torchatlas.graph.stores.neo4j import NEO4J
from torchatlas.graph.stores.worker import CypherStore, Request

QUESTIONS = [
    parse(path.read_text("utf-8"), path.stem)
    for path in sorted((Path(__file__).parents[2] / "data" / "questions").glob("*.cypher"))
]


@pytest.mark.parametrize(("cap", "truncated"), [(None, False), (3, True), (4, False), (5, False)])
def test_the_columns_and_rows_are_answered_up_to_a_cap_that_says_that_it_cut(
    asked: Store, cap: int | None, truncated: bool
) -> None:
    table = asked.query("MATCH (c:Concept) RETURN c.id AS id ORDER BY id", **({"rows": cap} if cap else {}))
    assert table.columns == ("id",) and table.truncated is truncated
    assert table.rows == (("autograd",), ("dispatcher",), ("stride",), ("tensor",))[:cap]


BY_ID = "MATCH (c:Concept) WHERE c.id = $id RETURN c.name AS name"
IN_BACKTICKS = "RETURN $`set` AS a, $id AS b, $`id` AS c, $`two words` AS d"


@pytest.mark.parametrize(
    ("text", "values", "rows"),
    [
        (BY_ID, {"id": "tensor", "unused": 1}, (("Tensor",),)),
        (BY_ID, {"id": "x' OR 1=1 //"}, ()),  # a value, never text
        (IN_BACKTICKS, {"set": 2, "id": "x", "two words": [1]}, ((2, "x", "x", [1]),)),
        (
            "RETURN 1.0 / 0.0 AS a, -1.0 / 0.0 AS b, [0.0 / 0.0] AS c, 0.5 AS d",
            {},
            (("Infinity", "-Infinity", ["NaN"], 0.5),),
        ),
    ],
    ids=["parameter", "no text", "in backticks", "no numbers of JSON"],
)
def test_values_go_in_and_come_out_as_what_they_are(asked: Store, text: str, values: Any, rows: Any) -> None:
    assert asked.query(text, values).rows == rows


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
    (((episode),),) = asked.query("MATCH (e:Episode {number: 2}) RETURN e").rows
    assert "published" not in episode and episode["guests"] == ["A. B."]  # nulls are left out


X, RUNAWAY = "RETURN 1 AS x", "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b RETURN sum(a * b) AS s"
LIMITED = r"the limit of seconds must be at (most 86400|least 0.001)"


@pytest.mark.parametrize(
    ("text", "values", "limits", "says"),
    [
        (BY_ID, {}, {}, r"\$id"),
        *(
            ("RETURN $x AS x", {"x": value}, {}, r"\$x")
            for value in (2**63, -(2**63) - 1, "\ud800", ["a\udfff"], {"a": 10**5000}, object())
        ),
        *((X, {}, {name: v}, f"limit of {name} must be at") for name in ("rows", "seconds") for v in (0, -1, 10**400)),
        *((X, {}, {"seconds": seconds}, LIMITED) for seconds in (float("nan"), float("inf"), 1e300)),
        (RUNAWAY, {}, {"seconds": 0.2}, r"more than 0[.]2 seconds"),
        ("RETURN '\ud83d' AS x", {}, {}, "lone surrogate at character 9"),
    ],
)
def test_what_cannot_be_asked_is_one_line_and_the_next_query_runs(
    asked: Store, text: str, values: dict[str, object], limits: Any, says: str
) -> None:
    with pytest.raises(AtlasError if limits else QueryError, match=says) as caught:
        asked.query(text, values, **limits)
    assert "\n" not in str(caught.value)
    assert asked.query("RETURN $x AS x", {"x": 2**63 - 1}).rows == ((2**63 - 1,),)


@pytest.mark.parametrize(
    ("text", "values", "says"),
    [
        ("RETURN $x AS x", {"x": [1, "a"]}, "whose values are all of one type"),
        (r"RETURN '\ud83d\ude00' AS x", {}, "a lone surrogate, which cannot be shown; write the character itself"),
        ("RETURN interval('178956970 years') AS x", {}, r"a value cannot be shown as it is .*string\(x\)"),
        ("RETURN map([[1]], ['a']) AS x", {}, r"a value cannot be shown as it is .*string\(x\)"),
        ("RETURN timestamp('290000-01-01 00:00:00') AS x", {}, "a date after the year 9999: return it as text"),
        ("RETURN date('290000-01-01') AS x", {}, "a date after the year 9999: return it as text"),
    ],
)
def test_what_python_or_the_engine_cannot_hold_is_told_and_the_next_query_runs(
    embedded: Store, text: str, values: dict[str, object], says: str, capfd
) -> None:
    with embedded, pytest.raises(QueryError, match=says) as caught:
        embedded.query(text, values)
    assert "\n" not in str(caught.value) and capfd.readouterr().err == ""
    with embedded:
        assert embedded.query("RETURN string(timestamp('290000-01-01 00:00:00')) AS x").rows[0][0].startswith("290000")


REMEDIES = [  # what the embedded engine and what the server says of it; where that is "", it is run
    ("MATCH (a)-[r:REQUIRES]->(b) RETURN type(r)", "label(r)", ""),
    ("MATCH (a)-[r:REQUIRES]->(b) RETURN label(r)", "", "type(r)"),
    ("MATCH p = shortestPath((a:Concept)-[:REQUIRES*1..9]->(b:Episode)) RETURN p", "* SHORTEST 1..9]", ""),
    ("MATCH p = allShortestPaths((a:Concept)-[:REQUIRES*1..9]->(b:Episode)) RETURN p", "* SHORTEST 1..9]", ""),
    ("MATCH p = (a)-[:REQUIRES* SHORTEST 1..9]->(b:Concept) RETURN p", "", "p = shortestPath("),
    ("MATCH p = (a)-[:REQUIRES* ALL SHORTEST 1..9]->(b:Concept) RETURN p", "", "p = shortestPath("),
    ("MATCH (a:Concept)-[:REQUIRES]->{1,3}(b) RETURN b", "-[:REQUIRES*1..3]->", ""),
    ("MATCH (c:Concept) RETURN [a IN c.aliases | upper(a)]", "list_transform(", ""),
    ("RETURN toString(1), 'type('", "string(x)", ""),
    ("RETURN string(1)", "", "toString(x)"),
    ("MATCH (c:Concept) RETURN c.title", "it is one of Episode", ""),
    ("MATCH (c:Concpt) RETURN c", "did you mean Concept", "did you mean Concept"),
    ("MATCH (c:Concept)-[:REQUIRE]->(d) RETURN c", "did you mean REQUIRES", "did you mean REQUIRES"),
    ("MATCH (c:Concept) RETURN c.nam", "did you mean name", "did you mean name"),
    ("MATCH (c:Concept RETURN c", "RETURN", "RETURN"),
    ("MATCH (c:Concept) RETURN d.x", "d", "d"),
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
    line = str(caught.value)
    assert says in line and "\n" not in line and "EXPLAIN" not in line


def test_the_session_alone_refuses_to_write(asked: CypherStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked in this process, where the guard and the plan can be left out."""
    monkeypatch.setattr("torchatlas.graph.cypher.check_plan", lambda *_: None)
    says = r"(?i)read.only|access mode|administrative|WRITE"

    def ask() -> None:
        with import_module(type(asked).__module__).answering() as answer:
            answer(Request(asked._place(), "CREATE (:Concept {id: 'x'})", {}, 1, 10.0))

    with ThreadPoolExecutor(1) as apart, pytest.raises(AtlasError, match=says):
        apart.submit(ask).result()  # a browser of other tests may run a loop in this thread
    assert asked.snapshot() == SMALL


NO_READING = {
    LADYBUG.engine: {"COPY (MATCH (c:Concept) RETURN c.id) TO 'OUT'": "COPY_TO"},
    NEO4J.engine: {
        "SHOW SETTINGS": "ShowSettings",
        "SHOW TRANSACTIONS": "ShowTransactions",
        "SHOW USERS": "administration",
        "LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line": "LoadCSV",
        "TERMINATE TRANSACTION 'x'": "TerminateTransactions",
        "CREATE (:X)": "write",
        "CREATE INDEX FOR (c:Concept) ON (c.area)": "administration",
        "MATCH (c:Concept) CALL (c) { SET c.x = 1 } IN TRANSACTIONS": "write",
    },
}


def test_the_plan_alone_refuses_what_is_no_reading(asked: Store, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("torchatlas.graph.stores.worker.check_statement", lambda text, _dialect: tokens(text))
    if engine(asked) not in NO_READING:
        pytest.skip(f"no plans are listed for {engine(asked)}")
    for text, step in NO_READING[engine(asked)].items():
        with pytest.raises(QueryError, match=step) as caught:
            asked.query(text.replace("OUT", str(tmp_path / "out.csv")))
        assert "\n" not in str(caught.value), text
    assert not list(tmp_path.iterdir())


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
