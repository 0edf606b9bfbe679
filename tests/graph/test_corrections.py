"""Corrections of the shipped map, and of episodes that only feeds and pages have."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import permutations
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graph import builds
from torchatlas.graph import corrections, model
from torchatlas.graph.build import join_graph
from torchatlas.graph.corrections import Correction, DroppedEdge, Merge, NewEdge, Realias, Rename, Split, Topic
from torchatlas.graph.findings import Catalogue, Explained, Extraction, Mention, Statement, Vocabulary
from torchatlas.graph.model import Assumes, Concept, Episode, Teaches
from torchatlas.graph.names import spelling

NAMES = ("autograd", "dispatcher", "functionalization", "vmap")
CONCEPTS = tuple(Concept(n, n, area="Area", definition=f"What {n} is.", aliases=(f"the {n}",)) for n in NAMES)
VOCABULARY = Vocabulary(
    CONCEPTS,
    builds.edges("requires", "functionalization dispatcher: it is a key, vmap autograd bridge: so"),
    relations=builds.edges("concept_relations", "vmap USES dispatcher: it is a key too"),
)
ONE, TWO = Episode("show/one", "One", show="Show", number=1), Episode("show/two", "Two", show="Show", number=2)
CATALOGUE = Catalogue(
    (ONE, TWO),
    (Teaches("show/one", "autograd", depth="main", at=1), Teaches("show/two", "vmap", depth="part", weight=0.5, at=2)),
    assumes=(Assumes("show/two", "autograd", how="silent", at=3, why="it leans on it"),),
    listen_after=builds.edges("listen_after", "show/two show/one: first One"),
)
OWN = tuple(Episode(f"{show}/intro", "Introduction", show=show, number=1) for show in ("alpha", "beta"))
NEXT = Episode("alpha/next", "Next", show="alpha", number=4)
"""Episodes that only feeds have."""


def correct(
    found: Iterable[Correction],
    vocabulary: Vocabulary = VOCABULARY,
    catalogue: Catalogue = CATALOGUE,
    episodes: Iterable[Episode] = (*OWN, NEXT),
) -> corrections.Corrected:
    """Both parts of a correction, on a map that has these episodes beside those of the catalogue."""
    corrected = corrections.correct(vocabulary, catalogue, found)
    return corrections.with_episodes(corrected, (*catalogue.episodes, *episodes))


def graph_of(corrected: corrections.Corrected, *said: Extraction) -> tuple[model.Snapshot, dict[str, str]]:
    """The graph as corrected, and the dropped edges that were nowhere."""
    graph, set_aside = join_graph(corrected.vocabulary, corrected.catalogue, said, moved=corrected.moved)
    assert not set_aside
    return corrections.without(graph, corrected.dropped)


def facts(corrected: corrections.Corrected) -> set[str]:
    """Its edges, and its concepts with all their names."""
    graph = join_graph(corrected.vocabulary, corrected.catalogue, ())[0]
    found = (*graph.requires, *graph.teaches, *graph.assumes, *graph.listen_after, *graph.concept_relations)
    named = {f"{c.id} is {', '.join((c.name, *c.aliases))}" for c in corrected.vocabulary.concepts}
    return named | {" ".join(model.key_of(e)) for e in found}


@pytest.mark.parametrize(
    ("found", "gone", "new"),
    [
        ([], "", ""),
        (  # two concepts become one with all that both had
            [Merge("f:1", "vmap", into="Autograd")],
            "vmap is vmap, the vmap; autograd is autograd, the autograd; REQUIRES vmap autograd; USES vmap dispatcher; "
            "TEACHES show/two vmap; ASSUMES show/two autograd",
            "autograd is autograd, the autograd, vmap, the vmap; USES autograd dispatcher; TEACHES show/two autograd",
        ),
        (  # one becomes two
            [
                Split("f:5", "autograd", into="engine", aliases=("the autograd",), episodes=("2",), concepts=("vmap",)),
                Topic("f:1", Concept("engine", "engine", area="Yours", definition="d")),
            ],
            "autograd is autograd, the autograd; REQUIRES vmap autograd; ASSUMES show/two autograd",
            "autograd is autograd; engine is engine, the autograd; REQUIRES vmap engine; ASSUMES show/two engine",
        ),
        (  # the old name is still found
            [
                Rename("f:1", "vmap", name="vectorizing map"),
                Realias("f:4", "vmap", add=("batcher",), drop=("the vmap",)),
            ],
            "vmap is vmap, the vmap",
            "vmap is vectorizing map, vmap, batcher",
        ),
        (
            [
                NewEdge("f:1", "TEACHES", "two", "autograd", "heard it", at=7),  # and no longer assumes it
                NewEdge("f:2", "REQUIRES", "autograd", "dispatcher", "so it is", need="hear"),
                DroppedEdge("f:3", "LISTEN_AFTER", "Two", "One"),
                DroppedEdge("f:4", "USES", "vmap", "dispatcher"),
            ],
            "LISTEN_AFTER show/two show/one; USES vmap dispatcher; ASSUMES show/two autograd",
            "TEACHES show/two autograd; REQUIRES autograd dispatcher",
        ),
    ],
)
def test_names_and_edges_are_corrected_and_nothing_else(found: list[Correction], gone: str, new: str) -> None:
    corrected, before = correct(found), facts(correct(()))
    assert corrected.problems == graph_of(corrected)[1] == {}
    assert corrected.own == {c.concept.id for c in found if isinstance(c, Topic)}
    assert facts(corrected) == before - {*gone.split("; ")} | {*filter(None, new.split("; "))}
    assert {*filter(None, gone.split("; "))} <= before


def test_of_two_edges_that_become_one_the_heavier_stays_and_else_the_one_that_was_there() -> None:
    main = Teaches("show/two", "dispatcher", depth="main", at=5)
    (there,) = builds.edges("requires", "dispatcher autograd: it was there")
    vocabulary = replace(VOCABULARY, requires=(*VOCABULARY.requires, there))
    catalogue = replace(CATALOGUE, teaches=(*CATALOGUE.teaches, main))
    corrected = correct([Merge("f:1", "vmap", into="dispatcher")], vocabulary, catalogue)
    assert main in corrected.catalogue.teaches and len(corrected.catalogue.teaches) == 2
    assert there in corrected.vocabulary.requires and len(corrected.vocabulary.requires) == 2


HOOKS, ENGINES = ("hooks",), ("engines",)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (Merge("f:1", "hook", into="engine"), {"engine": (("hook",), (*ENGINES, *HOOKS))}),
        (Realias("f:1", "hook", drop=HOOKS), {"hook": ((), ()), "engine": ((), ENGINES)}),
        (Split("f:1", "hook", into="engine", aliases=HOOKS), {"hook": ((), ()), "engine": (HOOKS, ENGINES)}),
    ],
)
def test_words_in_texts_go_where_names_go(change: Correction, expected: object) -> None:
    both = tuple(Concept(n, n, area="Area", definition="d", in_texts=(f"{n}s",)) for n in ("hook", "engine"))
    corrected = correct([change], Vocabulary(both), Catalogue())
    assert {c.id: (c.aliases, c.in_texts) for c in corrected.vocabulary.concepts} == expected
    assert corrected.problems == {}


def test_a_dropped_edge_does_not_come_back_from_a_text_and_may_be_one_that_only_texts_have() -> None:
    said = Extraction(TWO, "as it is", statements=(Statement("USES", "dispatcher", object="vmap", quote="as it is"),))
    drop, reverse = (DroppedEdge(f"f:{a}", "USES", a, b) for a, b in permutations(("dispatcher", "vmap")))
    for found, expected in (([reverse], {("dispatcher", "vmap")}), ([drop, reverse], set())):
        graph, problems = graph_of(correct(found), said)
        assert {(r.source, r.target) for r in graph.concept_relations if r.origin == "stated"} == expected
        assert not problems


def test_an_edge_is_turned_round_or_gets_another_reason() -> None:
    corrected = correct(
        [
            NewEdge("f:1", "REQUIRES", "dispatcher", "functionalization", "it is so"),
            DroppedEdge("f:2", "REQUIRES", "functionalization", "dispatcher"),
            NewEdge("f:3", "USES", "dispatcher", "vmap", "it is so"),
            DroppedEdge("f:4", "USES", "vmap", "dispatcher"),
            NewEdge("f:5", "REQUIRES", "vmap", "autograd", "without it nothing is understood", need="hear"),
            DroppedEdge("f:6", "REQUIRES", "vmap", "autograd"),
        ]
    )
    graph, problems = graph_of(corrected)
    assert corrected.problems == problems == {}
    needs = "dispatcher functionalization bridge: it is so, vmap autograd: without it nothing is understood"
    assert graph.requires == builds.edges("requires", needs)
    assert [(r.source, r.target) for r in graph.concept_relations] == [("dispatcher", "vmap")]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_merges_run_on_in_any_order_and_edges_follow_them(order: tuple[int, ...]) -> None:
    merges = [
        Merge("f:1", "vmap", into="functionalization"),
        Merge("f:2", "functionalization", into="dispatcher"),
        Topic("f:3", Concept("batching", "batching", area="Yours")),
    ]
    of_it = NewEdge("f:4", "REQUIRES", "vmap", "batching", "so"), DroppedEdge("f:5", "REQUIRES", "the vmap", "autograd")
    corrected = correct([*of_it, *(merges[i] for i in order)])
    assert corrected.problems == {}
    assert {c.id for c in corrected.vocabulary.concepts} == {"autograd", "dispatcher", "batching"}
    assert {f for f in facts(corrected) if f.startswith(("REQ", "USES"))} == {"REQUIRES dispatcher batching"}


NAMED = st.sampled_from([*NAMES, "the vmap", "the autograd", "a", "b", "nobody"])
HEARD = st.sampled_from(["one", "2", "show/two", "nine"])
LISTS = st.lists(NAMED, max_size=2).map(tuple)
FEW = st.lists(HEARD, max_size=1).map(tuple)
PLACE = st.just("")
KINDS = [*get_args(corrections.AddedKind), "MENTIONS", "REFERS_TO"]
ENDS = {"source": NAMED | HEARD, "target": NAMED | HEARD}
NEEDS = st.sampled_from(get_args(model.Need))
ANY = st.lists(
    st.builds(Topic, PLACE, st.builds(Concept, st.sampled_from("abc"), NAMED, area=st.just("Yours"), aliases=LISTS))
    | st.builds(Realias, PLACE, NAMED, add=LISTS, drop=LISTS)
    | st.builds(Rename, PLACE, NAMED, name=NAMED)
    | st.builds(Split, PLACE, NAMED, into=NAMED, aliases=LISTS, episodes=FEW, concepts=LISTS)
    | st.builds(Merge, PLACE, NAMED, into=NAMED)
    | st.builds(NewEdge, PLACE, st.sampled_from(KINDS[:-2]), **ENDS, reason=st.just("so"), need=NEEDS)
    | st.builds(DroppedEdge, PLACE, st.sampled_from(KINDS), **ENDS),
    max_size=9,
).map(lambda found: [replace(c, place=f"f:{line}") for line, c in enumerate(found)])


@given(ANY)
def test_any_corrections_leave_a_graph_and_those_that_do_not_apply_change_nothing(found: list[Correction]) -> None:
    corrected = correct(found)
    graph_of(corrected)
    names = [(spelling(n), c.id) for c in corrected.vocabulary.concepts for n in {c.id, c.name, *c.aliases}]
    assert len(dict(names)) == len(set(names))  # no name is two concepts'
    halves = [  # the names of a split go, and its episodes stay
        replace(c, episodes=()) if isinstance(c, Split) and "its episodes stay" in corrected.problems[c.place] else None
        for c in found
        if c.place in corrected.problems
    ]
    kept = [c for c in found if c.place not in corrected.problems]
    good = correct(sorted([*kept, *filter(None, halves)], key=lambda c: int(c.place[2:])))
    assert good == replace(corrected, problems={})


INTRODUCTION = "'Introduction' may be alpha/intro or beta/intro; name one by its id"


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        ([Merge("f:1", "vmaps", into="autograd")], "no concept is called 'vmaps'"),
        ([Merge("f:1", "the vmap", into="vmap")], "are one concept already"),
        ([Rename("f:1", "vmap", name="the autograd")], "'the autograd' is a name of autograd (autograd) already"),
        ([Realias("f:1", "vmap", drop=("vector",))], "vmap has no alias 'vector'"),
        ([Topic("f:1", Concept("new", "vmap", area="Yours"))], "'vmap' is a name of vmap (vmap) already"),
        ([NewEdge("f:1", "REQUIRES", "autograd", "vmap", "r")], "circle"),
        ([NewEdge("f:1", "REQUIRES", "vmap", "autograd", "r")], "the map already has this edge"),
        ([NewEdge("f:1", "TEACHES", "7", "autograd", "r")], "no episode is called '7'"),
        ([NewEdge("f:1", "USES", "dispatcher", "vmap", "r")], "the other way round"),
        ([NewEdge("f:1", "ASSUMES", "one", "autograd", "r")], "the episode explains it"),
        ([NewEdge("f:1", "LISTEN_AFTER", "one", "two", "r")], "in a circle"),
        ([NewEdge("f:1", "USES", "vmap", "the vmap", "r")], "joins a thing to itself"),
        ([Split("f:1", "vmap", into="autograd", aliases=("x",))], "vmap has no alias 'x'"),
        ([Split("f:1", "vmap", into="the vmap", aliases=("the vmap",))], "are one concept already"),
        # a split leaves a concept its id and its name
        (
            [Rename("f:0", "vmap", name="the vmap"), Split("f:1", "vmap", into="autograd", aliases=("vmap",))],
            "'vmap' is the id of the vmap, which stays",
        ),
        (
            [
                Topic("f:0", Concept("own", "vmapping", area="A", aliases=("vmapping",))),
                Split("f:1", "vmapping", into="autograd", aliases=("vmapping",)),
            ],
            "'vmapping' is the name of vmapping, which stays",
        ),
        # a name of several episodes or of none
        ([DroppedEdge("f:1", "MENTIONS", "Introduction", "vmap")], INTRODUCTION),
        (
            [DroppedEdge("f:1", "MENTIONS", "1", "vmap")],
            "'1' may be show/one or alpha/intro or beta/intro; name one by its id",
        ),
        ([DroppedEdge("f:1", "MENTIONS", "Intro", "vmap")], "no episode is called 'Intro'"),
        (
            [Split("f:1", "autograd", into="vmap", episodes=("One", "Introduction"))],
            f"its episodes stay where they are: {INTRODUCTION}",
        ),
        (
            [Split(f"f:{n}", "autograd", into=to, episodes=("One",)) for n, to in enumerate(("vmap", "dispatcher"))],
            "another split moves 'autograd' to 'vmap'",
        ),
    ],
)
def test_the_last_does_not_apply_which_is_told_and_changes_nothing(found: Sequence[Correction], problem: str) -> None:
    corrected = correct(found)
    assert list(corrected.problems) == ["f:1"] and problem in corrected.problems["f:1"]
    now, before = (replace(c, edges=tuple(sorted(c.edges, key=repr))) for c in (corrected, correct(found[:-1])))
    assert replace(now, problems={}) == before


def test_an_edge_that_is_nowhere_cannot_be_dropped() -> None:
    corrected = correct([DroppedEdge("f:1", "MENTIONS", "one", "vmap")])
    assert graph_of(corrected)[1] == {"f:1": "there is no such edge"}


BARE = Vocabulary(tuple(Concept(n, n, area="Area") for n in NAMES))


def meant(typed: str, *episodes: Episode) -> str | None:
    """The episode that a correction means by a name; None where it does not apply."""
    dropped = correct([DroppedEdge("f:1", "MENTIONS", typed, "vmap")], BARE, Catalogue(), episodes).dropped
    return dropped[0][1][1] if dropped else None


@pytest.mark.parametrize(("typed", "id_"), [("s1e2", "a"), ("S2 E1", "b"), ("1", "b"), ("s1e1", None)])
def test_an_episode_of_a_season_goes_by_season_and_number(typed: str, id_: str | None) -> None:
    assert meant(typed, *(Episode(i, i, show="S", number=n, season=s) for i, n, s in (("a", 2, 1), ("b", 1, 2)))) == id_


@pytest.mark.parametrize("number", [12, 0])
@pytest.mark.parametrize("title", ["Episode {}", "{}", "#{}", "S2E{}", "Strides"])
def test_an_episode_that_is_called_by_its_own_number_is_one(title: str, number: int) -> None:
    episode = Episode("s/it", title.format(number), show="S", number=number, season=2)
    typed = (episode.title, str(number), f"#{number}", f"episode {number}", f"s2e{number}", "s/it")
    assert {meant(name, episode) for name in typed} == {"s/it"}


def said(episode: Episode, *concepts: str) -> Extraction:
    """What is found in an episode that names the first of these concepts in its title, and explains all."""
    named = Mention(concepts[0], "title", start=0, end=len(episode.title), text=episode.title)
    explained = tuple(Explained(concept, "main", at=9, weight=1.0, quote="so") for concept in concepts)
    return Extraction(episode, "", mentions=(named,), explained=explained)


def test_edges_of_episodes_that_only_feeds_have_come_and_go() -> None:
    found = [
        Merge("f:1", "functionalization", into="dispatcher"),
        DroppedEdge("f:2", "TEACHES", "alpha/intro", "autograd"),
        NewEdge("f:3", "TEACHES", "next", "functionalization", "heard it"),
        NewEdge("f:4", "LISTEN_AFTER", "Next", "beta/intro", "so it is"),
        NewEdge("f:5", "ASSUMES", "Next", "vmap", "it takes it for granted"),
    ]
    corrected = correct(found, BARE, Catalogue())
    graph, problems = graph_of(corrected, *(said(e, "autograd") for e in OWN), said(NEXT, "vmap", "autograd"))
    assert not corrected.problems and not problems
    assert [" ".join(model.key_of(e)) for e in (*graph.teaches, *graph.listen_after, *graph.assumes)] == [
        *("TEACHES alpha/next autograd", "TEACHES alpha/next dispatcher", "TEACHES beta/intro autograd"),
        *("LISTEN_AFTER alpha/next beta/intro", "ASSUMES alpha/next vmap"),
    ]


def test_a_split_moves_what_texts_say_of_a_concept_in_the_episodes_of_feeds() -> None:
    catalogue = Catalogue((ONE,), (Teaches(ONE.id, "autograd", depth="main", at=1),))
    split = Split("f:1", "autograd", into="vmap", episodes=("alpha/intro", "Next", "One"))
    corrected = correct([split, Merge("f:2", "vmap", into="functionalization")], BARE, catalogue)
    graph, _ = graph_of(corrected, *(said(episode, "autograd") for episode in (*OWN, NEXT)))
    assert not corrected.problems
    moved = dict.fromkeys(("alpha/intro", "alpha/next", "show/one"), "functionalization")
    assert {(t.source, t.target) for t in graph.teaches} == {*moved.items(), ("beta/intro", "autograd")}
