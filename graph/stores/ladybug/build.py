"""A whole graph written to a new file by the engine's bulk COPY, and counted."""

from collections.abc import Iterator
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from torchatlas.graph.errors import StoreError
from torchatlas.graph.model import (
    META,
    NODES,
    RELATIONSHIPS,
    TABLES,
    VERSION,
    NodeTable,
    Progress,
    Snapshot,
    TableSchema,
    columns_of,
)
from torchatlas.graph.stores.ladybug.file import MEMORY, check_version, connected, run
from torchatlas.graph.stores.ladybug.parquet import arrow_table, parquet

if TYPE_CHECKING:
    import ladybug

_TYPES = {"string": "STRING", "integer": "INT64", "float": "DOUBLE", "strings": "STRING[]"}


def build(path: Path, snapshot: Snapshot, fingerprint: str, tell: Progress) -> None:
    """Write a graph to a new file, and count the rows that a reader finds there. Raises StoreError and RuntimeError.

    Example: `build(Path("new.lbug"), snapshot, "made of these inputs", lambda what, done, total: None)`
    """
    import ladybug

    tables = columns_of(snapshot)
    sizes = {name: len(next(iter(values.values()))) for name, values in tables.items()}
    total, done = sum(sizes.values()), 0
    # One checkpoint, at the end: nobody reads the file before, and one that is not whole is thrown away.
    base = ladybug.Database(path, buffer_pool_size=MEMORY, auto_checkpoint=False)
    with base, ladybug.Connection(base) as connection:
        for statement in definitions():
            run(connection, statement)
        for name, table in TABLES.items():
            if name in tables:
                rows = path.with_name(f"{path.name}.{name}.parquet")
                rows.write_bytes(parquet(arrow_table(table, tables[name])))
                run(connection, f"COPY `{name}` FROM {_literal(rows)}")
                rows.unlink()
                done += sizes[name]
                tell("Writing the graph", done, total)
        created = f"CREATE (:{META} {{id: 'atlas', fingerprint: $fingerprint, schema: $schema}})"
        run(connection, created, {"fingerprint": fingerprint, "schema": VERSION})
        run(connection, "CHECKPOINT")
    with connected(path) as connection:
        check_version(connection, path)
        for name in TABLES:
            if (there := count(connection, name)) != (wanted := sizes.get(name, 0)):
                raise StoreError(f"{path}: {there} of {wanted} {name} rows were written; nothing is changed")


def definitions() -> Iterator[str]:
    """Yield the statements that make the tables.

    >>> next(definitions())[:38]
    'CREATE NODE TABLE `Concept`(`id` STRIN'
    """

    def columns(table: TableSchema) -> str:
        return ", ".join(f"`{column.name}` {_TYPES[column.type]}" for column in table.columns)

    for node in NODES:
        yield f"CREATE NODE TABLE `{node.label}`({columns(node)}, PRIMARY KEY(id))"
    for edge in RELATIONSHIPS:
        yield f"CREATE REL TABLE `{edge.kind}`(FROM `{edge.source}` TO `{edge.target}`, {columns(edge)})"
    yield f"CREATE NODE TABLE {META}(id STRING, fingerprint STRING, schema STRING, PRIMARY KEY(id))"


def _literal(path: Path) -> str:
    """Return a path as the engine reads the file of a COPY: a text in Cypher, in which no sign stands for several."""
    written = escape(path.as_posix()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{written}"'


def count(connection: "ladybug.Connection", name: str) -> int:
    """Return the number of rows in a table.

    Example: `count(connection, "REQUIRES")`
    """
    pattern = f"(x:`{name}`)" if isinstance(TABLES[name], NodeTable) else f"()-[x:`{name}`]->()"
    return int(run(connection, f"MATCH {pattern} RETURN count(x)").get_all()[0][0])
