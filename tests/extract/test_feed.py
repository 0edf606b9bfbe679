import io
import json
import re
import socket
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.strategies import times
from torchatlas.extract.feeds import minutes, parse
from torchatlas.extract.text import to_text
from torchatlas.graph.errors import SourceError

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


@pytest.mark.parametrize(
    ("duration", "expected"),
    [
        ("1080", 18),
        ("18:00", 18),
        ("0:18:29", 18),
        ("00:18:30", 19),
        ("1:02:31", 63),
        ("20", 1),
        ("PT18M30S", 19),
        ("PT1H", 60),
        ("18 min", 18),
        ("1 h 5 min", 65),
        ("12:34.5", 13),
        ("0", None),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("99999999999", None),
        ("١٢", None),
    ],
)
def test_minutes(duration: str, expected: int | None) -> None:
    assert minutes(duration) == expected


PARTS = st.sampled_from(
    [
        b"<item>",
        b"</item>",
        b"<title>",
        b"]]>",
        b"<![CDATA[",
        b"&#xD800;",
        b"&#99999999999;",
        b"&a;",
        b"<!DOCTYPE x [",
        b"\xff\xfe",
        b"\x00",
        b"<guid>",
        b"<pubDate>99999-1-1",
        b"<itunes:duration>",
        b"</channel>",
        b"xml:base='http://['",
        b"encoding='utf-16'",
    ]
)


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
    out = io.BytesIO(b"<rss version='2.0'><channel><title>Many</title>")
    out.seek(0, io.SEEK_END)
    for n in range(10_000):
        out.write(b"<item><guid>%d</guid><title>Entry %d</title></item>" % (n, n))
    out.write(b"</channel></rss>")
    assert len({e.episode.id for e in parse(out.getvalue()).entries}) == 10_000


def items(*markup: str, attributes: str = "") -> bytes:
    spaces = 'xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:psc="http://podlove.org/simple-chapters" '
    spaces += 'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
    joined = "".join(f"<item><title>Office hours</title>{item}</item>" for item in markup)
    return f'<rss version="2.0" {spaces} {attributes}><channel><title>Show</title>{joined}</channel></rss>'.encode()


@pytest.mark.parametrize(
    "differing",
    [
        ('<enclosure url="https://a.invalid/1.mp3"/>', '<enclosure url="https://a.invalid/2.mp3"/>'),
        ("<description>About one.</description>", "<description>About two.</description>"),
        (
            '<link>https://a.invalid</link><enclosure url="https://a.invalid/1.mp3"/>',
            '<link>https://a.invalid</link><enclosure url="https://a.invalid/2.mp3"/>',
        ),
    ],
)
def test_items_without_a_guid_that_differ_in_audio_or_text_are_two(differing: tuple[str, ...]) -> None:
    feed = parse(items(*differing))
    assert len({e.episode.id for e in feed.entries}) == 2
    assert not feed.skipped
    assert len(parse(items(differing[0], differing[0])).entries) == 1


def test_number_type_and_guests_of_the_podcast_namespace_are_read() -> None:
    people = '<podcast:person>Ada</podcast:person><podcast:person role="Guest">Grace &amp; Jean</podcast:person>'
    (entry,) = parse(
        items(f"<podcast:episode>3</podcast:episode><itunes:episodeType>Trailer</itunes:episodeType>{people}")
    ).entries
    assert (entry.episode.number, entry.episode.kind, entry.episode.guests) == (3, "trailer", ("Grace & Jean",))


def test_hosts_and_authors_of_channel_and_items_are_people() -> None:
    person = "<podcast:person>{}</podcast:person>"
    item = f"<itunes:author>Ada Finch &amp;amp; Kim Wren</itunes:author>{person.format('Jean Owl')}<guid>1</guid>"
    feed = items(item, "<guid>2</guid>").replace(b"<item>", person.format("Brunhild Crab").encode() + b"<item>", 1)
    first, second = parse(feed).entries
    assert (first.people, first.episode.guests) == (("Jean Owl", "Brunhild Crab", "Ada Finch", "Kim Wren"), ())
    assert second.people == ("Brunhild Crab",)
    many = parse(items("".join(person.format(f"Ada Finch{i}") for i in range(200)))).entries[0].people
    assert many == tuple(f"Ada Finch{i}" for i in range(100))


def test_relative_addresses_count_from_the_base_of_the_document() -> None:
    item = '<guid isPermaLink="true">episode/1/</guid><enclosure url="1.mp3" type="audio/mpeg"/>'
    (entry,) = parse(items(item, attributes='xml:base="https://a.invalid/show/"')).entries
    assert entry.episode.url == "https://a.invalid/show/episode/1/"
    assert entry.episode.audio_url == "https://a.invalid/show/1.mp3"
    (opaque,) = parse(items("<guid>1234</guid>", attributes='xml:base="https://a.invalid/show/"')).entries
    assert opaque.episode.url is None


def test_chapters_of_one_second_stay_in_the_order_of_the_feed() -> None:
    listed = "".join(
        f'<psc:chapter start="{at}" title="{t}"/>' for at, t in (("0:09", "Z"), ("0:02", "B"), ("0:02", "A"))
    )
    (entry,) = parse(items(f"<psc:chapters>{listed}</psc:chapters>")).entries
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
