"""What may stand next in a Cypher text that is being typed: a pure function of the text before the cursor."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.values import schema
from torchatlas.graph.values.model import Snapshot

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
    ("keyword", re.compile(r"(?<![\w'\":.$])(\w+)$")),
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to go on: `text` takes the place of the last `replaces` characters; `about` says what it is."""

    text: str
    replaces: int
    _: KW_ONLY
    about: str


@dataclass(frozen=True, slots=True)
class Words:
    """What a graph has to offer to a completion: (text, what it is) pairs of each kind of place."""

    ids: tuple[tuple[str, str], ...]
    areas: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Words":
        """The ids of concepts and episodes with their names, and the areas."""
        ids = [(c.id, c.name) for c in snapshot.concepts] + [(e.id, e.title) for e in snapshot.episodes]
        return cls(tuple(ids), tuple((area, "area") for area in sorted({c.area for c in snapshot.concepts})))


def complete(before: str, words: Words) -> Iterator[Candidate]:
    """The candidates for a text that ends at the cursor, in a fixed order; none inside of other strings."""
    for kind, pattern in _PLACES:
        if found := pattern.search(before):
            typed = found[1]
            for text, about in _offered(kind, words):
                if text != typed and _begins(text, about, typed, kind):
                    yield Candidate(text, len(typed), about=about)
            return


def _offered(kind: str, words: Words) -> Iterable[tuple[str, str]]:
    if kind == "type":
        return ((r.kind, f"{r.source} to {r.target}") for r in schema.RELATIONSHIPS)
    if kind == "label":
        return ((n.label, "label") for n in schema.NODES)
    if kind == "id":
        return words.ids
    if kind == "area":
        return words.areas
    if kind == "property":
        return ((name, "property") for name in sorted(schema.property_names()))
    return ((keyword, "") for keyword in KEYWORDS)


def _begins(text: str, about: str, typed: str, kind: str) -> bool:
    """Ids are also found by the name of what they are."""
    lowered = typed.lower()
    return text.lower().startswith(lowered) or (kind == "id" and lowered != "" and lowered in about.lower())
