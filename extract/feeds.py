"""Feeds of every form to entries, offline. A bad entry costs only itself.

feedparser reads RSS, RDF and Atom with podcast elements; its quirks described
without a link were seen in 6.0.14. JSON Feed: https://www.jsonfeed.org/version/1.1
"""

import io
import json
import logging
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from email.utils import parsedate
from html import escape, unescape
from itertools import chain, islice
from time import gmtime
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit
from xml.etree.ElementTree import Element, ParseError, SubElement, iterparse
from xml.sax import SAXException

from torchatlas.extract.english import words
from torchatlas.extract.fetch import ENTRIES, media_type, without_secrets
from torchatlas.extract.links import link_type
from torchatlas.extract.text import ATTRIBUTES, DEPTH, LONGEST, PREFIXES, decoded, mend, to_text, without_boilerplate
from torchatlas.graph.errors import SourceError
from torchatlas.graph.identity import fullest, joined_shows, number_at_head
from torchatlas.graph.model import Episode, Show, Value
from torchatlas.graph.names import bare_address, episode_id, folded_title, one_line, show_id, stable_hash, xml_text

TAGS = 2_000_000
"""Tags that are read of a feed of `ENTRIES` entries."""
_PEOPLE = 100  # each is looked for in the texts
_GUESSED = 200_000  # characters of what is no feed
_SAID = 30  # lines about single entries
_CUT = "it breaks off: {} entries are read, the end is missing"
_Read = tuple[Mapping[str, Any], list[Element], str, bool]  # feed, raw parts, left out, cut off


class Transcript(NamedTuple):
    """The address of a transcript; media type and language as stated."""

    url: str
    type: str = ""
    language: str = ""


class Chapter(NamedTuple):
    """A part of the audio that begins at second `at`."""

    at: int
    title: str


class Entry(Value):
    """An episode's facts, and its show notes as they stand in the feed, HTML or plain.

    `base`: of relative links in the notes. `credits`: people besides guests and
    the show's author.
    """

    episode: Episode
    notes: str
    base: str = ""
    transcripts: tuple[Transcript, ...] = ()
    chapters_url: str = ""
    chapters: tuple[Chapter, ...] = ()
    show: Show | None = None
    credits: tuple[str, ...] = ()

    @property
    def people(self) -> tuple[str, ...]:
        """The whole names of hosts, guests and authors; no single words."""
        written = (*self.episode.guests, *self.credits, (self.show and self.show.author) or "")
        names = (" ".join(name.split()) for text in written for name in _PARTED.split(text))
        return tuple(dict.fromkeys(n for n in names if 0 < n.count(" ") < 4))[:_PEOPLE]


class Feed(NamedTuple):
    """A show and its entries. `skipped`: a line each; `cut`: the end is lost."""

    show: Show
    entries: tuple[Entry, ...]
    skipped: tuple[str, ...] = ()
    cut: bool = False


def parse(document: bytes, name: str = "the feed", most: int = ENTRIES) -> Feed:
    """Read `most` entries of RSS, RDF, Atom or JSON Feed. Raises SourceError.

    Notes omit what many entries share. The oldest entry keeps a slug, so that ids
    stay when a feed grows.

    >>> feed = parse(b'{"title": "Show", "items": [{"title": "Strides"}]}')
    >>> feed.entries[0].episode.id
    'show/strides'
    """
    text = decoded(document)
    is_json = text.lstrip()[:1] in ("{", "[") and not _TOML.match(text)
    parsed, (channel, *raws), note, cut = (_read_json if is_json else _read_xml)(text, name, most)
    show, home = _show(name, parsed["feed"], channel), text_at(parsed["feed"], "link")
    hosts = [person.text or "" for person in channel.iterfind("podcast_person")][:_PEOPLE]
    literal = str(parsed.get("version")).startswith("atom")
    rows = [_entry(e, raw, show, home, hosts, literal) for e, raw in zip(parsed["entries"], raws, strict=True)]
    skipped = [f"{name}: entry {n} left out: {e}" for n, e in enumerate(rows, 1) if isinstance(e, str)]
    entries, joined = told_apart([e for e in rows if not isinstance(e, str)], home=show.url or "")
    skipped += [f"{name}: {line}" for line in joined]
    if len(skipped) > _SAID:
        skipped[_SAID:] = [f"{name}: {len(skipped) - _SAID:,} more entries are left out or stand twice"]
    skipped[:0] = [f"{name}: {note}"] if note else []
    heads = [number_at_head(e.episode.title, e.episode.show) for e in entries]
    usual = sum(map(bool, heads)) > max(2, len(heads) / 2)
    for place, (e, head) in enumerate(zip(entries, heads, strict=True)):  # "#12" and "S2E4"; "12:" where most begin so
        if head and e.episode.number is None and (usual or head[2]):
            number, season = head[0], e.episode.season or head[1]
            entries[place] = replace(e, episode=replace(e.episode, number=number, season=season))
    return Feed(show, without_boilerplate(entries), skipped=tuple(skipped), cut=cut)


