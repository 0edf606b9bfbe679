"""Feeds of every family: what is read is what is meant, and what is damaged or too long is told."""

import json
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.extract.cases import cases, each, pairs
from tests.strategies import times
from torchatlas.build import read_inputs
from torchatlas.extract.feeds import Entry, day, minutes, named_day, parse, under_one_name
from torchatlas.extract.links import find_links
from torchatlas.extract.text import to_text
from torchatlas.graph.errors import DataError, SourceError
from torchatlas.graph.findings import Catalogue
from torchatlas.graph.identity import merge_sources
from torchatlas.graph.model import Show
from torchatlas.settings import load_settings
from torchatlas.sources import load_sources, read_feeds, remember

FEEDS = Path(__file__).parents[1] / "feeds"
GOLDEN = sorted(path.stem for path in FEEDS.glob("*.json"))
SAMPLE = FEEDS / "rss2.xml"


def read(name: str) -> bytes:
    return (FEEDS / f"{name}.xml").read_bytes()


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_feeds(name: str) -> None:
    expected = json.loads((FEEDS / f"{name}.json").read_text("utf-8"))
    feed = parse(read(name), name)
    assert (feed.show.title, len(feed.skipped)) == (expected["title"], expected["skipped"])
    facts = ("id", "title", "guid", "number", "published", "minutes", "url", "audio_url")
    got = [{f: getattr(e.episode, f) for f in facts} | {"notes": to_text(e.notes).text} for e in feed.entries]
    for entry in got:
        entry["guid"] = re.sub(r"^torchatlas:\w{8}$", "torchatlas:?", str(entry["guid"]))
    assert got == [dict.fromkeys(facts) | entry for entry in expected["entries"]]


def test_an_entity_bomb_neither_grows_nor_reads_files() -> None:
    entry = parse(read("entity_bomb")).entries[0]
    assert len(entry.episode.title) + len(entry.notes) < 2000
    host = Path("/etc/hostname")
    if host.exists() and (name := host.read_text().strip()):
        assert name not in entry.episode.title + entry.notes


def test_of_twins_the_oldest_keeps_the_slug_and_a_repeated_guid_is_said() -> None:
    feed = parse(read("twins"), "twins.xml")
    by_guid = {e.episode.guid: e.episode.id for e in feed.entries}
    assert by_guid["t-1"] == "widget-radio/part-two"
    assert re.fullmatch(r"widget-radio/part-two-[0-9a-f]{8}", by_guid["t-2"])
    assert len(feed.skipped) == 1 and "Again" in feed.skipped[0]


def test_of_twins_one_without_a_date_gives_way_to_a_dated_one() -> None:
    undated = read("twins").replace(b"<pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate>", b"")
    by_guid = {e.episode.guid: e.episode.id for e in parse(undated).entries}
    assert by_guid["t-2"] == "widget-radio/part-two" != by_guid["t-1"]


def test_slugs_do_not_depend_on_the_order_of_the_feed() -> None:
    document = read("twins")
    items = re.findall(rb"<item>.*?</item>", document, re.S)
    turned = document.replace(b"".join(items), b"".join([items[1], items[0], items[2]]))
    ids = [{e.episode.guid: e.episode.id for e in parse(d).entries} for d in (document, turned)]
    assert ids[0] == ids[1]


def test_a_skipped_entry_is_named_by_its_place() -> None:
    assert "entry 4" in parse(read("missing_guid"), "missing_guid.xml").skipped[0]


@pytest.mark.parametrize(
    ("document", "words"),
    [(b"", "empty"), (b"<!doctype html><p>", "web page"), (b'{"version": 1}', "JSON"), (b"hello", "no channel")],
)
def test_what_is_no_feed_is_named(document: bytes, words: str) -> None:
    with pytest.raises(SourceError, match=words) as caught:
        parse(document, "https://widgets.invalid/feed")
    assert "https://widgets.invalid/feed" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("document", [b"http://127.0.0.1:9/feed", b"file:///etc/passwd", str(SAMPLE).encode()])
