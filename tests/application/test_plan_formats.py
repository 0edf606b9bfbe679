"""Plans in the formats of players, each read back by programs that did not write it, and answers as JSON."""

import html
import io
import json
import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import feedparser
import podcastparser
import pytest
import vobject
from hypothesis import given
from hypothesis import strategies as st

from tests.atlas import CHAIN, snapshot
from tests.example_plan import PLAN
from torchatlas.files import style_of
from torchatlas.graph.answers import Explanation, Plan, Split, Table, Taught, Understood, Unmet
from torchatlas.graph.errors import AtlasError, DataError
from torchatlas.graph.model import InShow, Show, Snapshot
from torchatlas.graph.planning.plan import make_plan
from torchatlas.ui.plans import (
    ENDINGS,
    FORMATS,
    Playlist,
    dumps,
    plan_markdown,
    playlist,
    shareable,
    text_in,
    without_audio,
)

WHOLE = snapshot()
FEED = "https://example.org/feed.xml"
START = date(2026, 12, 1)


@cache
def planned(split: str | None = None, speed: float = 1.0) -> Plan:
    return make_plan(WHOLE, ["aotautograd"], split=Split.parse(split) if split else None, speed=speed)


def listing(graph: Snapshot = WHOLE, feed: str | None = FEED, **options: Any) -> Playlist:
    """A plan for players, of a graph whose shows have another feed."""
    shows = tuple(replace(show, feed_url=feed) for show in graph.shows)
    return playlist(replace(graph, shows=shows), planned(**options), START)


def changed(graph: Snapshot, **facts: Any) -> Snapshot:
    return replace(graph, episodes=tuple(replace(e, **facts) for e in graph.episodes))


def test_two_players_read_the_original_episodes_in_the_order_of_the_plan_and_two_of_one_guid_as_two() -> None:
    found = listing(changed(WHOLE, guid="1"))
    assert len({item.guid for item in found.items}) == len(found.items) == 8
    assert found.items[0].guid == "1" and found.items[1].guid == found.items[1].episode.id
    text = text_in("rss", listing(changed(WHOLE, audio_bytes=9)))
    ours, theirs = feedparser.parse(text), podcastparser.parse(FEED, io.BytesIO(text.encode()))
    assert not ours.bozo and ours.feed.itunes_type == theirs["type"] == "serial"
    assert [e.title for e in ours.entries] == [e["title"] for e in theirs["episodes"]] == [f"On {c}" for c in CHAIN]
    assert [e.itunes_episode for e in ours.entries] == [str(e["number"]) for e in theirs["episodes"]] == [*"12345678"]
    assert [e.id for e in ours.entries] == [e["guid"] for e in theirs["episodes"]] == [f"g{n}" for n in range(1, 9)]
    for place, (mine, other) in enumerate(zip(ours.entries, theirs["episodes"], strict=True), 1):
        address = f"https://example.org/{place}.mp3"
        assert [x.href for x in mine.enclosures] == [x["url"] for x in other["enclosures"]] == [address]
        assert (mine.enclosures[0].type, mine.enclosures[0].length) == ("audio/mpeg", "9")
        assert mine.link == other["link"] == f"https://example.org/{place}"
        assert other["total_time"] == 60 * (10 + place)
        assert other["chapters"][0] == {"start": 266, "title": WHOLE.concept[CHAIN[place - 1]].name}


@given(st.lists(st.none() | st.dates(date(1985, 1, 1), date(2105, 1, 1)).map(date.isoformat), min_size=12, max_size=12))
def test_each_day_follows_the_one_before_and_none_is_later_than_the_oldest_episode(days: list[str | None]) -> None:
    dated = (replace(e, published=day) for e, day in zip(WHOLE.episodes, days, strict=True))
    found = listing(replace(WHOLE, episodes=tuple(dated)))
    read = [datetime(*e.published_parsed[:6], tzinfo=UTC) for e in feedparser.parse(text_in("rss", found)).entries]
    assert all(later - earlier == timedelta(days=1) for earlier, later in pairwise(read))
    published = [item.episode.published for item in found.items]
    usual = [day for day in published if day and "1990" <= day < "2101"]
    assert read[-1].date().isoformat() == min(usual, default="2000-01-01")


