"""TOML text to values, with one error for all unreadable texts."""

import re
from typing import Any

_PARTS = 100
_DOTTED = re.compile(rf"""^[ \t\[]*+(?:[\w"'-]++[ \t]*+\.[ \t]*+){{{_PARTS}}}""", re.M)


def load_toml(text: str) -> dict[str, Any]:
    """Return the values. Raises tomllib.TOMLDecodeError, also for very long keys.

    >>> load_toml('name = "vmap"')
    {'name': 'vmap'}
    """
    import tomllib

    if key := _DOTTED.search(text):
        line = text.count("\n", 0, key.start()) + 1
        raise tomllib.TOMLDecodeError(f"A key has more than {_PARTS} parts (at line {line}, column 1)")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except (RecursionError, ValueError) as e:
        raise tomllib.TOMLDecodeError(f"Values are nested too deeply or too long ({type(e).__name__})") from None
