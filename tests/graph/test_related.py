"""Which episodes are near one another: the walk worked out again by plain loops, and the words that say why."""

import math
import random
from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from tests.extract.cases import pairs
from tests.graph.builds import changed, edges, graph
from tests.strategies import snapshots, times
from torchatlas.graph.layout import overview
from torchatlas.graph.model import Cites, Episode, Link, Mentions, Snapshot, Teaches
from torchatlas.graph.related import Nearness, _counted_on, nearest, ranked, rarity, related, telling_cites

PAPER = Link("l", "https://example.org/paper", type="paper", label="the paper")


def weighed(text: str) -> tuple[Teaches, ...]:
    """What episodes explain, ~ as a part, and how much of it: "this x 0.9, other ~x 0.2"."""
    rows = (row.split() for row in text.split(", "))
    return tuple(Teaches(e, c.strip("~"), depth="part" if c[0] == "~" else "main", weight=float(w)) for e, c, w in rows)


def cited(text: str) -> tuple[Cites, ...]:
    return tuple(Cites(*row.split()) for row in text.split(", "))


def numbered(of: Snapshot, numbers: dict[str, int | None], elsewhere: str = "") -> Snapshot:
    told = (replace(e, number=numbers.get(e.id), show="X" if e.id == elsewhere else "Show") for e in of.episodes)
    return replace(of, episodes=tuple(told))


RARE = {"a": 2, "b": 2, "c": 1}  # concept -> how many of the five episodes teach or assume it
WALKED = numbered(
    graph(
        "a:One b:One c:Two",
        links=(PAPER,),
        teaches=weighed("e1 a 1, e2 a 0.4, e3 b 0.9"),
        assumes="e4 b, e5 c",
        mentions=(Mentions("e2", "c", count=1, field="title", start=0, end=1, evidence="C"),),
        requires="a b",
        concept_relations="b USES c",
        refers_to="e1 mentions e2, e1 more_in e3, e2 announces e4, e2 continues e5, e5 listen_first e4",
        listen_after="e2 e1, e3 e4",
        cites=cited("e3 l, e5 l"),
    ),
    {"e1": 1, "e2": 8, "e3": 60, "e4": 2},
    elsewhere="e4",
)
TIES = """
e1 a 1, e2 a 0.4, e3 b 0.9, e4 b 0.1, e5 c 0.1, e2 c 0.05, a b 1, b c 1, a One 0.3, b One 0.3, c Two 0.3, e3 l 0.5, \
e5 l 0.5, e1 e2 1, e1 e3 0.7, e2 e4 0.7, e2 e5 1, e5 e4 1, e3 e4 1"""
"""Those of episodes and concepts times how rare these are; of the two between e1 and e2 the stronger one counts."""
APART = {"e1": 0, "e2": 7, "e3": 59, "e4": 35, "e5": 35}  # from e1; 35 for another show and for no number


def by_loops() -> dict[str, float]:
    """How near each other episode is to e1."""
    ways: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for a, b, told in (tie.split() for tie in TIES.split(", ")):
        telling = math.log(6 / (RARE[b] + 0.5)) if b in RARE and a not in RARE else 1
        ways[a][b] = ways[b][a] = float(told) * telling
    degree = {node: sum(out.values()) for node, out in ways.items()}
    met = {node: float(node == "e1") for node in ways}
    for _ in range(60):
        moved = {n: sum(met[m] * ways[m][n] / degree[m] for m in ways[n]) for n in ways}
        met = {n: 0.3 * (n == "e1") + 0.7 * moved[n] for n in ways}
    close = {e: math.exp(-apart / 35) for e, apart in APART.items()}
    usual = (sum(close.values()) - 1) / 4
    lift = {e: met[e] * sum(degree.values()) / degree[e] * close[e] / usual for e in APART if e != "e1"}
    return {e: value / (1 + value) for e, value in lift.items()}


def test_the_scores_are_those_of_the_walk_with_four_digits_and_the_best_come_first() -> None:
    ((_, found),) = Nearness(WALKED).scores(["e1"])
    assert dict(zip(APART, found.tolist(), strict=True)) == pytest.approx({"e1": 0.0} | by_loops(), abs=1e-5)
    expected = sorted((-round(score, 4), e) for e, score in by_loops().items())
    assert [(-r.score, r.episode_id) for r in related(WALKED, "e1")] == expected
    assert rarity(WALKED) == pytest.approx({c: math.log(6 / (n + 0.5)) for c, n in RARE.items()})


