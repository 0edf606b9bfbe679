"""Transcripts and chapters of an episode: their cues, their addresses, and the concepts that they explain."""

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING

from torchatlas.extract.feeds import (
    Chapter,
    Entry,
    Transcript,
    chapters,
    load_json,
    mappings_at,
    number,
    text_at,
)
from torchatlas.extract.fetch import copy_name
from torchatlas.extract.text import decoded
from torchatlas.graph.errors import SourceError
from torchatlas.graph.findings import Explained
from torchatlas.graph.model import Concept
from torchatlas.graph.names import visible

if TYPE_CHECKING:
    from torchatlas.extract.pipeline import Extractor
    from torchatlas.extract.transcripts.explanations import ExplanationFinder

LARGEST = 16_000_000
"""Bytes that are read of a transcript; an hour of talk has a tenth of one million."""

MOST = 200_000
"""Cues that are kept: some files have one a word."""

LONGEST = 2_000
"""Characters that are kept of a cue."""

_CLOCK = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?"
_TIMING = re.compile(rf"{_CLOCK}\s*-->\s*{_CLOCK}(?!\S)", re.A)
# Voice, class and time tags of WebVTT, font tags of SubRip, and its {\an8} placements.
_TAG = re.compile(r"</?[A-Za-z0-9][^<>]{0,200}>|\{\\[^{}]{0,50}\}")


@dataclass(frozen=True, slots=True, order=True)
class Cue:
    """Words on one line that are said from second `start` to second `end`."""

    start: float
    end: float
    _: KW_ONLY
    text: str


def read_cues(document: bytes, name: str = "the transcript") -> tuple[Cue, ...]:
    """Return the cues of a WebVTT, SubRip (SRT) or podcast-namespace JSON document, in the order of their time.

    Raises SourceError, naming `name`, where the bytes are none of the three or hold no cue that can be read.
    Formats: https://www.w3.org/TR/webvtt1, https://github.com/Podcastindex-org/podcast-namespace (transcripts).

    >>> read_cues(b"WEBVTT\\n\\n00:01.000 --> 00:02.500\\nHello")
    (Cue(start=1.0, end=2.5, text='Hello'),)
    """
    text = decoded(document[:LARGEST])
    timed = _segments(text, name) if text.lstrip()[:1] in ("{", "[") else _blocks(text)
    found = [
        Cue(start, end, text=said) for start, end, raw in islice(timed, MOST) if end >= start and (said := _said(raw))
    ]
    if not found:
        raise SourceError(f"{name} holds no cue that can be read; expected WebVTT, SRT or podcast JSON")
    return tuple(sorted(found, key=lambda cue: (cue.start, cue.end)))


def _blocks(text: str) -> Iterator[tuple[float, float, str]]:
    """Yield each timing and the lines below it, up to an empty one; numbers, notes and styles have no timing."""
    span: tuple[float, float] | None = None
    lines: list[str] = []
    for line in map(str.strip, text.splitlines()):
        if timing := _TIMING.match(line):
            if span:  # no empty line between the two: the last line may be the number of the next cue
                yield *span, " ".join(lines[:-1] if lines and lines[-1].isdecimal() else lines)
            span, lines = (_seconds(timing.groups()[:4]), _seconds(timing.groups()[4:])), []
        elif span and line:
            lines.append(line[:LONGEST])
        elif span and lines:
            yield *span, " ".join(lines)
            span, lines = None, []
    if span:
        yield *span, " ".join(lines)


def _seconds(clock: tuple[str | None, ...]) -> float:
    hours, minutes, seconds = (int(part or 0) for part in clock[:3])
    return 3600 * hours + 60 * minutes + seconds + int((clock[3] or "0").ljust(3, "0")) / 1000


def _segments(text: str, name: str) -> Iterator[tuple[float, float, str]]:
    for segment in mappings_at(load_json(text, name), "segments"):
        start, end = (number(segment.get(key, segment.get("startTime"))) for key in ("startTime", "endTime"))
        if start is not None and end is not None and 0 <= start <= end < 1_000 * 3600:
            yield float(start), float(end), text_at(segment, "body")


def _said(raw: str) -> str:
    """Return the words on one line, without tags and unseen characters."""
    return " ".join(visible(html.unescape(_TAG.sub("", raw[:LONGEST]))).split())


_TIMED = ("vtt", "srt", "subrip", "json")
_CHAPTER = 0.5  # the weight of a concept that a chapter is named after, as that of one that notes name often


