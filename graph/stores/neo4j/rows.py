"""The rows of every table, read and written by transactions on a Neo4j server, on marked nodes only.

The meta node holds the `fingerprint` and the `schema` of the graph, the `labels` and `types` that this schema has,
`changes`, which counts the graphs that were written, and `loading`, the token of the load that writes now.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import neo4j

from torchatlas.graph.stores.neo4j.values import MARKER
from torchatlas.graph.values import schema
from torchatlas.graph.values.errors import StoreError
from torchatlas.graph.values.progress import Progress

BATCH = 10_000
"""Rows of one statement."""
AT_ONCE = 50_000
"""Rows that one transaction may change: a server holds all of them in its memory until the end."""

META = f"(m:{schema.META}:{MARKER} {{id: 'atlas'}})"
"""The pattern of the meta node."""


def take_over(tx: neo4j.ManagedTransaction | neo4j.Transaction, token: str) -> None:
    """Make `token` the load that writes; another one that has begun ends at its next batch.

    Example: `session.execute_write(take_over, secrets.token_hex(8))`
    """
    text: Any = f"MERGE (m:{schema.META} {{id: 'atlas'}}) SET m:{MARKER}, m.loading = $token"
    tx.run(text, token=token).consume()


def lock(tx: neo4j.ManagedTransaction) -> str:
    """Keep other writers waiting until this transaction ends, and return the token of the load whose turn it is.

    Example: `session.execute_write(lock)`
    """
    text: Any = f"MATCH {META} SET m.id = 'atlas' RETURN m.loading"  # the lock comes first, then the reading
    return str(tx.run(text).single(strict=True)[0])


def write_changes(tx: neo4j.ManagedTransaction, tables: dict[str, list[schema.Row]], mark: str, tell: Progress) -> bool:
    """Make the stored rows these and write only what differs; return False, and do nothing, where that is too much.

    Raises StoreError where a relationship lacks one of its ends.

    Example: `session.execute_write(write_changes, schema.rows(snapshot), "fingerprint", tell)`
    """
    lock(tx)
    changes = {name: _change(table, _stored(tx, table), tables[name]) for name, table in schema.TABLES.items()}
    total, done = sum(len(c.gone) + len(c.new) for c in changes.values()), 0
    if total > AT_ONCE:
        return False
    drop_former_tables(tx)

    def run(rows: list[schema.Row], name: str, text: str) -> None:
        nonlocal done
        for start in range(0, len(rows), BATCH):
            batch = rows[start : start + BATCH]
            write_batch(tx, batch, name, text)
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
    finish(tx, mark)
    return True


def write_batch(tx: neo4j.ManagedTransaction, rows: Sequence[object], name: str, text: Any) -> None:
    """Run `text` for every `row`. Raises StoreError where it found no place for one of them.

    Example: `write_batch(tx, [{"id": "tensor"}], "Concept", "MERGE (n:Concept {id: row.id})")`
    """
    count = tx.run(f"UNWIND $rows AS row {text} RETURN count(*)", rows=rows).single(strict=True)[0]
    if count < len(rows):  # it is more where people made a second relationship between two nodes: both are deleted
        raise StoreError(f"{len(rows) - count} {name} relationships have an end that is not in the graph")


def finish(tx: neo4j.ManagedTransaction, mark: str) -> None:
    """Store the fingerprint of the graph, which is whole now.

    Example: `finish(tx, "fingerprint")`
    """
    text: Any = (
        f"MATCH {META} SET m.fingerprint = $mark, m.schema = $schema, m.labels = $labels, m.types = $types,"
        " m.changes = coalesce(m.changes, 0) + 1"
    )
    labels, types = [node.label for node in schema.NODES], [edge.kind for edge in schema.RELATIONSHIPS]
    tx.run(text, mark=mark, schema=schema.VERSION, labels=labels, types=types).consume()


def drop_former_tables(tx: neo4j.ManagedTransaction) -> None:
    """Delete nodes and relationships whose labels and types only another version of the schema has.

    Example: `drop_former_tables(tx)`
    """
    meta = read_meta(tx) or {}
    values: dict[str, Any] = {name: sorted({*meta.get(name, ())} - {*schema.TABLES}) for name in ("labels", "types")}
    if values["types"]:
        tx.run(f"MATCH (:{MARKER})-[r]->(:{MARKER}) WHERE type(r) IN $types DELETE r", values).consume()
    if values["labels"]:
        tx.run(f"MATCH (n:{MARKER}) WHERE any(l IN labels(n) WHERE l IN $labels) DETACH DELETE n", values).consume()


def read_meta(tx: neo4j.ManagedTransaction) -> dict[str, Any] | None:
    """Return the properties of the meta node, None where there is no whole graph.

    Example: `session.execute_read(read_meta)`
    """
    text: Any = f"MATCH {META} WHERE m.fingerprint IS NOT NULL RETURN properties(m)"
    record = tx.run(text).single()
    return dict(record[0]) if record else None


@dataclass(frozen=True, slots=True)
class Reading:
    """The rows that one transaction read. They are `torn` where another graph was written meanwhile."""

    rows: dict[str, list[schema.Row]]
    version: str
    _: KW_ONLY
    torn: bool


def read_rows(tx: neo4j.ManagedTransaction) -> Reading:
    """Return the rows of every table. A server shows a transaction what others commit while it runs: see `torn`.

    Example: `session.execute_read(read_rows).rows["Concept"]`
    """
    before = read_meta(tx) or {"schema": schema.VERSION}
    rows = {name: _stored(tx, table) for name, table in schema.TABLES.items()}
    after = read_meta(tx) or {}
    return Reading(rows, before["schema"], torn=before.get("changes") != after.get("changes"))


@dataclass(frozen=True, slots=True)
class _Change:
    """The difference of two tables: rows `gone`, to delete, and `new` ones, to write."""

    gone: list[schema.Row]
    new: list[schema.Row]


def _change(table: schema.Table, stored: list[schema.Row], wanted: list[schema.Row]) -> _Change:
    """Return the difference of two tables.

    A node that differs is written over, to keep what others tied to it; a relationship is deleted and made again.
    """
    if not stored:
        return _Change([], wanted)
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
