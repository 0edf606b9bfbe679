"""The rows of a query as JSON of a bounded size."""

from collections.abc import Mapping, Sequence

from torchatlas.graph.values.characters import excerpt, visible
from torchatlas.presentation.answer_json import dumps

LONGEST_CELL, LONGEST_ROWS, COLUMNS = 2_000, 20_000, 50
"""The characters of a value and of all rows, as JSON, and how many columns there are at the most."""


def whole_rows(rows: Sequence[Sequence[object]]) -> list[list[object]]:
    """Return as many of the first rows of a Table as fit into an answer.

    >>> whole_rows([(1, None), ("a", ["Infinity"])]), len(whole_rows([("x" * 1000,)] * 100))
    ([[1, None], ['a', ['Infinity']]], 19)
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
    shown = _shown(value)
    text = dumps(shown, indent=None)
    return shown if len(text) <= LONGEST_CELL else excerpt(shown if isinstance(shown, str) else text, LONGEST_CELL)


def _shown(value: object) -> object:
    """Return a plain value without the characters that a reader does not see in its texts."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return {visible(key): _shown(inner) for key, inner in value.items()}
    return [_shown(inner) for inner in value] if isinstance(value, list) else value
