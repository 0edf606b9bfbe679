"""Long iterables in short lists."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batches(items: Iterable[T], most: int) -> Iterator[list[T]]:
    """Yield the items in lists of `most`, the last list shorter; items are taken only as they are needed.

    >>> list(batches("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    remaining = iter(items)
    while batch := list(islice(remaining, most)):
        yield batch
