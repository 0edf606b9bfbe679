"""The names of a vocabulary in the tokens of a text, by spaCy's PhraseMatcher.

A vocabulary has tens of thousands of spellings, and a text holds the first tokens of a few hundred. So a spelling is
tokenized, and becomes a pattern, once a text has its first token.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import numpy as np
from spacy.attrs import IS_SPACE, LOWER, ORTH  # type: ignore[import-not-found]
from spacy.language import Language
from spacy.matcher import PhraseMatcher
from spacy.tokens import Doc

from torchatlas.extract.mentions.boundaries import QUOTES
from torchatlas.extract.remembered import Remembered
from torchatlas.extract.remembering_tokenizer import RememberingTokenizer, has_gaps

_QUOTES = frozenset(QUOTES)
Index = Mapping[str, Mapping[str, Sequence[str]]]
"""The first token in lower case -> key -> the spellings of that key that begin with the token."""


class NameMatcher:
    """A matcher of names in any case. `index`: see `first_tokens`.

    Example: `NameMatcher(nlp, first_tokens(nlp, {"fake tensor": ["fake tensor"]}))(nlp.make_doc("A Fake Tensor"))`
    """

    def __init__(self, nlp: Language, index: Index) -> None:
        self.nlp = nlp
        self.matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
        self.quotes = np.array([nlp.vocab.strings.add(q) for q in QUOTES], dtype=np.uint64)
        self.waiting = {nlp.vocab.strings.add(first): group for first, group in index.items()}
        for key in {key for group in index.values() for key in group}:
            nlp.vocab.strings.add(key)  # a word that a text brings may be forgotten again: Language.memory_zone

    def __call__(self, doc: Doc) -> list[tuple[str, int, int]]:
        """Return (key, first token, token after the last) of each match in a document without quotes: see `bare`."""
        for first in self.waiting.keys() & doc.to_array(LOWER).tolist():
            for key, spellings in self.waiting.pop(first).items():
                self.matcher.add(key, list(map(self._pattern, spellings)))
        strings = self.nlp.vocab.strings
        return [(strings[key], start, end) for key, start, end in self.matcher(doc)]

    def _pattern(self, spelling: str) -> Doc:
        doc = self.nlp.make_doc(spelling)
        return doc if _QUOTES.isdisjoint(spelling) and not has_gaps(spelling) else self.bare(doc)[0]

    def bare(self, doc: Doc) -> tuple[Doc, list[int]]:
        """Return a document without white space and quotes, and the places of its tokens, [] where these are all.

        Example: `matcher.bare(nlp.make_doc('the "fake" tensor'))[1] == [0, 2, 4]`
        """
        table = doc.to_array([ORTH, IS_SPACE])
        orth = table[:, 0]
        keep = table[:, 1] == 0
        for quote in self.quotes:
            keep &= orth != quote
        if keep.all():  # an apostrophe is no quote
            return doc, []
        return Doc(self.nlp.vocab, words=orth[keep].tolist()), np.flatnonzero(keep).tolist()


def first_tokens(nlp: Language, spellings: Mapping[str, Iterable[str]]) -> dict[str, dict[str, list[str]]]:
    """Return spellings by their first tokens. `spellings`: key -> the texts that a match of the key may consist of.

    Keys stay in their order: where two have the same tokens, spaCy's matcher goes by it.

    Example: `first_tokens(nlp, {"fake tensor": ["fake tensor"]}) == {"fake": {"fake tensor": ["fake tensor"]}}`
    """
    matcher, tokenizer = NameMatcher(nlp, {}), nlp.tokenizer
    # Our tokenizer splits each word by itself; another one may look at the whole text.
    by_word = partial(_first_token, tokenizer) if isinstance(tokenizer, RememberingTokenizer) else lambda word: ""
    firsts = Remembered(by_word)
    found: dict[str, dict[str, list[str]]] = {}
    for key, texts in spellings.items():
        for text in texts:
            first = "" if has_gaps(text) else firsts[text.partition(" ")[0]]
            if not first:
                first = next((token.lower_ for token in matcher.bare(nlp.make_doc(text))[0]), "")
            if first:
                found.setdefault(first, {}).setdefault(key, []).append(text)
    return found


def _first_token(tokenizer: RememberingTokenizer, word: str) -> str:
    """Return a word's first token in lower case, "" for a quote: a match leaves it out."""
    tokens = tokenizer.words[word]
    first = tokenizer.vocab.strings[tokens[0]] if tokens else ""
    return "" if first in QUOTES else first.lower()
