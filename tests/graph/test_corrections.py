from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.graph import corrections as corrected
from torchatlas.graph.build import join_graph
from torchatlas.graph.corrections import (
    AddedKind,
    Corrected,
    Correction,
    DroppedEdge,
    Merge,
    NewEdge,
    Realias,
    Rename,
    Split,
    Topic,
    with_episodes,
    without,
)
from torchatlas.graph.findings import Catalogue, Extraction, Statement, Vocabulary
from torchatlas.graph.model import (
    Assumes,
    Concept,
    ConceptRelation,
    Episode,
    ListenAfter,
    Need,
    Requires,
    Teaches,
)
from torchatlas.graph.names import spelling

NAMES = ("autograd", "dispatcher", "functionalization", "vmap")
CONCEPTS = tuple(Concept(n, n, area="Area", definition=f"What {n} is.", aliases=(f"the {n}",)) for n in NAMES)
VOCABULARY = Vocabulary(
    CONCEPTS,
    (
        Requires("functionalization", "dispatcher", need="hear", reason="it is a key"),
        Requires("vmap", "autograd", need="bridge", reason="so"),
    ),
    relations=(ConceptRelation("vmap", "dispatcher", kind="USES", reason="it is a key too"),),
)
ONE, TWO = Episode("show/one", "One", show="Show", number=1), Episode("show/two", "Two", show="Show", number=2)
CATALOGUE = Catalogue(
    (ONE, TWO),
    (Teaches("show/one", "autograd", depth="main", at=1), Teaches("show/two", "vmap", depth="part", weight=0.5, at=2)),
    assumes=(Assumes("show/two", "autograd", how="silent", at=3, why="it leans on it"),),
    listen_after=(ListenAfter("show/two", "show/one", quote="first One"),),
)


def correct(vocabulary: Vocabulary, catalogue: Catalogue, corrections: Iterable[Correction]) -> Corrected:
    """Both parts of a correction, on a map that has the episodes of the catalogue alone."""
    return with_episodes(corrected.correct(vocabulary, catalogue, corrections), catalogue.episodes)


def edges(corrected, *kinds: str) -> set[tuple[str, str, str]]:
    graph = join_graph(corrected.vocabulary, corrected.catalogue, ()).graph
    found = (*graph.requires, *graph.teaches, *graph.assumes, *graph.listen_after, *graph.concept_relations)
    named = ((e.kind, e.source, e.target) for e in found)
    return {edge for edge in named if not kinds or edge[0] in kinds}


def test_nothing_to_correct_changes_nothing() -> None:
    corrected = correct(VOCABULARY, CATALOGUE, ())
    assert (corrected.vocabulary, corrected.catalogue, corrected.problems) == (VOCABULARY, CATALOGUE, {})


def test_two_concepts_become_one_with_all_that_both_had() -> None:
    corrected = correct(VOCABULARY, CATALOGUE, [Merge("f:1", "vmap", into="Autograd")])
    (concept,) = (c for c in corrected.vocabulary.concepts if c.id == "autograd")
    assert concept.aliases == ("the autograd", "vmap", "the vmap")
    assert "vmap" not in {c.id for c in corrected.vocabulary.concepts}
    assert edges(corrected) == {
        ("REQUIRES", "functionalization", "dispatcher"),
        ("USES", "autograd", "dispatcher"),
        ("TEACHES", "show/one", "autograd"),
        ("TEACHES", "show/two", "autograd"),  # and no longer assumes it
        ("LISTEN_AFTER", "show/two", "show/one"),
    }


def test_of_two_edges_that_become_one_the_heavier_stays_and_else_the_one_that_was_there() -> None:
    main = Teaches("show/two", "dispatcher", depth="main", at=5)
    there = Requires("dispatcher", "autograd", need="hear", reason="it was there")
    vocabulary = replace(VOCABULARY, requires=(*VOCABULARY.requires, there))
    catalogue = replace(CATALOGUE, teaches=(*CATALOGUE.teaches, main))
    corrected = correct(vocabulary, catalogue, [Merge("f:1", "vmap", into="dispatcher")])
    assert main in corrected.catalogue.teaches and len(corrected.catalogue.teaches) == 2
    assert there in corrected.vocabulary.requires and len(corrected.vocabulary.requires) == 2