def told_apart(
    entries: Sequence[Entry], kept: Iterable[Entry] = (), home: str = "", before: Collection[str | None] = ()
) -> tuple[list[Entry], list[str]]:
    """Join the entries of a feed that are one: `entries, lines = told_apart(entries)`.

    They are one by guid, or by title and audio. No guid is the address of their page
    (`home`), nor what more than two different ones share. `kept`: of earlier readings;
    they fill in and keep their ids, and are one with a text of their title and day
    whose guid is not of `before`. A line tells of each pair joined in this reading.
    """
    found, places, ids, lines = dict[int, Entry](), dict[object, int](), dict[int, str](), list[str]()
    for entry, is_old in (*((e, False) for e in _with_guids(entries, bare_address(home))), *((e, True) for e in kept)):
        e = entry.episode
        title, audio = folded_title(e.title), bare_address(e.audio_url or "")
        signs: list[object] = [e.guid, *([(title, audio)] if audio else [])]
        text: list[object] = (
            [(title, "", e.published)] if not audio and e.published and (is_old or e.guid not in before) else []
        )
        known = next(filter(places.__contains__, signs + text * is_old), None)
        place = places.get(known, len(found))
        first = found.setdefault(place, entry)
        if known:
            fuller = first if is_old and first.notes else max(first, entry, key=lambda each: len(each.notes))
            facts = replace(fullest(first, entry), notes=fuller.notes, base=fuller.base)
            found[place] = replace(facts, episode=fullest(first.episode, e))
            same = "guid" if known == e.guid else "title and audio"
            line = f"{first.episode.title!r} and {e.title!r} are one episode: they have the same {same}"
            lines += [] if is_old else [line]
        if is_old:
            ids.setdefault(place, e.id)
        for sign in signs + text * (not is_old):
            places.setdefault(sign, place)
    taken = {*ids.values()}  # of one title, the oldest entry has the plain id
    for place in sorted(found, key=lambda at: (found[at].episode.published or "9999", str(found[at].episode.guid))):
        e = found[place].episode
        id_ = ids.get(place) or (f"{e.id}-{stable_hash(str(e.guid))}" if e.id in taken else e.id)
        taken.add(id_)
        if id_ != e.id:
            found[place] = replace(found[place], episode=replace(e, id=id_))
    return list(found.values()), lines


def _with_guids(entries: Sequence[Entry], page: str) -> Iterator[Entry]:
    """Yield the entries, with an address or a hash where there is no guid of their own."""
    sharing, uses = defaultdict[str | None, set[object]](set), Counter[str | None]()
    for entry in entries:
        e = entry.episode
        sharing[e.guid].add((folded_title(e.title), e.audio_url or e.url or entry.notes))
        uses.update({e.guid, e.audio_url, e.url})
    void = {g for g, several in sharing.items() if not g or len(several) > 2 or bare_address(g) == page != ""}
    for entry in entries:
        e = entry.episode
        if e.guid in void:
            own = (a for a in (e.audio_url, e.url) if a and uses[a] == 1 and bare_address(a) != page)
            text = f"torchatlas:{stable_hash(e.title, e.published or '', entry.notes)}"
            entry = replace(entry, episode=replace(e, guid=next(own, text)))
        yield entry


def under_one_name(entries: Sequence[Entry], known: Iterable[Show]) -> tuple[Entry, ...]:
    """Use each show's first name: `under_one_name(feed.entries, known_shows)`."""
    names = joined_shows((*known, *(entry.show for entry in entries if entry.show)))
    return tuple(replace(e, episode=replace(e.episode, show=names[e.show].title)) if e.show else e for e in entries)


def _title(markup: str) -> str:
    return " ".join(to_text(markup).text.split())[:500]


def _show(name: str, feed: Mapping[str, Any], channel: Element) -> Show:
    home = text_at(feed, "link")
    title, base = _title(text_at(feed, "title") or http_host(home)) or "untitled show", _web(home) or _web(name)
    logo = text_at(feed, "image", "href") or text_at(feed, "logo")
    own = (text_at(link, "href") for link in mappings_at(feed, "links") if link.get("rel") == "self")
    guid = " ".join((channel.findtext("podcast_guid") or "").split())[:200]
    addresses = (home, logo, _web(name.strip()) or next(own, ""))
    url, image, source = (without_secrets(_web(address.strip(), base)) or None for address in addresses)
    author = _title(_author(feed)) or None
    return Show(show_id(title), title, guid=guid or None, author=author, url=url, image_url=image, feed_url=source)


