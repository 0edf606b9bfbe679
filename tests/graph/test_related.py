import math
from dataclasses import replace
from typing import Any

import pytest

from torchatlas.graph.model import (
    Assumes,
    Cites,
    Concept,
    ConceptRelation,
    Episode,
    Link,
    ListenAfter,
    RefersTo,
    Requires,
    Snapshot,
    Teaches,
)
from torchatlas.graph.related import nearest, ranked, rarity, related, walked

GRAPH = Snapshot(
    concepts=(
        Concept("a", "A", area="One"),
        Concept("b", "B", area="One"),
        Concept("c", "C", area="Two"),
        Concept("d", "D", area="Three"),
        Concept("common", "COMMON", area="Four"),
    ),
    episodes=tuple(
        Episode(e, e.title(), show="Show") for e in ("query", "sharer", "user", "neighbour", "stranger", "sequel")
    ),
    links=(Link("l", "https://example.org/paper", type="paper", label="the paper"),),
    teaches=(
        Teaches("query", "a", depth="main"),
        Teaches("sharer", "a", depth="main"),
        Teaches("user", "c", depth="main"),
        Teaches("neighbour", "b", depth="main"),
        Teaches("stranger", "d", depth="main"),
        Teaches("sequel", "d", depth="main"),
        *(Teaches(e, "common", depth="part", weight=0.3) for e in ("query", "sharer", "user", "neighbour", "stranger")),
    ),
    assumes=(Assumes("user", "a", how="silent"),),
    requires=(Requires("b", "c", need="hear", reason="it rests on it"),),
    refers_to=(RefersTo("sequel", "query", relation="continues"),),
    cites=(Cites("query", "l"), Cites("sharer", "l")),
    concept_relations=(ConceptRelation("a", "b", kind="USES"),),
)


def test_all_others_are_ranked_best_first() -> None:
    found = related(GRAPH, "query", limit=82)
    assert {found[0].episode_id, found[1].episode_id} == {"sharer", "sequel"}
    assert sorted(r.episode_id for r in found) == sorted(e.id for e in GRAPH.episodes if e.id != "query")
    assert all(0 < r.score < 1 for r in found)
    assert [r.score for r in found] == sorted((r.score for r in found), reverse=True)


def test_reasons_say_in_words_what_ties_two_episodes() -> None:
    reasons = {r.episode_id: r.reasons for r in related(GRAPH, "query")}
    assert reasons["sharer"] == ("both explain A and COMMON", "both cite the paper", "both are about One")
    assert reasons["user"][0] == "takes A for granted, which this episode explains"
    assert reasons["neighbour"][0] == "A uses B"
    assert reasons["sequel"] == ("continues this episode",)
    back = {r.episode_id: r.reasons for r in related(GRAPH, "sequel")}
    assert back["query"] == ("this episode continues it",)
    assert back["user"] == ()


def test_a_declared_order_is_a_tie() -> None:
    parts = {n: v for n, v in vars(GRAPH).items() if isinstance(v, tuple)}
    asked = Snapshot(**(parts | {"listen_after": (ListenAfter("query", "stranger"),)}))
    best = {r.episode_id: r for r in related(asked, "query")}
    assert best["stranger"].reasons[0] == "this episode asks to hear it first"
    assert best["stranger"].score > {r.episode_id: r for r in related(GRAPH, "query")}["stranger"].score


def test_the_nearest_are_what_ranking_gives() -> None:
    best = [(e.id, r) for e in GRAPH.episodes for r in related(GRAPH, e.id, 2) if r.reasons]
    assert [(e.source, e.target, e.score, e.reasons) for e in nearest(GRAPH, 2)] == [
        (source, r.episode_id, r.score, r.reasons) for source, r in best
    ]


def test_the_nearest_depend_on_what_is_walked_alone() -> None:
    def told(graph: Snapshot) -> Snapshot:
        """The graph with other words for all that it says."""
        return replace(
            graph,
            concepts=tuple(replace(c, name=c.name * 2, definition="Other words.") for c in graph.concepts),
            episodes=tuple(replace(e, title=e.title * 2, summary="Other words.") for e in graph.episodes),
            requires=tuple(replace(r, need="bridge", reason="Other words.") for r in graph.requires),
        )

    assert told(GRAPH) != GRAPH
    assert [*walked(told(GRAPH))] == [*walked(GRAPH)] and ranked(told(GRAPH), 3) == ranked(GRAPH, 3)


@pytest.mark.parametrize("part", ["teaches", "assumes", "requires", "refers_to", "cites", "concept_relations"])
def test_a_tie_more_or_less_is_walked(part: str) -> None:
    without = replace(GRAPH, **{part: getattr(GRAPH, part)[1:]})
    assert [*walked(without)] != [*walked(GRAPH)]