def test_a_walk_from_a_resource_leads_to_episodes_and_none_leads_there() -> None:
    whole = graph("x:A y:B", teaches="a x, b y, r x ~y", docs="r")
    found = [(r.episode_id, *r.reasons[:1]) for name in ("r", "a") for r in related(whole, name)]
    assert found == [("a", "both explain X"), ("b", "both explain Y"), ("b",)]


def test_many_walks_at_a_time_give_what_each_gives_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    every = [e.id for e in WALKED.episodes]
    alone = [next(Nearness(WALKED).scores([e])) for e in every]
    for rows in (1, 2, 9):
        monkeypatch.setattr("torchatlas.graph.related._ROWS", rows)
        for (episode, found), (same, expected) in zip(Nearness(WALKED).scores(every), alone, strict=True):
            assert episode == same and found == pytest.approx(expected)


@pytest.mark.parametrize(("type_", "citing", "ties"), [("other", 5, 5), ("other", 6, 0), ("profile", 2, 0)])
def test_a_page_ties_the_few_episodes_that_cite_it_unless_it_is_somebodys_account(type_, citing, ties) -> None:
    cites = tuple(Cites(f"e{n}", "l") for n in range(citing))
    page = graph("", " ".join(f"e{n}" for n in range(6)), links=(replace(PAPER, type=type_),), cites=cites)
    assert len(list(telling_cites(page))) == ties