def test_bytes_are_never_taken_for_an_address_or_a_file(document: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", connect)
    with pytest.raises(SourceError):
        parse(document)


MINUTES = """18: 1080 18:00 0:18:29 | 19: 00:18:30 PT18M30S | 63: 1:02:31 | 1: 20 | 60: PT1H | 13: 12:34.5
    None: 0 soon -5 99999999999 ١٢"""


@pytest.mark.parametrize(
    ("duration", "expected"), [("18 min", "18"), ("1 h 5 min", "65"), ("", "None"), *each(MINUTES)]
)
def test_minutes(duration: str, expected: str) -> None:
    assert str(minutes(duration)) == expected


DAMAGE = r"""<item> | </item> | <title> | ]]> | <![CDATA[ | &#xD800; | &#99999999999; | &a; | <!DOCTYPE x [
    \xff\xfe | \0 | <guid> | <pubDate>99999-1-1 | <itunes:duration> | </channel> | xml:base='http://['
    encoding='utf-16'"""
PARTS = st.sampled_from([part.encode().decode("unicode_escape").encode("latin-1") for part in cases(DAMAGE)])


@settings(max_examples=times(300), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 900), st.integers(0, 40), PARTS | st.binary(max_size=8)), max_size=12))
def test_a_damaged_feed_is_a_feed_or_a_source_error(damage: list[tuple[int, int, bytes]]) -> None:
    document = bytearray(SAMPLE.read_bytes())
    for place, removed, added in damage:
        document[place : place + removed] = added
    try:
        feed = parse(bytes(document))
    except SourceError as e:
        assert "\n" not in str(e)
    else:
        for entry in feed.entries:
            to_text(entry.notes).text.encode()
            entry.episode.title.encode()


@settings(max_examples=times(300), deadline=None)
@given(st.binary(max_size=400))
@example(b"<rss><channel><item><title>&#xD800;</title></item></channel></rss>")
def test_arbitrary_bytes_are_a_feed_or_a_source_error(document: bytes) -> None:
    with suppress(SourceError):
        parse(document)


def test_a_letter_that_is_none_costs_one_letter() -> None:
    document = SAMPLE.read_bytes().replace(b"How widgets", b"How&#xD800; widgets")
    assert parse(document).entries[0].episode.title == "How\ufffd widgets are wired"


@pytest.mark.slow
def test_ten_thousand_entries_are_read() -> None:
    assert len({e.episode.id for e in parse(long_rss(10_000)).entries}) == 10_000


SPACES = (
    ' xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
    ' xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/"'
    ' xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:psc="http://podlove.org/simple-chapters"'
)


def rss(*items: str, attributes: str = "") -> bytes:
    head = f'<rss version="2.0"{SPACES} {attributes}><channel><title>Show</title><link>https://s.invalid/a/</link>'
    return f"{head}{''.join(f'<item>{item}</item>' for item in items)}</channel></rss>".encode()


def items_of(*markup: str, attributes: str = "") -> bytes:
    return rss(*(f"<title>Office hours</title>{item}" for item in markup), attributes=attributes)


def atom(entry: str, base: str = "") -> bytes:
    start = f'<feed xmlns="http://www.w3.org/2005/Atom"{base}><title>Show</title><id>urn:s</id>'
    return f"{start}<entry><id>urn:e</id>{entry}</entry></feed>".encode()


def only(document: bytes) -> Entry:
    feed = parse(document)
    assert len(feed.entries) == 1, feed.skipped
    return feed.entries[0]


def notes(entry: Entry) -> str:
    return to_text(entry.notes, base=entry.base).text


DIFFERING = """<enclosure url="https://a.invalid/1.mp3"/> => <enclosure url="https://a.invalid/2.mp3"/>
    <description>About one.</description> => <description>About two.</description>
    <link>//a.invalid</link><enclosure url="a/1"/> => <link>//a.invalid</link><enclosure url="a/2"/>"""


