"""A graph in one file, in the embedded Cypher engine. The file is a cache: `replace` builds another and swaps them."""

import json
import os
import re
import shutil
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from errno import EDQUOT, EFBIG, ENOSPC
from functools import partial
from glob import escape
from itertools import accumulate, chain, pairwise, starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeVar

from torchatlas.graph.cypher import (
    BEGINS,
    COMMON_FUNCTIONS,
    Dialect,
    Remedies,
    another_owner,
    check_plan,
    check_statement,
    chosen,
    no_table,
    too_long,
    with_remedy,
    written_parameters,
)
from torchatlas.graph.errors import QueryError, StoreError
from torchatlas.graph.markdown import Table
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
    from_columns,
    group_of,
    property_names,
    values_of,
)
from torchatlas.graph.names import did_you_mean
from torchatlas.graph.stores.base import ROWS, SECONDS, Store, plain
from torchatlas.graph.stores.worker import Answer, Asker, Request, limited_memory, serve

if TYPE_CHECKING:
    import ladybug


# The names that ladybug gives to the steps of a plan which read nodes and relationships, join, fold and sort them.
_READS = """
    AGGREGATE AGGREGATE_FINALIZE AGGREGATE_SCAN COUNT_ANTI_EDGE_CHAIN COUNT_EXTEND_CHAIN COUNT_REL_TABLE CROSS_PRODUCT
    DUMMY_SIMPLE_SINK DUMMY_SINK EMPTY_RESULT FILTER FLATTEN HASH_JOIN_BUILD HASH_JOIN_PROBE INDEX_LOOKUP INTERSECT
    INTERSECT_BUILD LIMIT MULTIPLICITY_REDUCER ORDER_BY ORDER_BY_MERGE ORDER_BY_SCAN PACKED_EXTEND
    PACKED_FILTERED_COUNT PATH_PROPERTY_PROBE PRIMARY_KEY_SCAN_NODE_TABLE PROJECTION QUERY_PRIMARY_KEY_LOOKUP
    REACHABLE_COUNT RECURSIVE_EXTEND REL_DEGREE_TABLE RESULT_COLLECTOR SCAN_NODE_TABLE SCAN_REL_TABLE SEMI_MASKER SKIP
    TABLE_FUNCTION_CALL TOP_K TOP_K_SCAN UNION_ALL_SCAN UNWIND UNWIND_DEDUP UNWIND_DEDUPLICATE
"""

LADYBUG = Dialect(
    "ladybug",
    BEGINS,
    procedures=frozenset({"show_tables", "table_info", "show_connection", "show_functions", "db_version"}),
    operators=frozenset(_READS.split()),
    escapes=False,
)


