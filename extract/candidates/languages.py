"""The everyday words of the language that a text is in."""

import re
from collections.abc import Collection, Sequence
from functools import cache

from torchatlas.extract.english import words
from torchatlas.extract.german import EVERYDAY
from torchatlas.extract.stop_words import STOP_WORDS as ENGLISH
from torchatlas.extract.stop_words import stop_words

_OTHERS = sorted(words("de fr es it nl pt sv da nb fi pl cs hu ro tr ru uk el"))
_PLAIN_ENGLISH = 0.35  # the share of its words that are everyday English in most English texts
_ARTICLE = re.compile(
    r"\b(?:d(?:er|ie|as|em|en|es)|(?:ein|kein|mein|dein|sein|ihr|unser)(?:e[mnrs]?)?|dies(?:e[mnrs]?)|jede[mnrs]?|viele[nr]?"
    r"|einige[nr]?|zum|zur|vom|beim|im|am|ins)\s(?:[a-zäöüß-]+(?:e[mnrs]?)\s)?\Z",
    re.I,
)
_REACH = 40  # characters that an article and an adjective take
_FEWEST = 3  # everyday words that are not English; a name may have two, "van der Merwe"


def is_german(everyday: Collection[str]) -> bool:
    """Return whether the everyday words of a text are German ones.

    >>> is_german(stop_words("de")), is_german(stop_words("nl"))
    (True, False)
    """
    return "und" in everyday and "nicht" in everyday


def is_german_noun(text: str, start: int) -> bool:
    """Return whether an article stands before a word, so that its capital tells no name.

    >>> is_german_noun("Wir bauen eine Brücke", 15), is_german_noun("Wir bauen mit Kotlin", 14)
    (True, False)
    """
    return _ARTICLE.search(text, max(0, start - _REACH), start) is not None


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
    found = {language: stop_words(language) & told for language in _OTHERS}
    language = max(found, key=lambda name: len(found[name] - ENGLISH))
    own, english = found[language] - ENGLISH, (ENGLISH & told) - found[language]
    return _everyday(language) if len(own) >= max(_FEWEST, len(english) + 1) else frozenset()


@cache
def _everyday(language: str) -> frozenset[str]:
    return stop_words(language) | (EVERYDAY if language == "de" else frozenset())
