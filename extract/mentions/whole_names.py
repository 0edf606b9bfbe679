"""Whole names: the words that hyphens or capitals join to a known name, "Dask-SQL", "a Memory Buffer Object"."""

import re

from torchatlas.extract.english import COMMON, QUALIFIERS, VAGUE, words
from torchatlas.extract.mentions.boundaries import goes_on
from torchatlas.extract.stop_words import STOP_WORDS

HYPHENATED = re.compile(r"(?<![\w/.@-])[A-Z][A-Za-z0-9]*(?:-[A-Z][A-Za-z0-9]*)+(?![\w@]|[-/.]\w)")
CAPITALS = re.compile(r"(?<![\w/.@-])[A-Z][a-z]+(?: [A-Z][A-Za-z]+)+(?![\w@]|[-/.]\w)")
_PARTS = re.compile(r"[A-Za-z0-9]+")
_MOST_WORDS = 4
_NO_PART = STOP_WORDS | VAGUE | COMMON | QUALIFIERS
_NO_PART |= words("aware based class compatible driven enabled like native only powered style")
_NEAR = 40  # letters; who writes longer ones writes no names


def among(joined: re.Pattern[str], text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return where the name of a few words stands that has text[start:end] among them, None where none does.

    `joined`: HYPHENATED or CAPITALS. In a heading all words have capitals, so spaces part a name only in a sentence.

    >>> among(HYPHENATED, "with Dask-SQL", 5, 9), among(CAPITALS, "The Fusion Planner", 4, 10)
    ((5, 13), None)
    """
    first, last = max(0, start - _NEAR), end + _NEAR
    run = next((m for m in joined.finditer(text, first, last) if m.start() <= start and end <= m.end()), None)
    if not run or run.span() == (start, end):
        return None
    if (run.start() == first and first) or last - 1 <= run.end() < len(text):  # it goes on beyond what is looked at
        return None
    others = _PARTS.findall(text[run.start() : start]) + _PARTS.findall(text[end : run.end()])
    if len(others) >= _MOST_WORDS or any(word.lower() in _NO_PART or word.endswith("ed") for word in others):
        return None
    return run.span() if joined is HYPHENATED or goes_on(text, run.start()) else None
