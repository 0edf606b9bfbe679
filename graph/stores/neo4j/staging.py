"""A graph too large for one transaction of a Neo4j server: staged beside the present one, then switched.

Staged nodes bear a label that no question asks for, so readers see the present graph until one transaction changes
the labels. That transaction changes nodes only, never the many relationships. The next load removes what a load that
was stopped has left.
"""

from collections.abc import Callable
from functools import partial

import neo4j

from torchatlas.graph.errors import StoreError
from torchatlas.graph.model import NODES, RELATIONSHIPS, TABLES, NodeTable, Progress, Row, TableSchema
from torchatlas.graph.stores.neo4j import indexes
from torchatlas.graph.stores.neo4j.rows import (
    BATCH,
    as_lists,
    batches,
    drop_former_tables,
    finish,
    lock,
    properties,
    run,
    within_limit,
    write_batch,
)
from torchatlas.graph.stores.neo4j.values import MARKER

_OLD = "TorchatlasOld"
_KEPT = "TorchatlasKept"


def sweep(session: neo4j.Session, token: str) -> None:
    """Remove, in batches, what stopped loads have staged and what a switch has left of the graph before it.

    A load that took over meanwhile sweeps by itself, and what it has staged since must stay.

    Example: `sweep(session, token)`
    """
    for label in session.execute_read(_left):
        for text in (
            f"MATCH (:{label})-[r]->() WITH r LIMIT {BATCH} DELETE r RETURN count(*)",
            f"MATCH (n:{label}) WITH n LIMIT {BATCH} DETACH DELETE n RETURN count(*)",
        ):
            while session.execute_write(_swept, token, text):
                pass
    indexes.drop(session, map(_constraint, NODES))


def write_staged(session: neo4j.Session, tables: dict[str, list[Row]], mark: str, token: str, tell: Progress) -> None:
    """Make the stored rows these. Each batch is a transaction of its own, which the driver tries again where it may.

    Raises StoreError where a relationship lacks one of its ends, or another load took over.

    Example: `write_staged(session, rows_of(snapshot), "fingerprint", token, tell)`
    """
    staged = {_constraint(node): indexes.unique_id(_constraint(node), _staged(node.label)) for node in NODES}
    indexes.make(session, staged)
    done, total = 0, sum(len(rows) for rows in tables.values())
    for name, table in TABLES.items():
        for batch in batches(tables[name]):
            rows = as_lists(table, batch)
            session.execute_write(_in_turn, token, partial(write_batch, rows=rows, name=name, text=_stage(table)))
            done += len(batch)
            tell("Writing the graph", done, total)
    session.execute_write(_in_turn, token, partial(_switch, mark=mark))
    sweep(session, token)


@within_limit
def _left(tx: neo4j.ManagedTransaction) -> list[str]:
    """Return the labels of what is to be removed that some node has."""
    labels = (*(_staged(node.label) for node in NODES), _OLD)
    counts = run(tx, "RETURN " + ", ".join(f"COUNT {{ (:{label}) }}" for label in labels))[0]
    return [label for label, count in zip(labels, counts, strict=True) if count]


@within_limit
def _in_turn(tx: neo4j.ManagedTransaction, token: str, work: Callable[[neo4j.ManagedTransaction], None]) -> None:
    if lock(tx) != token:
        raise StoreError("another torchatlas has begun to write this graph; this one has ended, nothing is changed")
    work(tx)


@within_limit
def _swept(tx: neo4j.ManagedTransaction, token: str, text: str) -> int:
    return int(run(tx, text)[0][0]) if lock(tx) == token else 0


def _stage(table: TableSchema) -> str:
    """Return the clause that stages a row."""
    if isinstance(table, NodeTable):
        return f"CREATE (:{_staged(table.label)} {properties(table)})"
    ends = f"MATCH (a:{_staged(table.source)} {{id: row[0]}}) MATCH (b:{_staged(table.target)} {{id: row[1]}})"
    return f"{ends} CREATE (a)-[:{table.kind} {properties(table)}]->(b)"


def _switch(tx: neo4j.ManagedTransaction, mark: str) -> None:
    """Put the staged graph in the place of the present one."""
    drop_former_tables(tx)
    _keep_tied(tx)
    for node in NODES:
        old, new = f"{node.label}:{MARKER}", _staged(node.label)
        run(tx, f"MATCH (n:{old}) WHERE NOT n:{_KEPT} REMOVE n:{old} SET n:{_OLD}")
        run(tx, f"MATCH (n:{new}) REMOVE n:{new} SET n:{old}")
    run(tx, f"MATCH (n:{_KEPT}) REMOVE n:{_KEPT}")
    finish(tx, mark)


def _keep_tied(tx: neo4j.ManagedTransaction) -> None:
    """Keep the nodes to which people have tied something of theirs: they get what was staged for their ids."""
    types = [edge.kind for edge in RELATIONSHIPS]
    kept = 0
    for node in NODES:
        theirs = f"(n)-[r]-(x) WHERE NOT x:{MARKER} OR NOT type(r) IN $types"
        tied = f"MATCH (n:{node.label}:{MARKER}) WHERE size(labels(n)) > 2 OR EXISTS {{ MATCH {theirs} }}"
        text = f"{tied} MATCH (:{_staged(node.label)} {{id: n.id}}) SET n:{_KEPT} RETURN count(*)"
        kept += run(tx, text, types=types)[0][0]
    if not kept:
        return
    run(tx, f"MATCH (:{_KEPT})-[r]-(:{MARKER}) WHERE type(r) IN $types WITH DISTINCT r DELETE r", types=types)
    for edge in RELATIONSHIPS:
        moved = f"[m:{edge.kind}]"
        for label, left, right in ((edge.source, "-", "->"), (edge.target, "<-", "-")):
            found = f"{_pair(label)} MATCH (s){left}[r:{edge.kind}]{right}(x)"
            run(tx, f"{found} CREATE (n){left}{moved}{right}(x) SET m = properties(r) DELETE r")
    for node in NODES:
        run(tx, f"{_pair(node.label)} SET n = properties(s) DELETE s")


def _pair(label: str) -> str:
    """Return the pattern of `n`, a node that is kept, and `s`, the node that was staged for it."""
    return f"MATCH (n:{label}:{_KEPT}) MATCH (s:{_staged(label)} {{id: n.id}})"


def _staged(label: str) -> str:
    return f"TorchatlasStaged{label}"


def _constraint(node: NodeTable) -> str:
    return f"torchatlas_staged_{node.label.lower()}"
