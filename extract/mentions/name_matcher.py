"""The names of a vocabulary in the tokens of a text.

A vocabulary has tens of thousands of spellings, and a text holds the first tokens of a few hundred. So a spelling is
looked for once a text has its first token.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from torchatlas.extract.mentions.boundaries import QUOTES
from torchatlas.extract.phrase_matcher import Branch, PhraseMatcher
from torchatlas.extract.pieces import Beginning, TextPieces
from torchatlas.extract.remembering_tokenizer import Split
from torchatlas.extract.tokens import has_gaps

_QUOTES = frozenset(QUOTES)
_BREAK = re.compile(r"\n[^\S\n]*\n|[.!?:;][\"'”’)]*\s")
Index = Mapping[str, Mapping[str, Sequence[str]]]
"""The first token in lower case -> key -> the tokens of each spelling of that key that begins with it, as one text."""
NameMatch = tuple[str, int, int, int]
"""The key of a name, where it starts and ends in the text, and how many tokens it has without quotes between them."""


class NameMatcher:
    """A matcher of names in any case. `index`: see `token_index`.

    Example: `NameMatcher(token_index(split, {"vmap": ["vmap"]}))(read("a Vmap")) == [("vmap", 2, 6, 1)]`
    """

    def __init__(self, index: Index) -> None:
        self.phrases = PhraseMatcher()
        self.index = index
        self.waiting = dict(index)

    def names(self, tokens: Sequence[str]) -> tuple[Beginning, ...]:
        """Return the tokens of a piece that may begin names.

        Example: `[place for place, *_ in names.names(["(", "fake"])] == [1]`
        """
        if self.index.keys().isdisjoint(tokens):
            return ()
        behind = [*map(heard, tokens[1:]), None]
        return tuple([(i, self._branch(word), behind[i]) for i, word in enumerate(tokens) if word in self.index])

    def __call__(self, read: TextPieces) -> list[NameMatch]:
        """Return the names in a text: by place, then by length, then as added. Quotes and white space do not count."""
        found: list[NameMatch] = []
        pieces, last = read.known, len(read.known) - 1
        for i in [i for i, piece in enumerate(pieces) if piece.names]:
            next_piece = pieces[i + 1].first if i < last else ""
            for place, branch, behind in pieces[i].names:
                if branch.keys:
                    found += [(key, *_span(read, i, place), 1) for key in branch.keys]
                if behind is None:
                    behind = next_piece
                if not behind or behind in branch.following:  # mostly, another word follows
                    found += _longer(branch, read, i, place)
        return found

    def _branch(self, word: str) -> Branch:
        if word in self.waiting:
            for key, spellings in self.waiting.pop(word).items():
                for spelling in spellings:
                    self.phrases.add(key, spelling.split(" "))
        return self.phrases.first[word]


def _longer(branch: Branch, read: TextPieces, i: int, place: int) -> list[NameMatch]:
    """Return the names of several tokens that begin with a token of piece `i`. `branch`: that of the token."""
    found: list[NameMatch] = []
    places = [(i, place)]
    tokens = read.known[i].tokens
    while branch.following:
        place += 1
        while place >= len(tokens):
            i, place = i + 1, 0
            if i == len(read.known):
                return found
            tokens = read.known[i].tokens
        if following := branch.following.get(tokens[place]):
            branch = following
            places.append((i, place))
            if branch.keys and _holds_together(read.text, spans := [_span(read, *place) for place in places]):
                found += [(key, spans[0][0], spans[-1][1], len(spans)) for key in branch.keys]
        elif heard(tokens[place]):
            return found
    return found


def _span(read: TextPieces, i: int, place: int) -> tuple[int, int]:
    """Return the characters of a token of piece `i`."""
    start = read.starts[i] + read.known[i].starts[place]
    return start, start + len(read.known[i].tokens[place])


def _holds_together(text: str, places: Sequence[tuple[int, int]]) -> bool:
    """Return whether a name goes over a line or a quote at most, but not over a paragraph or a sentence."""
    gaps = [text[a[1] : b[0]] for a, b in pairwise(places)]
    if {"", " "}.issuperset(gaps):
        return True
    whole = all(gap.count("\n") <= 1 and len(gap) < 40 and len(gap.strip()) <= 1 for gap in gaps)
    return whole and not _BREAK.search(text, places[0][0], places[-1][1])


def heard(token: str) -> str:
    """Return a token, "" for white space and quotes, which count for nothing in a name.

    >>> heard("fake"), heard('"')
    ('fake', '')
    """
    return "" if token in _QUOTES or token.isspace() else token


def token_index(split: Split, spellings: Mapping[str, Iterable[str]]) -> dict[str, dict[str, list[str]]]:
    """Return the tokens of spellings by the first. `spellings`: key -> the texts that a match of it may consist of.

    Example: `token_index(split, {"nn.module": ["nn.Module"]}) == {"nn": {"nn.module": ["nn . module"]}}`
    """
    found: dict[str, dict[str, list[str]]] = {}
    for key, texts in spellings.items():
        for text in texts:
            words = split(text)
            if has_gaps(text) or not _QUOTES.isdisjoint(words):
                words = [word for word in words if heard(word)]
            if words:
                found.setdefault(words[0], {}).setdefault(key, []).append(" ".join(words))
    return found
