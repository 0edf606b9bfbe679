"""Pieces: what single spaces and ends of lines part in a text. Each is a word with its marks, and is looked up once."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field
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
    """The facts of a piece, the same wherever it stands.

    `tokens`: see `tokens.lowered`; `starts`: where each begins in the piece. `shape`: what the word can be, in short
    `letter`. `signals`: see `Signals`. `names`: the tokens that may begin names; `first`: the one that a name may go on
    with, "" where the piece begins with what counts for nothing in a name.
    """

    tokens: tuple[str, ...]
    starts: tuple[int, ...]
    shape: Shape = NO_WORD
    _: KW_ONLY
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
        i = self._piece(start)
        starts, offset = self.known[i].starts, start - self.starts[i]
        place = bisect_left(starts, offset)
        return starts[place : place + 1] == (offset,) and self._ending(end)[1] == end

    def count(self, start: int, end: int) -> int:
        """Return how many tokens begin in text[start:end], which holds no white space.

        Example: `read("a graph,").count(2, 8) == 2`
        """
        i = self._piece(start)
        begin, starts = self.starts[i], self.known[i].starts
        return bisect_left(starts, end - begin) - bisect_left(starts, start - begin)

    def before(self, start: int) -> tuple[int, int]:
        """Return where the token before text[start:] stands, nothing at `start` where more than a space parts the two.

        Example: `read("a graph,").before(7) == (2, 7)`
        """
        place = start - (self.text[start - 1 : start] == " ")
        span = self._ending(place)
        return span if span[1] == place else (start, start)

    def _ending(self, end: int) -> tuple[int, int]:
        """Return where the last token stands that begins before `end`, in the piece that reaches there."""
        if not end:
            return 0, -1
        i = self._piece(end - 1)
        piece, begin = self.known[i], self.starts[i]
        place = bisect_left(piece.starts, end - begin) - 1
        if place < 0:
            return 0, -1
        return begin + piece.starts[place], begin + piece.starts[place] + len(piece.tokens[place])

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
