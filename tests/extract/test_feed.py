"""Feeds of every family: what is read is what is meant, and what is damaged or too long is told."""

import json
import re
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.extract.cases import cases, each, pairs
from tests.strategies import times
from torchatlas.build import read_inputs
from torchatlas.extract.feeds import Entry, day, feed_addresses, minutes, named_day, parse, under_one_name
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


def test_of_twins_the_oldest_that_has_a_date_keeps_the_slug_in_any_order() -> None:
    document = read("twins")
    items = re.findall(rb"<item>.*?</item>", document, re.S)
    turned = document.replace(b"".join(items), b"".join([items[1], items[0], items[2]]))
    undated = document.replace(b"<pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate>", b"")
    feeds = [parse(d, "twins.xml") for d in (document, turned, undated)]
    first, again, third = ({e.episode.guid: e.episode.id for e in feed.entries} for feed in feeds)
    assert first == again and first["t-1"] == "widget-radio/part-two" == third["t-2"] != third["t-1"]
    assert re.fullmatch(r"widget-radio/part-two-[0-9a-f]{8}", first["t-2"])
    assert len(feeds[0].skipped) == 1 and "Again" in feeds[0].skipped[0]  # a repeated guid


NO_FEEDS = r"""
    => is not a feed: it is empty | <!doctype html><p> => it is a web page; expected RSS | hello => there is no channel
    {"version": 1} => JSON | {"version": 1 => at line 1 | {"items": 3} => no list of items
    [1] => is JSON but not a JSON Feed: there is no list of items in it | [1, 2] => no list of items in it
    [{"title": "a"}] => no list of items in it
    area = "Baking" => is not a feed: it is TOML; a vocabulary stands under
    # Drafts\n\n[bulk-fermentation]  # twice\nname = "x" => it is TOML | [[move]]\nfrom = "a" => it is TOML
    <html><link rel="alternate" type="application/rss+xml" href="/feed.xml"> => its feed is https://x.invalid/feed.xml
    <html><link href='https://y.invalid/a' type='application/atom+xml' rel='alternate home'> => https://y.invalid/a
    <html><link rel="stylesheet" href="/a.css"> => it is a web page; expected RSS
"""


@pytest.mark.parametrize(("document", "said"), [("[" * 9_999, "JSON"), *pairs(NO_FEEDS)])
def test_what_is_no_feed_is_named_in_one_line(document: str, said: str) -> None:
    with pytest.raises(SourceError, match=r"^https://x\.invalid/show [^\n]*$") as caught:
        parse(document.replace(r"\n", "\n").encode(), "https://x.invalid/show")
    assert said in str(caught.value)


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


def read_or_refused(document: bytes) -> None:
    try:
        feed = parse(document)
    except SourceError as e:
        assert "\n" not in str(e)
    else:
        for entry in feed.entries:
            repr(entry).encode()
            to_text(entry.notes).text.encode()


@settings(max_examples=times(300), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 900), st.integers(0, 40), PARTS | st.binary(max_size=8)), max_size=12))
def test_a_damaged_feed_is_a_feed_or_a_source_error(damage: list[tuple[int, int, bytes]]) -> None:
    document = bytearray(SAMPLE.read_bytes())
    for place, removed, added in damage:
        document[place : place + removed] = added
    read_or_refused(bytes(document))


@settings(max_examples=times(300), deadline=None)
@given(st.binary(max_size=400))
@example(b"<rss><channel><item><title>&#xD800;</title></item></channel></rss>")
@example(b"<rss><channel><item><title>&#%s;</title></item></channel></rss>" % (b"9" * 5000))
@example(b'{"items": [{"id": %s, "title": "x"}]}' % (b"9" * 400))
def test_arbitrary_bytes_are_a_feed_or_a_source_error(document: bytes) -> None:
    read_or_refused(document)


@pytest.mark.slow
def test_twenty_thousand_entries_are_read_where_nothing_else_is_set() -> None:
    feed = parse(long_json(20_005), "many.json")
    assert len({e.episode.id for e in feed.entries}) == 20_000 and not feed.cut
    assert "5 of its 20,005 entries" in feed.skipped[0]


SPACES = (
    ' xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
    ' xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/"'
    ' xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:psc="http://podlove.org/simple-chapters"'
)


