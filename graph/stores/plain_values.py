"""An engine's values as plain ones, the same for every engine and fit for JSON.

A node or relationship becomes a dict of its properties that are not null, with its label or type as `_label`. A path
becomes `{"_nodes": [...], "_relationships": [...]}`; its relationships also have the ids of their ends, `_source` and
`_target`. An engine's own row ids and marker labels are hidden. Dates become text, and so do the numbers that JSON
lacks: "NaN", "Infinity", "-Infinity".
"""

import math
from collections.abc import Callable, Mapping
from typing import Any


def plain(value: Any, inner: Callable[[Any], Any]) -> Any:
    """Return a value that is no node, relationship or path as a plain one; `inner` converts what it holds.

    >>> plain([float("inf"), {"a": None}], lambda value: plain(value, str))
    ['Infinity', {'a': 'None'}]
    """
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {str(key): inner(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [inner(v) for v in value]
    return str(value)
