"""The names of a vocabulary in the tokens of a text, by spaCy's PhraseMatcher.

A vocabulary has tens of thousands of spellings, and a text holds the first tokens of a few hundred. So a spelling is
tokenized, and becomes a pattern, once a text has its first token.
"""

from collections.abc import Iterable, Mapping

import numpy as np
from spacy.attrs import IS_SPACE, LOWER, ORTH  # type: ignore[import-not-found]
from spacy.language import Language
from spacy.matcher import PhraseMatcher
from spacy.tokens import Doc

from torchatlas.extract.mentions.boundaries import QUOTES
from torchatlas.extract.remembering_tokenizer import RememberingTokenizer, has_gaps


class NameMatcher:
    """A matcher of names in any case. `spellings`: key -> the texts that a match of the key may consist of.

    Example: `NameMatcher(nlp, {"fake tensor": ["fake tensor"]})(nlp.make_doc("A Fake Tensor"))`
    """

    def __init__(self, nlp: Language, spellings: Mapping[str, Iterable[str]]) -> None:
        self.nlp = nlp
        self.matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
        self.quotes = np.array([nlp.vocab.strings.add(q) for q in QUOTES], dtype=np.uint64)
        self.waiting: dict[int, dict[str, list[str]]] = {}
        for key in sorted(spellings):  # PhraseMatcher gives the keys of equal tokens in an order that depends on this
            nlp.vocab.strings.add(key)  # a text's own words may be forgotten, see Language.memory_zone
            for spelling in spellings[key]:
                if first := self._first(spelling):
                    self.waiting.setdefault(first, {}).setdefault(key, []).append(spelling)

    def __call__(self, doc: Doc) -> list[tuple[str, int, int]]:
        """Return (key, first token, token after the last) of each match in a document without quotes: see `bare`."""
        for first in self.waiting.keys() & doc.to_array(LOWER).tolist():
            for key, spellings in self.waiting.pop(first).items():
                self.matcher.add(key, [self.bare(self.nlp.make_doc(spelling))[0] for spelling in spellings])
        strings = self.nlp.vocab.strings
        return [(strings[key], start, end) for key, start, end in self.matcher(doc)]

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

    def _first(self, spelling: str) -> int:
        """Return the hash of a spelling's first token in lower case, 0 where it has none.

        Our own tokenizer splits each word by itself; another one may look at all of them.
        """
        strings, tokenizer = self.nlp.vocab.strings, self.nlp.tokenizer
        if isinstance(tokenizer, RememberingTokenizer) and spelling and not has_gaps(spelling):
            first = strings[tokenizer.words[spelling.partition(" ")[0]][0]]
            if first not in QUOTES:
                return int(strings.add(first.lower()))
        bare, _ = self.bare(self.nlp.make_doc(spelling))
        return int(bare[0].lower) if len(bare) else 0
