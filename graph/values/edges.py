"""The edges of the graph as values, each with its evidence. Property names are those that Cypher users see."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from torchatlas.graph.values.grouping import Ends

Need = Literal["hear", "worth", "bridge"]
Origin = Literal["curated", "declared", "drafted", "stated", "inferred"]
"""Where an edge comes from, the surest first: a person, an author who says so of an episode, an unchecked draft, a
sentence on two concepts, or a guess."""
Depth = Literal["main", "part"]
AssumptionOrigin = Literal["declared", "silent", "curated"]
Reference = Literal["listen_first", "continues", "more_in", "announces", "mentions"]
ConceptRelationKind = Literal[
    "PART_OF",
    "USES",
    "EXTENDS",
    "DEEPENS",
    "ALTERNATIVE_TO",
    "IMPLEMENTED_WITH",
    "PRODUCES",
    "RUNS_BEFORE",
    "SUPERSEDED_BY",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Teaches(Ends):
    """(Episode)-[:TEACHES]->(Concept). `at`: second of the audio; `weight` in (0, 1], 1 for the first main subject.

    With a `field`, `evidence` stands there from `start` on, verbatim; `why` is the reason that a person gives.
    """

    kind: ClassVar[Literal["TEACHES"]] = "TEACHES"
    depth: Depth
    origin: Origin = "curated"
    weight: float = 1.0
    at: int | None = None
    evidence: str = ""
    field: str = ""
    start: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumes(Ends):
    """(Episode)-[:ASSUMES]->(Concept): the episode leans on the concept without explaining it; `why` says so."""

    kind: ClassVar[Literal["ASSUMES"]] = "ASSUMES"
    how: AssumptionOrigin
    at: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions(Ends):
    """(Episode)-[:MENTIONS]->(Concept): named `count` times, first as `evidence`, at `[start:end]` of `field`."""

    kind: ClassVar[Literal["MENTIONS"]] = "MENTIONS"
    count: int
    field: str
    start: int
    end: int
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Requires(Ends):
    """(Concept)-[:REQUIRES]->(Concept): the target must be understood before the source makes sense.

    A `quote` stands verbatim, from `start` on, in a `field` of `episode` or in the definition of the source.
    """

    kind: ClassVar[Literal["REQUIRES"]] = "REQUIRES"
    need: Need
    reason: str
    origin: Origin = "curated"
    confidence: float = 1.0
    quote: str = ""
    episode: str | None = None
    field: str = ""
    start: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenAfter(Ends):
    """(later Episode)-[:LISTEN_AFTER]->(earlier Episode): an author or a speaker says so.

    The `quote` stands from `start` on in a `field` of one of the two; without a field it was heard.
    """

    kind: ClassVar[Literal["LISTEN_AFTER"]] = "LISTEN_AFTER"
    origin: Origin = "declared"
    quote: str = ""
    at: int | None = None
    field: str = ""
    start: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefersTo(Ends):
    """(Episode)-[:REFERS_TO]->(Episode): the speaker or the notes name another episode, in the words of `quote`."""

    kind: ClassVar[Literal["REFERS_TO"]] = "REFERS_TO"
    relation: Reference
    at: int | None = None
    quote: str = ""
    field: str = ""
    start: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedTo(Ends):
    """(Episode)-[:RELATED_TO]->(Episode): one of the nearest few, with the `reasons` in words."""

    kind: ClassVar[Literal["RELATED_TO"]] = "RELATED_TO"
    score: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InShow(Ends):
    """(Episode)-[:IN_SHOW]->(Show). `quote`: the name of the show as the source of the episode has it."""

    kind: ClassVar[Literal["IN_SHOW"]] = "IN_SHOW"
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cites(Ends):
    """(Episode)-[:CITES]->(Link). `label`: the words around it; `quote`: the address as it stands there."""

    kind: ClassVar[Literal["CITES"]] = "CITES"
    label: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptRelation(Ends):
    """A relation of two concepts; `kind` is its type. `confidence`: .5 where a text states it, else 1."""

    kind: ConceptRelationKind
    origin: Origin = "curated"
    confidence: float = 1.0
    reason: str = ""
    quote: str = ""
    episode: str | None = None
    at: int | None = None
    field: str = ""
    start: int | None = None


Edge = Teaches | Assumes | Mentions | Requires | ListenAfter | RefersTo | RelatedTo | InShow | Cites | ConceptRelation
"""Any relationship of the graph."""


def key_of(edge: Edge) -> tuple[str, str, str]:
    """Return the type, the source id and the target id of an edge, which no other edge of a graph shares.

    >>> key_of(Requires("b", "a", need="hear", reason="b is made of a"))
    ('REQUIRES', 'b', 'a')
    """
    return edge.kind, edge.source, edge.target
