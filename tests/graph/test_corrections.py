"""Corrections of the shipped map, and of episodes that only feeds and pages have."""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.cases import pairs
from tests.graph import builds
from torchatlas.graph import corrections, model
from torchatlas.graph.build import join_graph
from torchatlas.graph.corrections import Correction, DroppedEdge, Merge, NewEdge, Realias, Rename, Split, Topic
from torchatlas.graph.findings import Catalogue, Explained, Extraction, Mention, Statement, Vocabulary
from torchatlas.graph.model import Assumes, Concept, Episode, Teaches
from torchatlas.graph.names import spelling

NAMES = ("autograd", "dispatcher", "fusion", "vmap")
VOCABULARY = Vocabulary(
    tuple(Concept(n, n, area="Area", aliases=(f"the {n}",), in_texts=(f"{n}s",)) for n in NAMES),
    builds.edges("requires", "fusion dispatcher: a key, vmap autograd bridge: so, dispatcher autograd: old"),
    relations=builds.edges("concept_relations", "vmap USES dispatcher: it is a key too"),
)
ONE, TWO = Episode("show/one", "One", show="Show", number=1), Episode("show/two", "Two", show="Show", number=2)
CATALOGUE = Catalogue(
    (ONE, TWO),
    (
        *builds.edges("teaches", "show/one autograd, show/two dispatcher"),
        Teaches("show/two", "vmap", depth="part", weight=0.5, at=2),
    ),
    assumes=(Assumes("show/two", "autograd", how="silent", at=3, why="it leans on it"),),
    listen_after=builds.edges("listen_after", "show/two show/one: first One"),
)
OWN = tuple(Episode(f"{show}/intro", "Introduction", show=show, number=1) for show in ("alpha", "beta"))
NEXT = Episode("alpha/next", "Next", show="alpha", number=4)
FED = (*OWN, NEXT)
"""Episodes that only feeds have."""


def read(text: str) -> list[Correction]:
    """Corrections at the places f:0, f:1 ...: "merge a b; drop USES a b; split a b alias / 2, Next / the_concept"."""

    def one(place: str, how: str, *words: str) -> Correction:
        if how in ("drop", "add"):
            kind, source, target, *reason = words
            if how == "drop":
                return DroppedEdge(place, kind, source, target)  # type: ignore[arg-type]
            return NewEdge(place, kind, source, target, " ".join(reason) or "r")  # type: ignore[arg-type]
        if how == "topic":
            return Topic(place, Concept(words[0], words[-1], area="Yours", aliases=words[2:]))
        if how == "realias":
            add, drop = (tuple(w[1:] for w in words if w[0] == sign) for sign in "+-")
            return Realias(place, words[0], add=add, drop=drop)
        if how == "split":
            moved = [tuple(filter(None, part.strip().split(", "))) for part in " ".join(["", *words[2:]]).split(" / ")]
            return Split(place, words[0], words[1], *moved)
        return (Merge if how == "merge" else Rename)(place, *words)

    rows = (part.split() for part in text.split("; ") if part)
    return [one(f"f:{n}", *(w if w.isupper() else w.replace("_", " ") for w in row)) for n, row in enumerate(rows)]


def correct(found: Iterable[Correction], catalogue: Catalogue = CATALOGUE, fed: Any = FED) -> corrections.Corrected:
    """Both parts of a correction, on a map that has these episodes beside those of the catalogue."""
    corrected = corrections.correct(VOCABULARY, catalogue, found)
    return corrections.with_episodes(corrected, (*catalogue.episodes, *fed))


def graph_of(corrected: corrections.Corrected, *said: Extraction) -> tuple[model.Snapshot, dict[str, str]]:
    """The graph as corrected, and the dropped edges that were nowhere."""
    graph, _ = join_graph(corrected.vocabulary, corrected.catalogue, said, moved=corrected.moved)
    return corrections.without(graph, corrected.dropped)


def facts(corrected: corrections.Corrected, *said: Extraction) -> set[str]:
    """Its edges, and its concepts with all their names and, in brackets, their words in texts."""
    graph, problems = graph_of(corrected, *said)
    assert not problems
    found = (*graph.teaches, *graph.assumes, *graph.listen_after, *graph.concept_relations)
    named = {f"{c.id} is {', '.join((c.name, *c.aliases))} ({' '.join(c.in_texts)})" for c in graph.concepts}
    needs = {f"REQUIRES {r.source} {r.target} {r.need}: {r.reason}" for r in graph.requires}
    return named | needs | {" ".join(model.key_of(e)) for e in found}


def said(episode: Episode, *concepts: str) -> Extraction:
    """What is found in an episode that names the first of these concepts in its title, and explains all."""
    named = Mention(concepts[0], "title", start=0, end=len(episode.title), text=episode.title)
    explained = tuple(Explained(concept, "main", at=9, weight=1.0, quote="so") for concept in concepts)
    return Extraction(episode, "", mentions=(named,), explained=explained)


