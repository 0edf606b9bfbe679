"""Surroundings of a word that tell it from a term: it is a part of a longer name, a label, or who published a page."""

import re
from bisect import bisect_right
from typing import Literal

from torchatlas.extract.english import COMMON
from torchatlas.extract.stop_words import STOP_WORDS

Standing = Literal["alone", "beside", "unclear"]
"""Whether another word with a capital is beside a word; unclear in lines where most words have one."""
Apart = Literal["", "label", "source"]
"""A place that holds no term: a label before a colon, or the publisher of a page."""

_LINE = re.compile(r"[^\n]+")
_WORD = re.compile(r"[^\W\d_][\w'’]*")
_BEFORE = re.compile(r"(?<![\w./])([^\W\d_][\w.+'’-]*),?[^\S\n](?:of[^\S\n](?:the[^\S\n])?)?\Z")
_AFTER = re.compile(r"[^\S\n](?:(?:of|to)[^\S\n](?:the[^\S\n])?)?[^\W\d_a-z]")
_LIST = re.compile(r",\s[^\n]*,\s")
_OPENS = re.compile(r"(?:\A|[.!?:;…•*\"“(–—-]|\n)[\s\d.)@\[\]:\"“(–—-]*\Z")
_MARK = re.compile(r"[\s•*·\d:.()@\[\]–—-]*\Z")
_LABELLED = re.compile(r"(?:\s(?:s\d+\s?e\d+|#?\d{1,4})(?:\s?[–—-]|:)|:)(?=\s|\Z)", re.I)  # "Owls:", "Owls s1e2 – "
_SPEAKER = re.compile(r"[\[(<][^\])>\n]{0,60}[\])>]:?[^\S\n]*(?:\n|\Z)")  # "00:03:53 [Ada]", alone in a line
_SOURCE = re.compile(  # possessive, for time that grows with the length
    r"[^\S\n](?:\||[–—-])[^\S\n]+([A-Z0-9][^\s|]*+(?:[^\S\n][A-Z0-9][^\s|]*+){0,3})(?=[.\s]*\Z|[^\S\n]?—\s)"
)
_POSSESSOR = re.compile(r"([A-Z][\w-]+)(?:['’]s|s['’])\s\Z")
_TITLE_CASE = 0.8  # the share of the longer words of a heading that have capitals
_FEWEST = 3  # longer words that tell whether a line is a heading
_LONG = 4  # letters; shorter words are small in headings too
_OPENERS = STOP_WORDS | COMMON
_REACH = 60  # characters that are looked at before a word


class Surroundings:
    """The lines of a text.

    >>> around = Surroundings("Ada Finch brought the Zeph. Hosts: Ada\\nHow to build one | Zephyr News")
    >>> around.standing(0, 3), around.standing(22, 26), around.is_label(28, 33), around.is_source(58)
    ('beside', 'alone', False, True)
    """

    def __init__(self, text: str) -> None:
        self.text = text
        lines = list(_LINE.finditer(text))
        self._starts = [line.start() for line in lines]
        self._lines = [line.span() for line in lines]
        self._headings: dict[int, bool] = {}
        self._sources: dict[int, tuple[int, int]] = {}

    def standing(self, start: int, end: int) -> Standing:
        """Return whether the word at [start:end] has another one with a capital beside it."""
        if self.in_title_case(start):
            return "unclear"
        if _AFTER.match(self.text, end):
            return "beside"
        head = self.text[max(0, start - _REACH) : start]
        before = _BEFORE.search(head)
        if before is None or not before[1][0].isupper() or before[0].rstrip().endswith(","):
            return "alone"
        opens = _OPENS.search(head[: before.start()])
        return "alone" if opens and before[1].lower() in _OPENERS else "beside"

    def in_title_case(self, start: int) -> bool:
        """Return whether the line around a place is a heading in which the longer words have capitals."""
        place, (first, last) = self._line(start)
        if place not in self._headings:
            longer = [w[0] for w in _WORD.finditer(self.text, first, last) if len(w[0]) >= _LONG]
            capitals = sum(word[0].isupper() for word in longer)
            listed = _LIST.search(self.text, first, last)
            self._headings[place] = not listed and len(longer) >= _FEWEST and capitals >= _TITLE_CASE * len(longer)
        return self._headings[place]

    def apart(self, start: int, end: int) -> Apart:
        """Return as what [start:end] stands apart from the terms of the text, "" where it does not."""
        return "label" if self.is_label(start, end) else "source" if self.is_source(start) else ""

    def is_label(self, start: int, end: int) -> bool:
        """Return whether [start:end] labels what follows: "Audio editing: ...", "Owls s1e2: ...", "[Ada]"."""
        if not (_LABELLED.match(self.text, end) or (start and _SPEAKER.match(self.text, start - 1))):
            return False
        _, (first, _) = self._line(start)
        return start - first <= _REACH and _MARK.fullmatch(self.text, first, start) is not None

    def is_source(self, start: int) -> bool:
        """Return whether a place is where a line says who has published what it names: "How to hum | Owl News"."""
        place, (first, last) = self._line(start)
        if place not in self._sources:
            found = _SOURCE.search(self.text, first, last)
            named = found is not None and len(_WORD.findall(self.text, first, found.start())) >= _FEWEST
            self._sources[place] = found.span(1) if found and named else (last, last)
        begins, ends = self._sources[place]
        return begins <= start < ends

    def possessor(self, start: int) -> str:
        """Return whose the thing at `start` is: "Ada" of "Ada's garden", else ""."""
        if "s" not in self.text[max(0, start - 3) : start]:
            return ""
        found = _POSSESSOR.search(self.text, max(0, start - _REACH), start)
        return found[1] if found else ""

    def _line(self, start: int) -> tuple[int, tuple[int, int]]:
        place = bisect_right(self._starts, start) - 1
        return place, self._lines[place]
