from dataclasses import replace

import pytest

from graph.build import joined
from graph.correcting import correct, without
from graph.corrections import DroppedEdge, Merge, NewEdge, Realias, Rename, Split, Topic
from graph.curated import Catalogue, Vocabulary
from graph.evidence import Extraction, Statement
from graph.model import Assumes, Concept, ConceptRelation, Episode, ListenAfter, Requires, Teaches

NAMES = ("autograd", "dispatcher", "functionalization", "vmap")
CONCEPTS = tuple(Concept(n, n, "Area", f"What {n} is.", (f"the {n}",)) for n in NAMES)
VOCABULARY = Vocabulary(
    CONCEPTS,
    (Requires("functionalization", "dispatcher", "hear", "it is a key"), Requires("vmap", "autograd", "bridge", "so")),
    (ConceptRelation("USES", "vmap", "dispatcher", reason="it is a key too"),),
)
ONE, TWO = Episode("show/one", "One", "Show", number=1), Episode("show/two", "Two", "Show", number=2)
CATALOGUE = Catalogue(
    (ONE, TWO),
    (Teaches("show/one", "autograd", "main"), Teaches("show/two", "vmap", "part", 0.5)),
    (Assumes("show/two", "autograd", "silent", 3, "it leans on it"),),
    (ListenAfter("show/two", "show/one", quote="first One"),),
)


def edges(state, *kinds: str) -> set[tuple[str, str, str]]:
    graph = joined(state.vocabulary, state.catalogue, ()).graph
    found = (*graph.requires, *graph.teaches, *graph.assumes, *graph.listen_after, *graph.concept_relations)
    named = ((getattr(e, "kind", None) or e.KIND, e.source, e.target) for e in found)
    return {edge for edge in named if not kinds or edge[0] in kinds}


def test_nothing_to_correct_changes_nothing() -> None:
    state = correct(VOCABULARY, CATALOGUE, ())
    assert (state.vocabulary, state.catalogue, state.problems) == (VOCABULARY, CATALOGUE, {})


def test_two_concepts_become_one_with_all_that_both_had() -> None:
    state = correct(VOCABULARY, CATALOGUE, [Merge("f:1", "vmap", "Autograd")])
    (concept,) = (c for c in state.vocabulary.concepts if c.id == "autograd")
    assert concept.aliases == ("the autograd", "vmap", "the vmap")
    assert "vmap" not in {c.id for c in state.vocabulary.concepts}
    assert edges(state) == {
        ("REQUIRES", "functionalization", "dispatcher"),
        ("USES", "autograd", "dispatcher"),
        ("TEACHES", "show/one", "autograd"),
        ("TEACHES", "show/two", "autograd"),  # and no longer assumes it
        ("LISTEN_AFTER", "show/two", "show/one"),
    }


def test_one_concept_becomes_two() -> None:
    topic = Topic("f:1", Concept("engine", "engine", "Yours", "d"))
    split = Split("f:5", "autograd", "engine", ("the autograd",), episodes=("2",), concepts=("vmap",))
    state = correct(VOCABULARY, CATALOGUE, [split, topic])
    assert state.own == {"engine"}
    assert {c.id: c.aliases for c in state.vocabulary.concepts if c.id in ("autograd", "engine")} == {
        "autograd": (), "engine": ("the autograd",),
    }  # fmt: skip
    assert edges(state, "ASSUMES", "TEACHES", "REQUIRES") == {
        ("ASSUMES", "show/two", "engine"),
        ("TEACHES", "show/one", "autograd"),
        ("TEACHES", "show/two", "vmap"),
        ("REQUIRES", "vmap", "engine"),
        ("REQUIRES", "functionalization", "dispatcher"),
    }


def test_names_change_and_the_old_one_is_still_found() -> None:
    state = correct(VOCABULARY, CATALOGUE, [Rename("f:1", "vmap", "vectorizing map"),
                                            Realias("f:4", "vmap", ("batcher",), ("the vmap",))])  # fmt: skip
    (concept,) = (c for c in state.vocabulary.concepts if c.id == "vmap")
    assert (concept.name, concept.aliases, state.problems) == ("vectorizing map", ("vmap", "batcher"), {})


def test_edges_come_and_go() -> None:
    state = correct(
        VOCABULARY,
        CATALOGUE,
        [
            NewEdge("f:1", "TEACHES", "two", "autograd", "heard it", at=7),
            NewEdge("f:2", "REQUIRES", "autograd", "dispatcher", "so it is", need="hear"),
            DroppedEdge("f:3", "LISTEN_AFTER", "Two", "One"),
            DroppedEdge("f:4", "USES", "vmap", "dispatcher"),
        ],
    )
    assert state.problems == {}
    assert ("TEACHES", "show/two", "autograd") in edges(state)
    assert ("ASSUMES", "show/two", "autograd") not in edges(state)
    assert ("REQUIRES", "autograd", "dispatcher") in edges(state)
    assert not edges(state, "LISTEN_AFTER", "USES")
    assert without(joined(state.vocabulary, state.catalogue, ()).graph, state.dropped)[1] == {}


def test_a_dropped_edge_does_not_come_back_from_a_text_and_may_be_one_that_only_texts_have() -> None:
    statement = Statement("REQUIRES_KNOWING", "autograd", "vmap", "as it is")
    said = Extraction(replace(TWO), "as it is", statements=(statement,))
    drop = DroppedEdge("f:1", "REQUIRES", "autograd", "vmap")
    reverse = DroppedEdge("f:2", "REQUIRES", "vmap", "autograd")
    for corrections, expected in (([reverse], {("autograd", "vmap")}), ([drop, reverse], set())):
        state = correct(VOCABULARY, CATALOGUE, corrections)
        graph, problems = without(joined(state.vocabulary, state.catalogue, [said]).graph, state.dropped)
        assert {(r.source, r.target) for r in graph.requires} - {("functionalization", "dispatcher")} == expected
        assert not problems


@pytest.mark.parametrize(
    ("correction", "problem"),
    [
        (Merge("f:1", "vmaps", "autograd"), "no concept is called 'vmaps'"),
        (Merge("f:1", "the vmap", "vmap"), "are one concept already"),
        (Rename("f:1", "vmap", "the autograd"), "'the autograd' is a name of autograd (autograd) already"),
        (Realias("f:1", "vmap", drop=("vector",)), "vmap has no alias 'vector'"),
        (Topic("f:1", Concept("new", "vmap", "Yours")), "'vmap' is a name of vmap (vmap) already"),
        (NewEdge("f:1", "REQUIRES", "autograd", "vmap", "r"), "circle"),
        (NewEdge("f:1", "REQUIRES", "vmap", "autograd", "r"), "there without it"),
        (NewEdge("f:1", "TEACHES", "7", "autograd", "r"), "no episode is called '7'"),
        (Split("f:1", "vmap", "autograd", ("x",)), "vmap has no alias 'x'"),
    ],
)
def test_what_does_not_apply_is_told_and_changes_nothing(correction, problem: str) -> None:
    state = correct(VOCABULARY, CATALOGUE, [correction])
    assert (state.vocabulary, state.catalogue) == (VOCABULARY, CATALOGUE)
    assert list(state.problems) == ["f:1"]
    assert problem in state.problems["f:1"]


def test_an_edge_that_is_nowhere_cannot_be_dropped() -> None:
    state = correct(VOCABULARY, CATALOGUE, [DroppedEdge("f:1", "MENTIONS", "one", "vmap")])
    _, problems = without(joined(state.vocabulary, state.catalogue, ()).graph, state.dropped)
    assert problems == {"f:1": "there is no such edge"}
