"""The names of concepts that stand in a question, word for word."""

from collections.abc import Collection, Iterator

from torchatlas.graph.answers.named import Names
from torchatlas.graph.answers.query_words import telling
from torchatlas.graph.values.names import fold, words

_LONGEST = 6  # words of a name
_SHORTEST = 2  # letters of a name

Contained = dict[str, frozenset[str]]
"""Concepts by id, with the telling words of a text that are a whole name of them."""


def contained(names: Names, text: str) -> Contained:
    """Return the concepts whose whole names a text holds; a name within a longer one does not count.

    Nor does a name that several concepts bear.

    >>> from torchatlas.graph.values.model import Concept, Snapshot
    >>> graph = Snapshot(tuple(Concept(name, name, area="A") for name in ("CUDA", "CUDA graph", "view")))
    >>> sorted(contained(Names(graph), "how do CUDA graphs use a view"))
    ['CUDA graph', 'view']
    """
    found: dict[str, set[str]] = {}
    taken: set[int] = set()
    for places, said in _spans(words(text)):
        told = telling(said)
        if not told or len(fold(said)) < _SHORTEST or taken.intersection(places):
            continue
        if len(bearers := names.folded(said)) == 1:
            taken.update(places)
            found.setdefault(bearers[0].ids[0], set()).update(told)
    return {id_: frozenset(told) for id_, told in found.items()}


def names_all(found: Contained, told: Collection[str]) -> bool:
    """Return whether telling words are nothing but names of concepts.

    >>> names_all({"bfloat16": frozenset({"bf16"}), "half": frozenset({"fp16"})}, ("bf16", "fp16"))
    True
    """
    return frozenset(told) <= frozenset().union(*found.values())


def _spans(said: list[str]) -> Iterator[tuple[range, str]]:
    """Yield the places and the words of all spans of a text: those that tell most first, of these the longest."""
    lengths = range(min(_LONGEST, len(said)), 0, -1)
    spans = [range(start, start + length) for length in lengths for start in range(len(said) - length + 1)]
    texts = ((places, " ".join(said[places.start : places.stop])) for places in spans)
    yield from sorted(texts, key=lambda span: -len(telling(span[1])))
