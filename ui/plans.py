"""A plan as a file: RSS, iCalendar, Markdown, HTML, JSON. A new format is a function and an entry of FORMATS."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, fields, is_dataclass
from datetime import UTC, date, datetime, time, timedelta
from email.utils import format_datetime
from itertools import groupby
from pathlib import Path
from shlex import quote as quote_for_shell
from typing import TYPE_CHECKING
from uuid import UUID, uuid5
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from torchatlas.extract.fetch import media_type, without_secrets
from torchatlas.graph.answers import Explanation, Needed, Plan, Session, Step, Stretch, plan_markdown
from torchatlas.graph.errors import AtlasError, DataError, check_between, check_one_of, shortened
from torchatlas.graph.formatting import clock, counted, length, web_address
from torchatlas.graph.markdown import Table
from torchatlas.graph.model import Episode, Snapshot
from torchatlas.graph.names import MASK, one_line, seen, xml_text
from torchatlas.graph.views import shows_of

if TYPE_CHECKING:
    from icalendar import Event

_PODCASTS = UUID("ead4c236-bf58-58c6-a2c6-a6b28d128cb6")
"""The namespace of podcasts: https://podcasting2.org/docs/podcast-namespace/tags/guid"""
_NAMESPACES = {
    "xmlns:itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "xmlns:podcast": "https://podcastindex.org/namespace/1.0",
    "xmlns:psc": "http://podlove.org/simple-chapters",
}
_YEARS = range(1990, 2101)  # in which a podcast may have come out
_BEFORE_ALL = date(2000, 1, 1)
_HOME = "http://127.0.0.1:8501/path"  # the page of plans, where `torchatlas` opens the map
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = (
    "body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; "
    "color-scheme: light dark; overflow-wrap: anywhere } li { margin-bottom: .75rem } p { margin: .25rem 0 } "
    "small { opacity: .75 }"
)


def dumps(answer: object, indent: int | None = 2) -> str:
    """Return an answer, or a list of them, as one JSON text: the same for the same answer.

    A character that a terminal would obey or hide stands as \\uXXXX.

    >>> dumps(Table(("n",), ((83,),)), indent=None)
    '{"columns": ["n"], "rows": [[83]]}'
    """
    return seen(json.dumps(answer, ensure_ascii=False, indent=indent, default=_plain_value))


def _plain_value(value: object) -> object:
    if isinstance(value, Table):
        body = {"columns": value.columns, "rows": value.rows}
        return body | ({"truncated": True} if value.truncated else {})
    if isinstance(value, Needed):
        return {"id": value.id, "name": value.name, "from": value.source}
    if not is_dataclass(value):
        return str(value)
    shallow = {f.name: getattr(value, f.name) for f in fields(value)}
    if isinstance(value, Explanation):
        shallow |= {"earlier": value.earlier[0], "later": value.later[0]}
    return shallow


@dataclass(frozen=True, slots=True)
class Item:
    """A step of a plan and its episode, with what players want to know.

    `guid`: the episode's own; its id where that is missing or an item before has it. `feed`, `picture` (of the show):
    addresses on the web, None where there are none.
    """

    step: Step
    episode: Episode
    _: KW_ONLY
    guid: str
    feed: str | None
    picture: str | None

    @property
    def title(self) -> str:
        """The title on one line."""
        return one_line(self.episode.title)

    @property
    def audio(self) -> str | None:
        """The address of the audio."""
        return web_address(self.episode.audio_url)

    @property
    def page(self) -> str | None:
        """The address of the episode's page."""
        return web_address(self.episode.url)

    @property
    def chapters(self) -> tuple[tuple[int, str], ...]:
        """The seconds at which something is explained, with the names of it."""
        known = sorted((t.at, one_line(t.name)) for t in self.step.teaches if t.at is not None)
        return tuple((at, ", ".join(name for _, name in names)) for at, names in groupby(known, key=lambda k: k[0]))


