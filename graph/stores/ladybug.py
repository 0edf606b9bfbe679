"""A graph in one file, in the embedded Cypher engine. The file is a cache: `replace` builds another and swaps them."""

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph import schema
from graph.answers import Table
from graph.cypher import check_plan, check_statement, chosen
from graph.dialects import LADYBUG, explain_ladybug
from graph.errors import QueryError, StoreError
from graph.model import Snapshot
from graph.stores import Progress, Store
from graph.stores.lock import exclusive
from graph.stores.values import from_ladybug

if TYPE_CHECKING:
    import ladybug

MEMORY = 512 * 1024 * 1024
"""Bytes that the engine may use; a query that needs more fails, and not the computer."""
LOCK_WAIT = 60.0
_MAGIC = b"LBUG"
_TYPES = {"string": "STRING", "integer": "INT64", "float": "DOUBLE", "strings": "STRING[]"}
_OPERATOR = re.compile(r"([A-Z_]+)\[\d+\]")


class LadybugStore(Store):
    """Opens the file for each call, so that a graph that another process has built meanwhile is seen."""

    def __init__(self, path: str) -> None:
        self.path = Path(path).expanduser().absolute()
        self.address = f"ladybug:{self.path}"

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Nothing is kept open between calls."""

    def fingerprint(self) -> str | None:
        if not self.path.exists():
            return None
        with self._reading() as connection:
            found = self._meta(connection)
        return found[0] if found[1] == schema.VERSION else None

    def snapshot(self) -> Snapshot:
        if not self.path.exists():
            return Snapshot()
        with self._reading() as connection, self._engine_errors():
            self._check_version(connection)
            tables = {
                n.label: _dicts(connection, f"MATCH (n:`{n.label}`) RETURN {_list('n', n)}") for n in schema.NODES
            }
            for edge in schema.RELATIONSHIPS:
                returned = f"a.id AS source, b.id AS target, {_list('r', edge)}"
                text = f"MATCH (a:`{edge.source}`)-[r:`{edge.kind}`]->(b:`{edge.target}`) RETURN {returned}"
                tables[edge.kind] = _dicts(connection, text)
        return schema.from_rows(tables)

    def query(
        self, cypher: str, parameters: Mapping[str, object] | None = None, *, rows: int = 1000, seconds: float = 10.0
    ) -> Table:
        check_statement(cypher, LADYBUG)
        given = chosen(parameters or {}, cypher)
        if not self.path.exists():
            raise StoreError(f"there is no graph at {self.path} yet; remedy: torchatlas build")
        with self._reading() as connection:
            self._check_version(connection)
            connection.set_query_timeout(max(1, int(seconds * 1000)))
            try:
                plan = _run(connection, "EXPLAIN " + cypher, given).get_all()[0][0]
                check_plan(_operators(plan), LADYBUG)
                result = _run(connection, cypher, given)
                columns = tuple(result.get_column_names())
                values = [tuple(from_ladybug(v) for v in row) for row in result.get_n(rows + 1)]
            except RuntimeError as e:
                if "Interrupted" in str(e):
                    raise QueryError(f"the query took more than {seconds:g} seconds; narrow it or add a LIMIT") from e
                raise QueryError(explain_ladybug(str(e), cypher)) from e
        return Table(columns, tuple(values[:rows]), truncated=len(values) > rows)

    def replace(self, snapshot: Snapshot, fingerprint: str, progress: Progress | None = None) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with exclusive(self._beside("lock"), LOCK_WAIT) as taken:
                if not taken:
                    raise StoreError(f"another torchatlas is building {self.path}; try again when it has finished")
                keep = self._must_be_kept()
                folder = self._beside("new")  # for the engine's own passing files too
                shutil.rmtree(folder, ignore_errors=True)  # left by a build that was killed
                folder.mkdir()
                self._build(folder / "graph", schema.rows(snapshot), fingerprint, progress or (lambda *_: None))
                if keep:
                    self.path.replace(self._beside("unreadable"))
                (folder / "graph").replace(self.path)
                folder.rmdir()
        except OSError as e:
            raise StoreError(f"cannot write the graph to {self.path}: {e.strerror}") from e
        except RuntimeError as e:
            raise StoreError(f"cannot write the graph to {self.path}: {explain_ladybug(str(e), '')}") from e

    def _beside(self, ending: str) -> Path:
        return self.path.with_name(f"{self.path.name}.{ending}")

    def _must_be_kept(self) -> bool:
        """Whether the file of before is a database that nobody can read here; StoreError where it is not ours."""
        if not self.path.exists():
            return False
        try:
            with self._reading() as connection:
                self._meta(connection)
        except _UnreadableError:
            return True
        return False

    @contextmanager
    def _reading(self) -> Iterator["ladybug.Connection"]:
        import ladybug

        self._check_file()
        with self._engine_errors():
            database = ladybug.Database(self.path, read_only=True, buffer_pool_size=MEMORY)
        with database, ladybug.Connection(database) as connection:
            yield connection

    @contextmanager
    def _engine_errors(self) -> Iterator[None]:
        try:
            yield
        except (RuntimeError, ValueError) as e:  # all that the engine raises for a file it cannot read
            remedy = "it is damaged or of another engine version; remedy: torchatlas build, which keeps it beside"
            raise _UnreadableError(f"cannot read the graph in {self.path}: {remedy}") from e

    def _check_file(self) -> None:
        try:
            with self.path.open("rb") as file:
                begin = file.read(len(_MAGIC))
        except OSError as e:
            raise StoreError(f"cannot open the graph at {self.path}: {e.strerror}") from e
        if begin != _MAGIC:
            raise StoreError(f"{self.path} is not a graph of torchatlas; move it away, then: torchatlas build")

    def _meta(self, connection: "ladybug.Connection") -> tuple[str, str]:
        """The fingerprint and the version of the schema. Raises StoreError for a database that is not ours."""
        with self._engine_errors():
            tables = [row[0] for row in _run(connection, "CALL show_tables() RETURN name").get_all()]
            if not tables:
                raise RuntimeError("no tables")
            if schema.META not in tables:
                raise StoreError(f"{self.path} is a database, but not of torchatlas; choose another --store")
            ((fingerprint, version),) = _run(
                connection, f"MATCH (m:{schema.META}) RETURN m.fingerprint, m.schema"
            ).get_all()
        return str(fingerprint), str(version)

    def _check_version(self, connection: "ladybug.Connection") -> None:
        if self._meta(connection)[1] != schema.VERSION:
            raise StoreError(f"the graph in {self.path} is of another torchatlas version; remedy: torchatlas build")

    def _build(self, new: Path, tables: dict[str, list[schema.Row]], mark: str, tell: Progress) -> None:
        """Write the whole graph to a new file, count it, and force it to the disk."""
        import ladybug

        total, done = sum(len(rows) for rows in tables.values()), 0
        with ladybug.Database(new, buffer_pool_size=MEMORY) as database, ladybug.Connection(database) as connection:
            for statement in _definitions():
                _run(connection, statement)
            for name, table in schema.TABLES.items():
                if rows := tables[name]:
                    _run(connection, f"COPY `{name}` FROM $rows", {"rows": _arrow(table, rows)})
                    done += len(rows)
                    tell("writing", done, total)
            for name, rows in tables.items():
                if (there := _count(connection, name)) != len(rows):
                    raise StoreError(
                        f"{self.path}: {there} of {len(rows)} {name} rows were written; nothing is changed"
                    )
            created = f"CREATE (:{schema.META} {{id: 'atlas', fingerprint: $mark, schema: $schema}})"
            _run(connection, created, {"mark": mark, "schema": schema.VERSION})
        with new.open("rb+") as written:
            os.fsync(written.fileno())


class _UnreadableError(StoreError):
    """The engine cannot read a file that looks like one of its own."""


def _run(connection: "ladybug.Connection", text: str, parameters: Mapping[str, object] | None = None) -> Any:
    """The result of one statement (the engine returns a list for several)."""
    return connection.execute(text, dict(parameters or {}))


def _definitions() -> Iterator[str]:
    def columns(table: schema.Table) -> str:
        return ", ".join(f"`{column.name}` {_TYPES[column.type]}" for column in table.columns)

    for node in schema.NODES:
        yield f"CREATE NODE TABLE `{node.label}`({columns(node)}, PRIMARY KEY(id))"
    for edge in schema.RELATIONSHIPS:
        yield f"CREATE REL TABLE `{edge.kind}`(FROM `{edge.source}` TO `{edge.target}`, {columns(edge)})"
    yield f"CREATE NODE TABLE {schema.META}(id STRING, fingerprint STRING, schema STRING, PRIMARY KEY(id))"


def _arrow(table: schema.Table, rows: list[schema.Row]) -> Any:
    """The rows as an Arrow table with declared types: the engine guesses those of Python values, and nulls wrongly."""
    import pyarrow as pa  # type: ignore[import-untyped]

    types = {"string": pa.string(), "integer": pa.int64(), "float": pa.float64(), "strings": pa.list_(pa.string())}
    ends = [] if isinstance(table, schema.NodeTable) else [("source", pa.string()), ("target", pa.string())]
    return pa.Table.from_pylist(rows, schema=pa.schema(ends + [(c.name, types[c.type]) for c in table.columns]))


def _count(connection: "ladybug.Connection", name: str) -> int:
    pattern = f"(x:`{name}`)" if isinstance(schema.TABLES[name], schema.NodeTable) else f"()-[x:`{name}`]->()"
    return int(_run(connection, f"MATCH {pattern} RETURN count(x)").get_all()[0][0])


def _list(variable: str, table: schema.Table) -> str:
    return ", ".join(f"{variable}.`{column.name}` AS `{column.name}`" for column in table.columns)


def _dicts(connection: "ladybug.Connection", text: str) -> list[schema.Row]:
    return list(_run(connection, text).rows_as_dict())


def _operators(plan: str) -> Iterator[str]:
    """The operators in a drawn plan: the first line of each box. What stands below may be the user's own words."""
    lines = plan.splitlines()
    for border, line in pairwise(lines):
        if border.lstrip().startswith("┌"):
            yield from _OPERATOR.findall(line)
