"""Conjuncts: terms that share a head, "forward/backward graphs", "static, dynamic and lexical scoping"."""

from collections.abc import Callable

from torchatlas.extract.tokens import Tokens

TokenSpans = list[tuple[int, int, str]]
"""(first token, token after the last, concept id), in the order of the text."""

_JOINS = frozenset({"and", "or", "/", "versus", "vs", "vs.", "&", "nor"})


def with_conjuncts(tokens: Tokens, found: TokenSpans, concept_of: Callable[[str], str | None]) -> TokenSpans:
    """Return `found` and the bare modifiers that share the head of what follows them.

    `concept_of`: gives the concept that a phrase in lower case names. A modifier replaces a mention in its place.
    Example: in "forward/backward graphs" with "backward graphs" found, "forward" is added as "forward graphs".
    """
    more: dict[tuple[int, int], str] = {}
    for start, end, _ in found:
        if end - start < 2 or start < 2 or tokens.words[start - 1] not in _JOINS:
            continue
        tail = " ".join(tokens.written(start + 1, end).lower().split())
        place = start - 2
        while place >= 0 and (concept := concept_of(f"{tokens.words[place]} {tail}")):
            more[place, place + 1] = concept
            place -= 2
            if place < 0 or tokens.words[place + 1] != ",":
                break
    if not more:
        return found
    free = {span: c for span, c in more.items() if not any(a <= span[0] < b for a, b, _ in found if (a, b) != span)}
    kept = [m for m in found if m[:2] not in free]
    return sorted(kept + [(start, end, concept) for (start, end), concept in free.items()])
