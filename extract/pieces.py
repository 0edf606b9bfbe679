"""Pieces: what single spaces and ends of lines part in a text. Each is a word with its marks, and is looked up once."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from torchatlas.extract.mentions.word_shapes import NO_WORD, Shape, Signal
from torchatlas.extract.phrase_matcher import Branch
from torchatlas.extract.tokens import Tokens

if TYPE_CHECKING:
    from spacy.tokens import Doc

Beginning = tuple[int, Branch, str | None]
"""The place of a token in its piece, the names that it may begin, and the token behind it, None for the last one."""


@dataclass(slots=True, eq=False)
class Piece:
    """What is known of a piece wherever it stands.

    `tokens`: see `tokens.lowered`; `starts`: where each begins in the piece. `shape`: what the word can be, in short
    `letter`. `signals`: see `Signals`. `names`: the tokens that may begin names; `first`: the one that a name may go on
    with, "" where the piece begins with what counts for nothing in a name.
    """

    tokens: tuple[str, ...]
    starts: tuple[int, ...]
    shape: Shape = NO_WORD
    signals: Sequence[Signal] = ()
    names: Sequence[Beginning] = ()
    first: str = ""
    letter: str = field(init=False)

    def __post_init__(self) -> None:
        self.letter = self.shape.letter


Tell = Callable[[str, tuple[str, ...], tuple[int, ...]], Piece]
"""Gives what is known of a piece: as written, its tokens, and where each begins in it."""


class TextPieces:
    """A text in pieces. Its tokens are listed where somebody asks for them: to find mentions, few texts need that.

    `written`: the pieces; `starts`: where each begins, and one behind the last would; `known`: what is known of each.
    `tokenize`: gives the tokens of the text.
    """

    def __init__(
        self, text: str, written: Sequence[str], known: Sequence[Piece], tokenize: Callable[["TextPieces"], Tokens]
    ) -> None:
        self.text = text
        self.written = written
        self.starts = starts_of(written)
        self.known = known
        self.tokenize = tokenize

    @classmethod
    def of(cls, doc: "Doc", tell: Tell) -> "TextPieces":
        """Return the pieces of a document of spaCy, each with those of its tokens that begin in it.

        Example: `TextPieces.of(nlp.make_doc("Dynamo works"), finder.tell).written == ["Dynamo", "works"]`
        """
        tokens, known = Tokens.of(doc), []
        first = begin = 0
        written = pieces_of(tokens.text)
        for piece in written:
            behind = begin + len(piece) + 1
            after = bisect_left(tokens.starts, behind, first)
            starts = tuple([start - begin for start in tokens.starts[first:after]])
            known.append(tell(piece, tuple(tokens.words[first:after]), starts))
            first, begin = after, behind
        return cls(tokens.text, written, known, lambda _: tokens)

    @cached_property
    def tokens(self) -> Tokens:
        """Return the tokens of the text."""
        return self.tokenize(self)

    def is_whole(self, start: int, end: int) -> bool:
        """Return whether text[start:end] is whole tokens.

        Example: `read("a graph,").is_whole(2, 7)`
        """
        first, last = self._piece(start), self._piece(end - 1)
        piece, stop = self.known[last], end - self.starts[last]
        return start - self.starts[first] in self.known[first].starts and any(
            begin + len(token) == stop for begin, token in zip(piece.starts, piece.tokens, strict=True)
        )

    def count(self, start: int, end: int) -> int:
        """Return how many tokens begin in text[start:end], which holds no white space.

        Example: `read("a graph,").count(2, 8) == 2`
        """
        i = self._piece(start)
        begin = self.starts[i]
        return sum(start <= begin + place < end for place in self.known[i].starts)

    def before(self, start: int) -> tuple[int, int]:
        """Return where the token before text[start:] stands, nothing at `start` where more than a space parts the two.

        Example: `read("a graph,").before(7) == (2, 7)`
        """
        i, place = self._piece(start), start
        if start == self.starts[i] and self.text[start - 1 : start] == " ":
            i, place = i - 1, start - 1
        begin, piece = self.starts[i], self.known[i]
        spans = [(begin + at, begin + at + len(token)) for at, token in zip(piece.starts, piece.tokens, strict=True)]
        return next((span for span in spans if span[1] == place), (start, start))

    def _piece(self, place: int) -> int:
        return bisect_right(self.starts, place) - 1


def pieces_of(text: str) -> list[str]:
    """Return the pieces of a text as written.

    >>> pieces_of("A graph,\\nand  more")
    ['A', 'graph,', 'and', '', 'more']
    """
    return text.replace("\n", " ").split(" ")


def starts_of(written: Iterable[str]) -> list[int]:
    """Return where each piece of a text begins, and where one behind the last would.

    >>> starts_of(["A", "graph"])
    [0, 2, 8]
    """
    return list(accumulate([len(piece) + 1 for piece in written], initial=0))