@pytest.mark.parametrize("differing", pairs(DIFFERING))
def test_items_without_a_guid_that_differ_in_audio_or_text_are_two(differing: tuple[str, ...]) -> None:
    feed = parse(items_of(*differing))
    assert len({e.episode.id for e in feed.entries}) == 2
    assert not feed.skipped
    assert len(parse(items_of(differing[0], differing[0])).entries) == 1


def test_number_type_and_guests_of_the_podcast_namespace_are_read() -> None:
    people = '<podcast:person>Ada</podcast:person><podcast:person role="Guest">Grace &amp; Jean</podcast:person>'
    (entry,) = parse(
        items_of(f"<podcast:episode>3</podcast:episode><itunes:episodeType>Trailer</itunes:episodeType>{people}")
    ).entries
    assert (entry.episode.number, entry.episode.kind, entry.episode.guests) == (3, "trailer", ("Grace & Jean",))


def test_hosts_and_authors_of_channel_and_items_are_people() -> None:
    person = "<podcast:person>{}</podcast:person>"
    item = f"<itunes:author>Ada Finch &amp;amp; Kim Wren</itunes:author>{person.format('Jean Owl')}<guid>1</guid>"
    feed = items_of(item, "<guid>2</guid>").replace(b"<item>", person.format("Brunhild Crab").encode() + b"<item>", 1)
    first, second = parse(feed).entries
    assert (first.people, first.episode.guests) == (("Jean Owl", "Brunhild Crab", "Ada Finch", "Kim Wren"), ())
    assert second.people == ("Brunhild Crab",)
    many = parse(items_of("".join(person.format(f"Ada Finch{i}") for i in range(200)))).entries[0].people
    assert many == tuple(f"Ada Finch{i}" for i in range(100))


def test_relative_addresses_count_from_the_base_of_the_document() -> None:
    item = '<guid isPermaLink="true">episode/1/</guid><enclosure url="1.mp3" type="audio/mpeg"/>'
    (entry,) = parse(items_of(item, attributes='xml:base="https://a.invalid/show/"')).entries
    assert entry.episode.url == "https://a.invalid/show/episode/1/"
    assert entry.episode.audio_url == "https://a.invalid/show/1.mp3"
    (opaque,) = parse(items_of("<guid>1234</guid>", attributes='xml:base="https://a.invalid/show/"')).entries
    assert opaque.episode.url is None


def test_chapters_of_one_second_stay_in_the_order_of_the_feed() -> None:
    listed = "".join(
        f'<psc:chapter start="{at}" title="{t}"/>' for at, t in (("0:09", "Z"), ("0:02", "B"), ("0:02", "A"))
    )
    (entry,) = parse(items_of(f"<psc:chapters>{listed}</psc:chapters>")).entries
    assert [c.title for c in entry.chapters] == ["B", "A", "Z"]


@pytest.mark.parametrize(
    "text", ['area = "Baking"', '# Drafts\n\n[bulk-fermentation]  # twice\nname = "x"', '[[move]]\nfrom = "a"']
)
def test_a_vocabulary_is_told_from_a_feed(text: str) -> None:
    with pytest.raises(SourceError, match=r"bread\.toml is not a feed: it is TOML; a vocabulary stands under"):
        parse(text.encode(), "bread.toml")


@pytest.mark.parametrize("text", ["[1, 2]", '[{"title": "a"}]', "[1]"])
def test_a_list_in_json_is_no_vocabulary(text: str) -> None:
    with pytest.raises(SourceError, match="no list of items in it"):
        parse(text.encode(), "a.json")


TITLES = """
    A &amp; B => A & B | A &amp;amp; B => A & B | R&D => R&D | It&#8217;s => It’s | It&amp;#8217;s => It’s
    1 &lt; 2 => 1 < 2
    caf&eacute; &hellip; => café … | &lt;b&gt;Bold&lt;/b&gt; => Bold
    <![CDATA[<b>Bold</b> &amp; more]]> => Bold & more | a<!-- b -->c => ac
    std::vector&lt;int&gt; => std::vector<int> | &#xD83D;&#xDE00; &#x1;&#150; => 😀 –"""


