"""A feed as its format has it, before the rules that all formats share. The readers of formats return these values."""

from dataclasses import KW_ONLY, dataclass

from torchatlas.extract.feeds.podcast import Chapter, Transcript

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
