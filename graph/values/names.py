"""Comparison of names: when two are the same, and which known name was perhaps meant.

`fold` forgives what people vary when they type, `spelling` what varies in curated files, `folded_title` how two sources
print one title.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import chain

_WORD = re.compile(r"[^\W_]+(?:\+\+)?")
_SERIES = 5  # titles, and times as many as there are texts
_BETWEEN = "\0"  # no part of a word, and nothing to which normal forms join a letter
_LIKELY = 0.6  # share of equal letters from which a name is worth suggesting


def words(text: str) -> list[str]:
    """Return the words of a text in lower case; "C++" is a word.

    >>> words("C++ and torch_function")
    ['c++', 'and', 'torch', 'function']
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def words_of_each(texts: Sequence[str]) -> list[list[str]]:
    """Return the `words` of each text; of many texts in a third of the time.

    >>> words_of_each(["C++", "", "torch_function"])
    [['c++'], [], ['torch', 'function']]
    """
    parts = unicodedata.normalize("NFKC", _BETWEEN.join(texts)).casefold().split(_BETWEEN)
    if len(parts) != max(len(texts), 1):  # a text holds the mark
        return [words(text) for text in texts]
    return [_WORD.findall(part) if part else [] for part in parts[: len(texts)]]


STOP_WORDS = frozenset(
    words(
        "a an and are as at be been between but by can could did difference do does doing for from had happen"
        " happens has have how i if in into is it its me my no not of off on one or our should so such than that"
        " the their them then there these they this to up use used using was we were what when where which while"
        " who whose why will with without work works would you your"
    )
)
"""Words that say nothing about the subject of a question or a text."""


def without_s(word: str) -> str:
    """Return a word without the plural's s; short words and those in -ss keep theirs.

    Fit for comparisons only, where both sides lose the same letter; `english.singular` knows the grammar.

    >>> without_s("keys"), without_s("class")
    ('key', 'class')
    """
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def telling_words(text: str) -> list[str]:
    """Return the words of a text that are no stop words, without the plural's s.

    >>> telling_words("This class does hold the keys")
    ['class', 'hold', 'key']
    """
    return [without_s(word) for word in words(text) if word not in STOP_WORDS]


def is_series(titles: int, texts: int) -> bool:
    """Return whether what so many titles and texts of episodes name is a series, such as a show's initials: only
    titles do, and more than a few.

    >>> is_series(titles=40, texts=1), is_series(titles=5, texts=5), is_series(titles=2, texts=0)
    (True, False, False)
    """
    return titles >= _SERIES and titles > texts * _SERIES


def fold(text: str) -> str:
    """Return a name without what people vary: case, hyphens, underscores, dots, spaces and the plural's s.

    Fit for what a person types, and for names in other people's wording.

    >>> fold("Torch.Dispatch-Keys") == fold("torch dispatch_key")
    True
    """
    return "".join(map(without_s, words(text)))


def fold_each(texts: Sequence[str]) -> list[str]:
    """Return what `fold` leaves of each text; of many texts in half the time.

    >>> fold_each(["Dispatch Keys", ""])
    ['dispatchkey', '']
    """
    found = words_of_each(texts)
    short = {word: without_s(word) for word in set(chain.from_iterable(found))}
    return ["".join([short[word] for word in said]) for said in found]


def spelling(name: str) -> str:
    """Return a name without case and without the difference between space, hyphen and underscore.

    Fit for curated names, where `torch.nn` and `torch::nn` are two.

    >>> spelling("Dispatch_Key")
    'dispatch key'
    >>> spelling("torch.nn") == spelling("torch::nn")
    False
    """
    return re.sub(r"[\s_-]+", " ", name.casefold()).strip()


def folded_title(title: str) -> str:
    """Return the words of a title, or of a show's name, without case and marks.

    `C++` and `C` stay apart, and so do `Stride` and `Strides`. A title without a letter or digit keeps its marks.

    >>> folded_title("Zero-one specialization!"), folded_title("?!")
    ('zero one specialization', '?!')
    """
    return " ".join(words(title) or title.split())


def suggest(name: str, known: Iterable[str], limit: int | None = 3) -> list[str]:
    """Return the known names that are most like a name, best first, ties by name; `limit` None means all of them.

    >>> suggest("dispacher", ["dispatcher", "dispatch key", "strides"])
    ['dispatcher', 'dispatch key']
    """
    from rapidfuzz import process

    if not fold(name):
        return []
    found = process.extract(
        name, sorted(set(known)), processor=fold, scorer=_likeness, score_cutoff=_LIKELY, limit=limit
    )
    return [choice for choice, _, _ in found]


def did_you_mean(name: str, known: Iterable[str], limit: int = 2) -> str:
    """Return a hint with the other known names that are most like a name, for the end of an error message.

    >>> did_you_mean("nummer", ["number", "title"])
    '; did you mean number?'
    """
    return hint(suggest(name, {*known} - {name}, limit))


def hint(names: Sequence[str]) -> str:
    """Return "; did you mean A or B?", or "" where there are no names.

    >>> hint(["strides", "views"])
    '; did you mean strides or views?'
    """
    return f"; did you mean {' or '.join(names)}?" if names else ""


def _likeness(a: str, b: str, score_cutoff: float | None = None) -> float:
    """Return the share of equal letters of two folded names, in [0, 1]; more where one of them holds the other."""
    from rapidfuzz.distance import OSA

    short, long = sorted((a, b), key=len)
    within = 0.5 + 0.5 * len(short) / len(long) if len(short) > 3 and short in long else 0.0
    return max(within, OSA.normalized_similarity(a, b, score_cutoff=score_cutoff))