@pytest.mark.parametrize(("written", "title"), [("  two\n   lines ", "two lines"), *pairs(TITLES)])
def test_titles_of_rss(written: str, title: str) -> None:
    assert only(rss(f"<title>{written}</title>")).episode.title == title


CONSTRUCTS = """type="text">1 &lt; 2 &lt;b&gt; => 1 < 2 <b> | >plain => plain
    type="html">&lt;b&gt;B&lt;/b&gt; &amp;amp; x => B & x
    type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">x <em>y</em></div> => x y"""


@pytest.mark.parametrize(("construct", "read"), pairs(CONSTRUCTS))
def test_text_constructs_of_atom(construct: str, read: str) -> None:
    for name in ("title", "summary", "content"):
        entry = only(atom(f"<{name} {construct}</{name}>" + ("" if name == "title" else "<title>T</title>")))
        assert (entry.episode.title if name == "title" else notes(entry)) == read


FULLEST = """
    <description>longer than that</description><content:encoded>full</content:encoded> => full
    <content:encoded>full</content:encoded><description>longer than that</description> => full
    <description>short</description><itunes:summary>the longer one</itunes:summary> => the longer one
    <itunes:summary>the longer one</itunes:summary><description>short</description> => the longer one
    <itunes:summary>short</itunes:summary><description>the longer one</description> => the longer one
    <description>d</description><media:description>not this one</media:description> => d
    <description> </description><itunes:summary>s</itunes:summary> => s
    <description>if a&lt;b then</description> => if a<b then
    <description><p>tags <b>as they are</b></p></description> => tags as they are
    <description>&amp;lt;p&amp;gt;twice&amp;lt;/p&amp;gt;</description> => twice
"""


@pytest.mark.parametrize(("item", "read"), pairs(FULLEST))
def test_the_fullest_notes(item: str, read: str) -> None:
    assert notes(only(rss(f"<title>T</title>{item}"))) == read


IDENTITY = r"""
    <guid>https://p.invalid/1</guid> => https://p.invalid/1 https://p.invalid/1 | <guid>one</guid> => one None
    <guid isPermaLink="false">https://p.invalid/1</guid> => https://p.invalid/1 None
    <link>/b</link> => https://s.invalid/b https://s.invalid/b
    <link>javascript:alert(1)</link><guid>g</guid> => g None
    <guid> a\n b </guid><link>https://p.invalid/?a=1&b=2</link> => a b https://p.invalid/?a=1&b=2
    <link>file:///etc/passwd</link><guid>g</guid> => g None
"""


@pytest.mark.parametrize(("item", "expected"), pairs(IDENTITY))
def test_guid_and_link(item: str, expected: str) -> None:
    episode = only(rss("<title>T</title>" + item.replace(r"\n", "\n"))).episode
    assert f"{episode.guid} {episode.url}" == expected


def test_relative_addresses_are_completed_by_their_base() -> None:
    entry = only(
        atom(
            '<title>T</title><link href="one"/><link rel="enclosure" href="a.mp3" type="audio/mpeg"/>'
            '<content type="html" xml:base="c/">&lt;a href="d"&gt;e&lt;/a&gt; &lt;a href="#f"&gt;g&lt;/a&gt;</content>',
            ' xml:base="https://b.invalid/x/"',
        )
    )
    assert (entry.episode.guid, entry.episode.url) == ("urn:e", "https://b.invalid/x/one")
    assert entry.episode.audio_url == "https://b.invalid/x/a.mp3"
    assert [link.url for link in find_links(to_text(entry.notes, base=entry.base))] == ["https://b.invalid/x/c/d"]


ENCLOSURES = """
    url="https://x.invalid/i.jpg" type="image/jpeg" + url="https://x.invalid/a" type="audio/mpeg" => https://x.invalid/a
    url="https://x.invalid/a.mp3" + url="https://x.invalid/b.mp4" type="Video/MP4" => https://x.invalid/b.mp4
    url="https://x.invalid/a.MP3?b=c" type="application/octet-stream" => https://x.invalid/a.MP3?b=c
    url="https://x.invalid/stream" type="" => https://x.invalid/stream | url="https://x.invalid/a.pdf" => None
    url="file:///a.mp3" type="audio/mpeg" => None | => None
"""


