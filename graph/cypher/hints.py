"""Remedies for a mistake in a query that every engine's hints share: the name that was meant, the form that works."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from torchatlas.graph.cypher.guard import Token, tokens, without_literals
from torchatlas.graph.values.errors import QueryError
from torchatlas.graph.values.names import did_you_mean
from torchatlas.graph.values.schema import NODES, RELATIONSHIPS, TABLES, property_names

_LONGEST = 300
_KEYWORDS = """
    MATCH OPTIONAL WHERE RETURN DISTINCT WITH UNWIND ORDER BY SKIP LIMIT UNION CONTAINS STARTS ENDS EXISTS COUNT CASE
"""
_COMMON = """
    abs all any avg ceil coalesce collect count floor id keys labels left length lower ltrim max min nodes none
    properties range replace reverse right round rtrim single size sqrt substring sum toLower toUpper trim upper
"""
COMMON_FUNCTIONS = tuple(_COMMON.split())
"""Names of functions that every engine has."""


@dataclass(frozen=True, slots=True)
class Remedies:
    """The remedies that fit one engine.

    `lines`: pairs of a pattern over the engine's line, and the words for it, as `re.sub` takes them; `forms`: pairs of
    a pattern over the query without its strings, and the remedy where it matches; `functions`: the engine's functions.

    Example: `Remedies(lines=[], forms=[(r"\\btype\\s*\\(", "write label(r)")], functions=["label"])`
    """

    lines: Sequence[tuple[str, str | Callable[[re.Match[str]], str]]]
    forms: Sequence[tuple[str, str]]
    functions: Sequence[str]


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


def no_table(name: str) -> str:
    """Return a line for a label or a type that the graph lacks: the one that was perhaps meant, or all there are.

    >>> no_table("Concpt"), no_table("Talk")
    ('there is no Concpt in this graph; did you mean Concept?', 'there is no Talk in this graph; there are Concept, \
Episode, Link, Show')
    """
    kinds = [table.kind for table in RELATIONSHIPS] if name.isupper() else [table.label for table in NODES]
    others = did_you_mean(name, TABLES, limit=1) or f"; there are {', '.join(sorted(kinds))}"
    return f"there is no {name} in this graph{others}"


def another_owner(name: str) -> str:
    """Return a hint with the labels and types that have a property of this name, "" where none has.

    >>> another_owner("audio_url")
    '; it is one of Episode'
    """
    owners = [table for table, columns in TABLES.items() if name in {c.name for c in columns.columns}]
    return f"; it is one of {', '.join(owners)}" if owners else ""


def with_remedy(line: str, text: str, remedies: Remedies) -> str:
    """Return an engine's line in plain words, with the form that works there, or the name that was perhaps meant.

    >>> remedies = Remedies([(r"Variable (.+) not defined", r"there is no variable \\1")], forms=(), functions=())
    >>> with_remedy("Variable concpt not defined", "MATCH (concept) RETURN concpt", remedies)
    'there is no variable concpt; did you mean concept?'
    """
    for pattern, words in remedies.lines:
        line = re.sub(pattern, words, line)
    line, code, keywords = line[:_LONGEST].rstrip("."), without_literals(text), _KEYWORDS.split()
    for pattern, form in remedies.forms:
        if re.search(pattern, code, re.IGNORECASE):
            return form if line.startswith("there is no function") else f"{line}; {form}"
    if found := re.fullmatch(r"there is no variable (.+)", line):
        return line + did_you_mean(found[1], _variables(text), limit=1)
    if found := re.fullmatch(r"there is no function (\w+)\(\)", line):
        return line + did_you_mean(found[1], remedies.functions, limit=1)
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
