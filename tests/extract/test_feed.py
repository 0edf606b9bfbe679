"""Feeds of every family: what is read is what is meant, and what is damaged or too long is told."""

import json
import re
import socket
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.cases import TEXTS, cases, claims, each, pairs
from tests.fuzz import check
from torchatlas.build import read_inputs
from torchatlas.extract.feeds import Entry, day, feed_addresses, minutes, parse, told_apart, under_one_name, written_day
from torchatlas.extract.links import find_links
from torchatlas.extract.text import ATTRIBUTES, mend, to_text, without_boilerplate
from torchatlas.graph.errors import DataError, SourceError
from torchatlas.graph.findings import Catalogue
from torchatlas.graph.identity import merge_sources
from torchatlas.graph.model import Episode, Show
from torchatlas.settings import load_settings
from torchatlas.sources import load_sources, read_feeds, remember

FEEDS = Path(__file__).parents[1] / "feeds"
SAMPLE = FEEDS / "rss2.xml"


@pytest.mark.parametrize("name", sorted(path.stem for path in FEEDS.glob("*.json")))
def test_golden_feeds(name: str) -> None:
    expected = json.loads((FEEDS / f"{name}.json").read_text("utf-8"))
    feed = parse((FEEDS / f"{name}.xml").read_bytes(), name)
    assert (feed.show.title, len(feed.skipped)) == (expected["title"], expected["skipped"])
    facts = ("id", "title", "guid", "number", "published", "minutes", "url", "audio_url")
    got = [{f: getattr(e.episode, f) for f in facts} | {"notes": to_text(e.notes).text} for e in feed.entries]
    for entry in got:
        entry["guid"] = re.sub(r"^torchatlas:\w{8}$", "torchatlas:?", str(entry["guid"]))
    assert got == [dict.fromkeys(facts) | entry for entry in expected["entries"]]


def test_entities_are_never_expanded_and_a_bomb_of_them_neither_grows_nor_reads_files() -> None:
    entry = parse((FEEDS / "entity_bomb.xml").read_bytes()).entries[0]
    assert len(entry.episode.title) + len(entry.notes) < 2000
    host = Path("/etc/hostname")
    if host.exists() and (name := host.read_text().strip()):
        assert name not in entry.episode.title + entry.notes
    doctype = '<!DOCTYPE rss [<!ENTITY who "Ada"><!ENTITY a "&who;&who;"><!ENTITY x SYSTEM "file:///etc/passwd">]>'
    (entry,) = parse(f"<?xml version='1.0'?>{doctype}".encode() + rss("<title>&who; &a; &x;</title>")).entries
    assert entry.episode.title == "&who; &a; &x;"


def test_of_twins_the_oldest_that_has_a_date_keeps_the_slug_in_any_order() -> None:
    document = (FEEDS / "twins.xml").read_bytes()
    items = re.findall(rb"<item>.*?</item>", document, re.S)
    turned = document.replace(b"".join(items), b"".join([items[1], items[0], items[2]]))
    undated = document.replace(b"<pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate>", b"")
    feeds = [parse(d, "twins.xml") for d in (document, turned, undated)]
    first, again, third = ({e.episode.guid: e.episode.id for e in feed.entries} for feed in feeds)
    assert first == again and first["t-1"] == "widget-radio/part-two" == third["t-2"] != third["t-1"]
    assert re.fullmatch(r"widget-radio/part-two-[0-9a-f]{8}", first["t-2"])
    assert len(feeds[0].skipped) == 1 and "Again" in feeds[0].skipped[0]  # a repeated guid


HEADS = """
311: Sand; 312 - Silt; 313. Clay; Errata => #311 #312 #313 -
2001: A tea; Sand; Silt; Clay => - - - -
Ep. 7: Silt; #12 - Sand; S2E4: Clay; Part 3: Loam; Peat; Chalk; Marl; Chernozem => #7 #12 S2 E4 - - - - -
"""