def rss(*items: str, base: str = "") -> bytes:
    based = f'xml:base="{base}"' if base else ""
    head = f'<rss version="2.0"{SPACES} {based}><channel><title>Show</title><link>https://s.invalid/a/</link>'
    return f"{head}{''.join(f'<item>{item}</item>' for item in items)}</channel></rss>".encode()


def atom(entry: str, base: str = "") -> bytes:
    based = f'xml:base="{base}"' if base else ""
    start = f'<feed xmlns="http://www.w3.org/2005/Atom" {based}><title>Show</title><id>urn:s</id>'
    return f"{start}<entry><id>urn:e</id>{entry}</entry></feed>".encode()


def json_feed(*items: Any, **facts: Any) -> bytes:
    body = {"version": "https://jsonfeed.org/version/1.1", "title": "Show", "items": list(items), **facts}
    return json.dumps(body).encode()


def shown(entry: Entry, form: str) -> str:
    """Facts of an entry, as the form says: "{e.guid} {notes}"."""
    text, e = to_text(entry.notes, base=entry.base), entry.episode
    links = " ".join(link.url for link in find_links(text))
    transcripts = [t.url for t in entry.transcripts]
    chapters = " ".join(f"{c.at}:{c.title}" for c in entry.chapters)
    (label,) = (episode.label for episode in merge_sources(Catalogue(), [entry])[0])
    more = {"links": links, "transcripts": transcripts, "chapters": chapters, "label": label, "people": entry.people}
    return form.format(e=e, notes=text.text, chapters_url=entry.chapters_url or "", **more)


TITLES = """
    A &amp; B => A & B | A &amp;amp; B => A & B | R&D => R&D | It&#8217;s => It’s | It&amp;#8217;s => It’s
    1 &lt; 2 => 1 < 2
    caf&eacute; &hellip; => café … | &lt;b&gt;Bold&lt;/b&gt; => Bold
    <![CDATA[<b>Bold</b> &amp; more]]> => Bold & more | a<!-- b -->c => ac | How&#xD800; long => How\ufffd long
    std::vector&lt;int&gt; => std::vector<int>
    &#xD83D;&#xDE00; &#x1;&#150; => 😀 – | \\ntwo\\n   lines => two lines"""
CALLED = """
    <itunes:title>Bare</itunes:title><title>E12: Bare</title> => E12: Bare | <itunes:title>Bare</itunes:title> => Bare
    <title>Own</title><image><title>image</title></image><media:title>media</media:title> => Own
    <title>Own</title><source url='https://o.invalid'>other</source> => Own
    <description>A &lt;b>note&lt;/b>, and quite a long one, that goes on and on without end&lt;p>B</description> => \
A note, and quite a long one, that goes on and on without…"""
CONSTRUCTS = """type="text">1 &lt; 2 &lt;b&gt; => 1 < 2 <b> | >plain => plain
    type="html">&lt;b&gt;B&lt;/b&gt; &amp;amp; x => B & x
    type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">x <em>y</em></div> => x y"""
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
    <description>&amp;lt;p&amp;gt;twice&amp;lt;/p&amp;gt;</description> => twice"""
IDENTITY = """
    <guid>https://p.invalid/1</guid> => https://p.invalid/1 https://p.invalid/1 | <guid>one</guid> => one None
    <guid isPermaLink="false">https://p.invalid/1</guid> => https://p.invalid/1 None
    <link>/b</link> => https://s.invalid/b https://s.invalid/b
    <link>javascript:alert(1)</link><guid>g</guid> => g None
    <guid> a\\n b </guid><link>https://p.invalid/?a=1&b=2</link> => a b https://p.invalid/?a=1&b=2
    <link>file:///etc/passwd</link><guid>g</guid> => g None"""
BASED = """<guid isPermaLink="true">episode/1/</guid> => https://a.invalid/show/episode/1/ None
    <enclosure url="1.mp3" type="audio/mpeg"/><guid>12</guid> => None https://a.invalid/show/1.mp3"""
ENCLOSURES = """
    url="/i.jpg" type="image/jpeg"/><enclosure url="https://x.invalid/a" type="audio/mpeg" => https://x.invalid/a
    url="/a.mp3"/><enclosure url="https://x.invalid/b.mp4" type="Video/MP4" => https://x.invalid/b.mp4
    url="https://x.invalid/a.MP3?b=c" type="application/octet-stream" => https://x.invalid/a.MP3?b=c
    url="https://x.invalid/stream" type="" => https://x.invalid/stream | url="https://x.invalid/a.pdf" => None
    url="file:///a.mp3" type="audio/mpeg" => None | => None"""