FEEDS = (*(said(episode, "autograd") for episode in OWN), said(NEXT, "vmap", "autograd"))
USES = (Extraction(TWO, "as it is", statements=(Statement("USES", "dispatcher", object="vmap", quote="as it is"),)),)
VMAP, AUTOGRAD = "vmap is vmap, the vmap (vmaps)", "autograd is autograd, the autograd (autograds)"
OLD = "REQUIRES fusion dispatcher hear: a key"
FUSION, DISPATCHER = "fusion is fusion, the fusion (fusions)", "dispatcher is dispatcher, the dispatcher (dispatchers)"
MERGED = "dispatcher is dispatcher, the dispatcher, fusion, the fusion (dispatchers fusions)"
CORRECTED = f"""
# two concepts become one with all that both had; of two edges that become one the heavier or older stays
merge vmap Autograd
    - {VMAP}; {AUTOGRAD}; REQUIRES vmap autograd bridge: so; USES vmap dispatcher
    - TEACHES show/two vmap; ASSUMES show/two autograd
    + autograd is autograd, the autograd, vmap, the vmap (autograds vmaps); USES autograd dispatcher
    + TEACHES show/two autograd
merge vmap dispatcher
    - {VMAP}; {DISPATCHER}; REQUIRES vmap autograd bridge: so; TEACHES show/two vmap; USES vmap dispatcher
    + dispatcher is dispatcher, the dispatcher, vmap, the vmap (dispatchers vmaps)
# one becomes two
split autograd engine the_autograd / 2 / vmap; topic engine
    - {AUTOGRAD}; REQUIRES vmap autograd bridge: so; ASSUMES show/two autograd
    + autograd is autograd (autograds); engine is engine, the autograd (); REQUIRES vmap engine bridge: so
    + ASSUMES show/two engine
# the old name is still found, and words in texts go where names go
rename vmap map; realias vmap +batcher -the_vmap
    - {VMAP}
    + vmap is map, vmap, batcher (vmaps)
realias vmap -vmaps
    - {VMAP}
    + vmap is vmap, the vmap ()
split vmap autograd vmaps
    - {VMAP}; {AUTOGRAD}
    + vmap is vmap, the vmap (); autograd is autograd, the autograd, vmaps (autograds)
# edges come and go; what is explained is no longer assumed
add TEACHES two autograd; add REQUIRES vmap fusion; drop LISTEN_AFTER Two One; drop USES vmap dispatcher
    - LISTEN_AFTER show/two show/one; USES vmap dispatcher; ASSUMES show/two autograd
    + TEACHES show/two autograd; REQUIRES vmap fusion bridge: r
# an edge is turned round or gets another reason
add REQUIRES dispatcher fusion so; drop REQUIRES fusion dispatcher; add USES dispatcher vmap; drop USES vmap dispatcher
    - {OLD}; USES vmap dispatcher
    + REQUIRES dispatcher fusion bridge: so; USES dispatcher vmap
add REQUIRES vmap autograd without it nothing; drop REQUIRES vmap autograd
    - REQUIRES vmap autograd bridge: so
    + REQUIRES vmap autograd bridge: without it nothing
# a dropped edge does not come back from a text, and may be one that only texts have
USES: drop USES vmap dispatcher
    - USES vmap dispatcher
    + USES dispatcher vmap
USES: drop USES vmap dispatcher; drop USES dispatcher vmap
    - USES vmap dispatcher
# those of episodes that only feeds have, too
FEEDS: merge fusion dispatcher; drop TEACHES alpha/intro autograd; add TEACHES next fusion;\
 add LISTEN_AFTER Next beta/intro; add ASSUMES Next vmap
    - {OLD}; {FUSION}; {DISPATCHER}; TEACHES alpha/intro autograd; TEACHES alpha/next vmap
    + {MERGED}; TEACHES alpha/next dispatcher; LISTEN_AFTER alpha/next beta/intro; ASSUMES alpha/next vmap
# a split moves what texts say of a concept in these episodes
FEEDS: split autograd fusion / alpha/intro, Next, One; merge fusion dispatcher
    - {OLD}; {FUSION}; {DISPATCHER}; TEACHES alpha/intro autograd; TEACHES alpha/next autograd
    - TEACHES show/one autograd
    + {MERGED}; TEACHES alpha/intro dispatcher; TEACHES alpha/next dispatcher; TEACHES show/one dispatcher
"""


