"""The nearest episodes of a map with very many of them, whose walks lead through hubs, beside walks step by step."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings

from tests.strategies import snapshots, times
from torchatlas.graph.model import (
    Cites,
    Concept,
    Episode,
    Link,
    ListenAfter,
    Mentions,
    Requires,
    Snapshot,
    Teaches,
)
from torchatlas.graph.related import Nearness, _counted_on, ranked


def graph(episodes: int, concepts: int = 90, seed: int = 0) -> Snapshot:
    """Episodes of three shows, some without a number, with the ties that texts make; concepts in twelve areas."""
    rng = random.Random(seed)
    taught = {(f"e{e:04}", f"c{rng.randrange(concepts)}") for e in range(episodes) for _ in range(2)}
    named = {(f"e{e:04}", f"c{int(concepts * rng.random() ** 2)}") for e in range(episodes) for _ in range(6)} - taught
    cited = {(f"e{e:04}", f"l{rng.randrange(episodes)}") for e in range(0, episodes, 2)}
    return Snapshot(
        tuple(Concept(f"c{n}", f"C{n}", area=f"Area {n % 12}") for n in range(concepts)),
        tuple(
            Episode(f"e{n:04}", f"E{n}", show=f"Show {n % 3}", number=n // 3 if n % 7 else None)
            for n in range(episodes)
        ),
        links=tuple(Link(link, f"https://e.org/{link}", type="other") for link in sorted({link for _, link in cited})),
        teaches=tuple(Teaches(e, c, depth="main", weight=rng.choice([0.3, 0.5, 1.0])) for e, c in sorted(taught)),
        mentions=tuple(
            Mentions(e, c, count=1, field="description", start=0, end=1, evidence="C") for e, c in sorted(named)
        ),
        requires=tuple(
            Requires(f"c{n}", f"c{rng.randrange(n)}", need="hear", reason="r") for n in range(1, concepts, 2)
        ),
        listen_after=tuple(
            ListenAfter(f"e{n:04}", f"e{rng.randrange(n):04}", quote="q") for n in range(1, episodes, 9)
        ),
        cites=tuple(Cites(e, link, quote="q") for e, link in sorted(cited)),
    )


def best(of: Snapshot, limit: int, *, few: int) -> list[dict[str, float]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("torchatlas.graph.related._FEW", few)
        return [dict(nearest) for nearest in ranked(of, limit).values()]


@pytest.mark.slow
def test_walks_through_hubs_give_the_scores_and_nearly_all_episodes_that_walks_step_by_step_give() -> None:
    pairs = list(zip(best(graph(400), 5, few=0), best(graph(400), 5, few=400), strict=True))
    shared = [(e, found, all_) for found, all_ in pairs for e in found.keys() & all_.keys()]
    assert len(shared) > 0.98 * 5 * 400
    assert max(abs(found[e] - all_[e]) for e, found, all_ in shared) < 0.002


def test_a_map_beyond_the_bound_is_walked_through_hubs_and_one_below_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchatlas.graph.related._HUBS", 20)
    small, walked = graph(120, concepts=40), list[bool]()
    original = Nearness._through_hubs
    monkeypatch.setattr(Nearness, "_through_hubs", lambda self: walked.append(True) or original(self))
    best(small, 5, few=120)
    assert not walked
    best(small, 5, few=119)
    assert walked


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
