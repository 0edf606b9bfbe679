"""The rules: rows of the table of relations, compiled, and what refuses their matches."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from spacy.matcher import Matcher
from spacy.tokens import Doc
from spacy.vocab import Vocab

from torchatlas.extract.english import words
from torchatlas.extract.statements.coordination import AFTER
from torchatlas.extract.statements.patterns import COMMON, slots, spaced
from torchatlas.extract.statements.relations import EPISODES, NOTATION, TABLE, Row
from torchatlas.extract.statements.sentences import Sentence
from torchatlas.extract.statements.variants import variants

_NEGATIONS = words("not n't n’t never no nothing neither nor without cannot nobody hardly longer")
_MODALS = words("might may could would should probably perhaps maybe")
_HEDGES = _MODALS | words(
    """possibly if whether why suppose imagine wish wonder wondered hypothetically hopefully unless"""
)
_TELLING = words("explain explains explained discuss discusses describe describes about see understand reason")
_AUXILIARIES = words("is are was were does do did can could should would will has have had might am 's ’s")
_ASKING = words("what why how when where which who whose")
_CLAUSE_ENDS = words(", ; : ( ) — – -")


class Rule:
    """A compiled row: `order`, the letters of subject and object; `slots`, those of all its entities; how to find it.

    `declared`: the rule is about the entry as an episode, not about concepts. `of_subject`: the rule begins with the
    subject of a clause. `alone`: the conjuncts of the last entity stand in no such relation, as in "between A and B".
    See `patterns.Notation` for the others.
    Example: `Rule(TABLE[0], nlp.vocab).relation == "USES"`
    """

    def __init__(self, row: Row, vocab: Vocab) -> None:
        self.relation, self.order, self.pattern = row
        self.slots = slots(self.pattern)
        self.required = NOTATION.required(self.pattern)
        self.literal = NOTATION.literal(self.pattern)
        self.refused = NOTATION.refused(self.pattern)
        self.declared = self.order[0] == "e"
        self.of_subject = self.pattern.startswith("P|A")
        self.alone = "between" in self.literal or self.pattern.endswith("A in|inside|within B")
        self.gate = NOTATION.gate(self.pattern)
        self.matcher = Matcher(vocab)
        self.matcher.add(self.pattern, [NOTATION.compiled(self.pattern)])


class Rules:
    """The rules of the whole table over one vocabulary of words.

    Example: `[(rule.relation, start, end) for rule, _, start, end in Rules(nlp.vocab).matches(sentence)]`
    """

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab
        self.by_key: dict[str, list[Rule]] = defaultdict(list)
        self.known = set(COMMON)
        self.verbs: dict[str, bool] = {}
        for row in (*TABLE, *EPISODES):
            rule = Rule(row, vocab)
            self.known |= rule.literal
            self.verbs |= _verbs(rule.pattern) if rule.of_subject else {}
            for word in rule.required[0]:
                self.by_key[word].append(rule)

    def matches(self, sentence: Sentence) -> Iterator[tuple[Rule, Sentence, int, int]]:
        """Yield each match: the rule, the variant of the sentence, the first word, the word after the last.

        Example: `[rule.relation for rule, *_ in rules.matches(sentence)]`
        """
        rules = self._possible(sentence)
        for variant in variants(sentence, self.verbs) if rules else ():
            doc: Doc | None = None
            line = spaced(variant.words)
            for rule in rules:
                if rule.gate.search(line):
                    doc = doc or self._doc(variant.words)
                    for _, start, end in rule.matcher(doc):
                        if _asserted(rule, variant.words, start, end):
                            yield rule, variant, start, end

    def _possible(self, sentence: Sentence) -> list[Rule]:
        """Return the rules that could match: the words that they require are there."""
        if not sentence.words or _asks(sentence.words):
            return []
        present = frozenset(sentence.words)
        found = {
            (rule.pattern, rule.relation): rule
            for word in present & self.by_key.keys()
            for rule in self.by_key[word]
            if not any(map(present.isdisjoint, rule.required[1:]))
        }
        return [rule for _, rule in sorted(found.items())]

    def _doc(self, words: Sequence[str]) -> Doc:
        """Return the words as a document.

        A word that no rule knows is left open: a new entry in the vocabulary takes longer than all the rest.
        """
        known = self.known
        return Doc(self.vocab, words=[w if w in known else "_ly" if w.endswith("ly") else "_" for w in words])


def _verbs(pattern: str) -> dict[str, bool]:
    """Return the verbs that a row has after its subject -> whether a finite form."""
    verb = next(word for word in pattern.split()[1:] if word[0] not in "^~*")
    return {form: not form.endswith("ing") for form in NOTATION.choices(verb)[1] if form.isalpha() and form.islower()}


def _asks(words: Sequence[str]) -> bool:
    """Return whether a sentence is a question, by its mark or by its order of words."""
    asking = words[0] in _ASKING and len(words) > 1 and words[1] in _AUXILIARIES
    return asking or words[0] in _AUXILIARIES or "?" in words[-3:]


def _asserted(rule: Rule, words: Sequence[str], start: int, end: int) -> bool:
    """Return whether nothing in the clause denies the match or casts doubt on it.

    Advice may be hedged, and so may what one should know or could use instead.
    """
    begin = start
    while begin and words[begin - 1] not in _CLAUSE_ENDS:
        begin -= 1
    doubt = _NEGATIONS if rule.declared else _NEGATIONS | _HEDGES
    if rule.relation in {"ALTERNATIVE_TO", "REQUIRES_KNOWING"}:
        doubt -= _MODALS
    if any(word in _TELLING and after == "why" for word, after in pairwise(words[begin:end])):
        doubt -= {"why"}
    after = words[end : end + 1]
    if rule.pattern.endswith(" $") and not AFTER.issuperset(after):
        return False
    return doubt.isdisjoint({*words[begin:end], *words[:2]} - rule.literal) and rule.refused.isdisjoint(after)
