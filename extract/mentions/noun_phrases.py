"""Noun phrases: known names as parts of longer terms that a text makes of them, "fusion pattern", "2D sharding".

Which words make a term with a known name is read off the names of the vocabulary: a word that ends several names
("pattern") is a head, one that stands before the end of several ("automatic") is a modifier. English decides the rest.
The name of a system goes on in a name that no vocabulary has, and in "IR": "Flax NNX", "Numba IR".
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from torchatlas.extract.english import (
    COMMON,
    EMPTY_HEADS,
    MECHANISMS,
    QUALIFIERS,
    UBIQUITOUS,
    VAGUE,
    VAGUE_HEADS,
    spelled_out,
    words,
)
from torchatlas.extract.inflection import singular
from torchatlas.extract.mentions.forms import ALIAS, DERIVED, Form
from torchatlas.extract.mentions.whole_names import CAPITALS, HYPHENATED, among
from torchatlas.extract.stop_words import STOP_WORDS
from torchatlas.graph.values.ids import concept_id


class Span(NamedTuple):
    """A mention in a text. `part`: the known concept within a longer term, "" where the term is the concept itself."""

    start: int
    end: int
    concept: str
    part: str = ""


Named = tuple[int, int, str]
"""(start, end, concept id) of a name in a text."""

_HEAD_OF_NAMES = 4
_MODIFIER_OF_NAMES = 3
_USUAL = 5
"""In how many names a word must stand to make a term with a name, and with another such word."""

_PARTS_OF_SYSTEMS = words(
    """backend frontend runtime server dialect plugin bridge shim exporter importer delegate partitioner schema
    protocol bytecode versioning version binding wrapper quantizer tokenizer core engine instruction cache
    extension filter graph group hook mode node scheduler tree"""
)
"""What the name of a system makes a term with: the ONNX exporter; not ONNX users, tests, errors."""


_STRUCTURES = words("system structure compilation test process memory device function machine call argument")
_TREATED = words("api function kernel operator op operation tensor graph module model node library pass")
_NO_TERM = STOP_WORDS | VAGUE | COMMON
_NO_NAME = _NO_TERM | UBIQUITOUS | EMPTY_HEADS | VAGUE_HEADS
_WORDS = re.compile(r"[A-Z]?[a-z]+(?:[- ][a-z]+)*")
_FOLLOWING = re.compile(r"(?: |[^\S\n]*\n[^\S\n]*)([A-Za-z][a-z]+|APIs?)(?![\w]|[-/.]\w|['’])")
_CAPITALISED = re.compile(r" (?=[A-Z])([A-Z][A-Za-z]+|[A-Z]{2,})(?![\w(]|[-/.]\w|['’]| [A-Z])")
_LANGUAGE = re.compile(
    r"(?: (?:frontend|backend|runtime) (?:IR|AST|compiler)| (?:IR|AST|ABI|ISA|VM|DSL))s?(?![\w(]|[-/.]\w|['’])"
)
"""What a name of the text's own goes on with: "Codon IR", "Taichi frontend IR"."""
_NEXT = re.compile(r"\s+([\w'’]+)")
_PRECEDING = re.compile(r"(?<![\w/.@-])((?:[A-Za-z]+-)*[A-Za-z]+|\dD) \Z")
COMPOUND = re.compile(
    r"\dd|(?!high-|low-|well-|[a-z-]+-specific)[a-z]+(?:-[a-z]+)*-"
    r"(?:[a-z]+(?:ed|al|ic|ive|ous)|free|aware|based|wise|level|time|order|safe|only|grained|precision|rank)"
)
_PAIR = re.compile(
    r"(?<![\w/.@#-])([A-Za-z][a-z]+(?:-[a-z]+)*)(?: |[^\S\n]*\n[^\S\n]*)"
    r"(?=([a-z][a-z]+(?:-[a-z]+)?)(?![\w(]|[-/.]\w|['’]))"
)
_BEFORE = re.compile(r"([\w'’-]+)\s\Z")
_OBJECT = words("the a an its their your our this that these those each every all it them us you any some no both into")
_TO_A_THING = re.compile(r" to (?:the|an?) | (?:to )?[A-Z]")
_BEGINNING = re.compile(r"(?:\A|[.!?:;]\s|\n)\s*(?:(?:The|An?|the|an?) )?\Z")
_LONGEST_MODIFIER = 40
_RUN = re.compile(r"\S+")
_FEW = 12


