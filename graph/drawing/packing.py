"""Pictures beside one another: the parts of a graph that no edge joins, so that together they fill a page."""

from collections.abc import Iterable, Mapping

Point = tuple[int, int]


def packed(parts: Iterable[Mapping[str, Point]], room: Point, across: int) -> dict[str, Point]:
    """Return node -> (x, y) with all parts beside or below one another, no wider than `across` where each part is not.

    `room`: what a node takes in each direction. A part wider than half of the page has a row of its own; the others
    stand in columns, the highest first, each in the column that is the shortest so far.

    >>> packed([{"a": (0, 0)}, {"b": (-10, 0), "c": (-10, 20)}], (10, 20), across=20)
    {'b': (0, 0), 'c': (0, 20), 'a': (10, 0)}
    """
    sized = [(*_size(part, room), part) for part in parts if part]
    sized.sort(key=lambda part: (-part[1], min(part[2])))
    found: dict[str, Point] = {}
    below = 0
    for _, high, part in (one for one in sized if one[0] * 2 > across):
        found |= _moved(part, 0, below)
        below += high
    narrow = [one for one in sized if one[0] * 2 <= across]
    column = max((wide for wide, _, _ in narrow), default=1)
    ends = [below] * max(1, min(len(narrow), across // column))
    for _, high, part in narrow:
        place = ends.index(min(ends))
        found |= _moved(part, place * column, ends[place])
        ends[place] += high
    return found


def _size(part: Mapping[str, Point], room: Point) -> Point:
    xs, ys = zip(*part.values(), strict=True)
    return max(xs) - min(xs) + room[0], max(ys) - min(ys) + room[1]


def _moved(part: Mapping[str, Point], x: int, y: int) -> dict[str, Point]:
    """Return a part whose upper left corner is at (x, y)."""
    left, top = (min(side) for side in zip(*part.values(), strict=True))
    return {id_: (x + a - left, y + b - top) for id_, (a, b) in part.items()}
