"""The filter by show on every page, over a map with two shows, of which one has a hostile title."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.atlas import HOSTILE, of_two_shows, stored
from tests.ui.web.conftest import Open, links, picture, press, shown
from torchatlas.graph.drawing import area_hues, areas_of
from torchatlas.graph.model import Snapshot
from torchatlas.graph.views import part_of_shows

OTHER = {"show-more-0", "show-more-1", "show-more-2", "show-hostile"}


def bordering() -> Snapshot:
    """The graph with its areas far apart; two episodes of The Show alone make two of them neighbours of the third."""
    graph = of_two_shows()
    area_of, left = areas_of(graph), {"Autograd": -9000, "Tensors": 0, "Compilation": 9000, "": 0}
    concepts = tuple(replace(c, x=c.x + left[c.area]) for c in graph.concepts)
    beside = {c.id: (c.x + 9, c.y) for c in concepts}
    moved = {"show-tensor": beside["autograd"], "show-strides": beside["tracing"]}
    places = {e.id: moved.get(e.id, (e.x + left[area_of[e.id]], e.y)) for e in graph.episodes}
    episodes = tuple(replace(e, x=places[e.id][0], y=places[e.id][1]) for e in graph.episodes)
    return replace(graph, concepts=concepts, episodes=episodes)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return stored(tmp_path_factory.mktemp("home"), bordering())


def episodes(app: Any) -> set[str]:
    return {dot["id"] for dot in picture(app)["nodes"] if dot["id"].startswith("show-")}


def carried(app: Any) -> set[str]:
    """What the links to other pages say of the podcast."""
    queries = [link.query_string.split("&") for link in links(app).values()]
    return {next((part for part in query if part.startswith("podcast=")), "") for query in queries}


def test_the_choice_of_a_show_is_in_the_address_and_leaves_its_episodes_on_the_map(visit: Open) -> None:
    app = visit()
    assert episodes(app) > OTHER
    whole = {dot["id"]: dot for dot in picture(app)["nodes"]}
    app.selectbox(key="url_podcast").select("other-show").run()
    assert app.query_params["podcast"] == "other-show" and episodes(app) == OTHER
    places = {id_: (dot["x"], dot["y"]) for id_, dot in whole.items()}
    assert all(places[dot["id"]] == (dot["x"], dot["y"]) for dot in picture(app)["nodes"])
    assert carried(app) == {"podcast=other-show"}


@pytest.mark.parametrize("kind", ["met", "episodes"])
def test_an_area_keeps_its_colour(visit: Open, kind: str) -> None:
    whole, part = bordering(), part_of_shows(bordering(), ["other-show"])
    assert area_hues(whole) != area_hues(part)
    areas = picture(visit(show=kind, podcast="other-show"))["areas"]
    assert {area["name"]: area["hue"] for area in areas} == area_hues(whole)


@pytest.mark.parametrize("page", ["episode", "path"])
def test_every_page_lists_the_episodes_of_the_show_and_keeps_it(visit: Open, page: str) -> None:
    app = visit(page, podcast="other-show")
    assert carried(app) == {"podcast=other-show"}
    assert app.selectbox(key="url_podcast").value == "other-show"
    offered = json.dumps(app.selectbox(key="search_box").options)
    assert "More 1" in offered and "On view" not in offered


def test_the_list_of_episodes_and_a_search_hold_the_show_alone(visit: Open) -> None:
    assert "4 episodes" in shown(visit("episode", podcast="other-show"))
    assert r"▶ \#3 On view" in shown(visit(find="On view"))
    assert "▶" not in shown(visit(podcast="other-show", find="On view"))


def test_a_plan_takes_the_episodes_of_the_show_alone(visit: Open) -> None:
    whole, other = (visit("path", goal=["tracing"], **of) for of in ({}, {"podcast": "other-show"}))
    assert "On tracing" in shown(whole) + str(links(whole))
    assert "On tracing" not in shown(other) + str(links(other))


@pytest.mark.parametrize(
    ("page", "named"),
    [
        ("explore", {"node": "show-view"}),
        ("explore", {"path": "show-view"}),
        ("episode", {"episode": "show-view"}),
        ("path", {"goal": ["show-view", "extra-01"]}),
    ],
)
def test_an_episode_of_another_show_is_told_and_one_click_away(visit: Open, page: str, named: dict[str, Any]) -> None:
    app = visit(page, podcast="other-show", **named)
    assert "On view: not in the podcast that you chose" in shown(app)
    press(app, "Show all podcasts")
    assert "podcast" not in app.query_params and "not in the podcast" not in shown(app)


def test_a_show_that_is_not_there_is_told_and_all_are_shown(visit: Open) -> None:
    app = visit("episode", podcast="nope")
    assert "There is no “nope” in this graph" in shown(app) and "12 episodes" in shown(app)


def test_cypher_asks_the_whole_graph_and_the_choice_comes_back_behind_it(visit: Open) -> None:
    app = visit("cypher", podcast="other-show", text="MATCH (e:Episode {id: 'show-view'}) RETURN e.id")
    assert not [box for box in app.selectbox if box.key == "url_podcast"]
    assert any("On view" in label for label in links(app)) or "Plan a path to it" in links(app)
    assert carried(app) == {"podcast=other-show"}


def test_an_episode_tells_the_facts_of_its_show_and_no_picture_is_fetched(visit: Open) -> None:
    app = visit("episode", episode="show-view")
    said = shown(app)
    assert "[The Show](https://example.org/show), by " in said and "<img" not in said.replace("\\<", "")
    assert "rss?token=***" in said.replace("\\", "")
    assert "art.png" not in said and not app.get("imgs")
    hostile = shown(visit("episode", episode="show-hostile"))
    assert HOSTILE not in hostile and "onerror" in hostile
