"""Shows in the graph: stated by several sources, each one node; and nothing else depends on them."""

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings

from tests.atlas import CHAIN, snapshot
from tests.strategies import snapshots, times
from torchatlas.graph.build import join_graph
from torchatlas.graph.findings import Catalogue, Extraction, Vocabulary
from torchatlas.graph.identity import joined_shows, merge_sources
from torchatlas.graph.layout import overview
from torchatlas.graph.model import Episode, InShow, Show, Snapshot
from torchatlas.graph.planning.plan import make_plan
from torchatlas.graph.related import nearest, related

NAMED = Show("hum", "Hum", author="Ada")


def joined(*stated: Show) -> list[tuple[str, ...]]:
    """The titles of the shows that are one, for each of them."""
    groups: dict[Show, list[str]] = {}
    for show, one in joined_shows(stated).items():
        groups.setdefault(one, []).append(show.title)
    return sorted(tuple(sorted(group)) for group in groups.values())


@pytest.mark.parametrize(
    "other",
    [
        Show("hum", "HUM!", url="https://hum.invalid"),
        Show("the-hum", "The Hum", guid="A-1"),
        Show("the-hum", "The Hum", feed_url="http://hum.invalid/rss/"),
        Show("the-hum", "The Hum", feed_url="https://www.HUM.invalid/rss"),
    ],
)
def test_the_same_guid_feed_or_title_is_one_show_with_all_facts(other: Show) -> None:
    first = Show("hum", "Hum", guid="a-1", feed_url="https://hum.invalid/rss")
    one = joined_shows([first, other])
    assert one[first] == one[other]
    assert (one[other].id, one[other].title, one[other].guid, one[other].url) == ("hum", "Hum", "a-1", other.url)


def test_three_sources_are_one_where_each_knows_the_next_in_any_order() -> None:
    sources = Show("a", "A", guid="1"), Show("b", "B", guid="1", feed_url="https://b.invalid"), Show("c", "C",
        feed_url="https://b.invalid")  # fmt: skip
    for order in permutations(sources):
        assert joined(*order) == [("A", "B", "C")]


def test_one_title_with_two_guids_is_two_shows_with_ids_of_their_own() -> None:
    one, two = Show("hum", "Hum", guid="1"), Show("hum", "Hum", guid="2")
    found = joined_shows([one, two, Show("hum", "Hum")])
    assert found[one].id == "hum" != found[two].id and found[two].id.startswith("hum-")
    assert found[Show("hum", "Hum")] == found[one]
    assert joined_shows([one, two]) == joined_shows([one, two])


def test_titles_without_a_letter_are_compared_as_they_are() -> None:
    assert joined(Show("a", "\N{GRAPES}"), Show("b", "\N{MELON}"), Show("c", "\N{MELON}")) == [
        ("\N{GRAPES}",),
        ("\N{MELON}", "\N{MELON}"),
    ]


def test_a_masked_address_joins_nothing() -> None:
    """Two private feeds may differ in their tokens alone."""
    private = [Show(id_, id_, feed_url="https://host.invalid/rss?token=***") for id_ in "ab"]
    assert joined(*private) == [("a",), ("b",)]


def test_an_episode_in_two_feeds_is_in_both_shows_and_the_edges_say_under_which_name() -> None:
    network = Show("network", "The Network")
    one, two = (Episode(f"hum/{n}", n, show="HUM", guid=n) for n in "12")
    told = [Extraction(one, "", show=NAMED), Extraction(one, "", show=network), Extraction(two, "")]
    assert merge_sources(Catalogue(), [*told, told[0]]).in_show == (
        InShow("hum/1", "hum", quote="Hum"),
        InShow("hum/1", "network", quote="The Network"),
        InShow("hum/2", "hum", quote="HUM"),
    )


def test_catalogue_feeds_and_pages_of_one_show_are_one_node() -> None:
    catalogue = Catalogue((Episode("hum/one", "One", show="Hum"),), shows=(replace(NAMED, url="https://hum.invalid"),))
    fed = Extraction(
        Episode("hum/two", "Two", show="Hum"), "", show=Show("hum", "hum", feed_url="https://hum.invalid/rss")
    )
    page = Extraction(Episode("hum/three", "Three", show="Hum"), "")
    nameless = Extraction(Episode("x/four", "Four", show=""), "")
    graph = join_graph(Vocabulary(()), catalogue, [fed, page, nameless]).graph
    assert graph.shows == (
        Show("hum", "Hum", author="Ada", url="https://hum.invalid", feed_url="https://hum.invalid/rss"),
    )
    assert [(e.source, e.quote) for e in graph.in_show] == [
        ("hum/one", "Hum"),
        ("hum/three", "Hum"),
        ("hum/two", "hum"),
    ]


def test_shows_with_one_title_keep_their_own_episodes() -> None:
    """Each of the two begins with an episode called so, as many shows do."""

    first = Episode("news/introduction", "Introduction", show="News")
    entries = [
        Extraction(replace(first, guid=f"{guid}/1"), "", show=Show("news", "News", guid=guid)) for guid in ("G1", "G2")
    ]
    graph = join_graph(Vocabulary(()), Catalogue(), entries).graph
    assert [e.guid for e in graph.episodes] == ["G1/1", "G2/1"]
    assert [(e.source, graph.show[e.target].guid) for e in graph.in_show] == [
        ("news/introduction", "G1"),
        ("news/introduction-2", "G2"),
    ]


def test_a_show_without_episodes_is_not_in_the_graph() -> None:
    assert join_graph(Vocabulary(()), Catalogue(shows=(NAMED,)), []).graph.shows == ()


@given(snapshots())
@settings(max_examples=times(40))
def test_places_and_nearness_do_not_depend_on_shows(graph: Snapshot) -> None:
    without = replace(graph, shows=(), in_show=())
    assert overview(graph) == overview(without)
    assert nearest(graph) == nearest(without)


def test_plans_do_not_depend_on_shows() -> None:
    """A show would be a hub: one step from each of its episodes to each other."""
    without = snapshot()
    edges = tuple(InShow(e.id, "hum", quote="Hum") for e in without.episodes)
    graph = replace(without, shows=(NAMED,), in_show=edges)
    for goal in (*CHAIN, *graph.episode):
        assert make_plan(graph, [goal]) == make_plan(without, [goal])
    assert [related(graph, e) for e in graph.episode] == [related(without, e) for e in graph.episode]
