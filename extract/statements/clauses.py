"""Clauses: what is said of what, in the active, the passive or as a noun phrase, over the phrases of a sentence.

This is a shallow reading: a verb takes the nearest phrase that can be its subject or its object. Where two readings
are possible it takes none, since a wrong statement costs more than a missing one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace

from torchatlas.extract.english import words
from torchatlas.extract.statements.phrases import AMOUNTS, Phrase
from torchatlas.extract.statements.subjects import Places, Subjects

_LISTED = ("comma", "conjunction")
_EXAMPLES = {"such as", "like", "including"}
_VAGUE = words(
    "environments situations cases scenarios settings contexts ways reasons places platforms it they this these"
)
_ENDING = {"remove", "drop", "delete", "avoid", "prevent", "disable", "stop", "eliminate", "lack", "fix", "forbid"}
"""Verbs whose object is no more, or never was: "removes the use of X in Y"."""
_CONTRASTS = {"unlike", "instead of", "versus"}
_OBJECT_NOUNS = {("make", "use"): "use", ("take", "advantage"): "use"}
"""Verbs whose object only says what is done: "makes use of X"."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A predicate with its arguments, each the places of concepts and pronouns among the words of a sentence.

    `verb`: its base form, "" in a noun phrase. `noun`: the noun of a predicate "is an extension of", or the head of a
    noun phrase. `complements`: (preposition, places) in order. `purpose`: the clause of "... to build X".
    `indefinite`: the object is "a" something, or an example.
    """

    verb: str
    first: int
    stop: int
    _: KW_ONLY
    passive: bool = False
    noun: str = ""
    subjects: Places = ()
    objects: Places = ()
    complements: tuple[tuple[str, Places], ...] = ()
    purpose: "Clause | None" = None
    indefinite: bool = False


def clauses(phrases: Sequence[Phrase]) -> Iterator[Clause]:
    """Yield the clauses of a sentence: those around verbs, then those that noun phrases stand for.

    Example: `[clause.verb for clause in clauses(phrases(tagged(sentence)))]`
    """
    reader = _Reader(phrases)
    found: dict[int, Clause] = {}
    for index, phrase in enumerate(phrases):
        if phrase.kind == "verb" and phrase.form not in {"", "modal"}:
            found[index] = reader.clause(index)
    for index, clause in found.items():
        if phrases[index].form != "infinitive" or clause.subjects:
            yield clause
        elif (main := max((i for i in found if i < index), default=None)) is not None:
            yield replace(found[main], purpose=clause, stop=clause.stop)
    yield from reader.noun_clauses()


class _Reader:
    """A reader of one sentence."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        self.phrases = phrases
        self.subjects = Subjects(phrases)

    def clause(self, index: int) -> Clause:
        """Return the clause of the verb at `index`, with what follows it."""
        verb, (subjects, start) = self.phrases[index], self.subjects.add(index)
        place, noun, stop = self._past_adverbs(index + 1), "", verb.stop
        objects: Places = ()
        indefinite = False
        if self._kind(place) == "noun":
            indefinite = self.phrases[place].indefinite or self._exemplified(place) != place
            named = self._measured(place)
            objects, place = self._listed(place)
            noun = self.phrases[named].word if self.phrases[named].head is None else ""
            stop = self.phrases[place - 1].stop
        complements, stop = self._complements(place, stop)
        if not objects and not noun:
            objects = self._antecedent(start)
        if verb.form == "gerund" and index == 0:
            subjects, stop = self._announced(place, stop)
        word = verb.word
        if same := _OBJECT_NOUNS.get((verb.word, noun)):
            word, noun, objects = same, "", tuple(p for name, places in complements if name == "of" for p in places)
        return Clause(
            word, min(start, verb.first), stop, passive=verb.form in {"passive", "participle"}, noun=noun,
            subjects=subjects, objects=objects, complements=complements, indefinite=indefinite,
        )  # fmt: skip

    def _antecedent(self, start: int) -> Places:
        """Return the object of a relative clause whose subject begins at a word: X in "X, which the tracer splits"."""
        index = next(i for i, phrase in enumerate(self.phrases) if phrase.stop > start)
        before = index - 2 if self._kind(index - 1) == "relative" and self._kind(index) == "noun" else -1
        if self._kind(before) == "comma":
            before -= 1
        head = self.phrases[before].head if self._kind(before) == "noun" else None
        return () if head is None else (head,)

    def _announced(self, index: int, stop: int) -> tuple[Places, int]:
        """Return the subject that follows an opening gerund: X in "Using B, X splits work"."""
        if self._kind(index) == "comma" and self._kind(index + 1) == "noun" and self._has_verb(index + 1):
            head = self.phrases[index + 1].head
            return () if head is None else (head,), self.phrases[index + 1].stop
        return (), stop

    def noun_clauses(self) -> Iterator[Clause]:
        """Yield what noun phrases state: "conversion of A to B", "A instead of B", "A, an extension of B"."""
        for index, phrase in enumerate(self.phrases):
            before = self.phrases[index - 1] if index else None
            if phrase.made and phrase.head is not None and phrase.owner is not None:
                by = (("by", (phrase.owner,)),)
                yield Clause(
                    phrase.made, phrase.first, phrase.stop, passive=True, subjects=(phrase.head,), complements=by
                )
            if phrase.kind == "preposition" and before and before.kind == "noun":
                yield from self._modified(index - 1)
            elif phrase.word in _CONTRASTS and self._opens_sentence(index):
                yield from self._opening(index)
            elif phrase.kind == "preposition" and phrase.word in _CONTRASTS and self._set_off(index):
                yield from self._contrasted(index)
            elif phrase.kind == "comma" and before and before.kind == "noun" and before.head is not None:
                yield from self._apposition(index + 1, before)

    def _modified(self, index: int) -> Iterator[Clause]:
        """Yield the clause of a noun phrase with prepositions behind it."""
        noun = self.phrases[index]
        if noun.pronoun or (self._kind(index - 1) == "verb" and self.phrases[index - 1].word in _ENDING):
            return
        complements, stop = self._complements(index + 1, noun.stop)
        word = noun.word if noun.head is None else ""
        named = noun.head if noun.head is not None else noun.owner
        subjects = () if named is None else (named,)
        yield Clause("", noun.first, stop, noun=word, subjects=subjects, complements=complements)
        after = next((i for i, phrase in enumerate(self.phrases) if phrase.first >= stop), 0)
        if word and self._equates(after) and self._kind(after + 1) == "noun":
            things, end = self._listed(after + 1)
            last = self.phrases[end - 1].stop
            yield Clause("be", noun.first, last, noun=word, subjects=things, complements=complements)

    def _equates(self, index: int) -> bool:
        """Return whether a phrase says that two things are the same: "is", or a colon."""
        return (self._kind(index) == "verb" and self.phrases[index].form == "be") or self._colon(index)

    def _colon(self, index: int) -> bool:
        return self._kind(index) == "break" and self.phrases[index].word == ":"

    def _opens_sentence(self, index: int) -> bool:
        """Return whether what a preposition leads is set before a clause: "unlike Y, X is", "... - unlike Y, X is"."""
        apart = self._kind(index + 1) == "noun" and self._kind(index + 2) == "comma"
        named = self._kind(index + 3) == "noun"
        return apart and named and (not index or self._has_verb(index + 3))

    def _set_off(self, index: int) -> bool:
        """Return whether a comma and a noun phrase with a concept stand before a preposition: "X, unlike Y".

        What is contrasted is not the object of a verb: "X may return Y, unlike Z".
        """
        named = self._kind(index - 1) == "comma" and self._kind(index - 2) == "noun"
        named = named and self._kind(index - 3) not in {"verb", "preposition"}
        return named and self.phrases[index - 2].head is not None and not self._pronoun(index - 2)

    def _contrasted(self, index: int) -> Iterator[Clause]:
        """Yield "A unlike B" for "A, unlike B"."""
        named = self.phrases[index - 2]
        complements, stop = self._complements(index, named.stop)
        subjects = () if named.head is None else (named.head,)
        yield Clause("", named.first, stop, subjects=subjects, complements=complements)

    def _apposition(self, index: int, named: Phrase) -> Iterator[Clause]:
        """Yield "A is an extension of B" for "A, an extension of B"."""
        if self._kind(index) == "noun" and self.phrases[index].determined and self.phrases[index].head is None:
            complements, stop = self._complements(index + 1, self.phrases[index].stop)
            word, subjects = self.phrases[index].word, () if named.head is None else (named.head,)
            yield Clause("be", named.first, stop, noun=word, subjects=subjects, complements=complements)
            yield from self._second_apposition(index, named)

    def _second_apposition(self, first: int, named: Phrase) -> Iterator[Clause]:
        """Yield "A is a part of B" for "A, a tool for writing tests, and part of B"."""
        for index in range(first, len(self.phrases)):
            if self._kind(index) in {"break", "open"} or self.phrases[index].form in {"finite", "be", "passive"}:
                return
            listed = (self._kind(index - 1), self._kind(index), self._kind(index + 1)) == (
                "comma",
                "conjunction",
                "noun",
            )
            if listed and self.phrases[index + 1].head is None and named.head is not None:
                noun = self.phrases[index + 1]
                complements, stop = self._complements(index + 2, noun.stop)
                yield Clause("be", named.first, stop, noun=noun.word, subjects=(named.head,), complements=complements)

    def _opening(self, index: int) -> Iterator[Clause]:
        """Yield "A unlike B" for "unlike B, A ..."."""
        preposition, other, named = self.phrases[index], self.phrases[index + 1].head, index + 3
        if other is None or self._kind(named) != "noun" or self.phrases[named].head is None:
            return
        subject, stop = self.phrases[named].head, self.phrases[named].stop
        complements = ((preposition.word, (other,)),)
        if subject is not None and not self._pronoun(index + 1) and not self._pronoun(named):
            yield Clause("", preposition.first, stop, subjects=(subject,), complements=complements)

    def _complements(self, index: int, stop: int) -> tuple[tuple[tuple[str, Places], ...], int]:
        """Return the phrases with prepositions from `index` on, and the word after the last that names a concept."""
        found: list[tuple[str, Places]] = []
        while True:
            index = self._past_adverbs(index)
            if self._kind(index) == "conjunction" and self._kind(index + 1) == "preposition":
                index += 1
            if self._kind(index) != "preposition" or self._kind(index + 1) != "noun" or self._pronoun(index + 1):
                return tuple(found), stop
            name = self.phrases[index].word
            places, index = self._listed(index + 1)
            found.append((name, places))
            stop = self.phrases[index - 1].stop if places else stop

    def _listed(self, index: int) -> tuple[Places, int]:
        """Return the concepts of a list of noun phrases that begins at `index`, and the phrase after the list."""
        found: list[int] = []
        if self.phrases[index].head is None and self._colon(index + 1) and self._kind(index + 2) == "noun":
            index += 2  # "three pieces: A, B and C"
        while True:
            last = self._measured(index)
            head = self.phrases[last].head
            if head is None and found:
                head = self.phrases[last].modifier  # "PCIe and xGMI interconnects"
            if head is not None and not self.phrases[last].pronoun:
                found.append(head)
            stop = self._past_parenthesis(last + 1)
            index = stop
            while self._kind(index) in _LISTED:
                index += 1
            joined = {self._kind(i) for i in range(stop, index)}
            index = self._past_adverbs(index)
            if not joined or self._kind(index) != "noun" or self._pronoun(index) or self._has_verb(index):
                return tuple(found), stop
            if joined == {"comma"} and not self._goes_on(index):
                return tuple(found), stop

    def _goes_on(self, index: int) -> bool:
        """Return whether a conjunction closes the list that goes on at `index`; else a comma sets off an apposition."""
        for i in range(index, min(index + 40, len(self.phrases))):
            if self._kind(i) == "conjunction":
                return True
            if self._kind(i) not in {"noun", "comma", "preposition", "open", "close"}:
                return False
        return False

    def _measured(self, index: int) -> int:
        """Return the phrase that a noun phrase stands for: in "a list of guards", guards; in "tools such as X", X."""
        while (
            self.phrases[index].head is None
            and self.phrases[index].word in AMOUNTS
            and (self._kind(index + 1), self._kind(index + 2)) == ("preposition", "noun")
            and self.phrases[index + 1].word == "of"
        ):
            index += 2
        return self._exemplified(index)

    def _exemplified(self, index: int) -> int:
        """Return the first example of what a noun phrase without a concept means: X in "tools, such as X"."""
        place = index + 2 if self._kind(index + 1) == "comma" else index + 1
        named = self._kind(place) == "preposition" and self.phrases[place].word in _EXAMPLES
        generic = self.phrases[index].head is None and self.phrases[index].word not in _VAGUE
        return place + 1 if generic and named and self._kind(place + 1) == "noun" else index

    def _has_verb(self, index: int) -> bool:
        """Return whether a noun phrase is the subject of a verb that follows."""
        after = self._past_adverbs(self._measured(index) + 1)
        return self._kind(after) == "verb" and self.phrases[after].form in {"finite", "be", "passive", "modal"}

    def _past_adverbs(self, index: int) -> int:
        while self._kind(index) == "adverb":
            index += 1
        return index

    def _past_parenthesis(self, index: int) -> int:
        """Return the phrase after the short parenthesis that opens at `index`, else `index`."""
        if self._kind(index) == "open":
            for i in range(index + 1, min(index + 8, len(self.phrases))):
                if self._kind(i) == "close":
                    return i + 1
        return index

    def _kind(self, index: int) -> str:
        return self.phrases[index].kind if 0 <= index < len(self.phrases) else ""

    def _pronoun(self, index: int) -> bool:
        return self.phrases[index].pronoun
