"""A plan as a serial podcast feed: RSS 2.0 with the original enclosures and guids, and chapters in the items.

https://www.rssboard.org/rss-specification, https://podcasters.apple.com/support/823-podcast-requirements,
https://podlove.org/simple-chapters, https://podcasting2.org/docs/podcast-namespace
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from email.utils import format_datetime
from xml.etree.ElementTree import Element, indent, tostring

from torchatlas.extract.fetch import media_type
from torchatlas.extract.mend import NAMESPACES
from torchatlas.graph.formatting import clock
from torchatlas.presentation.plan_formats.identity import feed_guid, plan_guid
from torchatlas.presentation.plan_formats.markup import add, html
from torchatlas.presentation.plan_formats.playlist import Item, Playlist

_PREFIXES = ("itunes", "podcast", "psc")
_YEARS = range(1990, 2101)  # in which a podcast may have come out
_BEFORE_ALL = date(2000, 1, 1)
_HOME = "http://127.0.0.1:8501/path"  # the page of plans, where `torchatlas` opens the map


def write(playlist: Playlist) -> str:
    """Return the feed. Its days are made of the episodes' own, one a day, so that the oldest comes first.

    Example: Path("plan.xml").write_text(write(playlist(graph, plan)))
    """
    root = Element("rss", {"version": "2.0"} | {f"xmlns:{prefix}": NAMESPACES[prefix] for prefix in _PREFIXES})
    channel = add(root, "channel")
    add(channel, "title", playlist.title)
    add(channel, "link", next((item.page for item in playlist.items if item.page), _HOME))
    add(channel, "description", _about(playlist))
    add(channel, "language", "en")
    add(channel, "generator", "torchatlas")
    add(channel, "itunes:type", "serial")
    add(channel, "itunes:block", "Yes")  # a list of one person's, which no directory should show
    if picture := next((item.picture for item in playlist.items if item.picture), None):
        add(channel, "itunes:image", href=picture)
    add(channel, "podcast:guid", plan_guid(playlist.plan))
    if playlist.feeds:
        shows = add(channel, "podcast:podroll")
        for address, item in playlist.feeds.items():
            add(shows, "podcast:remoteItem", feedGuid=feed_guid(address), feedUrl=address, title=item.episode.show)
    for place, (item, day) in enumerate(zip(playlist.items, _days(playlist), strict=True), 1):
        _add_item(channel, place, item, day)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _about(playlist: Playlist) -> str:
    """Return what the feed holds, how the goals were understood, and what the plan leaves out, in sentences."""
    plan = playlist.plan
    order = ("Each episode comes before those that need it.",) if playlist.items else ()
    remarks = (line for line in plan.remarks if plan.steps or line not in plan.heading)
    return " ".join((f"{plan.heading.rstrip('.')}.", *order, *plan.readings, *remarks))


def _days(playlist: Playlist) -> Iterator[date]:
    """Return a day for each item, one after another; the last is the day on which the oldest episode came out.

    So no day lies in the future, and players that sort by day keep the order of the plan.
    """
    known = filter(None, (_day(item.episode.published) for item in playlist.items))
    last = min(known, default=_BEFORE_ALL)
    count = len(playlist.items)
    return (last - timedelta(days=count - place) for place in range(1, count + 1))


def _day(published: str | None) -> date | None:
    try:
        day = date.fromisoformat(published or "")
    except ValueError:
        return None
    return day if day.year in _YEARS else None


def _add_item(channel: Element, place: int, item: Item, day: date) -> None:
    element = add(channel, "item")
    add(element, "title", item.title)
    if item.page:
        add(element, "link", item.page)
    add(element, "description", _notes(item))
    if item.audio:
        add(element, "enclosure", url=item.audio, length="0", type=media_type(item.audio) or "audio/mpeg")
    add(element, "guid", item.guid, isPermaLink="false")
    add(element, "pubDate", format_datetime(datetime.combine(day, time(12), UTC), usegmt=True))
    add(element, "itunes:title", item.title)
    add(element, "itunes:episode", str(place))
    add(element, "itunes:episodeType", "full")
    add(element, "itunes:author", item.episode.show)
    if item.picture:
        add(element, "itunes:image", href=item.picture)
    if item.seconds is not None:
        add(element, "itunes:duration", str(item.seconds))
    for guest in item.episode.guests:
        add(element, "podcast:person", guest, role="guest")
    if item.chapters:
        chapters = add(element, "psc:chapters", version="1.2")
        for chapter in item.chapters:
            add(chapters, "psc:chapter", start=_play_time(chapter.at), title=chapter.title)


def _play_time(seconds: int) -> str:
    """Return seconds as Normal Play Time of RFC 2326, which Podlove wants."""
    minutes, second = divmod(seconds, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{second:02}"


def _notes(item: Item) -> str:
    """Return the notes in HTML: why the episode is in the plan, what is explained when, what to mind, and its page."""
    body = Element("div")
    add(body, "p", item.step.why)
    for chapter in item.chapters:
        add(body, "p", f"{clock(chapter.at)} {chapter.title}")
    for caveat in item.step.caveats:
        add(body, "p", f"Note: {caveat}")
    source = add(body, "p", f"From {item.episode.show}")
    if item.page:
        add(source, "br")
        add(source, "a", item.page, href=item.page)
    return "".join(map(html, body))