class NounPhrases:
    """The words that make terms with known names.

    `forms`: all forms of the vocabulary by their text in lower case; `names`: concept id -> name.
    """

    def __init__(self, forms: Mapping[str, Sequence[Form]], names: Mapping[str, str]) -> None:
        heads, modifiers = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
        for text, group in forms.items():
            *before, head = text.split(" ")
            if before and group[0].rank <= ALIAS:
                heads[singular(head) or head].add(group[0].concept_id)
                for word in before:
                    modifiers[word].add(group[0].concept_id)
        self.heads = _common(heads, _HEAD_OF_NAMES) - EMPTY_HEADS - VAGUE_HEADS
        self.parts = self.heads | MECHANISMS
        self.modifiers = _common(modifiers, _MODIFIER_OF_NAMES) - STOP_WORDS - VAGUE - QUALIFIERS - UBIQUITOUS
        self.usual_heads = _common(heads, _USUAL) - EMPTY_HEADS - COMMON - (VAGUE_HEADS - _STRUCTURES)
        self.usual_modifiers = _common(modifiers, _USUAL) - STOP_WORDS - VAGUE - QUALIFIERS - COMMON
        self.known = frozenset(names)
        self.systems = {id_ for id_, name in names.items() if not name.islower()}
        self.verbs = {
            text
            for text, group in forms.items()
            if group[0].rank == DERIVED and " " not in text and not text.endswith(("ed", "s", "ing", "ion"))
        }

    def extended(self, text: str, known: Sequence[Named]) -> Iterator[Span]:
        """Yield the mentions, each with the words before and behind it that make a longer term with it.

        `known`: in order and without overlap.
        Example: `list(phrases.extended("2D sharding", [(3, 11, "sharding")]))[0].part == "sharding"`
        """
        ends = {end for _, end, _ in known}
        starts = {start for start, end, concept in known if concept in self.known and text[start:end] != "IR"}
        done = 0
        for named in known:
            if named[0] >= done:  # else the name before took it in
                place = self._longest(text, named, starts, ends, done)
                done = place.end
                yield place

    def _longest(self, text: str, named: Named, starts: Set[int], ends: Set[int], done: int) -> Span:
        """Return the mention of a name. `starts`, `ends`: where names begin that count by themselves, where all end.

        `done`: where the mention before ends.
        """
        start, end, concept = named
        hyphen = "-" in (text[start - 1 : start], text[end : end + 1])
        plain = concept in self.known and concept not in self.systems and start - 1 not in ends
        if hyphen or (plain and text[start].isupper()):
            whole = among(HYPHENATED if hyphen else CAPITALS, text, start, end)
            if whole and whole[0] >= done and starts.isdisjoint({*range(*whole)} - {*range(start, end)}):
                return Span(*whole, term_id(text[slice(*whole)]), concept)
        seen = text[start:end]
        followed = not starts.isdisjoint((end + 1, end + 2))
        if " " in seen or "\n" in seen:  # a term of several words is complete
            first, last = start, end if followed else _agent(text, end)
        else:
            system = not _WORDS.fullmatch(seen) or (seen[0].isupper() and concept in self.systems)
            treated = seen.endswith("ed") and concept not in self.systems
            last = end if followed else self._last(text, start, end, system=system, treated=treated)
            if seen[0].isupper() and concept not in self.known and (m := _LANGUAGE.match(text, last)):
                last = m.end()
            first = start if (system and not seen.isupper()) or start - 1 in ends else self._first(text, start, end)
        if (first, last) == (start, end):
            return Span(start, end, concept)
        return Span(first, last, term_id(text[first:last]), concept)

    def is_modifier(self, word: str) -> bool:
        """Return whether a word usually stands before the head of a name.

        Example: `phrases.is_modifier("Functional")`
        """
        return word.lower() in self.usual_modifiers

    def compounds(self, text: str, known: Sequence[Named], modifiers: Iterable[tuple[int, str]]) -> list[Named]:
        """Return the pairs of words that are no names themselves, but stand so in many names: "functional graph".

        `known`: the names, which are left out. `modifiers`: where the pieces of the text begin that hold a word for
        which `is_modifier` holds, and the pieces.
        Example: `phrases.compounds("a functional graph", [], [(2, "functional")]) == [(2, 18, "functional-graph")]`
        """
        pairs = self._pairs(text, modifiers)
        if not pairs:
            return []
        taken = bytearray(len(text))
        for start, end, _ in known:
            taken[start:end] = b"\1" * (end - start)
        found = []
        for start, end, first, word in pairs:
            if 1 in taken[start:end] or _is_verb(first, word, text, end) or _goes_back(text, start):
                continue
            taken[start:end] = b"\1" * (end - start)
            found.append((start, end, term_id(text[start:end])))
        return found

    def _pairs(self, text: str, modifiers: Iterable[tuple[int, str]]) -> list[tuple[int, int, str, str]]:
        """Return (start, end, first word, second word) of the pairs of usual words, the words in lower case."""
        found = []
        for place in [begin + run.start() for begin, piece in modifiers for run in _RUN.finditer(piece)]:
            if m := _PAIR.match(text, place):
                first, second = m[1].lower(), m[2].lower()
                if (singular(second) or second) in self.usual_heads and first in self.usual_modifiers:
                    found.append((m.start(1), m.end(2), first, second))
        return found

    def _last(self, text: str, start: int, end: int, *, system: bool, treated: bool) -> int:
        """Return the end of the head that follows a name, the end of the name where none does.

        `treated`: the name tells what has been done to the thing: "unboxed API".
        """
        name = text[start:end].lower()
        if system and (m := _CAPITALISED.match(text, end)) and not _NO_NAME & {m[1].lower(), singular(m[1].lower())}:
            return m.end()
        m = _FOLLOWING.match(text, end)
        if not m or name in self.verbs or singular(name):
            return end
        word = m[1].lower()
        head = singular(word) or word
        if not (treated and head in _TREATED) and head not in (_PARTS_OF_SYSTEMS if system else self.parts):
            return end
        verb = _is_verb(name, word, text, m.end()) or _is_predicate(text, start, m.span(1))
        return end if verb else m.end(1)

    def _first(self, text: str, start: int, end: int) -> int:
        """Return the start of the modifier before a name, the start of the name where none stands there."""
        begin = text.rfind(" ", 0, start - 1) + 1 if text[start - 1 : start] == " " else start
        before = text[begin : start - 1]
        if before.islower() and before.isalpha() and before not in self.modifiers:  # as mostly
            return start
        m = _PRECEDING.search(text, max(begin, start - _LONGEST_MODIFIER), start)
        if not m or text[start:end].endswith("ed"):  # a participle heads no term: communication-free sharded parameters
            return start
        word = m[1].lower()
        modifies = COMPOUND.fullmatch(word) or (word in self.modifiers and not text[start : start + 2].isupper())
        return m.start(1) if modifies and not word.endswith("ing") else start


