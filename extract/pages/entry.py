"""Entries of saved pages, and helpers of the readers of all shapes."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import Literal

from torchatlas.extract.pages.saved import PageLine

Shape = Literal["episode page", "best-of page", "numbered listing", "blog index"]

CLOCK = re.compile(r"(?:\d{1,2}:)?\d{1,3}:\d\d")
_SHORT = 40  # characters: buttons and headings are shorter, sentences longer
_OFTEN = 3
_ENDS = tuple(".?!:)…。？！؟")
_CUT = re.compile(r"\s*(?:\.{3}|…)[\s\[\]()»→]*(?:(?:show|read|see|load)\s+more|continue reading)?[\s.…\]»→]*$", re.I)


@dataclass(frozen=True, slots=True)
class PageEntry:
    """An episode or a post as a page shows it. A fact that the page does not state is None.

    `text` is plain, with printed addresses; where the page cuts a text, only the part on the page.
    """

    text: str
    title: str | None = None
    _: KW_ONLY
    show: str = ""
    published: str | None = None
    minutes: int | None = None
    url: str | None = None
    kind: Literal["episode", "post"] = "episode"


def is_prose(text: str) -> bool:
    """Return whether a line is a sentence or a part of one, not a button or a heading.

    >>> is_prose("Why is it fast?"), is_prose("Play later")
    (True, False)
    """
    return len(text) >= _SHORT or text.endswith(_ENDS) or "://" in text


def entry_text(lines: Iterable[PageLine]) -> str:
    """Return lines as one text, without the mark of a cut and the words of the button that shows the rest.

    >>> entry_text([PageLine("", "Why views share"), PageLine("", "storage ... Show more")])
    'Why views share\\nstorage'
    """
    return _CUT.sub("", "\n".join(line.full for line in lines).strip())


def repeated(lines: Iterable[PageLine]) -> frozenset[str]:
    """Return the short texts that a page repeats at least three times, digits aside: its buttons.

    >>> repeated([PageLine("Like 14:20"), PageLine("Like 9:30"), PageLine("Like")])
    frozenset({'like'})
    """
    counts = Counter(undigited(line.text) for line in lines if line.text and not is_prose(line.text))
    return frozenset(text for text, count in counts.items() if count >= _OFTEN)


def undigited(text: str) -> str:
    """Return the text of a button for comparison: in lower case, without a length.

    >>> undigited("Like 14:20")
    'like'
    """
    return re.sub(r"[\d:]+", "", text).strip().casefold()