# A pattern over the text without its strings, what of Neo4j's dialect it finds, and the form that works here.
_OTHERS = (
    (r"\btype\s*\(", "type(r)", "label(r)"),
    (r"\ballShortestPaths\s*\(|= *ALL SHORTEST\b", "allShortestPaths()", "p = (a)-[:REQUIRES* ALL SHORTEST 1..9]->(b)"),
    (r"\bshortestPath\s*\(|= *(?:ANY|SHORTEST)\b", "shortestPath()", "p = (a)-[:REQUIRES* SHORTEST 1..9]->(b)"),
    (r"-(?:>| )?\s*(?:\{[\d, ]*\}|[+*])", "->{1,3}", "(a)-[:REQUIRES*1..3]->(b)"),
    (r"\belementId\s*\(", "elementId()", "n.id, an id that every node has"),
    (r"\b(?:start|end)Node\s*\(", "startNode()", "(a)-[r]->(b), which names the nodes"),
    (r"\breduce\s*\(", "reduce()", "list_reduce(list, (sum, x) -> sum + x)"),
    (r"\bproperties\s*\(\s*\w+\s*\)\s*\[", "properties(n)[name]", "n.name"),
    (r"\[\s*\(", "pattern comprehensions", "OPTIONAL MATCH (c)-[:REQUIRES]->(d), then collect(d.id)"),
    (r"\[\s*\w+\s+IN\b", "comprehensions", "list_transform(list, x -> upper(x)) or list_filter(list, x -> x <> 'a')"),
    (r"\btoString\s*\(", "toString()", "string(x)"),
    (r"\btoInteger\s*\(", "toInteger()", "to_int64(x)"),
    (r"\btoFloat\s*\(", "toFloat()", "to_double(x)"),
    (r"\bsplit\s*\(", "split()", "string_split(text, ',')"),
    (r"\bhead\s*\(", "head()", "list[1]; positions begin at 1"),
    (r"\blast\s*\(", "last()", "list[-1]"),
    (r"\btail\s*\(", "tail()", "list[2:]"),
    (r"\bround\s*\([^,]*\)", "round(x) without a number of digits", "round(x, 0)"),
    (r"\bdate\s*\(\s*\)", "date() of today", "current_date()"),
    (r"\b(?:local)?(?:datetime|timestamp)\s*\(\s*\)", "datetime() of now", "current_timestamp()"),
    (r"\b(?:local)?datetime\s*\(", "datetime()", "timestamp('2022-01-31 12:00:00')"),
    (r"\)\s*\.\s*(?:year|month|day)\b", "date.year", "date_part('year', date('2022-01-31'))"),
    (r"\bduration\s*\(", "duration()", "interval('1 day')"),
    (r"\bexists\s*\(", "exists()", "n.name IS NOT NULL, or EXISTS { MATCH (n)-[]->() }"),
    (r"\bCOLLECT\s*\{", "COLLECT { }", "OPTIONAL MATCH, then collect(x)"),
    (r"\bCALL\s*[({]", "subqueries by CALL", "WITH between two MATCH"),
    (r"\w\s*\{\s*\.", "c {.id}", "{id: c.id}"),
    (r"\(\w*(?::\w+)?\s+WHERE\b", "(c WHERE ...)", "WHERE behind the pattern"),
    (r"\[0\]", "list[0]", "list[1] for the first"),
)
_LINES = (
    (r"^Invalid input <(.*?)>: expected.*", lambda found: f"the query cannot be read beyond {found[1]!r}"),
    (
        r"^(?:mismatched|extraneous) input (.+?) expecting .*?( at line \d+, column \d+)?$",
        r"the query cannot be read at \1\2",
    ),
    (r"^Variable (\S+) is not in scope.*", r"there is no variable \1"),
    (r"^function (\S+) does not exist.*", lambda found: f"there is no function {found[1].lower()}()"),
)
_REMEDIES = Remedies(
    _LINES,
    [
        *((pattern, f"the embedded engine has no {other}: write {form}") for pattern, other, form in _OTHERS),
        (r"\bapoc\s*\.", "there is no apoc here: only the engine's own functions"),
    ],
    (*COMMON_FUNCTIONS, "label"),
)


def explain(message: str, text: str) -> str:
    """Return one line for an error of the engine about a query's `text`: what is wrong, and a remedy if one is known.

    >>> explain("Catalog exception: function TYPE does not exist.", "MATCH ()-[r]->() RETURN type(r)")
    'the embedded engine has no type(r): write label(r)'
    """
    line = " ".join(re.sub(r"^\w+ exception: ", "", message).split())
    if found := re.search(r"Table (\S+) does not exist", line):
        return no_table(found[1])
    if found := re.search(r"Cannot find property (\S+) for", line):
        hint = another_owner(found[1]) or did_you_mean(found[1], property_names(), limit=1)
        return f"there is no property {found[1]} here{hint}"
    if found := re.search(r" \(line: (\d+), offset: (\d+)\).*", line):  # the query follows, EXPLAIN before it
        column = int(found[2]) + 1 - (len("EXPLAIN ") if found[1] == "1" and '"EXPLAIN ' in line else 0)
        line = f"{line[: found.start()]} at line {found[1]}, column {column}"
    return with_remedy(line, text, _REMEDIES)


