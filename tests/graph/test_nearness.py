"""The walk with restart, worked out again by plain loops, for a few episodes and for many."""

import math
import random
from collections import defaultdict
from dataclasses import replace

import pytest
from hypothesis import given, settings

from tests.graph import builds
from tests.strategies import snapshots, times
from torchatlas.graph.model import Cites, Episode, Link, Mentions, Snapshot, Teaches
from torchatlas.graph.related import Nearness, _counted_on, ranked, rarity, related, telling_cites

RARE = {"a": 2, "b": 2, "c": 1}  # concept -> how many of the five episodes teach or assume it
WEIGHTS = {"e1 a": 1.0, "e2 a": 0.4, "e3 b": 0.9}
NUMBERS = {"e1": 1, "e2": 8, "e3": 60, "e4": 2, "e5": None}
GRAPH = builds.graph(
    "a:One b:One c:Two",
    episodes=tuple(Episode(e, e.upper(), show="Other" if e == "e4" else "Show", number=n) for e, n in NUMBERS.items()),
    links=(Link("l", "https://example.org", type="other"),),
    teaches=tuple(Teaches(*ends.split(), depth="main", weight=weight) for ends, weight in WEIGHTS.items()),
    assumes="e4 b, e5 c",
    mentions=(Mentions("e2", "c", count=1, field="title", start=0, end=1, evidence="C"),),
    requires="a b",
    concept_relations="b USES c",
    refers_to="e1 mentions e2, e1 more_in e3, e2 announces e4, e2 continues e5, e5 listen_first e4",
    listen_after="e2 e1, e3 e4",
    cites=(Cites("e3", "l"), Cites("e5", "l")),
)
TIES = {  # e1 and e2 are tied by a mention and by a declared order: the stronger one counts
    "e1 a": 1.0, "e2 a": 0.4, "e3 b": 0.9, "e4 b": 0.1, "e5 c": 0.1, "e2 c": 0.05,  # times how rare the concept is
    "a b": 1.0, "b c": 1.0, "a One": 0.3, "b One": 0.3, "c Two": 0.3, "e3 l": 0.5, "e5 l": 0.5,
    "e1 e2": 1.0, "e1 e3": 0.7, "e2 e4": 0.7, "e2 e5": 1.0, "e5 e4": 1.0, "e3 e4": 1.0,
}  # fmt: skip
APART = {"e1": 0, "e2": 7, "e3": 59, "e4": 35, "e5": 35}  # from e1; 35 for another show and for no number


def test_a_concept_is_the_more_telling_the_fewer_episodes_hold_it() -> None:
    assert rarity(GRAPH) == pytest.approx({c: math.log(6 / (n + 0.5)) for c, n in RARE.items()})


def by_loops() -> dict[str, float]:
    """How near each other episode is to e1."""
    ways: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for ends, weight in TIES.items():
        a, b = ends.split()
        if b in RARE and a not in RARE:
            weight *= math.log(6 / (RARE[b] + 0.5))
        ways[a][b] = ways[b][a] = weight
    degree = {node: sum(out.values()) for node, out in ways.items()}
    met = {node: float(node == "e1") for node in ways}
    for _ in range(60):
        moved = {n: sum(met[m] * ways[m][n] / degree[m] for m in ways[n]) for n in ways}
        met = {n: 0.3 * (n == "e1") + 0.7 * moved[n] for n in ways}
    close = {e: math.exp(-apart / 35) for e, apart in APART.items()}
    usual = (sum(close.values()) - 1) / 4
    lift = {e: met[e] * sum(degree.values()) / degree[e] * close[e] / usual for e in APART if e != "e1"}
    return {e: value / (1 + value) for e, value in lift.items()}


def test_the_scores_are_those_of_the_walk() -> None:
    ((episode, found),) = Nearness(GRAPH).scores(["e1"])
    assert episode == "e1"
    scores = dict(zip(APART, found.tolist(), strict=True))
    assert scores == pytest.approx({"e1": 0.0} | by_loops(), abs=1e-5)


def test_many_walks_at_a_time_give_what_each_gives_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    every = [e.id for e in GRAPH.episodes]
    alone = [next(Nearness(GRAPH).scores([e])) for e in every]
    for rows in (1, 2, 9):
        monkeypatch.setattr("torchatlas.graph.related._ROWS", rows)
        for (episode, found), (same, expected) in zip(Nearness(GRAPH).scores(every), alone, strict=True):
            assert episode == same and found == pytest.approx(expected)


def test_a_score_has_four_digits() -> None:
    expected = sorted(((-round(score, 4), e) for e, score in by_loops().items()))
    assert [(-r.score, r.episode_id, r.title) for r in related(GRAPH, "e1")] == [(s, e, e.upper()) for s, e in expected]


