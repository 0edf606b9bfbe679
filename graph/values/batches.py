"""A long row of things in short ones."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batches(items: Iterable[T], most: int) -> Iterator[list[T]]:
    """The items in lists of `most`, the last one shorter; they are taken as they are needed."""
    remaining = iter(items)
    while batch := list(islice(remaining, most)):
        yield batch
