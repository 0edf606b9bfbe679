"""Feeds of every form to entries, without a network. One bad entry costs one entry, and a line says which.

RSS 0.9 to 2.0, RDF and Atom are read by feedparser, with the podcast namespace and Podlove's simple chapters beside it
(https://github.com/Podcastindex-org/podcast-namespace, https://podlove.org/simple-chapters), and JSON Feed 1 and 1.1
(https://www.jsonfeed.org/version/1.1). Where a comment gives no link, the quirk was seen in feedparser 6.0.14.
"""

import io
import json
import math
import re
import unicodedata
import xml.sax
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import UTC, date, datetime
from email.utils import parsedate
from html import escape
from itertools import islice
from operator import attrgetter
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree

from torchatlas.extract.boilerplate import without_boilerplate
from torchatlas.extract.fetch import ENTRIES, media_type, without_secrets
from torchatlas.extract.mend import ATTRIBUTES, DEPTH, NAMESPACES, PREFIXES, mend
from torchatlas.extract.text import LONGEST, decoded, to_text
from torchatlas.graph.errors import SourceError
from torchatlas.graph.identity import joined_shows
from torchatlas.graph.model import Episode, Show
from torchatlas.graph.names import episode_id, show_id, stable_hash, visible


def load_json(text: str, name: str) -> Any:
    """Return the value of a JSON text. Raises SourceError, which names `name`, if the text is no JSON.

    >>> load_json("[1]", "a list")
    [1]
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as e:
        where = f" at line {e.lineno}" if isinstance(e, json.JSONDecodeError) else ""
        raise SourceError(f"{name} is not JSON that can be read{where}; fetch it again") from None


def text_at(holder: Mapping[str, Any], key: str) -> str:
    """Return the text under a key, without halves of characters, which only JSON can hold; "" without a text.

    >>> text_at({"title": "Strides"}, "title"), text_at({"title": 1}, "title")
    ('Strides', '')
    """
    value = holder.get(key)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def mappings_at(holder: object, key: str) -> list[Mapping[str, Any]]:
    """Return the mappings in the list under a key; none where `holder` or its value is something else.

    >>> mappings_at({"items": [{"id": 1}, None]}, "items")
    [{'id': 1}]
    """
    values = holder.get(key) if isinstance(holder, Mapping) else None
    return [v for v in values if isinstance(v, Mapping)] if isinstance(values, list) else []


def number(value: object) -> float | None:
    """Return a finite number; None for other values.

    >>> number(3), number(True), number("3")
    (3, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value


_CLOCK = re.compile(r"(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,6})(?:[.,]\d+)?", re.A)
_YEARS = range(1970, 2101)
_MONTHS = (
    "jan ene gen", "feb fev", "mar maa mrt", "apr avr abr", "may mai mei mag", "jun jui giu", "jul juil lug",
    "aug aou ago", "sep set", "oct okt out ott", "nov", "dec dez dic",
)  # fmt: skip
"""How the names of the months begin in English, French, German, Spanish, Italian, Portuguese and Dutch."""

_MONTH_NUMBERS = {beginning: number for number, names in enumerate(_MONTHS, 1) for beginning in names.split()}
_MONTH_WORD = r"[^\W\d_]{3,12}"
_NAMED = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.|º)?[\s-]+(?:de\s+)?(?P<month>{_MONTH_WORD})\.?,?[\s-]+(?:de\s+)?"
    rf"|(?P<first>{_MONTH_WORD})\.?\s+(?P<second>\d{{1,2}})(?:st|nd|rd|th)?,?\s+)(?P<year>\d{{4}})\b",
    re.I,
)


def clock_seconds(text: str) -> int | None:
    """Return the whole seconds of a clock time; None for other texts.

    >>> [clock_seconds(text) for text in ("1080", "18:00", "0:18:00.5", "soon")]
    [1080, 1080, 1080, None]
    """
    found = _CLOCK.fullmatch(text.strip())
    if not found:
        return None
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + seconds


def day(year: int, month: int, number: int) -> str | None:
    """Return an ISO date; None if there is no such day, or no feed could have been written on that day.

    >>> day(2022, 5, 9), day(2022, 13, 9), day(1822, 5, 9)
    ('2022-05-09', None, None)
    """
    try:
        return date(year, month, number).isoformat() if year in _YEARS else None
    except (ValueError, OverflowError):
        return None


def named_day(text: str) -> str | None:
    """Return the day of the first date whose month is a word; None without such a date.

    >>> named_day("May 9, 2022"), named_day("lun., 09 mai 2022")
    ('2022-05-09', '2022-05-09')
    """
    for found in _NAMED.finditer(text[:200]):
        word = (
            unicodedata.normalize("NFKD", found["month"] or found["first"]).encode("ascii", "ignore").decode().lower()
        )
        month = _MONTH_NUMBERS.get(word[:4]) or _MONTH_NUMBERS.get(word[:3])
        if month and (named := day(int(found["year"]), month, int(found["day"] or found["second"]))):
            return named
    return None


