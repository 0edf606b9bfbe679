"""The notation of the table of relations, and how a row of it becomes a pattern for spaCy's Matcher.

A row is a line of words:

`A`, `B`, `C`   entities in the order of the text: concepts, and in rows about episodes also titles
`V`             one more entity that stands in the way: "export" as a verb, a name before a name
`P|A`           a pronoun or an entity
`x|y`, `x?`     either word; a word that may be missing
`~3`            up to three words of a noun phrase
`^3`, `*3`      up to three adverbs and auxiliaries; the same with forms of "be"
`!x|y`, `$`     at the end: neither word follows; the noun phrase ends here
`USE`           other capitals: a group of words; of a group of verbs the finite forms
`USE-ed`        their past participles; `USE-ing`: their present participles
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from torchatlas.extract.english import words
from torchatlas.extract.inflection import conjugated

ENTITY: Final = "\ue000"
TITLE: Final = "\ue001"
ANAPHOR: Final = "\ue002"
"""Stands for "this mechanism", "that idea"."""
PRONOUNS: Final = ("it", "they", "this", "these", ANAPHOR)
SLOTS: Final = "ABCV"
# verb: past, participle, and the present participle where that is irregular too
_IRREGULAR: Final = {
    "build": "built built", "draw": "drew drawn", "drive": "drove driven", "emit": "emitted emitted emitting",
    "feed": "fed fed", "give": "gave given", "grow": "grew grown", "make": "made made", "read": "read read",
    "rewrite": "rewrote rewritten", "send": "sent sent", "split": "split split", "take": "took taken",
    "underlie": "underlay underlain underlying", "write": "wrote written",
}  # fmt: skip
NOT_IN_PHRASE: Final = sorted(
    {ENTITY, TITLE}
    | words(", ; : ( ) – — • . ? ! / and but not n't never no which that who when where while because if or is are was")
    | words("were to than then so for with without from by into versus vs vs. about")
)
_ADVERBS: Final = (
    "also|then|just|now|always|often|still|first|itself|themselves|all|both|each|today|already|even|again|hence|thus|"
    "will|can|does|do|did|has|have|had"
)
_BEING: Final = "is|are|was|were|be|been|being|'s|'re|gets|get|got"
COMMON: Final = frozenset({*NOT_IN_PHRASE, *_ADVERBS.split("|"), *_BEING.split("|")})
"""Words that mean something to a row without standing in it."""
_FILLERS: Final = {
    "~": rf"(?!(?:{'|'.join(map(re.escape, NOT_IN_PHRASE))})(?!\S))\S+",
    "^": rf"(?:\w+ly|{_ADVERBS})",
    "*": rf"(?:\w+ly|{_ADVERBS}|{_BEING})",
}
"""The signs for words that may be missing -> a regular expression for such a word."""


def verbs(group: str) -> tuple[str, str, str]:
    """Return the finite forms of a group of verbs, their past participles and their present participles, as choices.

    >>> verbs("use emit")
    ('use|uses|used|emit|emits|emitted', 'used|emitted', 'using|emitting')
    """
    finite, participles, present = [], [], []
    for verb in group.split():
        _, third, regular, ing = conjugated(verb)
        before, participle, *irregular = _IRREGULAR.get(verb, f"{regular} {regular}").split()
        finite += [verb, third, before]
        participles.append(participle)
        present += irregular or [ing]
    return "|".join(dict.fromkeys(finite)), "|".join(participles), "|".join(present)


class Notation:
    """A reader of rows. `groups`: name of a group of words -> choices. `actions`: name of a group of verbs -> verbs.

    >>> Notation({"BE": "is|are"}, {"USE": "use"}).choices("BE|USE-ed")
    (False, ('is', 'are', 'used'))
    """

    def __init__(self, groups: Mapping[str, str], actions: Mapping[str, str]) -> None:
        self.groups = {**groups, "P": "|".join(PRONOUNS), **dict.fromkeys(SLOTS, f"{ENTITY}|{TITLE}")}
        for name, group in actions.items():
            self.groups |= zip((name, f"{name}-ed", f"{name}-ing"), verbs(group), strict=True)

    def compiled(self, row: str) -> list[dict[str, Any]]:
        """Return a row as a pattern for spaCy's Matcher over the words of a sentence, in which ENTITY is one word.

        Example: `Matcher(vocab).add("use", [notation.compiled("A USE B")])`
        """
        pattern: list[dict[str, Any]] = []
        for least, most, choices in self._parts(row):
            one = {"REGEX": f"^{choices}$"} if isinstance(choices, str) else {"IN": list(choices)}
            pattern += [{"LOWER": one} | ({} if least else {"OP": "?"})] * most
        return pattern

    def gate(self, row: str) -> re.Pattern[str]:
        """Return a regular expression over `spaced` words that matches where the Matcher does, and says no far faster.

        >>> bool(Notation({}, {}).gate("A uses ~1 B").search(spaced([ENTITY, "uses", "the", ENTITY])))
        True
        """
        parts = ""
        for least, most, choices in self._parts(row):
            one = choices if isinstance(choices, str) else "|".join(map(re.escape, choices))
            parts += f"(?:(?:{one}) ){{{least},{most}}}"
        return re.compile(rf"(?<!\S){parts}")

    def required(self, row: str) -> tuple[frozenset[str], ...]:
        """Return groups of words; a sentence that matches has one word of each.

        The group with the longest words comes first, because short words are in every sentence.

        >>> [sorted(group) for group in Notation({}, {}).required("A by|via ~2 calling B")]
        [['calling'], ['by', 'via']]
        """
        needed = {frozenset(choices) for least, _, choices in self._parts(row) if least and ENTITY not in choices}
        return tuple(sorted(needed, key=lambda group: (-min(map(len, group)), sorted(group))))

    def _parts(self, row: str) -> Iterator[tuple[int, int, str | tuple[str, ...]]]:
        """Yield how often a part may stand at least and at most, and its choices, of a filler a regular expression."""
        for word in row.split():
            if word[0] in _FILLERS:
                yield 0, int(word[1:]), _FILLERS[word[0]]
            elif word[0] not in "!$":
                optional, choices = self.choices(word)
                yield 0 if optional else 1, 1, choices

    def choices(self, word: str) -> tuple[bool, tuple[str, ...]]:
        """Return whether a word of a row may be missing, and its choices with groups written out.

        Example: `notation.choices("use|call?")` is `(True, ("use", "call"))`.
        """
        optional = word.endswith("?") and len(word) > 1
        parts = word.removesuffix("?").split("|")
        return optional, tuple(choice for part in parts for choice in self.groups.get(part, part).split("|"))

    def literal(self, row: str) -> frozenset[str]:
        """Return all words that the row itself names.

        >>> sorted(Notation({}, {}).literal("A by|via ~2 B"))
        ['by', 'via', '\\ue000', '\\ue001']
        """
        named = (choices for _, _, choices in self._parts(row) if not isinstance(choices, str))
        return frozenset(word for choices in named for word in choices)

    def refused(self, row: str) -> frozenset[str]:
        """Return the words that may not follow.

        >>> sorted(Notation({}, {}).refused("A replaces B !with|by"))
        ['by', 'with']
        """
        return frozenset(choice for word in row.split() if word[0] == "!" for choice in self.choices(word[1:])[1])


def slots(row: str) -> str:
    """Return the letters of a row's entities, in order.

    >>> slots("P|A uses ~2 B")
    'AB'
    """
    parts = (word.removesuffix("?").split("|")[-1] for word in row.split())
    return "".join(part for part in parts if part in SLOTS and part)


def spaced(words: Iterable[str]) -> str:
    """Return words as `Notation.gate` reads them: each with a space behind it.

    >>> spaced(["a", "b"])
    'a b '
    """
    return "".join(f"{word} " for word in words)