def test_one_concept_becomes_two() -> None:
    topic = Topic("f:1", Concept("engine", "engine", area="Yours", definition="d"))
    split = Split("f:5", "autograd", into="engine", aliases=("the autograd",), episodes=("2",), concepts=("vmap",))
    corrected = correct(VOCABULARY, CATALOGUE, [split, topic])
    assert corrected.own == {"engine"}
    assert {c.id: c.aliases for c in corrected.vocabulary.concepts if c.id in ("autograd", "engine")} == {
        "autograd": (), "engine": ("the autograd",),
    }  # fmt: skip
    assert edges(corrected, "ASSUMES", "TEACHES", "REQUIRES") == {
        ("ASSUMES", "show/two", "engine"),
        ("TEACHES", "show/one", "autograd"),
        ("TEACHES", "show/two", "vmap"),
        ("REQUIRES", "vmap", "engine"),
        ("REQUIRES", "functionalization", "dispatcher"),
    }


def test_names_change_and_the_old_one_is_still_found() -> None:
    corrected = correct(VOCABULARY, CATALOGUE, [Rename("f:1", "vmap", name="vectorizing map"),
                                            Realias("f:4", "vmap", add=("batcher",), drop=("the vmap",))])  # fmt: skip
    (concept,) = (c for c in corrected.vocabulary.concepts if c.id == "vmap")
    assert (concept.name, concept.aliases, corrected.problems) == ("vectorizing map", ("vmap", "batcher"), {})


def test_words_in_texts_go_where_names_go() -> None:
    hook, engine = (Concept(n, n, area="Area", definition="d", in_texts=(f"{n}s",)) for n in ("hook", "engine"))
    vocabulary = Vocabulary((hook, engine))

    def after(*corrections: Correction) -> dict[str, tuple[tuple[str, ...], ...]]:
        corrected = correct(vocabulary, Catalogue(), corrections)
        assert corrected.problems == {}
        return {c.id: (c.aliases, c.in_texts) for c in corrected.vocabulary.concepts}

    assert after(Merge("f:1", "hook", into="engine")) == {"engine": (("hook",), ("engines", "hooks"))}
    assert after(Realias("f:1", "hook", drop=("hooks",)))["hook"] == ((), ())
    assert after(Split("f:1", "hook", into="engine", aliases=("hooks",))) == {
        "hook": ((), ()), "engine": (("hooks",), ("engines",)),
    }  # fmt: skip


def test_edges_come_and_go() -> None:
    corrected = correct(
        VOCABULARY,
        CATALOGUE,
        [
            NewEdge("f:1", "TEACHES", source="two", target="autograd", reason="heard it", at=7),
            NewEdge("f:2", "REQUIRES", source="autograd", target="dispatcher", reason="so it is", need="hear"),
            DroppedEdge("f:3", "LISTEN_AFTER", source="Two", target="One"),
            DroppedEdge("f:4", "USES", source="vmap", target="dispatcher"),
        ],
    )
    assert corrected.problems == {}
    assert ("TEACHES", "show/two", "autograd") in edges(corrected)
    assert ("ASSUMES", "show/two", "autograd") not in edges(corrected)
    assert ("REQUIRES", "autograd", "dispatcher") in edges(corrected)
    assert not edges(corrected, "LISTEN_AFTER", "USES")
    assert without(join_graph(corrected.vocabulary, corrected.catalogue, ()).graph, corrected.dropped)[1] == {}


