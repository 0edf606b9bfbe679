"""The pairs of points that lie close together, by a grid of cells: a layout asks many times, of points that move."""

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]


def close_pairs(points: NDArray[np.float64]) -> tuple[Indices, Indices]:
    """Return the two ends of every pair of points whose distance is at most 1, each pair once.

    A cell is 1 wide and high, so the other point of a pair lies in the same cell or in one of the eight around it.

    >>> [end.tolist() for end in close_pairs(np.array([[0.0, 0.0], [5.0, 5.0], [0.6, 0.6]]))]
    [[0], [2]]
    """
    cells = np.floor(points - points.min(axis=0)).astype(np.int64) + 1
    column = int(cells[:, 1].max()) + 2  # with an empty cell between two columns
    numbers = cells[:, 0] * column + cells[:, 1]
    order = np.argsort(numbers, kind="stable")
    numbers = numbers[order]
    places = np.arange(len(points))
    above = _ranges(places, places + 1, np.searchsorted(numbers, numbers + 1, "right"))
    beside = _ranges(
        places,
        np.searchsorted(numbers, numbers + column - 1, "left"),
        np.searchsorted(numbers, numbers + column + 1, "right"),
    )
    one, other = (order[np.concatenate(ends)] for ends in zip(above, beside, strict=True))
    near = ((points[one] - points[other]) ** 2).sum(axis=1) <= 1.0
    return one[near], other[near]


def _ranges(places: Indices, begins: Indices, ends: Indices) -> tuple[Indices, Indices]:
    """Return each place with every number of its range."""
    sizes = ends - begins
    skipped = np.repeat(begins - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
    return np.repeat(places, sizes), skipped + np.arange(len(skipped))
