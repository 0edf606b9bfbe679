"""The graph as a value: what it refuses, its circles, and its tables there and back."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.atlas import from_rows
from tests.strategies import snapshots
from torchatlas.graph.errors import CycleError
from torchatlas.graph.model import (
    TABLES,
    Concept,
    ConceptRelation,
    Episode,
    Need,
    NodeTable,
    Requires,
    Snapshot,
    Teaches,
    check_acyclic,
    closure,
    columns_of,
    from_columns,
    rows_of,
)

A, B = Concept("a", "A", area="x"), Concept("b", "B", area="x")


def test_equal_whatever_the_order() -> None:
    edge = Requires("b", "a", need="hear", reason="because")
    assert Snapshot(concepts=(B, A), requires=(edge,)) == Snapshot(concepts=(A, B), requires=(edge,))


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"concepts": (A, A)}, "twice"),
        ({"concepts": (A,), "requires": (Requires("a", "b", need="hear", reason=""),)}, "points to nothing"),
        (
            {
                "concepts": (A, B),
                "requires": (Requires("a", "b", need="hear", reason=""), Requires("a", "b", need="bridge", reason="")),
            },
            "twice",
        ),
    ],
)
def test_an_impossible_graph_cannot_be_made(bad: dict[str, tuple[object, ...]], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Snapshot(**bad)  # type: ignore[arg-type]


def test_relations_of_two_kinds_may_join_the_same_concepts() -> None:
    two = (ConceptRelation("a", "b", kind="USES"), ConceptRelation("a", "b", kind="PART_OF"))
    assert len(Snapshot(concepts=(A, B), concept_relations=two).concept_relations) == 2


def test_what_an_episode_teaches_comes_heaviest_first() -> None:
    edges = (Teaches("e", "a", depth="part", weight=0.4), Teaches("e", "b", depth="main", weight=0.9))
    graph = Snapshot(concepts=(A, B), episodes=(Episode("e", "E", show="show"),), teaches=edges)
    assert [t.target for t in graph.taught_by["e"]] == ["b", "a"]
    assert graph.teachers["a"] == (edges[0],)


def test_a_snapshot_survives_pickling() -> None:
    graph = Snapshot(concepts=(A,))
    assert pickle.loads(pickle.dumps(graph)) == graph


def graph(**edges: tuple[str, ...]) -> Snapshot:
    """`a=("b", "~c")`: a requires b to be heard, and c in a sentence."""
    names = sorted({*edges, *(t.strip("~") for ts in edges.values() for t in ts)})
    return Snapshot(
        tuple(Concept(n, n.upper(), area="A") for n in names),
        requires=tuple(edge(s, t) for s, ts in edges.items() for t in ts),
    )


def edge(source: str, target: str) -> Requires:
    need: Need = "bridge" if target.startswith("~") else "hear"
    return Requires(source, target.strip("~"), need=need, reason=f"{source} builds on it")


def test_closure_holds_the_start() -> None:
    g = graph(d=("c",), c=("~a",))
    assert closure(g.required_by, ["d"]) == {"d", "c", "a"}
    assert closure(g.required_by, ["d"], "hear") == {"d", "c"}


def test_a_circle_is_named_with_its_edges_and_reasons() -> None:
    g = graph(a=("b",), b=("~c",), c=("a",))
    edge = r"{0} requires {1} \({2}, curated: {0} builds on it\)"
    circle = "; ".join(edge.format(*e) for e in (("a", "b", "hear"), ("b", "c", "bridge"), ("c", "a", "hear")))
    with pytest.raises(CycleError, match=circle):
        check_acyclic(g.requires)


@given(snapshots())
def test_rows_and_back_is_the_same_graph(graph: Snapshot) -> None:
    assert from_rows(rows_of(graph)) == graph


@given(snapshots())
def test_columns_and_back_is_the_same_graph(graph: Snapshot) -> None:
    assert from_columns(columns_of(graph)) == graph


def test_columns_of_several_lengths_are_no_table() -> None:
    found = columns_of(Snapshot((Concept("a", "A", area="x"), Concept("b", "B", area="x"))))["Concept"]
    with pytest.raises(ValueError, match="Concept"):
        from_columns({"Concept": {**found, "area": ["x"]}})


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