def test_a_dropped_edge_does_not_come_back_from_a_text_and_may_be_one_that_only_texts_have() -> None:
    statement = Statement("USES", "dispatcher", object="vmap", quote="as it is")
    said = Extraction(replace(TWO), "as it is", statements=(statement,))
    drop = DroppedEdge("f:1", "USES", source="dispatcher", target="vmap")
    reverse = DroppedEdge("f:2", "USES", source="vmap", target="dispatcher")
    for corrections, expected in (([reverse], {("dispatcher", "vmap")}), ([drop, reverse], set())):
        corrected = correct(VOCABULARY, CATALOGUE, corrections)
        graph, problems = without(
            join_graph(corrected.vocabulary, corrected.catalogue, [said]).graph, corrected.dropped
        )
        assert {(r.source, r.target) for r in graph.concept_relations if r.origin == "stated"} == expected
        assert not problems


def test_an_edge_is_turned_round_or_gets_another_reason() -> None:
    corrected = correct(
        VOCABULARY,
        CATALOGUE,
        [
            NewEdge("f:1", "REQUIRES", source="dispatcher", target="functionalization", reason="it is so"),
            DroppedEdge("f:2", "REQUIRES", source="functionalization", target="dispatcher"),
            NewEdge("f:3", "USES", source="dispatcher", target="vmap", reason="it is so"),
            DroppedEdge("f:4", "USES", source="vmap", target="dispatcher"),
            NewEdge(
                "f:5",
                "REQUIRES",
                source="vmap",
                target="autograd",
                reason="without it nothing is understood",
                need="hear",
            ),
            DroppedEdge("f:6", "REQUIRES", source="vmap", target="autograd"),
        ],
    )
    graph, problems = without(join_graph(corrected.vocabulary, corrected.catalogue, ()).graph, corrected.dropped)
    assert corrected.problems == problems == {}
    assert [(r.source, r.target, r.need) for r in graph.requires] == [
        ("dispatcher", "functionalization", "bridge"),
        ("vmap", "autograd", "hear"),
    ]
    assert [(r.source, r.target) for r in graph.concept_relations] == [("dispatcher", "vmap")]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_merges_run_on_in_any_order_and_edges_follow_them(order: tuple[int, ...]) -> None:
    merges = [
        Merge("f:1", "vmap", into="functionalization"),
        Merge("f:2", "functionalization", into="dispatcher"),
        Topic("f:3", Concept("batching", "batching", area="Yours")),
    ]
    edges_of_it = [
        NewEdge("f:4", "REQUIRES", source="vmap", target="batching", reason="so"),
        DroppedEdge("f:5", "REQUIRES", source="the vmap", target="autograd"),
    ]
    corrected = correct(VOCABULARY, CATALOGUE, [*edges_of_it, *(merges[i] for i in order)])
    assert corrected.problems == {}
    assert {c.id for c in corrected.vocabulary.concepts} == {"autograd", "dispatcher", "batching"}
    assert edges(corrected, "REQUIRES", "USES") == {("REQUIRES", "dispatcher", "batching")}


NAMED = st.sampled_from([*NAMES, "the vmap", "the autograd", "a", "b", "nobody"])
HEARD = st.sampled_from(["one", "2", "show/two", "nine"])
LISTS = st.lists(NAMED, max_size=2).map(tuple)


def joint(of: type[NewEdge] | type[DroppedEdge], **more: st.SearchStrategy[str]) -> st.SearchStrategy[Correction]:
    """Edges of every kind between what might be their ends, and what might not."""
    kinds = st.sampled_from([*get_args(AddedKind), "MENTIONS", "REFERS_TO"][: None if of is DroppedEdge else -2])
    return st.builds(of, PLACE, kinds, source=NAMED | HEARD, target=NAMED | HEARD, **more)


PLACE = st.just("")
ANY = st.lists(
    st.builds(Topic, PLACE, st.builds(Concept, st.sampled_from("abc"), NAMED, area=st.just("Yours"), aliases=LISTS))
    | st.builds(Realias, PLACE, NAMED, add=LISTS, drop=LISTS)
    | st.builds(Rename, PLACE, NAMED, name=NAMED)
    | st.builds(
        Split, PLACE, NAMED, into=NAMED, aliases=LISTS, episodes=st.lists(HEARD, max_size=1).map(tuple), concepts=LISTS
    )
    | st.builds(Merge, PLACE, NAMED, into=NAMED)
    | joint(NewEdge, reason=st.just("so"), need=st.sampled_from(get_args(Need)))
    | joint(DroppedEdge),
    max_size=9,
).map(lambda found: [replace(c, place=f"f:{line}") for line, c in enumerate(found)])


