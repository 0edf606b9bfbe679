"""Entries of a feed as values, and the rules that all formats share."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, replace
from urllib.parse import urljoin, urlsplit

from torchatlas.extract.feeds.limits import PEOPLE
from torchatlas.extract.feeds.podcast import Chapter, Transcript
from torchatlas.extract.feeds.raw import OWN_GUID, RawEntry
from torchatlas.extract.text import LONGEST, to_text
from torchatlas.extract.times import clock_seconds
from torchatlas.graph.values.ids import episode_id, stable_hash
from torchatlas.graph.values.model import Episode, Show

_ISO = re.compile(
    r"P?T?(?:(\d{1,3})\s*h(?:ours?|rs?)?)?\s*(?:(\d{1,4})\s*m(?:in(?:ute)?s?)?\.?)?\s*(?:(\d{1,6})\s*s(?:ec(?:ond)?s?)?)?",
    re.A | re.I,
)
_AUDIO = re.compile(r"\.(?:mp3|m4a|m4b|aac|ogg|oga|opus|flac|wav|mp4|m4v|mov|webm)$", re.I)
_LONGEST_TITLE = 500  # characters; a title made from the notes has 60
_PARTED = re.compile(r"\s*(?:[,;&/|+]|\band\b|\bwith\b)\s*")  # the people in the author of a feed
_LONGEST_NAME = 4  # words


@dataclass(frozen=True, slots=True)
class Entry:
    """An episode's facts, and its show notes as they stand in the feed, HTML or plain.

    `base`: the address to which links in the notes are relative. `chapters`: those that the feed itself holds. `show`:
    the facts of the show, where the source states more than its name. `credits`: whom the feed names besides its
    guests and the show's author.
    """

    episode: Episode
    notes: str
    _: KW_ONLY
    base: str = ""
    transcripts: tuple[Transcript, ...] = ()
    chapters_url: str = ""
    chapters: tuple[Chapter, ...] = ()
    show: Show | None = None
    credits: tuple[str, ...] = ()

    @property
    def people(self) -> tuple[str, ...]:
        """The whole names of hosts, guests and authors, one by one; a single word may be a thing's name too."""
        author = self.show.author if self.show else None
        written = (*self.episode.guests, *self.credits, author or "")
        names = (" ".join(name.split()) for text in written for name in _PARTED.split(text))
        return tuple(dict.fromkeys(n for n in names if 0 < n.count(" ") < _LONGEST_NAME))[:PEOPLE]


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed's show and entries. `skipped`: a line for each entry that could not be used; `cut`: its end is missing."""

    show: Show
    entries: tuple[Entry, ...]
    _: KW_ONLY
    skipped: tuple[str, ...] = ()
    cut: bool = False

    @property
    def title(self) -> str:
        """The title of the show."""
        return self.show.title


def entry(raw: RawEntry, show: Show) -> Entry:
    """Return an entry with the facts that its fields state. Raises ValueError if it has neither title nor notes.

    >>> entry(RawEntry("Strides", "A tensor has strides.", duration="18:20"), Show("s", "S")).episode.minutes
    18
    """
    notes = raw.notes[:LONGEST]
    title = title_text(raw.title) or _first_words(to_text(notes).text)
    if not title:
        raise ValueError("it has no title and no text")
    url, audio = web(raw.url, raw.base), _audio(raw)
    episode = Episode(
        id=episode_id(show.title, title),
        title=title,
        show=show.title,
        kind="trailer" if raw.type.casefold() == "trailer" else "episode",
        # The audio before the link: where items have no guid, one link often stands in all of them, the show's.
        guid=raw.guid or audio or url or f"{OWN_GUID}{stable_hash(title, raw.published or '', notes)}",
        number=int(raw.number) if re.fullmatch(r"[0-9]{1,6}", raw.number) else None,
        season=int(raw.season) if re.fullmatch(r"0{0,5}[1-9][0-9]{0,5}", raw.season) else None,
        published=raw.published,
        minutes=minutes(raw.duration),
        url=url or None,
        audio_url=audio,
        guests=tuple(filter(None, map(title_text, raw.guests))),
    )
    transcripts = (replace(t, url=web(t.url, raw.base)) for t in raw.transcripts)
    return Entry(
        episode,
        notes,
        base=raw.base or url,
        transcripts=tuple(t for t in transcripts if t.url),
        chapters_url=web(raw.chapters_url, raw.base),
        chapters=raw.chapters,
        show=show,
        credits=tuple(filter(None, map(title_text, raw.credits[:PEOPLE]))),
    )


