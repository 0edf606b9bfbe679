"""The path page without a browser: goals in any words, budgets, what is heard, and what can be taken back."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.atlas import CHAIN, snapshot, stored
from tests.doc_sessions import ROOT
from tests.ui.cli.commands import done
from tests.ui.web.conftest import Open, links, press, shown
from torchatlas.ui.plans import FORMATS

WORDS = "how do functionalizations go"


def test_other_names_are_offered_with_the_concept_that_they_mean(visit: Open) -> None:
    app = visit("path")
    box = app.selectbox(key="add_goal")
    assert "autograd idea · taping" in box.options and "▶ #3 On view" in box.options
    box.set_value("taping").run()
    assert app.query_params["goal"] == "taping"
    said = shown(app).replace("\\", "")
    assert '"taping" is another name of autograd idea' in said and "4 episodes, 50 min" in said
    press(app, "chip:goal:0:taping")
    assert not app.query_params.get("goal") and "Goals to begin with" in shown(app)


def test_words_are_a_goal_and_another_reading_is_a_click_away(visit: Open) -> None:
    app = visit("path", goal=WORDS)
    said = shown(app).replace("\\", "")
    assert f'I took "{WORDS}" to mean functionalization idea' in said and "6 episodes" in said
    assert [m.value for m in app.markdown].count("Other readings:") == 1
    assert not any("Other readings" in info.value for info in app.info)
    press(app, f"instead:{WORDS}:0")
    assert app.query_params["goal"] == "show-functionalization" and "I took" not in shown(app)


@pytest.mark.parametrize(
    ("key", "goals"),
    [
        (f"instead:{WORDS}:0", ["view", "show-functionalization"]),
        (f"chip:goal:1:{WORDS}", ["view"]),
        ("chip:goal:0:view", [WORDS]),
    ],
)
def test_a_change_of_one_goal_keeps_the_others(visit: Open, key: str, goals: list[str]) -> None:
    app = visit("path", goal=["view", WORDS])
    press(app, key)
    left = app.query_params["goal"]
    assert ([left] if isinstance(left, str) else left) == goals


def test_words_that_mean_nothing_bring_the_nearest_names_as_buttons(visit: Open) -> None:
    app = visit("path", goal="extra")
    assert "There is no “extra” in this graph. Did you mean:" in shown(app)
    press(app, "meant:extra:")
    assert app.query_params["goal"].startswith("extra ") and "There is no" not in shown(app)
    assert "There is no “nope” in this graph" in shown(visit("path", goal="nope"))


def test_an_empty_page_offers_goals_with_their_minutes(visit: Open) -> None:
    app = visit("path")
    assert "Choose what you want to understand" in shown(app)
    card = links(app)["**autograd idea**"]
    assert parse_qs(card.query_string) == {"goal": ["autograd"]} and "4 episodes, 50 min" in shown(app)


def test_a_path_is_in_order(visit: Open) -> None:
    app = visit("path", goal="autograd")
    assert "4 episodes, 50 min" in shown(app)
    found = [link for link in links(app) if link.startswith("**") and ". On" in link]
    assert found == [f"**{n}. On {name}**" for n, name in enumerate(CHAIN[:4], 1)]


def test_a_budget_says_what_it_leaves_out_and_a_button_raises_it(visit: Open) -> None:
    app = visit("path", goal=["autograd", "view"], budget="15")
    assert "15 min" in app.segmented_control(key="url_budget").options
    assert "Left out" in shown(app)
    assert app.button(key="more:9").label == r"+9 min: \#1 On tensor"
    press(app, "more:12")
    assert app.query_params["budget"] == "27" and "2 episodes, 27 min" in shown(app)
    assert "Left out" not in shown(app)


def test_the_depth_of_a_path_stands_in_the_address(visit: Open) -> None:
    app = visit("path", goal="autograd", depth="brief")
    assert "1 episode" in shown(app)
    app.segmented_control(key="url_depth").set_value("usual").run()
    assert "4 episodes" in shown(app) and "depth" not in app.query_params


@pytest.mark.slow
def test_what_is_heard_stays_struck_through_and_is_counted_and_undone(visit: Open, profile: Path) -> None:
    app = visit("path", goal="autograd")
    press(app, "heard:show-tensor")
    kept = tomllib.loads(profile.read_text("utf-8"))
    assert kept["heard"] == ["show-tensor"] and kept["goals"] == ["autograd"]
    said = shown(app).replace("\\", "")
    assert "~~On tensor~~" in said and "Marked as heard: On tensor." in said
    assert app.get("progress")[0].proto.text.replace("\\", "") == "1 of 4 heard, 11 min of 50 min"
    press(app, "undo")
    assert "~~" not in shown(app) and not app.get("progress")
    assert tomllib.loads(profile.read_text("utf-8"))["heard"] == []


@pytest.mark.slow
def test_when_all_is_heard_one_sentence_says_so_and_what_it_opens(visit: Open, profile: Path) -> None:
    profile.write_text(f"heard = {json.dumps(['show-' + name for name in CHAIN[:4]])}", "utf-8")
    app = visit("path", goal="autograd")
    assert len(app.success) == 1 and "0 episodes" not in shown(app) and "Nothing is left" not in shown(app)
    assert "What this opens up" in shown(app)
    assert parse_qs(links(app)["**dispatcher idea**"].query_string) == {"goal": ["dispatcher"]}


@pytest.mark.slow
def test_any_name_of_a_concept_can_be_known_and_taken_back(visit: Open, profile: Path) -> None:
    app = visit("path", goal="view")
    assert "autograd idea · taping" in app.selectbox(key="add_known").options
    app.selectbox(key="add_known").set_value("strides idea").run()
    assert tomllib.loads(profile.read_text("utf-8"))["known"] == ["strides"]
    assert "1 episode, 13 min" in shown(app) and "You know strides idea." in shown(app).replace("\\", "")
    press(app, "chip:known:0:strides")
    assert tomllib.loads(profile.read_text("utf-8"))["known"] == []
    press(app, "undo")
    assert tomllib.loads(profile.read_text("utf-8"))["known"] == ["strides"]


def test_a_step_plays_where_something_is_explained(visit: Open, profile: Path) -> None:
    app = visit("path", goal="view")
    assert not app.get("audio")  # nothing is fetched from elsewhere before somebody asks
    press(app, "play:show-strides:266:strides idea")
    assert app.query_params["play"] == "show-strides" and app.query_params["at"] == "266"
    assert app.get("audio")[0].proto.start_time == 266
    assert tomllib.loads(profile.read_text("utf-8"))["goals"] == ["view"]


def test_what_can_be_heard_can_be_taken_along_in_each_format(visit: Open) -> None:
    app = visit("path", goal="autograd")
    offered = [button.proto.label for button in app.get("download_button")]
    assert offered == [kind.label for kind in FORMATS.values()]
    app.date_input(key="calendar_start").set_value(None).run()
    buttons = {button.proto.label: button.proto.disabled for button in app.get("download_button")}
    assert buttons["Calendar"] and not buttons["Podcast feed"]


@pytest.mark.slow
def test_the_path_of_a_feed_alone_says_how_sure_it_is(visit: Open, tmp_path: Path, monkeypatch) -> None:
    done(tmp_path, "new", str(tmp_path), "--title", "Baking bread")
    done(tmp_path, "add", str(ROOT / "docs" / "bread.xml"))
    monkeypatch.setenv("TORCHATLAS_HOME", str(tmp_path))
    monkeypatch.delenv("TORCHATLAS_STORE", raising=False)
    assert "**Oven spring**" in links(visit("path"))
    said = shown(visit("path", goal="Oven spring")).replace("\\", "")
    assert ":gray-badge[before] :gray-badge[declared] 21 min" in said and "How sure: declared" in said
    assert ":orange-badge[goal] 16 min" in said


@pytest.mark.slow
def test_sessions_and_speed_stand_in_the_address(visit: Open) -> None:
    app = visit("path", goal="autograd", split="2x20m", speed="2")
    text = shown(app).replace("\\", "")
    assert "4 episodes, 26 min at 2x" in text and "Session 1, " in text and "Session 2, " in text
    app.selectbox(key="url_split").set_value(None).run()
    assert "Session 1" not in shown(app) and "split" not in app.query_params
    app.selectbox(key="url_speed").set_value(None).run()
    assert "4 episodes, 50 min" in shown(app)


def test_a_heard_step_and_the_sums_say_where_a_length_is_estimated(visit: Open, tmp_path: Path, monkeypatch) -> None:
    episodes = tuple(replace(e, minutes=None) if e.id == "show-tensor" else e for e in snapshot().episodes)
    for name, value in stored(tmp_path, replace(snapshot(), episodes=episodes)).items():
        monkeypatch.setenv(name, value)
    (tmp_path / "profile.toml").write_text('heard = ["show-tensor"]', "utf-8")
    app = visit("path", goal="view")
    assert ":material/check: ~~On tensor~~ :small[~15 min]" in shown(app).replace("\\", "")
    assert app.get("progress")[0].proto.text.replace("\\", "") == "1 of 3 heard, ~15 min of ~40 min"