_MOST_CHAPTERS = 1_000
_LONGEST_CHAPTER = 300


@dataclass(frozen=True, slots=True, order=True)
class Transcript:
    """The address of a transcript, with its media type and language as the feed states them."""

    url: str
    type: str = ""
    _: KW_ONLY
    language: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Chapter:
    """A part of the audio that begins at second `at`."""

    at: int
    title: str


def chapters(found: Iterable[tuple[Any, Any]]) -> tuple[Chapter, ...]:
    """Return (start, title) pairs as chapters by their start, those of one second in the order given.

    A start is a number of seconds or a clock; others are left out.

    >>> chapters([("1:02:03.5", "Strides"), ("soon", "Views")])
    (Chapter(at=3723, title='Strides'),)
    """
    kept = []
    for start, title in found:
        second = _second(start)
        words = (
            " ".join(visible(title[: 2 * _LONGEST_CHAPTER]).split())[:_LONGEST_CHAPTER]
            if isinstance(title, str)
            else ""
        )
        if second is not None and words:
            kept.append(Chapter(second, words))
    return tuple(sorted(kept, key=attrgetter("at"))[:_MOST_CHAPTERS])


def _second(start: Any) -> int | None:
    second = number(clock_seconds(start) if isinstance(start, str) else start)
    return math.floor(second) if second is not None and 0 <= second < 100 * 3600 else None


OWN_GUID = "torchatlas:"
"""Begins the guid that an entry gets which has neither a guid nor an address."""


def left_out(read: int, stated: int) -> str:
    """Return a note on a feed of which not all entries are read, "" where all of them are.

    >>> left_out(20_000, 83_000)
    '63,000 of its 83,000 entries are left out; to read them, set feed_entries = 83000 in your sources.toml'
    """
    if read >= stated:
        return ""
    said = f"{stated - read:,} of its {stated:,} entries are left out"
    return f"{said}; to read them, set feed_entries = {stated} in your sources.toml"


@dataclass(frozen=True, slots=True)
class RawEntry:
    """An entry's fields as text, as the feed has them: "" where it says nothing.

    `credits`: its authors and hosts, and those of the feed.
    """

    title: str
    notes: str
    _: KW_ONLY
    guid: str = ""
    url: str = ""
    number: str = ""
    season: str = ""
    type: str = ""
    guests: tuple[str, ...] = ()
    credits: tuple[str, ...] = ()
    published: str | None = None
    duration: str = ""
    audio: tuple[tuple[str, str], ...] = ()
    base: str = ""
    transcripts: tuple[Transcript, ...] = ()
    chapters_url: str = ""
    chapters: tuple[Chapter, ...] = ()


@dataclass(frozen=True, slots=True)
class RawFeed:
    """A feed's fields and entries. `cut`: its end is missing; `note`: says so, or that the feed is too large."""

    title: str
    entries: tuple[RawEntry, ...]
    _: KW_ONLY
    guid: str = ""
    author: str = ""
    url: str = ""
    image_url: str = ""
    feed_url: str = ""
    note: str = ""
    cut: bool = False


_ISO_DURATION = re.compile(
    r"P?T?(?:(\d{1,3})\s*h(?:ours?|rs?)?)?\s*(?:(\d{1,4})\s*m(?:in(?:ute)?s?)?\.?)?\s*(?:(\d{1,6})\s*s(?:ec(?:ond)?s?)?)?",
    re.A | re.I,
)
_LONGEST_TITLE = 500  # characters; a title made from the notes has 60
_PARTED = re.compile(r"\s*(?:[,;&/|+]|\band\b|\bwith\b)\s*")  # the people in the author of a feed
_LONGEST_NAME = 4  # words


@dataclass(frozen=True, slots=True)
class Entry:
    """An episode's facts, and its show notes as they stand in the feed, HTML or plain.

    `base`: the address to which links in the notes are relative. `chapters`: those that the feed itself holds. `show`:
    the facts of the show, where the source states more than its name. `credits`: whom the feed names besides its
    guests and the show's author.
    """

    episode: Episode
    notes: str
    _: KW_ONLY
    base: str = ""
    transcripts: tuple[Transcript, ...] = ()
    chapters_url: str = ""
    chapters: tuple[Chapter, ...] = ()
    show: Show | None = None
    credits: tuple[str, ...] = ()

    @property
    def people(self) -> tuple[str, ...]:
        """The whole names of hosts, guests and authors, one by one; a single word may be a thing's name too."""
        author = self.show.author if self.show else None
        written = (*self.episode.guests, *self.credits, author or "")
        names = (" ".join(name.split()) for text in written for name in _PARTED.split(text))
        return tuple(dict.fromkeys(n for n in names if 0 < n.count(" ") < _LONGEST_NAME))[:PEOPLE]


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed's show and entries. `skipped`: a line for each entry that could not be used; `cut`: its end is missing."""

    show: Show
    entries: tuple[Entry, ...]
    _: KW_ONLY
    skipped: tuple[str, ...] = ()
    cut: bool = False

    @property
    def title(self) -> str:
        """The title of the show."""
        return self.show.title


