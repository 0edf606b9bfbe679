"""A feed as its format has it, before the rules that all formats share. The readers of formats return these values."""

from dataclasses import KW_ONLY, dataclass

from torchatlas.extract.feeds.podcast import Chapter, Transcript


@dataclass(frozen=True, slots=True)
class RawEntry:
    """An entry's fields as text, as the feed has them: "" where it says nothing."""

    title: str
    notes: str
    _: KW_ONLY
    guid: str = ""
    url: str = ""
    number: str = ""
    type: str = ""
    guests: tuple[str, ...] = ()
    published: str | None = None
    duration: str = ""
    audio: tuple[tuple[str, str], ...] = ()
    base: str = ""
    transcripts: tuple[Transcript, ...] = ()
    chapters_url: str = ""
    chapters: tuple[Chapter, ...] = ()


@dataclass(frozen=True, slots=True)
class RawFeed:
    """A feed's title and entries. `cut`: its end is missing; `note`: says so, or that the feed is too large."""

    title: str
    entries: tuple[RawEntry, ...]
    _: KW_ONLY
    note: str = ""
    cut: bool = False
