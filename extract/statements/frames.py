"""The rows of the table of predicates, compiled, and their matches with clauses."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from torchatlas.extract.english import words
from torchatlas.extract.inflection import singular
from torchatlas.extract.statements.assertion import asks, asserted
from torchatlas.extract.statements.clauses import Clause, clauses
from torchatlas.extract.statements.patterns import PRONOUNS
from torchatlas.extract.statements.phrases import phrases
from torchatlas.extract.statements.predicates import INTRANSITIVE, NOUNS, TABLE, VERBS, Row
from torchatlas.extract.statements.sentences import Sentence
from torchatlas.extract.statements.subjects import Places
from torchatlas.extract.statements.tagging import tagged
from torchatlas.graph.values.findings import StatementRelation

Key = tuple[str, str, bool]
"""The verb, the noun that it takes as predicate or that heads the phrase, and whether it is passive."""
_SUBJECT, _OBJECT, _PURPOSE = "subject", "object", "purpose"


@dataclass(slots=True)
class Frame:
    """A compiled row. `keys`: what a clause is found by. `slots`: A, B and _ -> where in a clause they stand.

    A slot is "subject", "object", "purpose" or prepositions. `purpose`: the verbs of an infinitive that must follow.
    `intransitive`: no object may stand in the clause. `indefinite`: its object must be "a" something, or an example.

    >>> Frame.of(("USES", "A RELY on B", 0.8)).slots
    {'A': 'subject', 'B': 'on'}
    """

    relation: StatementRelation
    row: str
    confidence: float
    keys: set[Key] = field(default_factory=set)
    slots: dict[str, str] = field(default_factory=dict)
    purpose: frozenset[str] = frozenset()
    intransitive: bool = False
    indefinite: bool = False

    @classmethod
    def of(cls, row: Row) -> "Frame":
        """Compile a row. Raises KeyError where it names a class that there is not."""
        frame, slot = cls(*row), _SUBJECT
        said = frame.row.split()
        for before, word in zip(["", *said], said, strict=False):
            if word in {"A", "B", "_"}:
                frame.slots[word] = slot
            elif word.isupper() or "-ed" in word:
                slot = frame._predicate(before, word)
            elif word == "a":
                frame.indefinite = True
            elif word != "be":
                slot = word.replace("_", " ")
        if not frame.keys:
            frame.keys = {("be" if "be" in said else "", "", False)}
        return frame

    def _predicate(self, before: str, word: str) -> str:
        """Note a class of verbs or nouns, and return the slot of the argument that follows."""
        for name in word.split("|"):
            group = name.removesuffix("-ed")
            if before == "to":
                self.purpose = words(VERBS[group])
                return _PURPOSE
            if group in NOUNS:
                self.keys |= {("be" if before == "be" else "", noun, False) for noun in NOUNS[group].split()}
            else:
                self.intransitive |= group in INTRANSITIVE
                self.keys |= {(verb, "", name != group) for verb in VERBS[group].split()}
        return _OBJECT

    def matched(self, clause: Clause) -> tuple[Places, Places] | None:
        """Return the places of A and of B in a clause with one of the keys, None where an argument is missing."""
        if bool(self.purpose) != bool(clause.purpose):
            return None
        if self.purpose and clause.purpose and clause.purpose.verb not in self.purpose:
            return None
        if (
            (self.intransitive and clause.objects)
            or (self.indefinite and not clause.indefinite)
            or self._parted(clause)
        ):
            return None
        filled = {name: _filled(clause, slot) for name, slot in self.slots.items()}
        if "_" in filled and self.slots["_"] not in {_SUBJECT, _OBJECT} and filled["_"] is None:
            return None
        a, b = filled["A"], filled["B"]
        return (a, b) if a and b else None

    def _parted(self, clause: Clause) -> bool:
        """Return whether something parts two objects whose order an action states: "running A on X before B"."""
        by_action = self.slots.get("_") == _SUBJECT and self.relation in {"RUNS_BEFORE", "RUNS_AFTER"}
        return by_action and not (clause.complements and clause.complements[0][0] in self.slots.values())


def _filled(clause: Clause, slot: str) -> Places | None:
    """Return the places in a slot of a clause, None where a preposition of the slot is missing."""
    if slot == _SUBJECT:
        return clause.subjects
    if slot == _OBJECT:
        return clause.objects
    if slot == _PURPOSE:
        return clause.purpose.objects if clause.purpose else None
    names = slot.split("|")
    return next((places for name, places in clause.complements if name in names), None)


class Frames:
    """All rows of a table, by the keys of the clauses that they may match.

    Example: `[frame.relation for frame, _, _ in Frames().matches(clause)]`
    """

    def __init__(self, table: Iterable[Row] = TABLE) -> None:
        by_key: dict[Key, list[Frame]] = defaultdict(list)
        for frame in map(Frame.of, table):
            for key in frame.keys:
                by_key[key].append(frame)
        self.by_key: Mapping[Key, list[Frame]] = by_key

    def statements(self, sentence: Sentence) -> Iterator[tuple[Frame, Clause, int, int]]:
        """Yield what a sentence asserts: the row, the clause, and the words that name subject and object.

        Only a sentence with two words that can name concepts is tagged.
        Example: `[frame.relation for frame, *_ in Frames().statements(sentence)]`
        """
        words = sentence.words
        if len(sentence.at) + sum(word in PRONOUNS for word in words) < 2 or asks(words):
            return
        for clause in clauses(phrases(tagged(sentence))):
            for frame, subjects, objects in self.matches(clause):
                if asserted(words, clause.first, clause.stop, relation=frame.relation):
                    for subject, other in product(subjects, objects):
                        yield frame, clause, subject, other

    def matches(self, clause: Clause) -> Iterator[tuple[Frame, Places, Places]]:
        """Yield each row that a clause matches, with the places of the relation's subject and object."""
        noun = (singular(clause.noun) or clause.noun) if clause.verb in {"", "be"} else ""
        for frame in self.by_key.get((clause.verb, noun, clause.passive), ()):
            if found := frame.matched(clause):
                yield frame, *found