@pytest.mark.parametrize(("enclosures", "audio"), pairs(ENCLOSURES))
def test_the_audio_among_several_enclosures(enclosures: str, audio: str) -> None:
    item = "".join(f"<enclosure {e}/>" for e in enclosures.split(" + ") if e)
    assert str(only(rss(f"<title>T</title>{item}")).episode.audio_url) == audio


DATES = """Mon, 09 May 2022 13:00:00 +0000 => 2022-05-09 | Mon, 09 May 2022 23:30:00 EST => 2022-05-10
    Mon, 09 May 2022 13:00:00 => 2022-05-09 | 9 May 22 1:00 GMT => 2022-05-09 | 2022-05-09 => 2022-05-09
    2022-05-09T23:30:00-05:00 => 2022-05-10 | 20220509 => 2022-05-09 | 2022-13-45 => | 31 Feb 2022 10:00:00 GMT =>
    1652101200 => | 99999-01-01 => | 0000-00-00 => | soon => | =>"""


@pytest.mark.parametrize(("date", "day"), pairs(DATES))
def test_dates(date: str, day: str) -> None:
    assert only(rss(f"<title>T</title><pubDate>{date}</pubDate>")).episode.published == (day or None)


def test_itunes_facts_and_titles() -> None:
    facts = "<itunes:episode>12</itunes:episode><itunes:duration>1:02:03</itunes:duration>"
    episode = only(rss(f"<itunes:title>Bare</itunes:title><title>E12: Bare</title>{facts}")).episode
    assert (episode.title, episode.number, episode.minutes) == ("E12: Bare", 12, 62)
    assert only(rss("<itunes:title>Bare</itunes:title>")).episode.title == "Bare"


@pytest.mark.parametrize(
    ("facts", "label"),
    [
        ("<itunes:season>2</itunes:season><itunes:episode>1</itunes:episode>", "S2 E1 T"),
        ('<podcast:season name="Eggs">02</podcast:season><podcast:episode>1</podcast:episode>', "S2 E1 T"),
        ("<itunes:season>1</itunes:season><itunes:episode>1</itunes:episode>", "#1 T"),  # the first and only one
        ("<itunes:season>0</itunes:season><itunes:episode>1</itunes:episode>", "#1 T"),
        ("<itunes:season>two</itunes:season><itunes:episode>1</itunes:episode>", "#1 T"),
        ("<itunes:season>2</itunes:season>", "T"),
    ],
)
def test_an_episode_is_of_a_season_where_the_show_has_had_several(facts: str, label: str) -> None:
    merged = merge_sources(Catalogue(), [only(rss(f"<title>T</title>{facts}"))])
    assert [episode.label for episode in merged.episodes] == [label]


def told(season: int, guid: str = "g") -> Entry:
    counted = f"<itunes:season>{season}</itunes:season><itunes:episode>1</itunes:episode>"
    return only(rss(f"<title>T</title><guid>{guid}</guid>{counted}"))


def test_a_first_season_is_told_where_any_feed_of_the_show_has_a_second() -> None:
    merged = merge_sources(Catalogue(), [told(1), told(2, "h")])
    assert [episode.label for episode in merged.episodes] == ["S1 E1 T", "S2 E1 T"]
    other = only(rss("<title>T</title><guid>i</guid>"))
    elsewhere = replace(other, episode=replace(other.episode, show="Other", season=2), show=Show("other", "Other"))
    assert merge_sources(Catalogue(), [told(1), elsewhere]).episodes[0].label == "#1 T"


def test_a_post_without_a_title_is_called_by_its_first_words() -> None:
    words = "Only a <b>note</b>, and quite a long one, that goes on and on without an end in sight<p>Second."
    entry = only(rss(f"<description><![CDATA[{words}]]></description>"))
    assert entry.episode.title == "Only a note, and quite a long one, that goes on and on…"


