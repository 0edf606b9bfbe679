"""Transcripts and chapters of the podcast namespace, and Podlove's simple chapters.

https://github.com/Podcastindex-org/podcast-namespace, https://podlove.org/simple-chapters
"""

import math
import re
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from operator import attrgetter
from typing import Any

from torchatlas.extract.feeds.decoding import decoded
from torchatlas.extract.times import clock_seconds
from torchatlas.extract.untyped import load_json, number
from torchatlas.graph.values.characters import visible
from torchatlas.graph.values.errors import SourceError

_MOST = 1_000
_LONGEST = 300
_TIMED = ("vtt", "srt", "subrip", "json")


@dataclass(frozen=True, slots=True, order=True)
class Transcript:
    """The address of a transcript, with its media type and language as the feed states them."""

    url: str
    type: str = ""
    _: KW_ONLY
    language: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Chapter:
    """A part of the audio that begins at second `at`."""

    at: int
    title: str


def best_transcript(offered: Iterable[Transcript]) -> Transcript | None:
    """Return the transcript to read: with times, in English if there is a choice, the most precise format first.

    >>> best_transcript([Transcript("https://example.org/1.srt"), Transcript("https://example.org/1.vtt")]).url
    'https://example.org/1.vtt'
    """
    timed = [(t, kind) for t in offered if (kind := _kind(t)) < len(_TIMED)]
    return min(timed, key=lambda found: (not _is_english(found[0]), found[1], found[0]))[0] if timed else None


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


def chapters(found: Iterable[tuple[Any, Any]]) -> tuple[Chapter, ...]:
    """Return (start, title) pairs as chapters by their start, those of one second in the order given.

    A start is a number of seconds or a clock; others are left out.

    >>> chapters([("1:02:03.5", "Strides"), ("soon", "Views")])
    (Chapter(at=3723, title='Strides'),)
    """
    kept = []
    for start, title in found:
        second = _second(start)
        words = " ".join(visible(title[: 2 * _LONGEST]).split())[:_LONGEST] if isinstance(title, str) else ""
        if second is not None and words:
            kept.append(Chapter(second, words))
    return tuple(sorted(kept, key=attrgetter("at"))[:_MOST])


def _second(start: Any) -> int | None:
    second = number(clock_seconds(start) if isinstance(start, str) else start)
    return math.floor(second) if second is not None and 0 <= second < 100 * 3600 else None


def _kind(transcript: Transcript) -> int:
    """Return the place in `_TIMED` of its type, else of its address's ending; the length of `_TIMED` without times."""
    ending = re.split(r"[?#]", transcript.url, maxsplit=1)[0].rsplit(".", 1)[-1].lower()
    stated = transcript.type.lower()
    known = [place for place, word in enumerate(_TIMED) if word in stated] or [
        place for place, word in enumerate(_TIMED) if word == ending and not stated.startswith("text/html")
    ]
    return known[0] if known else len(_TIMED)


def _is_english(transcript: Transcript) -> bool:
    return transcript.language.lower()[:2] in ("", "en")
