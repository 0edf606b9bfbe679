"""From RSS 0.9 to 2.0, RDF and Atom to raw entries, by feedparser.

Where a comment gives no link, the quirk was seen in feedparser 6.0.14.
"""

import io
import re
import xml.sax
from collections.abc import Iterator, Mapping
from dataclasses import replace
from email.utils import parsedate
from typing import Any

from torchatlas.extract.feeds.entries import http_host, web
from torchatlas.extract.feeds.limits import ENTRIES
from torchatlas.extract.feeds.mend import mend
from torchatlas.extract.feeds.namespaces import PODCAST
from torchatlas.extract.feeds.podcast import Chapter, chapters
from torchatlas.extract.feeds.raw import RawEntry, RawFeed, left_out
from torchatlas.extract.feeds.xmlshape import Extras, extras, feed_part
from torchatlas.extract.times import day, named_day
from torchatlas.extract.untyped import mappings_at, text_at
from torchatlas.graph.values.errors import SourceError

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

_ENTRY = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?(?:item|entry)(?=[\s/>])", re.I | re.A)
_ISO_DAY = re.compile(r"\s*(\d{4})-?(\d\d)-?(\d\d)(?:\D.*)?", re.S | re.A)


def read_xml(text: str, name: str, most: int = ENTRIES) -> RawFeed | None:
    """Read at most so many entries of a feed; None if the text is no feed. Raises SourceError if it cannot be read.

    Example: read_xml("<rss><channel><item><title>Strides</title></item></channel></rss>", "feed.xml").entries
    """
    import feedparser

    text = feed_part(text)
    if not text:
        return None
    note, cut = "", False
    found = extras(text, most)
    if found is None:
        mended = mend(text, most)
        found = extras(mended.text, most) or []
        note = _end(len(found), len(_ENTRY.findall(text)) if mended.more else 0, cut=mended.cut)
        text, cut = mended.text, mended.cut
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
        found = [Extras() for _ in parsed.entries]
    rows = (_raw(entry, extra, home, literal=literal) for entry, extra in zip(parsed.entries, found, strict=True))
    return replace(_channel(parsed, home), entries=tuple(rows), note=note, cut=cut)


def _channel(parsed: Parsed, home: str) -> RawFeed:
    """Return what a feed says of itself, without entries. `home`: the address of its page."""
    feed = parsed["feed"]
    own = (text_at(link, "href") for link in mappings_at(feed, "links") if link.get("rel") == "self")
    return RawFeed(
        text_at(feed, "title") or http_host(home),
        (),
        guid=_show_guid(parsed),
        author=_author(feed),
        url=home,
        image_url=text_at(_detail(feed, "image"), "href") or text_at(feed, "logo"),
        feed_url=next(own, ""),
    )


def _show_guid(parsed: Parsed) -> str:
    """Return the feed's podcast:guid, which feedparser keeps under the prefix that the feed gives the namespace."""
    prefixes = (prefix for prefix, address in (parsed.get("namespaces") or {}).items() if address in PODCAST and prefix)
    return next((guid for prefix in prefixes if (guid := text_at(parsed["feed"], f"{prefix}_guid").strip())), "")


def _author(feed: Parsed) -> str:
    """Return the name of the feed's author, without the mail address that RSS and Atom put beside it."""
    written = text_at(feed, "author")
    return text_at(_detail(feed, "author_detail"), "name") if "@" in written else written


def _detail(holder: Parsed, key: str) -> Parsed:
    value = holder.get(key)
    return value if isinstance(value, Mapping) else {}


def _end(entries: int, begun: int, *, cut: bool) -> str:
    """Say what is missing. `begun`: how many entries begin in a feed that holds more than is read."""
    if begun:
        return left_out(entries, begun) or "the end of its last entry is left out: the feed has more than is read"
    return f"it breaks off: {entries} entries are read, the end is missing" if cut else ""


def _raw(entry: Parsed, extra: Extras, home: str, *, literal: bool) -> RawEntry:
    """Return an entry's fields. `literal`: the format tells plain text from HTML, so a tag in plain text is text."""
    guid = " ".join((extra.texts.get("guid") or text_at(entry, "id")).split())
    alternates = (text_at(link, "href") for link in mappings_at(entry, "links") if link.get("rel") == "alternate")
    title = "" if literal else extra.texts.get("title", "").strip()
    notes, base = _notes(entry, extra, literal=literal)
    return RawEntry(
        title=title or _construct(entry, "title", literal=literal) or text_at(entry, "itunes_title"),
        notes=notes,
        guid=guid,
        url=next((href.strip() for href in alternates if href), _permalink(entry, guid)),
        number=text_at(entry, "itunes_episode").strip() or extra.texts.get("episode", "").strip(),
        season=text_at(entry, "itunes_season").strip() or extra.texts.get("season", "").strip(),
        type=text_at(entry, "itunes_episodetype").strip(),
        guests=tuple(extra.guests),
        credits=(*extra.credits, _author(entry)),
        published=_published(entry),
        duration=text_at(entry, "itunes_duration"),
        audio=tuple(_audio(entry)),
        base=web(base or text_at(entry.get("title_detail") or {}, "base") or home),
        transcripts=tuple(extra.transcripts),
        chapters_url=extra.chapters_url,
        chapters=_simple_chapters(entry),
    )


def _permalink(entry: Parsed, guid: str) -> str:
    """Return the guid as an address, where it is one or a path from xml:base; else "".

    Without a link, feedparser takes the guid for one unless isPermaLink="false", whatever it is
    (https://github.com/kurtmckee/feedparser/pull/15).
    """
    address = text_at(entry, "link") if entry.get("guidislink") else ""
    return address if http_host(address) and (http_host(guid) or "/" in guid) else ""


def _notes(entry: Parsed, extra: Extras, *, literal: bool) -> tuple[str, str]:
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


def _simple_chapters(entry: Parsed) -> tuple[Chapter, ...]:
    rows = mappings_at(entry.get("psc_chapters"), "chapters")
    return chapters((row.get("start"), row.get("title")) for row in rows)


def _audio(entry: Parsed) -> Iterator[tuple[str, str]]:
    for listed, address in (("enclosures", "href"), ("media_content", "url")):
        for file in mappings_at(entry, listed):
            yield text_at(file, address).strip(), text_at(file, "type")


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
