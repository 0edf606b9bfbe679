"""Every page, run without a browser: what it says, what the URL does, and what the picture is fed."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.atlas import CHAIN, HOSTILE
from tests.ui.web.conftest import Open
from torchatlas import journeys
from torchatlas.graph.values.curated import Journey
from torchatlas.ui.web import assets, cached


def picture(app: Any) -> dict[str, Any]:
    """What the browser gets: the state, and the picture that it fetches by its revision."""
    state: dict[str, Any] = json.loads(app.get("bidi_component")[0].proto.json)
    return state | dict(assets.kept(state["picture"]) or {})


def shown(app: Any) -> str:
    assert not app.exception, app.exception
    kinds = (app.markdown, app.caption, app.subheader, app.title, app.info, app.warning, app.error, app.code)
    return "\n".join([str(e.value) for kind in kinds for e in kind] + [b.label for b in app.button])


@pytest.mark.parametrize(("page", "name"), [("path", "goal"), ("episode", "episode")])
def test_an_address_that_names_nothing_says_so(visit: Open, page: str, name: str) -> None:
    assert "There is no nope in this graph" in shown(visit(page, **{name: "nope"}))


def test_words_are_a_goal_and_another_reading_is_a_click_away(visit: Open) -> None:
    app = visit("path", goal="how do functionalizations go")
    said = shown(app).replace("\\", "")
    assert 'I took "how do functionalizations go" to mean functionalization idea' in said and "6 episodes" in said
    assert app.multiselect(key="url_goal").value == ["how do functionalizations go"]
    app.button(key="instead:how do functionalizations go:0").click().run()
    assert app.query_params["goal"] == "view" and "I took" not in shown(app)


def test_words_open_an_episode(visit: Open) -> None:
    app = visit("episode", episode="what is strides?")
    said = shown(app).replace("\\", "")
    assert 'I took "what is strides" to mean the episode "On strides"' in said and "All of strides" in said


def test_an_episode_tells_what_it_teaches_assumes_and_what_has_changed(visit: Open) -> None:
    text = shown(visit("episode", episode="show-aotautograd"))
    for words in (
        "On aotautograd",
        "11 May 2021",
        "18 min",
        "What has changed since",
        "aotautograd has moved",
        "What is aotautograd?",
        "Saved tensors come up",
        "with Ada",
    ):
        assert words.replace(".", "\\.") in text or words in text.replace("\\", "")  # fmt: skip


def test_audio_starts_where_the_concept_is_explained(visit: Open) -> None:
    app = visit("episode", episode="show-view")
    assert not app.get("audio")  # nothing is fetched from elsewhere before somebody asks
    app.button(key="play:view").click().run()
    assert app.query_params["at"] == "266"
    assert app.get("audio")[0].proto.start_time == 266


@pytest.mark.slow
def test_heard_and_known_go_to_the_profile(visit: Open, environment: dict[str, str]) -> None:
    profile = Path(environment["TORCHATLAS_HOME"]) / "profile.toml"
    app = visit("episode", episode="show-view")
    app.button(key="heard:show-view").click().run()
    assert tomllib.loads(profile.read_text("utf-8"))["heard"] == ["show-view"]
    app.button(key="heard:show-view").click().run()
    assert tomllib.loads(profile.read_text("utf-8"))["heard"] == []
    app = visit("path", goal="view")
    app.multiselect(key="profile_known").select("strides").run()
    assert tomllib.loads(profile.read_text("utf-8"))["known"] == ["strides"]
    assert "1 episode, 13 min" in shown(app)
    app.multiselect(key="profile_known").unselect("strides").run()


def test_a_path_is_in_order_and_its_picture_points_down(visit: Open) -> None:
    app = visit("path", goal="autograd")
    assert "4 episodes, 50 min" in shown(app)
    data = picture(app)
    place = {n["id"]: n["y"] for n in data["nodes"]}
    assert data["boxed"] and set(place) >= {f"show-{i}" for i in CHAIN[:4]}
    assert all(place[e["from"]] < place[e["to"]] for e in data["edges"])


def test_without_a_goal_the_path_page_says_what_to_do(visit: Open) -> None:
    assert "Choose what you want to understand" in shown(visit("path"))


def test_the_path_page_offers_the_journeys_whose_goals_are_on_the_map(
    visit: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Journey("views", "All about [views]", about="See how *views* work.", goals=("view", "show-strides"))
    elsewhere = Journey("away", "Somewhere else", about="Of another map.", goals=("view", "not-here"))
    monkeypatch.setattr(journeys, "_shipped", lambda: (here, elsewhere))
    app = visit("path")
    cards = {link.proto.label: link.proto for link in app.get("page_link")}
    assert not any("Somewhere else" in label for label in cards)
    card = next(card for label, card in cards.items() if "All about" in label)
    assert card.label == r"**All about \[views\]**"
    assert "See how \\*views\\* work" in shown(app)
    assert parse_qs(card.query_string) == {"goal": ["view", "show-strides"]}


def test_a_budget_says_what_it_leaves_out(visit: Open) -> None:
    assert "Left out" in shown(visit("path", goal=["autograd", "view"], budget="15"))


def test_the_depth_of_a_path_stands_in_the_address(visit: Open) -> None:
    app = visit("path", goal="autograd", depth="brief")
    assert "1 episode" in shown(app)
    app.segmented_control(key="url_depth").set_value("usual").run()
    assert "4 episodes" in shown(app)
    assert "depth" not in app.query_params


@pytest.mark.slow
def test_cypher_answers_refuses_and_explains(visit: Open) -> None:
    app = visit("cypher")
    app.button[0].click().run()
    assert app.dataframe[0].value["area"].tolist()  # the example that stands there to begin with
    app.text_area[0].input("MATCH (c:Concept {id: 'view'}) RETURN c.name AS name")
    app.button[0].click().run()
    assert app.dataframe[0].value["name"].tolist() == ["__torch_function__"]
    app.text_area[0].input("CREATE (c:Concept {id: 'x'})")
    app.button[0].click().run()
    assert not app.exception and "only reading" in app.error[0].value.replace("\\", "")


@pytest.mark.slow
def test_an_answer_stays_is_drawn_and_becomes_a_plan(visit: Open) -> None:
    app = visit("cypher")
    text = "MATCH (e:Episode)-[:TEACHES]->(c:Concept {id: $which}) RETURN e, c.id AS id"
    app.text_area[0].input(text)
    app.button[0].click().run()
    assert not app.dataframe[0].value.columns.isin(["id"]).any()  # it waits for the value
    app.text_input[0].input("view")
    app.button[1].click().run()
    assert app.dataframe[0].value["id"].tolist() == ["view"]
    app.toggle[0].set_value(True).run()
    assert app.dataframe[0].value["id"].tolist() == ["view"]
    assert {n["id"] for n in picture(app)["nodes"]} == {"view", "show-view"}
    assert app.query_params["text"] == text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "value", "says"),
    [
        ("RETURN $x AS x", "9223372036854775808", "write a longer number as text, with quotes"),
        ("RETURN $x AS x", "9" * 5000, "write a longer number as text, with quotes"),
        ("RETURN interval('178956970 years') AS x, $x AS y", "1", "return it as text"),
        (f"RETURN {'(' * 300}$x{')' * 300} AS x", "1", "nested deeper than 100 levels"),
    ],
)
def test_a_text_or_value_that_no_engine_takes_is_one_line_on_the_page(
    visit: Open, text: str, value: str, says: str
) -> None:
    app = visit("cypher")
    app.text_area[0].input(text)
    app.button[0].click().run()
    if app.text_input:
        app.text_input[0].input(value)
        app.button[1].click().run()
    assert not app.exception and says in app.error[0].value.replace("\\", "")


@pytest.mark.slow
def test_a_saved_question_is_a_form(visit: Open) -> None:
    app = visit("cypher", question="before")
    app.selectbox[1].select("view")
    app.button[0].click().run()
    assert app.dataframe[0].value["id"].tolist() == ["strides", "tensor"]


def test_a_broken_profile_is_one_line_and_no_traceback(visit: Open, environment: dict[str, str]) -> None:
    profile = Path(environment["TORCHATLAS_HOME"]) / "profile.toml"
    before = profile.read_bytes() if profile.exists() else b""
    profile.write_text("heard = 3", "utf-8")
    try:
        app = visit("path", goal="view")
        assert not app.exception and "must be a list" in app.error[0].value
    finally:
        profile.write_bytes(before)


@pytest.mark.slow
def test_hostile_names_are_escaped_on_every_page(visit: Open) -> None:
    for page, parameters in (
        ("explore", {"node": "hostile"}), ("explore", {"node": "show-hostile"}),
        ("episode", {"episode": "show-hostile"}), ("path", {"goal": "hostile"}),
    ):  # fmt: skip
        app = visit(page, **parameters)
        text = shown(app)
        assert "\\_\\_init\\_\\_" in text
        for bare in ("<img", "$a", "[x", "__init"):
            assert not re.search(rf"(?<!\\){re.escape(bare)}", text)
    labels = {n["label"] for n in picture(visit())["nodes"]}
    assert HOSTILE in labels  # a canvas draws text, and text is all it can draw


def test_a_question_is_asked_of_the_graph_that_is_shown_whatever_has_changed_since(environment, monkeypatch) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    corrections = Path(environment["TORCHATLAS_HOME"], "corrections.toml")
    corrections.write_text("this is no TOML", "utf-8")  # a build would fail
    try:
        assert cached.rows("MATCH (c:Concept {id: 'view'}) RETURN c.area AS area", {}).rows == (("Tensors",),)
    finally:
        corrections.unlink()


def test_a_quiz_asks_a_question_at_a_time_and_the_plan_loses_what_is_known(visit: Open) -> None:
    assert "Skip what I know" in shown(visit("path", goal="autograd"))
    text = shown(visit("path", goal="autograd", quiz="on"))
    assert "What is view?" in text and "Yes, skip it" in text and "4 episodes, 50 min" in text
    text = shown(visit("path", goal="autograd", quiz="on", can=["show-strides"]))
    assert "You skip 2 episodes and save 23 min: On tensor, On strides" in text and "2 episodes, 27 min" in text
    app = visit("path", goal="autograd", quiz="on", can=["show-strides"], cannot=["show-view"])
    assert "Remember that I know this" in shown(app) and "2 episodes, 27 min" in shown(app)
    assert "not-here" not in shown(visit("path", goal="autograd", quiz="on", can=["not-here"]))


def test_an_answer_stands_in_the_address_and_brings_the_next_question(visit: Open) -> None:
    app = visit("path", goal="autograd", quiz="on")
    app.button("quiz_can").click().run()
    assert app.query_params["can"] == "show-view" and "What is autograd?" in shown(app)
    app.button("quiz_cannot").click().run()
    assert app.query_params["cannot"] == "show-autograd" and "Ask again" in shown(app)
    app.button("quiz_again").click().run()
    assert "can" not in app.query_params and "What is view?" in shown(app)
