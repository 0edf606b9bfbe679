"""TOML text to values, with one error for every text that cannot be read, hostile ones too."""

import re
from typing import Any

_PARTS = 100
_DOTTED = re.compile(rf"""^[ \t\[]*+(?:[\w"'-]++[ \t]*+\.[ \t]*+){{{_PARTS}}}""", re.M)


def load_toml(text: str) -> dict[str, Any]:
    """Return the document as values. Raises tomllib.TOMLDecodeError, for keys too that tomllib takes long to read.

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