@pytest.mark.parametrize(("type_", "citing", "ties"), [("other", 5, 5), ("other", 6, 0), ("profile", 2, 0)])
def test_a_page_ties_the_few_episodes_that_cite_it_unless_it_is_somebodys_account(
    type_: str, citing: int, ties: int
) -> None:
    episodes = tuple(Episode(f"e{n}", f"E{n}", show="Show") for n in range(6))
    cites = tuple(Cites(f"e{n}", "l") for n in range(citing))
    snapshot = Snapshot(episodes=episodes, links=(Link("l", "https://l.invalid", type=type_),), cites=cites)
    assert len(list(telling_cites(snapshot))) == ties


def graph(episodes: int, concepts: int = 90, seed: int = 0) -> Snapshot:
    """Episodes of three shows, some without a number, with the ties that texts make; concepts in twelve areas."""
    rng = random.Random(seed)
    taught = {(f"e{e:04}", f"c{rng.randrange(concepts)}") for e in range(episodes) for _ in range(2)}
    named = {(f"e{e:04}", f"c{int(concepts * rng.random() ** 2)}") for e in range(episodes) for _ in range(6)} - taught
    cited = {(f"e{e:04}", f"l{rng.randrange(episodes)}") for e in range(0, episodes, 2)}
    told = tuple(
        Episode(f"e{n:04}", f"E{n}", show=f"Show {n % 3}", number=n // 3 if n % 7 else None) for n in range(episodes)
    )
    return builds.graph(
        " ".join(f"c{n}:{n % 12}" for n in range(concepts)),
        episodes=told,
        links=tuple(Link(link, f"https://e.org/{link}", type="other") for link in sorted({link for _, link in cited})),
        teaches=tuple(Teaches(e, c, depth="main", weight=rng.choice([0.3, 0.5, 1.0])) for e, c in sorted(taught)),
        mentions=tuple(
            Mentions(e, c, count=1, field="description", start=0, end=1, evidence="C") for e, c in sorted(named)
        ),
        requires=", ".join(f"c{n} c{rng.randrange(n)}" for n in range(1, concepts, 2)),
        listen_after=", ".join(f"e{n:04} e{rng.randrange(n):04}: q" for n in range(1, episodes, 9)),
        cites=tuple(Cites(e, link, quote="q") for e, link in sorted(cited)),
    )


def best(of: Snapshot, limit: int, *, few: int) -> list[dict[str, float]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("torchatlas.graph.related._FEW", few)
        return [dict(nearest) for nearest in ranked(of, limit).values()]


def test_the_many_walks_of_a_large_map_give_the_scores_and_the_episodes_that_a_few_give() -> None:
    pairs = list(zip(best(graph(120), 5, few=0), best(graph(120), 5, few=120), strict=True))
    shared = [(e, found, exact) for found, exact in pairs for e in found.keys() & exact.keys()]
    assert len(shared) > 0.98 * 5 * 120
    assert max(abs(found[e] - exact[e]) for e, found, exact in shared) < 0.0005


def test_the_closeness_of_two_episodes_is_divided_by_the_average() -> None:
    walk = Nearness(graph(60))
    for here in range(60):
        close = walk.closeness(here)
        assert close.sum() == pytest.approx(59) and close[here] == 0


@pytest.mark.parametrize(("apart", "close"), [(1335, 1.0), (20_260_101, 0.0)])
def test_two_episodes_may_be_any_number_apart(apart: int, close: float) -> None:
    pair = tuple(Episode(f"e{number}", "E", show="Show", number=number) for number in (0, apart))
    assert Nearness(Snapshot(episodes=pair)).closeness(0).tolist() == [0.0, pytest.approx(close)]


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


@pytest.mark.parametrize("kind", ["teaches", "mentions", "cites", "listen_after", "requires", "concepts"])
def test_a_large_map_may_lack_any_kind_of_tie(kind: str) -> None:
    whole = graph(40, concepts=8)
    bare = dict.fromkeys(("teaches", "mentions", "requires"), ()) if kind == "concepts" else {}
    poor = replace(whole, **{**bare, kind: ()})
    for found, all_ in zip(best(poor, 3, few=0), best(poor, 40, few=40), strict=True):
        assert all(score == pytest.approx(all_[episode], abs=0.002) for episode, score in found.items())


@settings(max_examples=times(60), deadline=None)
@given(snapshots(max_nodes=6))
def test_whatever_the_map_is_scores_are_numbers_from_nought_to_one(of: Snapshot) -> None:
    for few in (0, 500):
        assert all(0 <= score <= 1 for nearest in best(of, 3, few=few) for score in nearest.values())
        assert all(e.id not in nearest for e, nearest in zip(of.episodes, best(of, 3, few=few), strict=True))
