"""The rules: rows of the table of relations, compiled, and what refuses their matches."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property, partial

from torchatlas.extract.english import words
from torchatlas.extract.spacy_pipeline import SpacyPipeline
from torchatlas.extract.statements.assertion import asks, asserted
from torchatlas.extract.statements.coordination import AFTER
from torchatlas.extract.statements.patterns import COMMON, slots, spaced
from torchatlas.extract.statements.relations import CONFIDENCE, EPISODES, IDIOMS, NOTATION, Row
from torchatlas.extract.statements.sentences import Sentence

_HEARD = words("LISTEN EPISODE heard listen")


class Rule:
    """A compiled row: `order`, the letters of subject and object; `slots`, those of all its entities; how to find it.

    `declared`: the rule is about the entry as an episode, not about concepts. `untold`: no word of such a rule says so,
    and only the title of an episode will do: "we continue in B". `of_subject`: the rule begins with the subject of a
    clause. `alone`: the conjuncts of the last entity stand in no such relation, as in "between A and B".
    See `patterns.Notation` for the others.
    >>> Rule(IDIOMS[0]).relation
    'USES'
    """

    def __init__(self, row: Row) -> None:
        self.relation, self.order, self.pattern = row
        self.slots = slots(self.pattern)
        self.required = NOTATION.required(self.pattern)
        self.literal = NOTATION.literal(self.pattern)
        self.refused = NOTATION.refused(self.pattern)
        self.confidence = CONFIDENCE
        self.declared = self.order[0] == "e"
        heard = _HEARD & {part for word in self.pattern.split() for part in word.split("|")}
        self.untold = self.relation.startswith("LISTEN") and not heard
        self.of_subject = self.pattern.startswith("P|A")
        self.alone = "between" in self.literal

    @cached_property
    def gate(self) -> re.Pattern[str]:
        """Return the expression of `Notation.gate`, compiled when the words that the rule requires are met first."""
        return NOTATION.gate(self.pattern)


class Rules:
    """The rules of the whole table, matched by a pipeline.

    Example: `[(rule.relation, start, end) for rule, _, start, end in Rules(pipeline).matches(sentence)]`
    """

    def __init__(self, pipeline: SpacyPipeline) -> None:
        self.pipeline = pipeline
        self.by_key: dict[str, list[Rule]] = defaultdict(list)
        self.known = set(COMMON)
        for row in (*IDIOMS, *EPISODES):
            rule = Rule(row)
            self.known |= rule.literal
            for word in rule.required[0]:
                self.by_key[word].append(rule)

    def matches(self, sentence: Sentence) -> Iterator[tuple[Rule, Sentence, int, int]]:
        """Yield each match: the rule, the sentence with or without its parentheses, the first word and the end.

        Example: `[rule.relation for rule, *_ in rules.matches(sentence)]`
        """
        rules = self._possible(sentence)
        plain = sentence.without_parentheses() if rules else sentence
        for variant in (sentence,) if plain is sentence else (sentence, plain):
            words = self._known(variant.words) if rules else []
            line = spaced(variant.words) if rules else ""
            for rule in rules:
                if rule.gate.search(line):
                    pattern = partial(NOTATION.compiled, rule.pattern)
                    for start, end in self.pipeline.matches(rule.pattern, pattern, words):
                        if _stands(rule, variant.words, start, end):
                            yield rule, variant, start, end

    def _possible(self, sentence: Sentence) -> list[Rule]:
        """Return the rules that could match: the words that they require are there."""
        if not sentence.words or asks(sentence.words):
            return []
        present = frozenset(sentence.words)
        found = {
            (rule.pattern, rule.relation): rule
            for word in present & self.by_key.keys()
            for rule in self.by_key[word]
            if not any(map(present.isdisjoint, rule.required[1:]))
        }
        return [rule for _, rule in sorted(found.items())]

    def _known(self, words: Sequence[str]) -> list[str]:
        """Return words with those left open that no rule knows: to spaCy, a new word takes longer than all the rest."""
        known = self.known
        return [w if w in known else "_ly" if w.endswith("ly") else "_" for w in words]


def _stands(rule: Rule, words: Sequence[str], start: int, end: int) -> bool:
    """Return whether a match is asserted, and ends where its row wants it to end."""
    after = words[end : end + 1]
    if (rule.pattern.endswith(" $") and not AFTER.issuperset(after)) or not rule.refused.isdisjoint(after):
        return False
    told = rule.declared
    return asserted(words, start, end, relation=rule.relation, about_episodes=told, said=rule.literal)
