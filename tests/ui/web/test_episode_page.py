"""The episode page without a browser: the list with its filters, one episode, its times, and how audio comes in."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.web.conftest import Open, links, press, shown
from torchatlas.ui.web import parts


def test_the_list_is_filtered_by_words_area_and_what_is_heard(visit: Open, profile: Path) -> None:
    app = visit("episode")
    assert "12 episodes" in shown(app)
    assert "4 episodes" in shown(visit("episode", area="Autograd"))
    app.text_input(key="url_words").input("WHAT strides").run()
    assert app.query_params["words"] == "WHAT strides"
    assert "1 episode" in shown(app) and r"**\#2 On strides**" in links(app)
    profile.write_text('heard = ["show-strides"]', "utf-8")
    assert "11 episodes" in shown(visit("episode", heard="no"))
    assert "1 episode" in shown(visit("episode", heard="yes"))
    assert "No episode passes" in shown(visit("episode", words="zzzz"))


def test_a_long_list_shows_its_beginning_and_says_so(visit: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "These are the first" not in shown(whole := visit("episode"))
    monkeypatch.setattr(parts, "MOST_ROWS", 3)
    app = visit("episode")
    assert "12 episodes" in shown(app) and "These are the first 3." in shown(app)
    assert len(links(whole)) - len(links(app)) == 12 - 3
    assert "These are the first" not in shown(visit("episode", words="strides"))


def two_rows() -> None:
    """A page with two rows of the list of episodes."""
    from torchatlas.graph.views import EpisodeRow
    from torchatlas.ui.web import parts

    rows = [EpisodeRow("e" + area, "E", area=area, length="9 min", day="5 Dec 2018") for area in ("Steam", "")]
    parts.episode_rows(rows, ())


def test_what_is_unknown_of_an_episode_keeps_its_place_in_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "go", lambda *_, **__: None)  # there is no page to which a link could lead
    captions = [caption.value for caption in AppTest.from_function(two_rows).run().caption]
    assert captions == ["*9 min* *Steam* *5 Dec 2018*", "*9 min* *–* *5 Dec 2018*"]


def test_an_episode_tells_what_it_teaches_assumes_and_what_has_changed(visit: Open) -> None:
    text = shown(visit("episode", episode="show-aotautograd")).replace("\\", "")
    for words in (
        "On aotautograd", "11 May 2021", "18 min", "What has changed since", "aotautograd has moved",
        "What is aotautograd?", "Saved tensors come up", "with Ada",
    ):  # fmt: skip
        assert words in text


def test_words_open_an_episode(visit: Open) -> None:
    said = shown(visit("episode", episode="what is strides?")).replace("\\", "")
    assert 'I took "what is strides" to mean the episode "On strides"' in said and "All of strides" in said


def test_audio_starts_where_the_concept_is_explained(visit: Open) -> None:
    app = visit("episode", episode="show-view")
    assert not app.get("audio")
    press(app, "play:show-view:266:__torch_function__")
    assert app.query_params["at"] == "266" and app.get("audio")[0].proto.start_time == 266
    assert not visit("episode", episode="show-view", play="show-view", at="9e9").get("audio")


def test_an_episode_without_audio_says_how_to_get_it(visit: Open) -> None:
    assert "torchatlas add FEED" in shown(visit("episode", episode="show-more-0"))


@pytest.mark.slow
def test_heard_is_kept_and_taken_back(visit: Open) -> None:
    app = visit("episode", episode="show-view")
    press(app, "heard:show-view")
    assert "Marked as heard: On view." in shown(app).replace("\\", "")
    press(app, "heard:show-view")
    assert app.button(key="heard:show-view").label == "Mark as heard"


def test_a_map_of_one_show_has_no_filter_by_show(visit: Open) -> None:
    app = visit("episode")
    assert not [box for box in app.selectbox if box.key == "url_podcast"]
    assert not any("podcast=" in link.query_string for link in links(app).values())
