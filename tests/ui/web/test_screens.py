"""Every page, run without a browser: what it says, what the URL does, and what the picture is fed."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.atlas import HOSTILE, snapshot
from tests.ui.assistant.conftest import tools
from tests.ui.web.conftest import Open, links, picture, press, shown
from torchatlas.extract import catalogue
from torchatlas.graph.findings import Journey
from torchatlas.ui.web import cache
from torchatlas.ui.web.state import page_title


def test_the_path_page_offers_the_journeys_whose_goals_are_on_the_map(visit: Open, monkeypatch) -> None:
    here = Journey("views", "All about [views]", about="See how *views* work.", goals=("view", "show-strides"))
    elsewhere = Journey("away", "Somewhere else", about="Of another map.", goals=("view", "not-here"))
    monkeypatch.setattr(catalogue, "load_journeys", lambda _: (here, elsewhere))
    app = visit("path")
    cards = links(app)
    assert not any("Somewhere else" in label for label in cards)
    card = cards[r"**All about \[views\]**"]
    assert "See how \\*views\\* work" in shown(app)
    assert parse_qs(card.query_string) == {"goal": ["view", "show-strides"]}


def test_a_broken_profile_is_one_line_and_no_traceback(visit: Open, profile: Path) -> None:
    profile.write_text("heard = 3", "utf-8")
    app = visit("path", goal="view")
    assert not app.exception and "must be a list" in app.error[0].value
    profile.write_text("", "utf-8")
    app = visit("path", goal="view")
    profile.write_text("heard = 3", "utf-8")
    press(app, "Mark as heard")
    assert not app.exception and "must be a list" in app.error[0].value


def test_a_filter_of_a_list_is_no_title() -> None:
    assert page_title("episode", {"area": ["Autograd"]}, snapshot(), {}) == "Episodes"


@pytest.mark.parametrize(("page", "named"), [("episode", "episode"), ("cypher", "question")])
def test_an_address_that_names_nothing_says_so(visit: Open, page: str, named: str) -> None:
    assert "There is no “nope” in this graph" in shown(visit(page, **{named: "nope"}))


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


def test_a_question_is_asked_of_the_graph_that_is_shown_whatever_has_changed_since(home: Path) -> None:
    corrections = home / "corrections.toml"
    corrections.write_text("this is no TOML", "utf-8")  # a build would fail
    try:
        assert cache.rows("MATCH (c:Concept {id: 'view'}) RETURN c.area AS area", {}).rows == (("Tensors",),)
    finally:
        corrections.unlink()


def test_a_quiz_asks_a_question_at_a_time_and_the_plan_loses_what_is_known(visit: Open) -> None:
    assert "Skip what I know" in shown(visit("path", goal="autograd"))
    text = shown(visit("path", goal="autograd", quiz="on"))
    assert "What is view?" in text and "Yes, skip it" in text and "4 episodes, 50 min" in text
    text = shown(visit("path", goal="autograd", quiz="on", can=["show-strides"]))
    assert r"You skip 2 episodes and save 23 min: \#1 On tensor, \#2 On strides" in text
    app = visit("path", goal="autograd", quiz="on", can=["show-strides"], cannot=["show-view"])
    assert "Remember that I know this" in shown(app) and "2 episodes, 27 min" in shown(app)
    assert "not-here" not in shown(visit("path", goal="autograd", quiz="on", can=["not-here"]))


def test_an_answer_stands_in_the_address_and_brings_the_next_question(visit: Open) -> None:
    app = visit("path", goal="autograd", quiz="on")
    press(app, "quiz_can")
    assert app.query_params["can"] == "show-view" and "What is autograd?" in shown(app)
    press(app, "quiz_cannot")
    assert app.query_params["cannot"] == "show-autograd" and "Ask again" in shown(app)
    press(app, "quiz_again")
    assert "can" not in app.query_params and "What is view?" in shown(app)


def test_the_first_page_leads_on_to_the_page_whose_query_it_got(visit: Open) -> None:
    app = visit("explore", goal=["view", "strides"], picture="layers")
    assert app.title[0].value == "Listening path"
    assert app.query_params["goal"] == ["view", "strides"]
    assert app.button_group(key="url_picture").value == "layers"


def test_each_run_tells_the_browser_what_the_address_says(visit: Open) -> None:
    """What one run said is lost where the connection breaks; the widget's default would then replace the address."""
    app = visit("path", goal=["view"], picture="layers").run()
    proto = app.button_group(key="url_picture").proto
    assert proto.set_value and list(proto.raw_values) == ["In layers"]


ASKED = tools(snapshot())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "words"),
    [
        (ASKED.concept("autograd").page, "What autograd is"),
        (ASKED.related("show-view").page, "All of view"),
        (ASKED.plan(("view", "On tracing")).page, "On tracing"),
    ],
)
def test_an_address_opens_its_page(visit: Open, address: str, words: str) -> None:
    parts = urlsplit(address)
    assert parts.netloc == "127.0.0.1:8501"
    assert words in shown(visit(parts.path.strip("/") or "explore", **parse_qs(parts.query)))
