"""Long iterables, in short lists and some steps ahead."""

from collections import deque
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


def ahead(items: Iterable[T], most: int) -> Iterator[T]:
    """Yield each item once `most` more have been taken: the work that taking them begins goes on meanwhile.

    >>> list(ahead("abc", 2))
    ['a', 'b', 'c']
    """
    taken: deque[T] = deque()
    for item in items:
        taken.append(item)
        if len(taken) > most:
            yield taken.popleft()
    yield from taken
