"""Podcast apps: plans go out in formats that they read, and what was heard there comes in."""

from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

from torchatlas.graph.values.answers import Plan
from torchatlas.heard_elsewhere import HeardElsewhere, heard_elsewhere
from torchatlas.listener import heard
from torchatlas.notes import note
from torchatlas.open_map import OpenMap
from torchatlas.presentation.plan_formats.table import FORMATS, format_of, text_in


def plan_text(atlas: OpenMap, plan: Plan, style: str, start: date | datetime | None = None) -> str:
    """Return a plan as the content of one file: rss, m3u, ics, opml, remote-items, markdown, html or json.

    `start`: the day of the first session in a calendar (ics), or its local time, on which sessions then begin. A
    note says what episodes lack for a player, and how to get it. Raises AtlasError for another style, and for a
    calendar without a start.

    Example: atlas.plan_text(atlas.plan("AOTAutograd"), "opml")
    """
    from torchatlas.presentation.plan_formats.playlist import missing, playlist

    found = playlist(atlas.graph, plan, start)
    text = text_in(style, found)
    if lacking := missing(found, FORMATS[style].needs):
        note(lacking)
    return text


def write_plan(
    atlas: OpenMap, plan: Plan, target: Path | str, style: str | None = None, start: date | datetime | None = None
) -> Path:
    """Write a plan to a file and return that; the style is by default what the name ends in.

    Raises DataError where the style cannot be told or the file cannot be written, else as `plan_text` does.

    Example: atlas.write_plan(atlas.plan("AOTAutograd"), "shows.opml").name
    """
    from torchatlas.user_files.files import write_file

    text = plan_text(atlas, plan, style or format_of(Path(target)), start)
    return write_file(Path(target), text.encode())


def heard_from(atlas: OpenMap, file: Path | str, *, forget: bool = False) -> HeardElsewhere:
    """Remember (or `forget`) what a podcast app's export says was heard; a note tells what is not on the map.

    It is a file of episode actions (gPodder's API), PortCast, all data of Overcast, or AntennaPod's database. Raises
    SourceError where the file cannot be read; nothing is changed then.

    Example: atlas.heard_from("AntennaPodBackup.db").changed
    """
    from torchatlas.extract.players.history import read_history

    result = heard_elsewhere(atlas.graph, read_history(Path(file)))
    if result.told:
        note(f"{file}: {result.told}")
    known = set(atlas.profile.heard)
    changed = tuple(id_ for id_ in result.found if (id_ in known) == forget)
    if changed:
        heard(atlas, *changed, forget=forget)
    return replace(result, changed=changed)