def test_what_belongs_to_others_stays_with_them() -> None:
    item = "<title>Own</title><image><title>image</title></image><media:title>media</media:title>"
    assert only(rss(f"{item}<source url='https://o.invalid'>other</source>")).episode.title == "Own"
    source = "<source><title>other</title><id>urn:o</id></source><title>Own</title>"
    entry = only(atom(source))
    assert (entry.episode.title, entry.episode.guid) == ("Own", "urn:e")


def test_prefixes_do_not_matter_but_namespaces_do() -> None:
    transcript = '<p:transcript xmlns:p="https://podcastindex.org/namespace/1.0" url="t.vtt" type="text/vtt"/>'
    assert only(rss(f"<title>T</title>{transcript}")).transcripts[0].url == "https://s.invalid/a/t.vtt"


def test_what_a_podcast_offers_besides() -> None:
    entry = only(
        rss(
            '<title>T</title><podcast:transcript url="https://x.invalid/t.srt" type="application/srt"/>'
            '<podcast:transcript url="https://x.invalid/t.vtt" type="text/vtt" language="en"/>'
            '<podcast:transcript url="file:///etc/passwd" type="text/vtt"/>'
            '<podcast:chapters url="/c.json" type="application/json+chapters"/>'
            '<psc:chapters><psc:chapter start="00:01:02.5" title="One"/><psc:chapter start="x" title="Two"/>'
            "</psc:chapters>"
        )
    )
    assert [t.url for t in entry.transcripts] == ["https://x.invalid/t.srt", "https://x.invalid/t.vtt"]
    assert entry.chapters_url == "https://s.invalid/c.json"
    assert [(c.at, c.title) for c in entry.chapters] == [(62, "One")]


def test_an_unclosed_cdata_section_costs_no_other_entry() -> None:
    cut, whole = "<title>A</title><description><![CDATA[a</description>", "<description><![CDATA[b]]></description>"
    document = rss(cut, f"<title>B</title>{whole}")
    assert [(e.episode.title, e.notes) for e in parse(document).entries] == [("A", "a"), ("B", "b")]


def test_a_feed_that_breaks_off_says_how_much_was_read() -> None:
    document = rss("<title>A</title></item><item><title>B</title><description>cut off here").removesuffix(
        b"</item></channel></rss>"
    )
    feed = parse(document, "f.xml")
    assert [e.episode.title for e in feed.entries] == ["A", "B"]
    assert feed.skipped == ("f.xml: it breaks off: 2 entries are read, the end is missing",)


HEADS = """
    <link rel="alternate" type="application/rss+xml" href="/feed.xml"> => its feed is https://x.invalid/feed.xml
    <link href='https://y.invalid/a' type='application/atom+xml' rel='alternate home'> => https://y.invalid/a
    <link rel="stylesheet" href="/a.css"> => expected RSS
"""


@pytest.mark.parametrize(("head", "said"), pairs(HEADS))
def test_a_web_page_is_named_with_its_feed(head: str, said: str) -> None:
    with pytest.raises(SourceError, match="web page") as caught:
        parse(f"<!doctype html><html><head>{head}</head>".encode(), "https://x.invalid/show")
    assert said in str(caught.value)


def test_entities_of_a_feed_are_never_expanded() -> None:
    doctype = '<!DOCTYPE rss [<!ENTITY who "Ada"><!ENTITY a "&who;&who;"><!ENTITY x SYSTEM "file:///etc/passwd">]>'
    title = only(f"<?xml version='1.0'?>{doctype}".encode() + rss("<title>&who; &a; &x;</title>")).episode.title
    assert title == "&who; &a; &x;"


def test_empty_feeds_are_feeds() -> None:
    for document in (b"<rss version='2.0'><channel><title>S</title></channel></rss>", b'{"version": "", "items": []}'):
        assert parse(document).entries == ()


def json_feed(*items: Any, **facts: Any) -> bytes:
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
    entry = parse(json_feed(item, home_page_url="https://x.invalid/")).entries[0]
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
    entry = parse(json_feed(item)).entries[0]
    assert (entry.episode.title, to_text(entry.notes).text, entry.episode.guid) == (title, notes, guid)


