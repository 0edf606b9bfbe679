"""The notation that relations are written in, and how a row of it becomes a pattern for spaCy's Matcher.

A row is a line of words. `A`, `B`, `C` are things that the text names (concepts; in rows about episodes also titles) in
the order of the text, `V` one more that stands in the way ("export" as a verb, a name before a name); `P|A` may also be
a pronoun. `x|y` is either word, `x?` may be missing. `~3` stands for up to three words of a noun phrase, `^3` for up to
three adverbs and auxiliaries, `*3` the same with forms of "be". At the end `!x|y` says that neither word follows, `$`
that the noun phrase ends here. Other capitals are groups of words: `USE` the finite forms of a group of verbs, `USE-ed`
their participles, `USE-ing` their present participles.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from torchatlas.extract.english import past, present_participle, third_person, words

THING: Final = "\ue000"
TITLE: Final = "\ue001"
ANAPHOR: Final = "\ue002"
"""Stands for "this mechanism", "that idea"."""
PRONOUNS: Final = ("it", "they", "this", "these", ANAPHOR)
SLOTS: Final = "ABCV"
_IRREGULAR: Final[Mapping[str, tuple[str, ...]]] = {
    # verb: past, participle, present participle
    "back": ("backed", "backed", "backing"),
    "build": ("built", "built", "building"),
    "draw": ("drew", "drawn", "drawing"),
    "drive": ("drove", "driven", "driving"),
    "emit": ("emitted", "emitted", "emitting"),
    "feed": ("fed", "fed", "feeding"),
    "give": ("gave", "given", "giving"),
    "grow": ("grew", "grown", "growing"),
    "hand": ("handed", "handed", "handing"),
    "make": ("made", "made", "making"),
    "read": ("read", "read", "reading"),
    "rewrite": ("rewrote", "rewritten", "rewriting"),
    "send": ("sent", "sent", "sending"),
    "split": ("split", "split", "splitting"),
    "take": ("took", "taken", "taking"),
    "underlie": ("underlay", "underlain", "underlying"),
    "wrap": ("wrapped", "wrapped", "wrapping"),
    "write": ("wrote", "written", "writing"),
}
NOT_IN_PHRASE: Final = sorted(
    {THING, TITLE}
    | words(", ; : ( ) – — • . ? ! / and but not n't never no which that who when where while because if or is are was")
    | words("were to than then so for with without from by into versus vs vs. about")
)
_ADVERBS: Final = (
    "also|then|just|now|always|often|still|first|itself|themselves|all|both|each|today|already|even|again|hence|thus|"
    "will|can|does|do|did|has|have|had"
)
_BEING: Final = "is|are|was|were|be|been|being|'s|'re|gets|get|got"
_ADVERB: Final = rf"(?:\w+ly|{_ADVERBS})"
_PASSIVE: Final = rf"(?:\w+ly|{_ADVERBS}|{_BEING})"
COMMON: Final = frozenset({*NOT_IN_PHRASE, *_ADVERBS.split("|"), *_BEING.split("|")})
"""Words that mean something to a row without standing in it."""
_FILLERS: Final = "~^*"
_REFUSALS: Final = "!$"


def verbs(group: str) -> tuple[str, str, str]:
    """A group of verbs as choices: their finite forms, their past participles, their present participles."""
    finite, participles, present = [], [], []
    for verb in group.split():
        before, participle, ing = _IRREGULAR.get(verb, (past(verb), past(verb), present_participle(verb)))
        finite += [verb, third_person(verb), before]
        participles.append(participle)
        present.append(ing)
    return "|".join(dict.fromkeys(finite)), "|".join(participles), "|".join(present)


class Notation:
    """Reads rows. `groups`: name of a group of words -> its choices; `actions`: name of a group of verbs -> verbs."""

    def __init__(self, groups: Mapping[str, str], actions: Mapping[str, str]) -> None:
        self.groups = {**groups, "P": "|".join(PRONOUNS), **dict.fromkeys(SLOTS, f"{THING}|{TITLE}")}
        for name, group in actions.items():
            self.groups |= zip((name, f"{name}-ed", f"{name}-ing"), verbs(group), strict=True)

    def compiled(self, row: str) -> list[dict[str, Any]]:
        """A row as a pattern for spaCy's Matcher over a sentence's words, THING standing for what it names."""
        pattern: list[dict[str, Any]] = []
        for word in row.split():
            if word[0] in _REFUSALS:
                continue
            if word[0] == "~":
                pattern += [{"LOWER": {"NOT_IN": NOT_IN_PHRASE}, "OP": "?"}] * int(word[1:])
            elif word[0] in _FILLERS:
                filler = _ADVERB if word[0] == "^" else _PASSIVE
                pattern += [{"LOWER": {"REGEX": f"^{filler}$"}, "OP": "?"}] * int(word[1:])
            else:
                optional, choices = self.choices(word)
                pattern.append({"LOWER": {"IN": list(choices)}} | ({"OP": "?"} if optional else {}))
        return pattern

    def gate(self, row: str) -> re.Pattern[str]:
        """The same row over `spaced` words. It finds something where the Matcher does, and says no far faster."""
        parts, stop = "", "|".join(map(re.escape, NOT_IN_PHRASE))
        for word in row.split():
            if word[0] in _REFUSALS:
                continue
            if word[0] == "~":
                parts += rf"(?:(?!(?:{stop}) )\S+ ){{0,{word[1:]}}}"
            elif word[0] in _FILLERS:
                parts += rf"(?:{_ADVERB if word[0] == '^' else _PASSIVE} ){{0,{word[1:]}}}"
            else:
                optional, choices = self.choices(word)
                parts += f"(?:(?:{'|'.join(map(re.escape, choices))}) ){'?' if optional else ''}"
        return re.compile(rf"(?<!\S){parts}")

    def required(self, row: str) -> tuple[frozenset[str], ...]:
        """Groups of words of which a sentence must have one each to match; first the one with the longest words,
        because short ones are in every sentence."""
        groups = [self.choices(word) for word in row.split() if word[0] not in _FILLERS + _REFUSALS]
        needed = {frozenset(choices) for optional, choices in groups if not optional and THING not in choices}
        return tuple(sorted(needed, key=lambda group: (-min(map(len, group)), sorted(group))))

    def choices(self, word: str) -> tuple[bool, tuple[str, ...]]:
        """Whether a word of a row may be missing, and its choices, groups written out."""
        optional = word.endswith("?") and len(word) > 1
        parts = word.removesuffix("?").split("|")
        return optional, tuple(choice for part in parts for choice in self.groups.get(part, part).split("|"))

    def literal(self, row: str) -> frozenset[str]:
        """All words that a row itself may match."""
        return frozenset(
            choice for word in row.split() if word[0] not in _FILLERS + _REFUSALS for choice in self.choices(word)[1]
        )

    def refused(self, row: str) -> frozenset[str]:
        """The words that may not follow."""
        return frozenset(choice for word in row.split() if word[0] == "!" for choice in self.choices(word[1:])[1])


def slots(row: str) -> str:
    """The letters of a row's things, in order."""
    parts = (word.removesuffix("?").split("|")[-1] for word in row.split())
    return "".join(part for part in parts if part in SLOTS and part)


def spaced(words: Iterable[str]) -> str:
    """Words as `Notation.gate` reads them: each with a space behind it."""
    return "".join(f"{word} " for word in words)
