"""Tokens: the words and marks of a text, and where each stands in it."""

from bisect import bisect_left
from dataclasses import dataclass, field

from spacy.attrs import IDX, LENGTH  # type: ignore[import-not-found]
from spacy.language import Language
from spacy.tokens import Doc


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text in order. `words`: in lower case; `starts`, `ends`: in characters of the text.

    `pieces`: what single spaces and ends of lines part, with the marks around it. `gaps`: whether white space may be
    a token.
    """

    text: str
    words: list[str]
    starts: list[int]
    ends: list[int]
    pieces: list[str] = field(default_factory=list)
    gaps: bool = True

    @classmethod
    def of(cls, doc: Doc) -> "Tokens":
        """Return the tokens of a document of spaCy.

        Example: `Tokens.of(nlp.make_doc("Dynamo works")).words == ["dynamo", "works"]`
        """
        text = doc.text
        table = doc.to_array([IDX, LENGTH])
        starts, ends = table[:, 0].tolist(), (table[:, 0] + table[:, 1]).tolist()
        words = [text[start:end].lower() for start, end in zip(starts, ends, strict=True)]
        return cls(text, words, starts, ends, pieces_of(text), has_gaps(text))

    def span(self, first: int, after: int) -> tuple[int, int]:
        """Return the characters of the tokens [first, after).

        >>> Tokens("a graph", ["a", "graph"], [0, 2], [1, 7]).span(1, 2)
        (2, 7)
        """
        return self.starts[first], self.ends[after - 1]

    def written(self, first: int, after: int) -> str:
        """Return the tokens [first, after) as the text spells them.

        >>> Tokens("A graph", ["a", "graph"], [0, 2], [1, 7]).written(0, 1)
        'A'
        """
        return self.text[self.starts[first] : self.ends[after - 1]]

    def joined(self, after: int) -> bool:
        """Return whether nothing stands between a token and the one before it.

        >>> Tokens("graph,", ["graph", ","], [0, 5], [5, 6]).joined(1)
        True
        """
        return self.starts[after] == self.ends[after - 1]

    def within(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the tokens [first, after) of these characters, None where the characters are not whole tokens.

        >>> tokens = Tokens("a graph", ["a", "graph"], [0, 2], [1, 7])
        >>> tokens.within(2, 7), tokens.within(2, 6)
        ((1, 2), None)
        """
        first, last = bisect_left(self.starts, start), bisect_left(self.ends, end)
        whole = self.starts[first : first + 1] == [start] and self.ends[last : last + 1] == [end]
        return (first, last + 1) if whole else None


def pieces_of(text: str) -> list[str]:
    """Return what single spaces and ends of lines part in a text.

    >>> pieces_of("A graph,\\nand  more")
    ['A', 'graph,', 'and', '', 'more']
    """
    return text.replace("\n", " ").split(" ")


def has_gaps(text: str) -> bool:
    """Return whether a text may have white space as tokens of their own. Only a single space is printable.

    >>> has_gaps("a text"), has_gaps("a  text")
    (False, True)
    """
    return "  " in text or text[:1] == " " or not text.isprintable()


def tokenized(nlp: Language, text: str) -> Tokens:
    """Return the tokens of a text by a pipeline of spaCy.

    Example: `tokenized(nlp, "Dynamo works").words == ["dynamo", "works"]`
    """
    return Tokens.of(nlp.make_doc(text))