def entry(raw: RawEntry, show: Show) -> Entry:
    """Return an entry with the facts that its fields state. Raises ValueError if it has neither title nor notes.

    >>> entry(RawEntry("Strides", "A tensor has strides.", duration="18:20"), Show("s", "S")).episode.minutes
    18
    """
    notes = raw.notes[:LONGEST]
    title = title_text(raw.title) or _first_words(to_text(notes).text)
    if not title:
        raise ValueError("it has no title and no text")
    url, audio = web(raw.url, raw.base), _first_audio(raw)
    episode = Episode(
        id=episode_id(show.title, title),
        title=title,
        show=show.title,
        kind="trailer" if raw.type.casefold() == "trailer" else "episode",
        # The audio before the link: where items have no guid, one link often stands in all of them, the show's.
        guid=raw.guid or audio or url or f"{OWN_GUID}{stable_hash(title, raw.published or '', notes)}",
        number=int(raw.number) if re.fullmatch(r"[0-9]{1,6}", raw.number) else None,
        season=int(raw.season) if re.fullmatch(r"0{0,5}[1-9][0-9]{0,5}", raw.season) else None,
        published=raw.published,
        minutes=minutes(raw.duration),
        url=url or None,
        audio_url=audio,
        guests=tuple(filter(None, map(title_text, raw.guests))),
    )
    transcripts = (replace(t, url=web(t.url, raw.base)) for t in raw.transcripts)
    return Entry(
        episode,
        notes,
        base=raw.base or url,
        transcripts=tuple(t for t in transcripts if t.url),
        chapters_url=web(raw.chapters_url, raw.base),
        chapters=raw.chapters,
        show=show,
        credits=tuple(filter(None, map(title_text, raw.credits[:PEOPLE]))),
    )


def title_text(markup: str) -> str:
    """Return a title on one line. Feeds escape titles once or twice, and put tags in them.

    >>> title_text("<b>R&amp;D</b>\\n at work")
    'R&D at work'
    """
    return " ".join(to_text(markup).text.split())[:_LONGEST_TITLE]


