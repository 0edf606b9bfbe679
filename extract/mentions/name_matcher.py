"""The names of a vocabulary in the tokens of a text.

A vocabulary has tens of thousands of spellings, and a text holds the first tokens of a few hundred. So a spelling is
looked for once a text has its first token.
"""

from collections.abc import Iterable, Mapping, Sequence

from torchatlas.extract.mentions.boundaries import QUOTES
from torchatlas.extract.phrase_matcher import Match, PhraseMatcher
from torchatlas.extract.remembering_tokenizer import Split
from torchatlas.extract.tokens import has_gaps

_QUOTES = frozenset(QUOTES)
Index = Mapping[str, Mapping[str, Sequence[str]]]
"""The first token in lower case -> key -> the tokens of each spelling of that key that begins with it, as one text."""


class NameMatcher:
    """A matcher of names in any case. `index`: see `token_index`.

    >>> NameMatcher({"fake": {"fake tensor": ["fake tensor"]}})(["a", "fake", "tensor"])
    [('fake tensor', 1, 3)]
    """

    def __init__(self, index: Index) -> None:
        self.phrases = PhraseMatcher()
        self.index = index
        self.waiting = dict(index)

    def __call__(self, words: Sequence[str]) -> list[Match]:
        """Return (key, first token, token after the last) of each match in tokens without quotes: see `bare`."""
        starts = [i for i, word in enumerate(words) if word in self.index]
        for first in {words[i] for i in starts if words[i] in self.waiting}:
            for key, spellings in self.waiting.pop(first).items():
                for spelling in spellings:
                    self.phrases.add(key, spelling.split(" "))
        return self.phrases.at(starts, words)


def bare(words: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the tokens that are no white space and no quotes, and their places.

    >>> bare(["the", '"', "fake", '"', "tensor"])
    (['the', 'fake', 'tensor'], [0, 2, 4])
    """
    places = [i for i, word in enumerate(words) if word not in _QUOTES and not word.isspace()]
    return [words[i] for i in places], places


def token_index(split: Split, spellings: Mapping[str, Iterable[str]]) -> dict[str, dict[str, list[str]]]:
    """Return the tokens of spellings by the first. `spellings`: key -> the texts that a match of it may consist of.

    Example: `token_index(split, {"nn.module": ["nn.Module"]}) == {"nn": {"nn.module": ["nn . module"]}}`
    """
    found: dict[str, dict[str, list[str]]] = {}
    for key, texts in spellings.items():
        for text in texts:
            words = split(text)
            if has_gaps(text) or not _QUOTES.isdisjoint(words):
                words = bare(words)[0]
            if words:
                found.setdefault(words[0], {}).setdefault(key, []).append(" ".join(words))
    return found
