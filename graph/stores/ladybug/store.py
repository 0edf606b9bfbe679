"""A graph in one file, in the embedded Cypher engine. The file is a cache: `replace` builds another and swaps them."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from torchatlas.graph.cypher.guard import check_statement, chosen
from torchatlas.graph.cypher.hints import explain_ladybug
from torchatlas.graph.stores.contract import Store
from torchatlas.graph.stores.ladybug.dialect import LADYBUG
from torchatlas.graph.stores.ladybug.process import Asker, Request
from torchatlas.graph.stores.lock import exclusive
from torchatlas.graph.values import schema
from torchatlas.graph.values.answers import Table
from torchatlas.graph.values.errors import QueryError, StoreError
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.progress import Progress

if TYPE_CHECKING:
    import ladybug

MEMORY = 512 * 1024 * 1024
"""Bytes that the engine may use; a query that needs more fails, and not the computer."""
LOCK_WAIT = 60.0
_MAGIC = b"LBUG"
_Columns = Mapping[str, Sequence[Any]]
_TYPES = {"string": "STRING", "integer": "INT64", "float": "DOUBLE", "strings": "STRING[]"}


class LadybugStore(Store):
    """Opens the file for each call, so that a graph that another process has built meanwhile is seen.

    `say` is told when a build waits for another one, and what becomes of a graph that cannot be read.
    """

    def __init__(self, path: str, say: Callable[[str], None] | None = None) -> None:
        self.path = Path(path).expanduser().absolute()
        self.address = f"ladybug:{self.path}"
        self._say = say or (lambda _line: None)
        self._asker = Asker()

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process that asks; nothing else is kept open between calls."""
        self._asker.close()

    def fingerprint(self) -> str | None:
        if not self.path.exists():
            return None
        try:
            with self._reading(self.path) as connection:
                found = self._meta(connection)
        except _UnreadableError:
            return None
        return found[0] if found[1] == schema.VERSION else None

    def snapshot(self) -> Snapshot:
        if not self.path.exists():
            return Snapshot()
        with self._reading(self.path) as connection, self._engine_errors():
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
        self._asker.start()
        with self._reading(self.path) as connection:
            self._check_version(connection)
        answer = self._asker.ask(
            Request(self.path, MEMORY, cypher=cypher, parameters=given, dialect=LADYBUG, rows=rows + 1, seconds=seconds)
        )
        if answer.refused:
            raise QueryError(answer.refused)
        if answer.failed:
            raise QueryError(explain_ladybug(answer.failed, cypher))
        return Table(answer.columns, answer.rows[:rows], truncated=len(answer.rows) > rows)

    def check(self) -> None:
        with self._writing(), self._lock(wait=0):
            self._state()
            if not os.access(self.path.parent, os.W_OK):
                raise StoreError(f"cannot write the graph to {self.path}: its folder may not be written")

    def replace(self, snapshot: Snapshot, fingerprint: str, progress: Progress | None = None) -> None:
        folder = self._beside("new")  # for the engine's own passing files too
        with self._writing(), self._lock(LOCK_WAIT) as taken:
            if not taken:
                raise StoreError(f"another torchatlas is building {self.path}; try again when it has finished")
            state = self._state()
            shutil.rmtree(folder, ignore_errors=True)  # left by a build that was killed
            folder.mkdir()
            try:
                self._build(folder / "graph", schema.columns(snapshot), fingerprint, progress or (lambda *_: None))
                if state == "unreadable":
                    self.path.replace(self._beside("unreadable"))
                    self._say(f"the file of before cannot be read here; it is kept as {self._beside('unreadable')}")
                elif state == "older":
                    self._say(f"the graph in {self.path} was of another version of torchatlas; it is built anew")
                (folder / "graph").replace(self.path)
                _force(self.path.parent)
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def _beside(self, ending: str) -> Path:
        return self.path.with_name(f"{self.path.name}.{ending}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Turn what the system and the engine raise while a file is written into one line."""
        try:
            yield
        except OSError as e:
            raise StoreError(f"cannot write the graph to {self.path}: {e.strerror}") from e
        except RuntimeError as e:
            line = explain_ladybug(str(e), "")
            if "IO exception" in str(e):
                line = "the disk is full, or lets no file be so large; make room, then: torchatlas build"
            raise StoreError(f"cannot write the graph to {self.path}: {line}") from e

    @contextmanager
    def _lock(self, wait: float) -> Iterator[bool]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        waiting = f"another torchatlas is building {self.path}; waiting for it"
        with exclusive(self._beside("lock"), wait, lambda: self._say(waiting)) as taken:
            yield taken

    def _state(self) -> Literal["none", "ours", "older", "unreadable"]:
        """What the file of before is. Raises StoreError where it is not ours."""
        if not self.path.exists():
            return "none"
        try:
            with self._reading(self.path) as connection:
                return "ours" if self._meta(connection)[1] == schema.VERSION else "older"
        except _UnreadableError:
            return "unreadable"

    @contextmanager
    def _reading(self, path: Path) -> Iterator["ladybug.Connection"]:
        import ladybug

        _check_file(path)
        with self._engine_errors():
            database = ladybug.Database(path, read_only=True, buffer_pool_size=MEMORY)
        with database, ladybug.Connection(database) as connection:
            yield connection

    @contextmanager
    def _engine_errors(self) -> Iterator[None]:
        try:
            yield
        except (RuntimeError, ValueError) as e:  # all that the engine raises for a file it cannot read
            remedy = "it is damaged or of another engine version; remedy: torchatlas build, which keeps it beside"
            raise _UnreadableError(f"cannot read the graph in {self.path}: {remedy}") from e

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

    def _build(self, new: Path, tables: Mapping[str, _Columns], mark: str, tell: Progress) -> None:
        """Write the whole graph to a new file, count it, and force it to the disk."""
        import ladybug

        sizes = {
            name: len(tables[name]["id" if isinstance(table, schema.NodeTable) else "source"])
            for name, table in schema.TABLES.items()
            if name in tables
        }
        total, done = sum(sizes.values()), 0
        with ladybug.Database(new, buffer_pool_size=MEMORY) as database, ladybug.Connection(database) as connection:
            for statement in _definitions():
                _run(connection, statement)
            for name, table in schema.TABLES.items():
                if name in tables:
                    _run(connection, f"COPY `{name}` FROM $rows", {"rows": _arrow(table, tables[name])})
                    done += sizes[name]
                    tell("writing", done, total)
            created = f"CREATE (:{schema.META} {{id: 'atlas', fingerprint: $mark, schema: $schema}})"
            _run(connection, created, {"mark": mark, "schema": schema.VERSION})
        with new.open("rb+") as written:
            os.fsync(written.fileno())
        with self._reading(new) as connection:  # as the next reader will find it
            self._check_version(connection)
            for name in schema.TABLES:
                if (there := _count(connection, name)) != (wanted := sizes.get(name, 0)):
                    raise StoreError(f"{self.path}: {there} of {wanted} {name} rows were written; nothing is changed")


class _UnreadableError(StoreError):
    """The engine cannot read a file that looks like one of its own."""


def _check_file(path: Path) -> None:
    try:
        with path.open("rb") as file:
            begin = file.read(len(_MAGIC))
    except OSError as e:
        raise StoreError(f"cannot open the graph at {path}: {e.strerror}") from e
    if begin != _MAGIC:
        raise StoreError(f"{path} is not a graph of torchatlas; move it away, then: torchatlas build")


def _force(folder: Path) -> None:
    """Let a name that was changed in `folder` survive a power cut, where the system can be told so."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


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


def _arrow(table: schema.Table, values: _Columns) -> Any:
    """The columns as an Arrow table of declared types: the engine guesses those of Python values, and nulls wrongly."""
    import pyarrow as pa  # type: ignore[import-untyped]

    types = {"string": pa.string(), "integer": pa.int64(), "float": pa.float64(), "strings": pa.list_(pa.string())}
    ends = [] if isinstance(table, schema.NodeTable) else [("source", pa.string()), ("target", pa.string())]
    columns = ends + [(column.name, types[column.type]) for column in table.columns]
    return pa.table({name: pa.array(values[name], kind) for name, kind in columns})


def _count(connection: "ladybug.Connection", name: str) -> int:
    pattern = f"(x:`{name}`)" if isinstance(schema.TABLES[name], schema.NodeTable) else f"()-[x:`{name}`]->()"
    return int(_run(connection, f"MATCH {pattern} RETURN count(x)").get_all()[0][0])


def _list(variable: str, table: schema.Table) -> str:
    return ", ".join(f"{variable}.`{column.name}` AS `{column.name}`" for column in table.columns)


def _dicts(connection: "ladybug.Connection", text: str) -> list[schema.Row]:
    return list(_run(connection, text).rows_as_dict())