def minutes(duration: str) -> int | None:
    """Return the whole minutes of an itunes:duration, at least 1; None if it is not understood.

    >>> [minutes(written) for written in ("1080", "18:00", "0:18:00", "PT18M", "18 min", "long")]
    [18, 18, 18, 18, 18, None]
    """
    seconds = clock_seconds(duration)
    if seconds is None and (words := _ISO_DURATION.fullmatch(duration.strip())):
        hours, mins, secs = (int(part or 0) for part in words.groups())
        seconds = 3600 * hours + 60 * mins + secs
    return max(1, (seconds + 30) // 60) if seconds and 0 < seconds < 100 * 3600 else None


def http_host(url: str) -> str:
    """Return the host of an http address; "" for other texts.

    >>> http_host("https://example.org/feed.xml"), http_host("mailto:me@example.org")
    ('example.org', '')
    """
    try:
        parts = urlsplit(url)
        return parts.hostname or "" if parts.scheme.lower() in {"http", "https"} else ""
    except ValueError:
        return ""


def web(url: str, base: str = "") -> str:
    """Return `url` as an http address, relative to `base` if that is one; "" if no address results.

    >>> web("../b", "https://example.org/a/")
    'https://example.org/b'
    """
    try:
        full = urljoin(base, url) if url and http_host(base) else url
    except ValueError:
        return ""
    return full if http_host(full) else ""


def distinct(entries: Iterable[Entry]) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """Return the entries in feed order with unique guids and slugs, and the titles of those left out.

    The oldest of several entries with one slug keeps the slug, so that ids do not change when a feed grows.
    Example: kept, titles = distinct(entries)
    """
    seen: dict[str, Entry] = {}
    again = tuple(e.episode.title for e in entries if seen.setdefault(str(e.episode.guid), e) is not e)
    groups: defaultdict[str, list[Episode]] = defaultdict(list)
    for kept in seen.values():
        groups[kept.episode.id].append(kept.episode)
    ids = {
        episode.guid: f"{episode.id}-{stable_hash(str(episode.guid))}"
        for group in groups.values()
        for episode in sorted(group, key=lambda e: (e.published or "9999", str(e.guid)))[1:]
    }
    named = (replace(e, episode=replace(e.episode, id=ids.get(e.episode.guid, e.episode.id))) for e in seen.values())
    return tuple(named), again


def _first_words(text: str) -> str:
    """Return a title for a post without one: the beginning of its first line."""
    line = " ".join(next((line for line in text.splitlines() if re.search(r"\w", line)), "").split())
    return line if len(line) <= 60 else line[:60].rsplit(" ", 1)[0].rstrip(" ,;:.-–—") + "…"


def _first_audio(raw: RawEntry) -> str | None:
    """Return the first enclosure that is audio or video, by its type, else by the ending of its name."""
    offered = [(web(href, raw.base), kind.lower()) for href, kind in raw.audio]
    typed = (href for href, kind in offered if href and kind.startswith(("audio/", "video/")))
    named = (href for href, kind in offered if not kind.startswith(("image/", "text/")) and media_type(href))
    unnamed = (href for href, kind in offered if href and not kind and not PurePosixPath(urlsplit(href).path).suffix)
    return next((href for found in (typed, named, unnamed) for href in found), None)


PEOPLE = 100
"""People whom a feed or an entry credits: each is looked for in the texts."""

# The second is the address under which the namespace was first published. Many feeds still state it.
PODCAST = {
    NAMESPACES["podcast"],
    "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
}
UNTITLED = "untitled show"
_LONGEST_GUID = 200


def stated_show(raw: RawFeed, address: str = "") -> Show:
    """Return the show with the facts that its feed states. `address`: where the feed was read, if on the web.

    >>> stated_show(RawFeed("Loops", (), author="Ada"), "https://example.org/feed.xml?token=12ab").feed_url
    'https://example.org/feed.xml?token=***'
    """
    title = title_text(raw.title) or UNTITLED
    base = web(raw.url) or web(address)
    return Show(
        show_id(title),
        title,
        guid=" ".join(raw.guid.split())[:_LONGEST_GUID] or None,
        author=title_text(raw.author) or None,
        url=_shown(raw.url, base),
        image_url=_shown(raw.image_url, base),
        feed_url=_shown(address) or _shown(raw.feed_url, base),
    )


def under_one_name(entries: Sequence[Entry], known: Iterable[Show]) -> tuple[Entry, ...]:
    """Return the entries; where feeds name one show differently, their episodes bear its first name.

    `known`: the shows whose names come before those of the feeds. Example: `under_one_name(feed.entries, ())`
    """
    joined = joined_shows((*known, *(entry.show for entry in entries if entry.show)))
    names = {show: one.title for show, one in joined.items()}
    return tuple(
        replace(e, episode=replace(e.episode, show=names[e.show])) if e.show and e.show.title != names[e.show] else e
        for e in entries
    )


def _shown(url: str, base: str = "") -> str | None:
    """Return an address as the graph may hold it, None where it leads to no page of the web."""
    return without_secrets(web(url.strip(), base)) or None


_JSON_DATE = re.compile(r"\s*(\d{4})-(\d\d)-(\d\d)(.*)", re.S | re.A)


def read_json(text: str, name: str, most: int = ENTRIES) -> RawFeed:
    """Read a JSON Feed, at most so many entries. Raises SourceError if the text is not JSON, or JSON that is no feed.

    >>> read_json('{"title": "Show", "items": [{"id": 1}]}', "feed.json").entries[0].guid
    '1'
    """
    body = load_json(text, name)
    items = body.get("items") if isinstance(body, dict) else None
    if not isinstance(body, dict) or not isinstance(items, list):
        raise SourceError(f"{name} is JSON but not a JSON Feed: there is no list of items in it")
    home = web(text_at(body, "home_page_url")) or web(text_at(body, "feed_url"))
    rows = tuple(_json_entry(item if isinstance(item, dict) else {}, home) for item in items[:most])
    return RawFeed(
        text_at(body, "title"),
        rows,
        author=_json_authors(body),
        url=text_at(body, "home_page_url"),
        image_url=text_at(body, "icon"),
        feed_url=text_at(body, "feed_url"),
        note=left_out(len(rows), len(items)),
    )


def _json_authors(body: Mapping[str, Any]) -> str:
    """Return the names of the authors; version 1.0 of the format has a single one."""
    listed = mappings_at(body, "authors") or mappings_at({"authors": [body.get("author")]}, "authors")
    return ", ".join(filter(None, (text_at(author, "name") for author in listed)))


def _json_entry(item: Mapping[str, Any], home: str) -> RawEntry:
    plain = text_at(item, "content_text") or text_at(item, "summary")
    url = text_at(item, "url") or text_at(item, "external_url")
    attachments = mappings_at(item, "attachments")
    seconds = next(
        (_written_number(a.get("duration_in_seconds")) for a in attachments if a.get("duration_in_seconds")), ""
    )
    return RawEntry(
        title=escape(text_at(item, "title"), quote=False),
        notes=text_at(item, "content_html") or escape(plain, quote=False),
        credits=(_json_authors(item),),
        guid=text_at(item, "id").strip() or _written_number(item.get("id")),
        url=url.strip(),
        published=_json_day(text_at(item, "date_published")) or _json_day(text_at(item, "date_modified")),
        duration=seconds,
        audio=tuple((text_at(a, "url").strip(), text_at(a, "mime_type")) for a in attachments),
        base=web(url.strip(), home) or home,
    )


def _json_day(written: str) -> str | None:
    """Return the day in UTC of an RFC 3339 time; without a time or a zone, the day as it is written."""
    found = _JSON_DATE.fullmatch(written)
    if not found:
        return named_day(written)
    try:
        moment = datetime.fromisoformat(written.strip())
        moment = moment.astimezone(UTC) if moment.tzinfo else moment
    except (ValueError, OverflowError):
        return day(*map(int, found.groups()[:3]))
    return day(moment.year, moment.month, moment.day)


def _written_number(value: object) -> str:
    """Return a number as text. The specification asks for that where an id is a number."""
    if (known := number(value)) is None or abs(known) >= 1e15:
        return ""
    return str(int(known) if known == int(known) else known)


_ROOT = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?(?:rss|rdf|feed|channel)(?=[\s/>])", re.I | re.A)
_ENTITY = re.compile(r"""<!ENTITY\s+([A-Za-z]\w{0,30})\s+(?:"([^"&<%]{0,100})"|'([^'&<%]{0,100})')\s*>""", re.A)
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_HALVES = re.compile("([\ud800-\udbff])([\udc00-\udfff])|[\ud800-\udfff]")
_NUMBERED = re.compile(r"&#(?:[xX]([0-9a-fA-F]++)|([0-9]++));")
# feedparser collects these in a list that it searches for each of them, and nothing here needs them.
_TAGS = re.compile(r"<(/?)(?:[^\s<>/:]+:)?(?:category|keywords|subject|tags)(?=[\s/>])", re.I)
_REPLACED = 10_000  # references to a feed's own entities that are written out
_ENTRY = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?(?:item|entry)(?=[\s/>])", re.I | re.A)
_ENTRY_END = re.compile(r"</(?:item|entry)\s*>")
TAGS = 2_000_000
"""Tags that are read of a feed of `ENTRIES` entries; ten thousand entries of marked-up notes have half as many."""


@dataclass(slots=True)
class _Extras:
    """The parts of an entry that feedparser loses: those of the podcast namespace, and texts as they are written.

    `texts` may have "title", "guid", "episode" and "season" (of podcast), "encoded" (content:encoded), "description"
    and "summary" (of itunes); `credits` has people of the entry and its channel that are no guests. feedparser
    completes a guid like an address, writes a media:title over the title, and one description over another:
    https://github.com/kurtmckee/feedparser/issues/195, https://github.com/kurtmckee/feedparser/issues/126.
    """

    transcripts: list[Transcript] = field(default_factory=list)
    chapters_url: str = ""
    _: KW_ONLY
    guests: list[str] = field(default_factory=list)
    credits: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)


