"""The graph as values: frozen, hashable, standard library only. Property names are those that Cypher users see."""

from dataclasses import KW_ONLY, dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Literal

from torchatlas.graph.values.formatting import counted
from torchatlas.graph.values.grouping import Ends, by_source, by_target
from torchatlas.graph.values.markdown import Shown, table

Need = Literal["hear", "worth", "bridge"]
Origin = Literal["curated", "declared", "inferred"]
Depth = Literal["main", "part"]
How = Literal["declared", "silent", "curated"]
Reference = Literal["listen_first", "continues", "more_in", "announces", "mentions"]
Basis = Literal["transcript", "description", "title"]
ConceptRelationKind = Literal[
    "PART_OF", "USES", "EXTENDS", "ALTERNATIVE_TO", "IMPLEMENTED_WITH", "PRODUCES", "RUNS_BEFORE", "SUPERSEDED_BY"
]


@dataclass(frozen=True, slots=True)
class Concept:
    """A term that a glossary of PyTorch internals would explain. `x`, `y`: its place on the map, in pixels.

    `aliases` name it. `in_texts` mean it in a text without naming it: "hook". `phrases` count where a person asks.
    """

    id: str
    name: str
    _: KW_ONLY
    area: str
    definition: str = ""
    aliases: tuple[str, ...] = ()
    source_paths: tuple[str, ...] = ()
    x: int = 0
    y: int = 0
    phrases: tuple[str, ...] = ()
    in_texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Episode:
    """A podcast episode or a post. Unknown facts are None; `published` is an ISO date, `minutes` are whole ones."""

    id: str
    title: str
    _: KW_ONLY
    show: str
    kind: Literal["episode", "trailer", "post"] = "episode"
    guid: str | None = None
    number: int | None = None
    published: str | None = None
    minutes: int | None = None
    url: str | None = None
    audio_url: str | None = None
    summary: str = ""
    questions: tuple[str, ...] = ()
    dated: tuple[str, ...] = ()
    guests: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    basis: Basis = "description"
    x: int = 0
    y: int = 0

    @property
    def label(self) -> str:
        """The number and the title, for example "#61 AOTAutograd"."""
        return self.title if self.number is None else f"#{self.number} {self.title}"


@dataclass(frozen=True, slots=True)
class Link:
    """A page on the web that episodes cite. `id` is the URL in its normal form."""

    id: str
    url: str
    _: KW_ONLY
    type: str
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Teaches(Ends):
    """(Episode)-[:TEACHES]->(Concept). `at`: second of the audio; `weight` in (0, 1], 1 for the first main subject.

    With a `field`, `evidence` stands there from `start` on, verbatim; `why` is the reason that a person gives.
    """

    kind: ClassVar[Literal["TEACHES"]] = "TEACHES"
    depth: Depth
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
    how: How
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
class Cites(Ends):
    """(Episode)-[:CITES]->(Link). `label`: the words around it; `quote`: the address as it stands there."""

    kind: ClassVar[Literal["CITES"]] = "CITES"
    label: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptRelation(Ends):
    """A relation between concepts other than REQUIRES; `kind` is its type, `episode` the id of the one that says so."""

    kind: ConceptRelationKind
    origin: Origin = "curated"
    reason: str = ""
    quote: str = ""
    episode: str | None = None
    at: int | None = None
    field: str = ""
    start: int | None = None


Edge = Teaches | Assumes | Mentions | Requires | ListenAfter | RefersTo | RelatedTo | Cites | ConceptRelation
"""Any relationship of the graph."""