@given(ANY)
def test_any_corrections_leave_a_graph_and_those_that_do_not_apply_change_nothing(found: list[Correction]) -> None:
    corrected = correct(VOCABULARY, CATALOGUE, found)
    without(join_graph(corrected.vocabulary, corrected.catalogue, ()).graph, corrected.dropped)
    names = [(spelling(n), c.id) for c in corrected.vocabulary.concepts for n in {c.id, c.name, *c.aliases}]
    assert len(dict(names)) == len(set(names))  # no name is two concepts'
    halves = [  # the names of a split go, and its episodes stay
        replace(c, episodes=()) if isinstance(c, Split) and "its episodes stay" in corrected.problems[c.place] else None
        for c in found
        if c.place in corrected.problems
    ]
    kept = [c for c in found if c.place not in corrected.problems]
    good = correct(VOCABULARY, CATALOGUE, sorted([*kept, *filter(None, halves)], key=lambda c: int(c.place[2:])))
    assert good == replace(corrected, problems={})


@pytest.mark.parametrize(
    ("correction", "problem"),
    [
        (Merge("f:1", "vmaps", into="autograd"), "no concept is called 'vmaps'"),
        (Merge("f:1", "the vmap", into="vmap"), "are one concept already"),
        (Rename("f:1", "vmap", name="the autograd"), "'the autograd' is a name of autograd (autograd) already"),
        (Realias("f:1", "vmap", drop=("vector",)), "vmap has no alias 'vector'"),
        (Topic("f:1", Concept("new", "vmap", area="Yours")), "'vmap' is a name of vmap (vmap) already"),
        (NewEdge("f:1", "REQUIRES", source="autograd", target="vmap", reason="r"), "circle"),
        (NewEdge("f:1", "REQUIRES", source="vmap", target="autograd", reason="r"), "the map already has this edge"),
        (NewEdge("f:1", "TEACHES", source="7", target="autograd", reason="r"), "no episode is called '7'"),
        (NewEdge("f:1", "USES", source="dispatcher", target="vmap", reason="r"), "the other way round"),
        (NewEdge("f:1", "ASSUMES", source="one", target="autograd", reason="r"), "the episode explains it"),
        (NewEdge("f:1", "LISTEN_AFTER", source="one", target="two", reason="r"), "in a circle"),
        (NewEdge("f:1", "USES", source="vmap", target="the vmap", reason="r"), "joins a thing to itself"),
        (Split("f:1", "vmap", into="autograd", aliases=("x",)), "vmap has no alias 'x'"),
        (Split("f:1", "vmap", into="the vmap", aliases=("the vmap",)), "are one concept already"),
    ],
)
def test_what_does_not_apply_is_told_and_changes_nothing(correction, problem: str) -> None:
    corrected = correct(VOCABULARY, CATALOGUE, [correction])
    assert (corrected.vocabulary, corrected.catalogue) == (VOCABULARY, CATALOGUE)
    assert list(corrected.problems) == ["f:1"]
    assert problem in corrected.problems["f:1"]


def test_a_split_leaves_a_renamed_concept_its_id() -> None:
    rename = Rename("f:1", "vmap", name="the vmap")
    corrected = correct(VOCABULARY, CATALOGUE, [rename, Split("f:2", "vmap", into="autograd", aliases=("vmap",))])
    assert corrected.problems == {"f:2": "'vmap' is the id of the vmap, which stays"}


def test_an_edge_that_is_nowhere_cannot_be_dropped() -> None:
    corrected = correct(VOCABULARY, CATALOGUE, [DroppedEdge("f:1", "MENTIONS", source="one", target="vmap")])
    _, problems = without(join_graph(corrected.vocabulary, corrected.catalogue, ()).graph, corrected.dropped)
    assert problems == {"f:1": "there is no such edge"}
