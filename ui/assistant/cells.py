"""The rows of a query as JSON of a bounded size."""

import math
from collections.abc import Mapping, Sequence

from torchatlas.graph.values.characters import visible
from torchatlas.presentation.answer_json import dumps
from torchatlas.ui.assistant.quoted import beginning

LONGEST_CELL, LONGEST_ROWS, COLUMNS = 2_000, 20_000, 50
"""The characters of a value and of all rows, as JSON, and how many columns there are at the most."""


def whole_rows(rows: Sequence[Sequence[object]]) -> list[list[object]]:
    """Return as many of the first rows as fit into an answer.

    >>> whole_rows([(1, None), ("a", float("inf"))]), len(whole_rows([("x" * 1000,)] * 100))
    ([[1, None], ['a', 'inf']], 19)
    """
    found: list[list[object]] = []
    size = 0
    for row in rows:
        values = [_cell(value) for value in row[:COLUMNS]]
        size += len(dumps(values, indent=None))
        if size > LONGEST_ROWS:
            break
        found.append(values)
    return found


def _cell(value: object) -> object:
    plain = _plain(value)
    text = dumps(plain, indent=None)
    return plain if len(text) <= LONGEST_CELL else beginning(plain if isinstance(plain, str) else text, LONGEST_CELL)


def _plain(value: object) -> object:
    """Return a value in the types of JSON, without the characters that a reader does not see."""
    if isinstance(value, str):
        return visible(value)
    if value is None or isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, Mapping):
        return {visible(str(key)): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return visible(str(value))
