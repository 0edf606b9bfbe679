import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.atlas import from_rows
from tests.strategies import snapshots
from torchatlas.graph.model import (
    TABLES,
    Concept,
    ConceptRelation,
    Episode,
    NodeTable,
    Snapshot,
    columns_of,
    from_columns,
    rows_of,
    values_of,
)


@given(snapshots())
def test_rows_and_back_is_the_same_graph(graph: Snapshot) -> None:
    assert from_rows(rows_of(graph)) == graph


@given(snapshots())
def test_columns_and_back_is_the_same_graph(graph: Snapshot) -> None:
    assert from_columns(columns_of(graph)) == graph


def test_columns_of_several_lengths_are_no_table() -> None:
    found = columns_of(Snapshot((Concept("a", "A", area="x"), Concept("b", "B", area="x"))))["Concept"]
    with pytest.raises(ValueError, match="Concept"):
        values_of("Concept", {**found, "area": ["x"]})


@given(snapshots(), st.sampled_from(sorted(TABLES)))
def test_rows_have_exactly_the_columns_of_their_table(graph: Snapshot, name: str) -> None:
    table = TABLES[name]
    ends = set() if isinstance(table, NodeTable) else {"source", "target"}
    for row in rows_of(graph)[name]:
        assert set(row) == ends | {column.name for column in table.columns}


def test_a_column_has_the_type_of_its_field() -> None:
    types = {column.name: column.type for column in TABLES["Episode"].columns}
    assert types["id"] == types["kind"] == types["published"] == types["basis"] == "string"
    assert types["number"] == types["x"] == "integer"
    assert types["questions"] == "strings"
    assert {c.name: c.type for c in TABLES["TEACHES"].columns}["weight"] == "float"


def test_each_relation_of_concepts_is_a_type_of_its_own() -> None:
    graph = Snapshot(
        (Concept("a", "A", area="x"), Concept("b", "B", area="x")),
        (Episode("e", "E", show="s"),),
        concept_relations=(
            ConceptRelation("a", "b", kind="USES", episode="e"),
            ConceptRelation("a", "b", kind="PART_OF"),
        ),
    )
    rows = rows_of(graph)
    assert [row["episode"] for row in rows["USES"]] == ["e"]
    assert [row["episode"] for row in rows["PART_OF"]] == [None]
    assert "kind" not in rows["USES"][0]


def test_a_property_that_an_engine_left_out_is_null() -> None:
    tables = rows_of(Snapshot(episodes=(Episode("e", "E", show="s"),)))
    tables["Episode"] = [{k: v for k, v in row.items() if v is not None} for row in tables["Episode"]]
    assert from_rows(tables).episode["e"].guid is None
