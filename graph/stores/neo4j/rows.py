"""The rows of every table, read and written by transactions on a Neo4j server, on marked nodes only.

The meta node holds the `fingerprint` and the `schema` of the graph, the `labels` and `types` that this schema has,
`changes`, which counts the graphs that were written, and `loading`, the token of the load that writes now.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any, TypeVar

import neo4j

from torchatlas.graph.errors import StoreError
from torchatlas.graph.model import (
    META,
    NODES,
    RELATIONSHIPS,
    TABLES,
    VERSION,
    NodeTable,
    Progress,
    RelationshipTable,
    Row,
    TableSchema,
)
from torchatlas.graph.stores.neo4j.values import MARKER

R = TypeVar("R")
BATCH = 10_000  # rows of one statement
LONGEST = 600.0  # seconds of one transaction
AT_ONCE = 50_000  # rows that one transaction may change: a server holds all of them in its memory until the end
within_limit = neo4j.unit_of_work(timeout=LONGEST)
"""Marks the work of one transaction: the server ends it after LONGEST seconds, for it may wait for another's lock."""
_META = f"(m:{META}:{MARKER} {{id: 'atlas'}})"


def run(tx: neo4j.ManagedTransaction, text: Any, **values: object) -> list[neo4j.Record]:
    """Run a statement to its end and return the rows.

    The type of the text is Any because the driver accepts literal text only
    (https://github.com/neo4j/neo4j-python-driver/issues/876), and labels cannot be parameters.

    Example: `run(tx, "MATCH (c:Concept {id: $id}) RETURN c.name", id="tensor")[0][0]`
    """
    return list(tx.run(text, values))


@within_limit
def run_alone(tx: neo4j.ManagedTransaction, text: str) -> list[neo4j.Record]:
    """Run one statement as the work of a transaction, which the driver tries again where a cluster changes its leader.

    Example: `session.execute_write(run_alone, "DROP CONSTRAINT torchatlas_link IF EXISTS")`
    """
    return run(tx, text)


@within_limit
def take_over(tx: neo4j.ManagedTransaction, token: str) -> None:
    """Make `token` the load that writes; another one that has begun ends at its next batch.

    Example: `session.execute_write(take_over, secrets.token_hex(8))`
    """
    run(tx, f"MERGE (m:{META} {{id: 'atlas'}}) SET m:{MARKER}, m.loading = $token", token=token)


def lock(tx: neo4j.ManagedTransaction) -> str:
    """Keep other writers waiting until this transaction ends; return the token of the load whose turn it is.

    Example: `session.execute_write(lock)`
    """
    # To set a property takes the lock, and the reading comes after it.
    return str(run(tx, f"MATCH {_META} SET m.id = 'atlas' RETURN m.loading")[0][0])


@within_limit
def write_changes(tx: neo4j.ManagedTransaction, tables: dict[str, list[Row]], mark: str, tell: Progress) -> bool:
    """Make the stored rows these and write only what differs; return False, and do nothing, where that is too much.

    Raises StoreError where a relationship lacks one of its ends.

    Example: `session.execute_write(write_changes, rows_of(snapshot), "fingerprint", tell)`
    """
    lock(tx)
    gone, new = {}, {}
    for name, table in TABLES.items():
        gone[name], new[name] = _difference(table, _stored(tx, table), tables[name])
    total, done = sum(len(gone[name]) + len(new[name]) for name in TABLES), 0
    if total > AT_ONCE:
        return False
    drop_former_tables(tx)

    def write(rows: Sequence[Sequence[object]], name: str, text: str) -> None:
        nonlocal done
        for batch in batches(rows):
            write_batch(tx, batch, name, text)
            done += len(batch)
            tell("Writing the graph", done, total)

    for edge in RELATIONSHIPS:
        write(gone[edge.kind], edge.kind, f"{_ends(edge)} MATCH (a)-[r:{edge.kind}]->(b) DELETE r")
    for node in NODES:
        write(gone[node.label], node.label, f"MATCH (n:{node.label}:{MARKER} {{id: row[0]}}) DETACH DELETE n")
        there = f"MERGE (n:{node.label} {{id: row[0]}}) SET n = {properties(node)}, n:{MARKER}"
        write(as_lists(node, new[node.label]), node.label, there)
    for edge in RELATIONSHIPS:
        made = f"{_ends(edge)} CREATE (a)-[:{edge.kind} {properties(edge)}]->(b)"
        write(as_lists(edge, new[edge.kind]), edge.kind, made)
    finish(tx, mark)
    return True


def batches(rows: Sequence[R]) -> Iterator[Sequence[R]]:
    """Yield rows, as many at a time as one statement takes.

    >>> [len(batch) for batch in batches([["tensor"]] * 25_000)]
    [10000, 10000, 5000]
    """
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]


def as_lists(table: TableSchema, rows: Sequence[Row]) -> list[list[object]]:
    """Return rows as lists, which are faster to send than maps: the id of a node or the ends come first.

    >>> as_lists(TABLES["IN_SHOW"], [{"source": "radio/one", "target": "radio", "quote": "Of Radio."}])
    [['radio/one', 'radio', 'Of Radio.']]
    """
    names = _names(table)
    return [[row[name] for name in names] for row in rows]