_HIDDEN = {"_ID", "_LABEL", "_SRC", "_DST"}


def from_ladybug(value: Any) -> Any:
    """Return a value of a row as a plain one; `plain_values` tells the shapes.

    >>> from_ladybug({"_ID": {"offset": 0, "table": 0}, "_LABEL": "Concept", "id": "tensor", "x": None})
    {'_label': 'Concept', 'id': 'tensor'}
    """
    if isinstance(value, Mapping) and "_NODES" in value and "_RELS" in value:
        # A pattern's own variable (`-[e:REQUIRES*1..2]->`) holds the nodes between its ends, without the ends.
        ends = {str(node["_ID"]): node.get("id") for node in value["_NODES"]}
        return {
            "_nodes": [from_ladybug(node) for node in value["_NODES"]],
            "_relationships": [
                from_ladybug(r) | {"_source": ends.get(str(r["_SRC"])), "_target": ends.get(str(r["_DST"]))}
                for r in value["_RELS"]
            ],
        }
    if isinstance(value, Mapping) and "_LABEL" in value:
        shown = {k: from_ladybug(v) for k, v in sorted(value.items()) if k not in _HIDDEN and v is not None}
        return {"_label": value["_LABEL"]} | shown
    return plain(value, from_ladybug)


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


def parquet(rows: Any) -> bytes:
    """Return an Arrow table as the content of a Parquet file.

    Example: `parquet(arrow_table(table, values))[:4] == b"PAR1"`
    """
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyarrow.parquet import write_table  # type: ignore[import-untyped]

    content = pa.BufferOutputStream()
    write_table(rows, content, compression="none", use_dictionary=False, write_statistics=False)
    return bytes(content.getvalue())


def arrow_table(table: TableSchema, values: Mapping[str, Sequence[Any]]) -> Any:
    """Return the columns of a table as an Arrow table of declared types.

    Example: `arrow_table(TABLES["Concept"], columns_of(snapshot)["Concept"])`
    """
    import pyarrow as pa

    ends = [] if isinstance(table, NodeTable) else [("source", "string"), ("target", "string")]
    columns = ends + [(column.name, column.type) for column in table.columns]
    return pa.table({name: column(values[name], kind) for name, kind in columns})


def column(values: Sequence[Any], kind: str) -> Any:
    """Return values as an Arrow array; None is a null. `kind`: the type of a column of the schema.

    >>> column(["a", None], "string").to_pylist(), column([("a", "b"), ()], "strings").to_pylist()
    (['a', None], [['a', 'b'], []])
    """
    import pyarrow as pa

    there = [value is not None for value in values]
    nulls = None if all(there) else pa.py_buffer(_bits(there))
    if kind == "strings":
        ends = array("i", accumulate((len(value or ()) for value in values), initial=0))
        texts = column(list(chain.from_iterable(value or () for value in values)), "string")
        return pa.Array.from_buffers(pa.list_(pa.string()), len(values), [nulls, pa.py_buffer(ends)], children=[texts])
    if kind == "string":
        texts = [b"" if value is None else value.encode() for value in values]
        ends = array("i", accumulate(map(len, texts), initial=0))
        return pa.Array.from_buffers(
            pa.string(), len(values), [nulls, pa.py_buffer(ends), pa.py_buffer(b"".join(texts))]
        )
    code, of = {"integer": ("q", pa.int64()), "float": ("d", pa.float64())}[kind]
    numbers = array(code, (0 if value is None else value for value in values))
    return pa.Array.from_buffers(of, len(values), [nulls, pa.py_buffer(numbers)])


def _bits(flags: Sequence[bool]) -> bytes:
    """Return flags as the bits of bytes, the lowest bit first."""
    size = (len(flags) + 7) // 8
    return int("".join("01"[flag] for flag in reversed(flags)), 2).to_bytes(size, "little")


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


_FORM = 3  # the form of the lines; another number where it changes


