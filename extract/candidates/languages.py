"""The everyday words of the language that a text is in."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from runpy import run_path

from spacy.lang.en.stop_words import STOP_WORDS as ENGLISH

from torchatlas.extract.english import words

_OTHERS = sorted(words("de fr es it nl pt sv da nb fi pl cs hu ro tr ru uk el"))
_PLAIN_ENGLISH = 0.35  # the share of its words that are everyday English in most English texts
_FEWEST = 3  # everyday words that are not English; a name may have two, "van der Merwe"


def everyday_words(said: Sequence[str]) -> frozenset[str]:
    """Return the everyday words of the language that most of these are of; none for English, which callers know.

    `said`: those of a text, in lower case.

    >>> "wir" in everyday_words("in dieser folge sprechen wir über das laden von daten".split())
    True
    >>> everyday_words("in this episode we talk about the loading of data".split())
    frozenset()
    """
    if sum(word in ENGLISH for word in said) >= _PLAIN_ENGLISH * len(said):
        return frozenset()
    told = frozenset(said)
    found = {language: _stop_words(language) & told for language in _OTHERS}
    language = max(found, key=lambda name: len(found[name] - ENGLISH))
    own, english = found[language] - ENGLISH, (ENGLISH & told) - found[language]
    return _stop_words(language) if len(own) >= max(_FEWEST, len(english) + 1) else frozenset()


@cache
def _stop_words(language: str) -> frozenset[str]:
    """Return the list that spaCy has, without the rest of the language, which takes long to load."""
    return frozenset(run_path(str(files("spacy") / f"lang/{language}/stop_words.py"))["STOP_WORDS"])
