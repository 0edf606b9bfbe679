"""From JSON Feed 1 and 1.1 to raw entries (https://www.jsonfeed.org/version/1.1)."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from html import escape
from typing import Any

from torchatlas.extract.feeds.entries import web
from torchatlas.extract.feeds.limits import ENTRIES
from torchatlas.extract.feeds.raw import RawEntry, RawFeed, left_out
from torchatlas.extract.times import day, named_day
from torchatlas.extract.untyped import load_json, mappings_at, number, text_at
from torchatlas.graph.values.errors import SourceError

_DATE = re.compile(r"\s*(\d{4})-(\d\d)-(\d\d)(.*)", re.S | re.A)


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
    rows = tuple(_raw(item if isinstance(item, dict) else {}, home) for item in items[:most])
    return RawFeed(
        text_at(body, "title"),
        rows,
        author=_authors(body),
        url=text_at(body, "home_page_url"),
        image_url=text_at(body, "icon"),
        feed_url=text_at(body, "feed_url"),
        note=left_out(len(rows), len(items)),
    )


def _authors(body: Mapping[str, Any]) -> str:
    """Return the names of the authors; version 1.0 of the format has a single one."""
    listed = mappings_at(body, "authors") or mappings_at({"authors": [body.get("author")]}, "authors")
    return ", ".join(filter(None, (text_at(author, "name") for author in listed)))


def _raw(item: Mapping[str, Any], home: str) -> RawEntry:
    plain = text_at(item, "content_text") or text_at(item, "summary")
    url = text_at(item, "url") or text_at(item, "external_url")
    attachments = mappings_at(item, "attachments")
    seconds = next((_number(a.get("duration_in_seconds")) for a in attachments if a.get("duration_in_seconds")), "")
    return RawEntry(
        title=escape(text_at(item, "title"), quote=False),
        notes=text_at(item, "content_html") or escape(plain, quote=False),
        credits=(_authors(item),),
        guid=text_at(item, "id").strip() or _number(item.get("id")),
        url=url.strip(),
        published=_day(text_at(item, "date_published")) or _day(text_at(item, "date_modified")),
        duration=seconds,
        audio=tuple((text_at(a, "url").strip(), text_at(a, "mime_type")) for a in attachments),
        base=web(url.strip(), home) or home,
    )


def _day(written: str) -> str | None:
    """Return the day in UTC of an RFC 3339 time; without a time or a zone, the day as it is written."""
    found = _DATE.fullmatch(written)
    if not found:
        return named_day(written)
    try:
        moment = datetime.fromisoformat(written.strip())
        moment = moment.astimezone(UTC) if moment.tzinfo else moment
    except (ValueError, OverflowError):
        return day(*map(int, found.groups()[:3]))
    return day(moment.year, moment.month, moment.day)


def _number(value: object) -> str:
    """Return a number as text. The specification asks for that where an id is a number."""
    if (known := number(value)) is None or abs(known) >= 1e15:
        return ""
    return str(int(known) if known == int(known) else known)
