"""A tokenizer that remembers the tokens of every word.

spaCy's own makes a document of each text, and keeps none of the words that follow a contraction such as "don't" in a
text: each is split anew.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from sys import intern

from torchatlas.extract.pieces import Piece, Tell, TextPieces, pieces_of
from torchatlas.extract.remembered import Remembered
from torchatlas.extract.spacy_pipeline import SpacyPipeline
from torchatlas.extract.tokens import Tokens, has_gaps, lowered

Split = Callable[[str], list[str]]
"""Gives the tokens of a text in lower case."""

_WORDS = re.compile(r"(\S+|\s+)( ?)")  # the one space behind a word is no token, other white space is
_MARKS = frozenset(".,?!")
_NUMBERED = re.compile(r"[A-Za-z]+[0-9]+")
_INITIAL = re.compile(r"(?<![A-Z])[A-Z]\Z")
_OWNER = re.compile(r"([A-Za-z]+[0-9]*)('s)")
_HYPHENATED = re.compile(r"([A-Za-z]+(?:-[A-Za-z]+)+(?<![A-Z])(?!\.))([.,?!]?)")
_HYPHEN = re.compile("(-)")


class RememberingTokenizer:
    """spaCy's tokenizer for English with a longer memory. The tokens are its own: those of each word.

    `tell`: gives what is remembered of a word besides its tokens. Only of smileys in a row (":) :") may spaCy make
    other tokens, since it looks beyond the white space there.
    Example: `RememberingTokenizer(SpacyPipeline())("don't").tokens.words == ["do", "n't"]`
    """

    def __init__(self, pipeline: SpacyPipeline, tell: Tell | None = None) -> None:
        self.pipeline = pipeline
        self.tell = tell
        self.rules = frozenset(pipeline.rules)
        self.words = Remembered(self._read)

    def __reduce__(self) -> "tuple[type[RememberingTokenizer], tuple[SpacyPipeline, Tell | None]]":
        """Pickle what it is made of: what is remembered is no part of the value."""
        return RememberingTokenizer, (self.pipeline, self.tell)

    def __call__(self, text: str) -> TextPieces:
        """Return the pieces of a text.

        Example: `tokenizer("Don't").tokens.ends == [2, 5]`
        """
        written = pieces_of(text)
        return TextPieces(text, written, list(map(self.words.__getitem__, written)), self._tokens)

    def split(self, text: str) -> list[str]:
        """Return the tokens of a text in lower case alone.

        Example: `tokenizer.split("Don't") == ["do", "n't"]`
        """
        words = [word for word, _ in _WORDS.findall(text)] if has_gaps(text) else text.split(" ")
        return list(chain.from_iterable([self.words[word].tokens for word in words]))

    def _tokens(self, read: TextPieces) -> Tokens:
        """Return the tokens of a text; where there may be white space among them, by words instead of pieces."""
        if has_gaps(read.text):
            spaced = _WORDS.findall(read.text)
            known: Sequence[Piece] = [self.words[word] for word, _ in spaced]
            begins: Iterable[int] = accumulate([len(word) + len(space) for word, space in spaced], initial=0)
        else:
            known, begins = read.known, read.starts
        starts = [begin + start for begin, word in zip(begins, known, strict=False) for start in word.starts]
        return Tokens(read.text, list(chain.from_iterable([word.tokens for word in known])), starts)

    def _read(self, word: str) -> Piece:
        """Return all that is known of a word."""
        parts = self._split(word)
        # One copy of each token and of each row of places: the less there is in memory, the sooner it is read.
        tokens, starts = tuple([intern(lowered(part)) for part in parts]), _starts(tuple(map(len, parts)))
        return self.tell(word, tokens, starts) if self.tell else Piece(tokens, starts)

    def _split(self, word: str) -> Sequence[str]:
        """Return the tokens of a word. To split a plain one here takes a tenth of the time or less."""
        letters, mark = (word[:-1], word[-1]) if word[-1:] in _MARKS else (word, "")
        if word in self.rules:
            return self.pipeline.parts(word)
        if letters in self.rules:
            contraction = mark != "." and letters.isascii() and letters.replace("'", "").isalpha()
            return [*self.pipeline.parts(letters), mark] if contraction else self.pipeline.parts(word)
        if letters.isalnum() and letters.isascii():
            plain = letters.isalpha() or letters.isdigit() or _NUMBERED.fullmatch(letters)
            if plain and not (mark == "." and _INITIAL.search(letters)):
                return (letters, mark) if mark else (letters,)
        elif (owner := _OWNER.fullmatch(letters)) and owner[1] not in self.rules:
            return [owner[1], owner[2], mark] if mark else [owner[1], owner[2]]
        elif hyphenated := _HYPHENATED.fullmatch(word):
            parts = _HYPHEN.split(hyphenated[1])
            return [*parts, mark] if mark else parts
        return self.pipeline.parts(word)


@lru_cache(10_000)
def _starts(lengths: tuple[int, ...]) -> tuple[int, ...]:
    """Return where tokens of these lengths begin in their word, as one tuple for all such words."""
    return tuple(accumulate(lengths[:-1], initial=0)) if lengths else ()
