"""The schema of the property graph, read off the dataclasses of `model`, and the way from a snapshot to rows and back.

The engines only move rows. A row is a dict of plain values; the row of an edge also has `source` and `target`, the ids
of its two ends.
"""

import gc
import hashlib
import types
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, fields
from functools import cache
from itertools import repeat
from operator import attrgetter
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from torchatlas.graph.values.model import (
    Assumes,
    Cites,
    Concept,
    ConceptRelation,
    ConceptRelationKind,
    Episode,
    InShow,
    Link,
    ListenAfter,
    Mentions,
    RefersTo,
    RelatedTo,
    Requires,
    Show,
    Snapshot,
    Teaches,
)

ColumnType = Literal["string", "integer", "float", "strings"]
Row = dict[str, Any]

META = "TorchatlasMeta"
"""The label of the one node that says from which inputs a stored graph was built."""


@dataclass(frozen=True, slots=True)
class Column:
    """A property: its name and the type of its values. Only the `id` of a node is never null."""

    name: str
    type: ColumnType


@dataclass(frozen=True, slots=True)
class NodeTable:
    """All nodes of a label; the first of the `columns` is `id`, which is unique among the nodes."""

    label: str
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class RelationshipTable:
    """All relationships of a type, from `source` to `target` (labels). At most one joins the same two nodes."""

    kind: str
    source: str
    _: KW_ONLY
    target: str
    columns: tuple[Column, ...]


def _columns(table: str) -> tuple[Column, ...]:
    hints = get_type_hints(_CLASSES[table])
    return tuple(Column(name, _type(hints[name])) for name in _fields(table)[0] if name not in ("source", "target"))


def _type(hint: Any) -> ColumnType:
    if get_origin(hint) in {Union, types.UnionType}:
        (hint,) = (h for h in get_args(hint) if h is not types.NoneType)
    return "string" if get_origin(hint) is Literal else _TYPES[hint]


@cache
def _fields(table: str) -> tuple[tuple[str, ...], tuple[str, ...], Callable[[object], Any]]:
    """Return the names of the properties, the names of those that hold several texts, and a reader of all values."""
    hints = get_type_hints(_CLASSES[table])
    names = tuple(f.name for f in fields(_CLASSES[table]) if table in _NODES or f.name != "kind")
    return names, tuple(name for name in names if hints[name] == tuple[str, ...]), attrgetter(*names)


_TYPES: Mapping[Any, ColumnType] = {str: "string", int: "integer", float: "float", tuple[str, ...]: "strings"}
_NODES = {"Concept": Concept, "Episode": Episode, "Show": Show, "Link": Link}
_EDGES: Mapping[str, tuple[type, str, str]] = {
    "TEACHES": (Teaches, "Episode", "Concept"),
    "ASSUMES": (Assumes, "Episode", "Concept"),
    "MENTIONS": (Mentions, "Episode", "Concept"),
    "REQUIRES": (Requires, "Concept", "Concept"),
    "LISTEN_AFTER": (ListenAfter, "Episode", "Episode"),
    "REFERS_TO": (RefersTo, "Episode", "Episode"),
    "RELATED_TO": (RelatedTo, "Episode", "Episode"),
    "IN_SHOW": (InShow, "Episode", "Show"),
    "CITES": (Cites, "Episode", "Link"),
} | dict.fromkeys(get_args(ConceptRelationKind), (ConceptRelation, "Concept", "Concept"))
_CLASSES: Mapping[str, type] = _NODES | {kind: of for kind, (of, _, _) in _EDGES.items()}

NODES = tuple(NodeTable(label, _columns(label)) for label in _NODES)
RELATIONSHIPS = tuple(RelationshipTable(k, a, target=b, columns=_columns(k)) for k, (_, a, b) in _EDGES.items())

TableSchema = NodeTable | RelationshipTable
TABLES: dict[str, TableSchema] = {n.label: n for n in NODES} | {r.kind: r for r in RELATIONSHIPS}
"""Every table by its name: labels, then relationship types."""

VERSION = hashlib.sha256(repr((NODES, RELATIONSHIPS)).encode()).hexdigest()[:12]
"""Changes with the schema, so that a store built by another version of the program is noticed."""