def _author(feed: Mapping[str, Any]) -> str:
    """Return the author's name, without the mail address beside it."""
    written = text_at(feed, "author")
    return text_at(feed, "author_detail", "name") if "@" in written else written


def http_host(url: str) -> str:
    """Return the host of an http address, else "": `http_host("https://example.org/feed.xml")`."""
    with suppress(ValueError):
        parts = urlsplit(url)
        return parts.hostname or "" if parts.scheme.lower() in {"http", "https"} else ""
    return ""


def _web(url: str, base: str = "") -> str:
    """Return `url`, relative to `base`, as an http address; else ""."""
    with suppress(ValueError):
        full = urljoin(base, url) if url and http_host(base) else url
        return full if http_host(full) else ""
    return ""


_PARTED = re.compile(r"\s*(?:[,;&/|+]|\band\b|\bwith\b)\s*")
_CLOCK = re.compile(r"(?!\d{1,3},\d{3}$)(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,6})(?:[.,]\d+)?", re.A)
_ISO_DURATION = re.compile(
    r"P?(?:0+D)?T?(?:(\d{1,3})\s*h(?:ours?|rs?)?)?\s*(?:(\d{1,4})\s*(?:m(?:in(?:ute)?s?)?\.?|$))?"
    r"\s*(?:(\d{1,6})\s*s(?:ec(?:ond)?s?)?)?",
    re.A | re.I,
)
_BREAKS = re.compile(r"[\s.,/年月년월-]+")
_WEEK = re.compile(r"(?:19|20)\d\d ?W\d\d ?[1-7](?!\d)", re.A)
_DATES = [  # in lines without these breaks
    re.compile(form, re.I | re.A)
    for form in (
        r"\b(?P<day>\d\d?)(?:st|nd|rd|th)? ?(?:of )?(?P<month>[a-z]{3,9}) ?(?P<year>\d{4}\b|\d\d(?= \d\d?:|$))",
        r"\b(?P<month>[a-z]{3,9}) ?(?P<day>\d\d?)(?:st|nd|rd|th)? (?:\d\d?:\S+ (?:\S+ ){0,2})?(?P<year>\d{4})\b",
        r"^(?P<year>\d{4}) ?(?P<month>[a-z]{3,9}) ?(?P<day>\d\d?)(?![\d:])",
        r"^(?:[a-z]{3,9}day |[a-z]{3} )?(?P<year>\d{4}) (?P<month>\d\d?) (?P<day>\d\d?)(?![\d:])",
        r"^(?P<year>\d{4}) ?(?P<month>\d\d)(?P<day>\d\d)(?:\d{6})?(?!\d)",
    )
]


