from torchatlas.cards import called, concept_card, episode_card, namesakes
from torchatlas.graph.values.model import Concept, Episode, Snapshot, Teaches


def test_episodes_with_one_title_are_told_apart_by_their_shows() -> None:
    twins = (Episode("a/x", "Strides", show="Show A", number=7), Episode("b/x", "Strides", show="Show B"))
    snapshot = Snapshot(episodes=(*twins, Episode("a/y", "Views", show="Show A", number=8)))
    assert namesakes(snapshot) == {"a/x": "Show A", "b/x": "Show B"}
    assert called(snapshot) == {"a/x": "7. Strides (Show A)", "b/x": "Strides (Show B)", "a/y": "8. Views"}


def test_a_notebook_shows_a_card_as_facts_and_tables() -> None:
    snapshot = Snapshot(
        (Concept("view", "view", area="Tensors", aliases=("as_strided", "slice")),),
        (Episode("a/y", "Views", show="Show A", number=8),),
        teaches=(Teaches("a/y", "view", depth="main", at=66),),
    )
    concept, episode = concept_card(snapshot, "view")._repr_markdown_(), episode_card(snapshot, "a/y")._repr_markdown_()
    assert r"- aliases: as\_strided; slice" in concept
    assert "**taught in**\n\n| id | name | main | at | note |\n" in concept
    assert "- facts: Show A; episode 8; length unknown" in episode and "| view | view | True | 66 |" in episode
