"""Each family of feeds that validators and readers test with: what is read is what is meant."""

from dataclasses import replace

import pytest

from torchatlas.extract.feeds import Entry, parse
from torchatlas.extract.links import find_links
from torchatlas.extract.text import to_text
from torchatlas.graph.errors import SourceError
from torchatlas.graph.findings import Catalogue
from torchatlas.graph.identity import merge_sources
from torchatlas.graph.model import Show

SPACES = (
    ' xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
    ' xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/"'
    ' xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:psc="http://podlove.org/simple-chapters"'
)


def rss(item: str) -> bytes:
    head = f'<rss version="2.0"{SPACES}><channel><title>Show</title><link>https://s.invalid/a/</link>'
    return f"{head}<item>{item}</item></channel></rss>".encode()


def atom(entry: str, base: str = "") -> bytes:
    start = f'<feed xmlns="http://www.w3.org/2005/Atom"{base}><title>Show</title><id>urn:s</id>'
    return f"{start}<entry><id>urn:e</id>{entry}</entry></feed>".encode()


def only(document: bytes) -> Entry:
    feed = parse(document)
    assert len(feed.entries) == 1, feed.skipped
    return feed.entries[0]


def notes(entry: Entry) -> str:
    return to_text(entry.notes, base=entry.base).text


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("A &amp; B", "A & B"),
        ("A &amp;amp; B", "A & B"),
        ("R&D", "R&D"),
        ("It&#8217;s", "It’s"),
        ("It&amp;#8217;s", "It’s"),
        ("&lt;b&gt;Bold&lt;/b&gt;", "Bold"),
        ("<![CDATA[<b>Bold</b> &amp; more]]>", "Bold & more"),
        ("1 &lt; 2", "1 < 2"),
        ("std::vector&lt;int&gt;", "std::vector<int>"),
        ("  two\n   lines ", "two lines"),
        ("a<!-- b -->c", "ac"),
        ("&#xD83D;&#xDE00; &#x1;&#150;", "😀 –"),
        ("caf&eacute; &hellip;", "café …"),
    ],
)
def test_titles_of_rss(written: str, title: str) -> None:
    assert only(rss(f"<title>{written}</title>")).episode.title == title


@pytest.mark.parametrize(
    ("construct", "read"),
    [
        ('type="text">1 &lt; 2 &lt;b&gt;', "1 < 2 <b>"),
        (">plain", "plain"),
        ('type="html">&lt;b&gt;B&lt;/b&gt; &amp;amp; x', "B & x"),
        ('type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">x <em>y</em></div>', "x y"),
    ],
)
def test_text_constructs_of_atom(construct: str, read: str) -> None:
    for name in ("title", "summary", "content"):
        entry = only(atom(f"<{name} {construct}</{name}>" + ("" if name == "title" else "<title>T</title>")))
        assert (entry.episode.title if name == "title" else notes(entry)) == read


@pytest.mark.parametrize(
    ("item", "read"),
    [
        ("<description>longer than that</description><content:encoded>full</content:encoded>", "full"),
        ("<content:encoded>full</content:encoded><description>longer than that</description>", "full"),
        ("<description>short</description><itunes:summary>the longer one</itunes:summary>", "the longer one"),
        ("<itunes:summary>the longer one</itunes:summary><description>short</description>", "the longer one"),
        ("<itunes:summary>short</itunes:summary><description>the longer one</description>", "the longer one"),
        ("<description> </description><itunes:summary>s</itunes:summary>", "s"),
        ("<description>d</description><media:description>not this one</media:description>", "d"),
        ("<description><p>tags <b>as they are</b></p></description>", "tags as they are"),
        ("<description>&amp;lt;p&amp;gt;twice&amp;lt;/p&amp;gt;</description>", "twice"),
        ("<description>if a&lt;b then</description>", "if a<b then"),
    ],
)
def test_the_fullest_notes(item: str, read: str) -> None:
    assert notes(only(rss(f"<title>T</title>{item}"))) == read


@pytest.mark.parametrize(
    ("item", "guid", "url"),
    [
        ("<guid>https://p.invalid/1</guid>", "https://p.invalid/1", "https://p.invalid/1"),
        ('<guid isPermaLink="false">https://p.invalid/1</guid>', "https://p.invalid/1", None),
        ("<guid>one</guid>", "one", None),
        ("<link>/b</link>", "https://s.invalid/b", "https://s.invalid/b"),
        ("<guid> a\n b </guid><link>https://p.invalid/?a=1&b=2</link>", "a b", "https://p.invalid/?a=1&b=2"),
        ("<link>javascript:alert(1)</link><guid>g</guid>", "g", None),
        ("<link>file:///etc/passwd</link><guid>g</guid>", "g", None),
    ],
)
def test_guid_and_link(item: str, guid: str, url: str | None) -> None:
    episode = only(rss(f"<title>T</title>{item}")).episode
    assert (episode.guid, episode.url) == (guid, url)


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


