from torchatlas.cards import called, namesakes
from torchatlas.graph.values.model import Episode, Snapshot


def test_episodes_with_one_title_are_told_apart_by_their_shows() -> None:
    twins = (Episode("a/x", "Strides", show="Show A", number=7), Episode("b/x", "Strides", show="Show B"))
    snapshot = Snapshot(episodes=(*twins, Episode("a/y", "Views", show="Show A", number=8)))
    assert namesakes(snapshot) == {"a/x": "Show A", "b/x": "Show B"}
    assert called(snapshot) == {"a/x": "7. Strides (Show A)", "b/x": "Strides (Show B)", "a/y": "8. Views"}
