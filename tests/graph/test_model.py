"""The graph as a value: what it refuses, its circles, and its tables there and back."""

import pickle
import re

import pytest
from hypothesis import given

from tests.atlas import from_rows
from tests.graph.builds import edges, graph
from tests.strategies import snapshots
from torchatlas.graph import model
from torchatlas.graph.errors import CycleError
from torchatlas.graph.model import TABLES, Concept, Episode, Snapshot, columns_of, from_columns, rows_of

A, B = Concept("a", "A", area="x"), Concept("b", "B", area="x")


@pytest.mark.parametrize(
    ("concepts", "requires", "says"),
    [((A, A), "", "twice"), ((A,), "a b", "points to nothing"), ((A, B), "a b, a b bridge", "twice")],
)
def test_an_impossible_graph_cannot_be_made(concepts: tuple[Concept, ...], requires: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Snapshot(concepts, requires=edges("requires", requires))


def test_graphs_are_equal_whatever_the_order_survive_pickling_and_have_what_is_taught_heaviest_first() -> None:
    one, other = (Snapshot(both, requires=edges("requires", "b a")) for both in ((A, B), (B, A)))
    assert one == other == pickle.loads(pickle.dumps(one))
    taught = graph(teaches=(*edges("teaches", "e ~a"), model.Teaches("e", "b", depth="main", weight=0.9)))
    assert [t.target for t in taught.taught_by["e"]] == ["b", "a"]
    assert [t.source for t in taught.teachers["a"]] == ["e"]


def test_closure_holds_the_start_and_a_circle_is_named_with_its_edges_and_reasons() -> None:
    needs = graph(requires="d c, c a bridge").required_by
    assert (model.closure(needs, ["d"]), model.closure(needs, ["d"], "hear")) == ({"d", "c", "a"}, {"d", "c"})
    circle = "a requires b (hear, curated: so); b requires c (bridge, curated: r); c requires a (hear, curated: r)"
    with pytest.raises(CycleError, match=re.escape(circle)):
        model.check_acyclic(graph(requires="a b: so, b c bridge, c a").requires)


@given(snapshots())
def test_rows_or_columns_and_back_is_the_same_graph(whole: Snapshot) -> None:
    tables = rows_of(whole)
    for name, table in TABLES.items():
        ends = set() if isinstance(table, model.NodeTable) else {"source", "target"}
        assert all(set(row) == ends | {column.name for column in table.columns} for row in tables[name])
    assert from_rows(tables) == from_columns(columns_of(whole)) == whole


def test_columns_of_several_lengths_are_no_table_and_a_missing_property_is_null() -> None:
    found = columns_of(Snapshot((A, B)))["Concept"]
    with pytest.raises(ValueError, match="argument"):
        from_columns({"Concept": {**found, "area": ["x"]}})
    tables = rows_of(Snapshot(episodes=(Episode("e", "E", show="s"),)))
    del tables["Episode"][0]["guid"]
    assert from_rows(tables).episode["e"].guid is None