def feed_part(text: str) -> str:
    """Return the text from the feed's first tag on, without characters that XML forbids; "" if there is no such tag.

    >>> feed_part("<?xml version='1.0'?><rss>a&#0;b</rss>")
    '<rss>ab</rss>'
    """
    root = _ROOT.search(text)
    if not root:
        return ""
    head, body = text[: root.start()], text[root.start() :]
    body = _NUMBERED.sub(_character, body)
    body = _ILLEGAL.sub("", _HALVES.sub(_letter, body))
    body = _TAGS.sub(r"<\1unread", body)
    own = {name: escape(double or single) for name, double, single in _ENTITY.findall(head)}
    if own:
        body = re.sub(r"&([A-Za-z]\w*+);", lambda m: own.get(m[1], m[0]), body, count=_REPLACED)
    return body


def _within_limits(text: str, most: int) -> tuple[str, int]:
    """Return what is read of a feed, and how many entries begin in it if that is not all of it."""
    begun = [entry.start() for entry in _ENTRY.finditer(text)]
    ends = begun[most : most + 1]
    most_tags = max(TAGS, most * TAGS // ENTRIES)
    if text.count("<") > most_tags:
        ends += [tag.start() for tag in islice(re.finditer("<", text), most_tags, most_tags + 1)]
    return (text[: min(ends)], len(begun)) if ends else (text, 0)


def _extras(text: str) -> list[_Extras] | None:
    """Return the extras of each entry, in order; None for a document that is not well-formed, too deep or too wide.

    The text begins with the feed's first tag, so it declares no entities.
    """
    # A CDATA section without an end that runs into the next entry is well-formed XML that nobody meant.
    if any("]]>" not in part and _ENTRY_END.search(part) for part in text.split("<![CDATA[")[1:]):
        return None
    found: list[_Extras] = []
    credits: list[str] = []  # of the channel
    prefixes: set[str] = set()
    path: list[ElementTree.Element] = []  # what is open
    entry = 0  # the depth of the entry that is open
    try:
        for event, part in ElementTree.iterparse(io.BytesIO(text.encode()), ("start", "end", "start-ns")):  # noqa: S314
            if event == "start-ns":
                prefixes.add(part[0])
            elif event == "start":
                path.append(part)
                if not entry and _name(part)[1] in {"item", "entry"}:
                    entry = len(path)
                if len(path) > DEPTH or len(part.attrib) > ATTRIBUTES or len(prefixes) > PREFIXES + len(NAMESPACES):
                    return None
            else:
                path.pop()
                if len(path) < entry:
                    found.append(_entry_extras(part))
                    entry = 0
                elif not entry and _name(part)[0] in PODCAST and _name(part)[1] == "person":
                    credits.append(part.text or "")
                if not entry and path:
                    path[-1].remove(part)
    except ElementTree.ParseError:
        return None
    for extra in found:
        extra.credits += credits[:PEOPLE]
    return found


def _entry_extras(entry: ElementTree.Element) -> _Extras:
    found = _Extras()
    for part in entry:
        space, local = _name(part)
        url, key = part.get("url", "").strip(), ""
        if space in PODCAST:
            if local == "chapters":
                found.chapters_url = url or found.chapters_url
            elif local == "transcript" and url:
                kind, language = (part.get(name, "").strip() for name in ("type", "language"))
                found.transcripts.append(Transcript(url, kind, language=language))
            elif local == "person" and not len(part):
                guest = part.get("role", "").strip().casefold() == "guest"
                (found.guests if guest else found.credits).append(part.text or "")
            elif local in {"episode", "season"}:
                key = local
        elif space == _name(entry)[0] and local in {"title", "guid", "id", "description"}:
            key = "guid" if local == "id" else local
        elif (space, local) == (NAMESPACES["content"], "encoded"):
            key = "encoded"
        elif (space.lower(), local) == (NAMESPACES["itunes"], "summary"):
            key = "summary"
        if key and not len(part):  # feedparser puts tags and texts together
            found.texts.setdefault(key, part.text or "")
    return found


def _name(part: ElementTree.Element) -> tuple[str, str]:
    """Return the namespace and the local name."""
    space, _, local = part.tag.rpartition("}")
    return space[1:], local


def _character(reference: re.Match[str]) -> str:
    """Return the character for a reference that XML forbids, U+FFFD for a number beyond Unicode."""
    hexadecimal, decimal = reference.groups()
    digits = (hexadecimal or decimal).lstrip("0")[:9] or "0"
    code = int(digits, 16 if hexadecimal else 10)
    if code > 0x10FFFF:
        return "\ufffd"
    letter = chr(code) if not 0x80 <= code <= 0x9F else bytes([code]).decode("cp1252", "replace")
    return letter if letter != chr(code) or _ILLEGAL.match(letter) or _HALVES.match(letter) else reference[0]


def _letter(halves: re.Match[str]) -> str:
    high, low = halves.groups()
    return chr(0x10000 + ((ord(high) - 0xD800) << 10) + (ord(low) - 0xDC00)) if low else "\ufffd"


Parsed = Mapping[str, Any]
"""feedparser's dictionaries, whose values are of every type."""

BROKEN = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    AssertionError,
    RecursionError,
    OverflowError,
    xml.sax.SAXException,
)
"""Errors that feedparser itself raises on bytes that are no feed (found by fuzzing 6.0.14). Any other is our bug."""