@dataclass(frozen=True, repr=False)
class Snapshot(Shown):
    """A whole graph. Its tuples are sorted on creation, so equal graphs are equal values whatever their order was.

    Raises ValueError where two nodes have one id, an edge lacks an end, or two edges of a kind join the same nodes.
    """

    concepts: tuple[Concept, ...] = ()
    episodes: tuple[Episode, ...] = ()
    _: KW_ONLY
    links: tuple[Link, ...] = ()
    teaches: tuple[Teaches, ...] = ()
    assumes: tuple[Assumes, ...] = ()
    mentions: tuple[Mentions, ...] = ()
    requires: tuple[Requires, ...] = ()
    listen_after: tuple[ListenAfter, ...] = ()
    refers_to: tuple[RefersTo, ...] = ()
    related_to: tuple[RelatedTo, ...] = ()
    cites: tuple[Cites, ...] = ()
    concept_relations: tuple[ConceptRelation, ...] = ()

    def __post_init__(self) -> None:
        for name in (f.name for f in fields(self)):
            values = tuple(sorted(getattr(self, name), key=_identity))
            for a, b in pairwise(values):
                if _identity(a) == _identity(b):
                    raise ValueError(f"{name}: twice {_identity(a)}")
            object.__setattr__(self, name, values)
        ids = {*self.concept, *self.episode, *(link.id for link in self.links)}
        for name in EDGE_GROUPS:
            for edge in getattr(self, name):
                if missing := {edge.source, edge.target} - ids:
                    raise ValueError(f"{name}: {key_of(edge)} points to nothing: {sorted(missing)}")

    @cached_property
    def concept(self) -> dict[str, Concept]:
        """Map the id of each concept to the concept."""
        return {c.id: c for c in self.concepts}

    @cached_property
    def episode(self) -> dict[str, Episode]:
        """Map the id of each episode to the episode."""
        return {e.id: e for e in self.episodes}

    @cached_property
    def teachers(self) -> dict[str, tuple[Teaches, ...]]:
        """Map the id of each concept that is taught to the TEACHES edges that end there."""
        return by_target(self.teaches)

    @cached_property
    def taught_by(self) -> dict[str, tuple[Teaches, ...]]:
        """Map the id of each episode to its TEACHES edges, the heaviest first."""
        return {e: tuple(sorted(ts, key=lambda t: (-t.weight, t.target))) for e, ts in by_source(self.teaches).items()}

    @cached_property
    def assumed_by(self) -> dict[str, tuple[Assumes, ...]]:
        """Map the id of each episode to its ASSUMES edges."""
        return by_source(self.assumes)

    @cached_property
    def required_by(self) -> dict[str, tuple[Requires, ...]]:
        """Map the id of each concept to the REQUIRES edges that start there: to its prerequisites."""
        return by_source(self.requires)

    def __repr__(self) -> str:
        return f"<Snapshot: {self.size}>"

    def _repr_markdown_(self) -> str:
        return table(("in the graph", "count"), ((f.name, len(getattr(self, f.name))) for f in fields(self)))

    @property
    def size(self) -> str:
        """Tell how large the graph is: "83 episodes, 1611 concepts, 2180 prerequisites, 459 links"."""
        counts = {"episode": self.episodes, "concept": self.concepts, "prerequisite": self.requires, "link": self.links}
        return ", ".join(counted(len(rows), noun) for noun, rows in counts.items())

    def name_of(self, id_: str) -> str:
        """Return the name of a concept or the title of an episode, for example `snapshot.name_of("vmap")`."""
        return self.concept[id_].name if id_ in self.concept else self.episode[id_].title


EDGE_GROUPS = tuple(f.name for f in fields(Snapshot) if f.name not in ("concepts", "episodes", "links"))
"""The fields of a snapshot that hold edges."""


def key_of(edge: Edge) -> tuple[str, str, str]:
    """Return the type, the source id and the target id of an edge, which no other edge of a graph shares.

    >>> key_of(Requires("b", "a", need="hear", reason="b is made of a"))
    ('REQUIRES', 'b', 'a')
    """
    return edge.kind, edge.source, edge.target


def _identity(value: Concept | Episode | Link | Edge) -> tuple[str, ...]:
    return key_of(value) if isinstance(value, Ends) else (value.id,)