def many(episodes: int, concepts: int = 90) -> Snapshot:
    """Episodes of three shows, some without a number, with the ties that texts make; concepts in twelve areas."""
    rng = random.Random(0)
    taught = {(f"e{e:04}", f"c{rng.randrange(concepts)}") for e in range(episodes) for _ in range(2)}
    named = {(f"e{e:04}", f"c{int(concepts * rng.random() ** 2)}") for e in range(episodes) for _ in range(6)} - taught
    cited = {(f"e{e:04}", f"l{rng.randrange(episodes)}") for e in range(0, episodes, 2)}
    told = (Episode(f"e{n:04}", "E", show=f"{n % 3}", number=n // 3 if n % 7 else None) for n in range(episodes))
    text: Any = {"field": "description", "start": 0, "end": 1, "evidence": "C"}
    return graph(
        " ".join(f"c{n}:{n % 12}" for n in range(concepts)),
        episodes=tuple(told),
        links=tuple(Link(link, f"https://e.org/{link}", type="other") for link in sorted({link for _, link in cited})),
        teaches=tuple(Teaches(e, c, depth="main", weight=rng.choice([0.3, 0.5, 1.0])) for e, c in sorted(taught)),
        mentions=tuple(Mentions(e, c, count=1, **text) for e, c in sorted(named)),
        requires=", ".join(f"c{n} c{rng.randrange(n)}" for n in range(1, concepts, 2)),
        listen_after=", ".join(f"e{n:04} e{rng.randrange(n):04}: q" for n in range(1, episodes, 9)),
        cites=tuple(Cites(e, link, quote="q") for e, link in sorted(cited)),
    )


def best(of: Snapshot, limit: int, *, few: int) -> list[dict[str, float]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("torchatlas.graph.related._FEW", few)
        return [dict(nearest) for nearest in ranked(of, limit).values()]


def test_the_many_walks_of_a_large_map_give_the_scores_and_the_episodes_that_a_few_give() -> None:
    pairs = list(zip(best(many(120), 5, few=0), best(many(120), 5, few=120), strict=True))
    shared = [(e, found, exact) for found, exact in pairs for e in found.keys() & exact.keys()]
    assert len(shared) > 0.98 * 5 * 120
    assert max(abs(found[e] - exact[e]) for e, found, exact in shared) < 0.0005


@settings(max_examples=times(60), deadline=None)
@given(snapshots(max_nodes=6))
def test_whatever_ties_a_map_has_or_lacks_scores_are_numbers_from_nought_to_one(of: Snapshot) -> None:
    large, small = (best(of, 99, few=few) for few in (0, 500))
    for e, found, exact in zip(of.episodes, large, small, strict=True):
        assert all(0 <= score <= 1 for score in (*found.values(), *exact.values())) and e.id not in found.keys() | exact
        assert all(score == pytest.approx(exact[other], abs=0.002) for other, score in found.items())


def test_closeness_is_divided_by_the_average_and_two_episodes_may_be_any_number_apart() -> None:
    walk = Nearness(many(60))
    assert all(walk.closeness(n).sum() == pytest.approx(59) and walk.closeness(n)[n] == 0 for n in range(60))
    for apart, close in ((1335, 1.0), (20_260_101, 0.0)):
        pair = numbered(graph("", "a b"), {"a": 0, "b": apart})
        assert Nearness(pair).closeness(0).tolist() == [0.0, pytest.approx(close)]


@pytest.mark.parametrize(
    ("told", "counted"),
    [
        ({1: (1, 2, 3), 2: (1, 2)}, [1, 2, 3, 4, 5]),
        ({1: (1, 2), 2: (1, 2, 3, 4, 5)}, [1, 2, 3, 4, 5, 6, 7]),  # a later season may be longer
        ({1: (1, 2, 3), 2: (4, 2, 5, 6)}, [1, 2, 3, 4, 2, 5, 6]),  # it counts on, with one wrong number
        ({1: (1, 2, 3), 2: (3, 4, 5), 3: (1, 2)}, [1, 2, 3, 3, 4, 5, 6, 7]),
        ({None: (50,), 1: (1, 2), 2: (1,)}, [50, 1, 2, 3]),
    ],
)
def test_a_season_that_begins_anew_counts_on(told: dict[int | None, tuple[int, ...]], counted: list[int]) -> None:
    facts = [(season, number) for season, numbers in told.items() for number in numbers]
    episodes = tuple(Episode(f"e{s}/{n}", "E", show="Show", season=s, number=n) for s, n in facts)
    assert _counted_on(episodes).tolist() == counted


GRAPH = graph(
    "a:One b:One c:Two d:Three common:Four",
    "query sharer user neighbour stranger sequel",
    teaches="query a ~common, sharer a ~common, user c ~common, neighbour b ~common, stranger d ~common, sequel d",
    assumes="user a",
    requires="b c",
    refers_to="sequel continues query",
    concept_relations="a USES b",
    links=(PAPER,),
    cites=cited("query l, sharer l"),
)
LIGHT = tuple(replace(t, weight=0.3) if t.depth == "part" else t for t in GRAPH.teaches)
GRAPH = replace(numbered(GRAPH, {}), teaches=LIGHT)


def reasons(graph: Snapshot, episode: str = "query") -> dict[str, str]:
    return {r.episode_id: "; ".join(r.reasons) for r in related(graph, episode)}


def test_reasons_say_in_words_what_ties_two_episodes_three_at_most() -> None:
    found = reasons(GRAPH)
    assert found["sharer"] == "both explain A and Common; both cite the paper; both are about One"
    assert found["user"].startswith("takes A for granted, which this episode explains")
    assert found["neighbour"].startswith("A uses B")
    assert found["sequel"] == "continues this episode" and reasons(GRAPH, "sequel")["user"] == ""
    mentioned = reasons(changed(GRAPH, refers_to="query mentions sharer"))["sharer"]
    assert mentioned == "this episode mentions it; both explain A and Common; both cite the paper"
    for label in ("", PAPER.url):  # a page without a label has no name
        assert "both cite the same page" in reasons(replace(GRAPH, links=(replace(PAPER, label=label),)))["sharer"]


@pytest.mark.parametrize(
    ("tie", "here", "there"),
    [
        ("query listen_first stranger", "this episode asks to hear it first", "asks to hear this one first"),
        ("query continues stranger", "this episode continues it", "continues this episode"),
        ("query more_in stranger", "this episode points to it for more", "points to this episode for more"),
        ("query announces stranger", "this episode announces it", "announces this episode"),
        ("query mentions stranger", "this episode mentions it", "mentions this episode"),
        ("query stranger", "this episode asks to hear it first", "asks to hear this one first"),
    ],
)
def test_both_ends_of_each_reference_have_words_of_their_own(tie: str, here: str, there: str) -> None:
    group = "refers_to" if tie.count(" ") == 2 else "listen_after"
    referred = changed(GRAPH, **{group: tie})
    assert reasons(referred)["stranger"].startswith(here)
    assert reasons(referred, "stranger")["query"].startswith(there)


def test_the_nearest_are_what_ranking_gives() -> None:
    best = [(e.id, r.episode_id, r.score, r.reasons) for e in GRAPH.episodes for r in related(GRAPH, e.id, 2)]
    found = [(e.source, e.target, e.score, e.reasons) for e in nearest(GRAPH, 2)]
    assert found == [row for row in best if row[-1]]
    assert [*reasons(graph("", "c a b"), "b")] == ["a", "c"] and nearest(Snapshot()) == ()  # lonely ones go by id


def test_of_two_that_share_as_much_the_one_told_closer_in_time_is_nearer() -> None:
    numbers = {"query": 50, "before": 45, "long-ago": 1, "elsewhere": 50, "unnumbered": None}
    shared = numbered(graph(teaches=", ".join(f"{e} a" for e in numbers)), numbers, elsewhere="elsewhere")
    found = {r.episode_id: r.score for r in related(shared, "query")}
    assert found["before"] > found["elsewhere"] == found["unnumbered"] > found["long-ago"]


TOLD = math.log(4 / 2.5)  # how telling a concept of two among three episodes is


@pytest.mark.parametrize(
    ("reason", "strength", "ties"),
    [
        ("explains X, which this episode takes for granted", 0.5 * TOLD, {"teaches": "other x", "assumes": "this x"}),
        ("takes X for granted, which this episode explains", 0.5 * TOLD, {"teaches": "this x", "assumes": "other x"}),
        ("both take X for granted", 0.1 * TOLD, {"assumes": "this x, other x"}),
        ("Z uses X", 1.0, {"teaches": "this x, other z", "concept_relations": "z USES x"}),
        ("both cite the paper", 0.5, {"links": [PAPER], "cites": cited("this l, other l")}),
        ("both are about One", 0.05, {"teaches": "this x, other w"}),
    ],
)
@pytest.mark.parametrize(("times", "place"), [(0.8, 0), (1.2, 1)])
def test_each_reason_is_as_strong_as_a_shared_concept_of_some_weight(times, place, reason, strength, ties) -> None:
    """Both episodes explain Y too: where they make a little more of it that comes first, else the other reason."""
    both = "this ~y {0}, other ~y {0}".format(times * strength / TOLD)
    ties = ties | {"teaches": (*edges("teaches", ties.get("teaches", "")), *weighed(both))}
    found = reasons(graph("x:One w:One y:Two z:Three", "this other third", **ties), "this")["other"].split("; ")
    assert found.index(reason) == place and found.index("both explain Y") == 1 - place


def test_a_shared_concept_counts_as_much_as_the_episode_that_makes_less_of_it() -> None:
    taught = weighed("this ~x 0.9, other ~x 0.2, this ~y 0.3, other ~y 0.3, this ~z 0.1, other ~z 0.8")
    assert reasons(graph("x y z", "this other third", teaches=taught), "this")["other"] == "both explain Y and X"


def test_an_episode_of_which_nothing_is_known_is_ranked_but_an_edge_without_a_reason_is_not_stored() -> None:
    bare = replace(GRAPH, episodes=(*GRAPH.episodes, Episode("bare", "Bare", show="Show")))
    assert reasons(bare)["bare"] == "" and {*reasons(bare, "bare").values()} == {""}
    assert related(bare, "bare")[0].why == "near only through what both touch on"
    stored = nearest(bare, len(bare.episodes))
    assert stored and all(edge.reasons for edge in stored)
    assert "bare" not in {end for edge in stored for end in (edge.source, edge.target)}
    # parts that two episodes explain are a tie where one of them uses the other
    part = Teaches("bare", "b", depth="part", weight=0.3)
    assert reasons(replace(bare, teaches=(*bare.teaches, part)))["bare"].startswith("A uses B")


AREAS = """
x:Bread y:Bread z:Soup => both are about Bread | x:Bread y:Bread z:Bread => | x:Terms y:Terms z:Bread =>
x:Code y:Code z:Bread =>
"""  # Bread alone tells nothing apart; Terms and Code are of no vocabulary


@pytest.mark.parametrize(("areas", "expected"), pairs(AREAS))
def test_an_area_that_tells_nothing_apart_is_no_reason(areas: str, expected: str) -> None:
    assert reasons(graph(areas, teaches="this x, other y, third z"), "this")["other"] == expected


def test_one_page_that_both_cite_is_a_reason_but_no_edge_and_two_pages_are() -> None:
    for pages, reason in (("Hats", "both cite Hats"), ("Coats Hats", "both cite Coats and 1 more page")):
        links = [Link(p, f"https://p.invalid/{p}", type="other", label=p) for p in pages.split()]
        cites = [Cites(e, p) for e in ("this", "other") for p in pages.split()]
        citing = graph("", "this other third", links=links, cites=cites)
        assert reasons(citing, "this")["other"] == reason
        assert {e.reasons for e in nearest(citing)} == ({(reason,)} if len(links) == 2 else set())


@given(snapshots(max_nodes=6))
def test_near_episodes_have_reasons_and_no_place_depends_on_shows(whole: Snapshot) -> None:
    near, bare = nearest(whole), replace(whole, shows=(), in_show=())
    assert all(edge.reasons and all(map(str.strip, edge.reasons)) for edge in near)
    assert (overview(whole), near) == (overview(bare), nearest(bare))  # a show would be a hub