def best_transcript(offered: Iterable[Transcript]) -> Transcript | None:
    """Return the transcript to read: with times, in English if there is a choice, the most precise format first.

    >>> best_transcript([Transcript("https://example.org/1.srt"), Transcript("https://example.org/1.vtt")]).url
    'https://example.org/1.vtt'
    """
    timed = [(t, kind) for t in offered if (kind := _transcript_kind(t)) < len(_TIMED)]
    return min(timed, key=lambda found: (not _is_english(found[0]), found[1], found[0]))[0] if timed else None


def _transcript_kind(transcript: Transcript) -> int:
    """Return the place in `_TIMED` of its type, else of its address's ending; the length of `_TIMED` without times."""
    ending = re.split(r"[?#]", transcript.url, maxsplit=1)[0].rsplit(".", 1)[-1].lower()
    stated = transcript.type.lower()
    known = [place for place, word in enumerate(_TIMED) if word in stated] or [
        place for place, word in enumerate(_TIMED) if word == ending and not stated.startswith("text/html")
    ]
    return known[0] if known else len(_TIMED)


def _is_english(transcript: Transcript) -> bool:
    return transcript.language.lower()[:2] in ("", "en")


def readers(entry: Entry) -> dict[str, Callable[[bytes, str], object]]:
    """Return the addresses of an entry's best transcript and of its chapters, each with the function that reads it.

    Such a function takes the bytes and a name, and raises SourceError where the bytes are no such document.

    Example: `for address, read in readers(entry).items(): read(fetch(address).data, address)`
    """
    transcript = best_transcript(entry.transcripts)
    found: dict[str, Callable[[bytes, str], object]] = {transcript.url: read_cues} if transcript else {}
    return found | ({entry.chapters_url: read_chapters} if entry.chapters_url else {})


def read_chapters(document: bytes, name: str = "the chapters") -> tuple[Chapter, ...]:
    """Return the chapters of a JSON chapters document, in the order of their time.

    Raises SourceError, which names `name`, if the document is no such JSON.

    >>> read_chapters(b'{"chapters": [{"startTime": 62.5, "title": "Strides"}]}')
    (Chapter(at=62, title='Strides'),)
    """
    body = load_json(decoded(document), name)
    listed = body.get("chapters") if isinstance(body, dict) else None
    if not isinstance(listed, list):
        raise SourceError(f"{name} holds no chapters; expected the podcast namespace's JSON chapters")
    return chapters(
        (c.get("startTime"), c.get("title")) for c in listed if isinstance(c, dict) and c.get("toc") is not False
    )


class TimedDocuments:
    """A reader of kept transcripts and chapters. `documents`: by `copy_name` of their addresses."""

    def __init__(self, extractor: "Extractor", concepts: Iterable[Concept], documents: Mapping[str, bytes]) -> None:
        self.extractor = extractor
        self.concepts = tuple(concepts)
        self.documents = documents

    @cached_property
    def finder(self) -> "ExplanationFinder":
        """Return the finder, made for the first transcript that is not in the cache: most feeds have none."""
        from torchatlas.extract.transcripts.explanations import ExplanationFinder

        return ExplanationFinder(self.concepts)

    def explained(self, entry: Entry) -> tuple[Explained, ...]:
        """Return the concepts of the transcript, then those that only chapters name; a broken document has none.

        Example: `TimedDocuments(extractor, concepts, documents).explained(entry)`
        """
        found: dict[str, Explained] = {}
        transcript = best_transcript(entry.transcripts)
        if transcript and (document := self.documents.get(copy_name(transcript.url))):
            with suppress(SourceError):
                found = {e.concept_id: e for e in self._spoken(document, entry.episode.title)}
        for chapter in self._chapters(entry):
            for mention in self.extractor.mentions(chapter.title, "title"):
                by_name = Explained(mention.listed, "part", at=chapter.at, weight=_CHAPTER, quote=chapter.title)
                found.setdefault(mention.listed, by_name)
        return tuple(found.values())

    def _spoken(self, document: bytes, title: str) -> tuple[Explained, ...]:
        content = title, sha256(document).hexdigest()
        return self.extractor.cached(Explained, content, lambda: self.finder.explained(read_cues(document), title))

    def _chapters(self, entry: Entry) -> tuple[Chapter, ...]:
        """Return the chapters of the document, which players show, else those that the feed itself holds."""
        document = self.documents.get(copy_name(entry.chapters_url)) if entry.chapters_url else None
        try:
            return (read_chapters(document) if document else ()) or entry.chapters
        except SourceError:
            return entry.chapters
