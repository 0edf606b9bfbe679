"""A plan as a file: RSS, iCalendar, Markdown, HTML, JSON. A new format is a function and an entry of the table."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, fields, is_dataclass
from datetime import UTC, date, datetime, time, timedelta
from email.utils import format_datetime
from itertools import groupby
from pathlib import Path
from shlex import quote as quote_for_shell
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5
from xml.etree.ElementTree import Element, indent, tostring

from torchatlas.extract.feeds import Chapter
from torchatlas.extract.fetch import media_type, without_secrets
from torchatlas.extract.mend import NAMESPACES
from torchatlas.graph.answers import Explanation, Needed, Plan, Session, Step, Stretch, plan_markdown
from torchatlas.graph.errors import AtlasError, DataError, check_between, check_one_of, shortened
from torchatlas.graph.formatting import clock, counted, length, web_address
from torchatlas.graph.markdown import Table
from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.graph.names import MASK, excerpt, one_line, seen, xml_text
from torchatlas.graph.views import feeds_of, pictures_of

if TYPE_CHECKING:
    from icalendar import Event

    from torchatlas.extract.placing import Placed
    from torchatlas.sources import Source


LONGEST = 71
"""The characters of an entry's text that name it where it has no title."""


def dumps(answer: object, indent: int | None = 2) -> str:
    """Return an answer, or a list of them, as one JSON text: the same for the same answer.

    A character that a terminal would obey or hide stands as \\uXXXX.

    >>> dumps(Table(("n",), ((83,),)), indent=None)
    '{"columns": ["n"], "rows": [[83]]}'
    """
    text = json.dumps(answer, ensure_ascii=False, indent=indent, default=_plain)
    return seen(text)


def concept_row(graph: Snapshot, concept: Concept) -> dict[str, Any]:
    """Return a concept with all its names and wordings and what it requires, as `torchatlas concepts` promises.

    >>> concept_row(Snapshot(), Concept("vmap", "vmap", area="Transforms"))["requires"]
    []
    """
    requires = graph.required_by.get(concept.id, ())
    return {
        "id": concept.id,
        "name": concept.name,
        "aliases": concept.aliases,
        "in_texts": concept.in_texts,
        "phrases": concept.phrases,
        "area": concept.area,
        "definition": concept.definition,
        "requires": [
            {"id": r.target, "need": r.need, "origin": r.origin, "confidence": r.confidence, "reason": r.reason}
            for r in requires
        ],
    }


def name_rows(names: Mapping[str, str | None]) -> list[dict[str, str | None]]:
    """Return id -> name as rows, as `torchatlas know` and `torchatlas heard` promise.

    >>> name_rows({"vmap": "vmap", "gone": None})
    [{'id': 'vmap', 'name': 'vmap'}, {'id': 'gone', 'name': None}]
    """
    return [{"id": id_, "name": name} for id_, name in names.items()]


def source_row(source: "Source") -> dict[str, Any]:
    """Return a feed or page, with its address as it may be shown.

    Example: [source_row(source) for source in atlas.sources()]
    """
    return asdict(source) | {"address": source.shown}


def placed_row(row: "Placed") -> dict[str, Any]:
    """Return what becomes of an entry of a saved page.

    Example: [placed_row(row) for row in atlas.import_pages("page.html", dry_run=True).rows]
    """
    return {
        "page": row.page,
        "title": row.entry.title,
        "text": excerpt(row.entry.text, LONGEST),
        "outcome": row.outcome,
        "episode_id": row.episode.id if row.episode else None,
        "episode": row.episode.title if row.episode else None,
        "evidence": row.evidence,
    }


def _plain(value: object) -> object:
    if isinstance(value, Table):
        body = {"columns": value.columns, "rows": value.rows}
        return body | ({"truncated": True} if value.truncated else {})
    if isinstance(value, Needed):
        return {"id": value.id, "name": value.name, "from": value.source}
    shallow = {f.name: getattr(value, f.name) for f in fields(value)} if is_dataclass(value) else str(value)
    if isinstance(value, Explanation) and isinstance(shallow, dict):
        return shallow | {"earlier": value.earlier[0], "later": value.later[0]}
    return shallow