DATES = """Mon, 09 May 2022 13:00:00 +0000 => 2022-05-09 | Mon, 09 May 2022 23:30:00 EST => 2022-05-10
    Mon, 09 May 2022 13:00:00 => 2022-05-09 | 9 May 22 1:00 GMT => 2022-05-09 | 2022-05-09 => 2022-05-09
    2022-05-09T23:30:00-05:00 => 2022-05-10 | 20220509 => 2022-05-09 | 2022-13-45 => None
    31 Feb 2022 10:00:00 GMT => None | 1652101200 => None | 99999-01-01 => None | 0000-00-00 => None | soon => None
    => None"""
NUMBERS = """<itunes:episode>12</itunes:episode><itunes:duration>1:02:03</itunes:duration> => 12 62 episode ()
    <podcast:episode>3</podcast:episode><itunes:episodeType>Trailer</itunes:episodeType> => 3 None trailer ()
    <podcast:person>A</podcast:person><podcast:person role='Guest'>G &amp; J</podcast:person> => \
None None episode ('G & J',)"""
SEASONS = """<itunes:season>2</itunes:season><itunes:episode>1</itunes:episode> => S2 E1 T
    <podcast:season name="Eggs">02</podcast:season><podcast:episode>1</podcast:episode> => S2 E1 T
    <itunes:season>1</itunes:season><itunes:episode>1</itunes:episode> => #1 T
    <itunes:season>0</itunes:season><itunes:episode>1</itunes:episode> => #1 T
    <itunes:season>two</itunes:season><itunes:episode>1</itunes:episode> => #1 T
    <itunes:season>2</itunes:season> => T"""
OFFERED = """
    <p:transcript xmlns:p="https://podcastindex.org/namespace/1.0" url="t.vtt"/> => ['https://s.invalid/a/t.vtt']
    <podcast:transcript url="//x.invalid/t.srt" type="application/srt"/><podcast:transcript url="/t.vtt"/> => \
['https://x.invalid/t.srt', 'https://s.invalid/t.vtt']
    <podcast:transcript url="file:///etc/passwd" type="text/vtt"/> => []
    <podcast:chapters url="/c.json" type="application/json+chapters"/> => [] https://s.invalid/c.json"""
CHAPTERS = """start="00:01:02.5" title="One"/><psc:chapter start="x" title="Two" => 62:One
    start="9" title="Z"/><psc:chapter start="0:02" title="B"/><psc:chapter start="0:02" title="A" => 2:B 2:A 9:Z"""
AT_A_BASE = """<link href="one"/> => urn:e https://b.invalid/x/one None
    <link rel="enclosure" href="a.mp3" type="audio/mpeg"/> => urn:e None https://b.invalid/x/a.mp3
    <content type="html" xml:base="c/">&lt;a href="d">e&lt;/a> &lt;a href="#f">g&lt;/a></content> => \
urn:e None None https://b.invalid/x/c/d
    <source><title>other</title><id>urn:o</id></source> => urn:e None None"""
IN_JSON = r"""
    {"id": 7, "title": "T"} => T/''/7 | {"id": 7.0, "title": "T"} => T/''/7
    {"id": "a", "title": "T", "summary": "S"} => T/'S'/a
    {"id": "a", "content_text": "Plain <b> & more.\nTwo"} => Plain <b> & more./'Plain <b> & more.\nTwo'/a
    {"title": "T", "external_url": "https://y.invalid/z"} => T/''/https://y.invalid/z
    {"id": "a", "title": "T\ud83d", "attachments": "none", "date_published": 3, "url": ["x"]} => T?/''/a"""
