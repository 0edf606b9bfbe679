from torchatlas.graph.values.model import Episode, Snapshot
from torchatlas.presentation.listings import episode_names


def test_episodes_with_one_title_are_told_apart_by_their_shows() -> None:
    twins = (Episode("b/x", "Strides", show="Show B"), Episode("a/x", "Strides", show="Show A", number=7))
    graph = Snapshot(episodes=(Episode("a/y", "Views", show="Show A", number=8), *twins))
    named = {"a/x": "#7 Strides (Show A)", "a/y": "#8 Views", "b/x": "Strides (Show B)"}
    assert list(episode_names(graph).items()) == list(named.items())
