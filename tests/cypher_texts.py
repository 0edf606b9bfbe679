"""Cypher that must be run, and Cypher that must not: for the guard alone and for the engines behind it.

`statements.json` holds texts that are shown one by one (ALLOWED, REFUSED), and hundreds more, by engine: `more`.
"""

import json
from pathlib import Path

_TEXTS = json.loads((Path(__file__).parent / "statements.json").read_text("utf-8"))
ALLOWED: list[str] = _TEXTS["shown"]["read"]
REFUSED: list[str] = _TEXTS["shown"]["refused"]
VALUES: dict[str, object] = _TEXTS["values"]
"""For the parameters in the statements."""
LONG = "RETURN levenshtein(repeat('ab', 200000), repeat('ba', 200000)) AS x"
"""One expression that takes the embedded engine minutes."""


def more(kind: str, engine: str) -> list[str]:
    """The further statements that are read or refused, as `kind` says, by an engine: Neo4j or ladybug."""
    return [*_TEXTS[kind]["both"], *_TEXTS[kind].get(engine, ())]
