from torchatlas.graph.answers.nearness import rarity
from torchatlas.graph.answers.related import nearest, related
from torchatlas.graph.values.model import (
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
    assert back["user"] == ("no direct tie: near only through what both touch on",)


def test_a_declared_order_is_a_tie() -> None:
    parts = {n: v for n, v in vars(GRAPH).items() if isinstance(v, tuple)}
    asked = Snapshot(**(parts | {"listen_after": (ListenAfter("query", "stranger"),)}))
    best = {r.episode_id: r for r in related(asked, "query")}
    assert best["stranger"].reasons[0] == "this episode asks to hear it first"
    assert best["stranger"].score > {r.episode_id: r for r in related(GRAPH, "query")}["stranger"].score


def test_the_nearest_are_what_ranking_gives() -> None:
    edges = nearest(GRAPH, 2)
    assert len(edges) == 2 * len(GRAPH.episodes)
    for edge in edges:
        assert (edge.target, edge.score, edge.reasons) in [
            (r.episode_id, r.score, r.reasons) for r in related(GRAPH, edge.source, 2)
        ]


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
