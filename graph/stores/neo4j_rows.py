"""What one transaction on a Neo4j server writes and reads: the rows of every table, on nodes of our own."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import neo4j

from graph import schema
from graph.errors import StoreError
from graph.stores import Progress
from graph.stores.values import MARKER

BATCH = 5000


def replace_rows(tx: neo4j.ManagedTransaction, tables: dict[str, list[schema.Row]], mark: str, tell: Progress) -> None:
    """Make the stored rows these, and the graph one that was built from `mark`.

    Only what differs is written: a server keeps in memory what a transaction changes. Writing the meta node first
    makes a second build wait for this one. Raises StoreError where a relationship lacks one of its ends.
    """
    text: Any = f"MERGE (m:{schema.META} {{id: 'atlas'}}) SET m:{MARKER}, m.fingerprint = $mark, m.schema = $schema"
    tx.run(text, mark=mark, schema=schema.VERSION).consume()
    changes = {
        name: _change(schema.TABLES[name], _stored(tx, schema.TABLES[name]), rows) for name, rows in tables.items()
    }
    total, done = sum(len(c.gone) + len(c.new) for c in changes.values()), 0

    def run(rows: list[schema.Row], name: str, text: Any) -> None:
        nonlocal done
        for start in range(0, len(rows), BATCH):
            batch = rows[start : start + BATCH]
            count = tx.run(f"UNWIND $rows AS row {text} RETURN count(DISTINCT row)", rows=batch).single(strict=True)[0]
            if count != len(batch):
                raise StoreError(f"{len(batch) - count} {name} relationships have an end that is not in the graph")
            done += len(batch)
            tell("writing", done, total)

    for edge in schema.RELATIONSHIPS:
        run(changes[edge.kind].gone, edge.kind, f"{_ends(edge)} MATCH (a)-[r:{edge.kind}]->(b) DELETE r")
    for node in schema.NODES:
        run(changes[node.label].gone, node.label, f"MATCH (n:{node.label}:{MARKER} {{id: row.id}}) DETACH DELETE n")
        run(changes[node.label].new, node.label, f"MERGE (n:{node.label} {{id: row.id}}) SET n = row, n:{MARKER}")
    for edge in schema.RELATIONSHIPS:
        properties = ", ".join(f"`{column.name}`: row.`{column.name}`" for column in edge.columns)
        run(changes[edge.kind].new, edge.kind, f"{_ends(edge)} CREATE (a)-[:{edge.kind} {{{properties}}}]->(b)")


def read_rows(tx: neo4j.ManagedTransaction) -> dict[str, list[schema.Row]] | None:
    """Everything of ours, as one transaction sees it; None where another version of the schema wrote it."""
    meta = read_meta(tx)
    if meta and meta["schema"] != schema.VERSION:
        return None
    return {name: _stored(tx, table) for name, table in schema.TABLES.items()}


def read_meta(tx: neo4j.ManagedTransaction) -> dict[str, Any] | None:
    """The `fingerprint` and the `schema` of the stored graph, None where there is none."""
    text: Any = f"MATCH (m:{schema.META}:{MARKER} {{id: 'atlas'}}) RETURN properties(m)"
    record = tx.run(text).single()
    return dict(record[0]) if record else None


@dataclass(frozen=True, slots=True)
class _Change:
    """`gone`: rows to delete; `new`: rows to write."""

    gone: list[schema.Row]
    new: list[schema.Row]


def _change(table: schema.Table, stored: list[schema.Row], wanted: list[schema.Row]) -> _Change:
    """A node that differs is written over, to keep what others tied to it; a relationship is deleted and made again."""
    is_node = isinstance(table, schema.NodeTable)
    ends = ("id",) if is_node else ("source", "target")
    there: defaultdict[tuple[str, ...], list[schema.Row]] = defaultdict(list)
    for row in stored:  # people may have made a second relationship between the same nodes
        there[_values(row, ends)].append(row)
    new = [row for row in wanted if there.get(_values(row, ends)) != [_without_nulls(row)]]
    leaving = there.keys() - {_values(row, ends) for row in wanted}
    if not is_node:
        leaving |= there.keys() & {_values(row, ends) for row in new}
    return _Change([dict(zip(ends, key, strict=True)) for key in sorted(leaving)], new)


def _values(row: schema.Row, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(row[name] for name in names)


def _without_nulls(row: schema.Row) -> schema.Row:
    return {name: value for name, value in row.items() if value is not None}


def _stored(tx: neo4j.ManagedTransaction, table: schema.Table) -> list[schema.Row]:
    if isinstance(table, schema.NodeTable):
        text: Any = f"MATCH (n:{table.label}:{MARKER}) RETURN properties(n)"
        return [record[0] for record in tx.run(text)]
    text = (
        f"MATCH (a:{table.source}:{MARKER})-[r:{table.kind}]->(b:{table.target}:{MARKER})"
        " RETURN properties(r), a.id, b.id"
    )
    return [{**r[0], "source": r[1], "target": r[2]} for r in tx.run(text)]


def _ends(edge: schema.RelationshipTable) -> str:
    return f"MATCH (a:{edge.source}:{MARKER} {{id: row.source}}) MATCH (b:{edge.target}:{MARKER} {{id: row.target}})"
