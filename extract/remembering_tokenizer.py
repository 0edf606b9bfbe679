"""A tokenizer that remembers the tokens of every word.

spaCy's own makes a document of each text, and keeps none of the words that follow a contraction such as "don't" in a
text: each is split anew.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import accumulate, chain
from operator import itemgetter
from sys import intern

from torchatlas.extract.remembered import Remembered
from torchatlas.extract.spacy_pipeline import SpacyPipeline
from torchatlas.extract.tokens import Tokens, has_gaps, lowered, pieces_of

Split = Callable[[str], list[str]]
"""Gives the tokens of a text in lower case."""

_WORDS = re.compile(r"(\S+|\s+)( ?)")  # the one space behind a word is no token, other white space is
_PLAIN = re.compile(r"([0-9]+|[A-Za-z]+(?<![A-Z])|[A-Za-z]+(?:-[A-Za-z]+)+(?<![A-Z])(?!\.))([.,?!]?)")
"""Words that English splits at hyphens and before the mark only, and numbers: split here in a tenth of the time."""
_HYPHEN = re.compile("(-)")


_Word = tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]
"""The tokens of a word, how far it is from each to the next over the space behind the word, and over none.

A plain tuple: one with names is slower to read, and the collector of garbage looks at it again and again.
"""


class RememberingTokenizer:
    """spaCy's tokenizer for English with a longer memory. The tokens are its own: those of each word.

    Only of smileys in a row (":) :") may spaCy make other tokens, since it looks beyond the white space there.
    Example: `RememberingTokenizer(SpacyPipeline())("don't").words == ["do", "n't"]`
    """

    def __init__(self, pipeline: SpacyPipeline) -> None:
        self.pipeline = pipeline
        self.rules = frozenset(pipeline.rules)
        self.words = Remembered(self._split)

    def __reduce__(self) -> "tuple[type[RememberingTokenizer], tuple[SpacyPipeline]]":
        """Pickle the pipeline alone: what is remembered is no part of the value."""
        return RememberingTokenizer, (self.pipeline,)

    def __call__(self, text: str) -> Tokens:
        """Return the tokens of a text.

        Example: `tokenizer("Don't").ends == [2, 5]`
        """
        gaps = has_gaps(text)
        if gaps:
            pieces = pieces_of(text)
            spaced = _WORDS.findall(text)
            known = [self.words[word] for word, _ in spaced]
            steps: Iterable[tuple[int, ...]] = [
                split[1] if space else split[2] for (_, space), split in zip(spaced, known, strict=True)
            ]
        else:
            pieces = text.split(" ")
            known = list(map(self.words.__getitem__, pieces))
            steps = map(_STEPS, known)
        starts = list(accumulate(chain.from_iterable(steps), initial=0))
        starts.pop()
        return Tokens(text, list(chain.from_iterable(map(_TOKENS, known))), starts, pieces, gaps)

    def split(self, text: str) -> list[str]:
        """Return the tokens of a text in lower case alone.

        Example: `tokenizer.split("Don't") == ["do", "n't"]`
        """
        words = [word for word, _ in _WORDS.findall(text)] if has_gaps(text) else text.split(" ")
        return list(chain.from_iterable([self.words[word][0] for word in words]))

    def _split(self, word: str) -> _Word:
        plain = _PLAIN.fullmatch(word)
        if plain and word not in self.rules and plain[1] not in self.rules:
            parts = [part for part in (*_HYPHEN.split(plain[1]), plain[2]) if part]
        else:
            parts = self.pipeline.parts(word)
        # One copy of each token and of each row of lengths: the less there is in memory, the sooner it is read.
        return tuple([intern(lowered(part)) for part in parts]), *_steps(tuple(map(len, parts)))


_TOKENS, _STEPS = itemgetter(0), itemgetter(1)


@lru_cache(10_000)
def _steps(lengths: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the lengths with the space behind the last token, and without it, as one tuple for all such words."""
    return (*lengths[:-1], *(n + 1 for n in lengths[-1:])), lengths
