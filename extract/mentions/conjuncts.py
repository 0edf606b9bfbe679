"""Conjuncts: terms that share a head, "forward/backward graphs", "static, dynamic and lexical scoping"."""

import re
from bisect import bisect_right
from collections.abc import Callable

from torchatlas.extract.mentions.noun_phrases import Named
from torchatlas.extract.pieces import TextPieces

_JOINS = ("and", "or", "/", "versus", "vs", "vs.", "&", "nor")
_LONGEST_JOIN = max(map(len, _JOINS)) + 1
_JOINED = re.compile(r"(?:(?<![a-z])(?:and|n?or|versus|vs\.?)|[/&])\Z")


def with_conjuncts(read: TextPieces, found: list[Named], concept_of: Callable[[str], str | None]) -> list[Named]:
    """Return `found` and the bare modifiers that share the head of what follows them, in order.

    `found`: in order and without overlap. `concept_of`: gives the concept that a phrase in lower case names. A modifier
    replaces a mention in its place.
    Example: in "forward/backward graphs" with "backward graphs" found, "forward" is added as "forward graphs".
    """
    text = read.text
    joined = [(a, b) for a, b, _ in found if _may_be_joined(text, a) and not text[a:b].isalpha()]
    if not joined:
        return found
    tokens, more = read.tokens, dict[tuple[int, int], str]()
    for start, end in joined:
        first, after = tokens.covering(start, end)
        if after - first < 2 or first < 2 or tokens.words[first - 1] not in _JOINS:
            continue
        tail = " ".join(tokens.written(first + 1, after).lower().split())
        place = first - 2
        while place >= 0 and (concept := concept_of(f"{tokens.words[place]} {tail}")):
            more[tokens.span(place, place + 1)] = concept
            place -= 2
            if place < 0 or tokens.words[place + 1] != ",":
                break
    if not more:
        return found
    starts = [start for start, _, _ in found]

    def is_free(span: tuple[int, int]) -> bool:
        i = bisect_right(starts, span[0]) - 1
        return i < 0 or found[i][1] <= span[0] or found[i][:2] == span

    free = {span: concept for span, concept in more.items() if is_free(span)}
    kept = [m for m in found if m[:2] not in free]
    return sorted(kept + [(start, end, concept) for (start, end), concept in free.items()])


def _may_be_joined(text: str, start: int) -> bool:
    """Return whether a word that joins two may stand before text[start:]. To list the tokens takes longer."""
    before = text[max(0, start - _LONGEST_JOIN) : start].rstrip().lower()
    return before.endswith(_JOINS) and _JOINED.search(before) is not None
