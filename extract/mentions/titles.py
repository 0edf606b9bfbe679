"""Titles: they name the terms that their text makes, and say too little to make them themselves."""

import re
from collections.abc import Container, Sequence

from torchatlas.extract.mentions.boundaries import stands_alone
from torchatlas.extract.mentions.noun_phrases import Span, term_id

_WORD = re.compile(r"[A-Za-z][a-z0-9]+(?:-[a-z0-9]+)*")


def with_terms(title: str, known: Sequence[Span], terms: Container[str]) -> list[Span]:
    """Return the known places of a title, and where else a word of it is one of these concepts, in order.

    >>> with_terms("Scan purelibs last", [], {"purelib"})
    [Span(start=5, end=13, concept='purelib', part='')]
    """
    words = (Span(*m.span(), term_id(m[0])) for m in _WORD.finditer(title))
    free = (p for p in words if not any(k.start < p.end and p.start < k.end for k in known))
    return sorted([*known, *(p for p in free if p.concept in terms and stands_alone(title, p.start, p.end))])
