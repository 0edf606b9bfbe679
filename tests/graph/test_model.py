"""The graph as a value: what it refuses, its circles, and its tables there and back."""

import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.atlas import from_rows
from tests.graph.builds import edges, graph
from tests.strategies import snapshots
from torchatlas.graph import model
from torchatlas.graph.errors import CycleError
from torchatlas.graph.model import TABLES, Concept, Episode, Snapshot, columns_of, from_columns, rows_of

A, B = Concept("a", "A", area="x"), Concept("b", "B", area="x")


def test_equal_whatever_the_order() -> None:
    edge = edges("requires", "b a")
    assert Snapshot(concepts=(B, A), requires=edge) == Snapshot(concepts=(A, B), requires=edge)


@pytest.mark.parametrize(
    ("concepts", "requires", "says"),
    [((A, A), "", "twice"), ((A,), "a b", "points to nothing"), ((A, B), "a b, a b bridge", "twice")],
)
def test_an_impossible_graph_cannot_be_made(concepts: tuple[Concept, ...], requires: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Snapshot(concepts, requires=edges("requires", requires))


def test_what_an_episode_teaches_comes_heaviest_first() -> None:
    taught = graph(teaches=(*edges("teaches", "e ~a"), model.Teaches("e", "b", depth="main", weight=0.9)))
    assert [t.target for t in taught.taught_by["e"]] == ["b", "a"]
    assert [t.source for t in taught.teachers["a"]] == ["e"]


def test_a_snapshot_survives_pickling() -> None:
    assert pickle.loads(pickle.dumps(Snapshot((A,)))) == Snapshot((A,))


def test_closure_holds_the_start() -> None:
    needs = graph(requires="d c, c a bridge").required_by
    assert model.closure(needs, ["d"]) == {"d", "c", "a"}
    assert model.closure(needs, ["d"], "hear") == {"d", "c"}


def test_a_circle_is_named_with_its_edges_and_reasons() -> None:
    circle = "a requires b (hear, curated: so); b requires c (bridge, curated: r); c requires a (hear, curated: r)"
    with pytest.raises(CycleError, match=re.escape(circle)):
        model.check_acyclic(graph(requires="a b: so, b c bridge, c a").requires)


@given(snapshots())
def test_rows_or_columns_and_back_is_the_same_graph(whole: Snapshot) -> None:
    assert from_rows(rows_of(whole)) == whole
    assert from_columns(columns_of(whole)) == whole


def test_columns_of_several_lengths_are_no_table() -> None:
    found = columns_of(Snapshot((A, B)))["Concept"]
    with pytest.raises(ValueError, match="argument"):
        from_columns({"Concept": {**found, "area": ["x"]}})


@given(snapshots(), st.sampled_from(sorted(TABLES)))
def test_rows_have_exactly_the_columns_of_their_table(whole: Snapshot, name: str) -> None:
    table = TABLES[name]
    ends = set() if isinstance(table, model.NodeTable) else {"source", "target"}
    for row in rows_of(whole)[name]:
        assert set(row) == ends | {column.name for column in table.columns}


def test_a_column_has_the_type_of_its_field() -> None:
    types = {column.name: column.type for column in TABLES["Episode"].columns}
    assert types["id"] == types["kind"] == types["published"] == types["basis"] == "string"
    assert types["number"] == types["x"] == "integer"
    assert types["questions"] == "strings"
    assert {c.name: c.type for c in TABLES["TEACHES"].columns}["weight"] == "float"


def test_each_relation_of_concepts_is_a_type_of_its_own() -> None:
    uses = model.ConceptRelation("a", "b", kind="USES", episode="e")
    rows = rows_of(graph("", "e", concept_relations=(uses, *edges("concept_relations", "a PART_OF b"))))
    assert [row["episode"] for row in rows["USES"]] == ["e"]
    assert [row["episode"] for row in rows["PART_OF"]] == [None]
    assert "kind" not in rows["USES"][0]


def test_a_property_that_an_engine_left_out_is_null() -> None:
    tables = rows_of(Snapshot(episodes=(Episode("e", "E", show="s"),)))
    tables["Episode"] = [{k: v for k, v in row.items() if v is not None} for row in tables["Episode"]]
    assert from_rows(tables).episode["e"].guid is None
