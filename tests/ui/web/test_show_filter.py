"""The filter by show on every page, over a map with two shows, of which one has a hostile title."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.atlas import HOSTILE, of_two_shows, stored
from tests.ui.walks import Steps, walks
from tests.ui.web.conftest import Open, links, picture, shown, walk
from torchatlas.graph.model import Snapshot
from torchatlas.graph.views import areas_of, part_of_shows
from torchatlas.ui.drawing import area_hues

WALKS = r"""
The list of episodes and a search hold the show alone
episode?podcast=other-show => 4 episodes
explore?find=On view => ▶ \#3 On view
explore?find=On view&podcast=other-show => !▶

A plan takes the episodes of the show alone
path?goal=tracing => [*7* **On tracing**]
path?goal=tracing&podcast=other-show => ![*7* **On tracing**] | !On tracing

An episode of another show is told and one click away
explore?podcast=other-show&node=show-view => On view: not in the podcast that you chose
> Show all podcasts => ?podcast= | !not in the podcast
explore?podcast=other-show&path=show-view => On view: not in the podcast that you chose
> Show all podcasts => ?podcast= | !not in the podcast
episode?podcast=other-show&episode=show-view => On view: not in the podcast that you chose
> Show all podcasts => ?podcast= | !not in the podcast
path?podcast=other-show&goal=show-view&goal=extra-01 => On view: not in the podcast that you chose
> Show all podcasts => ?podcast= | !not in the podcast

A show that is not there is told and all are shown
episode?podcast=nope => There is no “nope” in this graph | 12 episodes
"""


@pytest.fixture(scope="module")
def bordering() -> Snapshot:
    """The graph with its areas far apart; two episodes of The Show alone make two of them neighbours of the third."""
    graph = of_two_shows()
    area_of, left = areas_of(graph), {"Autograd": -9000, "Tensors": 0, "Compilation": 9000, "": 18000}
    concepts = tuple(replace(c, x=c.x + left[c.area]) for c in graph.concepts)
    beside = {c.id: (c.x + 9, c.y) for c in concepts}
    moved = {"show-tensor": beside["autograd"], "show-strides": beside["tracing"]}
    places = {e.id: moved.get(e.id, (e.x + left[area_of[e.id]], e.y)) for e in graph.episodes}
    episodes = tuple(replace(e, x=places[e.id][0], y=places[e.id][1]) for e in graph.episodes)
    return replace(graph, concepts=concepts, episodes=episodes)


@pytest.fixture(scope="module")
def environment(bordering: Snapshot, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return stored(tmp_path_factory.mktemp("home"), bordering)


def carried(app: Any) -> set[str]:
    """What the links to other pages say of the podcast."""
    queries = [link.query_string.split("&") for link in links(app).values()]
    return {next((part for part in query if part.startswith("podcast=")), "") for query in queries}


@walks(WALKS)
def test_step_by_step(visit: Open, profile: Path, steps: Steps) -> None:
    walk(visit, profile, steps)


def test_the_choice_of_a_show_leaves_its_episodes_on_the_map_at_their_places(visit: Open) -> None:
    other = {"show-more-0", "show-more-1", "show-more-2", "show-hostile"}
    app = visit()
    whole = {dot["id"]: (dot["x"], dot["y"]) for dot in picture(app)["nodes"]}
    app.selectbox(key="url_podcast").select("other-show").run()
    part = {dot["id"]: (dot["x"], dot["y"]) for dot in picture(app)["nodes"]}
    assert {id_ for id_ in part if id_.startswith("show-")} == other < whole.keys() and part.items() <= whole.items()
    assert app.query_params["podcast"] == "other-show" and carried(app) == {"podcast=other-show"}


@pytest.mark.parametrize("kind", ["met", "episodes"])
def test_an_area_keeps_its_colour(visit: Open, bordering: Snapshot, kind: str) -> None:
    assert area_hues(bordering) != area_hues(part_of_shows(bordering, ["other-show"]))
    areas = picture(visit(f"explore?show={kind}&podcast=other-show"))["areas"]
    assert {area["name"]: area["hue"] for area in areas} == area_hues(bordering)


@pytest.mark.parametrize("page", ["episode", "path"])
def test_every_page_lists_the_episodes_of_the_show_and_keeps_it(visit: Open, page: str) -> None:
    app = visit(f"{page}?podcast=other-show")
    assert carried(app) == {"podcast=other-show"} and app.selectbox(key="url_podcast").value == "other-show"
    offered = json.dumps(app.selectbox(key={"episode": "search_box", "path": "add_goal"}[page]).options)
    assert "More 1" in offered and "On view" not in offered


def test_cypher_asks_the_whole_graph_and_the_choice_comes_back_behind_it(visit: Open) -> None:
    app = visit("cypher?podcast=other-show&text=MATCH (e:Episode {id: 'show-view'}) RETURN e.id")
    assert not [box for box in app.selectbox if box.key == "url_podcast"]
    assert any("On view" in label for label in links(app)) or "Plan a path to it" in links(app)
    assert carried(app) == {"podcast=other-show"}


def test_an_episode_tells_the_facts_of_its_show_and_no_picture_is_fetched(visit: Open) -> None:
    app = visit("episode?episode=show-view")
    said = shown(app)
    assert "[The Show](https://example.org/show), by " in said and "<img" not in said.replace("\\<", "")
    assert "rss?token=***" in said.replace("\\", "") and "art.png" not in said and not app.get("imgs")
    hostile = shown(visit("episode?episode=show-hostile"))
    assert HOSTILE not in hostile and "onerror" in hostile