def properties(table: TableSchema) -> str:
    """Return the map of the properties of `row`, a row of `as_lists`.

    >>> properties(TABLES["RELATED_TO"])
    '{`score`: row[2], `reasons`: row[3]}'
    """
    ends = _names(table)[: 0 if isinstance(table, NodeTable) else 2]
    return "{" + ", ".join(f"`{n}`: row[{i}]" for i, n in enumerate(_names(table)) if n not in ends) + "}"


def write_batch(tx: neo4j.ManagedTransaction, rows: Sequence[Sequence[object]], name: str, text: str) -> None:
    """Run `text` for every `row`. Raises StoreError where it found no place for one of them.

    Example: `write_batch(tx, [["tensor"]], "Concept", "MERGE (n:Concept {id: row[0]})")`
    """
    count = run(tx, f"UNWIND $rows AS row {text} RETURN count(*)", rows=rows)[0][0]
    if count < len(rows):  # it is more where people made a second relationship between two nodes: both are deleted
        raise StoreError(f"{len(rows) - count} {name} relationships have an end that is not in the graph")


def finish(tx: neo4j.ManagedTransaction, mark: str) -> None:
    """Store the fingerprint of the graph, which is whole now.

    Example: `finish(tx, "fingerprint")`
    """
    labels, types = [node.label for node in NODES], [edge.kind for edge in RELATIONSHIPS]
    facts = {"fingerprint": mark, "schema": VERSION, "labels": labels, "types": types}
    run(tx, f"MATCH {_META} SET m += $facts, m.changes = coalesce(m.changes, 0) + 1", facts=facts)


def drop_former_tables(tx: neo4j.ManagedTransaction) -> None:
    """Delete nodes and relationships whose labels and types only another version of the schema has.

    Example: `drop_former_tables(tx)`
    """
    meta = read_meta(tx) or {}
    values: dict[str, Any] = {name: sorted({*meta.get(name, ())} - {*TABLES}) for name in ("labels", "types")}
    if values["types"]:
        run(tx, f"MATCH (:{MARKER})-[r]->(:{MARKER}) WHERE type(r) IN $types DELETE r", **values)
    if values["labels"]:
        run(tx, f"MATCH (n:{MARKER}) WHERE any(l IN labels(n) WHERE l IN $labels) DETACH DELETE n", **values)


@within_limit
def read_meta(tx: neo4j.ManagedTransaction) -> dict[str, Any] | None:
    """Return the properties of the meta node, None where there is no whole graph.

    Example: `session.execute_read(read_meta)`
    """
    found = run(tx, f"MATCH {_META} WHERE m.fingerprint IS NOT NULL RETURN properties(m)")
    return dict(found[0][0]) if found else None


@within_limit
def read_rows(tx: neo4j.ManagedTransaction) -> tuple[str, dict[str, list[Row]] | None]:
    """Return the version of the schema and the rows of every table, None where some may be of another graph.

    A server shows a transaction what others commit while it runs.

    Example: `version, tables = session.execute_read(read_rows)`
    """
    before = read_meta(tx) or {"schema": VERSION}
    rows = {name: _stored(tx, table) for name, table in TABLES.items()}
    after = read_meta(tx) or {}
    return before["schema"], rows if before.get("changes") == after.get("changes") else None


def _difference(table: TableSchema, stored: list[Row], wanted: list[Row]) -> tuple[list[list[object]], list[Row]]:
    """Return the ids or ends of the rows to delete, and the rows to write.

    A node that differs is written over, to keep what others tied to it. A relationship is deleted and made again.
    """
    is_node = isinstance(table, NodeTable)
    ends = ("id",) if is_node else ("source", "target")
    key = itemgetter(*ends)
    there: defaultdict[Any, list[Row]] = defaultdict(list)
    for row in stored:  # people may have made a second relationship between the same nodes
        there[key(row)].append(row)
    new = [row for row in wanted if there.get(key(row)) != [_without_nulls(row)]]
    kept = {key(row) for row in wanted}.difference(() if is_node else map(key, new))
    gone = [[rows[0][name] for name in ends] for place, rows in sorted(there.items()) if place not in kept]
    return gone, new


def _without_nulls(row: Row) -> Row:
    return {name: value for name, value in row.items() if value is not None}


def _stored(tx: neo4j.ManagedTransaction, table: TableSchema) -> list[Row]:
    if isinstance(table, NodeTable):
        return [record[0] for record in run(tx, f"MATCH (n:{table.label}:{MARKER}) RETURN properties(n)")]
    pattern = f"(a:{table.source}:{MARKER})-[r:{table.kind}]->(b:{table.target}:{MARKER})"
    found = run(tx, f"MATCH {pattern} RETURN properties(r), a.id, b.id")
    return [{**r[0], "source": r[1], "target": r[2]} for r in found]


def _ends(edge: RelationshipTable) -> str:
    return f"MATCH (a:{edge.source}:{MARKER} {{id: row[0]}}) MATCH (b:{edge.target}:{MARKER} {{id: row[1]}})"


def _names(table: TableSchema) -> list[str]:
    names = [column.name for column in table.columns]
    return names if isinstance(table, NodeTable) else ["source", "target", *names]
