"""Episodes that were heard in a podcast app are found on the map, remembered and taken back."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.atlas import snapshot, stored
from torchatlas.atlas import Atlas
from torchatlas.extract.players.played import Played
from torchatlas.graph.values.errors import SourceError
from torchatlas.heard_elsewhere import heard_elsewhere
from torchatlas.settings import load_settings
from torchatlas.user_files.profile import Profile
from torchatlas.user_files.profile_change import ProfileChange

WHOLE = snapshot()
FEED = "https://example.org/feed.xml"


def found(*played: Played, feed: str | None = FEED) -> tuple[str, ...]:
    graph = replace(WHOLE, shows=tuple(replace(show, feed_url=feed) for show in WHOLE.shows))
    return heard_elsewhere(graph, played).found


@pytest.mark.parametrize(
    "played",
    [
        Played(audio="https://example.org/1.mp3"),
        Played(audio="http://www.example.org/1.mp3?source=app#t=3"),
        Played(audio="https://cdn.example.com/other.mp3", page="https://EXAMPLE.org/1/"),
        Played(guid="g1", feed="http://example.org/feed.xml/"),
        Played(guid="g1", title="ON TENSOR"),
        Played(guid="g2", audio="https://example.org/1.mp3", feed=FEED),  # an address says more than a guid
    ],
)
def test_an_episode_is_known_by_audio_page_or_guid(played: Played) -> None:
    assert found(played) == ("show-tensor",)


@pytest.mark.parametrize(
    "played",
    [
        Played(guid="g1"),  # any show may call one of its episodes so
        Played(guid="g1", feed="https://example.com/another.xml"),
        Played(title="On tensor"),
        Played(audio="http://[::1", page="https://example.org/"),
        Played(),
    ],
)
def test_what_may_be_another_episode_is_not_taken_for_this_one(played: Played) -> None:
    assert found(played) == () and found(played, feed=None) == ()


def test_titles_without_a_letter_tell_no_more_than_others() -> None:
    graph = replace(WHOLE, episodes=tuple(replace(e, title="!!!") for e in WHOLE.episodes))
    assert heard_elsewhere(graph, [Played(guid="g1", title="???")]).found == ()


def test_a_long_guid_is_enough_and_what_episodes_share_tells_none_of_them() -> None:
    long = "tag:example.org,2021:episode-1"
    graph = replace(WHOLE, episodes=tuple(replace(e, guid=long if e.number == 1 else e.guid) for e in WHOLE.episodes))
    assert heard_elsewhere(graph, [Played(guid=long)]).found == ("show-tensor",)
    one = replace(WHOLE, episodes=tuple(replace(e, guid=long, url=FEED, audio_url=FEED) for e in WHOLE.episodes))
    assert heard_elsewhere(one, [Played(guid=long, page=FEED, audio=FEED)]).found == ()
    queries = tuple(replace(e, audio_url=f"https://example.org/play?id={e.number}") for e in WHOLE.episodes)
    asked = [Played(audio="https://example.org/play?id=2"), Played(audio="https://example.org/play?id=77")]
    assert heard_elsewhere(replace(WHOLE, episodes=queries), asked).found == ("show-strides",)


def test_a_query_is_dropped_only_from_the_address_of_a_media_file() -> None:
    first = WHOLE.episode["show-tensor"]
    others = (e for e in WHOLE.episodes if e != first)
    graph = replace(WHOLE, episodes=(replace(first, url="https://www.youtube.com/watch?v=a1"), *others))
    asked = [Played(page=f"https://youtube.com/watch?v={id_}&t=3") for id_ in ("a1", "b2")]
    asked.append(Played(page="https://youtube.com/watch?v=a1"))
    assert [heard_elsewhere(graph, [one]).found for one in asked] == [(), (), (first.id,)]
    assert found(Played(page="https://example.org/1?episode=2")) == ()
    assert found(Played(audio="https://example.org/1.mp3?updated=2")) == (first.id,)


def test_what_was_not_found_is_named_once_on_a_line() -> None:
    others = [Played(title="A\nB\x1b"), Played(title="A B"), Played(audio="x"), Played(guid="y"), Played()]
    result = heard_elsewhere(WHOLE, others)
    assert result.missing == ("A B", "x", "y", "an episode without a name")
    assert result.told == "not on the map: A B, x, y and 1 more"


def test_a_token_in_the_address_of_what_was_not_found_is_masked() -> None:
    played = Played(audio="https://me:secret@example.org/9.mp3?token=12ab")
    assert heard_elsewhere(WHOLE, [played]).told == "not on the map: https://example.org/9.mp3?token=***"
    titled = Played(title="A: token=12ab", audio=played.audio)
    assert heard_elsewhere(WHOLE, [titled]).told == "not on the map: A: token=12ab"


@pytest.fixture
def atlas(tmp_path: Path) -> Iterator[Atlas]:
    """A small map, on which the second episode was heard."""
    with Atlas(load_settings(environment=stored(tmp_path))) as opened:
        opened.heard("show-strides")
        yield opened


def exported(path: Path, *audio: str) -> Path:
    """A file of a podcast app that says what was heard."""
    file = path / "actions.json"
    file.write_text(json.dumps([{"podcast": FEED, "episode": each, "action": "play"} for each in audio]), "utf-8")
    return file


def test_a_file_adds_to_the_profile_and_can_be_taken_back(
    atlas: Atlas, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    before = atlas.profile
    file = exported(tmp_path, "https://example.org/2.mp3", "https://example.org/3.mp3", "https://elsewhere.invalid/")
    result = atlas.heard_from(file)
    assert result.found == ("show-strides", "show-view") and result.changed == ("show-view",)
    assert atlas.profile == Profile(heard=("show-strides", "show-view"))
    assert caplog.messages == [f"{file}: not on the map: https://elsewhere.invalid/"]
    change = ProfileChange(before, atlas.profile)
    assert change.told(atlas.graph) == "Marked as heard: On view."
    assert atlas.undo(change) == before
    assert atlas.heard_from(file, forget=True).changed == ("show-strides",) and atlas.profile == Profile()


def test_a_file_that_cannot_be_read_changes_nothing(atlas: Atlas, tmp_path: Path) -> None:
    before = atlas.profile
    (tmp_path / "export").write_text("{")
    with pytest.raises(SourceError, match="is not JSON"):
        atlas.heard_from(tmp_path / "export")
    assert atlas.profile == before
