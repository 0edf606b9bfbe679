"""The everyday words of the language that a text is in."""

from collections.abc import Sequence

from torchatlas.extract.english import words
from torchatlas.extract.stop_words import STOP_WORDS as ENGLISH
from torchatlas.extract.stop_words import stop_words

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
    found = {language: stop_words(language) & told for language in _OTHERS}
    language = max(found, key=lambda name: len(found[name] - ENGLISH))
    own, english = found[language] - ENGLISH, (ENGLISH & told) - found[language]
    return stop_words(language) if len(own) >= max(_FEWEST, len(english) + 1) else frozenset()