_ISO_DAY = re.compile(r"\s*(\d{4})-?(\d\d)-?(\d\d)(?:\D.*)?", re.S | re.A)


def read_xml(text: str, name: str, most: int = ENTRIES) -> RawFeed | None:
    """Read at most so many entries of a feed; None if the text is no feed. Raises SourceError if it cannot be read.

    Example: read_xml("<rss><channel><item><title>Strides</title></item></channel></rss>", "feed.xml").entries
    """
    import feedparser

    text = feed_part(text)
    if not text:
        return None
    text, begun = _within_limits(text, most)
    cut = False
    found = _extras(text)
    if found is None:
        text, cut = mend(text)
        found = _extras(text) or []
    note = f"it breaks off: {len(found)} entries are read, the end is missing" if cut else ""
    if begun:
        cut = False
        note = left_out(len(found), begun) or "the end of its last entry is left out: the feed has more than is read"
    try:
        # A stream, because feedparser takes a bare string for an address or a file and opens it; a stream of bytes,
        # because it fails on one of characters (https://github.com/kurtmckee/feedparser/issues/427).
        parsed = feedparser.parse(io.BytesIO(text.encode()), resolve_relative_uris=False, sanitize_html=False)
    except BROKEN as e:
        raise SourceError(f"{name} is not a feed that can be read ({type(e).__name__}); expected RSS or Atom") from None
    if not parsed.get("version") and not parsed.entries:
        return None
    literal = str(parsed.get("version")).startswith("atom")
    home = text_at(parsed.feed, "link")
    if len(found) != len(parsed.entries):
        found = [_Extras() for _ in parsed.entries]
    rows = (_xml_entry(entry, extra, home, literal=literal) for entry, extra in zip(parsed.entries, found, strict=True))
    return replace(_channel(parsed, home), entries=tuple(rows), note=note, cut=cut)


