"""Asking in Cypher, on every engine: they answer alike, none does more than read, and a mistake is one helpful line.

Hostile statements are refused in one line each, nothing read, nothing changed. Reads that look hostile are run.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path

import pytest

from tests import attacks, cypher_texts
from tests.stores.conftest import APOC, CYPHER, driver, one_line
from tests.stores.graphs import SMALL
from torchatlas.graph.cypher import parse, tokens
from torchatlas.graph.errors import AtlasError, QueryError
from torchatlas.graph.stores.base import Store
from torchatlas.graph.stores.ladybug import LADYBUG
from torchatlas.graph.stores.neo4j import NEO4J
from torchatlas.graph.stores.worker import CypherStore, Request

FILES = sorted((Path(__file__).parents[2] / "data" / "questions").glob("*.cypher"))
QUESTIONS = [parse(path.read_text("utf-8"), path.stem) for path in FILES]
ANSWERS = json.loads(Path(__file__).with_name("answers.json").read_text("utf-8"))
"""Of the shipped questions, with values for their parameters, on SMALL."""
DIALECTS = {"ladybug": LADYBUG.engine, "bolt": NEO4J.engine}


def engine(store: Store) -> str:
    """The name of the store's dialect, as the lists of statements know it."""
    scheme = store.address.partition(":")[0]
    return DIALECTS.get(scheme, scheme)


@pytest.mark.parametrize(("cap", "truncated"), [(None, False), (3, True), (4, False), (5, False)])
def test_the_columns_and_rows_are_answered_up_to_a_cap_that_says_that_it_cut(asked: Store, cap, truncated) -> None:
    table = asked.query("MATCH (c:Concept) RETURN c.id AS id ORDER BY id", **({"rows": cap} if cap else {}))
    assert table.columns == ("id",) and table.truncated is truncated
    assert table.rows == (("autograd",), ("dispatcher",), ("stride",), ("tensor",))[:cap]
    made = asked.query("MATCH (a)-[r:REQUIRES]->() RETURN type(r), count(*), count( a ), {b: [1, 2]} LIMIT 1")
    assert made.columns == ("type(r)", "count(*)", "count( a )", "{b: [1, 2]}") and made.rows[0][0] == "REQUIRES"


BY_ID = "MATCH (c:Concept) WHERE c.id = $id RETURN c.name AS name"
VALUES: dict[str, tuple[str, dict[str, object], object]] = {
    "a parameter": (BY_ID, {"id": "tensor", "unused": 1}, ("Tensor",)),
    "in backticks": (
        "RETURN $`set` AS a, $id AS b, $`id` AS c, $`two words` AS d",
        {"set": 2, "id": "x", "two words": [1]},
        (2, "x", "x", [1]),
    ),
    "no numbers of JSON": (
        "RETURN 1.0 / 0.0 AS a, -1.0 / 0.0 AS b, [0.0 / 0.0] AS c, 0.5 AS d",
        {},
        ("Infinity", "-Infinity", ["NaN"], 0.5),
    ),
}


@pytest.mark.parametrize("of", VALUES)
def test_values_go_in_and_come_out_as_what_they_are(asked: Store, of: str) -> None:
    text, values, row = VALUES[of]
    assert asked.query(text, values).rows == (row,)
    assert asked.query(BY_ID, {"id": "x' OR 1=1 //"}).rows == ()  # a value, never text


