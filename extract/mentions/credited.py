"""People whom a feed credits: a text that names them names no concept there."""

import re
from collections.abc import Container, Sequence

from torchatlas.extract.mentions.noun_phrases import Span


def without_people(text: str, places: list[Span], people: Sequence[str], known: Container[str]) -> list[Span]:
    """Return the places without those in a person's whole name, and those that are a part of one and nothing `known`.

    `people`: whole names; `known`: ids of concepts, which may be called as somebody is.

    >>> without_people("Owls of Finch", [Span(0, 4, "owl", ""), Span(8, 13, "finch", "")], ["Ada Finch"], ())
    [Span(start=0, end=4, concept='owl', part='')]
    """
    if not places or not people:
        return places
    said = (m.span() for name in people if name in text for m in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text))
    named = {place for start, end in said for place in range(start, end)}
    parts = {part for name in people for part in name.split()}
    return [
        p
        for p in places
        if named.isdisjoint(range(p.start, p.end))
        and (p.concept in known or not parts.issuperset(text[p.start : p.end].split()))
    ]
