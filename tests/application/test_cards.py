from torchatlas.graph.model import Concept, Episode, Snapshot, Teaches
from torchatlas.graph.views import concept_card, episode_card


def test_a_notebook_shows_a_card_as_facts_and_tables() -> None:
    snapshot = Snapshot(
        (Concept("view", "view", area="Tensors", aliases=("as_strided", "slice")),),
        (Episode("a/y", "Views", show="Show A", number=8),),
        teaches=(Teaches("a/y", "view", depth="main", at=66),),
    )
    concept, episode = concept_card(snapshot, "view")._repr_markdown_(), episode_card(snapshot, "a/y")._repr_markdown_()
    assert r"- aliases: as\_strided; slice" in concept
    assert (
        "**Explained in**\n\n| name | why |\n| --- | --- |\n| #8 Views | main subject, explained at 1:06 |" in concept
    )
    assert "- facts: Show A; episode 8; length unknown" in episode
    assert "| name | why |\n| --- | --- |\n| view | main subject, explained at 1:06 |" in episode
