"""Coordination: entities that share a place in a sentence, "DTensor, FP8 and nested tensors", and what heads one."""

from collections.abc import Mapping, Sequence

from torchatlas.extract.english import words
from torchatlas.extract.statements.entities import Entity
from torchatlas.extract.statements.patterns import ENTITY, TITLE

_LIST = frozenset({",", "and", "or", "/", "&"})
_JOINS = _LIST | words("as well both the a an for also our some several set list bunch of")
_LEFT_JOINS = _LIST | words("the a an both our")
_FINITE = words(
    """is are was were has have had does do did can will uses use produces lets allows runs works provides means takes
    makes gives needs relies generates decides happens comes goes returns calls helps"""
)
AFTER = words(
    """. , ; : ! ) ( - – — … and or / & as for in on to with from by of via using which that when while because without
    so but through into at under before after is first next • ?"""
)
"""Words and marks that may follow a noun phrase."""
_OF = words("of on in for with by from to about at into inside between than like without via using through against")
_SOME = words("most all much many some part parts lot rest bits majority half each one both kinds number variety")


def conjuncts_after(sentence: Sequence[str], at: Mapping[int, Entity], index: int) -> list[int]:
    """Return the words that are entities coordinated with the one at `index`, to its right.

    `at`: the entities by the index of their word. The address of an episode needs no comma before it.
    Example: in "uses A, B and C" the conjuncts after A are the indices of B and C.
    """
    found: list[int] = []
    listed = at[index].page
    for place in range(index + 1, len(sentence)):
        word = sentence[place]
        if place in at:
            page = at[place].page
            if not (listed or page) or (place + 1 < len(sentence) and not page and _goes_on(sentence, at, place + 1)):
                break  # something else goes on here: "..., and Inductor lowers it"
            found.append(place)
            listed = page
        elif word in {"(", ")"} and any(i in at and at[i].page for i in (place - 1, place + 1)):
            continue
        elif word in _JOINS:
            listed = listed or word in _LIST or word == "well"
        else:
            break
    return found


def conjuncts_before(sentence: Sequence[str], at: Mapping[int, Entity], index: int) -> list[int]:
    """Return the words that are entities coordinated with the one at `index`, to its left.

    Two entities that a comma and "and" join belong to two clauses.
    Example: in "both A and B use C" the conjunct before B is the index of A.
    """
    found: list[int] = []
    marks: set[str] = set()
    for place in range(index - 1, -1, -1):
        if place in at:
            joined = marks & _LIST and (found or marks & {"and", "or", "/", "&"})
            clauses = not found and {"and", ","} <= marks and not (sentence[place - 1] == "," and place - 2 in at)
            if not joined or clauses:
                break
            found.append(place)
            marks = set()
        elif sentence[place] in _LEFT_JOINS:
            marks.add(sentence[place])
        else:
            break
    return found


def opens_clause(sentence: Sequence[str], place: int) -> bool:
    """Return whether a finite verb stands at `place`, so that what is before it is the subject of a clause.

    >>> opens_clause(["inductor", "uses", "triton"], 1)
    True
    """
    return place < len(sentence) and sentence[place] in _FINITE


def _goes_on(sentence: Sequence[str], at: Mapping[int, Entity], place: int) -> bool:
    return sentence[place] not in AFTER and not (place in at and at[place].page)


def heads_phrase(words: Sequence[str], place: int) -> bool:
    """Return whether the entity at `place` heads its phrase and is not within another one: "a bug in the new Dynamo".

    >>> heads_phrase(["a", "bug", "in", "the", "new", ENTITY], 5), heads_phrase(["most", "of", ENTITY], 2)
    (False, True)
    """
    for i in range(place - 1, max(-1, place - 4), -1):
        word = words[i]
        if word in _OF:
            return word == "of" and i > 0 and words[i - 1] in _SOME
        if not word.isalpha() or word in {ENTITY, TITLE, "and", "or", "that", "how", "where", "when"}:
            break
    return True
