"""The words of documents with fields, counted once they are asked for: few of them ever are."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain

Columns = Mapping[str, Sequence[Sequence[str]]]
"""Field -> the words in that field of each document, in the order of the documents."""
_LENGTH = 0.5  # b of BM25


class WordCounts:
    """The words of documents. `parts`: documents with the same fields, one part after the other.

    `weights`: what a word counts in each field; a field is of one part only.

    >>> WordCounts([{"name": [["view"], ["base", "view"]]}], {"name": 3.0}).of(["base"])
    {'base': {1: 2.5714285714285716}}
    """

    def __init__(self, parts: Sequence[Columns], weights: Mapping[str, float]) -> None:
        self._parts = parts
        self._weights = weights
        self._counted: dict[str, dict[int, float]] = {}

    @cached_property
    def words(self) -> Mapping[str, None]:
        """All words, as the documents name them first."""
        documents = chain.from_iterable(zip(*part.values(), strict=True) for part in self._parts)
        return dict.fromkeys(chain.from_iterable(chain.from_iterable(documents)))

    def of(self, words: Iterable[str]) -> dict[str, dict[int, float]]:
        """Return word -> document -> its counts in the fields, weighted, each brought to the field's usual length."""
        wanted = frozenset(words)
        if new := wanted - self._counted.keys():
            self._counted |= self._count(new)
        return {word: self._counted[word] for word in wanted}

    def _count(self, wanted: frozenset[str]) -> dict[str, dict[int, float]]:
        counts: dict[str, dict[int, float]] = defaultdict(dict)
        first = 0
        for part in self._parts:
            for name, column in part.items():
                for n, found in enumerate(column, first):
                    if not wanted.isdisjoint(found):
                        weight = self._weights[name] / (1 - _LENGTH + _LENGTH * len(found) / self._usual[name])
                        for word in wanted.intersection(found):
                            counts[word][n] = counts[word].get(n, 0.0) + weight * found.count(word)
            first += len(next(iter(part.values()), ()))
        return {word: counts[word] for word in wanted}

    @cached_property
    def _usual(self) -> dict[str, float]:
        """The usual length of each field, where it is not empty."""
        lengths = {name: [len(found) for found in column if found] for p in self._parts for name, column in p.items()}
        return {name: sum(all_) / len(all_) for name, all_ in lengths.items() if all_}
