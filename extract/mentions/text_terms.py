"""Text terms: noun phrases that a text makes terms of, by saying them again or by how they are built.

A run of adjectives and nouns that ends in a noun is a term where the text repeats it (Justeson and Katz 1995,
Technical terminology: some linguistic properties and an algorithm for identification in text): "hidden class". Where
the vocabulary knows little of what a text names, a phrase that is said once is a term too if its last word is what
parts of systems are called, and the words before tell its kind: "log buffer". In any text one is whose last word says
what systems do or what does it: "tree traversal", "modulo scheduler". A class or function that the text also names in
words is the same thing: "RunQueue", "the run queue".
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import KW_ONLY, dataclass
from functools import cached_property

from torchatlas.extract.english import (
    EMPTY_HEADS,
    MECHANISMS,
    NOUNS_TOO,
    PARTS,
    SYSTEMS,
    UBIQUITOUS,
    VAGUE_HEADS,
    words,
)
from torchatlas.extract.inflection import singular
from torchatlas.extract.mentions.boundaries import goes_on
from torchatlas.extract.mentions.noun_phrases import COMPOUND, Span, term_id
from torchatlas.extract.mentions.word_runs import Phrase, Words, ending
from torchatlas.extract.mentions.word_shapes import ADJECTIVE, DETERMINER, GERUND, KNOWN, PLURAL
from torchatlas.extract.pieces import TextPieces

_MOST_ONCE = 3
"""How many words a phrase has at most that is said once."""
_STRANGE = 33
"""A text of so many words for each name of the vocabulary is on something else."""
_NO_HEADS = words(
    """way thing number part kind lot case example problem issue user support code work project team time science usage
    file path page library copy"""
)
_NO_KINDS = words(
    """maximum minimum best many use case kind data empty fake front inner outer remote separate system waiting web
    everybody somebody hundred thousand million billion"""
)

_BEGINNING = re.compile(r"[A-Z][a-z]+(?:\s[a-z][^\s]*)+")
_TITLED = re.compile(r"[A-Z][a-z]\S*(?:\s+[A-Z][a-z]\S*)+")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_")
_EMPTY = EMPTY_HEADS | VAGUE_HEADS
_TELLS_NOTHING = UBIQUITOUS | VAGUE_HEADS


@dataclass(frozen=True, slots=True)
class TermWords:
    """The terms of a vocabulary. `heads`: words that end names; `ids`: concepts; `systems`: named with capitals"""

    heads: Set[str]
    _: KW_ONLY
    ids: Set[str]
    systems: Set[str]


def text_terms(text: str, known: Sequence[Span], vocabulary: TermWords, pieces: TextPieces | None = None) -> list[Span]:
    """Return the known places and the text's own terms, in order. A term that holds a known name takes its place.

    `known`: without overlap, in order. `pieces`: those of the text, where they are known. The time
    grows with the length of the text, whatever stands there.

    >>> text_terms("Hidden classes. A hidden class", [], TermWords(set(), ids=set(), systems=set()))[1].concept
    'hidden-class'
    """
    read = Words(text, known, vocabulary.systems, pieces)
    listed = sum(place.concept in vocabulary.ids or place.part in vocabulary.ids for place in known)
    strange = listed * _STRANGE < read.count
    coded = {place: key for place in known if place.concept not in vocabulary.ids and (key := _in_words(text, place))}
    ends = read.repeated() | {ending(key) for key in coded.values()}
    tails = set() if strange else read.tails(MECHANISMS)
    whole = read.whole(vocabulary.heads, PARTS, MECHANISMS) if strange else tails
    if not (whole or ends):
        return list(known)
    runs = list(read.runs(ends, whole))
    if not runs:
        return list(known)
    terms = _Terms(read, runs, vocabulary.heads, tails=tails, strange=strange)
    terms.times.update(coded.values())
    own, held = [], set()
    for phrase in (phrase for run in runs for phrase in terms.of(run)):
        start, end = read.span(phrase.first, phrase.after)
        part = read.known(phrase)
        own.append(Span(start, end, term_id(text[start:end]), (part.part or part.concept) if part else ""))
        held |= {part} if part else set()
    named = {place.concept for place in own}
    free = (place for place in known if place not in held)
    same = (p._replace(concept=id_) if p in coded and (id_ := term_id(coded[p])) in named else p for p in free)
    return sorted([*same, *own])


def _in_words(text: str, code: Span) -> str:
    """Return the name of a class or a function as its words in lower case, "" where it is no such name.

    >>> _in_words("the RunQueues", Span(4, 13, "runqueues"))
    'run queue'
    """
    *before, head = _HUMPS.sub(" ", text[code.start : code.end]).lower().split() or [""]
    return " ".join((*before, singular(head) or head)) if before and head.isalpha() else ""


class _Terms:
    """The phrases of a text: how often each is said, and in how many each word stands.

    `strange`: the vocabulary knows little of what the text names. If not, of what is said once only `tails` are terms.
    """

    def __init__(
        self,
        read: Words,
        runs: Sequence[Sequence[Phrase]],
        heads: Set[str],
        *,
        tails: Set[tuple[int, int]],
        strange: bool,
    ) -> None:
        self.read = read
        self.runs = runs
        self.heads = heads
        self.tails = tails
        self.strange = strange
        self.times = Counter(phrase.key for run in runs for phrase in run)
        self.said: set[str] = set()
        for phrase in (phrase for run in runs for phrase in run):
            if phrase.key not in self.said and not self._is_titled(phrase):
                self.said.add(phrase.key)

    @cached_property
    def kinds(self) -> Mapping[str, Set[str]]:
        """The whole phrases in which each word stands."""
        found = defaultdict[str, set[str]](set)
        for phrase in (phrase for run in self.runs for phrase in run if phrase.whole):
            for word in phrase.key.split():
                found[word].add(phrase.key)
        return found

    def of(self, run: Sequence[Phrase]) -> Iterator[Phrase]:
        """Yield the phrases of a run that are terms, without overlap: repeated ones and longer ones come first."""
        taken: set[int] = set()
        for phrase in sorted(run, key=lambda p: (self.times[p.key] < 2, p.first - p.after, p.first)):
            inside = range(phrase.first, phrase.after)
            if taken.isdisjoint(inside) and self._is_term(phrase):
                taken.update(inside)
                yield phrase

    def _is_term(self, phrase: Phrase) -> bool:
        *before, head = phrase.key.split()
        if phrase.key not in self.said:
            return False
        if SYSTEMS.issuperset(before) or before[0] in _NO_KINDS or head in _NO_HEADS:
            return False
        if self.read.known(phrase) and head in _EMPTY:
            return False
        once = phrase.whole if self.strange else phrase[:2] in self.tails
        return self.times[phrase.key] > 1 or (once and self._is_kind(phrase))

    def _is_titled(self, phrase: Phrase) -> bool:
        """Return whether all words of a phrase have capitals, as in headings and in names of people."""
        start, end = self.read.span(phrase.first, phrase.after)
        if not _TITLED.fullmatch(self.read.text, start, end):
            return False
        head = self.read.shape(phrase.after - 1).one
        return not (goes_on(self.read.text, start) and (head in self.heads or head in PARTS))

    def _is_kind(self, phrase: Phrase) -> bool:
        """Return whether a phrase that is said once names a kind of a part of a system."""
        letters = self.read.letters
        first, after = phrase.first, phrase.after
        head = phrase.key.rpartition(" ")[2]
        if after - first > _MOST_ONCE or letters[after - 1] in KNOWN:
            return False
        if letters[first] in GERUND and letters[first - 1 : first] != DETERMINER:
            return False  # "sending tasks": a clause
        start, end = self.read.span(first, after)
        if letters[first - 1 : first] != DETERMINER and _BEGINNING.fullmatch(self.read.text, start, end):
            return False  # "Pay attention": perhaps a command
        modifiers = [(letters[i], self.read.shape(i).word) for i in range(first, after - 1)]
        if any(letter in ADJECTIVE and not self._tells_kinds(word) for letter, word in modifiers):
            return False
        if any(letter in KNOWN and word.endswith("ing") for letter, word in modifiers):
            return False
        if head in self.heads or head in PARTS or head in MECHANISMS:
            return True
        shared = any(len(self.kinds[word]) > 1 for word in set(phrase.key.split()) - _TELLS_NOTHING)
        return shared and head not in NOUNS_TOO and letters[after - 1] not in PLURAL

    def _tells_kinds(self, adjective: str) -> bool:
        """Return whether an adjective tells kinds of things rather than what they are like."""
        return len(self.kinds[adjective]) > 1 or COMPOUND.fullmatch(adjective) is not None