TABLES = {  # what is shown of the only entry of a document, and what stands at {} in it
    "titles": ("{e.title}", rss("<title>{}</title>"), TITLES),
    "what an entry is called": ("{e.title}", rss("{}"), CALLED),
    "titles in Atom": ("{e.title}", atom("<title {}</title>"), CONSTRUCTS),
    "summaries in Atom": ("{notes}", atom("<title>T</title><summary {}</summary>"), CONSTRUCTS),
    "contents in Atom": ("{notes}", atom("<title>T</title><content {}</content>"), CONSTRUCTS),
    "the fullest notes": ("{notes}", rss("<title>T</title>{}"), FULLEST),
    "guid and link": ("{e.guid} {e.url}", rss("<title>T</title>{}"), IDENTITY),
    "addresses at a base": ("{e.url} {e.audio_url}", rss("<title>T</title>{}", base="https://a.invalid/show/"), BASED),
    "audio": ("{e.audio_url}", rss("<title>T</title><enclosure {}/>"), ENCLOSURES),
    "dates": ("{e.published}", rss("<title>T</title><pubDate>{}</pubDate>"), DATES),
    "numbers": ("{e.number} {e.minutes} {e.kind} {e.guests}", rss("<title>T</title>{}"), NUMBERS),
    "seasons, where the show has had several": ("{label}", rss("<title>T</title>{}"), SEASONS),
    "what is offered besides": ("{transcripts} {chapters_url}", rss("<title>T</title>{}"), OFFERED),
    "chapters": ("{chapters}", rss("<title>T</title><psc:chapters><psc:chapter {}/></psc:chapters>"), CHAPTERS),
    "a base within a base": (
        "{e.guid} {e.url} {e.audio_url} {links}",
        atom("<title>T</title>{}", base="https://b.invalid/x/"),
        AT_A_BASE,
    ),
    "JSON": ("{e.title}/{notes!r}/{e.guid}", json_feed("{}").replace(b'"{}"', b"{}"), IN_JSON),
}


@pytest.mark.parametrize(("of", "item", "read"), [(of, *pair) for of in TABLES for pair in pairs(TABLES[of][2])])
def test_what_is_written_of_an_episode_is_read(of: str, item: str, read: str) -> None:
    form, document, _ = TABLES[of]
    written = item if of == "JSON" else item.replace(r"\n", "\n")
    (entry,) = parse(document.replace(b"{}", written.encode())).entries
    assert shown(entry, form).strip() == read


DIFFERING = """<enclosure url="https://a.invalid/1.mp3"/> => <enclosure url="https://a.invalid/2.mp3"/>
    <description>About one.</description> => <description>About two.</description>
    <link>//a.invalid</link><enclosure url="a/1"/> => <link>//a.invalid</link><enclosure url="a/2"/>"""


@pytest.mark.parametrize(("one", "two"), pairs(DIFFERING))
def test_items_without_a_guid_that_differ_in_audio_or_text_are_two(one: str, two: str) -> None:
    feed, same = (parse(rss(f"<title>T</title>{one}", f"<title>T</title>{other}")) for other in (two, one))
    assert len({e.episode.id for e in feed.entries}) == 2 and not feed.skipped
    assert len(same.entries) == 1


def test_hosts_and_authors_of_channel_and_items_are_people() -> None:
    person = "<podcast:person>{}</podcast:person>"
    item = f"<itunes:author>Ada Finch &amp;amp; Kim Wren</itunes:author>{person.format('Jean Owl')}<title>1</title>"
    feed = rss(item, "<title>2</title>").replace(b"<item>", person.format("Brunhild Crab").encode() + b"<item>", 1)
    first, second = parse(feed).entries
    assert (first.people, first.episode.guests) == (("Jean Owl", "Brunhild Crab", "Ada Finch", "Kim Wren"), ())
    assert second.people == ("Brunhild Crab",)
    (many,) = parse(rss("<title>T</title>" + "".join(person.format(f"Ada Finch{i}") for i in range(200)))).entries
    assert many.people == tuple(f"Ada Finch{i}" for i in range(100))


def told(season: int, guid: str = "g") -> Entry:
    counted = f"<itunes:season>{season}</itunes:season><itunes:episode>1</itunes:episode>"
    return parse(rss(f"<title>T</title><guid>{guid}</guid>{counted}")).entries[0]


def test_a_first_season_is_told_where_any_feed_of_the_show_has_a_second() -> None:
    first, second = told(1), told(2, "h")
    assert [e.label for e in merge_sources(Catalogue(), [first, second])[0]] == ["S1 E1 T", "S2 E1 T"]
    elsewhere = replace(second, episode=replace(second.episode, show="Other"), show=Show("other", "Other"))
    assert merge_sources(Catalogue(), [first, elsewhere])[0][0].label == "#1 T"


def test_an_unclosed_cdata_section_costs_no_other_entry() -> None:
    cut, whole = "<title>A</title><description><![CDATA[a</description>", "<description><![CDATA[b]]></description>"
    document = rss(cut, f"<title>B</title>{whole}")
    assert [(e.episode.title, e.notes) for e in parse(document).entries] == [("A", "a"), ("B", "b")]