def test_without_audio_items_lead_to_their_pages_and_a_line_says_how_to_get_it() -> None:
    found = listing(changed(WHOLE, audio_url=None))
    read = feedparser.parse(text_in("rss", found)).entries
    assert [e.link for e in read] == [f"https://example.org/{n}" for n in range(1, 9)]
    assert not any(e.enclosures for e in read)
    assert without_audio(found) == f"no audio is known for 8 episodes; to get it: torchatlas add {FEED}"
    assert without_audio(listing()) == ""
    texts = changed(WHOLE, audio_url=None, kind="post", estimated="words")
    found = playlist(texts, make_plan(texts, ["aotautograd"]), START)
    said = {style: text_in(style, found) for style in FORMATS}
    assert without_audio(found) == "" and "SUMMARY:Read: " in said["ics"] and "itunes:duration" not in said["rss"]
    assert "Read, ~11 min. From" in said["rss"] and "(read, ~11 min)" in said["markdown"]


@pytest.mark.parametrize(
    "feed", [None, "/home/me/feed.xml", "https://me:pw@example.org/", f"{FEED}?token=1a2b3c", f"{FEED}?token=***"]
)
def test_an_unknown_or_private_feed_is_left_out(feed: str | None) -> None:
    text = text_in("rss", listing(feed=feed))
    assert "remoteItem" not in text and "pw" not in text and "1a2b3c" not in text
    without = listing(changed(WHOLE, audio_url=None), feed)
    assert without_audio(without) == "no audio is known for 8 episodes; to get it: torchatlas add FEED"


def test_the_feed_of_an_episode_is_the_first_public_one_of_its_shows_and_named_once_with_its_derived_guid() -> None:
    """An episode may be in several shows; the one that it names comes first."""
    guid = uuid5(UUID("ead4c236-bf58-58c6-a2c6-a6b28d128cb6"), "example.org/feed.xml")
    told = f'<podcast:remoteItem feedGuid="{guid}" feedUrl="{FEED}" title="The Show" />'
    assert text_in("rss", listing()).count("remoteItem") == text_in("rss", listing()).count(told) == 1
    feeds = {"b": f"{FEED}?token=***", "c": FEED}
    edges = [InShow(e.id, "a", quote="Network") for e in WHOLE.episodes]
    edges += [InShow("show-view", id_, quote="The Show") for id_ in feeds]
    network = Show("a", "Network", feed_url="https://example.org/network")
    shows = (network, *(Show(id_, "The Show", feed_url=feed) for id_, feed in feeds.items()))
    found = playlist(replace(WHOLE, shows=shows, in_show=tuple(edges)), planned())
    assert [item.feed == FEED for item in found.items] == [item.episode.id == "show-view" for item in found.items]
    assert re.findall('feedUrl="(.+?)"', text_in("rss", found)) == ["https://example.org/network", FEED]


@pytest.mark.parametrize(
    "picture", ["https://e.org/a.jpg", "https://e.org/a.jpg?token=***", "javascript:alert(1)", None]
)
def test_a_feed_and_its_items_bear_the_picture_of_the_show_where_it_is_public(picture: str | None) -> None:
    graph = replace(WHOLE, shows=tuple(replace(show, image_url=picture) for show in WHOLE.shows))
    read = feedparser.parse(text_in("rss", listing(graph)))
    shown = picture if str(picture).endswith(".jpg") else None
    assert [found.get("image", {}).get("href") for found in (read.feed, *read.entries)] == [shown] * 9


def events(text: str) -> list[Any]:
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n")) and "\n" not in text.replace("\r\n", "")
    return list(vobject.readOne(text).vevent_list)


