"""The names of a vocabulary in the tokens of a text.

A vocabulary has tens of thousands of spellings, and a text holds the first tokens of a few hundred. So a spelling is
tokenized, and looked for, once a text has its first token.
"""

from collections.abc import Iterable, Mapping, Sequence

from torchatlas.extract.mentions.boundaries import QUOTES
from torchatlas.extract.phrase_matcher import PhraseMatcher
from torchatlas.extract.remembered import Remembered
from torchatlas.extract.remembering_tokenizer import RememberingTokenizer, Tokenize
from torchatlas.extract.tokens import has_gaps

_QUOTES = frozenset(QUOTES)
Index = Mapping[str, Mapping[str, Sequence[str]]]
"""The first token in lower case -> key -> the spellings of that key that begin with the token."""


class NameMatcher:
    """A matcher of names in any case. `index`: see `first_tokens`.

    Example: `NameMatcher(tokenize, first_tokens(tokenize, {"fake tensor": ["fake tensor"]}))(["fake", "tensor"])`
    """

    def __init__(self, tokenize: Tokenize, index: Index) -> None:
        self.tokenize = tokenize
        self.phrases = PhraseMatcher()
        self.index = index
        self.waiting = dict(index)

    def __call__(self, words: Sequence[str]) -> list[tuple[str, int, int]]:
        """Return (key, first token, token after the last) of each match in tokens without quotes: see `bare`."""
        starts = [i for i, word in enumerate(words) if word in self.index]
        for first in {words[i] for i in starts if words[i] in self.waiting}:
            for key, spellings in self.waiting.pop(first).items():
                for spelling in spellings:
                    self.phrases.add(key, bare(self.tokenize(spelling).words)[0])
        return self.phrases.at(starts, words)


def bare(words: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the tokens that are no white space and no quotes, and their places.

    >>> bare(["the", '"', "fake", '"', "tensor"])
    (['the', 'fake', 'tensor'], [0, 2, 4])
    """
    places = [i for i, word in enumerate(words) if word not in _QUOTES and not word.isspace()]
    return [words[i] for i in places], places


def first_tokens(tokenize: Tokenize, spellings: Mapping[str, Iterable[str]]) -> dict[str, dict[str, list[str]]]:
    """Return spellings by their first tokens. `spellings`: key -> the texts that a match of the key may consist of.

    Example: `first_tokens(tokenize, {"fake tensor": ["fake tensor"]}) == {"fake": {"fake tensor": ["fake tensor"]}}`
    """
    # Our tokenizer splits each word by itself; another one may look at the whole text.
    by_word = isinstance(tokenize, RememberingTokenizer)
    firsts = Remembered(lambda text: next(iter(bare(tokenize(text).words)[0]), ""))
    found: dict[str, dict[str, list[str]]] = {}
    for key, texts in spellings.items():
        for text in texts:
            word = text.partition(" ")[0] if by_word and not has_gaps(text) else text
            if first := firsts[word] or firsts[text]:
                found.setdefault(first, {}).setdefault(key, []).append(text)
    return found
