"""What a saved page says of an episode or a post, and what the readers of all shapes share."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import Literal

from torchatlas.extract.pages.saved import Line

Shape = Literal["episode page", "best-of page", "numbered listing", "blog index"]

CLOCK = re.compile(r"(?:\d{1,2}:)?\d{1,3}:\d\d")
_SHORT = 40  # characters: buttons and headings are shorter, sentences longer
_OFTEN = 3
_ENDS = tuple(".?!:)…。？！؟")
_CUT = re.compile(r"\s*(?:\.{3}|…)[\s\[\]()»→]*(?:(?:show|read|see|load)\s+more|continue reading)?[\s.…\]»→]*$", re.I)


@dataclass(frozen=True, slots=True)
class PageEntry:
    """An episode or a post as a page shows it. `title` and whatever else the page does not say is None.

    `text` is plain, with addresses as they are printed; of a text that the page cuts, the part that is there.
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
    """Whether a line is a sentence or a part of one, not a button or a heading."""
    return len(text) >= _SHORT or text.endswith(_ENDS) or "://" in text


def joined(lines: Iterable[Line]) -> str:
    """Lines as one text, without the mark of a cut and the words of the button that shows the rest."""
    return _CUT.sub("", "\n".join(line.full for line in lines).strip())


def repeated(lines: Iterable[Line]) -> frozenset[str]:
    """Short texts that stand in a page again and again but for their digits: its buttons."""
    counts = Counter(undigited(line.text) for line in lines if line.text and not is_prose(line.text))
    return frozenset(text for text, count in counts.items() if count >= _OFTEN)


def undigited(text: str) -> str:
    """A text as buttons are compared: without the length that some of them bear, in lower case."""
    return re.sub(r"[\d:]+", "", text).strip().casefold()