def minutes(duration: str) -> int | None:
    """Return an itunes:duration in minutes, at least 1; None if unclear or longer than a day.

    >>> minutes("1080"), minutes("0:18:00"), minutes("PT18M"), minutes("long")
    (18, 18, 18, None)
    """
    stated = re.sub(r"(?i)(?<=:\d\d) ?min(?:utes)?\.?$", "", duration.strip())
    found = _CLOCK.fullmatch(stated) or _ISO_DURATION.fullmatch(stated)
    seconds = _seconds(found) if found else 0
    return max(1, (seconds + 30) // 60) if 0 < seconds < 24 * 3600 else None


def _seconds(found: re.Match[str]) -> int:
    hours, mins, seconds = (int(part or 0) for part in found.groups())
    return 3600 * hours + 60 * mins + seconds


def day(year: int, month: int, number: int) -> str | None:
    """Return an ISO date; None if there is no such day from 1970 to 2100.

    >>> day(2022, 5, 9), day(1822, 5, 9)
    ('2022-05-09', None)
    """
    with suppress(ValueError, OverflowError):
        return date(year, month, number).isoformat() if 1970 <= year <= 2100 else None
    return None


def written_day(text: str) -> str | None:
    """Return the day that a date writes, in its own zone; None if it writes none.

    >>> written_day("Wed, 09 Jun 2021 22:30:00 -0700"), written_day("2021-06")
    ('2021-06-09', None)
    """
    line = _BREAKS.sub(" ", text[:200]).strip()
    for found in chain.from_iterable(form.finditer(line) for form in _DATES):
        year, month, number = (found[part] for part in ("year", "month", "day"))
        if month.isdigit():
            return day(int(year), int(month), int(number))
        if parsed := parsedate(f"{number} {month[:3]} {year} 0:00"):
            return day(*parsed[:3])
    with suppress(ValueError):
        if _WEEK.match(line):
            return date.fromisoformat(line.replace(" ", "")[:8]).isoformat()
    return None


def chapters(found: Iterable[tuple[Any, Any]]) -> tuple[Chapter, ...]:
    """Return (start, title) pairs as chapters; a start is seconds or a clock.

    >>> chapters([("1:02:03.5", "Strides"), ("soon", "Views")])
    (Chapter(at=3723, title='Strides'),)
    """
    kept = []
    for start, title in found:
        clock = _CLOCK.fullmatch(start.strip()) if isinstance(start, str) else None
        second = _seconds(clock) if clock else number(start)
        named = one_line(title[:600])[:300] if isinstance(title, str) else ""
        if second is not None and 0 <= second < 100 * 3600 and named:
            kept.append(Chapter(math.floor(second), named))
    return tuple(sorted(kept, key=lambda chapter: chapter.at)[:1_000])


def load_json(text: str, name: str) -> Any:
    """Return a JSON value: `load_json("[1]", "a list")`. Raises SourceError, which names `name`."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as e:
        where = f" at line {e.lineno}" if isinstance(e, json.JSONDecodeError) else ""
        raise SourceError(f"{name} is not JSON that can be read{where}; fetch it again") from None


def text_at(holder: object, *keys: str) -> str:
    """Return the text under nested keys, else "": `text_at({"author": {"name": "Ada"}}, "author", "name")`."""
    for key in keys:
        holder = holder.get(key) if isinstance(holder, Mapping) else None
    return holder.encode("utf-8", "replace").decode() if isinstance(holder, str) else ""


def mappings_at(holder: object, key: str) -> list[Mapping[str, Any]]:
    """Return the mappings in the list under a key: `mappings_at({"items": [{"id": 1}, None]}, "items")`."""
    values = holder.get(key) if isinstance(holder, Mapping) else None
    return [v for v in values if isinstance(v, Mapping)] if isinstance(values, list) else []


def number(value: object) -> float | None:
    """Return a finite number, None for other values: `number("3") is None`."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300 else None


def _read_json(text: str, name: str, most: int) -> _Read:
    """Return a JSON Feed by the names that feedparser gives to the parts of others."""
    body, cut = _whole_json(text, name)
    items = body.get("items") if isinstance(body, dict) else None
    if not isinstance(items, list):
        raise SourceError(f"{name} is JSON but not a JSON Feed: there is no list of items in it")
    url, feed_url = text_at(body, "home_page_url"), text_at(body, "feed_url")
    feed = {"title": text_at(body, "title"), "link": url, "logo": body.get("icon"), **_json_authors(body)}
    home = _web(url) or _web(feed_url)
    entries = [_json_entry(item if isinstance(item, dict) else {}, home) for item in items[:most]]
    parsed = {"feed": feed | {"links": [{"rel": "self", "href": feed_url}]}, "entries": entries}
    note = _CUT.format(len(entries)) if cut else _left_out(len(entries), len(items))
    return parsed, [Element("entry") for _ in (feed, *entries)], note, cut


def _whole_json(text: str, name: str) -> tuple[Any, bool]:
    """Return a JSON value, and whether it breaks off: then without its last item. Raises SourceError."""
    with suppress(SourceError):
        return load_json(text, name), False
    for end in [m.end() for m in re.finditer("}", text)][:-21:-1]:  # the last of them ends the last whole item
        with suppress(ValueError, RecursionError):
            return json.loads(text[:end] + "]}"), True
    return load_json(text, name), False


def _left_out(read: int, stated: int) -> str:
    said = f"{stated - read:,} of its {stated:,} entries are left out"
    return f"{said}; to read them, set feed_entries = {stated} in your sources.toml" if read < stated else ""


def _json_authors(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names of the authors, or of the single author of version 1.0."""
    listed = mappings_at(body, "authors") or mappings_at({"authors": [body.get("author")]}, "authors")
    names = ", ".join(filter(None, (text_at(author, "name") for author in listed)))
    return {"author": names, "author_detail": {"name": names}}


def _json_entry(item: dict[str, Any], home: str) -> dict[str, Any]:
    plain = unescape(text_at(item, "content_text") or text_at(item, "summary"))
    url = (text_at(item, "url") or text_at(item, "external_url")).strip()
    attached = item.get("attachments")
    attachments: list[Any] = mappings_at({"": [attached]}, "") or mappings_at(item, "attachments")
    seconds = (str(stated) for a in attachments if (stated := a.get("duration_in_seconds")))
    known = number(item.get("id"))  # read as a text
    return {
        "title": escape(unescape(text_at(item, "title")), quote=False),
        "title_detail": {"base": _web(url, home) or home},
        "summary": text_at(item, "content_html") or escape(plain, quote=False),
        "id": text_at(item, "id").strip() or ("" if known is None else str(known).removesuffix(".0")),
        "links": [{"rel": "alternate", "href": url}],
        "published": _json_date(item.get("date_published")),
        "updated": _json_date(item.get("date_modified")),
        "itunes_duration": next(seconds, ""),
        "enclosures": [a | {"type": a.get("mime_type"), "length": str(a.get("size_in_bytes"))} for a in attachments],
        **_json_authors(item),
    }


def _json_date(stated: object) -> object:
    """Return a date; a number is read as 20210609, or as seconds or milliseconds since 1970."""
    if (seconds := number(stated)) is None or seconds < 1e8:
        return stated if seconds is None else str(int(seconds))
    return day(*gmtime(min(seconds / 1000 if seconds > 1e11 else seconds, 2**33))[:3])


# feedparser searches a list of these for each one, and nothing needs them.
_TAGS = re.compile(r"<(/?)(?:[^\s<>/:]+:)?(?:category|keywords|subject|tags)(?=[\s/>])", re.I)
_ENTRY = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?(?:item|entry)(?=[\s/>])", re.I | re.A)
_PREFIXES = {  # the first is out of date and in use
    "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": "podcast",
    "https://podcastindex.org/namespace/1.0": "podcast",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "http://purl.org/rss/1.0/modules/content/": "content",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://search.yahoo.com/mrss/": "media",
    "http://www.w3.org/2005/Atom": "atom",
    "http://podlove.org/simple-chapters": "psc",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
}
_SPACES = {prefix: uri for uri, prefix in _PREFIXES.items()}
_USUAL = {bare_address(uri).lower(): _SPACES[prefix] for uri, prefix in _PREFIXES.items()}
_XMLNS = re.compile(r"""\bxmlns(?::([\w.-]+))?\s*=\s*["']([^"'<>]+)["']""", re.I | re.A)
_READ = words(
    """title guid id description content_encoded itunes_summary podcast_chapters podcast_transcript podcast_person
    podcast_episode podcast_season podcast_alternateEnclosure"""
)
# Errors that feedparser raises on bytes that are no feed (fuzzing 6.0.14).
_BAD = (SAXException, ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError, OverflowError)


def _read_xml(whole: str, name: str, most: int) -> _Read:
    import feedparser

    text, begun = _feed_part(whole, most)
    cut, found = False, _elements(text)
    if found is None and text:
        text, cut = mend(text, _SPACES)
        found = _elements(text)
    channel, *entries = found or [Element("channel")]
    note = _CUT.format(len(entries)) if cut else ""
    if begun:
        cut = False
        note = _left_out(len(entries), begun) or "the end of its last entry is left out: the feed has more than is read"
    try:
        # A stream: feedparser would open a string as an address or file. Bytes:
        # it fails on characters (https://github.com/kurtmckee/feedparser/issues/427).
        parsed = feedparser.parse(io.BytesIO(text.encode()), resolve_relative_uris=False, sanitize_html=False)
    except _BAD as e:
        raise SourceError(f"{name} is not a feed that can be read ({type(e).__name__}); expected RSS or Atom") from None
    if not parsed.entries and not re.search(r"<(?:[\w.-]+:)?(?:channel|feed)[\s/>]", text, re.I):
        raise _no_feed(whole, name)
    if len(entries) != len(parsed.entries):
        channel, entries = Element("channel"), [Element("entry") for _ in parsed.entries]
    return parsed, [channel, *entries], note, cut


def _feed_part(text: str, most: int) -> tuple[str, int]:
    """Return the part of a feed to read, and its entry count if cut."""
    root = re.search(r"<(?:[A-Za-z_][\w.-]*:)?(?:rss|rdf|feed|channel|entry)(?=[\s/>])", text, re.I | re.A)
    if not root:
        return "", 0
    text = re.sub(r"&#(?:[xX]([0-9a-fA-F]++)|([0-9]++));", _character, text[root.start() :])
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # joins halves of characters
    text = _XMLNS.sub(_usual_space, _TAGS.sub(r"<\1unread", xml_text(text)))
    begun = [entry.start() for entry in _ENTRY.finditer(text)]
    ends, most_tags = begun[most : most + 1], max(TAGS, most * TAGS // ENTRIES)
    if text.count("<") > most_tags:
        ends += [tag.start() for tag in islice(re.finditer("<", text), most_tags, most_tags + 1)]
    return (text[: min(ends)], len(begun)) if ends else (text, 0)


def _usual_space(declared: re.Match[str]) -> str:
    """Return a namespace at its usual address: known by its own spelled otherwise, else by the prefix."""
    usual = _USUAL.get(bare_address(declared[2]).lower()) or _SPACES.get((declared[1] or "").lower())
    return declared[0].replace(declared[2], usual) if usual else declared[0]


def _character(reference: re.Match[str]) -> str:
    """Return the letter of an XML character number; halves are joined later."""
    code = int(reference[1], 16) if reference[1] else int(reference[2][:4_000])
    if 0xA0 <= code < 0xD800:
        return reference[0]  # as most are
    if not code or 0xD800 <= code <= 0xDFFF:
        return chr(code)
    letter = unescape(f"&#{min(code, 0x110000)};")
    return reference[0] if letter and ord(letter) == code else letter


def _elements(text: str) -> list[Element] | None:
    """Return what feedparser loses, channel first; None for broken XML.

    It completes guids, and overwrites one title, description or transcript by
    another (https://github.com/kurtmckee/feedparser/issues/195 and 126).
    """
    # An open CDATA section that runs into the next entry is well-formed XML.
    if any("]]>" not in part and re.search(r"</(?:item|entry)\s*>", part) for part in text.split("<![CDATA[")[1:]):
        return None
    found, path, prefixes, entry = [Element("channel")], list[Element](), set[str](), 0
    try:
        for event, part in iterparse(io.BytesIO(text.encode()), ("start", "end", "start-ns")):  # noqa: S314
            if event == "start-ns":
                prefixes.add(part[0])
            elif event == "start":
                path.append(part)
                if not entry and part.tag.rpartition("}")[2] in {"item", "entry"}:
                    entry = len(path)
                if len(path) > DEPTH or len(part.attrib) > ATTRIBUTES or len(prefixes) > PREFIXES + len(_PREFIXES):
                    return None
            else:
                path.pop()
                if len(path) < entry:
                    entry = 0
                    found.append(Element("entry"))
                    found[-1].extend(child for child in part if _renamed(child, part.tag) in _READ)
                elif not entry and _renamed(part) in {"podcast_guid", "podcast_person"}:
                    SubElement(found[0], part.tag).text = part.text
                if not entry and path:
                    path[-1].remove(part)
    except ParseError:
        return None
    return found


def _renamed(part: Element, parent: str = "") -> str:
    """Name an element with the usual prefix, as in "podcast_person"."""
    space, _, local = part.tag.rpartition("}")
    prefix = _PREFIXES.get(space[1:]) or _PREFIXES.get(space[1:].lower())
    part.tag = local if space == parent.rpartition("}")[0] else f"{prefix}_{local}"
    return part.tag


def _raw(entry: Element, *tags: str) -> str:
    return next((part.text or "" for tag in tags for part in entry.iterfind(tag) if not len(part)), "")


def _entry(
    entry: Mapping[str, Any], raw: Element, show: Show, home: str, hosts: Sequence[str], literal: bool
) -> Entry | str:
    """Return an entry, or why it is none. `literal`: the format tells HTML apart."""
    notes, notes_base = _notes(entry, raw, literal)
    title = "" if literal else _raw(raw, "title").strip()
    title = _title(title or _html(entry, "title", literal) or text_at(entry, "itunes_title"))
    if not title:  # of a post, its first line
        lines = (" ".join(line.split()) for line in to_text(notes).text.splitlines() if re.search(r"\w", line))
        if not (title := next(lines, "")):
            return "it has no title and no text"
        title = title if len(title) <= 60 else title[:60].rsplit(" ", 1)[0].rstrip(" ,;:.-–—") + "…"
    base = _web(notes_base or text_at(entry, "title_detail", "base") or home)
    people = [(p.text or "", p.get("role", "").strip().casefold() == "guest") for p in raw.iterfind("podcast_person")]
    guests = tuple(filter(None, (_title(name) for name, guest in people if guest)))
    credits = [*(name for name, guest in people if not guest), *hosts, _author(entry)][:_PEOPLE]
    episode = replace(_episode(entry, raw, show, title, notes, base), guests=guests)
    if episode.kind == "release" and to_text(notes[:200]).text.strip(". ") in ("", "No content"):
        return "it is a release without a text"
    if episode.kind == "thread":
        if re.fullmatch("(?i)About the .+ category", title):
            return "it only tells what a category is for"
        notes = _COUNTS.sub("", notes)
    read = [Transcript(*(p.get(k, "").strip() for k in Transcript._fields)) for p in raw.iterfind("podcast_transcript")]
    transcripts = (t._replace(url=_web(t.url, base)) for t in read)
    addresses = [url for part in raw.iterfind("podcast_chapters") if (url := part.get("url", "").strip())]
    marks = mappings_at(entry.get("psc_chapters"), "chapters")
    return Entry(
        episode,
        notes,
        base=base or episode.url or "",
        show=show,
        credits=tuple(filter(None, map(_title, credits))),
        transcripts=tuple(t for t in transcripts if t.url),
        chapters_url=_web(addresses[-1], base) if addresses else "",
        chapters=chapters((mark.get("start"), mark.get("title")) for mark in marks),
    )


# Below a post, Discourse counts posts and people, and links to the topic.
_COUNTS = re.compile(r"<p><small>(?:[^<\d]*\d+){2}[^<]*</small></p>\s*<p><a [^<>]*>[^<]*</a></p>\s*\Z")


def _episode(entry: Mapping[str, Any], raw: Element, show: Show, title: str, notes: str, base: str) -> Episode:
    guid = " ".join((_raw(raw, "guid", "id") or text_at(entry, "id")).split())
    # Without a link, feedparser takes the guid for one in most cases
    # (https://github.com/kurtmckee/feedparser/pull/15): here only an address or path.
    permalink = text_at(entry, "link") if entry.get("guidislink") and (http_host(guid) or "/" in guid) else ""
    links = (text_at(link, "href").strip() for link in mappings_at(entry, "links") if link.get("rel") == "alternate")
    url = _web(next(filter(None, links), permalink if http_host(permalink) else ""), base)
    # `in`, because feedparser's get("updated") answers with the published date.
    dates = (written_day(text_at(entry, key)) for key in ("published", "updated", "created") if key in entry)
    # The audio, else the video: by type, by ending, or as the only file.
    parts = [*mappings_at(entry, "enclosures"), *mappings_at(entry, "media_content")]
    parts += [part.attrib | source.attrib for part in raw.iterfind("podcast_alternateEnclosure") for source in part]
    files = ((_web((text_at(p, "href") or text_at(p, "url") or text_at(p, "uri")).strip(), base), p) for p in parts)
    offered = [(address, text_at(p, "type").lower(), text_at(p, "length")) for address, p in files if address]
    typed = (file for kind in ("audio", "video") for file in offered if file[1].startswith(kind))
    named = (file for file in offered if media_type(file[0]))
    alone = (file for file in offered[:1] if not (offered[1:] or _NO_AUDIO.search(f"{file[1]} {file[0]}")))
    sound, _, size = next(chain(typed, named, alone), ("", "", ""))
    counts = (text_at(entry, f"itunes_{n}").strip() or _raw(raw, f"podcast_{n}").strip() for n in ("episode", "season"))
    number, season = (int(n) if re.fullmatch("[0-9]{1,6}", n) else None for n in counts)
    return Episode(
        id=episode_id(show.title, title),
        title=title,
        show=show.title,
        kind=_kind(entry, raw, url or guid, sound),
        guid=guid or None,
        number=number,
        season=season or None,
        published=next(filter(None, dates), None),
        minutes=minutes(text_at(entry, "itunes_duration")),
        url=url or None,
        audio_url=sound or None,
        audio_bytes=int(size) or None if re.fullmatch("[0-9]{1,15}", size) else None,
    )


_NO_AUDIO = re.compile(r"(?i)^(?:image|text|application/(?!octet|mp|ogg|x-mp))|\.(?!php|asp|cgi)[a-z]{2,5}(?:[?#]|$)")
_KINDS = {kind: kind for kind in ("video", "paper", "docs", "episode")} | {"github_code": "code", "github_repo": "code"}
_KINDS |= dict.fromkeys(("forum", "github_issue", "github_pr"), "thread")
_KINDS |= dict.fromkeys(("rfc", "google_doc", "github_wiki"), "docs")
_PATHS = re.compile(r"(?P<release>/releases?/(?:tag|v?\d)|/project/[^/]+/v?\d+\.\d)|(?P<thread>/t/[^/]+/\d)")


def _kind(entry: Mapping[str, Any], raw: Element, url: str, sound: str) -> Any:
    """Return what an entry is, by its file, its address, else its podcast elements."""
    if text_at(entry, "itunes_episodetype").strip().casefold() == "trailer":
        return "trailer"
    if sound:
        return "video" if (media_type(sound) or "").startswith("video/") else "episode"
    spoken = entry.get("itunes_duration") or any(part.tag.startswith("podcast_") for part in raw)
    found = _PATHS.search(url)
    return found.lastgroup if found else _KINDS.get(link_type(url), "episode" if spoken else "post")


def _notes(entry: Mapping[str, Any], raw: Element, literal: bool) -> tuple[str, str]:
    """Return the fullest text and its links' base: full content first."""
    details = [{"value": text_at(c, "value"), "value_detail": c} for c in mappings_at(entry, "content")]
    contents = [(_html(c, "value", literal), text_at(c, "value_detail", "base")) for c in details]
    base, encoded = text_at(entry, "summary_detail", "base"), _raw(raw, "content_encoded")
    written = [encoded] if encoded.strip() else [_raw(raw, "description"), _raw(raw, "itunes_summary")]
    summary = _html(entry, "summary", literal)
    for choices in ([(text, base) for text in written if not literal], contents, [(summary, base)]):
        fullest = max(choices, key=lambda choice: len(choice[0].strip()), default=("", ""))
        if fullest[0].strip():
            return fullest[0][:LONGEST], fullest[1]
    return "", ""


def _html(entry: Mapping[str, Any], key: str, literal: bool) -> str:
    value = text_at(entry, key)
    # The detail may be an image title's (https://github.com/kurtmckee/feedparser/pull/2).
    kind, about = (text_at(entry, f"{key}_detail", part) for part in ("type", "value"))
    return value.replace("<", "&lt;") if literal and (kind, about) == ("text/plain", value) else value


_TOML = re.compile(r"(?:\s|#[^\n]*\n)*+(?:\[\[?[\w.\"-]+\]\]?\s*(?:#[^\n]*)?\n|[\w.-]+[^\S\n]*=[^\S\n]*[\"'\[{\w])")


def _no_feed(text: str, name: str) -> SourceError:
    """Return an error that says what a text seems to be that is no feed."""
    head, expected = text[:_GUESSED].lstrip().lower(), "expected RSS, Atom or JSON Feed"
    guess = f"there is no channel in it; {expected}" if head else f"it is empty; {expected}"
    if "<html" in head or head.startswith("<!doctype html"):
        from selectolax.lexbor import LexborHTMLParser

        links = LexborHTMLParser(text[:_GUESSED]).css("link[rel~=alternate i][type][href]")
        typed = (a.attributes for a in links if re.search(r"rss|atom|feed\+json", a.attributes["type"] or "", re.I))
        hrefs = ((attributes["href"] or "").strip() for attributes in typed)
        feeds = list(dict.fromkeys(one_line(_web(href, name) or href)[:200] for href in hrefs if href))[:3]
        guess = "it is a web page; " + (f"its feed is {' or '.join(feeds)}" if feeds else expected)
    elif "<opml" in head:
        guess = "it is a list of feeds (OPML); torchatlas add takes it"
    elif _TOML.match(text):
        guess = "it is TOML; a vocabulary stands under `vocabularies` in your sources.toml"
    return SourceError(f"{name} is not a feed: {guess}")


_OPML = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?opml(?=[\s/>])", re.I | re.A)
_OTHER = re.compile(r"<(?:rss|feed|rdf:rdf|html)[\s>]|^\s*[{[]", re.I)
_OUTLINE = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?outline(?=[\s/>])", re.I | re.A)
_FACT = re.compile(r"""(?<![\w:.-])([A-Za-z]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')""", re.A)
_SCHEME = re.compile(r"^(?:feed|itpc|pcast|podcast):(?://)?(https?:)?", re.I)


def feed_addresses(document: bytes, name: str = "the list") -> tuple[str, ...] | None:
    """Return the addresses in OPML; None if it is another. Raises SourceError.

    >>> feed_addresses(b'<opml><outline xmlUrl="https://e.org/feed.xml"/></opml>')
    ('https://e.org/feed.xml',)
    """
    text = xml_text(decoded(document))
    root = _OPML.search(text, 0, 4_000)
    if not root or _OTHER.search(text, 0, root.start()):
        return None
    whole = re.sub(r"<!--(?:[^-]++|-(?!->))*+(?:-->)?", "", text[root.end() :])
    outlines = [
        {key.lower(): " ".join(unescape(a or b).split()) for key, a, b in _FACT.findall(outline)}
        for outline in _OUTLINE.split(whole)[1:]
    ]
    addresses = (f.get("xmlurl") or (f.get("url", "") if f.get("type", "").lower() == "rss" else "") for f in outlines)
    listed = [_SCHEME.sub(lambda scheme: scheme[1] or "http://", address) for address in addresses]
    if not (found := dict.fromkeys(filter(http_host, listed))):
        raise SourceError(f"{name} is a list of feeds (OPML) that names no address on the web; nothing to add")
    for address in filter(None, dict.fromkeys(listed) - found.keys()):
        logging.getLogger("torchatlas").warning("%s: %r is left out: no https://", name, without_secrets(address))
    return tuple(found)[:5_000]
