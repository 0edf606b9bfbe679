"""The graph as frozen values: nodes, edges, a `Snapshot` of all, and its schema.

A row of a table is a dict; that of an edge also has the ids `source` and `target`.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from graphlib import CycleError as Circle
from graphlib import TopologicalSorter
from itertools import pairwise
from operator import attrgetter
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar, dataclass_transform, get_args

from torchatlas.graph.errors import CycleError
from torchatlas.graph.formatting import counted
from torchatlas.graph.names import numbered

CODE, TERMS = "Code", "Terms"
"""Areas of things that only texts name: classes, functions, files; and words."""
Kind = Literal["episode", "trailer", "video", "post", "paper", "docs", "code", "release", "thread"]
Basis = Literal["transcript", "text", "abstract", "description", "title"]
Need = Literal["hear", "worth", "bridge"]
Origin = Literal["curated", "declared", "drafted", "stated", "inferred"]
"""Surest first: a person, an author, a draft, a text's sentence, a guess."""
Depth = Literal["main", "part"]
AssumptionOrigin = Literal["declared", "silent", "curated"]
Reference = Literal["listen_first", "continues", "more_in", "announces", "mentions"]
_Structure = Literal["PART_OF", "USES", "EXTENDS", "DEEPENS", "ALTERNATIVE_TO", "IMPLEMENTED_WITH"]
ConceptRelationKind = Literal[_Structure, "PRODUCES", "RUNS_BEFORE", "SUPERSEDED_BY"]
OrderKind = Literal["REQUIRES", "ASSUMES", "TEACHES", "LISTEN_AFTER"]
PlanDepth = Literal["brief", "usual", "thorough"]
RouteName = Literal["shortest", "gentlest", "newest"]
Progress = Callable[[str, int, int], None]
"""A function of (task, done, total), such as ("Reading episodes", 12, 83)."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value:
    """The base of values: each class below it is a frozen dataclass, `class Lamp(Value, kw_only=True)`."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __init_subclass__(cls, *, kw_only: bool = False, order: bool = False) -> None:
        dataclass(frozen=True, kw_only=kw_only, order=order)(cls)


class Concept(Value):
    """A term. Only texts call it by its `in_texts`, only questions by its `phrases`.

    `asked`: questions of people whom it helps, in words of their own.
    """

    id: str
    name: str
    area: str
    definition: str = ""
    aliases: tuple[str, ...] = ()
    source_paths: tuple[str, ...] = ()
    x: int = 0
    y: int = 0
    phrases: tuple[str, ...] = ()
    in_texts: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


class Episode(Value):
    """To hear, watch or read; None: unknown, or the season of a show with one. `estimated`: by "times", "words"."""

    id: str
    title: str
    show: str
    kind: Kind = "episode"
    guid: str | None = None
    number: int | None = None
    season: int | None = None
    published: str | None = None
    minutes: int | None = None
    estimated: str = ""
    url: str | None = None
    audio_url: str | None = None
    audio_bytes: int | None = None
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
        headed = re.match(rf"\W*(?:s\d+)?\W*[a-z.]*\W*0*{self.number}\W", self.title, re.I)
        return self.title if headed else f"{self.numbered} {self.title}".lstrip()

    @property
    def numbered(self) -> str:
        return numbered(self.number, self.season)

    @property
    def numbers(self) -> set[tuple[int | None, int | None]]:
        """Number and season as they are asked for: without a season it is in the first."""
        return {(self.number, None), (self.number, 1 if self.season is None else self.season)}

    @property
    def position(self) -> tuple[int, int]:
        """Season and number, 0 where unknown: the place in the show."""
        return self.season or 0, self.number or 0


class Show(Value):
    """A podcast or blog (`guid`: podcast:guid); addresses mask passwords, tokens."""

    id: str
    title: str
    guid: str | None = None
    author: str | None = None
    url: str | None = None
    image_url: str | None = None
    feed_url: str | None = None


class Link(Value):
    """A web page that episodes cite; `id` is the URL in its normal form."""

    id: str
    url: str
    type: str
    label: str = ""


class Ends(Value):
    """The ids of the two nodes that an edge joins."""

    source: str
    target: str


E = TypeVar("E", bound=Ends)
N = TypeVar("N", Concept, Episode, Show)
T = TypeVar("T")