def copy_of(graph: Path) -> Path:
    """Return where the copy of the graph in a file is.

    >>> place(Path("atlas.lbug")).name
    'atlas.lbug.copy'
    """
    return graph.with_name(f"{graph.name}.copy")


def write_copy(copy: Path, graph: Path, copied_snapshot: Snapshot, copied_fingerprint: str) -> None:
    """Write the copy of a graph, which is in the file `graph`. Raises OSError.

    Example: write(Path("new/copy"), Path("new/graph"), snapshot, "made of these inputs")
    """
    tables = {
        name: {column: _packed(values) for column, values in columns.items()}
        for name, columns in columns_of(copied_snapshot).items()
    }
    head = {"of": stamp_of(graph), "form": _form(), "fingerprint": copied_fingerprint, "tables": len(tables)}
    with copy.open("wb") as file:
        for part in chain([head], tables.items()):
            file.write(json.dumps(part, separators=(",", ":")).encode() + b"\n")


def stamp_of(graph: Path) -> str:
    """Return what tells the file of a graph from another one, also where both were written in one tick of the clock.

    Example: stamp(Path("atlas.lbug"))
    """
    found = graph.stat()
    return f"{found.st_ino}:{found.st_mtime_ns}:{found.st_size}"


def copied_fingerprint(graph: Path) -> str | None:
    """Return the fingerprint of the graph in a file, None where no copy of it counts.

    >>> fingerprint(Path("no such file")) is None
    True
    """
    with suppress(OSError, ValueError), copy_of(graph).open("rb") as copy:
        return str(_head(copy, graph)["fingerprint"])
    return None


def copied_snapshot(graph: Path) -> Snapshot | None:
    """Return the graph in a file, None where no copy of it counts.

    >>> snapshot(Path("no such file")) is None
    True
    """
    with suppress(OSError, ValueError), copy_of(graph).open("rb") as copy:
        head, tables = _head(copy, graph), dict(map(json.loads, copy))
        if len(tables) == head["tables"]:
            groups: defaultdict[str, list[tuple[str, Any]]] = defaultdict(list)
            for name, columns in sorted(tables.items()):  # edges of several types are so in a group
                groups[group_of(name)].append((name, columns))
            return Snapshot.stored({group: partial(_values, of) for group, of in groups.items()})
    return None


def _head(copy: BinaryIO, graph: Path) -> dict[str, Any]:
    """Read what a copy says of itself. Raises ValueError where it does not count."""
    head: dict[str, Any] = json.loads(copy.readline())
    if (head.get("form"), head["of"]) != (_form(), stamp_of(graph)):
        raise ValueError("a copy of another file")
    return head


def _form() -> str:
    """Return what tells a copy by another version of the program: the schema, and the form of the lines."""
    return f"{VERSION}-{_LINES}"


def _values(tables: Iterable[tuple[str, Any]]) -> tuple[Any, ...]:
    """Return the values of tables, which are of one group."""
    columns = ((name, {column: _unpacked(values) for column, values in of.items()}) for name, of in tables)
    return tuple(chain.from_iterable(starmap(values_of, columns)))


def _packed(values: Sequence[Any]) -> Sequence[Any] | dict[str, Sequence[Any]]:
    """Return a column as it is written. Numbers stay as they are, since 1 and 1.0 are equal."""
    distinct = dict.fromkeys(values)
    if 2 * len(distinct) > len(values) or any(isinstance(value, int | float) for value in distinct):
        return values
    places = {value: copy_of for copy_of, value in enumerate(distinct)}
    return {"texts": list(distinct), "places": [places[value] for value in values]}


def _unpacked(column: Sequence[Any] | dict[str, Sequence[Any]]) -> Sequence[Any]:
    """Return the values of a column as they were; equal texts are one object, so that to look them up is fast."""
    return list(map(column["texts"].__getitem__, column["places"])) if isinstance(column, dict) else column


T = TypeVar("T")
_OPERATOR = re.compile(r"([A-Z_]+)\[\d+\]")
_FUNCTION = re.compile(r"Function: (?!READ_FTABLE\b)(\w+)")  # READ_FTABLE reads what the query itself has collected