def test_a_number_and_a_show_are_walked() -> None:
    for fact in ({"number": 99}, {"show": "Another"}):
        first, *others = GRAPH.episodes
        assert [*walked(replace(GRAPH, episodes=(replace(first, **fact), *others)))] != [*walked(GRAPH)]


def test_a_graph_of_lonely_episodes_is_ranked_by_id() -> None:
    lonely = Snapshot(episodes=tuple(Episode(e, e, show="Show") for e in "cab"))
    assert [r.episode_id for r in related(lonely, "b")] == ["a", "c"]
    assert nearest(Snapshot()) == ()


def test_of_two_that_share_as_much_the_one_told_closer_in_time_is_nearer() -> None:
    numbers = {"query": 50, "before": 45, "long-ago": 1}
    graph = Snapshot(
        concepts=(Concept("a", "A", area="One"),),
        episodes=(
            *(Episode(e, e, show="Show", number=n) for e, n in numbers.items()),
            Episode("elsewhere", "elsewhere", show="Another show", number=50),
            Episode("unnumbered", "unnumbered", show="Show"),
        ),
        teaches=tuple(Teaches(e, "a", depth="main") for e in (*numbers, "elsewhere", "unnumbered")),
    )
    found = {r.episode_id: r.score for r in related(graph, "query")}
    assert found["before"] > found["elsewhere"] == found["unnumbered"] > found["long-ago"]


def test_a_concept_that_many_take_for_granted_tells_less_than_one_that_few_touch() -> None:
    graph = Snapshot(
        concepts=(Concept("plain", "P", area="One"), Concept("special", "S", area="One")),
        episodes=tuple(Episode(e, e, show="Show") for e in ("one", "two", "three")),
        teaches=tuple(Teaches("one", c, depth="main") for c in ("plain", "special")),
        assumes=tuple(Assumes(e, "plain", how="silent") for e in ("two", "three")),
    )
    found = rarity(graph)
    assert found["special"] > found["plain"]


def main(episode: str, concept: str) -> Teaches:
    return Teaches(episode, concept, depth="main")


CITED = {"links": (Link("l", "https://x.org", type="paper"),), "cites": (Cites("this", "l"), Cites("other", "l"))}
TOLD = math.log(4 / 2.5)  # how telling a concept of two among three episodes is
STRENGTHS: list[tuple[str, float, dict[str, Any]]] = [
    (
        "explains X, which this episode takes for granted", 0.5 * TOLD,
        {"teaches": (main("other", "x"),), "assumes": (Assumes("this", "x", how="silent"),)},
    ),
    (
        "takes X for granted, which this episode explains", 0.5 * TOLD,
        {"teaches": (main("this", "x"),), "assumes": (Assumes("other", "x", how="silent"),)},
    ),
    (
        "both take X for granted", 0.1 * TOLD,
        {"assumes": tuple(Assumes(e, "x", how="silent") for e in ("this", "other"))},
    ),
    (
        "Z uses X", 1.0,
        {
            "teaches": (main("this", "x"), main("other", "z")),
            "concept_relations": (ConceptRelation("z", "x", kind="USES"),),
        },
    ),
    ("both cite the same paper", 0.5, CITED),
    ("both are about One", 0.05, {"teaches": (main("this", "x"), main("other", "w"))}),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "strength", "groups"), STRENGTHS)
def test_each_reason_is_as_strong_as_a_shared_concept_of_some_weight(
    reason: str, strength: float, groups: dict[str, Any]
) -> None:
    """Both episodes explain Y too: where they make a little more of it that comes first, else the other reason."""
    areas = {"x": "One", "w": "One", "y": "Two", "z": "Three"}
    for times, place in ((0.8, 0), (1.2, 1)):
        shared = [Teaches(e, "y", depth="part", weight=times * strength / TOLD) for e in ("this", "other")]
        graph = Snapshot(
            concepts=tuple(Concept(c, c.upper(), area=area) for c, area in areas.items()),
            episodes=tuple(Episode(e, e, show="Show") for e in ("this", "other", "third")),
            **groups | {"teaches": (*groups.get("teaches", ()), *shared)},
        )
        reasons = next(r.reasons for r in related(graph, "this") if r.episode_id == "other")
        assert reasons.index(reason) == place
        assert reasons.index("both explain Y") == 1 - place


def test_a_shared_concept_counts_as_much_as_the_episode_that_makes_less_of_it() -> None:
    graph = Snapshot(
        concepts=tuple(Concept(c, c.upper(), area="One") for c in "xyz"),
        episodes=tuple(Episode(e, e, show="Show") for e in ("this", "other", "third")),
        teaches=tuple(
            Teaches(e, c, depth="part", weight=weight)
            for c, *weights in (("x", 0.9, 0.2), ("y", 0.3, 0.3), ("z", 0.1, 0.8))
            for e, weight in zip(("this", "other"), weights, strict=True)
        ),
    )
    assert related(graph, "this")[0].reasons == ("both explain Y and X",)


