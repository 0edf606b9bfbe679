"""The walk with restart, worked out a second time by plain loops, edge by edge."""

import math
from collections import defaultdict

import pytest

from torchatlas.graph.model import (
    Assumes,
    Cites,
    Concept,
    ConceptRelation,
    Episode,
    Link,
    ListenAfter,
    Mentions,
    RefersTo,
    Requires,
    Snapshot,
    Teaches,
)
from torchatlas.graph.related import Nearness, rarity, related, telling_cites

RARE = {"a": 2, "b": 2, "c": 1}  # concept -> how many of the five episodes teach or assume it
GRAPH = Snapshot(
    concepts=(Concept("a", "A", area="One"), Concept("b", "B", area="One"), Concept("c", "C", area="Two")),
    episodes=(
        Episode("e1", "E1", show="Show", number=1),
        Episode("e2", "E2", show="Show", number=8),
        Episode("e3", "E3", show="Show", number=60),
        Episode("e4", "E4", show="Other", number=2),
        Episode("e5", "E5", show="Show"),
    ),
    links=(Link("l", "https://example.org", type="other"),),
    teaches=(
        Teaches("e1", "a", depth="main", weight=1.0),
        Teaches("e2", "a", depth="part", weight=0.4),
        Teaches("e3", "b", depth="main", weight=0.9),
    ),
    assumes=(Assumes("e4", "b", how="silent"), Assumes("e5", "c", how="silent")),
    mentions=(Mentions("e2", "c", count=1, field="title", start=0, end=1, evidence="C"),),
    requires=(Requires("a", "b", need="hear", reason="r"),),
    concept_relations=(ConceptRelation("b", "c", kind="USES"),),
    refers_to=(
        RefersTo("e1", "e2", relation="mentions"),
        RefersTo("e1", "e3", relation="more_in"),
        RefersTo("e2", "e4", relation="announces"),
        RefersTo("e2", "e5", relation="continues"),
        RefersTo("e5", "e4", relation="listen_first"),
    ),
    listen_after=(ListenAfter("e2", "e1"), ListenAfter("e3", "e4")),
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