def test_a_calendar_has_a_session_a_day() -> None:
    found = listing(split="5x30m")
    read = events(text_in("ics", found))
    assert [e.dtstart.value for e in read] == [START + timedelta(days=n) for n in range(len(found.plan.sessions))]
    assert read[0].summary.value == "Listen: #1 On tensor; #2 On strides"
    assert read[0].description.value.startswith("23 min\n\n#1 On tensor\n") and read[0].url.value.endswith("org/1")
    for event in events(text_in("ics", listing(changed(WHOLE, url=None, audio_url=None), split="5x30m"))):
        assert "\n\n\n" not in event.description.value and not event.description.value.endswith("\n")


def test_another_start_moves_the_same_sessions_and_one_at_a_time_lasts_as_long_as_it_takes() -> None:
    one, other = (events(text_in("ics", replace(listing(), start=day))) for day in (START, date(2027, 1, 1)))
    assert [e.uid.value for e in one] == [e.uid.value for e in other] and len({e.uid.value for e in one}) == 8
    assert one[0].dtstamp.value == datetime(2026, 12, 1, tzinfo=UTC) and one[7].summary.value[-8:] == "autograd"
    timed = replace(listing(speed=2.0), start=datetime(2026, 12, 1, 8, 15))
    first, second, *_ = events(text_in("ics", timed))
    assert first.dtstart.value == datetime(2026, 12, 1, 8, 15) and second.dtstart.value.day == 2
    assert first.duration.value == timedelta(minutes=6)


def test_a_calendar_that_cannot_be_is_one_line() -> None:
    late, bare = (replace(listing(), start=day) for day in (date(9999, 12, 30), None))
    empty = Playlist(Plan(("vmap",), (), minutes=0, steps=()), (), START)
    told = {"needs a day": bare, "at most 9000, not 9999": late, "Nothing is left to hear for vmap": empty}
    for says, found in told.items():
        with pytest.raises(AtlasError, match=says):
            text_in("ics", found)


def test_every_format_is_the_same_for_the_same_plan_and_the_table_says_how_files_end() -> None:
    for name, kind in FORMATS.items():
        assert text_in(name, listing()) == text_in(name, listing())
        assert {style_of(Path(f"plan{ending.upper()}"), styles=ENDINGS) for ending in kind.endings} == {name}
    page = text_in("html", listing(changed(WHOLE, title="مقدمة autograd;")))
    assert "overflow-wrap: anywhere" in page and page.count('dir="auto">') >= 8
    assert json.loads(text_in("json", listing()))["minutes"] == planned().minutes
    with pytest.raises(DataError, match="cannot tell the format of plan"):
        style_of(Path("plan.doc"), styles=ENDINGS)
    with pytest.raises(AtlasError, match="the format must be one of rss, ics"):
        text_in("doc", listing())


def test_a_feed_says_what_is_left_to_hear_how_the_goals_were_understood_and_what_is_left_out() -> None:
    empty = Playlist(Plan(("vmap",), (), minutes=0, steps=()), ())
    read = feedparser.parse(text_in("rss", empty))
    assert not read.bozo and not read.entries and read.feed.description.startswith("Nothing is left to hear for vmap.")
    assert feedparser.parse(text_in("rss", listing(feed=None))).feed.link == "https://example.org/1"
    assert "Each episode" not in read.feed.description
    told = replace(empty, plan=replace(empty.plan, notes=("All is known.",)))
    assert feedparser.parse(text_in("rss", told)).feed.description == "All is known."
    assert text_in("html", told).count("All is known.") == 1
    meant = Understood("aot", ("aotautograd",), how="corrected", sentence="I took this for that.")
    plan = replace(planned(), understood=(meant,), unmet=(Unmet("vmap", 15),))
    said = feedparser.parse(text_in("rss", replace(listing(), plan=plan))).feed.description
    order = "Each episode comes before those that need it."
    assert said.startswith(f"{plan.heading}. {order} I took this for that. {plan.unmet[0]}")