@pytest.mark.parametrize(("titles", "numbers"), pairs(HEADS))
def test_a_marked_number_at_the_head_of_a_title_counts_and_any_where_most_titles_have_one(titles, numbers) -> None:
    body = {"title": "Soil", "items": [{"title": title} for title in titles.split("; ")]}
    found = [entry.episode for entry in parse(json.dumps(body).encode()).entries]
    assert " ".join(e.numbered or "-" for e in found) == numbers
    assert "; ".join(e.label for e in found) == titles  # which does not say it twice


@pytest.mark.parametrize(("document", "said"), [("[" * 9_999, "JSON"), *pairs(TEXTS["no feeds"])])
def test_what_is_no_feed_is_named_in_one_line(document: str, said: str) -> None:
    with pytest.raises(SourceError, match=r"^https://x\.invalid/show [^\n]*$") as caught:
        parse(document.replace(r"\n", "\n").encode(), "https://x.invalid/show")
    assert said in str(caught.value)


@pytest.mark.parametrize("document", [b"http://127.0.0.1:9/feed", b"file:///etc/passwd", str(SAMPLE).encode()])
def test_bytes_are_never_taken_for_an_address_or_a_file(document: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("a connection was opened"))
    with pytest.raises(SourceError):
        parse(document)


NAMESPACES = """itunes=http://www.itunes.com/dtds/podcast-1.0.dtd content=http://purl.org/rss/1.0/modules/content/
    media=http://search.yahoo.com/mrss/ podcast=https://podcastindex.org/namespace/1.0
    psc=http://podlove.org/simple-chapters"""
SPACES = " ".join('xmlns:{}="{}"'.format(*space.split("=")) for space in NAMESPACES.split())


def rss(*items: str, base: str = "") -> bytes:
    based = f'xml:base="{base}"' if base else ""
    head = f'<rss version="2.0" {SPACES} {based}><channel><title>Show</title><link>https://s.invalid/a/</link>'
    return f"{head}{''.join(f'<item>{item}</item>' for item in items)}</channel></rss>".encode()


def atom(*entries: str, base: str = "") -> bytes:
    based = f'xml:base="{base}"' if base else ""
    listed = "".join(f"<a:entry>{entry}</a:entry>" for entry in entries)
    names = 'xmlns="http://www.w3.org/2005/Atom" xmlns:a="http://www.w3.org/2005/Atom"'
    return f"<a:feed {names} {based}><title>Show</title><id>urn:s</id>{listed}</a:feed>".encode()


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


ID, T = "<id>urn:e</id>", "<title>T</title>"
TABLES = {  # what is shown of the only entry of a document, and what stands at {} in it
    "titles": ("{e.title}", rss("<title>{}</title>")),
    "what an entry is called": ("{e.title}", rss("{}")),
    "the fullest notes": ("{notes}", rss(T + "{}")),
    "guid and link": ("{e.guid} {e.url}", rss(T + "{}")),
    "addresses at a base": ("{e.url} {e.audio_url}", rss(T + "{}", base="https://a.invalid/show/")),
    "audio": ("{e.audio_url}", rss(T + "<enclosure {}/>")),
    "dates": ("{e.published}", rss(T + "<pubDate>{}</pubDate>")),
    "numbers": ("{e.number} {e.minutes} {e.kind} {e.guests}", rss(T + "{}")),
    "kinds": ("{e.kind} {e.minutes}", rss(T + "{}")),
    "seasons": ("{label}", rss(T + "{}")),
    "what is offered besides": ("{transcripts} {chapters_url}", rss(T + "{}")),
    "chapters": ("{chapters}", rss(T + "<psc:chapters><psc:chapter {}/></psc:chapters>")),
    "a base within a base": (
        "{e.guid} {e.url} {e.audio_url} {links}",
        atom(ID + T + "{}", base="https://b.invalid/x/"),
    ),
    "dates in JSON": ("{e.published}", json_feed("").replace(b'""', b'{"title": "T", "date_published": {}}')),
    "JSON": ("{e.title}/{notes!r}/{e.guid}", json_feed("{}").replace(b'"{}"', b"{}")),
}
ITEMS = [(*TABLES[of], *pair) for of in TABLES for pair in pairs(TEXTS[of])]
ITEMS += [
    (form, atom(ID + before), *pair)
    for form, before in (
        ("{e.title}", "<title {}</title>"),
        *(("{notes}", f"{T}<{of} {{}}</{of}>") for of in ("summary", "content")),
    )
    for pair in pairs(TEXTS["text in Atom"])
]


