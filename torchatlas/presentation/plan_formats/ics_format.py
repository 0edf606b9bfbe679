"""A plan as a calendar (RFC 5545): a session of listening a day. icalendar escapes texts and folds lines."""

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

from torchatlas.graph.answers import Session
from torchatlas.graph.errors import AtlasError, check_between
from torchatlas.graph.names import one_line
from torchatlas.presentation.plan_formats.identity import plan_guid
from torchatlas.presentation.plan_formats.playlist import Item, Playlist

if TYPE_CHECKING:
    from icalendar import Event


def write(playlist: Playlist) -> str:
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
