"""A tokenizer that remembers the tokens of every word.

spaCy's own keeps none of the words that follow a contraction such as "don't" in a text: each is split anew.
"""

import re
from functools import lru_cache
from itertools import chain

from spacy.tokenizer import Tokenizer  # type: ignore[import-not-found]
from spacy.tokens import Doc

from torchatlas.extract.remembered import Remembered

_WORDS = re.compile(r"(\S+|\s+)( ?)")  # the one space behind a word is no token, other white space is
_PLAIN = re.compile(r"([A-Za-z]+(?<![A-Z])|[A-Za-z]+(?:-[A-Za-z]+)+(?<![A-Z])(?!\.))([.,?!]?)")
"""Words that English splits at hyphens and before the mark only, and that are split here in a tenth of the time."""
_HYPHEN = re.compile("(-)")


class RememberingTokenizer:
    """spaCy's tokenizer for English with a longer memory. The tokens are its own: those of each word.

    Only of smileys in a row (":) :") may spaCy make other tokens, since it looks beyond the white space there.
    Example: `nlp.tokenizer = RememberingTokenizer(nlp.tokenizer)`
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.vocab = tokenizer.vocab
        self.rules = frozenset(tokenizer.rules)
        self.words: Remembered[tuple[int, ...]] = Remembered(self._split, lambda: not self.vocab.in_memory_zone)

    def __reduce__(self) -> "tuple[type[RememberingTokenizer], tuple[Tokenizer]]":
        """Pickle spaCy's tokenizer alone: what is remembered is no part of the value."""
        return RememberingTokenizer, (self.tokenizer,)

    def __call__(self, text: str) -> Doc:
        """Return the tokens of a text.

        Example: `[token.text for token in tokenizer("don't")] == ["do", "n't"]`
        """
        if has_gaps(text):
            orths: list[int] = []
            spaces: list[bool] = []
            for word, space in _WORDS.findall(text):
                tokens = self.words[word]
                orths += tokens
                spaces += _followed(len(tokens))
                spaces[-1] = space == " "
        else:
            words = text.split(" ")
            known = list(map(self.words.__getitem__, words))
            orths = list(chain.from_iterable(known))
            spaces = list(chain.from_iterable(map(_followed, map(len, known))))
            spaces[-1:] = [words[-1] == ""] if spaces else []
        return Doc(self.vocab, words=orths, spaces=spaces)  # type: ignore[arg-type]  # its stub lacks the hashes

    def _split(self, word: str) -> tuple[int, ...]:
        """Return the hashes of a word's tokens."""
        plain = _PLAIN.fullmatch(word)
        if plain and word not in self.rules and plain[1] not in self.rules:
            add = self.vocab.strings.add
            return tuple([add(part, allow_transient=True) for part in (*_HYPHEN.split(plain[1]), plain[2]) if part])
        return tuple([token.orth for token in self.tokenizer(word)])


@lru_cache(64)
def _followed(tokens: int) -> tuple[bool, ...]:
    """Return whether a space follows each token of a word that has so many."""
    return (False,) * (tokens - 1) + (True,) * (tokens > 0)


def has_gaps(text: str) -> bool:
    """Return whether a text may have white space as tokens of their own. Only a single space is printable.

    >>> has_gaps("a text"), has_gaps("a  text")
    (False, True)
    """
    return "  " in text or text[:1] == " " or not text.isprintable()
