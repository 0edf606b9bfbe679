import pickle

import pytest

from torchatlas.graph.values.model import Concept, ConceptRelation, Episode, Requires, Snapshot, Teaches

A, B = Concept("a", "A", "x"), Concept("b", "B", "x")


def test_equal_whatever_the_order() -> None:
    edge = Requires("b", "a", "hear", "because")
    assert Snapshot(concepts=(B, A), requires=(edge,)) == Snapshot(concepts=(A, B), requires=(edge,))


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"concepts": (A, A)}, "twice"),
        ({"concepts": (A,), "requires": (Requires("a", "b", "hear", ""),)}, "points to nothing"),
        ({"concepts": (A, B), "requires": (Requires("a", "b", "hear", ""), Requires("a", "b", "bridge", ""))}, "twice"),
    ],
)
def test_an_impossible_graph_cannot_be_made(bad: dict[str, tuple[object, ...]], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Snapshot(**bad)  # type: ignore[arg-type]


def test_relations_of_two_kinds_may_join_the_same_concepts() -> None:
    two = (ConceptRelation("USES", "a", "b"), ConceptRelation("PART_OF", "a", "b"))
    assert len(Snapshot(concepts=(A, B), concept_relations=two).concept_relations) == 2


def test_what_an_episode_teaches_comes_heaviest_first() -> None:
    edges = (Teaches("e", "a", "part", 0.4), Teaches("e", "b", "main", 0.9))
    graph = Snapshot(concepts=(A, B), episodes=(Episode("e", "E", "show"),), teaches=edges)
    assert [t.target for t in graph.taught_by["e"]] == ["b", "a"]
    assert graph.teachers["a"] == (edges[0],)


def test_a_snapshot_survives_pickling() -> None:
    graph = Snapshot(concepts=(A,))
    assert pickle.loads(pickle.dumps(graph)) == graph
