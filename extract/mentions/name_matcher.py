"""The names of a vocabulary in the tokens of a text.

A vocabulary has tens of thousands of spellings, and a text holds the first tokens of a few hundred. So a spelling is
looked for once a text has its first token.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from torchatlas.extract.mentions.boundaries import QUOTES
from torchatlas.extract.phrase_matcher import Branch, Match, PhraseMatcher
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

    def branches(self, words: Sequence[str]) -> tuple[Branch | None, ...]:
        """Return the beginning of the names that each token may begin.

        Example: `names.branches(["a", "fake"])[0] is None`
        """
        return _none(len(words)) if self.index.keys().isdisjoint(words) else tuple(map(self._branch, words))

    def __call__(self, words: Sequence[str], branches: Sequence[Branch | None] = ()) -> list[Match]:
        """Return (key, first token, token after the last) of each match in tokens without quotes: see `bare`.

        `branches`: those of the tokens, where they are known.
        """
        return self.phrases.at(words, branches or self.branches(words))

    def _branch(self, word: str) -> Branch | None:
        if word in self.waiting:
            for key, spellings in self.waiting.pop(word).items():
                for spelling in spellings:
                    self.phrases.add(key, spelling.split(" "))
        return self.phrases.first.get(word)


@lru_cache(100)
def _none(count: int) -> tuple[None, ...]:
    """Return so many times None, as one tuple for all words: the less there is in memory, the sooner it is read."""
    return (None,) * count


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