@dataclass(frozen=True, slots=True)
class Item:
    """A step of a plan and its episode.

    `guid`: the episode's own; its id where that is missing or an item before has it.
    `audio`, `page`, `feed`, `picture` (of the show): addresses on the web, None where there are none; `seconds`: of the
    audio, None: unknown.
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
    def seconds(self) -> int | None:
        """The length of the audio."""
        return None if self.episode.minutes is None else 60 * self.episode.minutes

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """The moments at which something is explained, one a second, in the order of time."""
        known = sorted((t.at, one_line(t.name)) for t in self.step.teaches if t.at is not None)
        return tuple(
            Chapter(at, ", ".join(name for _, name in names)) for at, names in groupby(known, key=lambda k: k[0])
        )


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
    def feeds(self) -> dict[str, Item]:
        """The feeds of the shows in the order of the plan, each with its first item."""
        found: dict[str, Item] = {}
        for item in self.items:
            if item.feed:
                found.setdefault(item.feed, item)
        return found

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The sessions of the plan, or one for each episode where it is not divided."""
        return self.plan.sessions or tuple(map(_whole, self.items))


def playlist(graph: Snapshot, plan: Plan, start: date | datetime | None = None) -> Playlist:
    """Return a plan with what players want to know of its episodes. Private feeds count as unknown.

    Example: playlist(atlas.graph, atlas.plan("vmap")).items[0].guid
    """
    episodes = [graph.episode[step.episode_id] for step in plan.steps]
    guids = _guids(episodes)
    items = (
        Item(
            step, episode, guid=guid, feed=_public(feeds_of(graph, episode.id)),
            picture=_public(pictures_of(graph, episode.id)),
        )
        for step, episode, guid in zip(plan.steps, episodes, guids, strict=True)
    )  # fmt: skip
    return Playlist(plan, tuple(items), start=start)


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


def _public(addresses: Iterable[str]) -> str | None:
    """Return the first address on the web that holds no secret and no mask of one, None where there is none."""
    found = filter(None, map(web_address, addresses))
    return next((a for a in found if without_secrets(a) == a and MASK not in a), None)


def _guids(episodes: Sequence[Episode]) -> list[str]:
    """Return the guid of each episode, the id where there is none or where another show has used it before."""
    taken: set[str] = set()
    found = []
    for episode in episodes:
        guid = one_line(episode.guid or "")
        found.append(guid if guid and guid not in taken else episode.id)
        taken.add(found[-1])
    return found


def _whole(item: Item) -> Session:
    stretch = Stretch(item.episode.id, item.episode.label, start=0, end=item.seconds or 60 * item.step.minutes)
    return Session(item.step.minutes, (stretch,))


_PODCASTS = UUID("ead4c236-bf58-58c6-a2c6-a6b28d128cb6")
"""The namespace of podcasts: https://podcasting2.org/docs/podcast-namespace/tags/guid"""


def feed_guid(address: str) -> str:
    """Return the `podcast:guid` of a feed, as the namespace derives it from the address.

    A feed that states another one, for example since it has moved, is found by its address.

    >>> feed_guid("https://podnews.net/rss")
    '9b024349-ccf0-5f69-a609-6b82873eab3c'
    """
    return str(uuid5(_PODCASTS, re.sub(r"^[a-z]+://", "", address, flags=re.I).rstrip("/")))


def plan_guid(plan: Plan, part: str = "") -> str:
    """Return what identifies the plan for some goals, or a part of it.

    >>> plan_guid(Plan(("vmap",), (), minutes=0, steps=())) == plan_guid(Plan(("vmap",), (), minutes=9, steps=()))
    True
    """
    return str(uuid5(_PODCASTS, "\x1f".join(("torchatlas", *plan.goals, part))))


def add(parent: Element, tag: str, text: str | None = None, /, **attributes: str | None) -> Element:
    """Append a child with a text on one line; attributes that are None are left out.

    >>> ET.tostring(add(Element("p"), "a", "R&D", href="x", rel=None))
    b'<a href="x">R&amp;D</a>'
    """
    child = ET.SubElement(parent, tag)
    child.text = None if text is None else plain(text)
    for name, value in attributes.items():
        if value is not None:
            child.set(name, plain(value))
    return child


def plain(text: str) -> str:
    """Return a text on one line that XML can hold.

    >>> plain("a\\n\\x00b")
    'a b'
    """
    return xml_text(one_line(text))


