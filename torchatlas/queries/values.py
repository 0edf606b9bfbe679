"""The limits of a query, and values as people type them."""

import re

ROWS, SECONDS = 1000, 10.0
"""The rows of a query, and the seconds that it may take, where nobody says otherwise."""
MIN_SECONDS = 0.001
"""The least time that a query may be given: the engines count in milliseconds."""


def typed_value(text: str) -> object:
    """Return the value that a person typed: whole numbers and decimals as numbers, everything else as text.

    >>> typed_value("61"), typed_value("0.5"), typed_value("vmap")
    (61, 0.5, 'vmap')
    """
    if re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        return int(text)
    return float(text) if re.fullmatch(r"[+-]?[0-9]+\.[0-9]+", text) else text
