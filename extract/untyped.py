"""Facts out of JSON and of feedparser's dictionaries, where any value may have any type."""

import json
import math
from collections.abc import Mapping
from typing import Any

from torchatlas.graph.values.errors import SourceError


def load_json(text: str, name: str) -> Any:
    """Return the value of a JSON text. Raises SourceError, which names `name`, if the text is no JSON.

    >>> load_json("[1]", "a list")
    [1]
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as e:
        where = f" at line {e.lineno}" if isinstance(e, json.JSONDecodeError) else ""
        raise SourceError(f"{name} is not JSON that can be read{where}; fetch it again") from None


def text_at(holder: Mapping[str, Any], key: str) -> str:
    """Return the text under a key, without halves of characters, which only JSON can hold; "" without a text.

    >>> text_at({"title": "Strides"}, "title"), text_at({"title": 1}, "title")
    ('Strides', '')
    """
    value = holder.get(key)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def mappings_at(holder: object, key: str) -> list[Mapping[str, Any]]:
    """Return the mappings in the list under a key; none where `holder` or its value is something else.

    >>> mappings_at({"items": [{"id": 1}, None]}, "items")
    [{'id': 1}]
    """
    values = holder.get(key) if isinstance(holder, Mapping) else None
    return [v for v in values if isinstance(v, Mapping)] if isinstance(values, list) else []


def number(value: object) -> float | None:
    """Return a finite number; None for other values.

    >>> number(3), number(True), number("3")
    (3, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value
