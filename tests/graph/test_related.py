"""Which episodes are near one another, and the words that say why."""

import math
from collections.abc import Iterable
from dataclasses import replace

import pytest

from tests.graph.builds import changed, graph
from torchatlas.graph.model import Cites, Episode, Link, Snapshot, Teaches
from torchatlas.graph.related import nearest, ranked, rarity, related, walked

PAPER = Link("l", "https://example.org/paper", type="paper", label="the paper")
CITED = {"links": [PAPER], "cites": [Cites("query", "l"), Cites("sharer", "l")]}
GRAPH = graph(
    "a:One b:One c:Two d:Three common:Four",
    "query sharer user neighbour stranger sequel",
    teaches="query a ~common, sharer a ~common, user c ~common, neighbour b ~common, stranger d ~common, sequel d",
    assumes="user a",
    requires="b c",
    refers_to="sequel continues query",
    concept_relations="a USES b",
    **CITED,
)
GRAPH = replace(
    GRAPH,
    episodes=tuple(replace(e, number=None) for e in GRAPH.episodes),
    teaches=tuple(replace(t, weight=0.3) if t.depth == "part" else t for t in GRAPH.teaches),
)


def reasons(graph: Snapshot, episode: str = "query") -> dict[str, tuple[str, ...]]:
    return {r.episode_id: r.reasons for r in related(graph, episode)}


def test_all_others_are_ranked_best_first() -> None:
    found = related(GRAPH, "query", limit=82)
    assert {found[0].episode_id, found[1].episode_id} == {"sharer", "sequel"}
    assert sorted(r.episode_id for r in found) == sorted(e.id for e in GRAPH.episodes if e.id != "query")
    assert all(0 < r.score < 1 for r in found)
    assert [r.score for r in found] == sorted((r.score for r in found), reverse=True)


def test_reasons_say_in_words_what_ties_two_episodes_three_at_most() -> None:
    found = reasons(GRAPH)
    assert found["sharer"] == ("both explain A and Common", "both cite the paper", "both are about One")
    assert found["user"][0] == "takes A for granted, which this episode explains"
    assert found["neighbour"][0] == "A uses B"
    assert found["sequel"] == ("continues this episode",)
    back = reasons(GRAPH, "sequel")
    assert back["query"] == ("this episode continues it",) and back["user"] == ()
    mentioned = reasons(changed(GRAPH, refers_to="query mentions sharer"))
    assert mentioned["sharer"] == ("this episode mentions it", *found["sharer"][:2])


def test_a_declared_order_is_a_tie() -> None:
    asked, before = ({r.episode_id: r for r in related(g, "query")}["stranger"] for g in (ASKED, GRAPH))
    assert asked.reasons[0] == "this episode asks to hear it first" and asked.score > before.score


ASKED = changed(GRAPH, listen_after="query stranger")


@pytest.mark.parametrize(
    ("relation", "here", "there"),
    [
        ("listen_first", "this episode asks to hear it first", "asks to hear this one first"),
        ("continues", "this episode continues it", "continues this episode"),
        ("more_in", "this episode points to it for more", "points to this episode for more"),
        ("announces", "this episode announces it", "announces this episode"),
        ("mentions", "this episode mentions it", "mentions this episode"),
    ],
)
def test_both_ends_of_each_reference_have_words_of_their_own(relation: str, here: str, there: str) -> None:
    referred = changed(GRAPH, refers_to=f"query {relation} stranger")
    assert reasons(referred)["stranger"][:1] == (here,)
    assert reasons(referred, "stranger")["query"][:1] == (there,)


def test_the_nearest_are_what_ranking_gives() -> None:
    best = [(e.id, r) for e in GRAPH.episodes for r in related(GRAPH, e.id, 2) if r.reasons]
    assert [(e.source, e.target, e.score, e.reasons) for e in nearest(GRAPH, 2)] == [
        (source, r.episode_id, r.score, r.reasons) for source, r in best
    ]


def test_the_nearest_depend_on_what_is_walked_alone() -> None:
    told = replace(
        GRAPH,
        concepts=tuple(replace(c, name=c.name * 2, definition="Other words.") for c in GRAPH.concepts),
        episodes=tuple(replace(e, title=e.title * 2, summary="Other words.") for e in GRAPH.episodes),
        requires=tuple(replace(r, need="bridge", reason="Other words.") for r in GRAPH.requires),
    )
    assert [*walked(told)] == [*walked(GRAPH)] and ranked(told, 3) == ranked(GRAPH, 3)


FIRST, *OTHERS = GRAPH.episodes


@pytest.mark.parametrize(
    "other",
    [
        *(
            {part: getattr(GRAPH, part)[1:]}
            for part in ("teaches", "assumes", "requires", "refers_to", "cites", "concept_relations")
        ),
        {"episodes": (replace(FIRST, number=99), *OTHERS)},
        {"episodes": (replace(FIRST, show="Another"), *OTHERS)},
    ],
)
def test_a_tie_more_or_less_a_number_and_a_show_are_walked(other: dict[str, Iterable[object]]) -> None:
    assert [*walked(changed(GRAPH, **other))] != [*walked(GRAPH)]


def test_a_graph_of_lonely_episodes_is_ranked_by_id() -> None:
    lonely = Snapshot(episodes=tuple(Episode(e, e, show="Show") for e in "cab"))
    assert [r.episode_id for r in related(lonely, "b")] == ["a", "c"]
    assert nearest(Snapshot()) == ()