def test_what_is_no_item_costs_itself() -> None:
    read = parse(json_feed(None, 3, [], {}, {"title": "T"}), "f.json")
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


ANY: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KEYS = cases("id | url | title | content_html | content_text | summary | date_published | attachments | external_url")


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), ANY) | ANY, max_size=4), ANY)
def test_any_values_make_a_feed(items: list[Any], title: Any) -> None:
    for entry in parse(json_feed(*items, title=title, home_page_url=title)).entries:
        repr(entry).encode()


CHANNEL = """<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:{0}="{1}"
 xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>The &lt;b&gt;Kettle&lt;/b&gt; Hour</title>
<link>https://kettle.invalid/</link><itunes:author>Ada &amp; Bo</itunes:author><itunes:image href="/art.png"/>
<{0}:guid> 917393e3-1b1e-5cef </{0}:guid><atom:link rel="self" href="https://kettle.invalid/feed?auth=s3cret"/>
<item><title>Spouts</title><guid>1</guid><itunes:author>Cy</itunes:author></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Kettle Notes</title><id>urn:k</id>
<author><name>Ada</name><email>ada@kettle.invalid</email></author><logo>https://kettle.invalid/art.png</logo>
<link rel="alternate" href="https://kettle.invalid/"/><link rel="self" href="https://kettle.invalid/atom.xml"/>
<entry><id>1</id><title>Spouts</title></entry></feed>"""
JSON = {
    "title": "Kettle Notes",
    "home_page_url": "https://kettle.invalid/",
    "feed_url": "https://kettle.invalid/feed.json",
    "icon": "https://kettle.invalid/art.png",
    "items": [{"id": 1, "title": "Spouts"}],
}


NAMESPACES = """podcast => https://podcastindex.org/namespace/1.0 | pc => https://podcastindex.org/namespace/1.0
    podcast => https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md"""


@pytest.mark.parametrize(("prefix", "namespace"), pairs(NAMESPACES))
def test_an_rss_channel_states_its_facts(prefix: str, namespace: str) -> None:
    feed = parse(CHANNEL.format(prefix, namespace).encode(), "/home/ada/feed.xml")
    addresses = {of: f"https://kettle.invalid/{at}" for of, at in (("url", ""), ("image_url", "art.png"))}
    facts = {"feed_url": "https://kettle.invalid/feed?auth=***", "guid": "917393e3-1b1e-5cef", "author": "Ada & Bo"}
    assert feed.show == Show("the-kettle-hour", "The Kettle Hour", **addresses, **facts)
    assert [(e.show, e.episode.show) for e in feed.entries] == [(feed.show, "The Kettle Hour")]


def test_a_guid_of_another_namespace_is_none_of_the_show() -> None:
    assert parse(CHANNEL.format("podcast", "https://elsewhere.invalid").encode()).show.guid is None


def test_atom_states_its_facts_and_the_mail_address_is_left_out() -> None:
    show = parse(ATOM.encode()).show
    said = (show.url, show.image_url, show.feed_url)
    assert show.author == "Ada" and said == tuple(f"https://kettle.invalid/{of}" for of in ("", "art.png", "atom.xml"))


@pytest.mark.parametrize(
    ("authors", "author"),
    [
        ({"authors": [{"name": "Ada"}, {"url": "https://bo.invalid"}, {"name": "Cy"}]}, "Ada, Cy"),
        ({"author": {"name": "Ada"}}, "Ada"),
        ({"author": "Ada", "authors": 3}, None),
    ],
)
def test_a_json_feed_states_its_facts(authors: dict[str, object], author: str | None) -> None:
    show = parse(json.dumps(JSON | authors).encode()).show
    addresses = {"url": JSON["home_page_url"], "image_url": JSON["icon"], "feed_url": JSON["feed_url"]}
    assert show == Show("kettle-notes", "Kettle Notes", author=author, **addresses)  # type: ignore[arg-type]


