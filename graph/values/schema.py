"""The schema of the property graph, read off the dataclasses of `model`, and the way from a snapshot to rows and back.

The engines only move rows. A row is a dict of plain values; the row of an edge also has `source` and `target`, the ids
of its two ends.
"""

import hashlib
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from functools import cache
from operator import attrgetter
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from torchatlas.graph.values.model import (
    Assumes,
    Cites,
    Concept,
    ConceptRelation,
    ConceptRelationKind,
    Episode,
    Link,
    ListenAfter,
    Mentions,
    RefersTo,
    RelatedTo,
    Requires,
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


def _columns(of: type) -> tuple[Column, ...]:
    hints = get_type_hints(of)
    names = [f.name for f in fields(of) if f.name not in _ENDS or of in _NODE_CLASSES.values()]
    return tuple(Column(name, _type(hints[name])) for name in names)


def _type(hint: Any) -> ColumnType:
    if get_origin(hint) in {Union, types.UnionType}:
        (hint,) = (h for h in get_args(hint) if h is not types.NoneType)
    if get_origin(hint) is Literal or hint is str:
        return "string"
    if hint == tuple[str, ...]:
        return "strings"
    return {int: "integer", float: "float"}[hint]  # type: ignore[return-value]


def _kind(of: type) -> str:
    return str(of.KIND)  # type: ignore[attr-defined]


_ENDS = {"source", "target", "kind"}
_NODE_CLASSES: dict[str, type] = {"concepts": Concept, "episodes": Episode, "links": Link}
_EDGE_CLASSES: dict[str, tuple[type, str, str]] = {
    "teaches": (Teaches, "Episode", "Concept"),
    "assumes": (Assumes, "Episode", "Concept"),
    "mentions": (Mentions, "Episode", "Concept"),
    "requires": (Requires, "Concept", "Concept"),
    "listen_after": (ListenAfter, "Episode", "Episode"),
    "refers_to": (RefersTo, "Episode", "Episode"),
    "related_to": (RelatedTo, "Episode", "Episode"),
    "cites": (Cites, "Episode", "Link"),
}

NODES = tuple(NodeTable(of.__name__, _columns(of)) for of in _NODE_CLASSES.values())
RELATIONSHIPS = tuple(
    RelationshipTable(_kind(of), source, target=target, columns=_columns(of))
    for of, source, target in _EDGE_CLASSES.values()
) + tuple(
    RelationshipTable(kind, "Concept", target="Concept", columns=_columns(ConceptRelation))
    for kind in get_args(ConceptRelationKind)
)

Table = NodeTable | RelationshipTable
TABLES: dict[str, Table] = {n.label: n for n in NODES} | {r.kind: r for r in RELATIONSHIPS}
"""Every table by its name: labels, then relationship types."""

VERSION = hashlib.sha256(repr((NODES, RELATIONSHIPS)).encode()).hexdigest()[:12]
"""Changes with the schema, so that a store built by another version of the program is noticed."""


def rows(snapshot: Snapshot) -> dict[str, list[Row]]:
    """Return the rows of every table, by label and relationship type; a table without rows is an empty list.

    >>> rows(Snapshot(episodes=(Episode("show/one", "One", show="Show"),)))["Episode"][0]["title"]
    'One'
    """
    found: dict[str, list[Row]] = {name: [] for name in TABLES}
    for group, of in _NODE_CLASSES.items():
        found[of.__name__] = [_row(value) for value in getattr(snapshot, group)]
    for group, (of, _, _) in _EDGE_CLASSES.items():
        found[_kind(of)] = [_row(value) for value in getattr(snapshot, group)]
    for relation in snapshot.concept_relations:
        row = _row(relation)
        found[row.pop("kind")].append(row)
    return found


def columns(snapshot: Snapshot) -> dict[str, dict[str, Sequence[Any]]]:
    """Return the tables of `rows` that have rows, as columns: faster to make and to load where there are many rows.

    >>> columns(Snapshot(episodes=(Episode("show/one", "One", show="Show"),)))["Episode"]["title"]
    ['One']
    """
    found: dict[str, dict[str, Sequence[Any]]] = {}
    groups = [(of.__name__, of, getattr(snapshot, group)) for group, of in _NODE_CLASSES.items()]
    groups += [(_kind(of), of, getattr(snapshot, group)) for group, (of, _, _) in _EDGE_CLASSES.items()]
    for kind in get_args(ConceptRelationKind):
        groups.append((kind, ConceptRelation, [r for r in snapshot.concept_relations if r.kind == kind]))
    for name, of, values in groups:
        if values:  # a list a column, and no tuple a row, which the garbage collector would walk through
            found[name] = {column: list(map(attrgetter(column), values)) for column in _fields(of)[0]}
    return found


def from_rows(tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> Snapshot:
    """Return the snapshot of which these are the `rows`.

    A missing property is null; properties that the schema does not know are left out. Raises KeyError where a table is
    missing.

    >>> from_rows(rows(Snapshot())) == Snapshot()
    True
    """
    groups: dict[str, tuple[Any, ...]] = {}
    for group, of in _NODE_CLASSES.items():
        groups[group] = tuple(_value(of, row) for row in tables[of.__name__])
    for group, (of, _, _) in _EDGE_CLASSES.items():
        groups[group] = tuple(_value(of, row) for row in tables[_kind(of)])
    groups["concept_relations"] = tuple(
        _value(ConceptRelation, {**row, "kind": kind}) for kind in get_args(ConceptRelationKind) for row in tables[kind]
    )
    return Snapshot(**groups)


def property_names() -> frozenset[str]:
    """Return the name of every property that a node or a relationship may have.

    >>> "evidence" in property_names()
    True
    """
    return frozenset(column.name for table in TABLES.values() for column in table.columns)


def _row(value: object) -> Row:
    kind: Any = type(value)
    names, lists, read = _fields(kind)
    row = dict(zip(names, read(value), strict=True))
    return row | {name: list(row[name]) for name in lists} if lists else row


def _value(of: type, row: Mapping[str, Any]) -> Any:
    names, lists, _ = _fields(of)
    found = {name: row.get(name) for name in names}
    return of(**(found | {name: tuple(found[name] or ()) for name in lists} if lists else found))


@cache
def _fields(of: Any) -> tuple[tuple[str, ...], tuple[str, ...], Callable[[object], Any]]:
    """Return the names of all fields, the names of those that hold several texts, and a reader of all values."""
    hints = get_type_hints(of)
    names = tuple(f.name for f in fields(of))
    return names, tuple(name for name in names if hints[name] == tuple[str, ...]), attrgetter(*names)
