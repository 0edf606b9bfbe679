"""A feed's bytes to episodes. Touches no network; one bad entry costs one entry and a line that says which."""

import io
import re
import xml.sax
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from email.utils import parsedate
from typing import Any
from urllib.parse import urlsplit

from extract.text import to_text
from graph.errors import SourceError
from graph.model import Episode
from graph.slug import slug, stable_hash

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
"""What feedparser's code itself raises on bytes that are no feed (found by fuzzing); anything else is a bug of ours."""

_CLOCK = re.compile(r"(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,6})(?:\.\d+)?", re.A)
_ISO = re.compile(
    r"P?T?(?:(\d{1,3})\s*h(?:ours?|rs?)?)?\s*(?:(\d{1,4})\s*m(?:in(?:ute)?s?)?\.?)?\s*(?:(\d{1,6})\s*s(?:ec(?:ond)?s?)?)?",
    re.A | re.I,
)

_NUMBERED = re.compile(rb"&#(?:[xX]([0-9a-fA-F]{1,40})|([0-9]{1,40}));")


@dataclass(frozen=True, slots=True)
class Entry:
    """An episode's facts and its show notes as they stand in the feed, HTML or plain."""

    episode: Episode
    notes: str


@dataclass(frozen=True, slots=True)
class Feed:
    """What a feed holds. `skipped`: a line for each entry that could not be used."""

    title: str
    entries: tuple[Entry, ...]
    skipped: tuple[str, ...] = ()


def parse(document: bytes, name: str = "the feed") -> Feed:
    """Read RSS 0.9 to 2.0, RDF or Atom. Raises SourceError, naming `name`, where the bytes are no feed."""
    import feedparser

    try:
        # A stream, because feedparser takes a bare string for an address or a file and opens it.
        parsed = feedparser.parse(
            io.BytesIO(_NUMBERED.sub(_sound, document)), resolve_relative_uris=False, sanitize_html=False
        )
    except BROKEN as e:
        raise SourceError(f"{name} is not a feed that can be read ({type(e).__name__}); expected RSS or Atom") from None
    if not parsed.get("version") and not parsed.entries:
        raise SourceError(f"{name} is not a feed: {_what(document)}; expected RSS or Atom")
    title = _title(parsed.feed) or http_host(_text(parsed.feed, "link")) or "untitled show"
    entries: list[Entry] = []
    skipped: list[str] = []
    for place, raw in enumerate(parsed.entries, 1):
        try:
            entries.append(_entry(raw, title))
        except ValueError as e:
            skipped.append(f"{name}: entry {place} left out: {e}")
    unique, again = _told_apart(entries)
    return Feed(
        title, tuple(unique), (*skipped, *(f"{name}: {title!r} stands twice with the same guid" for title in again))
    )


def _sound(reference: re.Match[bytes]) -> bytes:
    """A character reference to no character (half a pair, beyond Unicode) stops feedparser: U+FFFD costs one letter."""
    hexadecimal, decimal = reference.groups()
    code = int(hexadecimal, 16) if hexadecimal else int(decimal)
    return b"&#xFFFD;" if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF else reference[0]


def _entry(raw: Parsed, show: str) -> Entry:
    """Raises ValueError, in words, where neither title nor notes say what the entry is."""
    title, notes = _title(raw), _notes(raw)
    if not title:
        raise ValueError("it has no title" + (f" ({notes[:40]!r}...)" if notes else " and no text"))
    published, url = _published(raw), _text(raw, "link") or None
    guid = _text(raw, "id") or url or f"torchatlas:{stable_hash(title, published or '')}"
    return Entry(
        Episode(
            id=slug(show, title),
            title=title,
            show=show,
            guid=guid,
            number=_number(_text(raw, "itunes_episode")),
            published=published,
            minutes=minutes(_text(raw, "itunes_duration")),
            url=url if url and http_host(url) else None,
            audio_url=next(_audio(raw), None),
        ),
        notes,
    )


def minutes(duration: str) -> int | None:
    """Whole minutes of an itunes:duration: "1080", "18:00", "0:18:00", "PT18M", "18 min". None: not understood."""
    text = duration.strip()
    if clock := _CLOCK.fullmatch(text):
        hours, mins, secs = (int(part or 0) for part in clock.groups())
    elif text and (words := _ISO.fullmatch(text)) and any(words.groups()):
        hours, mins, secs = (int(part or 0) for part in words.groups())
    else:
        return None
    seconds = 3600 * hours + 60 * mins + secs
    return max(1, (seconds + 30) // 60) if 0 < seconds < 100 * 3600 else None


def http_host(url: str) -> str:
    """The host of an http address; "" where it is none."""
    try:
        parts = urlsplit(url)
        return parts.hostname or "" if parts.scheme in {"http", "https"} else ""
    except ValueError:
        return ""


def _notes(raw: Parsed) -> str:
    """The fullest text: content:encoded or Atom's content before the summary."""
    values = [_text(c, "value", strip=False) for c in raw.get("content") or () if isinstance(c, Mapping)]
    longest = max(values, key=len, default="")
    return longest if longest.strip() else _text(raw, "summary", strip=False)


def _title(raw: Parsed) -> str:
    """A title on one line; feeds escape it once or twice and put tags in it."""
    return " ".join(to_text(_text(raw, "title")).text.split())


def _text(raw: Parsed, key: str, *, strip: bool = True) -> str:
    value = raw.get(key)
    if not isinstance(value, str):
        return ""
    value = re.sub("[\ud800-\udfff\x00]", "", value)  # halves of characters cannot be written as UTF-8
    return " ".join(value.split()) if strip else value


def _published(raw: Parsed) -> str | None:
    """The day in UTC; of a date without a zone, which feedparser leaves alone, the day as it is written."""
    # `in`, because feedparser's get("updated") answers with the published date.
    for key in ("published", "updated", "created"):
        if key in raw:
            when = raw.get(f"{key}_parsed") or parsedate(_text(raw, key)) or (0, 0, 0)
            try:
                return date(*when[:3]).isoformat()
            except (ValueError, TypeError, OverflowError):
                continue
    return None


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[0-9]{1,6}", text) else None


def _audio(raw: Parsed) -> Iterator[str]:
    for enclosure in raw.get("enclosures") or ():
        href, kind = _text(enclosure, "href"), _text(enclosure, "type")
        if http_host(href) and (not kind or kind.startswith(("audio/", "video/"))):
            yield href


def _told_apart(entries: list[Entry]) -> tuple[list[Entry], list[str]]:
    """In feed order, guids once, slugs unique: of several with one slug the oldest keeps it, so ids do not change."""
    seen: dict[str, Entry] = {}
    again = [e.episode.title for e in entries if seen.setdefault(str(e.episode.guid), e) is not e]
    kept = list(seen.values())
    groups: defaultdict[str, list[Episode]] = defaultdict(list)
    for entry in kept:
        groups[entry.episode.id].append(entry.episode)
    ids = {
        episode.guid: f"{episode.id}-{stable_hash(str(episode.guid))}"
        for group in groups.values()
        for episode in sorted(group, key=lambda e: (e.published or "9999", str(e.guid)))[1:]
    }
    return [replace(e, episode=replace(e.episode, id=ids.get(e.episode.guid, e.episode.id))) for e in kept], again


def _what(document: bytes) -> str:
    """What the bytes seem to be, for the error."""
    head = document[:2000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not head:
        return "it is empty"
    if head.startswith((b"<!doctype html", b"<html")):
        return "it is a web page"
    if head.startswith((b"{", b"[")):
        return "it is JSON"
    return "there is no channel in it"