def rows(snapshot: Snapshot) -> dict[str, list[Row]]:
    """Return the rows of every table, by label and relationship type; a table without rows is an empty list.

    >>> rows(Snapshot(episodes=(Episode("show/one", "One", show="Show"),)))["Episode"][0]["title"]
    'One'
    """
    return {table: [_row(table, value) for value in values] for table, values in _values(snapshot)}


def columns(snapshot: Snapshot) -> dict[str, dict[str, Sequence[Any]]]:
    """Return the tables of `rows` that have rows, as columns: faster to make and to load where there are many rows.

    >>> columns(Snapshot(episodes=(Episode("show/one", "One", show="Show"),)))["Episode"]["title"]
    ['One']
    """
    found: dict[str, dict[str, Sequence[Any]]] = {}
    for table, values in _values(snapshot):
        if values:  # a list a column, and no tuple a row, which the garbage collector would walk through
            found[table] = {column: list(map(attrgetter(column), values)) for column in _fields(table)[0]}
    return found


def from_rows(tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> Snapshot:
    """Return the snapshot of which these are the `rows`.

    A missing property is null; properties that the schema does not know are left out. Raises KeyError where a table is
    missing.

    >>> from_rows(rows(Snapshot())) == Snapshot()
    True
    """
    return from_columns(
        {table: {name: [row.get(name) for row in tables[table]] for name in _fields(table)[0]} for table in _CLASSES}
    )


def from_columns(tables: Mapping[str, Mapping[str, Sequence[Any]]]) -> Snapshot:
    """Return the snapshot of which these are the `columns`.

    >>> from_columns(columns(Snapshot())) == Snapshot()
    True
    """
    groups: dict[str, list[Any]] = defaultdict(list)
    for table, found in tables.items():
        groups[group_of(table)] += values_of(table, found)
    return Snapshot(**{group: tuple(values) for group, values in groups.items()})


def values_of(table: str, found: Mapping[str, Sequence[Any]]) -> list[Any]:
    """Return the nodes or edges of a table of which these are the columns.

    Raises ValueError where the columns have several lengths.

    >>> found = columns(Snapshot(episodes=(Episode("show/one", "One", show="Show"),)))
    >>> values_of("Episode", found["Episode"])[0].title
    'One'
    """
    names, lists, _ = _fields(table)
    of = _CLASSES[table]
    if len({len(found[name]) for name in names}) > 1:
        raise ValueError(f"{table}: the columns have several lengths")
    columns: dict[str, Iterable[Any]] = {
        name: map(_texts, found[name]) if name in lists else found[name] for name in names
    }
    if of is ConceptRelation:
        columns["kind"] = repeat(table)
    with _uncollected():
        values: list[Any] = [object.__new__(of) for _ in found[names[0]]]
        for name, column in columns.items():  # much faster than to call the class for each row
            deque(map(getattr(of, name).__set__, values, column), maxlen=0)
    return values


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep the garbage collector from looking through so many new values again and again: none of them is garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def group_of(table: str) -> str:
    """Return the field of a snapshot that holds the values of a table.

    >>> group_of("Concept"), group_of("TEACHES"), group_of("USES")
    ('concepts', 'teaches', 'concept_relations')
    """
    if table in _NODES:
        return f"{table.lower()}s"
    return "concept_relations" if _CLASSES[table] is ConceptRelation else table.lower()


def property_names() -> frozenset[str]:
    """Return the name of every property that a node or a relationship may have.

    >>> "evidence" in property_names()
    True
    """
    return frozenset(column.name for table in TABLES.values() for column in table.columns)


def _values(snapshot: Snapshot) -> Iterator[tuple[str, Sequence[Any]]]:
    """Yield the name of every table with its values."""
    for table, of in _CLASSES.items():
        values = getattr(snapshot, group_of(table))
        yield table, [value for value in values if value.kind == table] if of is ConceptRelation else values


def _texts(values: Iterable[str] | None) -> tuple[str, ...]:
    return tuple(values or ())


def _row(table: str, value: object) -> Row:
    names, lists, read = _fields(table)
    row = dict(zip(names, read(value), strict=True))
    return row | {name: list(row[name]) for name in lists} if lists else row
