"""The ways to go on with a Cypher text that is being typed: a pure function of the graph and the text so far."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.cypher import open_quote
from torchatlas.graph.model import NODES, RELATIONSHIPS, Snapshot, property_names

KEYWORDS = (
    "MATCH", "OPTIONAL MATCH", "WHERE", "RETURN", "RETURN DISTINCT", "WITH", "UNWIND", "ORDER BY", "SKIP", "LIMIT",
    "UNION", "AS", "AND", "OR", "NOT", "IN", "IS NULL", "IS NOT NULL", "CONTAINS", "STARTS WITH", "ENDS WITH",
    "EXISTS", "CASE", "WHEN", "THEN", "ELSE", "END", "DESC", "count(", "collect(", "min(", "max(", "sum(", "avg(",
    "length(", "nodes(", "size(", "lower(", "coalesce(",
)  # fmt: skip
_PLACES = (
    ("type", re.compile(r"\[[^\]()'\"]*[:|]\s*`?(\w*)$")),
    ("label", re.compile(r"\([^()\[\]'\"{]*[:|&]\s*`?(\w*)$")),
    ("id", re.compile(r"\bid\s*[:=]\s*['\"]([^'\"]*)$")),
    ("area", re.compile(r"\barea\s*[:=]\s*['\"]([^'\"]*)$")),
    ("property", re.compile(r"(?:\b\w+`?\.`?|\{\s*|\{[^{}]*,\s*)(\w*)$")),
    ("keyword", re.compile(r"(?<![\w`'\":.$])(\w+)$")),
)
_QUOTED = {"id", "area"}
_NAME = re.compile(r"(?<![\w`'\":.$])\w+")


@dataclass(frozen=True, slots=True)
class Completion:
    """A way to go on: `text` takes the place of the last `replaces` characters; `about` says what the text is."""

    text: str
    replaces: int
    _: KW_ONLY
    about: str


def complete(before: str, graph: Snapshot) -> Iterator[Completion]:
    """Yield the ways to go on with a text that ends at the cursor, in a fixed order.

    There are none inside other strings, nor after a word that is whole: a name that the text has already, or a new one
    after AS.

    >>> [completion.text for completion in complete("MATCH (c:Con", Snapshot())]
    ['Concept']
    """
    quote = open_quote(before)
    for kind, pattern in _PLACES:
        found = pattern.search(before)
        if found and (kind not in _QUOTED if quote is None else found.start(1) == quote + 1):
            typed = found[1]
            if kind == "keyword" and _whole(typed, before[: found.start(1)]):
                return
            for text, about in _offered(kind, graph):
                if text != typed and _begins(text, about, typed, kind):
                    yield Completion(text, len(typed), about=about)
            return


def _whole(word: str, before: str) -> bool:
    """Return whether a word is a name that stands in the text before, or follows AS, and so no beginning of another."""
    names = _NAME.findall(before)
    return word.upper() not in KEYWORDS and (word in names or [name.upper() for name in names[-1:]] == ["AS"])


def _offered(kind: str, graph: Snapshot) -> Iterable[tuple[str, str]]:
    if kind == "type":
        return ((r.kind, f"{r.source} to {r.target}") for r in RELATIONSHIPS)
    if kind == "label":
        return ((n.label, "label") for n in NODES)
    if kind == "id":
        return [(c.id, c.name) for c in graph.concepts] + [(e.id, e.title) for e in graph.episodes]
    if kind == "area":
        return ((area, "area") for area in graph.areas)
    if kind == "property":
        return ((name, "property") for name in sorted(property_names()))
    return ((keyword, "") for keyword in KEYWORDS)


def _begins(text: str, about: str, typed: str, kind: str) -> bool:
    """Return whether a text completes what was typed; an id is also found by a part of its name."""
    lowered = typed.lower()
    return text.lower().startswith(lowered) or (kind == "id" and lowered != "" and lowered in about.lower())