def by_source(edges: Iterable[E], end: str = "source") -> dict[str, tuple[E, ...]]:
    """Group edges by an end: `by_source(snapshot.requires)["vmap"]`."""
    found: defaultdict[str, list[E]] = defaultdict(list)
    for edge in edges:
        found[getattr(edge, end)].append(edge)
    return {node: tuple(group) for node, group in found.items()}


class Teaches(Ends, kw_only=True):
    """(Episode)-[:TEACHES]->(Concept); with a `field`, `evidence` is there at `start`."""

    kind: ClassVar[Literal["TEACHES"]] = "TEACHES"
    depth: Depth
    origin: Origin = "curated"
    weight: float = 1.0
    at: int | None = None
    evidence: str = ""
    field: str = ""
    start: int | None = None
    why: str = ""


class Assumes(Ends, kw_only=True):
    """(Episode)-[:ASSUMES]->(Concept), which it does not explain."""

    kind: ClassVar[Literal["ASSUMES"]] = "ASSUMES"
    how: AssumptionOrigin
    at: int | None = None
    why: str = ""


class Mentions(Ends, kw_only=True):
    """(Episode)-[:MENTIONS]->(Concept), first at `[start:end]` of `field`."""

    kind: ClassVar[Literal["MENTIONS"]] = "MENTIONS"
    count: int
    field: str
    start: int
    end: int
    evidence: str


class Requires(Ends, kw_only=True):
    """(Concept)-[:REQUIRES]->(Concept), by a text of `episode` or a definition."""

    kind: ClassVar[Literal["REQUIRES"]] = "REQUIRES"
    need: Need
    reason: str
    origin: Origin = "curated"
    confidence: float = 1.0
    quote: str = ""
    episode: str | None = None
    field: str = ""
    start: int | None = None


class ListenAfter(Ends, kw_only=True):
    """(later Episode)-[:LISTEN_AFTER]->(earlier one), by a text or a speaker."""

    kind: ClassVar[Literal["LISTEN_AFTER"]] = "LISTEN_AFTER"
    origin: Origin = "declared"
    quote: str = ""
    at: int | None = None
    field: str = ""
    start: int | None = None


class RefersTo(Ends, kw_only=True):
    """(Episode)-[:REFERS_TO]->(Episode) that the speaker or the notes name."""

    kind: ClassVar[Literal["REFERS_TO"]] = "REFERS_TO"
    relation: Reference
    at: int | None = None
    quote: str = ""
    field: str = ""
    start: int | None = None


class RelatedTo(Ends, kw_only=True):
    """(Episode)-[:RELATED_TO]->(Episode), one of the nearest, with `reasons`."""

    kind: ClassVar[Literal["RELATED_TO"]] = "RELATED_TO"
    score: float
    reasons: tuple[str, ...]


class InShow(Ends, kw_only=True):
    """(Episode)-[:IN_SHOW]->(Show), which the episode's source calls `quote`."""

    kind: ClassVar[Literal["IN_SHOW"]] = "IN_SHOW"
    quote: str


class Cites(Ends, kw_only=True):
    """(Episode)-[:CITES]->(Link) at the address `quote` in the words `label`."""

    kind: ClassVar[Literal["CITES"]] = "CITES"
    label: str = ""
    quote: str = ""


class ConceptRelation(Ends, kw_only=True):
    """A relation of concepts; `confidence` is .5 if a text states it, else 1."""

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


def key_of(edge: Edge) -> tuple[str, str, str]:
    """Return type and ends, unique to an edge: ("REQUIRES", "vmap", "view")."""
    return edge.kind, edge.source, edge.target


def each_once(edges: Iterable[E]) -> tuple[E, ...]:
    """Keep the first edge of each pair, without loops: `each_once(graph.cites)`."""
    kept: dict[tuple[str, str], E] = {}
    for edge in edges:
        kept.setdefault((edge.source, edge.target), edge)
    return tuple(edge for edge in kept.values() if edge.source != edge.target)


class MarkdownMixin:
    """A value that a notebook shows in Markdown. `headings`: heading -> the field of its rows."""

    headings: ClassVar[Mapping[str, str]] = {}

    @property
    def sections(self) -> dict[str, tuple[Any, ...]]:
        found = {heading: getattr(self, rows) for heading, rows in self.headings.items()}
        return {heading: rows for heading, rows in found.items() if rows}

    def _repr_markdown_(self) -> str:
        from torchatlas.ui.plans import markdown

        return markdown(self)


