"""Corrections of episodes that are not shipped: those of feeds and pages."""

from dataclasses import replace

import pytest

from torchatlas.graph.build import join_graph
from torchatlas.graph.corrections import (
    DroppedEdge,
    Merge,
    NewEdge,
    Split,
    correct,
    with_episodes,
    without,
)
from torchatlas.graph.findings import Catalogue, Explained, Extraction, Mention, Vocabulary
from torchatlas.graph.model import Concept, Episode, Teaches

VOCABULARY = Vocabulary(
    tuple(Concept(n, n, area="Area") for n in ("autograd", "dispatcher", "functionalization", "vmap"))
)
SHIPPED = Episode("show/one", "One", show="Show", number=1)
OWN = tuple(Episode(f"{show}/intro", "Introduction", show=show, number=1) for show in ("alpha", "beta"))
NEXT = Episode("alpha/next", "Next", show="alpha", number=2)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("Introduction", "'Introduction' may be alpha/intro or beta/intro; name one by its id"),
        ("1", "'1' may be show/one or alpha/intro or beta/intro; name one by its id"),
        ("Intro", "no episode is called 'Intro'"),
    ],
)
def test_a_name_of_several_episodes_or_of_none_is_told(source: str, problem: str) -> None:
    drop = DroppedEdge("f:1", "MENTIONS", source=source, target="vmap")
    corrected = with_episodes(correct(VOCABULARY, Catalogue((SHIPPED,)), [drop]), (SHIPPED, *OWN))
    assert corrected.problems["f:1"].startswith(problem) and not corrected.dropped


def meant(typed: str, *episodes: Episode) -> str | None:
    """The episode that a correction means by a name; None where it does not apply."""
    drop = DroppedEdge("f:1", "MENTIONS", source=typed, target="vmap")
    dropped = with_episodes(correct(VOCABULARY, Catalogue(), [drop]), episodes).dropped
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


def test_edges_of_episodes_that_only_feeds_have_come_and_go() -> None:
    def said(episode: Episode, concept: str) -> Extraction:
        return Extraction(
            episode, f"All about {concept}.", explained=(Explained(concept, "main", at=9, weight=1.0, quote="so"),)
        )

    said_twice = replace(
        said(NEXT, "vmap"), explained=(*said(NEXT, "vmap").explained, *said(NEXT, "autograd").explained)
    )
    extractions = [said(OWN[0], "autograd"), said(OWN[1], "autograd"), said_twice]
    found = [
        Merge("f:1", "functionalization", into="dispatcher"),
        DroppedEdge("f:2", "TEACHES", source="alpha/intro", target="autograd"),
        NewEdge("f:3", "TEACHES", source="next", target="functionalization", reason="heard it"),
        NewEdge("f:4", "LISTEN_AFTER", source="Next", target="beta/intro", reason="so it is"),
        NewEdge("f:5", "ASSUMES", source="Next", target="vmap", reason="it takes it for granted"),
    ]
    corrected = with_episodes(correct(VOCABULARY, Catalogue(), found), (*OWN, NEXT))
    joined = join_graph(corrected.vocabulary, corrected.catalogue, extractions)
    graph, problems = without(joined.graph, corrected.dropped)
    assert not corrected.problems and not problems and not joined.set_aside
    assert [(t.source, t.target) for t in graph.teaches] == [
        ("alpha/next", "autograd"), ("alpha/next", "dispatcher"), ("beta/intro", "autograd"),
    ]  # fmt: skip
    assert [(e.source, e.target) for e in graph.listen_after] == [("alpha/next", "beta/intro")]
    assert [(e.source, e.target) for e in graph.assumes] == [("alpha/next", "vmap")]


def test_a_split_moves_what_texts_say_of_a_concept_in_the_episodes_of_feeds() -> None:
    def said(episode: Episode, concept: str) -> Extraction:
        named = Mention(concept, "title", start=0, end=len(episode.title), text=episode.title)
        explained = Explained(concept, "main", at=9, weight=1.0, quote="so")
        return Extraction(episode, "", mentions=(named,), explained=(explained,))

    catalogue = Catalogue((SHIPPED,), (Teaches(SHIPPED.id, "autograd", depth="main", at=1),))
    split = Split("f:1", "autograd", into="vmap", episodes=("alpha/intro", "Next", "One"))
    merge = Merge("f:2", "vmap", into="functionalization")
    everywhere = (SHIPPED, *OWN, NEXT)
    corrected = with_episodes(correct(VOCABULARY, catalogue, [split, merge]), everywhere)
    extractions = [said(episode, "autograd") for episode in (*OWN, NEXT)]
    graph = join_graph(corrected.vocabulary, corrected.catalogue, extractions, moved=corrected.moved).graph
    assert not corrected.problems
    assert {(t.source, t.target) for t in graph.teaches} == {
        ("alpha/intro", "functionalization"), ("alpha/next", "functionalization"), ("beta/intro", "autograd"),
        ("show/one", "functionalization"),
    }  # fmt: skip


def test_a_split_by_an_episode_that_is_not_there_says_so_and_moves_no_episode() -> None:
    split = Split("f:1", "autograd", into="vmap", episodes=("One", "Introduction"))
    corrected = with_episodes(correct(VOCABULARY, Catalogue((SHIPPED,)), [split]), (SHIPPED, *OWN))
    why = "its episodes stay where they are: 'Introduction' may be alpha/intro or beta/intro; name one by its id"
    assert corrected.problems == {"f:1": why} and not corrected.moved


def test_of_two_splits_that_move_a_concept_of_one_episode_the_second_does_not_apply() -> None:
    splits = [
        Split(f"f:{n}", "autograd", into=into, episodes=("One",))
        for n, into in enumerate(("vmap", "functionalization"))
    ]
    corrected = with_episodes(correct(VOCABULARY, Catalogue((SHIPPED,)), splits), (SHIPPED,))
    assert corrected.moved == {("show/one", "autograd"): "vmap"}
    assert "another split moves 'autograd' to 'vmap'" in corrected.problems["f:1"]