@pytest.mark.parametrize(("form", "document", "item", "read"), ITEMS)
def test_what_is_written_of_an_episode_is_read(form: str, document: bytes, item: str, read: str) -> None:
    written = item if document.startswith(b"{") else item.replace(r"\n", "\n")
    (entry,) = parse(document.replace(b"{}", written.encode())).entries
    assert shown(entry, form).strip() == read


def item(title: str, guid: str = "", audio: str = "", link: str = "", date: str = "", notes: str = "") -> str:
    written = {"title": title, "guid": guid, "link": link, "pubDate": date, "description": notes}
    sound = f'<enclosure url="https://a.invalid/{audio}" type="audio/mpeg"/>' if audio else ""
    return sound + "".join(f"<{name}>{text}</{name}>" for name, text in written.items() if text)


HOME = "https://s.invalid/a/"  # of the show
TOGETHER = {  # the items of a feed, and the number of episodes
    "issued anew": (item("A", "1", "a", date="1 May 2022"), item("A!", "2", "a", date="2 May 2022"), 1),
    "one guid": (item("A for members", "1", "am"), item("A", "1", "a", notes="All of it."), 1),
    "one guid, the first is fuller": (item("A", "1", "a", notes="All of it."), item("B", "1", "b", notes="It."), 1),
    "one link": (*(item(t, t, t, HOME + "all") for t in "ABC"), 3),
    "one title and day": (item("News", "1", "a", HOME, "1 May 2022"), item("News", "2", "b", HOME, "1 May 2022"), 2),
    "one title and text, without audio": (item("A", "1"), item("A", "2"), 2),
    "one file without guids": (item("A", "", "a", HOME + "1"), item("B", "", "a", HOME + "2"), 2),
    "one file and title without guids": (item("A", "", "a", HOME + "1"), item("A", "", "a", HOME + "2"), 1),
    "the guid of all": (*(item(t, "https://e.invalid", t) for t in "ABC"), 3),
    "the address of the show is no guid": (*(item(t, HOME, t) for t in "AB"), 2),
    "nothing but a text": (item("A", notes="B"), item("A", notes="C"), item("A", notes="B"), 2),
}


@pytest.mark.parametrize("of", TOGETHER)
def test_entries_of_a_feed_are_one_by_guid_or_by_title_and_audio_and_a_line_names_both(of: str) -> None:
    *items, number = TOGETHER[of]
    feed = parse(rss(*map(str, items)), "f.xml")
    assert len(feed.entries) == len({e.episode.guid for e in feed.entries}) == number
    assert len({*merge_sources(Catalogue(), feed.entries)[1]}) == number
    assert len(feed.skipped) == len(items) - int(number)
    assert all(re.fullmatch(r"f.xml: '.+' and '.+' are one episode: they have the same .+", s) for s in feed.skipped)
    assert feed.entries[0].notes == ("All of it." if "one guid" in of else feed.entries[0].notes)


def test_an_earlier_reading_fills_in_and_keeps_its_ids() -> None:
    def read(*items: str) -> list[Entry]:
        return [*parse(rss(*items)).entries]

    may, june = "1 May 2022", "1 June 2022"
    news = [item("News", guid, date=date) for guid, date in (("2", may), ("4", june))]
    old = read(item("A", "1", "a", notes="Long."), news[0], item("P", "v1", date=may, notes="Old."), item("Q", "3"))
    new = read(item("B", "1", "b"), news[1], item("P", "v2", date=may, notes="Text."), item("Q", "5"))
    found, lines = told_apart(new, old, before=[e.episode.guid for e in old])
    told = [f"{e.episode.id.removeprefix('show/')}: {e.episode.title} {e.episode.guid} {e.notes}" for e in found]
    hashed = told[1].partition(":")[0]
    assert told[:4] == ["a: B 1 Long.", f"{hashed}: News 4 ", "p: P v2 Text.", f"{told[3].partition(':')[0]}: Q 5 "]
    assert re.fullmatch("news-[0-9a-f]{8}", hashed) and told[4:] == ["news: News 2 ", "q: Q 3 "] and not lines
    twins = [item("P", guid, date=may) for guid in ("v1", "v2")]
    assert len(told_apart(read(twins[1]), read(*twins), before=["v1", "v2"])[0]) == 2