def _agent(text: str, end: int) -> int:
    """Return the end of the word behind a name that says what does it, the end of the name where none stands there."""
    m = _FOLLOWING.match(text, end)
    return m.end(1) if m and m[1].endswith(("er", "or")) and m[1] in MECHANISMS else end


def _common(words_of_names: Mapping[str, set[str]], times: int) -> set[str]:
    return {word for word, ids in words_of_names.items() if len(ids) >= times}


def _is_verb(name: str, head: str, text: str, end: int) -> bool:
    """Return whether a head in the plural is a verb or the object of one: "the trace maps the ...", "fusing nodes"."""
    if not singular(head):
        return False
    following = _NEXT.match(text, end)
    return name.endswith("ing") or bool(following and following[1].lower() in _OBJECT)


def _is_predicate(text: str, start: int, head: tuple[int, int]) -> bool:
    """Return whether a head in the plural is the verb of a name that begins a sentence: "Vmap hooks to Triton".

    What follows tells: a name, or "to" with a name or an article. Elsewhere "hooks to the module" may be an object.
    """
    word = text[slice(*head)]
    if not (word.islower() and singular(word) and _TO_A_THING.match(text, head[1])):
        return False
    return _BEGINNING.search(text, max(0, start - _LONGEST_MODIFIER), start) is not None


def _goes_back(text: str, start: int) -> bool:
    """Return whether the word before belongs to the term, which is then longer and unknown."""
    before = _BEFORE.search(text, max(0, start - _LONGEST_MODIFIER), start)
    word = before[1].lower() if before else ""
    return bool(word) and not (word in _NO_TERM or re.search(r"(?:e[sd]|ing|ly)$", word))


@lru_cache(10_000)
def term_id(written: str) -> str:
    """Return the id of a term that no file lists, the same for singular and plural, cut short or not.

    >>> term_id("Arg parsers")
    'argument-parser'
    """
    *before, head = written.split()
    return concept_id(spelled_out(" ".join((*before, singular(head) or head)).lower()))
