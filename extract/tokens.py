"""Tokens: the words and marks of a text, and where each stands in it."""

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from operator import add
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc


@dataclass
class Tokens:
    """The tokens of a text in order. `words`: see `lowered`; `starts`: in characters of the text."""

    text: str
    words: list[str]
    starts: list[int]

    @classmethod
    def of(cls, doc: "Doc") -> "Tokens":
        """Return the tokens of a document of spaCy.

        Example: `Tokens.of(nlp.make_doc("Dynamo works")).words == ["dynamo", "works"]`
        """
        text = doc.text
        places: list[list[int]] = doc.to_array(["IDX", "LENGTH"]).tolist()
        return cls(text, [lowered(text[a : a + length]) for a, length in places], [a for a, _ in places])

    @cached_property
    def ends(self) -> list[int]:
        """Return where each token ends."""
        return list(map(add, self.starts, map(len, self.words)))

    def span(self, first: int, after: int) -> tuple[int, int]:
        """Return the characters of the tokens [first, after).

        >>> Tokens("a graph", ["a", "graph"], [0, 2]).span(1, 2)
        (2, 7)
        """
        return self.starts[first], self.starts[after - 1] + len(self.words[after - 1])

    def written(self, first: int, after: int) -> str:
        """Return the tokens [first, after) as the text spells them.

        >>> Tokens("A graph", ["a", "graph"], [0, 2]).written(0, 1)
        'A'
        """
        start, end = self.span(first, after)
        return self.text[start:end]

    def joined(self, place: int) -> bool:
        """Return whether nothing stands between a token and the one before it.

        >>> Tokens("graph,", ["graph", ","], [0, 5]).joined(1)
        True
        """
        return self.starts[place] == self.span(place - 1, place)[1]

    def covering(self, start: int, end: int) -> tuple[int, int]:
        """Return the tokens [first, after) that begin in text[start:end].

        >>> Tokens("a graph", ["a", "graph"], [0, 2]).covering(1, 3)
        (1, 2)
        """
        return bisect_left(self.starts, start), bisect_left(self.starts, end)

    def within(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the tokens [first, after) of these characters, None where the characters are not whole tokens.

        >>> tokens = Tokens("a graph", ["a", "graph"], [0, 2])
        >>> tokens.within(2, 7), tokens.within(2, 6)
        ((1, 2), None)
        """
        first, after = self.covering(start, end)
        return (first, after) if first < after and self.span(first, after) == (start, end) else None


def lowered(token: str) -> str:
    """Return a token in lower case; as it is, where the lower case has other lengths.

    >>> lowered("Graph"), lowered("\\u0130")
    ('graph', '\u0130')
    """
    lower = token.lower()
    return lower if len(lower) == len(token) else token


def has_gaps(text: str) -> bool:
    """Return whether a text may have white space as tokens of their own. Only a single space is printable.

    >>> has_gaps("a text"), has_gaps("a  text")
    (False, True)
    """
    return "  " in text or text[:1] == " " or not text.isprintable()


def split(nlp: "Language", text: str) -> list[str]:
    """Return the tokens of a text in lower case, as a pipeline of spaCy splits it.

    Example: `split(nlp, "Dynamo works") == ["dynamo", "works"]`
    """
    return Tokens.of(nlp.make_doc(text)).words