def copied_about(seed: int, *, anew: bool) -> list[str]:
    """Items with guids of their own, one episode issued `anew` or several, with facts copied between them."""
    chance, number = Random(seed), 2 + seed % 8
    own = ["" if anew else str(n) for n in range(number)]
    rows = [[f"T{which}", f"g{n}", f"a{which}", f"{HOME}{n}", "", str(n)] for n, which in enumerate(own)]
    for _ in range(chance.randint(1, 12)):
        row, fact = chance.choice(rows), chance.choice([3, 4, 5] if anew else [0, 2, 3, 4, 5])
        before, row[fact] = row[fact], chance.choice([*(r[fact] for r in rows), *(["", HOME] if fact == 3 else [])])
        row[4] = row[4] or f"{seed % 28 + 1} May 2022"
        if not anew and len({(title, audio) for title, _, audio, *_ in rows}) < number:
            row[fact] = before
    chance.shuffle(rows)
    return [item(*row) for row in rows]


@pytest.mark.parametrize("copies", [20, pytest.param(500, marks=pytest.mark.slow)])
def test_what_is_copied_between_entries_neither_joins_nor_parts_them(copies: int) -> None:
    for seed, anew in product(range(copies), (False, True)):
        items = copied_about(seed, anew=anew)
        assert len({*merge_sources(Catalogue(), parse(rss(*items)).entries)[1]}) == (1 if anew else len(items)), items


def test_hosts_and_authors_of_channel_and_items_are_people() -> None:
    person = "<podcast:person>{}</podcast:person>"
    item = f"<itunes:author>Ada Finch &amp;amp; Kim Wren</itunes:author>{person.format('Jean Owl')}<title>1</title>"
    feed = rss(item, "<title>2</title>").replace(b"<item>", person.format("Brunhild Crab").encode() + b"<item>", 1)
    first, second = parse(feed).entries
    assert (first.people, first.episode.guests) == (("Jean Owl", "Brunhild Crab", "Ada Finch", "Kim Wren"), ())
    assert second.people == ("Brunhild Crab",)
    (many,) = parse(rss(T + "".join(person.format(f"Ada Finch{i}") for i in range(200)))).entries
    assert many.people == tuple(f"Ada Finch{i}" for i in range(100))


def test_a_first_season_is_told_where_any_feed_of_the_show_has_a_second() -> None:
    counted = "<guid>{0}</guid><itunes:season>{0}</itunes:season><itunes:episode>1</itunes:episode>"
    first, second = (parse(rss(T + counted.format(season))).entries[0] for season in (1, 2))
    assert [e.label for e in merge_sources(Catalogue(), [first, second])[0]] == ["S1 E1 T", "S2 E1 T"]
    elsewhere = replace(second, episode=replace(second.episode, show="Other"), show=Show("other", "Other"))
    assert merge_sources(Catalogue(), [first, elsewhere])[0][0].label == "#1 T"


