"""Fields: which plain words count in a text depends on what the text is about.

In a text on another field than the vocabulary's, the key words of fields count where nothing else is named:
"transaction", "exemplar". A plain word that means a concept only within texts of the vocabulary's field does not:
"latency", "nightly".
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set

from torchatlas.extract.mentions.forms import IN_TEXTS, Form
from torchatlas.extract.mentions.noun_phrases import Named, Span

_PER_NAME = 18
"""A text with more words for each name of the vocabulary is on another field. Shorter ones do not tell: titles."""
COVERING = 300
"""So many concepts cover a field. That a text names little of a smaller vocabulary does not tell what it is about."""
_JOINT = re.compile(r"[-/.]\w")
_PLAIN = re.compile(r"[A-Za-z]?[a-z]+")


def is_elsewhere(named: Iterable[Named], own: Set[str], words: int) -> bool:
    """Return whether a text of so many words is on another field than the vocabulary. `own`: the vocabulary's ids.

    >>> is_elsewhere([(0, 4, "vmap")], {"vmap"}, 18), is_elsewhere([(0, 4, "vmap")], {"vmap"}, 19)
    (False, True)
    """
    return max(1, sum(concept in own for _, _, concept in named)) * _PER_NAME < words


def is_doubtful(written: str, forms: Mapping[str, Sequence[Form]]) -> bool:
    """Return whether a plain word means its concept in texts of the vocabulary's field alone, or is short for a name.

    `forms`: all forms of the vocabulary by their text in lower case.

    >>> is_doubtful("latency", {"latency": [Form("latency", "latency-throughput", rank=IN_TEXTS)]})
    True
    """
    known = forms.get(written.lower())
    return _PLAIN.fullmatch(written) is not None and (known is None or known[0].rank == IN_TEXTS)


def is_joined(text: str, start: int, end: int) -> bool:
    """Return whether a sign joins text[start:end] to another word.

    >>> is_joined("the x-compressor", 6, 16), is_joined("the compressor", 4, 14)
    (True, False)
    """
    return text[start - 1 : start] in {"-", "/", "."} or _JOINT.match(text, end) is not None


def beside(found: Sequence[Span], more: Iterable[Span]) -> list[Span]:
    """Return the mentions with those of `more` that overlap none of them, in order.

    >>> beside([Span(0, 4, "vmap")], [Span(0, 9, "vmap-rule"), Span(10, 14, "span")])[1].concept
    'span'
    """
    taken = {place for span in found for place in range(span.start, span.end)}
    return sorted([*found, *(span for span in more if taken.isdisjoint(range(span.start, span.end)))])
