"""The file of a graph: opened for reading, and told from damaged files and files of others."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from torchatlas.graph.errors import StoreError
from torchatlas.graph.model import META, TABLES, VERSION, NodeTable, TableSchema

if TYPE_CHECKING:
    import ladybug

MEMORY = 512 * 1024 * 1024  # bytes that the engine may use; a query that needs more fails, and not the computer
_MAGIC = b"LBUG"
Status = Literal["none", "current", "older", "unreadable"]


class UnreadableError(StoreError):
    """The engine cannot read a file that looks like one of its own."""


@contextmanager
def connected(path: Path) -> "Iterator[ladybug.Connection]":
    """Open a file read-only. Raises UnreadableError, and StoreError for a file of something else.

    Example: `with connected(Path("atlas.lbug")) as connection: check_version(connection, path)`
    """
    import ladybug

    try:
        with path.open("rb") as file:
            begin = file.read(len(_MAGIC))
    except OSError as e:
        raise StoreError(f"cannot open the graph at {path}: {e.strerror}") from e
    if begin != _MAGIC:
        raise StoreError(f"{path} is not a graph of torchatlas; move it away, then: torchatlas build")
    with _engine_errors(path):
        database = ladybug.Database(path, read_only=True, buffer_pool_size=MEMORY)
    with database, ladybug.Connection(database) as connection:
        yield connection


def read_status(path: Path) -> tuple[Status, str]:
    """Return the status of the graph in a file, and its fingerprint. Raises StoreError for a file of something else.

    >>> read_status(Path("no such file"))
    ('none', '')
    """
    if not path.exists():
        return "none", ""
    try:
        with connected(path) as connection:
            fingerprint, version = meta(connection, path)
    except UnreadableError:
        return "unreadable", ""
    return "current" if version == VERSION else "older", fingerprint


def meta(connection: "ladybug.Connection", path: Path) -> tuple[str, str]:
    """Return the fingerprint and the version of the schema. Raises StoreError for a database of something else.

    Example: `fingerprint, version = meta(connection, path)`
    """
    with _engine_errors(path):
        tables = [row[0] for row in run(connection, "CALL show_tables() RETURN name").get_all()]
        if not tables:
            raise RuntimeError("no tables")
        if META not in tables:
            raise StoreError(f"{path} is a database, but not of torchatlas; name another store")
        ((fingerprint, version),) = run(connection, f"MATCH (m:{META}) RETURN m.fingerprint, m.schema").get_all()
    return str(fingerprint), str(version)


def check_version(connection: "ladybug.Connection", path: Path) -> None:
    """Raise StoreError for a graph of another version of the schema.

    Example: `check_version(connection, path)`
    """
    if meta(connection, path)[1] != VERSION:
        raise StoreError(f"the graph in {path} is of another torchatlas version; remedy: torchatlas build")


def read_columns(connection: "ladybug.Connection", path: Path) -> dict[str, dict[str, Sequence[Any]]]:
    """Return every table as columns. Raises StoreError for a graph of another version.

    Example: `from_columns(read_columns(connection, path))`
    """
    check_version(connection, path)
    tables = {}
    with _engine_errors(path):
        for name, table in TABLES.items():
            if isinstance(table, NodeTable):
                text = f"MATCH (x:`{name}`) RETURN {_list(table)}"
            else:
                pattern = f"(a:`{table.source}`)-[x:`{name}`]->(b:`{table.target}`)"
                text = f"MATCH {pattern} RETURN a.id AS source, b.id AS target, {_list(table)}"
            tables[name] = _columns(run(connection, text))
    return tables


def _columns(result: Any) -> dict[str, Sequence[Any]]:
    """Return the rows of a result as columns."""
    names, rows = result.get_column_names(), result.get_all()
    return dict(zip(names, zip(*rows, strict=True) if rows else ((),) * len(names), strict=True))


def run(connection: "ladybug.Connection", text: str, parameters: Mapping[str, object] | None = None) -> Any:
    """Return the result of one statement (for several, the engine returns a list).

    Example: `run(connection, "MATCH (c:Concept) RETURN count(c)").get_all()`
    """
    return connection.execute(text, dict(parameters or {}))


@contextmanager
def _engine_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except (RuntimeError, ValueError) as e:  # all that the engine raises for a file it cannot read
        remedy = "it is damaged or of another engine version; remedy: torchatlas build, which sets this file aside"
        raise UnreadableError(f"cannot read the graph in {path}: {remedy}") from e


def _list(table: TableSchema) -> str:
    return ", ".join(f"x.`{column.name}` AS `{column.name}`" for column in table.columns)
