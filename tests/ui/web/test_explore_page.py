"""The map's page without a browser: what it says, what the URL does, and what the picture is fed."""

from pathlib import Path

import pytest

from tests.atlas import stored
from tests.ui.web.conftest import Open, picture, press, shown
from torchatlas.graph.model import Episode, Snapshot


def test_where_to_begin_speaks_of_what_is_shown(visit: Open) -> None:
    app = visit(show="episodes", order="time")
    assert "12 episodes of" in shown(app) and "as they came out" in shown(app)
    assert "concepts of" not in shown(app) and "Choose a square" in shown(app)


@pytest.mark.slow
def test_the_map_is_fed_with_every_concept_and_episode_at_its_place(visit: Open) -> None:
    assert len(picture(visit())["nodes"]) == 23  # what no episode touches waits behind "All"
    data = picture(app := visit(show="all"))
    assert "Where to begin" in shown(app)
    assert len(data["nodes"]) == 42 and data["selected"] is None and data["lit"] == []
    assert data["options"]["physics"] == {"enabled": False}
    autograd = next(n for n in data["nodes"] if n["id"] == "autograd")
    assert autograd["group"] == "concept" and autograd["area"] == "Autograd" and isinstance(autograd["x"], int)
    assert {e["kind"] for e in data["edges"]} == {"REQUIRES", "TEACHES", "RELATED_TO", "PART_OF", "LISTEN_AFTER"}
    assert {"from": "strides", "to": "view"}.items() <= next(e for e in data["edges"] if e["to"] == "view").items()


def test_a_map_without_concepts_says_how_to_get_some(visit: Open, tmp_path: Path, monkeypatch) -> None:
    for name, value in stored(tmp_path, Snapshot(episodes=(Episode("kettle", "Kettles", show="Tea"),))).items():
        monkeypatch.setenv(name, value)
    app = visit()
    assert "1 episode of" in shown(app) and "no concepts yet" in shown(app) and "0 concepts" not in shown(app)
    (command,) = app.code
    assert command.value == "torchatlas candidates --draft vocabulary.toml" and command.proto.wrap_lines


def test_the_url_chooses_the_concept(visit: Open) -> None:
    app = visit(node="autograd")
    data = picture(app)
    assert data["selected"] == "autograd"
    assert set(data["lit"]) == {"autograd", "view", "dispatcher", "show-autograd"}
    text = shown(app)
    for words in ("autograd idea", "What autograd is", "Needs first", "Leads to", "explained at 4\\:26"):
        assert words in text


@pytest.mark.slow
def test_a_filter_leaves_out_and_never_moves(visit: Open) -> None:
    everything = {n["id"]: (n["x"], n["y"]) for n in picture(visit())["nodes"]}
    area = picture(visit(area="Autograd"))["nodes"]
    episodes = picture(visit(show="episodes"))["nodes"]
    assert {n["area"] for n in area} == {"Autograd"} and {n["group"] for n in episodes} == {"episode"}
    assert all(everything[n["id"]] == (n["x"], n["y"]) for n in [*area, *episodes])


def test_a_neighbourhood_is_a_picture_of_its_own(visit: Open) -> None:
    data = picture(app := visit(node="view", radius="1"))
    assert data["centre"] == "view" and data["lit"] == []
    assert {"view", "strides", "autograd", "tensor", "show-view"} <= {n["id"] for n in data["nodes"]}
    assert "What it needs lies below" in shown(app)


def test_what_the_url_does_not_know_is_ignored(visit: Open) -> None:
    app = visit(node="nothing", area="nowhere", show="<b>", radius="7", path="nowhere")
    data = picture(app)
    assert data["selected"] is None and data["route"] == [] and len(data["nodes"]) == 23
    assert "nothing" in shown(app) and "in this graph" in shown(app)


def test_find_writes_the_url_and_takes_other_names(visit: Open) -> None:
    app = visit()
    offered = app.selectbox(key="search_box").options
    assert any("On strides" in name for name in offered) and "strides idea" in offered
    app.selectbox(key="search_box").select("show-view").run()
    assert app.query_params["node"] == "show-view" and app.selectbox(key="search_box").value is None
    assert "Related episodes" in shown(app) and "show-strides" in picture(app)["lit"]


def test_lists_beside_the_map_name_episodes_by_number_and_title(visit: Open) -> None:
    for given in ({"find": "All of strides."}, {"node": "show-view"}):
        assert r"\#2 On strides" in shown(visit(**given))
    assert r"▶ \#2 On strides" in shown(visit(find="On strides"))


def test_other_words_are_searched_for_and_hits_say_what_they_are(visit: Open) -> None:
    app = visit(find="stridess")
    assert "Found for" in shown(app) and "What strides is" in shown(app) and "strides" in picture(app)["lit"]
    press(app, "Concepts and episodes:strides:0")
    assert app.query_params["node"] == "strides"
    press(app, "Back to what was found")
    assert "Found for" in shown(app) and "node" not in app.query_params
    assert "Nothing" in shown(visit(find="zzzzqqqq"))


def test_what_was_searched_for_stays_in_the_box_until_the_search_ends(visit: Open) -> None:
    app = visit(find="stridess")
    box = app.selectbox(key="search_box")
    assert box.value == "stridess"
    box.select("autograd").run()
    assert app.query_params["node"] == "autograd" and "find" not in app.query_params
    assert app.selectbox(key="search_box").value is None
    app = visit(find="stridess")
    press(app, "Clear the search")
    assert app.selectbox(key="search_box").value is None and "find" not in app.query_params
    app = visit(find="stridess")
    app.selectbox(key="search_box").set_value(None).run()
    assert "find" not in app.query_params and "Where to begin" in shown(app)


def test_a_hit_that_no_episode_touches_is_on_the_map(visit: Open) -> None:
    data = picture(visit(find="extra 20"))
    assert "extra-20" in data["lit"] and "extra-20" in {n["id"] for n in data["nodes"]}


def test_a_choice_outside_of_the_filters_is_told_and_can_be_shown(visit: Open) -> None:
    app = visit(node="autograd", area="Tensors")
    assert "autograd idea is outside of what is shown" in shown(app)
    press(app, "Show it")
    assert "area" not in app.query_params and "outside of what is shown" not in shown(app)


def test_a_route_follows_its_plan_and_can_be_left(visit: Open) -> None:
    app = visit(path="view")
    data = picture(app)
    assert [stop["id"] for stop in data["route"]] == ["show-tensor", "show-strides", "show-view"]
    assert [stop["n"] for stop in data["route"]] == [1, 2, 3] and "3 episodes, 36 min" in shown(app)
    assert all(rf"**{n}.** \#{n} On " in shown(app) for n in (1, 2, 3))
    press(app, "Leave the route")
    assert picture(app)["route"] == [] and "path" not in app.query_params