def test_a_feed_that_breaks_off_says_how_much_was_read() -> None:
    document = rss("<title>A</title>", "<title>B</title><description>cut off here")
    feed = parse(document.removesuffix(b"</item></channel></rss>"), "f.xml")
    assert [e.episode.title for e in feed.entries] == ["A", "B"]
    assert feed.skipped == ("f.xml: it breaks off: 2 entries are read, the end is missing",)


def test_entities_of_a_feed_are_never_expanded() -> None:
    doctype = '<!DOCTYPE rss [<!ENTITY who "Ada"><!ENTITY a "&who;&who;"><!ENTITY x SYSTEM "file:///etc/passwd">]>'
    (entry,) = parse(f"<?xml version='1.0'?>{doctype}".encode() + rss("<title>&who; &a; &x;</title>")).entries
    assert entry.episode.title == "&who; &a; &x;"


@pytest.mark.parametrize("document", [b"<rss version='2.0'><channel><title>S</title></channel></rss>", json_feed()])
def test_empty_feeds_are_feeds(document: bytes) -> None:
    assert parse(document).entries == ()


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
    (entry,) = parse(json_feed(item, home_page_url="https://x.invalid/")).entries
    assert shown(entry, "{e.id} {e.title} {e.show}") == "show/a-b-vector-int A < B & vector<int> Show"
    assert shown(entry, "{e.guid} {e.url} {e.published}") == "https://x.invalid/1 https://x.invalid/1 2024-05-10"
    assert shown(entry, "{e.minutes} {e.audio_url} {people}") == "18 https://x.invalid/a.mp3 ('Ada Finch',)"
    assert shown(entry, "{notes} {links}") == "See that https://x.invalid/2"


def test_what_is_no_item_costs_itself() -> None:
    read = parse(json_feed(None, 3, [], {}, {"title": "T"}), "f.json")
    assert [e.episode.title for e in read.entries] == ["T"]
    assert len(read.skipped) == 4 and "f.json: entry 1 left out" in read.skipped[0]


ANY: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KEYS = cases("id | url | title | content_html | content_text | summary | date_published | attachments | external_url")


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), ANY) | ANY, max_size=4), ANY)
def test_any_values_make_a_feed(items: list[Any], title: Any) -> None:
    read_or_refused(json_feed(*items, title=title, home_page_url=title))


CHANNEL = """<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:{0}="{1}"
 xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>The &lt;b&gt;Kettle&lt;/b&gt; Hour</title>
<link>https://kettle.invalid/</link><itunes:author>Ada &amp; Bo</itunes:author><itunes:image href="/art.png"/>
<{0}:guid> 917393e3-1b1e-5cef </{0}:guid><atom:link rel="self" href="https://kettle.invalid/feed?auth=s3cret"/>
<item><title>Spouts</title><guid>1</guid><itunes:author>Cy</itunes:author></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Kettle Notes</title><id>urn:k</id>
<author><name>Ada</name><email>ada@kettle.invalid</email></author><logo>https://kettle.invalid/art.png</logo>
<link rel="alternate" href="https://kettle.invalid/"/><link rel="self" href="https://kettle.invalid/atom.xml"/>
<entry><id>1</id><title>Spouts</title></entry></feed>"""
NAMED = """podcast https://podcastindex.org/namespace/1.0 => 917393e3-1b1e-5cef
    pc https://podcastindex.org/namespace/1.0 => 917393e3-1b1e-5cef
    podcast https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md => 917393e3-1b1e-5cef
    podcast https://elsewhere.invalid =>"""


@pytest.mark.parametrize(("prefix", "guid"), pairs(NAMED))
def test_an_rss_channel_states_its_facts(prefix: str, guid: str) -> None:
    feed = parse(CHANNEL.format(*prefix.split()).encode(), "/home/ada/feed.xml")
    addresses = {of: f"https://kettle.invalid/{at}" for of, at in (("url", ""), ("image_url", "art.png"))}
    facts = {"feed_url": "https://kettle.invalid/feed?auth=***", "guid": guid or None, "author": "Ada & Bo"}
    assert feed.show == Show("the-kettle-hour", "The Kettle Hour", **addresses, **facts)  # type: ignore[arg-type]
    assert [(e.show, e.episode.show) for e in feed.entries] == [(feed.show, "The Kettle Hour")]