def html(element: Element) -> str:
    """Return an element as HTML.

    >>> html(Element("br"))
    '<br>'
    """
    return ET.tostring(element, encoding="unicode", method="html")


_PREFIXES = ("itunes", "podcast", "psc")
_YEARS = range(1990, 2101)  # in which a podcast may have come out
_BEFORE_ALL = date(2000, 1, 1)
_HOME = "http://127.0.0.1:8501/path"  # the page of plans, where `torchatlas` opens the map


def rss(playlist: Playlist) -> str:
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
    known = filter(None, (_day_of(item.episode.published) for item in playlist.items))
    last = min(known, default=_BEFORE_ALL)
    count = len(playlist.items)
    return (last - timedelta(days=count - place) for place in range(1, count + 1))


def _day_of(published: str | None) -> date | None:
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


def ics(playlist: Playlist) -> str:
    """Return the calendar. Sessions take a day each where the start is a day, else their minutes of local time.

    Raises AtlasError where nothing is left to hear, and where the start is missing or too far away.

    Example: Path("commute.ics").write_text(write(playlist(graph, plan, date(2026, 12, 1))), newline="")
    """
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
        begins = playlist.start + timedelta(days=number - 1)
        event = _event(session, begins, items)
        event.add("UID", f"{plan_guid(playlist.plan, str(number))}@torchatlas")
        calendar.add_component(event)
    content: bytes = calendar.to_ical()
    return content.decode()


def _event(session: Session, begins: date | datetime, items: dict[str, Item]) -> "Event":
    from icalendar import Event

    event = Event()
    day = begins.date() if isinstance(begins, datetime) else begins
    event.add("DTSTAMP", datetime.combine(day, time(), UTC))  # the clock is for those who change events
    event.add("DTSTART", begins)
    event.add("DURATION", timedelta(minutes=session.minutes) if isinstance(begins, datetime) else timedelta(days=1))
    event.add("SUMMARY", "Listen: " + one_line("; ".join(map(str, session.stretches))))
    event.add("DESCRIPTION", "\n".join(_lines(session, items)))
    event.add("TRANSP", "TRANSPARENT")  # one can listen and be reached
    if address := next(filter(None, (_address(items[s.id]) for s in session.stretches)), None):
        event.add("URL", address)
    return event


def _lines(session: Session, items: dict[str, Item]) -> list[str]:
    """Return how long it takes, and for each stretch its name, why it is heard and where."""
    lines = [f"{session.minutes} min"]
    for stretch in session.stretches:
        item = items[stretch.id]
        about = (one_line(str(stretch)), one_line(item.step.why), _address(item))
        lines += ["", *filter(None, about)]
    return lines


def _address(item: Item) -> str | None:
    return item.page or item.audio


def markdown(playlist: Playlist) -> str:
    """Return the list, as a notebook shows it.

    Example: Path("plan.md").write_text(write(playlist(graph, plan)))
    """
    return plan_markdown(playlist.plan)


_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = (
    "body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; "
    "color-scheme: light dark; overflow-wrap: anywhere } li { margin-bottom: .75rem } p { margin: .25rem 0 } "
    "small { opacity: .75 }"
)


def html_page(playlist: Playlist) -> str:
    """Return the page: the steps in order, the sessions, and what a sentence explains.

    Example: Path("plan.html").write_text(write(playlist(graph, plan)))
    """
    root = Element("html", lang="en")
    _add_head(root, playlist.title)
    body, plan = add(root, "body"), playlist.plan
    add(body, "h1", playlist.title)
    remarks = [line for line in plan.remarks if plan.steps or line not in plan.heading]
    for line in (plan.heading, *plan.readings, *remarks, *map(str, plan.successors)):
        add(body, "p", line)
    steps = add(body, "ol")
    for item in playlist.items:
        _add_step(steps, item)
    if plan.sessions:
        _add_list(body, "Sessions", [(line, "", None) for line in plan.schedule])
    for heading, primers in plan.primers.items():
        _add_list(body, heading, [(p.name, p.told, p.link) for p in primers])
    for heading, near in plan.near.items():
        _add_list(body, heading, [(n.name, n.why, n.link) for n in near])
    for line in plan.alternatives:
        add(body, "p", line)
    return f"<!DOCTYPE html>\n{html(root)}\n"


