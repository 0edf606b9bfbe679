"""Comparison of texts and titles that may be one: cut short, edited, decorated, or with a typo."""

import re
from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz.distance import OSA, Indel

from torchatlas.graph.values.names import folded_title, words

_FEWEST = 8  # words; a shorter text must be equal
_EQUAL = 0.9  # share of words in common, in their order
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.I)
_NUMBERED = re.compile(
    r"^(?:s(?:eason\s*)?(\d{1,4})[\s,]*)?(?:episode|ep|e|folge|part|no|#)?[\s.#]*(\d{1,4})\s*[:.)|–—-]\s+(?=\S)", re.I
)
_ELLIPSIS = re.compile(r"\s*(?:…|\.{3})\s*$")
_BEGINNING = 12  # letters that a title cut short must show
_LONG_WORD = 5  # letters that a word with a typo must have


def same_text(a: str, b: str) -> bool:
    """Return whether one text is the other, or its beginning, but for a few words. Addresses and marks do not count.

    >>> same_text("A short text.", "A short text: https://example.org")
    True
    """
    return _same(*sorted((_telling(a), _telling(b)), key=len))


def _same(short: Sequence[str], long: Sequence[str]) -> bool:
    if len(short) < _FEWEST:
        return bool(short) and tuple(short) == tuple(long)
    head = long[: len(short)]
    return short[:-1] == head[:-1] or Indel.normalized_similarity(short, head, score_cutoff=_EQUAL) >= _EQUAL


@lru_cache(maxsize=32_768)  # many feeds: each text without a title is compared with every known one
def _telling(text: str) -> tuple[str, ...]:
    return tuple(words(_ADDRESS.sub(" ", text)))


def bare_title(title: str, show: str = "") -> str:
    """Return a title for comparison, without the name of the show and a number before it, spaces and marks.

    >>> bare_title("Show - Episode 12: AOT Autograd!", "Show"), bare_title("S2E1 | Views")
    ('aotautograd', 'views')
    """
    return "".join(words(_NUMBERED.sub("", _without_show(title, show))))


def may_be_one(a: str, b: str, show: str = "") -> bool:
    """Return whether no season and number before two titles of a show say that they are of two episodes.

    >>> may_be_one("S2E1: Views", "S1E1: Views"), may_be_one("S2E1: Views", "Season 2, episode 1 - Views")
    (False, True)
    """
    found = (_NUMBERED.match(_without_show(title, show)) for title in (a, b))
    stated = {(int(number[1]), int(number[2])) for number in found if number and number[1]}
    return len(stated) < 2


def _without_show(title: str, show: str) -> str:
    rest = title.strip()
    if show and rest.casefold().startswith(show.casefold()):
        return re.sub(r"^\s*[-–—:|]\s+", "", rest[len(show) :]) or rest
    return rest


def is_cut(title: str, whole: str) -> bool:
    """Return whether a title ends in an ellipsis and is the beginning of another.

    >>> is_cut("How strides and views...", "How strides and views work")
    True
    """
    found = _ELLIPSIS.search(title)
    beginning = folded_title(title[: found.start()]) if found else ""
    return len(beginning) >= _BEGINNING and folded_title(whole).startswith(beginning)


def differ_by_typo(a: str, b: str) -> bool:
    """Return whether two titles differ in one long word by a typo; never where a number or a whole word differs.

    >>> differ_by_typo("Tensor subclasses", "Tensor subclases")
    True
    """
    ours, theirs = words(a), words(b)
    if len(ours) != len(theirs):
        return False
    pairs = [(x, y) for x, y in zip(ours, theirs, strict=True) if x != y]
    if len(pairs) != 1:
        return False
    x, y = pairs[0]
    return x[0] == y[0] and (x + y).isalpha() and min(len(x), len(y)) >= _LONG_WORD and OSA.distance(x, y) == 1
