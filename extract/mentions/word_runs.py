"""Word runs: the phrases of a text that can be noun phrases, as words in a row that are told by their shapes."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from torchatlas.extract.english import words
from torchatlas.extract.mentions.noun_phrases import COMPOUND, Span
from torchatlas.extract.mentions.word_shapes import (
    ADJECTIVE,
    BREAK,
    DETERMINER,
    GERUND,
    LEADER,
    NOUN,
    PLURAL,
    RUN,
    Shape,
    known_shape,
    shape,
)
from torchatlas.extract.pieces import Piece, TextPieces, pieces_of, starts_of

MOST_WORDS = 4
_VERBS_TOO = words("buffer cache dispatch pipeline queue stub")
"""Heads whose plural `tails` takes for a verb: "vmap dispatches to"."""
_APART = re.compile(r"\n(?!\s*[a-z])|\n\s*\n")


class Phrase(NamedTuple):
    """The words [first, after) of a text. `key`: one for all spellings; `whole`: no word continues the phrase."""

    first: int
    after: int
    key: str
    whole: bool


def ending(words: str) -> str:
    """Return the last two words of a phrase of two words or more, without hyphens.

    >>> ending("write-ahead log")
    'ahead log'
    """
    return words if words.count(" ") == 1 and "-" not in words else " ".join(words.replace("-", " ").split(" ")[-2:])


def _runs(letters: str) -> Iterator[tuple[int, int]]:
    """Yield the runs of words, as the first word and the word after the last, without the verb that may begin a run."""
    for found in RUN.finditer(letters):
        first, after = found.span()
        first += letters[first - 1 : first] == LEADER
        if after - first > 1:
            yield first, after


class Words:
    """A text as words. `letters`: what each can be; `inside`: word -> the known place that is the whole word.

    `spans`: see `_runs`; `ends`: the words that end a phrase of a run.
    `known`: places without overlap. `systems`: ids of concepts that are no part of longer terms. `read`: the pieces of
    the text, where they are known.
    """

    def __init__(self, text: str, known: Sequence[Span], systems: Set[str], read: TextPieces | None = None) -> None:
        self.text = text
        self.pieces = read.written if read else pieces_of(text)
        self.told = read.known if read else [Piece((), (), shape(piece)) for piece in self.pieces]
        self.starts = read.starts if read else starts_of(self.pieces)
        self.inside: dict[int, Span] = {}
        self.known_shapes: dict[int, Shape] = {}
        letters = [piece.letter for piece in self.told]
        for place in known:
            first = bisect_right(self.starts, place.start) - 1
            words = bisect_right(self.starts, place.end) - first
            letters[first : first + words] = BREAK * words
            if words == 1 and not place.part and place.concept not in systems:
                start = self.starts[first]
                named = known_shape(self.pieces[first], place.start - start, place.end - start)
                letters[first], self.known_shapes[first], self.inside[first] = named.letter, named, place
        self.letters = "".join(letters)
        self.count = len(self.pieces) - self.pieces.count("")
        self.lines = "\n" in text
        self.spans = list(_runs(self.letters))
        self.ends = [i for first, after in self.spans for i in range(first + 1, after)]

    def shape(self, i: int) -> Shape:
        """Return the shape of a word of a run.

        Example: `Words("a log cache", [], set()).shape(2).word == "cache"`
        """
        return self.known_shapes.get(i) or self.told[i].shape

    @cached_property
    def pairs(self) -> dict[int, str]:
        """The two words, in one spelling, that end the phrases up to a word of a run."""
        return {i: ending(f"{self.shape(i - 1).word} {self.shape(i).one}") for i in self.ends}

    def repeated(self) -> set[str]:
        """Return the pairs that end two phrases: whatever else ends a phrase, the phrase is not said again."""
        last = [self.shape(i).one.rpartition("-")[2] for i in self.ends]
        if len(set(last)) == len(last):  # as in most texts: no pair is there twice
            return set()
        return {pair for pair, times in Counter(self.pairs.values()).items() if times > 1}

    def whole(self, *heads: Set[str]) -> set[tuple[int, int]]:
        """Return the runs that may name a kind of thing: all if two of them share a word, else those with these heads.

        Example: `Words("a log cache and a page fault", [], set()).whole({"cache"}) == {(1, 3)}`
        """
        spans = {(first, after) for first, after in self.spans if after - first <= MOST_WORDS}
        found = " ".join([self._key(*span) for span in spans]).split()
        if len(set(found)) < len(found):
            return spans
        ends = ((span, self.shape(span[1] - 1).one.rpartition("-")[2]) for span in spans)
        return {span for span, head in ends if any(head in some for some in heads)}

    def tails(self, heads: Set[str]) -> set[tuple[int, int]]:
        """Return the runs with these heads, without the verbs and adjectives that may begin them.

        Example: `Words("with an optional log cache", [], set()).tails({"cache"}) == {(3, 5)}`
        """
        found = set()
        for first, after in self.spans:
            head = self.shape(after - 1).one.rpartition("-")[2]
            if head in heads and not (head in _VERBS_TOO and self.letters[after - 1] in PLURAL):
                while first < after - 1 and self._only_describes(first):
                    first += 1
                if 1 < after - first <= MOST_WORDS:
                    found.add((first, after))
        return found

    def _only_describes(self, i: int) -> bool:
        """Return whether a word that begins a run is a verb in -ing or tells what the thing is like."""
        if self.letters[i] in GERUND:
            return self.letters[i - 1 : i] != DETERMINER
        return self.letters[i] in ADJECTIVE and not COMPOUND.fullmatch(self.shape(i).word)

    def runs(self, ends: Set[str], whole: Set[tuple[int, int]]) -> Iterator[list[Phrase]]:
        """Yield the phrases of each run of words that end in one of these pairs, and the whole ones that are given.

        Example: `next(Words("the log caches", [], set()).runs({"log cache"}, set()))[0].key == "log cache"`
        """
        starts = {after: first for first, after in whole}
        for span in self.spans:
            first, after = span
            last = [b for b in range(first + 2, after + 1) if self.pairs[b - 1] in ends] if ends else []
            found = {(a, b) for b in last for a in range(max(first, b - MOST_WORDS), b - 1)}
            if first <= (start := starts.get(after, after)) < after:
                found.add((start, after))
            phrases = [
                Phrase(a, b, self._key(a, b), (a, b) == span or (a, b) in whole)
                for a, b in found
                if self._is_phrase(a, b)
            ]
            if phrases:
                yield phrases

    def span(self, first: int, after: int) -> tuple[int, int]:
        """Return the characters of the words [first, after), without the marks around them."""
        last = after - 1
        return self.starts[first] + self.shape(first).start, self.starts[last] + self.shape(last).end

    def known(self, phrase: Phrase) -> Span | None:
        """Return the known place that a phrase holds."""
        return next((self.inside[i] for i in range(phrase.first, phrase.after) if i in self.inside), None)

    def _key(self, first: int, after: int) -> str:
        words = [self.shape(i).word for i in range(first, after - 1)]
        return " ".join([*words, self.shape(after - 1).one]).replace("-", " ")

    def _is_phrase(self, first: int, after: int) -> bool:
        letters = self.letters[first:after]
        if letters[-1] not in NOUN or letters.count("k") + letters.count("4") > 1:
            return False
        if not self.lines:
            return True
        start, end = self.span(first, after)
        return "\n" not in self.text[start:end] or not _APART.search(self.text, start, end)