def _add_head(root: Element, title: str) -> None:
    head = add(root, "head")
    add(head, "meta", charset="utf-8")
    policy = add(head, "meta", content=_POLICY)
    policy.set("http-equiv", "Content-Security-Policy")
    add(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    add(head, "title", title)
    add(head, "style", _STYLE)


def _add_step(steps: Element, item: Item) -> None:
    step, row = item.step, add(steps, "li")
    first = add(row, "p")
    _add_name(first, item.episode.label, item.page).tail = " "
    facts = (length(step.minutes, estimated=step.estimated), step.badge, step.doubt)
    add(first, "small", ", ".join(filter(None, facts)))
    add(row, "p", step.why)
    if step.moments:
        add(row, "p", f"Explained: {', '.join(step.moments)}")
    for caveat in step.caveats:
        add(row, "p", f"Note: {caveat}")


def _add_list(body: Element, heading: str, rows: list[tuple[str, str, str | None]]) -> None:
    """Append a heading and a list of (name, words, address)."""
    add(body, "h2", heading)
    listed = add(body, "ul")
    for name, words, address in rows:
        row = add(listed, "li")
        _add_name(row, name, web_address(address))
        add(row, "p", words)


def _add_name(parent: Element, name: str, address: str | None) -> Element:
    """Append a name, as a link where it has an address; the page that it opens does not learn from where."""
    strong = add(parent, "strong")
    add(strong, "a" if address else "span", name, href=address, rel="noreferrer" if address else None, dir="auto")
    return strong


def json_text(playlist: Playlist) -> str:
    """Return the plan with all its parts.

    Example: Path("plan.json").write_text(write(playlist(graph, plan)))
    """
    return dumps(playlist.plan) + "\n"


@dataclass(frozen=True, slots=True)
class PlanFormat:
    """A format: its name, what it is called on a button, and the endings of its files, the usual one first.

    `to_hear`: whether it is for what plays or reminds, not for readers.
    """

    name: str
    label: str
    _: KW_ONLY
    endings: tuple[str, ...]
    media_type: str
    about: str
    to_hear: bool = False

    @property
    def file_name(self) -> str:
        """The name under which a browser saves it."""
        return f"listening-path{self.endings[0]}"


_ALL = (
    PlanFormat(
        "rss", "Podcast feed", endings=(".xml", ".rss"), media_type="application/rss+xml", to_hear=True,
        about="a serial podcast feed with chapters, in the order of the plan",
    ),
    PlanFormat(
        "ics", "Calendar", endings=(".ics",), media_type="text/calendar", to_hear=True,
        about="a calendar with one session of listening a day",
    ),
    PlanFormat(
        "markdown", "Markdown", endings=(".md", ".markdown"), media_type="text/markdown", about="a list to tick off",
    ),
    PlanFormat(
        "html", "Page to print", endings=(".html", ".htm"), media_type="text/html",
        about="the same as a page without scripts, to print or to mail",
    ),
    PlanFormat("json", "JSON", endings=(".json",), media_type="application/json", about="the plan for programs"),
)  # fmt: skip
FORMATS = {each.name: each for each in _ALL}
"""Name -> format, in the order in which lists show them."""


def format_of(target: Path) -> str:
    """Return the name of the format that a file's ending asks for. Raises DataError where it asks for none.

    >>> format_of(Path("commute.ics"))
    'ics'
    """
    name = target.name.lower()
    found = [(len(ending), each.name) for each in _ALL for ending in each.endings if name.endswith(ending)]
    if not found:
        raise DataError(f"cannot tell the format of {shortened(str(target))}; name one of {', '.join(FORMATS)}")
    return max(found)[1]


def text_in(name: str, playlist: "Playlist") -> str:
    """Return a playlist as the text of one file in a format. Raises AtlasError for another name.

    Example: text_in("rss", playlist(graph, plan))
    """
    check_one_of("the format", name, FORMATS)
    writers: dict[str, Callable[[Playlist], str]] = {
        "rss": rss, "ics": ics, "markdown": markdown, "html": html_page, "json": json_text,
    }  # fmt: skip
    return writers[name](playlist)
