"""A map of some shows alone: what it knows, and what stays of the person."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.atlas import HOSTILE, of_two_shows, stored
from torchatlas.atlas import Atlas
from torchatlas.graph.errors import QueryError, UnknownName
from torchatlas.graph.model import EDGE_GROUPS, Show, Snapshot
from torchatlas.graph.views import episode_card, episode_rows, part_of_shows, show_named
from torchatlas.profile import change_profile
from torchatlas.settings import load_settings

OTHER = {"show-more-0", "show-more-1", "show-more-2", "show-hostile"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    stored(home, of_two_shows())
    return home


@pytest.fixture
def atlas(home: Path) -> Atlas:
    return Atlas(load_settings(environment={"TORCHATLAS_HOME": str(home)}))


def test_a_part_is_a_graph_of_its_own_with_every_concept_at_its_place() -> None:
    graph = of_two_shows()
    part = part_of_shows(graph, ["other-show"])
    assert set(part.episode) == OTHER
    assert part.concepts == graph.concepts and part.requires == graph.requires
    assert [link.id for link in part.links] == ["bad"] and [show.id for show in part.shows] == ["other-show"]
    assert not part.listen_after and not part.refers_to and not part.related_to
    both = part_of_shows(graph, ["other-show", "the-show"])
    assert both == graph
    assert part_of_shows(graph, []) == Snapshot(
        graph.concepts, requires=graph.requires, concept_relations=graph.concept_relations
    )
    for group in EDGE_GROUPS:
        assert set(getattr(part, group)) <= set(getattr(graph, group))


def test_the_graph_is_loaded_once_for_all_and_for_some_shows(atlas: Atlas) -> None:
    with atlas:
        show = atlas.of_shows("The Show")
        assert show.whole_graph is atlas.whole_graph and show.store is atlas.store


def test_plans_lists_and_searches_of_a_show_know_no_other_episodes(atlas: Atlas) -> None:
    with atlas:
        other, whole = atlas.of_shows("other-show"), atlas.of_shows()
        assert set(other.episode_names()) == OTHER
        assert [step.episode_id for step in other.plan("extra 1").steps] == ["show-more-0"]
        assert not other.plan("aotautograd idea").steps and atlas.plan("aotautograd idea").steps
        assert {hit.id for hit in other.search("On view") if hit.kind == "episode"} <= OTHER
        assert {row.episode_id for row in other.related("More 1")} <= OTHER
        assert {row.id for row in episode_rows(other.graph)} == OTHER
        with pytest.raises(UnknownName):
            other.episode("show-view")
        assert whole.graph is atlas.graph
        assert [kind.count for kind in other.schema().nodes] == [kind.count for kind in atlas.schema().nodes]
        assert other.of_shows("the-show").graph.episode.keys().isdisjoint(OTHER)


def test_episodes_of_other_shows_count_by_what_they_taught(atlas: Atlas) -> None:
    with atlas:
        show = atlas.of_shows("The Show")
        goal = "show-aotautograd"
        assert "show-tracing" in [step.episode_id for step in show.plan(goal).steps]
        change_profile(atlas.settings, lambda profile: profile.having("heard", ["show-more-0"]))
        assert show.plan("extra 1").known == ("extra 1",)
        assert [show_.name for show_ in show.what_next().ready] == [
            s.name for s in atlas.what_next().ready if s.id not in OTHER
        ]
        change_profile(atlas.settings, lambda profile: profile.lacking("heard", ["show-more-0"]))


def test_an_episode_of_another_show_can_be_named_as_heard(atlas: Atlas) -> None:
    with atlas:
        show, other = atlas.of_shows("The Show"), atlas.of_shows("other-show")
        for name in (20, "More 0", "show-more-0"):
            assert show.plan("extra 1", heard=name).known == ("extra 1",)
            assert other.plan("tensor idea", heard=[name, 1]).known == ("tensor idea",)
        with pytest.raises(UnknownName, match="no episode is called 'More 77'"):
            show.plan("extra 1", heard="More 77")
        assert 2 not in {step.number for step in show.plan("aotautograd idea", heard=[20, 2]).steps}


def test_a_name_that_several_shows_have_means_an_episode_of_the_one_that_is_chosen(tmp_path: Path) -> None:
    graph = of_two_shows()
    alike = tuple(replace(e, title="On view", number=3) if e.id == "show-more-0" else e for e in graph.episodes)
    with Atlas(load_settings(environment=stored(tmp_path, replace(graph, episodes=alike)))) as atlas:
        for name in (3, "On view"):
            assert atlas.of_shows("other-show").plan("extra 1", heard=name).steps == ()
            assert atlas.of_shows("The Show").plan("extra 1", heard=name).known == ()


def test_rows_without_an_episode_of_the_chosen_show_name_the_show(atlas: Atlas) -> None:
    with atlas:
        show = atlas.of_shows("The Show")
        rows = show.query("MATCH (e:Episode {id: 'show-more-0'}) RETURN e")
        assert atlas.nodes(rows) == ("show-more-0",)
        with pytest.raises(QueryError, match="no concept and no episode of The Show in 1 row:"):
            show.nodes(rows)


@pytest.mark.parametrize("name", ["the-show", "The Show", "the SHOW", "THE show!"])
def test_a_show_goes_by_id_and_title(atlas: Atlas, name: str) -> None:
    with atlas:
        assert [show.id for show in atlas.of_shows(name).graph.shows] == ["the-show"]


def test_a_part_of_a_title_will_do_where_one_show_has_it(atlas: Atlas) -> None:
    with atlas:
        assert [show.id for show in atlas.of_shows("onerror").graph.shows] == ["other-show"]
        for name in ("", "o", "another podcast"):
            with pytest.raises(UnknownName, match="no show is called"):
                atlas.of_shows(name)


def test_a_title_without_a_letter_is_that_title_alone() -> None:
    graph = Snapshot(shows=(Show("marks", "!!!"), Show("hum", "Hum")))
    assert show_named(graph, " !!! ") == "marks"
    with pytest.raises(UnknownName):
        show_named(graph, "???")


def test_shows_are_listed_with_their_facts_and_stand_on_the_card(atlas: Atlas) -> None:
    with atlas:
        assert [(row.id, row.episodes) for row in atlas.shows()] == [
            ("other-show", 4),
            ("the-show", 8),
        ]
        assert atlas.of_shows("other-show").shows() == atlas.shows()
    (show,) = episode_card(of_two_shows(), "show-view").shows
    assert (show.author, show.url) == (HOSTILE, "https://example.org/show")
