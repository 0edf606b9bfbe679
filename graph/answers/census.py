"""The schema with counts: how many of each kind there are, which properties they have, and one example."""

from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.values import schema
from torchatlas.graph.values.model import Snapshot

_LONG = 60


@dataclass(frozen=True, slots=True)
class Filled:
    """A property: the type of its values, and how many nodes or relationships have one."""

    name: str
    type: str
    _: KW_ONLY
    count: int


@dataclass(frozen=True, slots=True)
class Kind:
    """A label or a relationship type; `pattern` is its form in Cypher, `example` the first of them in that form."""

    name: str
    pattern: str
    _: KW_ONLY
    count: int
    properties: tuple[Filled, ...]
    example: str | None


@dataclass(frozen=True, slots=True)
class Census:
    """The labels and the relationship types of a graph, in the order of the schema."""

    nodes: tuple[Kind, ...]
    relationships: tuple[Kind, ...]


def census(snapshot: Snapshot) -> Census:
    """Count the nodes and edges of a graph by the kinds of its schema.

    >>> census(Snapshot()).nodes[0].pattern
    '(:Concept)'
    """
    tables = schema.rows(snapshot)
    nodes = tuple(
        _kind(table, tables[table.label], f"(:{table.label})", f"(:{table.label} {{id: %s}})", ("id",))
        for table in schema.NODES
    )
    edges = tuple(
        _kind(
            table,
            tables[table.kind],
            f"(:{table.source})-[:{table.kind}]->(:{table.target})",
            f"(:{table.source} {{id: %s}})-[:{table.kind}]->(:{table.target} {{id: %s}})",
            ("source", "target"),
        )
        for table in schema.RELATIONSHIPS
    )
    return Census(nodes, edges)


def _kind(table: schema.Table, rows: list[schema.Row], pattern: str, form: str, ends: tuple[str, ...]) -> Kind:
    filled = tuple(
        Filled(c.name, c.type, count=sum(row[c.name] not in (None, [], "") for row in rows)) for c in table.columns
    )
    name = table.label if isinstance(table, schema.NodeTable) else table.kind
    example = form % tuple(repr(rows[0][end]) for end in ends) if rows else None
    return Kind(name, pattern, count=len(rows), properties=filled, example=example)