def _channel(parsed: Parsed, home: str) -> RawFeed:
    """Return what a feed says of itself, without entries. `home`: the address of its page."""
    feed = parsed["feed"]
    own = (text_at(link, "href") for link in mappings_at(feed, "links") if link.get("rel") == "self")
    return RawFeed(
        text_at(feed, "title") or http_host(home),
        (),
        guid=_show_guid(parsed),
        author=_xml_author(feed),
        url=home,
        image_url=text_at(_detail(feed, "image"), "href") or text_at(feed, "logo"),
        feed_url=next(own, ""),
    )


def _show_guid(parsed: Parsed) -> str:
    """Return the feed's podcast:guid, which feedparser keeps under the prefix that the feed gives the namespace."""
    prefixes = (prefix for prefix, address in (parsed.get("namespaces") or {}).items() if address in PODCAST and prefix)
    return next((guid for prefix in prefixes if (guid := text_at(parsed["feed"], f"{prefix}_guid").strip())), "")


def _xml_author(feed: Parsed) -> str:
    """Return the name of the feed's author, without the mail address that RSS and Atom put beside it."""
    written = text_at(feed, "author")
    return text_at(_detail(feed, "author_detail"), "name") if "@" in written else written


def _detail(holder: Parsed, key: str) -> Parsed:
    value = holder.get(key)
    return value if isinstance(value, Mapping) else {}


def _xml_entry(entry: Parsed, extra: _Extras, home: str, *, literal: bool) -> RawEntry:
    """Return an entry's fields. `literal`: the format tells plain text from HTML, so a tag in plain text is text."""
    guid = " ".join((extra.texts.get("guid") or text_at(entry, "id")).split())
    alternates = (text_at(link, "href") for link in mappings_at(entry, "links") if link.get("rel") == "alternate")
    title = "" if literal else extra.texts.get("title", "").strip()
    notes, base = _notes(entry, extra, literal=literal)
    addresses = (("enclosures", "href"), ("media_content", "url"))
    files = ((key, file) for listed, key in addresses for file in mappings_at(entry, listed))
    simple = mappings_at(entry.get("psc_chapters"), "chapters")
    return RawEntry(
        title=title or _construct(entry, "title", literal=literal) or text_at(entry, "itunes_title"),
        notes=notes,
        guid=guid,
        url=next((href.strip() for href in alternates if href), _permalink(entry, guid)),
        number=text_at(entry, "itunes_episode").strip() or extra.texts.get("episode", "").strip(),
        season=text_at(entry, "itunes_season").strip() or extra.texts.get("season", "").strip(),
        type=text_at(entry, "itunes_episodetype").strip(),
        guests=tuple(extra.guests),
        credits=(*extra.credits, _xml_author(entry)),
        published=_published(entry),
        duration=text_at(entry, "itunes_duration"),
        audio=tuple((text_at(file, key).strip(), text_at(file, "type")) for key, file in files),
        base=web(base or text_at(entry.get("title_detail") or {}, "base") or home),
        transcripts=tuple(extra.transcripts),
        chapters_url=extra.chapters_url,
        chapters=chapters((row.get("start"), row.get("title")) for row in simple),
    )


def _permalink(entry: Parsed, guid: str) -> str:
    """Return the guid as an address, where it is one or a path from xml:base; else "".

    Without a link, feedparser takes the guid for one unless isPermaLink="false", whatever it is
    (https://github.com/kurtmckee/feedparser/pull/15).
    """
    address = text_at(entry, "link") if entry.get("guidislink") else ""
    return address if http_host(address) and (http_host(guid) or "/" in guid) else ""


def _notes(entry: Parsed, extra: _Extras, *, literal: bool) -> tuple[str, str]:
    """Return the fullest text, and the base of its links: content:encoded or Atom's content before the summaries."""
    contents = [(_marked(c, literal=literal), text_at(c, "base")) for c in mappings_at(entry, "content")]
    summary = (_construct(entry, "summary", literal=literal), text_at(entry.get("summary_detail") or {}, "base"))
    encoded = extra.texts.get("encoded", "")
    written = [encoded] if encoded.strip() else [extra.texts.get(key, "") for key in ("description", "summary")]
    for choices in ([(text, summary[1]) for text in written if not literal], contents, [summary]):
        fullest = max(choices, key=lambda choice: len(choice[0].strip()), default=("", ""))
        if fullest[0].strip():
            return fullest
    return "", ""