@dataclass(frozen=True, slots=True)
class DatabaseFile:
    """The file of the graph, and the bytes for the engine's pages."""

    path: Path
    memory: int


def main() -> None:
    """Answer until standard input ends.

    Example: `subprocess.Popen(command("torchatlas.graph.stores.ladybug"))`
    """
    import ladybug  # noqa: F401 (before the clock starts)

    serve(_answer)


def _answer(request: Request) -> Answer:
    import ladybug

    place: DatabaseFile = request.place
    base = ladybug.Database(place.path, read_only=True, buffer_pool_size=place.memory)
    # The file must be open by then: the engine reserves terabytes of addresses to open it
    # (https://github.com/kuzudb/kuzu/issues/2959).
    with base, ladybug.Connection(base) as connection, limited_memory():
        connection.set_query_timeout(max(1, int(request.seconds * 1000)))
        try:
            return _asked(connection, request)
        except RuntimeError as e:
            if "bad_alloc" in str(e):
                raise MemoryError from e
            if "Interrupted" in str(e):
                raise too_long(request.seconds) from e
            raise QueryError(explain(str(e), request.cypher)) from e


def _asked(connection: "ladybug.Connection", request: Request) -> Answer:
    ask: Any = connection.execute  # one result for one statement, a list of them for several
    given = dict(request.parameters)
    try:
        explained = ask("EXPLAIN " + request.cypher, given)
    except (ValueError, OverflowError, TypeError) as e:
        remedy = "give a list whose values are all of one type"
        raise QueryError(f"a parameter has a value that the engine does not take ({e}); {remedy}") from e
    plan = _held(lambda: explained.get_all()[0][0])
    check_plan(_operators(plan), LADYBUG)
    result = ask(request.cypher, given)
    rows = _held(lambda: result.get_n(request.rows + 1))
    return tuple(result.get_column_names()), tuple(tuple(from_ladybug(value) for value in row) for row in rows)


def _held(read: Callable[[], T]) -> T:
    """Return what `read` does. Raises QueryError where Python cannot hold one of the engine's values."""
    try:
        return read()
    except UnicodeDecodeError as e:
        remedy = "write the character itself instead of its two halves, \\ud83d\\ude00"
        raise QueryError(f"a text has a lone surrogate, which cannot be shown; {remedy}") from e
    except (ValueError, OverflowError, TypeError) as e:
        raise QueryError(f"a value cannot be shown as it is ({e}); return it as text: string(x)") from e


def _operators(plan: str) -> Iterator[str]:
    """Yield the operators in a drawn plan, which are in the first line of each box, and the functions not offered.

    The other lines may hold words of the query itself: those can make a plan look worse than it is, but no better.
    """
    for border, line in pairwise(plan.splitlines()):
        if border.lstrip().startswith("┌"):
            yield from _OPERATOR.findall(line)
    yield from (name for name in _FUNCTION.findall(plan) if name.lower() not in LADYBUG.procedures)


_FULL = "the disk is full, or allows no file of this size; make room, then: torchatlas build"
LOCK_WAIT = 600.0  # seconds, for another build of the same file, which a slow disk makes long


def open_store(address: str, say: Callable[[str], None] | None = None) -> "LadybugStore":
    """Return the store of the file that an address names; nothing is opened yet.

    Example: `open_store("ladybug:atlas.lbug").snapshot()`
    """
    return LadybugStore(address.partition(":")[2], say)