def test_atom_states_its_facts_and_the_mail_address_is_left_out() -> None:
    show = parse(ATOM.encode()).show
    said = (show.url, show.image_url, show.feed_url)
    assert show.author == "Ada" and said == tuple(f"https://kettle.invalid/{of}" for of in ("", "art.png", "atom.xml"))
    assert parse(ATOM.encode(), "https://mirror.invalid/kettle").show.feed_url == "https://mirror.invalid/kettle"


AUTHORS = """{"authors": [{"name": "Ada"}, {"url": "https://bo.invalid"}, {"name": "Cy"}]} => Ada, Cy
    {"author": {"name": "Ada"}} => Ada | {"author": "Ada", "authors": 3} =>"""


@pytest.mark.parametrize(("authors", "author"), pairs(AUTHORS))
def test_a_json_feed_states_its_facts(authors: str, author: str) -> None:
    keys = {"url": "home_page_url", "image_url": "icon", "feed_url": "feed_url"}
    addresses = {of: f"https://kettle.invalid/{of}" for of in keys}
    show = parse(json_feed(**{keys[of]: at for of, at in addresses.items()}, **json.loads(authors))).show
    assert show == Show("show", "Show", author=author or None, **addresses)


def test_no_secret_and_no_address_but_those_of_the_web_enters_the_graph() -> None:
    icon = "https://me:pw@kettle.invalid/art.png?token=12ab"
    hostile = json_feed(home_page_url="javascript:alert(1)", icon=icon, feed_url="file:///etc/passwd")
    show = parse(hostile, "https://kettle.invalid/rss?key=12ab&page=2").show
    assert show.url is None
    assert show.image_url == "https://kettle.invalid/art.png?token=***"
    assert show.feed_url == "https://kettle.invalid/rss?key=***&page=2"


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


DAYS = """May 9, 2022 => 2022-05-09 | Mon, September 1st 2025 at 8:00 => 2025-09-01 | 31 June 2022 => | May 9, 1066 =>
    31 Brumaire 1970 => | 05/06/2022 => | episode 12 may follow 2022 => | =>"""


@pytest.mark.parametrize(("text", "found"), pairs(DAYS))
def test_months_are_read_by_their_names(text: str, found: str) -> None:
    assert named_day(text) == (found or None)


def test_days_that_are_none() -> None:
    assert day(2024, 2, 29) == "2024-02-29"
    assert [day(2023, 2, 29), day(0, 1, 1), day(2023, 13, 1), day(10**30, 1, 1)] == [None] * 4


def opml(*outlines: str) -> bytes:
    return f'<?xml version="1.0"?><opml version="2.0"><body>{"".join(outlines)}</body></opml>'.encode()


def test_a_list_of_feeds_gives_each_once_however_deep() -> None:
    document = opml(
        '<outline text="folder"><outline type="rss" xmlUrl="https://a.invalid/f?x=1&amp;y=2"/></outline>',
        '<outline XMLURL=" https://b.invalid/f "/><outline type="rss" url="http://c.invalid"/>',
        '<outline type="link" url="https://page.invalid"/><outline xmlUrl="https://b.invalid/f"/>',
        '<outline xmlUrl="feed://d.invalid/f"/><outline xmlUrl="feed:https://e.invalid/f"/>',
    )
    hosts = ("https://b.invalid/f", "http://c.invalid", "http://d.invalid/f", "https://e.invalid/f")
    assert feed_addresses(document) == ("https://a.invalid/f?x=1&y=2", *hosts)


@pytest.mark.parametrize(
    "document", [opml('<outline xmlUrl="file:///etc/passwd"/><outline xmlUrl="/etc/passwd"/>'), b"<opml versio"]
)
def test_a_list_of_feeds_names_addresses_and_no_files(document: bytes) -> None:
    with pytest.raises(SourceError, match="no address on the web"):
        feed_addresses(document)


def test_a_broken_list_of_feeds_is_read_as_far_as_it_goes() -> None:
    document = opml('<outline text="R&D" xmlUrl="https://a.invalid"/>', '<outline xmlUrl="https://b.invalid"')
    assert feed_addresses(document) == ("https://a.invalid",)
    assert feed_addresses(document.decode().encode("utf-16")) == ("https://a.invalid",)


@pytest.mark.parametrize("document", [b"", b"<rss><title><opml></title></rss>", b"<html>", b'{"a": "<opml>"}', b"\xff"])
def test_other_documents_are_no_lists_of_feeds(document: bytes) -> None:
    assert feed_addresses(document) is None
