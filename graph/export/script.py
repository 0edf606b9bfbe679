"""A graph as a Cypher script, which Neo4j Browser, cypher-shell and every driver run statement by statement."""

from collections.abc import Iterable, Iterator
from typing import Any

from torchatlas.graph.values import schema
from torchatlas.graph.values.batches import batches
from torchatlas.graph.values.model import Snapshot

_ROWS = 200
"""Rows of a statement: an editor in a browser becomes slow on longer statements."""


def cypher_script(snapshot: Snapshot) -> bytes:
    """Return the script: statements that end in `;` and a line break.

    A second run changes nothing; nodes that the graph does not have stay.

    Example: `Path("atlas.cypher").write_bytes(cypher_script(snapshot))`
    """
    return "".join(f"{statement};\n" for statement in statements(snapshot)).encode()


def statements(snapshot: Snapshot) -> Iterator[str]:
    """Yield the statements one by one: constraints, nodes, relationships.

    >>> next(statements(Snapshot()))
    'CREATE CONSTRAINT IF NOT EXISTS FOR (n:Concept) REQUIRE n.id IS UNIQUE'
    """
    tables = schema.rows(snapshot)
    for node in schema.NODES:
        yield f"CREATE CONSTRAINT IF NOT EXISTS FOR (n:{node.label}) REQUIRE n.id IS UNIQUE"
    for node in schema.NODES:
        for rows in batches(tables[node.label], _ROWS):
            yield f"UNWIND {_list(map(_map, rows))} AS row MERGE (n:{node.label} {{id: row.id}}) SET n += row"
    for edge in schema.RELATIONSHIPS:
        ends = f"MATCH (a:{edge.source} {{id: row[0]}}) MATCH (b:{edge.target} {{id: row[1]}})"
        for rows in batches(tables[edge.kind], _ROWS):
            values = (_list((_literal(r.pop("source")), _literal(r.pop("target")), _map(r))) for r in rows)
            yield f"UNWIND {_list(values)} AS row {ends} MERGE (a)-[r:{edge.kind}]->(b) SET r += row[2]"


def _list(values: Iterable[str]) -> str:
    return f"[{', '.join(values)}]"


def _map(row: schema.Row) -> str:
    return f"{{{', '.join(f'`{key}`: {_literal(value)}' for key, value in row.items() if value is not None)}}}"


def _literal(value: Any) -> str:
    if isinstance(value, list):
        return _list(map(_literal, value))
    if isinstance(value, str):
        plain = value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r")
        return f"'{plain}'"
    return repr(value)
