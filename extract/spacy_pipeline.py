"""spaCy's pipeline, loaded once it is asked what it has not said before: to load it takes longer than a text."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from torchatlas.extract.text import LONGEST

if TYPE_CHECKING:
    from spacy.language import Language

KEPT = 50_000
"""How many words of the texts spaCy holds, some forty megabytes. Common words come first; others are split anew."""
MOST = 20_000
"""How many answers are kept: the first ones, since common words come first."""


@dataclass
class Answers:
    """The first answers of a pipeline, as values of JSON.

    `rules`: the words that it splits in a way of their own; `parts`: word -> its tokens.
    """

    rules: list[str] = field(default_factory=list)
    parts: dict[str, list[str]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.parts)


class SpacyPipeline:
    """A pipeline of spaCy. `given`: the caller's own, otherwise a blank English one; `answers`: what that said before.

    >>> SpacyPipeline(answers=Answers(["don't"], {"don't": ["do", "n't"]})).parts("don't")
    ['do', "n't"]
    """

    def __init__(self, given: "Language | None" = None, answers: Answers | None = None) -> None:
        self.given = given
        self.answers = answers or Answers()
        self.had = len(self.answers)
        self.most_words = KEPT

    @cached_property
    def nlp(self) -> "Language":
        """Return spaCy's own object."""
        nlp = self.given if self.given is not None else _blank()
        nlp.max_length = max(nlp.max_length, 3 * LONGEST)
        self.most_words += len(nlp.vocab.strings)
        return nlp

    @property
    def has_news(self) -> bool:
        """Return whether there are more answers than there were."""
        return len(self.answers) > self.had

    @property
    def rules(self) -> list[str]:
        """Return the words that the tokenizer splits in a way of their own."""
        if not self.answers.rules:
            tokenizer: Any = self.nlp.tokenizer  # its stubs take any callable for one
            self.answers.rules = sorted(tokenizer.rules)
        return self.answers.rules

    def parts(self, word: str) -> list[str]:
        """Return the tokens of a word.

        Example: `SpacyPipeline().parts("don't") == ["do", "n't"]`
        """
        if word in self.answers.parts:
            return self.answers.parts[word]
        parts = [token.text for token in self.nlp.tokenizer(word)]
        if len(self.answers.parts) < MOST:
            self.answers.parts[word] = parts
        return parts

    def zone(self) -> AbstractContextManager[object]:
        """Return the context in which texts are read; where spaCy holds enough words, it forgets those of the texts."""
        loaded = "nlp" in vars(self)
        return self.nlp.memory_zone() if loaded and len(self.nlp.vocab.strings) > self.most_words else nullcontext()


def _blank() -> "Language":
    """Return a blank English pipeline that looks up of each new word only what is read here."""
    import spacy
    from spacy.attrs import IS_SPACE, LOWER  # type: ignore[import-not-found]

    nlp = spacy.blank("en")
    vocab: Any = nlp.vocab  # its stubs lack the getters
    vocab.lex_attr_getters = {attribute: vocab.lex_attr_getters[attribute] for attribute in (IS_SPACE, LOWER)}
    return nlp
