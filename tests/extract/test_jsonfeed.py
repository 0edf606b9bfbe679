import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.extract.feeds import parse
from torchatlas.extract.text import to_text
from torchatlas.graph.errors import SourceError


def feed(*items: Any, **facts: Any) -> bytes:
    body = {"version": "https://jsonfeed.org/version/1.1", "title": "Show", "items": list(items), **facts}
    return json.dumps(body).encode()


def test_an_item_with_all_its_facts() -> None:
    item = {
        "id": "https://x.invalid/1",
        "url": "/1",
        "title": "A < B & vector<int>",
        "content_html": "<p>See <a href='2'>that</a></p>",
        "content_text": "not this",
        "date_published": "2024-05-09T23:30:00-05:00",
        "authors": [{"name": "Ada Finch"}],
        "attachments": [{"url": "a.mp3", "mime_type": "audio/mpeg", "duration_in_seconds": 1109.5}],
    }
    entry = parse(feed(item, home_page_url="https://x.invalid/")).entries[0]
    episode = entry.episode
    assert (episode.id, episode.title, episode.show) == ("show/a-b-vector-int", "A < B & vector<int>", "Show")
    assert entry.people == ("Ada Finch",)
    assert (episode.guid, episode.url) == ("https://x.invalid/1", "https://x.invalid/1")
    assert (episode.published, episode.minutes, episode.audio_url) == ("2024-05-10", 18, "https://x.invalid/a.mp3")
    source = to_text(entry.notes, base=entry.base)
    assert source.text == "See that" and source.anchors[0].href == "https://x.invalid/2"


@pytest.mark.parametrize(
    ("item", "title", "notes", "guid"),
    [
        ({"id": 7, "title": "T"}, "T", "", "7"),
        ({"id": "a", "content_text": "Plain <b> & more.\nTwo"}, "Plain <b> & more.", "Plain <b> & more.\nTwo", "a"),
        ({"id": "a", "title": "T", "summary": "S"}, "T", "S", "a"),
        ({"title": "T", "external_url": "https://y.invalid/z"}, "T", "", "https://y.invalid/z"),
        ({"id": "a", "title": "T\ud83d", "attachments": "none", "date_published": 3, "url": ["x"]}, "T?", "", "a"),
    ],
)
def test_items_as_they_come(item: dict[str, Any], title: str, notes: str, guid: str) -> None:
    entry = parse(feed(item)).entries[0]
    assert (entry.episode.title, to_text(entry.notes).text, entry.episode.guid) == (title, notes, guid)


def test_what_is_no_item_costs_itself() -> None:
    read = parse(feed(None, 3, [], {}, {"title": "T"}), "f.json")
    assert [e.episode.title for e in read.entries] == ["T"]
    assert len(read.skipped) == 4 and "f.json: entry 1 left out" in read.skipped[0]


@pytest.mark.parametrize(
    ("document", "words"),
    [(b'{"version": 1', "line 1"), (b"[1]", "not a JSON Feed"), (b'{"items": 3}', "list"), (b"[" * 9_999, "JSON")],
)  # fmt: skip
def test_what_is_no_json_feed_is_said(document: bytes, words: str) -> None:
    with pytest.raises(SourceError, match=words) as caught:
        parse(document, "https://x.invalid/feed.json")
    assert "x.invalid" in str(caught.value) and "\n" not in str(caught.value)


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KEYS = [
    "id",
    "url",
    "title",
    "content_html",
    "content_text",
    "summary",
    "date_published",
    "attachments",
    "external_url",
]


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), VALUES) | VALUES, max_size=4), VALUES)
def test_any_values_make_a_feed(items: list[Any], title: Any) -> None:
    for entry in parse(feed(*items, title=title, home_page_url=title)).entries:
        repr(entry).encode()
