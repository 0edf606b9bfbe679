"""Cypher that must be run, and Cypher that must not, by engine: for the guard alone and for the engines behind it."""

import json
from pathlib import Path

_TEXTS = json.loads((Path(__file__).parent / "statements.json").read_text("utf-8"))
VALUES: dict[str, object] = _TEXTS["values"]
"""For the parameters in the statements."""
REMEDIES: list[list[str]] = _TEXTS["remedies"]
"""Statements, and what the embedded engine and what the server says of each; where that is "", it is run."""
BEYOND: list[tuple[str, dict[str, object], str]] = _TEXTS["beyond the embedded engine"]
NO_READING: dict[str, dict[str, str]] = _TEXTS["no reading by their plans"]
LONG = "RETURN levenshtein(repeat('ab', 200000), repeat('ba', 200000)) AS x"
"""One expression that takes the embedded engine minutes."""


def texts(kind: str, engine: str) -> list[str]:
    """The statements that are read or refused, as `kind` says, by an engine: Neo4j or ladybug."""
    return [*_TEXTS[kind]["both"], *_TEXTS[kind].get(engine, ())]
