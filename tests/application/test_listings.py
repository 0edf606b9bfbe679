from torchatlas.graph.model import Episode, Snapshot
from torchatlas.graph.views import episode_names


def test_episodes_with_one_title_are_told_apart_by_their_shows() -> None:
    twins = (Episode("b/x", "Strides", show="Show B"), Episode("a/x", "Strides", show="Show A", number=7))
    graph = Snapshot(episodes=(Episode("a/y", "Views", show="Show A", number=8), *twins))
    named = {"a/x": "#7 Strides (Show A)", "a/y": "#8 Views", "b/x": "Strides (Show B)"}
    assert list(episode_names(graph).items()) == list(named.items())


def test_episodes_without_a_number_or_with_one_number_in_two_seasons_stand_by_their_days() -> None:
    days = {
        "Alpha": (None, "2024-03-01"),
        "Beta": (None, "2024-01-01"),
        "Coda": (1, "2025-01-01"),
        "Delta": (1, "2024-02-01"),
    }
    episodes = (Episode(t, t, show="Show", number=n, published=day) for t, (n, day) in days.items())
    assert [*episode_names(Snapshot(episodes=tuple(episodes)))] == ["Beta", "Alpha", "Delta", "Coda"]


def test_the_episodes_of_a_season_stand_together() -> None:
    told = [(2, 1), (1, 2), (1, 1)]
    episodes = tuple(Episode(f"{s}{n}", "T", show="Show", number=n, season=s) for s, n in told)
    named = episode_names(Snapshot(episodes=episodes))
    assert list(named.values()) == ["S1 E1 T (Show)", "S1 E2 T (Show)", "S2 E1 T (Show)"]