def _by_id(of: Callable[["Snapshot"], Iterable[N]]) -> cached_property[dict[str, N]]:
    return cached_property(lambda snapshot: {node.id: node for node in of(snapshot)})


def _by_end(of: Callable[["Snapshot"], Iterable[E]], end: str = "source") -> cached_property[dict[str, tuple[E, ...]]]:
    return cached_property(lambda snapshot: by_source(of(snapshot), end))


class Snapshot(Value, MarkdownMixin):
    """A whole graph. Its tuples are sorted, so equal graphs are equal values.

    Raises ValueError for doubled ids and edges, and for edges without an end.
    Indexes map ids to nodes or edges; `taught_by` has the heaviest first, `episode` resources too.
    """

    concepts: tuple[Concept, ...] = ()
    episodes: tuple[Episode, ...] = ()
    shows: tuple[Show, ...] = ()
    links: tuple[Link, ...] = ()
    resources: tuple[Episode, ...] = ()
    teaches: tuple[Teaches, ...] = ()
    assumes: tuple[Assumes, ...] = ()
    mentions: tuple[Mentions, ...] = ()
    requires: tuple[Requires, ...] = ()
    listen_after: tuple[ListenAfter, ...] = ()
    refers_to: tuple[RefersTo, ...] = ()
    related_to: tuple[RelatedTo, ...] = ()
    in_show: tuple[InShow, ...] = ()
    cites: tuple[Cites, ...] = ()
    concept_relations: tuple[ConceptRelation, ...] = ()

    def __post_init__(self) -> None:
        for group in (f.name for f in fields(self)):
            key = attrgetter("kind", "source", "target") if group in EDGE_GROUPS else attrgetter("id")
            values = tuple(sorted(getattr(self, group), key=key))
            if twice := [key(a) for a, b in pairwise(values) if key(a) == key(b)]:
                raise ValueError(f"{group}: twice {twice[0]!r}")
            object.__setattr__(self, group, values)
        ids = {*self.concept, *self.episode, *self.show, *(link.id for link in self.links)}
        for edge in (edge for name in EDGE_GROUPS for edge in getattr(self, name)):
            if edge.source not in ids or edge.target not in ids:
                raise ValueError(f"{key_of(edge)} points to nothing: {sorted({edge.source, edge.target} - ids)}")

    concept = _by_id(lambda graph: graph.concepts)
    episode = _by_id(lambda graph: (*graph.episodes, *graph.resources))
    resource = _by_id(lambda graph: graph.resources)
    show = _by_id(lambda graph: graph.shows)
    shows_of = _by_end(lambda graph: graph.in_show)
    teachers = _by_end(lambda graph: graph.teaches, "target")
    taught_by = _by_end(lambda graph: sorted(graph.teaches, key=lambda t: (-t.weight, t.target)))
    assumed_by = _by_end(lambda graph: graph.assumes)
    required_by = _by_end(lambda graph: graph.requires)
    areas = cached_property(lambda graph: tuple(sorted({c.area for c in graph.concepts})))

    without_resources = cached_property(lambda graph: graph.without(graph.resource) if graph.resources else graph)

    @cached_property
    def concept_names(self) -> dict[str, str]:
        """Names by id, in their order."""
        return {c.id: c.name for c in sorted(self.concepts, key=lambda c: c.name.casefold())}

    @cached_property
    def episode_names(self) -> dict[str, str]:
        """Labels by id, of episodes in order, with the show if titles repeat; then of resources, with it."""
        titles, resources = Counter(e.title for e in self.episodes), self.resource
        order = sorted(self.episode.values(), key=lambda e: (e.show, e.position, e.published or "", e.title))
        return {
            e.id: e.label + (f" ({e.show})" if titles[e.title] > 1 or e.id in resources else "")
            for e in sorted(order, key=lambda e: e.id in resources)
        }

    def without(self, episodes: Collection[str]) -> "Snapshot":
        """Return the graph without some episodes or resources: `graph.without(["s/1"])`."""
        kept: dict[str, Any] = {n: tuple(e for e in getattr(self, n) if e.source not in episodes) for n in EDGE_GROUPS}
        kept = {name: tuple(e for e in of if e.target not in episodes) for name, of in kept.items()}
        kept |= {n: tuple(e for e in getattr(self, n) if e.id not in episodes) for n in ("episodes", "resources")}
        return replace(self, **kept)

    def __repr__(self) -> str:
        return f"<Snapshot: {self.size}>"

    @property
    def size(self) -> str:
        """The size in words: "83 episodes, 1 concept, 9 prerequisites, 4 links"."""
        counts = {"episode": len(self.episodes), "resource": len(self.resources), "concept": len(self.concepts)}
        counts |= {"prerequisite": len(self.requires), "link": len(self.links)}
        return ", ".join(counted(count, noun) for noun, count in counts.items() if count or noun != "resource")

    def name_of(self, id_: str) -> str:
        """Return a concept's name or episode's title: `graph.name_of("vmap")`."""
        return self.concept[id_].name if id_ in self.concept else self.episode[id_].title

    def label_of(self, id_: str) -> str:
        """Return a concept's name or episode's label: `graph.label_of("vmap")`."""
        return self.concept[id_].name if id_ in self.concept else self.episode[id_].label


