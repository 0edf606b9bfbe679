"""How many entries of a feed are read, and what is said of the others."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from torchatlas.build import read_inputs
from torchatlas.extract.feeds import parse
from torchatlas.graph.errors import DataError
from torchatlas.settings import load_settings
from torchatlas.sources import load_sources, read_feeds, remember


def rss(entries: int, more: str = "") -> bytes:
    items = "".join(f"<item><title>Part {n}</title><guid>{n}</guid>{more}</item>" for n in range(entries))
    return f"<rss><channel><title>Long</title>{items}</channel></rss>".encode()


def atom(entries: int) -> bytes:
    items = "".join(f"<a:entry><a:title>Part {n}</a:title><a:id>{n}</a:id></a:entry>" for n in range(entries))
    return f'<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>Long</a:title>{items}</a:feed>'.encode()


def json_feed(entries: int) -> bytes:
    return json.dumps({"title": "Long", "items": [{"id": n, "title": f"Part {n}"} for n in range(entries)]}).encode()


@pytest.mark.parametrize("document", [rss, atom, json_feed])
def test_one_line_says_how_many_entries_are_left_out_and_how_to_read_them(document: Callable[[int], bytes]) -> None:
    feed = parse(document(1_207), "long.xml", 1_200)
    assert [e.episode.title for e in feed.entries] == [f"Part {n}" for n in range(1_200)]
    assert feed.skipped == (
        "long.xml: 7 of its 1,207 entries are left out; to read them, set feed_entries = 1207 in your sources.toml",
    )
    whole = parse(document(1_207), "long.xml", 1_207)
    assert len(whole.entries) == 1_207 and not whole.skipped and not feed.cut


def test_the_line_is_told_before_those_about_single_entries() -> None:
    assert "set feed_entries = 60 " in parse(rss(60).replace(b"<guid>1", b"<guid>0"), most=50).skipped[0]


def test_a_last_entry_that_is_not_read_to_its_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchatlas.extract.feeds.TAGS", 50)
    feed = parse(rss(2, "<b/>" * 30))
    assert len(feed.entries) == 2
    assert feed.skipped == ("the feed: the end of its last entry is left out: the feed has more than is read",)


def test_the_setting_counts_in_what_is_added_and_in_every_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHATLAS_HOME", str(tmp_path / "home"))
    settings, source = load_settings(), tmp_path / "long.xml"
    source.write_bytes(rss(8))
    assert remember(settings, str(source)) == [f"{source}: 8 episodes"]
    before = read_inputs(settings)
    with settings.sources_list.open("a") as file:
        file.write("feed_entries = 5\n")
    assert load_sources(settings).feed_entries == 5
    assert remember(settings, str(source))[0] == f"{source}: 5 episodes"
    assert "3 of its 8 entries are left out" in remember(settings, str(source))[1]
    after = read_inputs(settings)
    assert after.fingerprint != before.fingerprint
    assert [len(read_feeds(i.feeds, i.feed_entries)[0]) for i in (before, after)] == [8, 5]


@pytest.mark.parametrize("value", ["0", "true", '"many"', "2.5"])
def test_a_limit_that_is_no_number_is_told(tmp_path: Path, value: str) -> None:
    settings = load_settings(None, {"TORCHATLAS_HOME": str(tmp_path)})
    settings.sources_list.write_text(f"feed_entries = {value}\n")
    with pytest.raises(DataError, match=r"feed_entries must be a whole number from 1 on, such as feed_entries = 20000"):
        load_sources(settings)
