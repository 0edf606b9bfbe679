"""Assertion: whether a sentence states something, or asks, denies or doubts it."""

import re
from collections.abc import Sequence
from itertools import pairwise

from torchatlas.extract.english import words
from torchatlas.graph.values.findings import StatementRelation

_NEGATIONS = words("not n't n’t never no nothing neither nor without cannot nobody hardly longer")
_MODALS = words("might may could would should probably perhaps maybe")
_REPAIRING = words("fix fixes fixed fixing")
_UNREAL = words("would could might")
_HEDGES = _MODALS | words(
    """possibly if whether why suppose imagine wish wonder wondered hypothetically hopefully unless
    previously formerly"""
)
_TELLING = words("explain explains explained discuss discusses describe describes about see understand reason")
_RELEASING = re.compile(
    r"\b(?:do(?:es)? (?:not|n't|n’t) (?:listen|hear|watch|need|have|bother|worry|matter)|need (?:not|n't|n’t)"
    r"|no (?:need|problem|worries|matter)|never mind) "
)
"""Words that take advice back: "do not listen to it first"."""
_AUXILIARIES = words("is are was were does do did can could should would will has have had might am 's ’s")
_ASKING = words("what why how when where which who whose")
_CLAUSE_ENDS = words(", ; : ( ) — – -")


def asks(sentence: Sequence[str]) -> bool:
    """Return whether a sentence is a question, by its mark or by its order of words.

    >>> asks(["does", "it", "work"]), asks(["it", "works"])
    (True, False)
    """
    asking = sentence[0] in _ASKING and len(sentence) > 1 and sentence[1] in _AUXILIARIES
    return asking or sentence[0] in _AUXILIARIES or "?" in sentence[-3:]


def asserted(
    sentence: Sequence[str],
    start: int,
    end: int,
    *,
    relation: StatementRelation,
    about_episodes: bool = False,
    said: frozenset[str] = frozenset(),
) -> bool:
    """Return whether nothing in the clause of the words `start` to `end` denies them or casts doubt on them.

    Advice on episodes may be hedged, and so may what one should know or could use instead; words that follow may take
    advice back. `said`: words that belong to what is stated.

    >>> asserted(["it", "never", "uses", "x"], 0, 4, relation="USES")
    False
    """
    if relation in {"LISTEN_AFTER", "LISTEN_BEFORE"} and _RELEASING.search(" ".join([*sentence[end:], ""])):
        return False
    begin = start
    while begin and sentence[begin - 1] not in _CLAUSE_ENDS:
        begin -= 1
    if relation == "USES" and " can be used " in " ".join(["", *sentence[begin:end], ""]):
        return False  # by somebody, some day
    if not about_episodes and sentence[0] in _REPAIRING:
        return False  # what was wrong before
    if not about_episodes and sentence[end : end + 1] and sentence[end] in _UNREAL:
        return False  # "lowering it before fusion would lose types"
    doubt = _NEGATIONS if about_episodes else _NEGATIONS | _HEDGES
    if relation in {"ALTERNATIVE_TO", "REQUIRES_KNOWING"}:
        doubt -= _MODALS
    if any(word in _TELLING and after == "why" for word, after in pairwise(sentence[begin:end])):
        doubt -= {"why"}
    return doubt.isdisjoint({*sentence[begin:end], *sentence[:2]} - said)
