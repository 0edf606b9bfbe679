"""The subjects of verbs: the nearest phrase to the left that can be one, and none where two readings are possible."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from torchatlas.extract.english import words
from torchatlas.extract.statements.phrases import AMOUNTS, Phrase

Places = tuple[int, ...]
Subject = tuple[Places, int]
"""The places of the concepts or the pronoun, and the word at which the subject begins."""
_FINITE = frozenset({"finite", "be", "passive"})
_CLAUSAL = words("before after than")
"""Prepositions that join clauses too: "before X runs"."""
_ENABLING = words("let allow permit enable help")
_AIMING = words("aim know try seek attempt need begin start continue proceed have learn")
"""Verbs whose subject does what the infinitive after them says: "aims to provide", "knows how to take"."""
_MAKING = words("add introduce implement write define insert propose develop install register set")
"""Verbs whose object does what the infinitive after it says: "adds a pass to lower it"."""
_ABLE = words("able free ready")
_SAYING = words("assume ensure mean know say note guarantee suppose show imply find see")


@dataclass(slots=True)
class Subjects:
    """The subjects of the verbs of one sentence. `found`: index of a verb -> its subject, from left to right."""

    phrases: Sequence[Phrase]
    found: dict[int, Subject] = field(default_factory=dict)

    def add(self, index: int) -> Subject:
        """Find, keep and return the subject of the verb at `index`; those of the verbs before it are known.

        Example: `Subjects(phrases).add(1)`
        """
        form, before = self.phrases[index].form, index - 1
        while before >= 0 and self._kind(before) == "adverb":
            before -= 1
        if before < 0:
            subject = None
        elif (enabling := self._enabling(before)) is not None:
            subject = self.found[enabling]
        elif form == "infinitive":
            subject = self._of_infinitive(before)
        elif form == "gerund":
            subject = self._of_gerund(before)
        elif form == "participle":
            subject = self._of_participle(before)
        else:
            subject = self._of_finite(before, self.phrases[index].base)
        self.found[index] = subject or ((), self.phrases[index].first)
        return self.found[index]

    def _enabling(self, before: int) -> int | None:
        """Return the verb that enables what a verb says: "lets you export", "allows us to export", "helps to"."""
        if self._kind(before) == "noun" and self.phrases[before].pronoun:
            before -= 1
        known = before in self.found and self.phrases[before].form in {"finite", "gerund"}
        return before if known and self.phrases[before].word in _ENABLING else None

    def _of_infinitive(self, before: int) -> Subject | None:
        """Return the subject of "aims to provide", "knows how to take", "is able to compile", "a pass to lower"."""
        if self._kind(before) == "break" and self.phrases[before].word == "how":
            before -= 1
        if self._kind(before) == "noun" and self.phrases[before].word in _ABLE:
            before -= 1
            return (
                self.found.get(before) if self._kind(before) == "verb" and self.phrases[before].form == "be" else None
            )
        if self._kind(before) == "noun":
            made = self._kind(before - 1) == "verb" and self.phrases[before - 1].word in _MAKING | _ENABLING
            return self._described(before) or (self._noun(before) if made else None)
        aims = self._kind(before) == "verb" and self.phrases[before].word in _AIMING
        return self.found.get(before) if aims else None

    def _of_gerund(self, before: int) -> Subject | None:
        """Return the subject of ", producing X", "by tracing X", "a pass converting X" or "and lowering X"."""
        phrase = self.phrases[before]
        if phrase.kind == "comma" or (phrase.kind, phrase.word) == ("preposition", "by"):
            main = self._earlier(before, {"finite", "be", "passive", "infinitive"})
            acts = main is not None and self.phrases[main].form in {"finite", "infinitive"}
            return self.found[main] if main is not None and acts else None
        if phrase.kind == "conjunction":
            main = self._earlier(before, {"gerund"})
            return self.found[main] if main is not None else None
        return self._noun(before) if phrase.kind == "noun" and self._kind(before - 1) != "preposition" else None

    def _of_participle(self, before: int) -> Subject | None:
        """Return the subject of "X emitted by Y", "X, written in Y" or "and compiled by Y"."""
        if self._kind(before) == "conjunction":
            main = self._earlier(before, {"passive", "participle"})
            return self.found[main] if main is not None else None
        set_off = self._kind(before) == "comma"
        noun = before - 1 if set_off else before
        if self._kind(noun) != "noun":
            return None
        plain = not set_off or self._kind(noun - 1) != "preposition"
        return self._described(noun) or (self._noun(noun) if plain else None)

    def _of_finite(self, before: int, base: bool) -> Subject | None:
        kind = self._kind(before)
        if kind == "relative":  # "who" is a person
            return self._of_relative(before - 1) if self.phrases[before].word != "who" else None
        if kind == "conjunction":
            return self._shared(before, base)
        if kind == "close":
            before = self._opening(before) - 1
        elif kind == "comma" and (inserted := self._before_insertion(before)) >= 0:
            before = inserted
        elif kind == "comma":
            return self._shared(before, base) if self._after_clause(before) else None
        return self._whole(before) if self._kind(before) == "noun" else None

    def _of_relative(self, before: int) -> Subject | None:
        """Return what "which" or "that" stands for."""
        set_off = self._kind(before) in {"comma", "open"}
        if set_off:
            before -= 1
        if self._kind(before) == "close":
            before = self._opening(before) - 1
        if self._kind(before) == "verb" and self.phrases[before].form == "be":  # "X is what backs Y"
            return self.found.get(before)
        if self._kind(before) != "noun":
            return None
        plain = set_off or not self._ambiguous(before)
        return self._described(before) or (self._noun(before) if plain else None)

    def _ambiguous(self, noun: int) -> bool:
        """Return whether a clause may describe a noun before this one: "a pass in X that", not "a pass in a tool"."""
        before = noun - 2
        joined = self._kind(before) == "noun" and self._kind(noun - 1) == "preposition"
        own = self.phrases[noun].indefinite or self.phrases[noun - 1].word == "as"
        return joined and not own and not self._measures(before)

    def _measures(self, noun: int) -> bool:
        return noun >= 0 and self.phrases[noun].head is None and self.phrases[noun].word in AMOUNTS

    def _described(self, noun: int) -> Subject | None:
        """Return the subject that a noun describes: X in "X is a pass that", "X: a pass that" or "X, a pass that"."""
        first = self._chain(noun)
        copula = first - 1
        if self._kind(copula) == "comma" and self.phrases[first].indefinite and self._kind(copula - 1) == "noun":
            named, opening = self._noun(copula - 1), copula == 2 and self._kind(0) == "preposition"
            return named if named[0] and not opening and not self.phrases[copula - 1].pronoun else None
        if self._kind(copula) == "break" and self.phrases[copula].word == ":" and self._kind(copula - 1) == "noun":
            return self._noun(copula - 1)
        is_copula = self._kind(copula) == "verb" and self.phrases[copula].form == "be"
        found = self.found.get(copula) if is_copula and self.phrases[first].determined else None
        return found if found and found[0] else None

    def _shared(self, before: int, base: bool) -> Subject | None:
        """Return the subject that the verb shares with the verb before a conjunction, within a parenthesis.

        A verb in its `base` form may go on an infinitive: "is made to lower X and fuse Y".
        """
        closed = 0
        for i in range(before, -1, -1):
            closed += {"close": 1, "open": -1}.get(self._kind(i), 0)
            if closed < 0:
                break
            if i in self.found and self.phrases[i].form in _FINITE | ({"infinitive"} if base else set()):
                return self.found[i]
            if self._kind(i) == "break":
                break
        return None

    def _whole(self, noun: int) -> Subject | None:
        """Return the subject that ends with a noun phrase: the first noun of "the output of X", all of "X, Y and Z"."""
        first = self._chain(noun)
        if first < 0 or self._of_doing(first - 1):
            return None
        if self._kind(first - 1) == "verb" and self._kind(first - 2) == "relative":
            return self.found.get(first - 1)  # "a pass that lowers X uses Y"
        if first == noun:
            return self._coordinated(noun)
        return self._noun(noun if self._measures(first) and noun == first + 2 else first, first)

    def _of_doing(self, verb: int) -> bool:
        """Return whether a verb takes a noun as its object: X in "clients using X", but not in "assuming X"."""
        gerund = self._kind(verb) == "verb" and self.phrases[verb].form == "gerund"
        return gerund and self.phrases[verb].word not in _SAYING

    def _chain(self, noun: int) -> int:
        """Return the first noun phrase of those that prepositions join, up to `noun`; -1 where a preposition opens."""
        while self._kind(noun - 1) == "preposition" and self.phrases[noun - 1].word not in _CLAUSAL:
            noun -= 2
            if self._kind(noun) != "noun":
                return -1
        return noun

    def _coordinated(self, last: int) -> Subject:
        """Return the concepts that conjunctions join with the one at `last`. A comma and "and" may join two clauses."""
        heads, first, joined = [last], last, False
        while self._kind(first - 1) in {"comma", "conjunction"}:
            left, kinds = first - 1, set()
            while self._kind(left) in {"comma", "conjunction"}:
                kinds.add(self._kind(left))
                left -= 1
            two = not joined and kinds == {"comma", "conjunction"} and self._kind(left - 1) != "comma"
            if self._kind(left) != "noun" or two or not (joined or "conjunction" in kinds):
                break
            heads, first, joined = [left, *heads], left, True
        if first != last and self._kind(first - 1) in {"verb", "preposition"}:
            heads, first = [last], last
        places = tuple(head for i in heads if (head := self.phrases[i].head) is not None)
        return places, self.phrases[first].first

    def _noun(self, index: int, first: int | None = None) -> Subject:
        head = self.phrases[index].head
        return () if head is None else (head,), self.phrases[index if first is None else first].first

    def _earlier(self, before: int, forms: set[str]) -> int | None:
        return next((i for i in range(before, -1, -1) if i in self.found and self.phrases[i].form in forms), None)

    def _after_clause(self, comma: int) -> bool:
        """Return whether a comma follows a finite verb and its object, and so may join a second verb to it."""
        return any(i in self.found and self.phrases[i].form == "finite" for i in range(comma))

    def _before_insertion(self, comma: int) -> int:
        """Return the noun phrase before the insertion that a comma closes: X where "X, a tracer, uses"; else -1."""
        for i in range(comma - 1, 0, -1):
            if self._kind(i) == "comma":
                inner = self.phrases[i + 1]
                listed = inner.kind == "noun" and not inner.determined and inner.head is not None
                verb = inner.kind == "verb" and inner.form in {"participle", "gerund"}  # "add X, use Y" commands twice
                apart = verb or (inner.kind in {"noun", "relative", "preposition"} and not listed)
                return i - 1 if apart and self._kind(i - 1) == "noun" else -1
        return -1

    def _opening(self, close: int) -> int:
        return next((i for i in range(close, -1, -1) if self._kind(i) == "open"), 0)

    def _kind(self, index: int) -> str:
        return self.phrases[index].kind if 0 <= index < len(self.phrases) else ""