def title_text(markup: str) -> str:
    """Return a title on one line. Feeds escape titles once or twice, and put tags in them.

    >>> title_text("<b>R&amp;D</b>\\n at work")
    'R&D at work'
    """
    return " ".join(to_text(markup).text.split())[:_LONGEST_TITLE]


def minutes(duration: str) -> int | None:
    """Return the whole minutes of an itunes:duration, at least 1; None if it is not understood.

    >>> [minutes(written) for written in ("1080", "18:00", "0:18:00", "PT18M", "18 min", "long")]
    [18, 18, 18, 18, 18, None]
    """
    seconds = clock_seconds(duration)
    if seconds is None and (words := _ISO.fullmatch(duration.strip())):
        hours, mins, secs = (int(part or 0) for part in words.groups())
        seconds = 3600 * hours + 60 * mins + secs
    return max(1, (seconds + 30) // 60) if seconds and 0 < seconds < 100 * 3600 else None


def http_host(url: str) -> str:
    """Return the host of an http address; "" for other texts.

    >>> http_host("https://example.org/feed.xml"), http_host("mailto:me@example.org")
    ('example.org', '')
    """
    try:
        parts = urlsplit(url)
        return parts.hostname or "" if parts.scheme.lower() in {"http", "https"} else ""
    except ValueError:
        return ""


def web(url: str, base: str = "") -> str:
    """Return `url` as an http address, relative to `base` if that is one; "" if no address results.

    >>> web("../b", "https://example.org/a/")
    'https://example.org/b'
    """
    try:
        full = urljoin(base, url) if url and http_host(base) else url
    except ValueError:
        return ""
    return full if http_host(full) else ""


def distinct(entries: Iterable[Entry]) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """Return the entries in feed order with unique guids and slugs, and the titles of those left out.

    The oldest of several entries with one slug keeps the slug, so that ids do not change when a feed grows.
    Example: kept, titles = distinct(entries)
    """
    seen: dict[str, Entry] = {}
    again = tuple(e.episode.title for e in entries if seen.setdefault(str(e.episode.guid), e) is not e)
    groups: defaultdict[str, list[Episode]] = defaultdict(list)
    for kept in seen.values():
        groups[kept.episode.id].append(kept.episode)
    ids = {
        episode.guid: f"{episode.id}-{stable_hash(str(episode.guid))}"
        for group in groups.values()
        for episode in sorted(group, key=lambda e: (e.published or "9999", str(e.guid)))[1:]
    }
    named = (replace(e, episode=replace(e.episode, id=ids.get(e.episode.guid, e.episode.id))) for e in seen.values())
    return tuple(named), again


def _first_words(text: str) -> str:
    """Return a title for a post without one: the beginning of its first line."""
    line = " ".join(next((line for line in text.splitlines() if re.search(r"\w", line)), "").split())
    return line if len(line) <= 60 else line[:60].rsplit(" ", 1)[0].rstrip(" ,;:.-–—") + "…"


def _audio(raw: RawEntry) -> str | None:
    """Return the first enclosure that is audio or video, by its type, else by the ending of its name."""
    offered = [(web(href, raw.base), kind.lower()) for href, kind in raw.audio]
    typed = (href for href, kind in offered if href and kind.startswith(("audio/", "video/")))
    named = (href for href, kind in offered if not kind.startswith(("image/", "text/")) and _AUDIO.search(_file(href)))
    unnamed = (href for href, kind in offered if href and not kind and "." not in _file(href))
    return next((href for found in (typed, named, unnamed) for href in found), None)


def _file(url: str) -> str:
    return urlsplit(url).path.rsplit("/", 1)[-1]
