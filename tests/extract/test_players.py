"""What podcast apps export of a person's listening, and the files that only look like it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torchatlas.extract.players.history import read_history
from torchatlas.extract.players.played import Played
from torchatlas.graph.values.errors import SourceError

FEED, AUDIO = "https://example.org/feed.xml", "https://example.org/1.mp3"
PLAY = {"podcast": FEED, "episode": AUDIO, "action": "play", "started": 0, "position": 590, "total": 600}


def written(path: Path, body: object) -> Path:
    file = path / "export.json"
    file.write_text(json.dumps(body), "utf-8")
    return file


def antennapod(path: Path) -> Path:
    """A database with the tables and columns that AntennaPod exports, as far as they matter."""
    file = path / "AntennaPodBackup.db"
    with closing(sqlite3.connect(file)) as database:
        database.executescript("""
            CREATE TABLE Feeds (id INTEGER PRIMARY KEY, title TEXT, download_url TEXT);
            CREATE TABLE FeedItems (id INTEGER PRIMARY KEY, title TEXT, read INTEGER, link TEXT, feed INTEGER,
                                    item_identifier TEXT);
            CREATE TABLE FeedMedia (id INTEGER PRIMARY KEY, download_url TEXT, feeditem INTEGER);
            INSERT INTO Feeds VALUES (1, 'The Show', 'https://example.org/feed.xml');
            INSERT INTO FeedItems VALUES (1, 'Played', 1, 'https://example.org/1', 1, 'g1'),
                                         (2, 'New', -1, '', 1, 'g2'),
                                         (3, 'Unplayed', 0, '', 1, 'g3'), (4, NULL, 1, x'ff', 9, 'g4');
            INSERT INTO FeedMedia VALUES (1, 'https://example.org/1.mp3', 1), (2, 'https://example.org/2.mp3', 2);
        """)
        database.commit()
    return file


@pytest.mark.parametrize("holder", [lambda actions: actions, lambda actions: {"actions": actions, "timestamp": 9}])
def test_actions_say_what_was_heard_to_the_end(tmp_path: Path, holder: Any) -> None:
    half = PLAY | {"episode": "half", "position": 300}
    never_ends = PLAY | {"episode": "unknown", "total": None}
    told = PLAY | {"episode": "told", "position": None, "guid": "g-told"}
    loaded = PLAY | {"episode": "loaded", "action": "download"}
    found = read_history(written(tmp_path, holder([half, PLAY, never_ends, told, loaded, "x"])))
    assert found == (Played(audio=AUDIO, feed=FEED), Played(audio="told", feed=FEED, guid="g-told"))


def test_the_time_of_actions_decides_and_new_takes_back(tmp_path: Path) -> None:
    new = {"podcast": FEED, "episode": AUDIO, "action": "new"}
    times = ("2026-01-01T10:00:00", "2026-01-01T10:00:00Z", "2025-12-31T23:00:00-12:00", 1767261600)
    for played in times:  # all four are before
        actions = [new | {"timestamp": "2026-01-02T00:00:00"}, PLAY | {"timestamp": played}]
        assert read_history(written(tmp_path, actions)) == ()
        actions[0]["timestamp"] = "2025-01-01"
        assert len(read_history(written(tmp_path, actions))) == 1
    assert read_history(written(tmp_path, [PLAY, new])) == () != read_history(written(tmp_path, [new, PLAY]))
    again = [PLAY | {"timestamp": 1}, PLAY | {"timestamp": 2, "position": 5}]
    assert len(read_history(written(tmp_path, again))) == 1  # who begins again has heard it all the same


def test_portcast_says_what_is_completed(tmp_path: Path) -> None:
    episode = {"guid": "g1", "enclosureUrl": AUDIO, "title": "Strides", "subscriptionRef": {"feedUrl": FEED}}
    states = [episode | {"status": status} for status in ("completed", "archived", "in_progress", "unplayed", 1)]
    found = read_history(written(tmp_path, {"portcast": "0.2.0", "subscriptions": [], "episodes": states}))
    assert found == (Played(guid="g1", audio=AUDIO, feed=FEED, title="Strides"),)


def test_a_database_of_antennapod_says_what_is_marked_as_played(tmp_path: Path) -> None:
    file = antennapod(tmp_path)
    before = sorted(p.name for p in tmp_path.iterdir())
    found = read_history(file)
    assert found[0] == Played(guid="g1", audio=AUDIO, page="https://example.org/1", feed=FEED, title="Played")
    assert found[1:] == (Played(guid="g4"),) and sorted(p.name for p in tmp_path.iterdir()) == before


def test_a_database_that_counts_for_ever_is_given_up(tmp_path: Path) -> None:
    file = antennapod(tmp_path)
    with closing(sqlite3.connect(file)) as database:
        database.executescript("""
            DROP TABLE FeedMedia;
            CREATE VIEW FeedMedia AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
                SELECT 'a' AS download_url, max(x) AS feeditem FROM n;
        """)
    with pytest.raises(SourceError, match="interrupted"):
        read_history(file)


@pytest.mark.parametrize("end", ["</outline></outline></body></opml>", "<outline"])
def test_overcast_says_below_each_feed_what_was_played(tmp_path: Path, end: str) -> None:
    file = tmp_path / "overcast.opml"
    file.write_text(
        f"""<?xml version="1.0" encoding="utf-8"?>
        <opml version="1.0"><head><title>Overcast Podcast Subscriptions</title></head><body>
        <outline text="playlists"><outline type="podcast-playlist" title="Queue" smart="1"/></outline>
        <outline text="feeds"><outline type="rss" overcastId="1" title="R&amp;D" xmlUrl="{FEED}" subscribed="1">
        <outline type="podcast-episode" overcastId="2" title="A &amp; B" url="https://example.org/1"
                 overcastUrl="https://overcast.fm/+x" enclosureUrl="{AUDIO}" progress="42" played="1"/>
        <outline type="podcast-episode" overcastId="3" title="Begun" progress="5" userDeleted="1"/>
        </outline><outline type="rss" title="Other" xmlUrl="https://example.org/other">
        <outline type="podcast-episode" overcastId="4" title="C" played="1"/>{end}""",
        "utf-8",
    )
    assert read_history(file) == (
        Played(audio=AUDIO, page="https://example.org/1", feed=FEED, title="A & B"),
        Played(feed="https://example.org/other", title="C"),
    )


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "in a known format: episode actions"),
        (b"<opml/>", "lists feeds and no episodes; only Overcast's export"),
        (b'<opml><outline type="rss" xmlUrl="https://example.org"/></opml>', "lists feeds and no episodes"),
        (b"<rss/>", "in a known format: episode actions"),
        (b"{", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b'{"a": 1}', "in a known format: episode actions"),
        (b"3", "in a known format"),
        (b'{"actions": {}}', "in a known format"),
        (b"SQLite format 3\0" + b"x" * 2_000, "is no database that AntennaPod has exported"),
        (b"SQLite format 3\0", "is no database that AntennaPod has exported"),
    ],
)
def test_another_file_is_one_line(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "export"
    file.write_bytes(content)
    with pytest.raises(SourceError, match=says) as raised:
        read_history(file)
    assert str(file) in str(raised.value) and "\n" not in str(raised.value)


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    for name in ("missing", ".", "a\0b", "x" * 300):
        with pytest.raises(SourceError, match="cannot be read"):
            read_history(tmp_path / name)


def test_other_tables_are_one_line(tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE places (url TEXT)")
    with pytest.raises(SourceError, match="no such table: FeedItems"):
        read_history(file)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*PLAY, "timestamp"]), inner),
    max_leaves=9,
)


@settings(max_examples=40)
@given(st.lists(JSON), st.sampled_from(["actions", "episodes"]))
def test_no_value_of_an_export_is_a_bug(tmp_path_factory: pytest.TempPathFactory, rows: list[Any], key: str) -> None:
    folder = tmp_path_factory.getbasetemp()
    read_history(written(folder, {key: [PLAY, *rows], "actions" if key == "actions" else "portcast": [PLAY, *rows]}))