@pytest.mark.parametrize(
    ("enclosures", "audio"),
    [
        (['url="https://x.invalid/i.jpg" type="image/jpeg"', 'url="https://x.invalid/a" type="audio/mpeg"'], "a"),
        (['url="https://x.invalid/a.mp3"', 'url="https://x.invalid/b.mp4" type="Video/MP4"'], "b.mp4"),
        (['url="https://x.invalid/a.MP3?b=c" type="application/octet-stream"'], "a.MP3?b=c"),
        (['url="https://x.invalid/stream" type=""'], "stream"),
        (['url="https://x.invalid/a.pdf"'], None),
        (['url="file:///a.mp3" type="audio/mpeg"'], None),
        ([], None),
    ],
)  # fmt: skip
def test_the_audio_among_several_enclosures(enclosures: list[str], audio: str | None) -> None:
    item = "".join(f"<enclosure {e}/>" for e in enclosures)
    found = only(rss(f"<title>T</title>{item}")).episode.audio_url
    assert found == (f"https://x.invalid/{audio}" if audio else None)


@pytest.mark.parametrize(
    ("date", "day"),
    [
        ("Mon, 09 May 2022 13:00:00 +0000", "2022-05-09"),
        ("Mon, 09 May 2022 23:30:00 EST", "2022-05-10"),
        ("Mon, 09 May 2022 13:00:00", "2022-05-09"),
        ("9 May 22 1:00 GMT", "2022-05-09"),
        ("2022-05-09", "2022-05-09"),
        ("2022-05-09T23:30:00-05:00", "2022-05-10"),
        ("20220509", "2022-05-09"),
        ("2022-13-45", None),
        ("31 Feb 2022 10:00:00 GMT", None),
        ("1652101200", None),
        ("99999-01-01", None),
        ("0000-00-00", None),
        ("soon", None),
        ("", None),
    ],
)
def test_dates(date: str, day: str | None) -> None:
    assert only(rss(f"<title>T</title><pubDate>{date}</pubDate>")).episode.published == day


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
    document = b"""<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>S</a:title>
    <a:entry><a:id>urn:1</a:id><a:title>E</a:title></a:entry></a:feed>"""
    assert only(document).episode.title == "E"
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
    document = rss("<title>A</title><description><![CDATA[a</description></item><item><title>B</title>"
                   "<description><![CDATA[b]]></description>")  # fmt: skip
    assert [(e.episode.title, e.notes) for e in parse(document).entries] == [("A", "a"), ("B", "b")]


def test_a_feed_that_breaks_off_says_how_much_was_read() -> None:
    document = rss("<title>A</title></item><item><title>B</title><description>cut off here").removesuffix(
        b"</item></channel></rss>"
    )
    feed = parse(document, "f.xml")
    assert [e.episode.title for e in feed.entries] == ["A", "B"]
    assert feed.skipped == ("f.xml: it breaks off: 2 entries are read, the end is missing",)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (
            '<link rel="alternate" type="application/rss+xml" href="/feed.xml">',
            "its feed is https://x.invalid/feed.xml",
        ),
        ("<link href='https://y.invalid/a' type='application/atom+xml' rel='alternate home'>", "https://y.invalid/a"),
        ('<link rel="stylesheet" href="/a.css">', "expected RSS"),
    ],
)
def test_a_web_page_is_named_with_its_feed(head: str, said: str) -> None:
    with pytest.raises(SourceError, match="web page") as caught:
        parse(f"<!doctype html><html><head>{head}</head>".encode(), "https://x.invalid/show")
    assert said in str(caught.value)


def test_own_entities_are_known_but_no_bombs() -> None:
    doctype = '<!DOCTYPE rss [<!ENTITY who "Ada"><!ENTITY a "&who;&who;"><!ENTITY x SYSTEM "file:///etc/passwd">]>'
    title = only(f"<?xml version='1.0'?>{doctype}".encode() + rss("<title>&who; &a; &x;</title>")).episode.title
    assert title == "Ada &a; &x;"


def test_empty_feeds_are_feeds() -> None:
    for document in (b"<rss version='2.0'><channel><title>S</title></channel></rss>", b'{"version": "", "items": []}'):
        assert parse(document).entries == ()