def test_no_more_than_three_reasons_are_given() -> None:
    graph = replace(GRAPH, refers_to=(RefersTo("query", "sharer", relation="mentions"),))
    reasons = {r.episode_id: r.reasons for r in related(graph, "query")}
    assert reasons["sharer"] == ("this episode mentions it", "both explain A and COMMON", "both cite the paper")


def test_an_episode_of_which_nothing_is_known_is_ranked_too() -> None:
    graph = replace(GRAPH, episodes=(*GRAPH.episodes, Episode("bare", "Bare", show="Show")))
    assert {r.episode_id: r.reasons for r in related(graph, "query")}["bare"] == ()
    assert {r.reasons for r in related(graph, "bare")} == {()}


def test_both_ends_of_each_reference_have_words_of_their_own() -> None:
    said = {
        "listen_first": ("this episode asks to hear it first", "asks to hear this one first"),
        "continues": ("this episode continues it", "continues this episode"),
        "more_in": ("this episode points to it for more", "points to this episode for more"),
        "announces": ("this episode announces it", "announces this episode"),
        "mentions": ("this episode mentions it", "mentions this episode"),
    }
    for relation, (here, there) in said.items():
        graph = replace(GRAPH, refers_to=(RefersTo("query", "stranger", relation=relation),))  # type: ignore[arg-type]
        assert {r.episode_id: r.reasons[:1] for r in related(graph, "query")}["stranger"] == (here,)
        assert {r.episode_id: r.reasons[:1] for r in related(graph, "stranger")}["query"] == (there,)


def test_an_edge_without_a_tie_that_can_be_named_is_not_stored() -> None:
    lone = replace(GRAPH, episodes=(*GRAPH.episodes, Episode("bare", "Bare", show="Show")))
    stored = nearest(lone, len(lone.episodes))
    assert stored and all(edge.reasons for edge in stored)
    assert "bare" not in {end for edge in stored for end in (edge.source, edge.target)}
    assert related(lone, "bare")[0].why == "near only through what both touch on"


def test_a_page_without_a_label_is_named_by_its_kind() -> None:
    (paper,) = GRAPH.links
    for bare in (replace(paper, label=""), replace(paper, label=paper.url)):
        found = {r.episode_id: r.reasons for r in related(replace(GRAPH, links=(bare,)), "query")}
        assert f"both cite the same {paper.type}" in found["sharer"] and paper.url not in str(found)


def test_parts_that_two_episodes_explain_are_a_tie_where_one_of_them_uses_the_other() -> None:
    explained = (Teaches("bare", "b", depth="part", weight=0.3),)
    graph = replace(
        GRAPH, episodes=(*GRAPH.episodes, Episode("bare", "Bare", show="Show")), teaches=(*GRAPH.teaches, *explained)
    )
    assert {r.episode_id: r.reasons for r in related(graph, "query")}["bare"][0] == "A uses B"


def test_an_area_that_tells_nothing_apart_is_no_reason() -> None:
    def reasons(*areas: str) -> tuple[str, ...]:
        graph = Snapshot(
            concepts=tuple(Concept(c, c.upper(), area=area) for c, area in zip("xyz", areas, strict=True)),
            episodes=tuple(Episode(e, e, show="Show") for e in ("this", "other", "third")),
            teaches=tuple(Teaches(e, c, depth="main") for e, c in zip(("this", "other", "third"), "xyz", strict=True)),
        )
        return next(r.reasons for r in related(graph, "this") if r.episode_id == "other")

    assert reasons("Bread", "Bread", "Soup") == ("both are about Bread",)
    assert reasons("Bread", "Bread", "Bread") == ()  # the only one
    assert reasons("Terms", "Terms", "Bread") == reasons("Code", "Code", "Bread") == ()  # of no vocabulary


def test_one_page_that_both_cite_is_a_reason_but_no_edge_and_two_pages_are() -> None:
    def citing(*pages: str) -> Snapshot:
        return Snapshot(
            episodes=tuple(Episode(e, e, show="Show") for e in ("this", "other", "third")),
            links=tuple(Link(p, f"https://p.invalid/{p}", type="other", label=p) for p in pages),
            cites=tuple(Cites(e, p) for e in ("this", "other") for p in pages),
        )

    one, two = citing("Hats"), citing("Coats", "Hats")
    assert nearest(one) == ()
    assert related(one, "this")[0].reasons == ("both cite Hats",)
    assert {e.reasons for e in nearest(two)} == {("both cite Coats and 1 more page",)}
