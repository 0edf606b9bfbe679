"""Transcripts and chapters of the podcast namespace, and Podlove's simple chapters.

https://github.com/Podcastindex-org/podcast-namespace, https://podlove.org/simple-chapters
"""

import json
import math
import re
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import Any

from torchatlas.extract.feeds.decoding import decoded
from torchatlas.extract.text import readable
from torchatlas.extract.times import clock_seconds
from torchatlas.graph.values.errors import SourceError

_MOST = 1_000
_LONGEST = 300
_TIMED = ("vtt", "srt", "subrip", "json")


@dataclass(frozen=True, slots=True, order=True)
class Transcript:
    """Where a transcript lies, with its media type and language as the feed states them."""

    url: str
    type: str = ""
    _: KW_ONLY
    language: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Chapter:
    """From second `at` on the audio is about `title`."""

    at: int
    title: str


def best_transcript(offered: Iterable[Transcript]) -> Transcript | None:
    """The one to read: with times, in English where there is a choice, in the order of the formats' precision."""
    timed = [(t, kind) for t in offered if (kind := _kind(t)) < len(_TIMED)]
    return min(timed, key=lambda found: (not _is_english(found[0]), found[1], found[0]))[0] if timed else None


def read_chapters(document: bytes, name: str = "the chapters") -> tuple[Chapter, ...]:
    """The chapters of a JSON chapters document, in the order of their time. Raises SourceError, naming `name`."""
    try:
        body = json.loads(decoded(document))
    except (ValueError, RecursionError) as e:
        raise SourceError(f"{name} is not JSON that can be read ({type(e).__name__})") from None
    listed = body.get("chapters") if isinstance(body, dict) else None
    if not isinstance(listed, list):
        raise SourceError(f"{name} holds no chapters; expected the podcast namespace's JSON chapters")
    return chapters(
        (c.get("startTime"), c.get("title")) for c in listed if isinstance(c, dict) and c.get("toc") is not False
    )


def chapters(found: Iterable[tuple[Any, Any]]) -> tuple[Chapter, ...]:
    """(start, title) pairs as chapters; a start is a number of seconds or a clock (1:02:03.5), others are left out."""
    kept = []
    for start, title in found:
        second = _second(start)
        words = " ".join(readable(title[: 2 * _LONGEST]).split())[:_LONGEST] if isinstance(title, str) else ""
        if second is not None and words:
            kept.append(Chapter(second, words))
    return tuple(sorted(kept)[:_MOST])


def _second(start: Any) -> int | None:
    if isinstance(start, str):
        start = clock_seconds(start)
    if isinstance(start, bool) or not isinstance(start, int | float) or not 0 <= start < 100 * 3600:
        return None
    return math.floor(start)


def _kind(transcript: Transcript) -> int:
    """Its place in `_TIMED`, by its type, else by the ending of its address; beyond the end where it has no times."""
    ending = re.split(r"[?#]", transcript.url, maxsplit=1)[0].rsplit(".", 1)[-1].lower()
    stated = transcript.type.lower()
    known = [place for place, word in enumerate(_TIMED) if word in stated] or [
        place for place, word in enumerate(_TIMED) if word == ending and not stated.startswith("text/html")
    ]
    return known[0] if known else len(_TIMED)


def _is_english(transcript: Transcript) -> bool:
    return transcript.language.lower()[:2] in ("", "en")