def test_nodes_relationships_and_paths_become_plain_values(asked: Store) -> None:
    text = "MATCH p = (a:Concept {id: 'dispatcher'})-[r:REQUIRES]->(b:Concept) RETURN b, r, p, {n: [b.x]} AS m"
    ((node, edge, path, made),) = asked.query(text).rows
    assert node == {
        "_label": "Concept", "id": "tensor", "name": "Tensor", "area": "Tensors", "definition": "Data with a shape.",
        "aliases": ["array"], "phrases": [], "in_texts": [], "asked": [], "source_paths": ["c10/core/TensorImpl.h"],
        "x": 3, "y": -4,
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
def test_what_cannot_be_asked_is_one_line_and_the_next_query_runs(asked: Store, text, values, limits, says) -> None:
    with pytest.raises(AtlasError if limits else QueryError, match=says, check=one_line):
        asked.query(text, values, **limits)
    assert asked.query("RETURN $x AS x", {"x": 2**63 - 1}).rows == ((2**63 - 1,),)


@pytest.mark.parametrize(("text", "values", "says"), cypher_texts.BEYOND)
def test_what_python_or_the_engine_cannot_hold_is_told(embedded: Store, text: str, values, says: str, capfd) -> None:
    with embedded, pytest.raises(QueryError, match=says, check=one_line):
        embedded.query(text, values)
    with embedded:
        assert capfd.readouterr().err == ""
        assert embedded.query("RETURN string(timestamp('290000-01-01 00:00:00')) AS x").rows[0][0].startswith("290000")


@pytest.mark.slow
@pytest.mark.parametrize(("text", "embedded", "server"), cypher_texts.REMEDIES)
def test_another_dialect_and_a_slip_get_the_form_that_works(asked: Store, text, embedded: str, server: str) -> None:
    says = {LADYBUG.engine: embedded, NEO4J.engine: server}.get(engine(asked))
    if says is None:
        pytest.skip(f"no remedies are listed for {engine(asked)}")
    if not says:
        assert asked.query(text).columns
        return
    with pytest.raises(QueryError, check=one_line) as caught:
        asked.query(text)
    assert says in str(caught.value) and "EXPLAIN" not in str(caught.value)


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


def test_the_plan_alone_refuses_what_is_no_reading(asked: Store, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("torchatlas.graph.stores.worker.check_statement", lambda text, _dialect: tokens(text))
    if engine(asked) not in cypher_texts.NO_READING:
        pytest.skip(f"no plans are listed for {engine(asked)}")
    for text, step in cypher_texts.NO_READING[engine(asked)].items():
        with pytest.raises(QueryError, match=step, check=one_line):
            asked.query(text.replace("OUT", str(tmp_path / "out.csv")))
    assert not list(tmp_path.iterdir())


def test_the_plan_of_a_read_is_told(asked: Store) -> None:
    table = asked.query("/**/ explain MATCH (c:Concept {id: $id}) RETURN c.name", {"id": "tensor"}, rows=2)
    assert table.columns == ("plan",) and len(table.rows) == 2 and table.truncated
    assert "ProduceResults" in table.rows[0][0] or "RESULT_COLLECTOR" in table.rows[1][0], table.rows
    with pytest.raises(QueryError, match="did you mean Concept"):
        asked.query("EXPLAIN MATCH (c:Concpt) RETURN c")


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.name)
def test_a_shipped_question_finds_what_is_there(asked: Store, question) -> None:
    of = ANSWERS[question.name]
    assert [*map(list, asked.query(question.cypher, question.bind(of["values"])).rows)] == of["rows"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which an engine runs, with a secret; extensions would be kept there."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "secret.csv").write_text(f"{attacks.SECRET}|1\n", "utf-8")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("cypher_store", [*CYPHER, APOC], indirect=True)
def test_what_would_write_read_files_or_call_out_is_refused(cypher_store: Store, home: Path, tmp_path, request) -> None:
    asked = cypher_store
    asked.replace(SMALL, "one")
    asked.query("MATCH (n) RETURN count(n) AS n")
    embedded = engine(asked) == LADYBUG.engine
    fixture = request.node.callspec.params["cypher_store"]
    direct_to = nullcontext() if embedded else driver(request.getfixturevalue(fixture))
    with attacks.canary() as (address, requests), direct_to as direct:
        before = attacks.state(asked, direct, tmp_path)
        for kind, texts in {**attacks.REFUSED, "statements": cypher_texts.texts("refused", engine(asked))}.items():
            for text in texts:
                said, _ = attacks.outcome(asked, attacks.aimed(text, address, home), seconds=10)
                assert said != "answered", f"{kind}: {text}"
                assert "more than 10 seconds" not in said and "Neo4j at" not in said, f"{kind}: {text}: {said}"
        assert attacks.state(asked, direct, tmp_path) == before
        assert requests == []


@pytest.mark.slow
def test_a_read_is_run_however_hostile_it_looks(asked: Store) -> None:
    for text in (*attacks.reads(engine(asked)), *cypher_texts.texts("read", engine(asked))):
        try:
            assert asked.query(text, attacks.GIVEN).columns
        except QueryError as e:
            pytest.fail(f"{text[:200]}: {e}")


def test_the_lists_are_long_have_no_doubles_and_repeat_no_other_list() -> None:
    engines = [NEO4J.engine, LADYBUG.engine]
    refused = [text for texts in attacks.REFUSED.values() for text in texts]
    others = {t for kind in ("read", "refused") for name in engines for t in cypher_texts.texts(kind, name)}
    assert len({*refused}) == len(refused) >= 400 and len({*attacks.BOMBS}) == len(attacks.BOMBS)
    assert not others & {*refused, *attacks.BOMBS, *(text for name in engines for text in attacks.reads(name))}
