"""Remedies for a mistake in a query that every engine's hints share: the name that was meant, the form that works."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from torchatlas.graph.cypher.guard import Token, bare, tokens
from torchatlas.graph.values.errors import QueryError
from torchatlas.graph.values.names import did_you_mean
from torchatlas.graph.values.schema import TABLES, property_names

_LONGEST = 300
_NO_APOC = (r"\bapoc\s*\.", "there is no apoc here: only the engine's own functions")
_KEYWORDS = """
    MATCH OPTIONAL WHERE RETURN DISTINCT WITH UNWIND ORDER BY SKIP LIMIT UNION CONTAINS STARTS ENDS EXISTS COUNT CASE
"""
_FUNCTIONS = """
    abs all any avg ceil coalesce collect count exists floor id keys labels left length lower ltrim max min nodes none
    properties range replace reverse right round rtrim single size sqrt substring sum toLower toUpper trim upper
"""


def misspelt(unknown: Iterable[str], found: Sequence[Token]) -> str | None:
    """Return a line for a name that the graph nearly knows, None where no name looks like a slip.

    >>> misspelt(["Concpt"], tokens("MATCH (c:Concpt) RETURN c"))
    'there is no Concpt in this graph; did you mean Concept?'
    """
    written = {token.text.strip("`") for token in found}
    known = set(TABLES) | property_names()
    for name in sorted(set(unknown) & written - known):
        if meant := did_you_mean(name, known, limit=1):
            return f"there is no {name} in this graph{meant}"
    return None


def another_owner(name: str) -> str:
    """Return a hint with the labels and types that have a property of this name, "" where none has.

    >>> another_owner("audio_url")
    '; it is one of Episode'
    """
    owners = [table for table, columns in TABLES.items() if name in {c.name for c in columns.columns}]
    return f"; it is one of {', '.join(owners)}" if owners else ""


def with_remedy(line: str, text: str, forms: Iterable[tuple[str, str]]) -> str:
    """Return an engine's line with the form that works there, or with the name that was perhaps meant.

    `forms`: pairs of a pattern over the query `text`, and the remedy where it matches.

    >>> with_remedy("there is no variable concpt", "MATCH (concept) RETURN concpt", ())
    'there is no variable concpt; did you mean concept?'
    """
    line, code, keywords = line[:_LONGEST].rstrip("."), bare(text), _KEYWORDS.split()
    for pattern, form in (*forms, _NO_APOC):
        if re.search(pattern, code, re.IGNORECASE):
            return form if line.startswith("there is no function") else f"{line}; {form}"
    if found := re.fullmatch(r"there is no variable (.+)", line):
        return line + did_you_mean(found[1], _variables(text), limit=1)
    if found := re.fullmatch(r"there is no function (\w+)\(\)", line):
        return line + did_you_mean(found[1], _FUNCTIONS.split(), limit=1)
    if found := re.search(r"(\w{3,})'", line):
        return line + did_you_mean(found[1], keywords, limit=1) if found[1].upper() not in keywords else line
    return line


def _variables(text: str) -> set[str]:
    """Return the names that a text gives to nodes, relationships, paths and values."""
    try:
        found = tokens(text)
    except QueryError:
        return set()
    opening = {"(", "[", "AS", "UNWIND", "MATCH"}
    return {b.text for a, b in pairwise(found) if b.kind == "word" and a.text.upper() in opening}