def test_broken_feeds_cost_no_other_entry_and_say_how_much_was_read() -> None:
    cut, whole = "<title>A</title><description><![CDATA[a</description>", "<description><![CDATA[b]]></description>"
    document = rss(cut, f"<title>B</title>{whole}")
    assert [(e.episode.title, e.notes) for e in parse(document).entries] == [("A", "a"), ("B", "b")]
    document = rss("<title>A</title>", "<title>B</title><description>cut off here")
    feed = parse(document.removesuffix(b"</item></channel></rss>"), "f.xml")
    assert [e.episode.title for e in feed.entries] == ["A", "B"]
    assert feed.skipped == ("f.xml: it breaks off: 2 entries are read, the end is missing",)
    for empty in (b"<rss version='2.0'><channel><title>S</title></channel></rss>", json_feed()):
        assert parse(empty).entries == ()
    feed = parse(json_feed({"title": "A", "attachments": [{}]}, {"title": "B"})[:-8], "f.json")
    assert [e.episode.title for e in feed.entries] == ["A"] and "f.json: it breaks off: 1 entries" in feed.skipped[0]
    assert parse(b'<entry xmlns="http://www.w3.org/2005/Atom"><title>A</title></entry>').entries[0].episode.title == "A"
    for title, link in (("v2.0-rc1", "o/r/releases/tag/v2"), ("About the JIT category", "t/a/1")):
        item = f"<title>{title}</title><link>https://github.com/{link}</link><description>No content.</description>"
        assert parse(rss(item)).entries == () and "left out: it " in parse(rss(item)).skipped[0]
    content = '<content type="xhtml"><div><p>About <b>gears</b>.</p></div></content>'
    (entry,) = parse(atom(f"{ID}<title>R&D</title>{content}")).entries
    assert to_text(entry.notes).text == "About gears."
    assert [e.notes for e in parse(rss(f"{T}<category>x</category>")).entries] == [""]


def test_an_item_in_json_has_all_its_facts_and_what_is_no_item_costs_itself() -> None:
    item = json.loads((FEEDS / "item.txt").read_text("utf-8"))
    read = parse(json_feed(None, 3, [], {}, item, home_page_url="https://x.invalid/"), "f.json")
    (entry,) = read.entries
    assert shown(entry, "{e.id} {e.title} {e.show}") == "show/a-b-vector-int A < B & vector<int> Show"
    assert shown(entry, "{e.guid} {e.url} {e.published}") == "https://x.invalid/1 https://x.invalid/1 2024-05-09"
    assert shown(entry, "{e.minutes} {e.audio_url} {people}") == "18 https://x.invalid/a.mp3 ('Ada Finch',)"
    assert shown(entry, "{notes} {links}") == "See that https://x.invalid/2"
    alone = {"url": "/a.mp3", "mime_type": "audio/mpeg", "duration_in_seconds": "1800", "size_in_bytes": 9}
    (entry,) = parse(json_feed({"title": "A", "attachments": alone}, home_page_url="https://x.invalid/")).entries
    assert shown(entry, "{e.minutes} {e.audio_url} {e.audio_bytes}") == "30 https://x.invalid/a.mp3 9"
    assert len(read.skipped) == 4 and "f.json: entry 1 left out" in read.skipped[0]
    assert "3 more entries" in parse(json_feed(*[None] * 33), "f.json").skipped[30]


ANY: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KEYS = cases("id | url | title | content_html | content_text | summary | date_published | attachments | external_url")


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), ANY) | ANY, max_size=4), ANY)
def test_any_values_make_a_feed(items: list[Any], title: Any) -> None:
    assert check(json_feed(*items, title=title, home_page_url=title)) in {"read", "empty", "refused"}


@pytest.mark.parametrize(("prefix", "guid"), pairs(TEXTS["guids of channels"]))
def test_an_rss_channel_states_its_facts(prefix: str, guid: str) -> None:
    channel = (FEEDS / "channel.txt").read_text("utf-8")
    feed = parse(channel.format(*prefix.split()).encode(), "/home/ada/feed.xml")
    addresses = {of: f"https://kettle.invalid/{at}" for of, at in (("url", ""), ("image_url", "art.png"))}
    facts = {"feed_url": "https://kettle.invalid/feed?auth=***", "guid": guid or None, "author": "Ada & Bo"}
    assert feed.show == Show("the-kettle-hour", "The Kettle Hour", **addresses, **facts)  # type: ignore[arg-type]
    assert [(e.show, e.episode.show) for e in feed.entries] == [(feed.show, "The Kettle Hour")]