_GROUPS = ("concepts", "episodes", "resources", "shows", "links")
EDGE_GROUPS = tuple(f.name for f in fields(Snapshot) if f.name not in _GROUPS)
Row = dict[str, Any]
META = "TorchatlasMeta"
"""The label of the node that says from what a stored graph was built."""


class Column(NamedTuple):
    """A property. Only the `id` of a node is never null."""

    name: str
    type: Literal["string", "integer", "float", "strings"]


class NodeTable(NamedTuple):
    """All nodes of a label; the first column is `id`, which is unique."""

    label: str
    columns: tuple[Column, ...]


class RelationshipTable(NamedTuple):
    """Relationships of a type; at most one joins the same two nodes. A `source` may be of several labels: A|B."""

    kind: str
    source: str
    target: str
    columns: tuple[Column, ...]


_TYPES: Any = {int: "integer", int | None: "integer", float: "float", tuple[str, ...]: "strings"}
_NODES = {"Concept": Concept, "Episode": Episode, "Resource": Episode, "Show": Show, "Link": Link}
_LACKING = dict.fromkeys(_NODES, ()) | {"Resource": ("number", "season")}  # fields that are no property
_EDGES: Mapping[str, tuple[type, str, str]] = {
    "TEACHES": (Teaches, "Episode|Resource", "Concept"),
    "ASSUMES": (Assumes, "Episode|Resource", "Concept"),
    "MENTIONS": (Mentions, "Episode", "Concept"),
    "REQUIRES": (Requires, "Concept", "Concept"),
    "LISTEN_AFTER": (ListenAfter, "Episode", "Episode"),
    "REFERS_TO": (RefersTo, "Episode", "Episode"),
    "RELATED_TO": (RelatedTo, "Episode", "Episode"),
    "IN_SHOW": (InShow, "Episode", "Show"),
    "CITES": (Cites, "Episode", "Link"),
} | dict.fromkeys(get_args(ConceptRelationKind), (ConceptRelation, "Concept", "Concept"))
_CLASSES: Mapping[str, Any] = _NODES | {kind: of for kind, (of, _, _) in _EDGES.items()}
_COLUMNS = {  # those of an edge begin with its ends
    table: tuple(
        Column(f.name, _TYPES.get(f.type, "string")) for f in fields(of) if f.name not in _LACKING.get(table, ("kind",))
    )
    for table, of in _CLASSES.items()
}
NODES = tuple(NodeTable(label, _COLUMNS[label]) for label in _NODES)
RELATIONSHIPS = tuple(RelationshipTable(k, a, target=b, columns=_COLUMNS[k][2:]) for k, (_, a, b) in _EDGES.items())
TableSchema = NodeTable | RelationshipTable
TABLES: dict[str, TableSchema] = {n.label: n for n in NODES} | {r.kind: r for r in RELATIONSHIPS}
PROPERTIES = frozenset(column.name for table in TABLES.values() for column in table.columns)
VERSION = hashlib.sha256(repr((NODES, RELATIONSHIPS)).encode()).hexdigest()[:12]
"""Changes with the schema, so that the store of another version is noticed."""