def _construct(entry: Parsed, key: str, *, literal: bool) -> str:
    """Return a text construct as HTML.

    The detail tells its type, but may be that of an image's title (https://github.com/kurtmckee/feedparser/pull/2).
    """
    value, detail = text_at(entry, key), entry.get(f"{key}_detail")
    return _marked(detail, literal=literal) if isinstance(detail, Mapping) and detail.get("value") == value else value


def _marked(detail: Parsed, *, literal: bool) -> str:
    """Return a detail as HTML: a tag in Atom's plain text is text."""
    value = text_at(detail, "value")
    return value.replace("<", "&lt;") if literal and detail.get("type") == "text/plain" else value


def _published(entry: Parsed) -> str | None:
    """Return the day in UTC; of a date without a zone, which feedparser leaves alone, the day as it is written."""
    # `in`, because feedparser's get("updated") answers with the published date (FeedParserDict in feedparser/util.py).
    for key in ("published", "updated", "created"):
        if key in entry:
            written = text_at(entry, key)
            if (iso := _ISO_DAY.fullmatch(written)) and not day(*map(int, iso.groups())):
                continue  # feedparser carries a thirteenth month over into the next year
            when = entry.get(f"{key}_parsed") or parsedate(written) or (0, 0, 0)
            if found := day(*when[:3]) or named_day(written):
                return found
    return None


_EXPECTED = "expected RSS, Atom or JSON Feed"
_GUESSED = 200_000
_TOML = re.compile(r"(?:\s|#[^\n]*\n)*+(?:\[\[?[\w.\"-]+\]\]?\s*(?:#[^\n]*)?\n|[\w.-]+[^\S\n]*=[^\S\n]*[\"'\[{\w])")
_SAID = 30  # lines about single entries


def parse(document: bytes, name: str = "the feed", most: int = ENTRIES) -> Feed:
    """Read RSS 0.9 to 2.0, RDF, Atom or JSON Feed. Raises SourceError, which names `name`, if the bytes are no feed.

    No more than `most` entries are read; where there are more, the first line of `skipped` says how many are left out.
    The notes come without what many of the entries share, such as a footer.

    >>> feed = parse(b'{"title": "Show", "items": [{"title": "Strides", "date_published": "2020-05-01"}]}')
    >>> feed.entries[0].episode.id
    'show/strides'
    """
    text = decoded(document)
    json = text.lstrip()[:1] in ("{", "[") and not _TOML.match(text)
    read = read_json(text, name, most) if json else read_xml(text, name, most)
    if read is None:
        raise SourceError(f"{name} is not a feed: {_guess(text, name)}")
    show = stated_show(read, name)
    entries: list[Entry] = []
    skipped: list[str] = []
    for place, raw in enumerate(read.entries, 1):
        try:
            entries.append(entry(raw, show))
        except ValueError as e:
            skipped.append(f"{name}: entry {place} left out: {e}")
    kept, again = distinct(entries)
    skipped += [f"{name}: {title!r} stands twice with the same guid" for title in again]
    if len(skipped) > _SAID:
        skipped[_SAID:] = [f"{name}: {len(skipped) - _SAID:,} more entries are left out or stand twice"]
    if read.note:
        skipped.insert(0, f"{name}: {read.note}")
    return Feed(show, without_boilerplate(kept), skipped=tuple(skipped), cut=read.cut)


def _guess(text: str, name: str) -> str:
    """Say what the text seems to be, for the error."""
    head = text[:_GUESSED].lstrip().lower()
    if not head:
        return f"it is empty; {_EXPECTED}"
    if "<html" in head or head.startswith("<!doctype html"):
        feeds = list(dict.fromkeys(_announced(text[:_GUESSED], name)))[:3]
        return "it is a web page" + (f"; its feed is {' or '.join(feeds)}" if feeds else f"; {_EXPECTED}")
    if "<opml" in head:
        return "it is a list of feeds (OPML); torchatlas add takes it"
    if _TOML.match(text):
        return "it is TOML; a vocabulary stands under `vocabularies` in your sources.toml"
    return f"there is no channel in it; {_EXPECTED}"


def _announced(page: str, name: str) -> Iterator[str]:
    """Yield the feeds that a page names in its head."""
    from selectolax.lexbor import LexborHTMLParser

    for link in LexborHTMLParser(page).css("link[rel~=alternate i][type][href]"):
        href, kind = link.attributes["href"] or "", link.attributes["type"] or ""
        if re.search(r"rss|atom|feed\+json", kind, re.I) and (address := web(href.strip(), name) or href.strip()):
            yield " ".join(visible(address).split())[:200]