@dataclass(frozen=True, slots=True)
class Playlist:
    """A plan and its items in order. `start`: the day, or the local time, at which a calendar begins."""

    plan: Plan
    items: tuple[Item, ...]
    _: KW_ONLY
    start: date | datetime | None = None

    @property
    def title(self) -> str:
        """The goals of the plan, in words on one line."""
        return one_line(f"Listening path to {', '.join(self.plan.goals)}")

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The sessions of the plan, or one for each episode where it is not divided."""
        return self.plan.sessions or tuple(map(_alone, self.items))

    @property
    def remarks(self) -> list[str]:
        """The remarks of the plan, without one that is its heading already."""
        return [line for line in self.plan.remarks if self.plan.steps or line not in self.plan.heading]

    @property
    def feeds(self) -> dict[str, Item]:
        """The feeds of the shows in the order of the plan, each with its first item."""
        found: dict[str, Item] = {}
        for item in self.items:
            if item.feed:
                found.setdefault(item.feed, item)
        return found

    def identifier(self, part: str = "") -> str:
        """Return what depends on the goals alone, so that a plan made again replaces the one before."""
        return str(uuid5(_PODCASTS, "\x1f".join(("torchatlas", *self.plan.goals, part))))


def playlist(graph: Snapshot, plan: Plan, start: date | datetime | None = None) -> Playlist:
    """Return a plan with what players want to know of its episodes. Private feeds count as unknown.
    Example: `playlist(atlas.graph, atlas.plan("vmap")).items[0].guid`
    """
    items: list[Item] = []
    taken: set[str] = set()
    for step in plan.steps:
        episode = graph.episode[step.episode_id]
        guid = one_line(episode.guid or "")
        if not guid or guid in taken:  # another show may use it
            guid = episode.id
        taken.add(guid)
        shows = shows_of(graph, episode.id)
        feed, picture = _public(show.feed_url for show in shows), _public(show.image_url for show in shows)
        items.append(Item(step, episode, guid=guid, feed=feed, picture=picture))
    return Playlist(plan, tuple(items), start=start)


def _public(addresses: Iterable[str | None]) -> str | None:
    """Return the first address on the web that holds no secret and no mask of one, None where there is none."""
    found = filter(None, map(web_address, addresses))
    return next((a for a in found if without_secrets(a) == a and MASK not in a), None)


def without_audio(found: Playlist) -> str:
    """Return in one line how many items have no known audio, and how to get it; "" where all have it.

    >>> without_audio(Playlist(Plan((), (), minutes=0, steps=()), ()))
    ''
    """
    lacking = [item for item in found.items if not item.audio]
    if not lacking:
        return ""
    feeds = dict.fromkeys(quote_for_shell(item.feed) for item in lacking if item.feed)
    command = " ".join(["torchatlas add", *(feeds or ["FEED"])])
    return f"no audio is known for {counted(len(lacking), 'episode')}; to get it: {command}"


def plain(text: str) -> str:
    """Return a text on one line that XML can hold.

    >>> plain("a\\n\\x00b")
    'a b'
    """
    return xml_text(one_line(text))


def _add(parent: Element, tag: str, text: str | None = None, /, **attributes: str | None) -> Element:
    """Append a child with a text on one line; attributes that are None are left out."""
    child = SubElement(parent, tag, {name: plain(value) for name, value in attributes.items() if value is not None})
    child.text = None if text is None else plain(text)
    return child


def _html(element: Element) -> str:
    return tostring(element, encoding="unicode", method="html")


def _rss(playlist: Playlist) -> str:
    """Return a serial podcast feed with the original enclosures and guids, and chapters in the items.

    Its days are made of the episodes' own, one a day, so that the oldest comes first.
    https://www.rssboard.org/rss-specification, https://podcasters.apple.com/support/823-podcast-requirements,
    https://podlove.org/simple-chapters, https://podcasting2.org/docs/podcast-namespace
    """
    root = Element("rss", {"version": "2.0", **_NAMESPACES})
    channel = _add(root, "channel")
    _add(channel, "title", playlist.title)
    _add(channel, "link", next((item.page for item in playlist.items if item.page), _HOME))
    order = ("Each episode comes before those that need it.",) if playlist.items else ()
    about = (f"{playlist.plan.heading.rstrip('.')}.", *order, *playlist.plan.readings, *playlist.remarks)
    _add(channel, "description", " ".join(about))
    _add(channel, "language", "en")
    _add(channel, "generator", "torchatlas")
    _add(channel, "itunes:type", "serial")
    _add(channel, "itunes:block", "Yes")  # a list of one person's, which no directory should show
    if picture := next((item.picture for item in playlist.items if item.picture), None):
        _add(channel, "itunes:image", href=picture)
    _add(channel, "podcast:guid", playlist.identifier())
    if playlist.feeds:
        shows = _add(channel, "podcast:podroll")
        for address, item in playlist.feeds.items():
            guid = uuid5(_PODCASTS, re.sub(r"^[a-z]+://", "", address, flags=re.I).rstrip("/"))
            _add(shows, "podcast:remoteItem", feedGuid=str(guid), feedUrl=address, title=item.episode.show)
    last = min(filter(None, (_day(item.episode.published) for item in playlist.items)), default=_BEFORE_ALL)
    for place, item in enumerate(playlist.items, 1):
        _add_item(channel, place, item, last - timedelta(days=len(playlist.items) - place))  # none in the future
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _day(published: str | None) -> date | None:
    try:
        day = date.fromisoformat(published or "")
    except ValueError:
        return None
    return day if day.year in _YEARS else None


def _add_item(channel: Element, place: int, item: Item, day: date) -> None:
    element = _add(channel, "item")
    _add(element, "title", item.title)
    if item.page:
        _add(element, "link", item.page)
    _add(element, "description", _notes(item))
    if item.audio:
        _add(element, "enclosure", url=item.audio, length="0", type=media_type(item.audio) or "audio/mpeg")
    _add(element, "guid", item.guid, isPermaLink="false")
    _add(element, "pubDate", format_datetime(datetime.combine(day, time(12), UTC), usegmt=True))
    _add(element, "itunes:title", item.title)
    _add(element, "itunes:episode", str(place))
    _add(element, "itunes:episodeType", "full")
    _add(element, "itunes:author", item.episode.show)
    if item.picture:
        _add(element, "itunes:image", href=item.picture)
    if item.episode.minutes is not None:
        _add(element, "itunes:duration", str(60 * item.episode.minutes))
    for guest in item.episode.guests:
        _add(element, "podcast:person", guest, role="guest")
    if item.chapters:
        chapters = _add(element, "psc:chapters", version="1.2")
        for at, title in item.chapters:
            start = f"{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}"  # Normal Play Time of RFC 2326
            _add(chapters, "psc:chapter", start=start, title=title)


def _notes(item: Item) -> str:
    """Return the notes in HTML: why the episode is in the plan, what is explained when, what to mind, and its page."""
    body = Element("div")
    _add(body, "p", item.step.why)
    for at, title in item.chapters:
        _add(body, "p", f"{clock(at)} {title}")
    for caveat in item.step.caveats:
        _add(body, "p", f"Note: {caveat}")
    source = _add(body, "p", f"From {item.episode.show}")
    if item.page:
        _add(source, "br")
        _add(source, "a", item.page, href=item.page)
    return "".join(map(_html, body))


def _ics(playlist: Playlist) -> str:
    """Return a calendar (RFC 5545): a session a day where the start is a day, else its minutes of local time."""
    from icalendar import Calendar, vText

    if playlist.start is None:
        raise AtlasError("a calendar needs a day to begin with, such as 2026-12-01")
    if not playlist.items:  # a calendar must hold something
        raise AtlasError(f"no calendar for this plan: {playlist.plan.heading}")
    check_between("the year in which the calendar begins", playlist.start.year, 1970, 9000)
    calendar = Calendar()
    calendar.add("PRODID", "-//torchatlas//listening path//EN")
    calendar.add("VERSION", "2.0")
    calendar.add("X-WR-CALNAME", vText(playlist.title))  # of itself it escapes known properties only
    items = {item.episode.id: item for item in playlist.items}
    for number, session in enumerate(playlist.sessions, 1):
        event = _event(session, playlist.start + timedelta(days=number - 1), items)
        event.add("UID", f"{playlist.identifier(str(number))}@torchatlas")
        calendar.add_component(event)
    content: bytes = calendar.to_ical()
    return content.decode()


def _alone(item: Item) -> Session:
    minutes = item.episode.minutes or item.step.minutes
    stretch = Stretch(item.episode.id, item.episode.label, start=0, end=60 * minutes)
    return Session(item.step.minutes, (stretch,))


def _event(session: Session, begins: date | datetime, items: dict[str, Item]) -> "Event":
    from icalendar import Event

    event = Event()
    timed = isinstance(begins, datetime)
    lines = [f"{session.minutes} min"]
    for stretch in session.stretches:
        item = items[stretch.id]
        about = (one_line(str(stretch)), one_line(item.step.why), item.page or item.audio)
        lines += ["", *filter(None, about)]
    event.add("DTSTAMP", datetime.combine(begins, time(), UTC))  # the clock is for those who change events
    event.add("DTSTART", begins)
    event.add("DURATION", timedelta(minutes=session.minutes) if timed else timedelta(days=1))
    event.add("SUMMARY", "Listen: " + one_line("; ".join(map(str, session.stretches))))
    event.add("DESCRIPTION", "\n".join(lines))
    event.add("TRANSP", "TRANSPARENT")  # one can listen and be reached
    addresses = (items[s.id].page or items[s.id].audio for s in session.stretches)
    if address := next(filter(None, addresses), None):
        event.add("URL", address)
    return event


def _html_page(playlist: Playlist) -> str:
    """Return a page without scripts, to print or to mail: the steps, the sessions, and what a sentence explains."""
    plan = playlist.plan
    root = Element("html", lang="en")
    head = _add(root, "head")
    _add(head, "meta", charset="utf-8")
    _add(head, "meta", content=_POLICY).set("http-equiv", "Content-Security-Policy")
    _add(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    _add(head, "title", playlist.title)
    _add(head, "style", _STYLE)
    body = _add(root, "body")
    _add(body, "h1", playlist.title)
    for line in (plan.heading, *plan.readings, *playlist.remarks, *map(str, plan.successors)):
        _add(body, "p", line)
    steps = _add(body, "ol")
    for item in playlist.items:
        step, row = item.step, _add(steps, "li")
        first = _add(row, "p")
        _add_name(first, item.episode.label, item.page).tail = " "
        facts = (length(step.minutes, estimated=step.estimated), step.badge, step.doubt)
        _add(first, "small", ", ".join(filter(None, facts)))
        moments = [f"Explained: {', '.join(step.moments)}"] if step.moments else []
        for line in (step.why, *moments, *(f"Note: {caveat}" for caveat in step.caveats)):
            _add(row, "p", line)
    if plan.sessions:
        _add_list(body, "Sessions", ((line, "", None) for line in plan.schedule))
    for heading, primers in plan.primers.items():
        _add_list(body, heading, ((p.name, p.told, p.link) for p in primers))
    for heading, near in plan.near.items():
        _add_list(body, heading, ((n.name, n.why, n.link) for n in near))
    for line in plan.alternatives:
        _add(body, "p", line)
    return f"<!DOCTYPE html>\n{_html(root)}\n"


def _add_list(body: Element, heading: str, rows: Iterator[tuple[str, str, str | None]]) -> None:
    """Append a heading and a list of (name, words, address)."""
    _add(body, "h2", heading)
    listed = _add(body, "ul")
    for name, words, address in rows:
        row = _add(listed, "li")
        _add_name(row, name, web_address(address))
        _add(row, "p", words)


def _add_name(parent: Element, name: str, address: str | None) -> Element:
    """Append a name, as a link where it has an address; the page that it opens does not learn from where."""
    strong = _add(parent, "strong")
    _add(strong, "a" if address else "span", name, href=address, rel="noreferrer" if address else None, dir="auto")
    return strong


@dataclass(frozen=True, slots=True)
class PlanFormat:
    """A format: what it is called on a button, the endings of its files, the usual one first, and what writes it.

    `to_hear`: whether it is for what plays or reminds, not for readers.
    """

    name: str
    label: str
    about: str
    write: Callable[[Playlist], str]
    _: KW_ONLY
    endings: tuple[str, ...]
    media_type: str
    to_hear: bool = False

    @property
    def file_name(self) -> str:
        """The name under which a browser saves it."""
        return f"listening-path{self.endings[0]}"


_ALL = (
    PlanFormat(
        "rss",
        "Podcast feed",
        "a serial podcast feed with chapters, in the order of the plan",
        _rss,
        endings=(".xml", ".rss"),
        media_type="application/rss+xml",
        to_hear=True,
    ),
    PlanFormat(
        "ics",
        "Calendar",
        "a calendar with one session of listening a day",
        _ics,
        endings=(".ics",),
        media_type="text/calendar",
        to_hear=True,
    ),
    PlanFormat(
        "markdown",
        "Markdown",
        "a list to tick off",
        lambda playlist: plan_markdown(playlist.plan),
        endings=(".md", ".markdown"),
        media_type="text/markdown",
    ),
    PlanFormat(
        "html",
        "Page to print",
        "the same as a page without scripts, to print or to mail",
        _html_page,
        endings=(".html", ".htm"),
        media_type="text/html",
    ),
    PlanFormat(
        "json",
        "JSON",
        "the plan for programs",
        lambda playlist: dumps(playlist.plan) + "\n",
        endings=(".json",),
        media_type="application/json",
    ),
)
FORMATS = {each.name: each for each in _ALL}
"""Name -> format, in the order in which lists show them."""


def format_of(target: Path) -> str:
    """Return the name of the format that a file's ending asks for. Raises DataError where it asks for none.

    >>> format_of(Path("commute.ics"))
    'ics'
    """
    for each in _ALL:
        if target.name.lower().endswith(each.endings):
            return each.name
    raise DataError(f"cannot tell the format of {shortened(str(target))}; name one of {', '.join(FORMATS)}")


def text_in(name: str, playlist: Playlist) -> str:
    """Return a playlist as the text of one file in a format. Raises AtlasError for another name.
    Example: `text_in("rss", playlist(graph, plan))`
    """
    check_one_of("the format", name, FORMATS)
    return FORMATS[name].write(playlist)