def rows_of(snapshot: Snapshot) -> dict[str, list[Row]]:
    """Return the rows of every table: `rows_of(snapshot)["Episode"][0]["title"]`."""
    tables: dict[str, list[Row]] = {table: [] for table in TABLES}
    for table, found in columns_of(snapshot).items():
        lists = ([list(v) if isinstance(v, tuple) else v for v in column] for column in found.values())
        tables[table] = [dict(zip(found, row, strict=True)) for row in zip(*lists, strict=True)]
    return tables


def columns_of(snapshot: Snapshot) -> dict[str, dict[str, Sequence[Any]]]:
    """Return columns of tables with rows: `columns_of(snapshot)["Link"]["url"]`."""
    found: dict[str, dict[str, Sequence[Any]]] = {}
    for table, of in _CLASSES.items():
        values = [v for v in getattr(snapshot, group_of(table)) if of is not ConceptRelation or v.kind == table]
        if values:  # lists of a column hold fewer objects than tuples of a row
            found[table] = {name: list(map(attrgetter(name), values)) for name, _ in _COLUMNS[table]}
    return found


def from_columns(tables: Mapping[str, Mapping[str, Sequence[Any]]]) -> Snapshot:
    """Return the snapshot of these columns: `from_columns(columns_of(snapshot))`.

    Raises ValueError where the columns of a table have several lengths.
    """
    groups: defaultdict[str, tuple[Any, ...]] = defaultdict(tuple)
    for table, found in tables.items():
        group, kind = group_of(table), {"kind": table} if _CLASSES[table] is ConceptRelation else {}
        types = dict(_COLUMNS[table])
        values = ([tuple(v or ()) for v in found[n]] if types[n] == "strings" else found[n] for n in types)
        groups[group] += tuple(
            _CLASSES[table](**dict(zip(types, row, strict=True)), **kind) for row in zip(*values, strict=True)
        )
    return Snapshot(**groups)


def group_of(table: str) -> str:
    """Return a table's field in a snapshot: "concept_relations" for "USES"."""
    if table in _NODES:
        return f"{table.lower()}s"
    return "concept_relations" if _CLASSES[table] is ConceptRelation else table.lower()


def check_acyclic(edges: Iterable[Requires]) -> None:
    """Raise CycleError for edges in a circle: `check_acyclic(graph.requires)`."""
    between = {(e.source, e.target): e for e in edges}
    needs = {concept: [e.target for e in of] for concept, of in by_source(between.values()).items()}
    try:
        TopologicalSorter(needs).prepare()
    except Circle as e:
        circle = [between[pair] for pair in pairwise(reversed(e.args[1]))]
        said = "; ".join(f"{r.source} requires {r.target} ({r.need}, {r.origin}: {r.reason})" for r in circle)
        raise CycleError(f"prerequisites run in a circle: {said}; remove one of these edges") from None


def closure(required_by: Mapping[str, Iterable[Requires]], concepts: Iterable[str], *needs: Need) -> frozenset[str]:
    """Return concepts and all they need: `closure(index, ["vmap"], "hear")`."""
    return reachable(lambda c: (e.target for e in required_by.get(c, ()) if not needs or e.need in needs), concepts)


def reachable(leads_to: Callable[[T], Iterable[T]], start: Iterable[T]) -> frozenset[T]:
    """Return a start and all beyond: `reachable({"a": "b", "b": ""}.get, "a")`."""
    found = set(start)
    todo = list(found)
    while todo:
        new = set(leads_to(todo.pop())) - found
        found |= new
        todo += new
    return frozenset(found)


class Precedence:
    """The pairs accepted: `Precedence([("a", "b")]).accept("b", "a")` is False."""

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._later: defaultdict[str, set[str]] = defaultdict(set)
        for earlier, later in pairs:
            self._later[earlier].add(later)

    def accept(self, earlier: str, later: str) -> bool:
        """Add the pair unless it closes a circle; return whether it holds."""
        if fits := earlier not in reachable(lambda item: self._later.get(item, ()), [later]):
            self._later[earlier].add(later)
        return fits


def consistent(pairs: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """Drop pairs that contradict earlier ones: `consistent([("a", "b")])`."""
    order = Precedence()
    return frozenset(pair for pair in pairs if order.accept(*pair))