def test_no_secret_and_no_address_but_those_of_the_web_enters_the_graph() -> None:
    hostile = {
        "title": "K",
        "home_page_url": "javascript:alert(1)",
        "icon": "https://me:pw@kettle.invalid/art.png?token=12ab",
        "feed_url": "file:///etc/passwd",
        "items": [],
    }
    show = parse(json.dumps(hostile).encode(), "https://kettle.invalid/rss?key=12ab&page=2").show
    assert show.url is None
    assert show.image_url == "https://kettle.invalid/art.png?token=***"
    assert show.feed_url == "https://kettle.invalid/rss?key=***&page=2"


def test_the_address_of_a_feed_is_where_it_was_read() -> None:
    assert parse(ATOM.encode(), "https://mirror.invalid/kettle").show.feed_url == "https://mirror.invalid/kettle"


def test_episodes_bear_the_first_name_of_their_show() -> None:
    known = Show("the-kettle-hour", "The Kettle Hour", feed_url="https://kettle.invalid/rss")
    renamed = parse(ATOM.encode(), "http://kettle.invalid/rss/").entries
    (entry,) = under_one_name(renamed, [known])
    assert entry.episode.show == "The Kettle Hour" and entry.show and entry.show.title == "Kettle Notes"
    assert under_one_name(renamed, ()) == renamed


def long_rss(entries: int, more: str = "") -> bytes:
    return rss(*(f"<title>Part {n}</title><guid>{n}</guid>{more}" for n in range(entries)))


def long_atom(entries: int) -> bytes:
    items = "".join(f"<a:entry><a:title>Part {n}</a:title><a:id>{n}</a:id></a:entry>" for n in range(entries))
    return f'<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>Long</a:title>{items}</a:feed>'.encode()


def long_json(entries: int) -> bytes:
    return json_feed(*({"id": n, "title": f"Part {n}"} for n in range(entries)))


@pytest.mark.parametrize("document", [long_rss, long_atom, long_json])
def test_one_line_says_how_many_entries_are_left_out_and_how_to_read_them(document: Callable[[int], bytes]) -> None:
    feed = parse(document(1_207), "long.xml", 1_200)
    assert [e.episode.title for e in feed.entries] == [f"Part {n}" for n in range(1_200)]
    assert feed.skipped == (
        "long.xml: 7 of its 1,207 entries are left out; to read them, set feed_entries = 1207 in your sources.toml",
    )
    whole = parse(document(1_207), "long.xml", 1_207)
    assert len(whole.entries) == 1_207 and not whole.skipped and not feed.cut


def test_the_line_is_told_before_those_about_single_entries() -> None:
    assert "set feed_entries = 60 " in parse(long_rss(60).replace(b"<guid>1", b"<guid>0"), most=50).skipped[0]


def test_a_last_entry_that_is_not_read_to_its_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchatlas.extract.feeds.TAGS", 50)
    feed = parse(long_rss(2, "<b/>" * 30))
    assert len(feed.entries) == 2
    assert feed.skipped == ("the feed: the end of its last entry is left out: the feed has more than is read",)


def test_the_setting_counts_in_what_is_added_and_in_every_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHATLAS_HOME", str(tmp_path / "home"))
    settings, source = load_settings(), tmp_path / "long.xml"
    source.write_bytes(long_rss(8))
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


NAMED = """May 9, 2022 => 2022-05-09 | Mon, September 1st 2025 at 8:00 => 2025-09-01 | 31 June 2022 => | May 9, 1066 =>
    31 Brumaire 1970 => | 05/06/2022 => | episode 12 may follow 2022 => | =>"""


@pytest.mark.parametrize(("text", "found"), pairs(NAMED))
def test_months_are_read_by_their_names(text: str, found: str) -> None:
    assert named_day(text) == (found or None)


def test_days_that_are_none() -> None:
    assert day(2024, 2, 29) == "2024-02-29"
    assert [day(2023, 2, 29), day(0, 1, 1), day(2023, 13, 1), day(10**30, 1, 1)] == [None] * 4