def test_atom_states_its_facts_without_the_mail_address_and_episodes_bear_the_first_name_of_their_show() -> None:
    document = (FEEDS / "channel_atom.txt").read_bytes()
    show = parse(document).show
    said = (show.url, show.image_url, show.feed_url)
    assert show.author == "Ada" and said == tuple(f"https://kettle.invalid/{of}" for of in ("", "art.png", "atom.xml"))
    assert parse(document, "https://mirror.invalid/kettle").show.feed_url == "https://mirror.invalid/kettle"
    known = Show("the-kettle-hour", "The Kettle Hour", feed_url="https://kettle.invalid/rss")
    renamed = parse(document, "http://kettle.invalid/rss/").entries
    (entry,) = under_one_name(renamed, [known])
    assert entry.episode.show == "The Kettle Hour" and entry.show and entry.show.title == "Kettle Notes"
    assert under_one_name(renamed, ()) == renamed


@pytest.mark.parametrize(("authors", "author"), pairs(TEXTS["authors in JSON"]))
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


LONG: dict[str, Callable[[int], bytes]] = {
    "RSS": lambda entries: rss(*(f"<title>Part {n}</title><guid>{n}</guid>" for n in range(entries))),
    "Atom": lambda entries: atom(*(f"<a:title>Part {n}</a:title><a:id>{n}</a:id>" for n in range(entries))),
    "JSON": lambda entries: json_feed(*({"id": n, "title": f"Part {n}"} for n in range(entries))),
}


@pytest.mark.parametrize("of", LONG)
def test_one_line_says_how_many_entries_are_left_out_and_how_to_read_them(of: str) -> None:
    feed, whole = (parse(LONG[of](67), "long.xml", most) for most in (60, 67))
    assert [e.episode.title for e in feed.entries] == [f"Part {n}" for n in range(60)]
    left_out = "long.xml: 7 of its 67 entries are left out; to read them, set feed_entries = 67 in your sources.toml"
    assert feed.skipped == (left_out,)
    assert len(whole.entries) == 67 and not whole.skipped and not feed.cut


@pytest.mark.slow
def test_twenty_thousand_entries_are_read_where_nothing_else_is_set() -> None:
    feed = parse(LONG["JSON"](20_005), "many.json")
    assert len({e.episode.id for e in feed.entries}) == 20_000 and not feed.cut
    assert "5 of its 20,005 entries" in feed.skipped[0]


