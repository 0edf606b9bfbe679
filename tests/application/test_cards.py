"""Cards and lists: their words, in a notebook too, and the names of episodes."""

from tests.graph.builds import edges, graph
from torchatlas.graph.model import Concept, Episode, Requires, Snapshot, Teaches
from torchatlas.graph.views import concept_card, episode_card, episode_names


def test_a_notebook_shows_a_card_as_facts_and_tables() -> None:
    snapshot = graph(
        (Concept("view", "view", area="Tensors", aliases=("as_strided", "slice")),),
        (Episode("a/y", "Views", show="Show A", number=8),),
        teaches=(Teaches("a/y", "view", depth="main", at=66),),
    )
    concept, episode = concept_card(snapshot, "view")._repr_markdown_(), episode_card(snapshot, "a/y")._repr_markdown_()
    assert r"- aliases: as\_strided; slice" in concept
    table = "| name | why |\n| --- | --- |\n| {} | main subject, explained at 1:06 |"
    assert f"**Explained in**\n\n{table.format('#8 Views')}" in concept
    assert "- facts: Show A; episode 8; length unknown" in episode and table.format("view") in episode


NAMES = {"d": "dispatcher", "k": "dispatch key", "o": "operator"}
GRAPH = graph(
    tuple(Concept(id_, name, area="Core") for id_, name in NAMES.items()),
    requires=(
        *edges("requires", "d o bridge: an operator has many kernels"),
        Requires("d", "k", need="bridge", reason=""),
    ),
    concept_relations="d USES k: dispatcher uses dispatch key, d USES o: each operator has a table of kernels",
)


def test_a_reason_that_only_repeats_a_relation_is_left_out() -> None:
    assert [(row.name, row.why) for row in concept_card(GRAPH, "d").others] == [
        ("dispatch key", "uses"),
        ("operator", "uses; each operator has a table of kernels"),
    ]
    assert concept_card(GRAPH, "k").others[0].why == "used by"


def test_the_reason_of_a_need_stands_before_its_degree() -> None:
    assert {row.name: row.why for row in concept_card(GRAPH, "d").needs} == {
        "operator": "an operator has many kernels (a sentence is enough)",
        "dispatch key": "a sentence is enough",
    }


def test_episodes_with_one_title_are_told_apart_by_their_shows() -> None:
    twins = (Episode("b/x", "Strides", show="Show B"), Episode("a/x", "Strides", show="Show A", number=7))
    found = Snapshot(episodes=(Episode("a/y", "Views", show="Show A", number=8), *twins))
    named = {"a/x": "#7 Strides (Show A)", "a/y": "#8 Views", "b/x": "Strides (Show B)"}
    assert list(episode_names(found).items()) == list(named.items())


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