class LadybugStore(Store):
    """A store that opens its file for each call, and so sees a graph that another process has built meanwhile."""

    def __init__(self, path: str, say: Callable[[str], None] | None = None) -> None:
        self.path = Path(path).expanduser().absolute()
        self.address = f"ladybug:{self.path}"
        self._say = say or (lambda _line: None)
        self._asker = Asker("torchatlas.graph.stores.ladybug")

    def close(self) -> None:
        """End the process that asks; nothing else is kept open between calls."""
        self._asker.close()

    def fingerprint(self) -> str | None:
        if (kept := copied_fingerprint(self.path)) is not None:
            return kept
        status, fingerprint = read_status(self.path)
        return fingerprint if status == "current" else None

    def holds(self, fingerprint: str) -> bool:
        return self.fingerprint() == fingerprint  # what is not as it was written has no fingerprint

    def stamp(self) -> str:
        try:
            return stamp_of(self.path)
        except (FileNotFoundError, NotADirectoryError):
            return "none"

    def snapshot(self) -> Snapshot:
        if not self.path.exists():
            return Snapshot()
        if (kept := copied_snapshot(self.path)) is not None:
            return kept
        with connected(self.path) as connection:
            tables = read_columns(connection, self.path)
        return from_columns(tables)

    def query(
        self, cypher: str, parameters: Mapping[str, object] | None = None, *, rows: int = ROWS, seconds: float = SECONDS
    ) -> Table:
        check_statement(cypher, LADYBUG)
        values = chosen(parameters or {}, cypher)
        given = {written: values[name] for written, name in written_parameters(cypher).items()}  # with backticks
        if not self.path.exists():
            raise StoreError(f"there is no graph at {self.path} yet; remedy: torchatlas build")
        self._asker.start()
        with connected(self.path) as connection:
            check_version(connection, self.path)
        place = DatabaseFile(self.path, MEMORY)
        return self._asker.ask(Request(place, cypher, parameters=given, rows=rows, seconds=seconds))

    def interrupt(self) -> None:
        self._asker.interrupt()

    def check(self) -> None:
        with self._writing():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._beside("lock").touch()
            self._status()
            if not os.access(self.path.parent, os.W_OK):
                raise StoreError(f"cannot write the graph to {self.path}: its folder is not writable")

    def replace(self, snapshot: Snapshot, fingerprint: str, progress: Progress | None = None) -> None:
        folder = self._beside("new")  # for the engine's own passing files too
        with self._writing(), self._alone():
            status = self._status()
            shutil.rmtree(folder, ignore_errors=True)  # left by a build that was killed
            folder.mkdir()
            try:
                build(folder / "graph", snapshot, fingerprint, progress or (lambda *_: None))
                write_copy(folder / "copy", folder / "graph", snapshot, fingerprint)
                if status == "unreadable":
                    self.path.replace(self._beside("unreadable"))
                    self._say(f"the old file cannot be read here; it is kept as {self._beside('unreadable')}")
                elif status == "older":
                    self._say(f"the graph in {self.path} was of another version of torchatlas; it is built anew")
                (folder / "copy").replace(copy_of(self.path))
                (folder / "graph").replace(self.path)
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def _status(self) -> Status:
        """Return the status of the graph in the file, without the engine where a copy counts."""
        return "current" if copied_fingerprint(self.path) is not None else read_status(self.path)[0]

    def _beside(self, ending: str) -> Path:
        return self.path.with_name(f"{self.path.name}.{ending}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as e:
            line = _FULL if e.errno in (ENOSPC, EFBIG, EDQUOT) else e.strerror
            raise StoreError(f"cannot write the graph to {self.path}: {line}") from e
        except RuntimeError as e:
            line = _FULL if "IO exception" in str(e) else explain(str(e), "")
            raise StoreError(f"cannot write the graph to {self.path}: {line}") from e

    def _alone(self) -> AbstractContextManager[object]:
        """Return the lock that keeps other builds of this file waiting. Raises StoreError where one takes too long."""
        from filelock import FileLock, Timeout

        self.path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self._beside("lock"))
        with suppress(Timeout):
            return lock.acquire(timeout=0)
        self._say(f"another torchatlas is building {self.path}; waiting for it")
        try:
            return lock.acquire(timeout=LOCK_WAIT)
        except Timeout as e:
            raise StoreError(f"another torchatlas is building {self.path}; try again when it has finished") from e
