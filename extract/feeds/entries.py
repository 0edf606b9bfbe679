"""What a feed holds, whatever its format: values, and the rules that all formats share."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, replace
from urllib.parse import urljoin, urlsplit

from torchatlas.extract.feeds.podcast import Chapter, Transcript
from torchatlas.extract.text import LONGEST, to_text
from torchatlas.extract.times import clock_seconds
from torchatlas.graph.values.ids import episode_id, stable_hash
from torchatlas.graph.values.model import Episode

_ISO = re.compile(
    r"P?T?(?:(\d{1,3})\s*h(?:ours?|rs?)?)?\s*(?:(\d{1,4})\s*m(?:in(?:ute)?s?)?\.?)?\s*(?:(\d{1,6})\s*s(?:ec(?:ond)?s?)?)?",
    re.A | re.I,
)
_AUDIO = re.compile(r"\.(?:mp3|m4a|m4b|aac|ogg|oga|opus|flac|wav|mp4|m4v|mov|webm)$", re.I)
_LONGEST_TITLE = 500  # characters; a title made of the notes has 60


@dataclass(frozen=True, slots=True)
class Entry:
    """An episode's facts and its show notes as they stand in the feed, HTML or plain.

    `base`: the address that relative links in the notes are relative to. `chapters`: those the feed itself holds.
    """

    episode: Episode
    notes: str
    _: KW_ONLY
    base: str = ""
    transcripts: tuple[Transcript, ...] = ()
    chapters_url: str = ""
    chapters: tuple[Chapter, ...] = ()


@dataclass(frozen=True, slots=True)
class Feed:
    """What a feed holds. `skipped`: a line for each entry that could not be used; `cut`: its end is missing."""

    title: str
    entries: tuple[Entry, ...]
    _: KW_ONLY
    skipped: tuple[str, ...] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Raw:
    """An entry's fields as text, as the feed has them: "" where it says nothing."""

    title: str
    notes: str
    _: KW_ONLY
    guid: str = ""
    url: str = ""
    number: str = ""
    published: str | None = None
    duration: str = ""
    audio: tuple[tuple[str, str], ...] = ()
    base: str = ""
    transcripts: tuple[Transcript, ...] = ()
    chapters_url: str = ""
    chapters: tuple[Chapter, ...] = ()


def entry(raw: Raw, show: str) -> Entry:
    """Raises ValueError, in words, where neither title nor notes say what the entry is."""
    notes = raw.notes[:LONGEST]
    title = title_text(raw.title) or _first_words(to_text(notes).text)
    if not title:
        raise ValueError("it has no title and no text")
    url = web(raw.url, raw.base)
    episode = Episode(
        id=episode_id(show, title),
        title=title,
        show=show,
        guid=raw.guid or url or f"torchatlas:{stable_hash(title, raw.published or '')}",
        number=int(raw.number) if re.fullmatch(r"[0-9]{1,6}", raw.number) else None,
        published=raw.published,
        minutes=minutes(raw.duration),
        url=url or None,
        audio_url=_audio(raw),
    )
    transcripts = (replace(t, url=web(t.url, raw.base)) for t in raw.transcripts)
    return Entry(
        episode,
        notes,
        base=raw.base or url,
        transcripts=tuple(t for t in transcripts if t.url),
        chapters_url=web(raw.chapters_url, raw.base),
        chapters=raw.chapters,
    )


def title_text(markup: str) -> str:
    """A title on one line; feeds escape it once or twice and put tags in it."""
    return " ".join(to_text(markup).text.split())[:_LONGEST_TITLE]


def minutes(duration: str) -> int | None:
    """Whole minutes of an itunes:duration: "1080", "18:00", "0:18:00", "PT18M", "18 min". None: not understood."""
    seconds = clock_seconds(duration)
    if seconds is None:
        words = _ISO.fullmatch(duration.strip())
        hours, mins, secs = (int(part or 0) for part in words.groups()) if words else (0, 0, 0)
        seconds = 3600 * hours + 60 * mins + secs
    return max(1, (seconds + 30) // 60) if 0 < seconds < 100 * 3600 else None


def http_host(url: str) -> str:
    """The host of an http address; "" where it is none."""
    try:
        parts = urlsplit(url)
        return parts.hostname or "" if parts.scheme.lower() in {"http", "https"} else ""
    except ValueError:
        return ""


def web(url: str, base: str = "") -> str:
    """The http address that `url` is, by itself or beside `base`; "" where it is none."""
    try:
        full = urljoin(base, url) if url and http_host(base) else url
    except ValueError:
        return ""
    return full if http_host(full) else ""


def told_apart(entries: Iterable[Entry]) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """In feed order, guids once, slugs unique: of several with one slug the oldest keeps it, so ids do not change.

    The second are the titles of those left out.
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
    """A title for a post that has none: the beginning of its first line."""
    line = " ".join(next((line for line in text.splitlines() if re.search(r"\w", line)), "").split())
    return line if len(line) <= 60 else line[:60].rsplit(" ", 1)[0].rstrip(" ,;:.-–—") + "…"


def _audio(raw: Raw) -> str | None:
    """The first enclosure that is heard or seen: by its type, else by the ending of its name."""
    offered = [(web(href, raw.base), kind.lower()) for href, kind in raw.audio]
    typed = (href for href, kind in offered if href and kind.startswith(("audio/", "video/")))
    named = (href for href, kind in offered if not kind.startswith(("image/", "text/")) and _AUDIO.search(_file(href)))
    unnamed = (href for href, kind in offered if href and not kind and "." not in _file(href))
    return next((href for found in (typed, named, unnamed) for href in found), None)


def _file(url: str) -> str:
    return urlsplit(url).path.rsplit("/", 1)[-1]
