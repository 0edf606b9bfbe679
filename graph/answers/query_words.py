"""The words of a question that say what it is about, and the words of texts that mean the same."""

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING

from torchatlas.graph.answers.everyday_words import EVERYDAY
from torchatlas.graph.values.names import STOP_WORDS, words

if TYPE_CHECKING:
    from snowballstemmer.english_stemmer import EnglishStemmer

_DENIAL = frozenset(("no", "not", "without"))
_ASKING = STOP_WORDS - _DENIAL | frozenset(
    words(
        "about actual actually after again all also always am another any anything basically because before beginner"
        " beginners both call called deal deep depth detail details don each even ever every everything exact exactly"
        " explain get gets give gives go goes going happening help here hood im inside internal internally internals"
        " just know learn let like ll made make makes making many may mean means might more most much must need needed"
        " needs never only other out over own please problem properly pytorch question re really s safely same say see"
        " show simply some someone something start started starting still teach tell thing things think though through"
        " too under understand understanding ve versus very vs want wants way ways well whats whether yet"
    )
)
"""Words of asking, which say nothing about the subject; words of denial do: "tensor without data"."""
COUNTED = 50
"""Telling words that count in a text; each is compared with all words of the index."""
_READ = 20 * COUNTED
_STEMMED = 4  # letters from which a word has a stem, and an inflection begins with the same three
_HEAD = 3
_EVERYDAY, _UNKNOWN = 0.6, 0.2  # of the weight of another word, where the index knows an everyday word or does not


def telling(text: str) -> tuple[str, ...]:
    """Return the words of a text that tell its subject, each once; none where it only asks, or denies.

    >>> telling("How does the dispatcher work internally?"), telling("PyTorch internals"), telling("no such thing")
    (('dispatcher',), (), ())
    """
    told = tuple(word for word in dict.fromkeys(words(text)) if word not in _ASKING)
    return () if _DENIAL.issuperset(told) else told


def telling_part(text: str) -> str:
    """Return a text up to the last telling word that counts, with single blanks: patterns take long over many of them.

    >>> telling_part("why " * 3 + " ".join(f"word{n}" for n in range(90)))[-13:], telling_part(" bf16  vs. fp16")
    ('word48 word49', 'bf16 vs. fp16')
    """
    text = " ".join(text.split())
    said = words(text)
    told: set[str] = set()
    for place, word in enumerate(said):
        if word not in _ASKING:
            told.add(word)
        if len(told) == COUNTED or place == _READ:
            return text if place == len(said) - 1 else " ".join(said[: place + 1])
    return text


def slips(length: int) -> int:
    """Return how many typing slips are forgiven in a name of so many letters: none in a short one.

    >>> slips(4), slips(9), slips(12)
    (0, 1, 2)
    """
    return (length > 5) + (length > 9)


class WordForms:
    """The words of an index, by what a person may type for them."""

    def __init__(self, known: Collection[str]) -> None:
        self._known = known

    @cached_property
    def _by_head(self) -> dict[str, list[str]]:
        heads: dict[str, list[str]] = {}
        for word in self._known:
            heads.setdefault(word[:_HEAD], []).append(word)
        return heads

    @cached_property
    def _stemmer(self) -> "EnglishStemmer":
        from snowballstemmer.english_stemmer import EnglishStemmer  # Porter's second algorithm for English

        return EnglishStemmer()

    def stem(self, word: str) -> str:
        """Return what a word shares with its inflections.

        >>> WordForms(()).stem("recompile") == WordForms(()).stem("recompilation")
        True
        """
        return str(self._stemmer.stemWord(word)) if len(word) >= _STEMMED else word

    @cached_property
    def _everyday(self) -> frozenset[str]:
        return frozenset(map(self.stem, EVERYDAY))

    def weight(self, word: str) -> float:
        """Return how much a word of a question counts beside the others, in [0, 1]: everyday words count less.

        >>> WordForms(["view"]).weight("fails") < WordForms(["view"]).weight("view")
        True
        """
        if any(map(str.isdigit, word)) and word not in self._known:
            return 0.0
        if self.stem(word) not in self._everyday:
            return 1.0
        return _EVERYDAY if self.of(word) else _UNKNOWN

    def of(self, word: str) -> tuple[str, ...]:
        """Return the known words that a word means: itself and its inflections, else those that are a slip away.

        >>> WordForms(["leaks", "leaking", "lead"]).of("leaked")
        ('leaks', 'leaking')
        >>> WordForms(["dispatcher"]).of("dispacher")
        ('dispatcher',)
        """
        stem = self.stem(word)
        inflected = [w for w in self._by_head.get(word[:_HEAD], ()) if w == word or self.stem(w) == stem]
        return tuple(inflected) or self._near(word)

    def _near(self, word: str) -> tuple[str, ...]:
        from rapidfuzz.distance import OSA

        allowed = slips(len(word)) if word.isalpha() else 0
        if not allowed:
            return ()
        near = ((OSA.distance(word, w, score_cutoff=allowed), w) for w in self._known if w.isalpha())
        found = sorted((distance, w) for distance, w in near if distance <= allowed)
        return tuple(w for distance, w in found if distance == found[0][0])
