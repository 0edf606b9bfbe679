"""From JSON Feed 1 and 1.1 to raw entries (https://www.jsonfeed.org/version/1.1)."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from html import escape
from typing import Any

from torchatlas.extract.feeds.entries import web
from torchatlas.extract.feeds.limits import ENTRIES
from torchatlas.extract.feeds.raw import RawEntry, RawFeed
from torchatlas.extract.times import day, named_day
from torchatlas.graph.values.errors import SourceError

_DATE = re.compile(r"\s*(\d{4})-(\d\d)-(\d\d)(.*)", re.S | re.A)


def read_json(text: str, name: str) -> RawFeed:
    """Read a JSON Feed. Raises SourceError if the text is not JSON, or JSON that is no feed.

    >>> read_json('{"title": "Show", "items": [{"id": 1}]}', "feed.json").entries[0].guid
    '1'
    """
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as e:
        where = f" at line {e.lineno}" if isinstance(e, json.JSONDecodeError) else ""
        raise SourceError(f"{name} is not JSON that can be read{where}; fetch it again") from None
    items = body.get("items") if isinstance(body, dict) else None
    if not isinstance(body, dict) or not isinstance(items, list):
        raise SourceError(f"{name} is JSON but not a JSON Feed: there is no list of items in it")
    home = web(_string(body, "home_page_url")) or web(_string(body, "feed_url"))
    rows = tuple(_raw(item if isinstance(item, dict) else {}, home) for item in items[:ENTRIES])
    note = f"it holds more than a feed does; the first {ENTRIES:,} entries are read" if len(items) > ENTRIES else ""
    return RawFeed(_string(body, "title"), rows, note=note)


def _raw(item: Mapping[str, Any], home: str) -> RawEntry:
    plain = _string(item, "content_text") or _string(item, "summary")
    url = _string(item, "url") or _string(item, "external_url")
    found = item.get("attachments")
    attachments = [a for a in found if isinstance(a, dict)] if isinstance(found, list) else []
    seconds = next((_number(a.get("duration_in_seconds")) for a in attachments if a.get("duration_in_seconds")), "")
    return RawEntry(
        title=escape(_string(item, "title"), quote=False),
        notes=_string(item, "content_html") or escape(plain, quote=False),
        guid=_string(item, "id").strip() or _number(item.get("id")),
        url=url.strip(),
        published=_day(_string(item, "date_published")) or _day(_string(item, "date_modified")),
        duration=seconds,
        audio=tuple((_string(a, "url").strip(), _string(a, "mime_type")) for a in attachments),
        base=web(url.strip(), home) or home,
    )


def _day(written: str) -> str | None:
    """Return the day in UTC of an RFC 3339 time; without a time or a zone, the day as it is written."""
    found = _DATE.fullmatch(written)
    if not found:
        return named_day(written)
    try:
        moment = datetime.fromisoformat(written.strip())
    except ValueError:
        return day(*map(int, found.groups()[:3]))
    if moment.tzinfo:
        try:
            moment = moment.astimezone(UTC)
        except OverflowError:
            return None
    return day(moment.year, moment.month, moment.day)


def _number(value: object) -> str:
    """Return a number as text. The specification asks for that where an id is a number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e15:
        return ""
    return str(int(value) if value == int(value) else value)


def _string(holder: Mapping[str, Any], key: str) -> str:
    """Return the text under a key without halves of characters, which only JSON can hold."""
    value = holder.get(key)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""