def test_what_is_left_out_of_a_feed_is_told_first(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "set feed_entries = 60 " in parse(LONG["RSS"](60).replace(b"<guid>1", b"<guid>0"), most=50).skipped[0]
    monkeypatch.setattr("torchatlas.extract.feeds.TAGS", 50)
    feed = parse(rss(*(f"{T}{'<b/>' * 30}<guid>{n}</guid>" for n in range(2))))
    told = "the feed: the end of its last entry is left out: the feed has more than is read"
    assert len(feed.entries) == 2 and feed.skipped == (told,)


def test_the_setting_counts_in_what_is_added_and_in_every_build(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("TORCHATLAS_HOME", str(tmp_path / "home"))
    settings, source = load_settings(), tmp_path / "long.xml"
    source.write_bytes(LONG["RSS"](8))
    assert remember(settings, str(source)) == [f"{source}: 8 episodes"]
    before, listed = read_inputs(settings), settings.sources_list.read_text("utf-8")
    settings.sources_list.write_text(f"{listed}feed_entries = 5\n", "utf-8")
    assert load_sources(settings).feed_entries == 5
    said = remember(settings, str(source))
    assert said[0] == f"{source}: 5 episodes" and "3 of its 8 entries are left out" in said[1]
    after = read_inputs(settings)
    assert after.fingerprint != before.fingerprint
    assert [len(read_feeds(i.feeds, i.feed_entries)[0]) for i in (before, after)] == [8, 5]
    for value in ("0", "true", '"many"', "2.5"):
        settings.sources_list.write_text(f"feed_entries = {value}\n", "utf-8")
        with pytest.raises(DataError, match=r"must be a whole number from 1 on, such as feed_entries = 20000"):
            load_sources(settings)


LENGTHS = [("18 min", "18"), ("1 h 5 min", "65"), ("", "None"), *each(TEXTS["minutes"])]
LISTS = [(b"", None), (b"<rss><title><opml></title></rss>", None), (b"<html>", None), (b'{"a": "<opml>"}', None)]
LISTS += [(b"\xff", None)]
CALENDAR = [((2024, 2, 29), "2024-02-29")]
CALENDAR += [(none, None) for none in ((2023, 2, 29), (0, 1, 1), (2023, 13, 1), (10**30, 1, 1))]  # type: ignore[misc]


def inside(broken: str) -> str:
    """The item that mending makes of the broken one, as ElementTree prints its texts."""
    root = fromstring(mend(f"<rss><channel><item>{broken}</item></channel></rss>")[0])
    return "|".join(f"{e.tag}={''.join(e.itertext())}" for e in root.find("channel/item") or ())


def opml(outlines: str) -> bytes:
    return f'<?xml version="1.0"?><opml version="2.0"><body>{outlines}</body></opml>'.encode()


def listed(document: bytes) -> str:
    return " ".join(feed_addresses(document, "l.opml") or ())


test_values = claims(
    {
        "minutes": (lambda duration: str(minutes(duration)), LENGTHS),
        "days that are written": (lambda text: str(written_day(text)), TEXTS["days that are written"]),
        "days": (lambda numbers: day(*numbers), CALENDAR),
        "lists of feeds": (lambda outlines: listed(opml(outlines)), TEXTS["lists of feeds"]),
        "in UTF-16": (lambda o: listed(opml(o).decode().encode("utf-16")), TEXTS["lists of feeds"]),
        "no lists of feeds": (feed_addresses, LISTS),
        "what people write becomes XML": (inside, TEXTS["broken items"]),
    }
)


def test_a_list_of_feeds_names_addresses_and_no_files(caplog: pytest.LogCaptureFixture) -> None:
    assert feed_addresses(opml('<outline xmlUrl="https://a.invalid"/><outline xmlUrl="d.invalid/f"/>'), "l.opml")
    assert caplog.messages == ["l.opml: 'd.invalid/f' is left out: no https://"]
    files = opml('<outline xmlUrl="file:///etc/passwd"/><outline xmlUrl="/etc/passwd"/>')
    for document in (files, b"<opml versio"):
        with pytest.raises(SourceError, match="no address on the web"):
            feed_addresses(document)


def titles(mended: str) -> str:
    return "".join(e.findtext("title") or "" for e in fromstring(mended))


@pytest.mark.parametrize(("text", "kept"), pairs(TEXTS["feeds that break off"]))
def test_mending_tells_that_a_feed_breaks_off(text: str, kept: str) -> None:
    mended, cut = mend(text)
    assert cut and titles(mended) == kept and not mend(text + "</rss>")[1]


def test_mending_begins_an_entry_where_it_says_so_and_declares_prefixes_once_at_the_root() -> None:
    text = "<rss><item><title>A</title><description><item><title>B</title></item><entry><title>C</rss>"
    assert titles(mend(text)[0]) == "ABC"
    mended = mend("<rss><item><itunes:title>A</itunes:title><x:y xmlns:x='urn:z' x:a='1' x:a='2'/></item></rss>")
    assert fromstring(mended[0]).find("item/{urn:z}y") is not None


def test_an_element_keeps_so_many_attributes() -> None:
    """feedparser searches them all for each of them: 100,000 would hold a build for hours."""
    written = " ".join(f'a{n}="1"' for n in range(2 * ATTRIBUTES))
    text = f"<rss {written}><channel><item {written}><title>A</title></item></channel></rss>"
    root = fromstring(mend(text)[0])
    assert len(root.attrib) == ATTRIBUTES
    assert [(len(e.attrib), e.findtext("title")) for e in root.iter("item")] == [(ATTRIBUTES, "A")]
    assert [e.episode.title for e in parse(text.encode()).entries] == ["A"]


FOOTER = '<p>Widget Radio is on <a href="https://social.invalid/w">Social</a>.</p><p>Editing: Aerocity</p>'
OWN = [f"Own {chr(65 + n)}" for n in range(21)]
SAID = "Gears flex with you so that the whole machine keeps turning."
PAPERS = [f'<p>Paper: <a href="https://p.invalid/{letter}">link</a></p>' for letter in "abcdef"]
SUBJECTS = ["Vector clocks", "Raft", "Bloom filters", "Paxos", "Merkle trees", "Gossip", "Quorums"]
NOTES = "<p>Welcome</p><p>Hosts: Ann</p><p>Topic:</p><p>{}</p><p>Support us</p><p>Join us</p>"
ODD = ["This\nThat\n0:30 A chapter\nThose\nThese\nThem", "This\nA guest\nThat\nA link\nThose\nThese\nThem"]
ODD += ["This\nThat\nA sentence about something of its own\nThose\nThese\nThem"]
FOUR = [f"Own {n}\nThis\nThat\nThose\nThese" for n in range(5)]
SHARED = {  # the notes of a feed, and what is left of the first
    "a footer": ([f"<p>Gadget {n} spins.</p>{FOOTER}" for n in range(6)], [f"Gadget {n} spins." for n in range(6)]),
    "four share by chance": (["<p>Same line</p>"] * 4, ["Same line"] * 4),
    "a few of many": (["<p>Same line</p>"] * 5 + OWN, ["Same line"] * 5 + OWN),
    "a long sentence": (
        [f"First {n}. {SAID} Last {n}." for n in range(5)] + OWN,
        [f"First {n}. Last {n}." for n in range(5)],
    ),
    "lines that cite different pages": (PAPERS, ["Paper: link"] * 6),
    "the one line that is new is the subject": ([*map(NOTES.format, SUBJECTS)], SUBJECTS),
    "lines of one's own part a list": (
        [*ODD, *["This\nThat\nThose\nThese\nThem"] * 5, *(f"Other {n}" for n in range(60))],
        [*ODD, ""],
    ),
    "four lines of a list": ([*FOUR, *(f"Other {n}" for n in range(30))], FOUR),
}


def kept(*notes: str) -> list[Entry]:
    listed = [Entry(Episode(f"show/{n}", f"No. {n}", show="Show"), text) for n, text in enumerate(notes)]
    found = without_boilerplate(listed)
    assert without_boilerplate(listed[::-1]) == found[::-1]
    return [*found]


@pytest.mark.parametrize("of", SHARED)
def test_what_many_notes_share_counts_for_nothing_in_any_order(of: str) -> None:
    notes, left = SHARED[of]
    found = kept(*notes)
    assert [to_text(entry.notes).text.strip() for entry in found[: len(left)]] == left
    assert sum(bool(find_links(to_text(entry.notes))) for entry in found) == (len(PAPERS) if notes == PAPERS else 0)


def test_a_list_that_changes_slowly_counts_for_nothing() -> None:
    def notes(n: int) -> str:
        patrons = [f"Patron {chr(65 + (i % 26))}{i}" for i in range(n // 2, n // 2 + 8)]  # each in some 16 of 200
        items = "".join(f"<li>{name}</li>" for name in patrons)
        return f"<p>Gadget {n} spins.</p><ul>{items}</ul><p>Own remark {n}</p>"

    found = kept(*(notes(n) for n in range(200)))
    assert to_text(found[100].notes).text.strip() == "Gadget 100 spins.\nOwn remark 100"


def test_times_do_not_tell_a_heading_from_its_like_and_an_address_in_many_of_the_notes_is_unlinked() -> None:
    see = "0{}:00 Welcome\nGadget {}, see https://social.invalid/w and https://p.invalid/{}"
    for entry, letter in zip(kept(*(see.format(n, n, "abcdef"[n]) for n in range(6))), "abcdef", strict=True):
        assert "Welcome" not in entry.notes
        assert [link.url for link in find_links(to_text(entry.notes))] == [f"https://p.invalid/{letter}"]


def test_a_feed_is_read_without_its_boilerplate() -> None:
    notes = f"<description><![CDATA[<p>Gadget</p>{FOOTER}]]></description>"
    feed = parse(rss(*(f"<title>{n}</title>{notes}" for n in range(6))))
    assert not any("Aerocity" in entry.notes for entry in feed.entries)
