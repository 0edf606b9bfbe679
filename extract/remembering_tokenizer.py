"""A tokenizer that remembers the tokens of every word.

spaCy's own makes a document of each text, and keeps none of the words that follow a contraction such as "don't" in a
text: each is split anew.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from operator import itemgetter
from sys import intern

from torchatlas.extract.mentions.word_shapes import NO_WORD, Shape
from torchatlas.extract.phrase_matcher import Branch
from torchatlas.extract.remembered import Remembered
from torchatlas.extract.spacy_pipeline import SpacyPipeline
from torchatlas.extract.tokens import Tokens, has_gaps, lowered, pieces_of

Split = Callable[[str], list[str]]
"""Gives the tokens of a text in lower case."""

_WORDS = re.compile(r"(\S+|\s+)( ?)")  # the one space behind a word is no token, other white space is
_MARKS = frozenset(".,?!")
_HYPHENATED = re.compile(r"([A-Za-z]+(?:-[A-Za-z]+)+(?<![A-Z])(?!\.))([.,?!]?)")
_HYPHEN = re.compile("(-)")

Told = tuple[Shape, Sequence[Branch | None]]
"""The shape of a word, and the beginning of the names that each of its tokens may begin."""
Tell = Callable[[str, Sequence[str]], Told]
"""Gives this for a word and its tokens."""
_Word = tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...], Shape, Sequence[Branch | None]]
"""The tokens of a word, how far it is from each to the next over the space behind the word, and over none; see `Told`.

A plain tuple: one with names is slower to read.
"""


class RememberingTokenizer:
    """spaCy's tokenizer for English with a longer memory. The tokens are its own: those of each word.

    `tell`: gives what else is remembered of each word. Only of smileys in a row (":) :") may spaCy make other tokens,
    since it looks beyond the white space there.
    Example: `RememberingTokenizer(SpacyPipeline())("don't").words == ["do", "n't"]`
    """

    def __init__(self, pipeline: SpacyPipeline, tell: Tell | None = None) -> None:
        self.pipeline = pipeline
        self.tell = tell
        self.rules = frozenset(pipeline.rules)
        self.words = Remembered(self._read)

    def __reduce__(self) -> "tuple[type[RememberingTokenizer], tuple[SpacyPipeline, Tell | None]]":
        """Pickle what it is made of: what is remembered is no part of the value."""
        return RememberingTokenizer, (self.pipeline, self.tell)

    def __call__(self, text: str) -> Tokens:
        """Return the tokens of a text.

        Example: `tokenizer("Don't").ends == [2, 5]`
        """
        gaps = has_gaps(text)
        pieces = pieces_of(text) if gaps else text.split(" ")
        known = list(map(self.words.__getitem__, pieces))
        shapes = list(map(_SHAPE, known)) if self.tell else ()
        if gaps:
            spaced = _WORDS.findall(text)
            known = [self.words[word] for word, _ in spaced]
            steps: Iterable[tuple[int, ...]] = [
                split[1] if space else split[2] for (_, space), split in zip(spaced, known, strict=True)
            ]
        else:
            steps = map(_STEPS, known)
        starts = list(accumulate(chain.from_iterable(steps), initial=0))
        starts.pop()
        words = list(chain.from_iterable(map(_TOKENS, known)))
        branches = list(chain.from_iterable(map(_BRANCHES, known)))
        return Tokens(text, words, starts, pieces, gaps, shapes=shapes, branches=branches)

    def split(self, text: str) -> list[str]:
        """Return the tokens of a text in lower case alone.

        Example: `tokenizer.split("Don't") == ["do", "n't"]`
        """
        words = [word for word, _ in _WORDS.findall(text)] if has_gaps(text) else text.split(" ")
        return list(chain.from_iterable([self.words[word][0] for word in words]))

    def _read(self, word: str) -> _Word:
        """Return all that is known of a word."""
        parts = self._split(word)
        # One copy of each token and of each row of lengths: the less there is in memory, the sooner it is read.
        tokens, steps = tuple([intern(lowered(part)) for part in parts]), _steps(tuple(map(len, parts)))
        return tokens, *steps, *(self.tell(word, tokens) if self.tell else (NO_WORD, ()))

    def _split(self, word: str) -> Sequence[str]:
        """Return the tokens of a word. To split at hyphens and before a mark alone takes a tenth of the time."""
        letters, mark = (word[:-1], word[-1]) if word[-1:] in _MARKS else (word, "")
        if word in self.rules or letters in self.rules:
            return self.pipeline.parts(word)
        if letters.isascii() and letters.isdigit():
            return (letters, mark) if mark else (letters,)
        if letters.isalpha() and letters.isascii() and not (mark == "." and letters[-1].isupper()):
            return (letters, mark) if mark else (letters,)
        if not (hyphenated := _HYPHENATED.fullmatch(word)):
            return self.pipeline.parts(word)
        parts = _HYPHEN.split(hyphenated[1])
        return [*parts, mark] if mark else parts


_TOKENS, _STEPS, _SHAPE, _BRANCHES = (itemgetter(i) for i in (0, 1, 3, 4))


@lru_cache(10_000)
def _steps(lengths: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the lengths with the space behind the last token, and without it, as one tuple for all such words."""
    return (*lengths[:-1], *(n + 1 for n in lengths[-1:])), lengths