@pytest.mark.parametrize("case", re.split(r"\n(?=\w)", re.sub("#.*\n", "", CORRECTED.strip())))
def test_names_and_edges_are_corrected_and_nothing_else(case: str) -> None:
    said, _, found = case.split("\n")[0].rpartition(": ")
    corrected = correct(read(found))
    assert corrected.problems == {}
    assert corrected.own == {c.concept.id for c in read(found) if isinstance(c, Topic)}
    before, after = (facts(c, *{"FEEDS": FEEDS, "USES": USES}.get(said, ())) for c in (correct(()), corrected))
    lost, won = ({*"; ".join(re.findall(rf"\n    [{sign}] (.*)", case)).split("; ")} - {""} for sign in "-+")
    assert (before - after, after - before) == (lost, won)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_merges_run_on_in_any_order_and_edges_follow_them(order: tuple[int, ...]) -> None:
    merges = read("merge vmap fusion; merge fusion dispatcher; topic batching")
    of_it = read("add REQUIRES vmap batching; drop REQUIRES the_vmap autograd")
    corrected = correct(replace(c, place=f"f:{n}") for n, c in enumerate([*of_it, *(merges[i] for i in order)]))
    assert corrected.problems == {}
    assert {c.id for c in corrected.vocabulary.concepts} == {"autograd", "dispatcher", "batching"}
    edges = {f for f in facts(corrected) if f.startswith(("REQ", "USES"))}
    assert edges == {"REQUIRES dispatcher batching bridge: r"}


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


# A split leaves a concept its id and its name; a name of several episodes or of none means none.
PROBLEMS = f"""
merge vmaps autograd => no concept is called 'vmaps' | merge the_vmap vmap => are one concept already
rename vmap the_autograd => 'the autograd' is a name of autograd (autograd) already
realias vmap -vector => vmap has no alias 'vector' | topic new vmap => 'vmap' is a name of vmap (vmap) already
add REQUIRES autograd vmap => circle | add REQUIRES vmap autograd => the map already has this edge
add TEACHES 7 autograd => no episode is called '7' | add USES dispatcher vmap => the other way round
add ASSUMES one autograd => the episode explains it | add LISTEN_AFTER one two => in a circle
add USES vmap the_vmap => joins a thing to itself | split vmap autograd x => vmap has no alias 'x'
split vmap the_vmap the_vmap => are one concept already
rename vmap the_vmap; split vmap autograd vmap => 'vmap' is the id of the vmap, which stays
topic own vmapping vmapping; split vmapping autograd vmapping => 'vmapping' is the name of vmapping, which
drop MENTIONS Introduction vmap => {INTRODUCTION}
drop MENTIONS 1 vmap => '1' may be show/one or alpha/intro or beta/intro; name one by its id
drop MENTIONS Intro vmap => no episode is called 'Intro'
split autograd vmap / One, Introduction => its episodes stay where they are: {INTRODUCTION}
split autograd vmap / One; split autograd dispatcher / One => another split moves 'autograd' to 'vmap'
"""


@pytest.mark.parametrize(("found", "problem"), pairs(PROBLEMS))
def test_the_last_does_not_apply_which_is_told_and_changes_nothing(found: str, problem: str) -> None:
    *others, last = read(found)
    corrected = correct([*others, last])
    assert list(corrected.problems) == [last.place] and problem in corrected.problems[last.place]
    now, before = (replace(c, edges=tuple(sorted(c.edges, key=repr))) for c in (corrected, correct(others)))
    assert replace(now, problems={}) == before


def test_an_edge_that_is_nowhere_cannot_be_dropped() -> None:
    assert graph_of(correct(read("drop MENTIONS one vmap")))[1] == {"f:0": "there is no such edge"}


def meant(typed: str, *episodes: Episode) -> str | None:
    """The episode that a correction means by a name; None where it does not apply."""
    dropped = correct([DroppedEdge("f:1", "MENTIONS", typed, "vmap")], Catalogue(), episodes).dropped
    return dropped[0][1][1] if dropped else None


@pytest.mark.parametrize("number", [12, 0])
@pytest.mark.parametrize("title", ["Episode {}", "{}", "#{}", "S2E{}", "Strides"])
def test_an_episode_goes_by_season_and_number_and_is_one_where_it_is_called_so(title: str, number: int) -> None:
    episode = Episode("s/it", title.format(number), show="S", number=number, season=2)
    typed = (episode.title, str(number), f"#{number}", f"episode {number}", f"s2e{number}", "s/it")
    assert {meant(name, episode) for name in typed} == {"s/it"}
    beside = (episode, Episode("s/other", "Other", show="S", number=number + 1, season=1))
    named = {f"s1e{number + 1}": "s/other", f"S2 E{number}": "s/it", str(number): "s/it", f"s1e{number}": None}
    assert {name: meant(name, *beside) for name in named} == named


def test_the_heavier_lesson_of_a_merge_and_the_need_of_a_new_edge_are_kept() -> None:
    (light,) = (t for t in CATALOGUE.teaches if t.target == "vmap")
    heavy = replace(light, target="fusion", depth="main", weight=1.0)
    need = NewEdge("f:9", "REQUIRES", "dispatcher", "fusion", "so", need="hear")
    found = [*read("merge fusion vmap; drop REQUIRES vmap dispatcher"), need]
    corrected = correct(found, replace(CATALOGUE, teaches=(light, heavy)))
    assert corrected.catalogue.teaches == (replace(heavy, target="vmap"),)
    assert ("dispatcher", "vmap", "hear") in {(r.source, r.target, r.need) for r in corrected.vocabulary.requires}