def test_of_two_that_share_as_much_the_one_told_closer_in_time_is_nearer() -> None:
    numbers = {"query": 50, "before": 45, "long-ago": 1, "elsewhere": 50, "unnumbered": None}
    shared = graph(teaches=", ".join(f"{e} a" for e in numbers))
    told = (replace(e, number=numbers[e.id], show="X" if e.id == "elsewhere" else "Show") for e in shared.episodes)
    found = {r.episode_id: r.score for r in related(replace(shared, episodes=tuple(told)), "query")}
    assert found["before"] > found["elsewhere"] == found["unnumbered"] > found["long-ago"]


def test_a_concept_that_many_take_for_granted_tells_less_than_one_that_few_touch() -> None:
    found = rarity(graph(teaches="one plain special", assumes="two plain, three plain"))
    assert found["special"] > found["plain"]


TOLD = math.log(4 / 2.5)  # how telling a concept of two among three episodes is
BOTH_CITE = {"links": [replace(PAPER, label="")], "cites": [Cites("this", "l"), Cites("other", "l")]}


@pytest.mark.parametrize(
    ("reason", "strength", "teaches", "others"),
    [
        ("explains X, which this episode takes for granted", 0.5 * TOLD, "other x", {"assumes": "this x"}),
        ("takes X for granted, which this episode explains", 0.5 * TOLD, "this x", {"assumes": "other x"}),
        ("both take X for granted", 0.1 * TOLD, "", {"assumes": "this x, other x"}),
        ("Z uses X", 1.0, "this x, other z", {"concept_relations": "z USES x"}),
        ("both cite the same page", 0.5, "", BOTH_CITE),
        ("both are about One", 0.05, "this x, other w", {}),
    ],
)
@pytest.mark.parametrize(("times", "place"), [(0.8, 0), (1.2, 1)])
def test_each_reason_is_as_strong_as_a_shared_concept_of_some_weight(
    times: float, place: int, reason: str, strength: float, teaches: str, others: dict[str, object]
) -> None:
    """Both episodes explain Y too: where they make a little more of it that comes first, else the other reason."""
    whole = graph("x:One w:One y:Two z:Three", "this other third", teaches=teaches, **others)
    shared = [Teaches(e, "y", depth="part", weight=times * strength / TOLD) for e in ("this", "other")]
    found = reasons(replace(whole, teaches=(*whole.teaches, *shared)), "this")["other"]
    assert found.index(reason) == place and found.index("both explain Y") == 1 - place


def test_a_shared_concept_counts_as_much_as_the_episode_that_makes_less_of_it() -> None:
    weights = {"this x": 0.9, "other x": 0.2, "this y": 0.3, "other y": 0.3, "this z": 0.1, "other z": 0.8}
    taught = [Teaches(*ends.split(), depth="part", weight=weight) for ends, weight in weights.items()]
    assert reasons(graph("x y z", "this other third", teaches=taught), "this")["other"] == ("both explain Y and X",)


BARE = replace(GRAPH, episodes=(*GRAPH.episodes, Episode("bare", "Bare", show="Show")))


def test_an_episode_of_which_nothing_is_known_is_ranked_but_an_edge_without_a_reason_is_not_stored() -> None:
    assert reasons(BARE)["bare"] == () and {*reasons(BARE, "bare").values()} == {()}
    assert related(BARE, "bare")[0].why == "near only through what both touch on"
    stored = nearest(BARE, len(BARE.episodes))
    assert stored and all(edge.reasons for edge in stored)
    assert "bare" not in {end for edge in stored for end in (edge.source, edge.target)}


@pytest.mark.parametrize("label", ["", PAPER.url])
def test_a_page_without_a_label_has_no_name(label: str) -> None:
    found = reasons(replace(GRAPH, links=(replace(PAPER, label=label),)))
    assert "both cite the same page" in found["sharer"] and PAPER.url not in str(found)


def test_parts_that_two_episodes_explain_are_a_tie_where_one_of_them_uses_the_other() -> None:
    part = Teaches("bare", "b", depth="part", weight=0.3)
    assert reasons(replace(BARE, teaches=(*BARE.teaches, part)))["bare"][0] == "A uses B"


@pytest.mark.parametrize(
    ("areas", "expected"),
    [
        ("x:Bread y:Bread z:Soup", ("both are about Bread",)),
        ("x:Bread y:Bread z:Bread", ()),  # the only one
        ("x:Terms y:Terms z:Bread", ()),  # of no vocabulary
        ("x:Code y:Code z:Bread", ()),
    ],
)
def test_an_area_that_tells_nothing_apart_is_no_reason(areas: str, expected: tuple[str, ...]) -> None:
    assert reasons(graph(areas, teaches="this x, other y, third z"), "this")["other"] == expected


@pytest.mark.parametrize(
    ("pages", "reason"), [(["Hats"], "both cite Hats"), (["Coats", "Hats"], "both cite Coats and 1 more page")]
)
def test_one_page_that_both_cite_is_a_reason_but_no_edge_and_two_pages_are(pages: list[str], reason: str) -> None:
    links = [Link(p, f"https://p.invalid/{p}", type="other", label=p) for p in pages]
    citing = graph("", "this other third", links=links, cites=[Cites(e, p) for e in ("this", "other") for p in pages])
    assert related(citing, "this")[0].reasons == (reason,)
    assert {e.reasons for e in nearest(citing)} == ({(reason,)} if len(pages) == 2 else set())