def test_chapters_of_one_second_are_one_and_other_kinds_of_audio_bear_their_type() -> None:
    step = planned().steps[0]
    both = replace(step, teaches=(step.teaches[0], replace(step.teaches[0], id="x", name="another")))
    (item,) = playlist(WHOLE, replace(planned(), steps=(both,))).items
    assert item.chapters == ((266, f"another, {step.teaches[0].name}"),)
    for ending, kind in ((".m4a?x=1", "audio/mp4"), (".OPUS", "audio/ogg"), ("", "audio/mpeg"), (".mp4", "video/mp4")):
        text = text_in("rss", listing(changed(WHOLE, audio_url=f"https://example.org/a{ending}")))
        assert {e.enclosures[0].type for e in feedparser.parse(text).entries} == {kind}


def test_an_address_that_no_line_can_hold_is_escaped() -> None:
    bad = "https://example.org/a\r\n#EXTINF:1,b c\x00.mp3"
    found = listing(changed(WHOLE, audio_url=bad, url=bad))
    read = feedparser.parse(text_in("rss", found)).entries
    assert {e.enclosures[0].href for e in read} == {found.items[0].audio}
    assert found.items[0].audio == "https://example.org/a%0D%0A#EXTINF:1,b%20c%00.mp3"
    script = listing(changed(WHOLE, url="javascript:alert(1)", audio_url="javascript:alert(1)"))
    assert not any("javascript:" in text_in(name, script) for name in FORMATS if name != "json")


def test_json_keeps_the_contract() -> None:
    body = json.loads(dumps(PLAN))
    assert set(body) >= {"goals", "known", "minutes", "steps", "primer", "gaps", "unmet", "routes"}
    (step,) = body["steps"]
    facts = {"episode_id", "number", "title", "minutes", "estimated", "role", "url"}
    assert set(step) >= facts | {"teaches", "needs", "why", "caveats"}
    assert step["needs"] == [{"id": "d", "name": "dispatcher", "from": "known"}]
    assert step["teaches"] == [{"id": "tf", "name": "__torch_function__", "at": 266}]
    assert body["unmet"] == [{"goal": "vmap", "extra_minutes": 75, "estimated": False, "minutes": None}]
    found = Explanation(("a", "vmap"), ("b", "GIL"), chain=(), reverse=())
    assert json.loads(dumps(found)) == {"earlier": "a", "later": "b", "chain": [], "reverse": []}
    assert json.loads(dumps(Table(("n",), ((1,),), truncated=True)))["truncated"] is True
    assert dumps(["\x9b1m", "\u202e"], indent=None) == '["\\u009b1m", "\\u202e"]'


MOMENTS = {
    "https://e.org/1.mp3?a=b#x": ("https://e.org/1.mp3?a=b#t=23", {"audio_url": "https://e.org/1.mp3?a=b#x"}),
    "a video": ("https://youtu.be/x?a=b&t=23", {"kind": "video", "url": "https://youtu.be/x?a=b", "audio_url": None}),
    "a token": ("", {"audio_url": "https://me:pw@e.org/1.mp3"}),
    "a page": ("", {"audio_url": None}),
}


@pytest.mark.parametrize(("opens", "facts"), MOMENTS.values(), ids=MOMENTS)
def test_a_moment_opens_at_its_second_where_the_address_allows_it(opens: str, facts: dict[str, Any]) -> None:
    step = replace(planned().steps[0], teaches=(Taught("view", "view", at=23),), **facts)
    plan = replace(planned(), steps=(step,))
    page = html.unescape(text_in("html", replace(listing(), plan=shareable(plan), items=listing().items[:1])))
    assert (f"explained: [view 0:23]({opens})" if opens else "explained: view 0:23\n") in plan_markdown(plan)
    assert (f'<a href="{opens}" rel="noreferrer">view 0:23</a>' if opens else "Explained: view 0:23</p>") in page
