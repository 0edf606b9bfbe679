"""A graph in a file of the embedded Cypher engine; `replace` swaps in another.

A copy beside it, faster to read, has two lines of JSON: of which file it is the
copy, then the tables by columns. A copy of another file is not used.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from itertools import pairwise
from operator import or_
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from torchatlas.graph import cypher, model
from torchatlas.graph.errors import QueryError, StoreError
from torchatlas.graph.model import META, TABLES, NodeTable, Progress, Snapshot, TableSchema
from torchatlas.graph.stores.base import plain
from torchatlas.graph.stores.worker import Answer, CypherStore, Request, limited_memory, reading
from torchatlas.graph.whole_files import alone

_STALE = (OSError, ValueError, LookupError, AttributeError, TypeError)  # of a copy that is damaged, or of another file
LOCK_WAIT = 600.0  # seconds for another build, long on a slow disk
_MEMORY = 512 * 1024 * 1024  # bytes of the engine: a query that needs more fails, not the computer
_BATCH = 10_000  # rows of one statement
_MAGIC = b"LBUG"
_TYPES = {"string": "STRING", "integer": "INT64", "float": "DOUBLE", "strings": "STRING[]"}
_HIDDEN = {"_ID", "_LABEL", "_SRC", "_DST"}
_TYPE = re.compile(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|\btype(?=\s*\()""", re.I | re.S)  # is called label
_FUNCTION = re.compile(r"Function: (?!READ_FTABLE\b)(\w+)")  # READ_FTABLE reads what the query collected
# Steps of a ladybug plan that read nodes and relationships, join, fold and sort.
_READS = r"""
    AGGREGATE\w* COUNT_\w+ CROSS_PRODUCT DUMMY_\w+ EMPTY_RESULT FILTER FLATTEN HASH_JOIN_\w+ INDEX_LOOKUP INTERSECT\w*
    LIMIT MULTIPLICITY_REDUCER ORDER_BY\w* PACKED_\w+ PATH_PROPERTY_PROBE PRIMARY_KEY_SCAN_NODE_TABLE PROJECTION
    QUERY_PRIMARY_KEY_LOOKUP REACHABLE_COUNT RECURSIVE_EXTEND REL_DEGREE_TABLE RESULT_COLLECTOR SCAN_(NODE|REL)_TABLE
    SEMI_MASKER SKIP TABLE_FUNCTION_CALL TOP_K\w* UNION_ALL_SCAN UNWIND\w*
"""
LADYBUG = cypher.Dialect(
    "ladybug",
    cypher.BEGINS,
    procedures=frozenset({"show_tables", "table_info", "show_connection", "show_functions", "db_version"}),
    operators="|".join(_READS.split()),
    escapes=False,
    lines=(
        (r"^\w+ exception: ", ""),
        (r".*(?:Table (\S+) does not exist|Cannot find property (\S+) for).*", lambda m: cypher.lacking(m[1] or m[2])),
        (r"^\w+ input (.+?)(?: expecting|: expected) .*?( at line .*)?$", r"the query cannot be read at \1\2"),
    ),
    forms=(
        (r"\b(?:allS|s)hortestPath|= *(?:ANY|SHORTEST)\b", "shortestPath()", "p = (a)-[:CITES* SHORTEST 1..9]->(b)"),
        (r"-(?:>| )?\s*(?:\{[\d, ]*\}|[+*])", "->{1,3}", "(a)-[:REQUIRES*1..3]->(b)"),
        (r"\[\s*\w+\s+IN\b", "comprehensions", "list_transform(list, x -> upper(x)), list_filter(list, x -> x <> 1)"),
        (r"\bto(?:String|Integer|Float)\s*\(", "toString() and the like", "string(x), to_int64(x), to_double(x)"),
    ),
)


class LadybugStore(CypherStore):
    """A store that opens its file for each call, and so sees another's build."""

    dialect, notices_damage = LADYBUG, True

    def __init__(self, address: str, say: Callable[[str], None] | None = None) -> None:
        super().__init__(say)
        self.path = Path(address.partition(":")[2]).expanduser().absolute()
        self.address = f"ladybug:{self.path}"

    def fingerprint(self) -> str | None:
        with suppress(_UselessError):
            return self._read(whole=False)[0] if self.path.exists() else None
        return None

    def stamp(self) -> str:
        with suppress(FileNotFoundError, NotADirectoryError):
            return _stamp(self.path)
        return "none"

    def snapshot(self) -> Snapshot:
        return self._read(whole=True)[1] if self.path.exists() else Snapshot()

    def _read(self, *, whole: bool) -> tuple[str, Snapshot]:
        """Read the fingerprint, and the whole graph or nothing, from the copy if it fits."""
        with suppress(*_STALE), self._beside("copy").open("rb") as file:
            head = json.loads(file.readline())
            if (head.get("form"), head["of"]) == (f"{model.VERSION}-5", _stamp(self.path)):
                return str(head["fingerprint"]), model.from_columns(json.loads(file.readline()) if whole else {})
        tables = {}
        with _opened(self.path) as (connection, fingerprint):
            for name in TABLES if whole else ():
                result = connection.execute(reading(name))
                if rows := result.get_all():
                    tables[name] = dict(zip(result.get_column_names(), zip(*rows, strict=True), strict=True))
        return fingerprint, model.from_columns(tables)

    def _place(self) -> Path:
        return self.path

    def check(self) -> None:
        with self._writing(), TemporaryFile(dir=self.path.parent):
            self.fingerprint()

    def replace(self, snapshot: Snapshot, fingerprint: str, progress: Progress | None = None) -> None:
        folder = self._beside("new")  # for the engine's own passing files too
        other = f"another torchatlas is building {self.path}"
        with self._writing(), alone(self._beside("lock"), other, LOCK_WAIT, self._say, StoreError):
            is_useless = self.fingerprint() is None and self.path.exists()
            shutil.rmtree(folder, ignore_errors=True)  # left by a build that was killed
            folder.mkdir()
            try:
                _build(folder / "graph", snapshot, fingerprint, progress or (lambda *_: None))
                head = {"of": _stamp(folder / "graph"), "form": f"{model.VERSION}-5", "fingerprint": fingerprint}
                lines = (json.dumps(part, separators=(",", ":")) for part in (head, model.columns_of(snapshot)))
                (folder / "copy").write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")
                if is_useless:
                    kept = self.path.replace(self._beside("unreadable"))
                    self._say(f"the old graph is damaged or of another version; it is kept as {kept}")
                (folder / "copy").replace(self._beside("copy"))
                (folder / "graph").replace(self.path)
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def _beside(self, ending: str) -> Path:
        return self.path.with_name(f"{self.path.name}.{ending}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            yield
        except (OSError, RuntimeError) as e:
            line = (e.strerror if isinstance(e, OSError) else None) or " ".join(str(e).split())[:300]
            remedy = "let this user write there, or make room, then: torchatlas build"
            raise StoreError(f"cannot write the graph to {self.path}: {line}; {remedy}") from e


open_store = LadybugStore


class _UselessError(StoreError):
    """A file of ours that only a build can mend."""


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Any, str]]:
    """Open a graph, with its fingerprint. Raises StoreError if it is not ours."""
    import ladybug

    try:
        with path.open("rb") as file:
            begin = file.read(len(_MAGIC))
    except OSError as e:
        raise StoreError(f"cannot open the graph at {path}: {e.strerror}; remedy: torchatlas build") from e
    if begin != _MAGIC:
        raise StoreError(f"{path} is not a graph of torchatlas; move it away, then: torchatlas build")
    try:
        base = ladybug.Database(path, read_only=True, buffer_pool_size=_MEMORY)
        with base, ladybug.Connection(base) as opened:
            connection: Any = opened  # `execute` gives a list for several statements
            tables = [row[0] for row in connection.execute("CALL show_tables() RETURN name").get_all()]
            if tables and META not in tables:
                raise StoreError(f"{path} is a database, but not of torchatlas; name another store")
            ((fingerprint, version),) = connection.execute(f"MATCH (m:{META}) RETURN m.fingerprint, m.schema").get_all()
            if version != model.VERSION:
                raise _UselessError(f"the graph in {path} is of another torchatlas version; remedy: torchatlas build")
            yield connection, str(fingerprint)
    except (RuntimeError, ValueError) as e:  # all that the engine raises for a file it cannot read
        remedy = "torchatlas build, which sets this file aside"
        raise _UselessError(f"the graph in {path} is damaged or of another engine; remedy: {remedy}") from e


def _build(path: Path, snapshot: Snapshot, fingerprint: str, tell: Progress) -> None:
    """Write a graph to a new file, then count the rows there."""
    import ladybug

    tables, done = model.rows_of(snapshot), 0
    sizes = {name: len(rows) for name, rows in tables.items()}
    # One checkpoint, at the end: the file has no readers before.
    base = ladybug.Database(path, buffer_pool_size=_MEMORY, auto_checkpoint=False)
    with base, ladybug.Connection(base) as connection:
        for name, table in TABLES.items():
            columns = ", ".join(f"`{column.name}` {_TYPES[column.type]}" for column in table.columns)
            if isinstance(table, NodeTable):
                connection.execute(f"CREATE NODE TABLE `{name}`({columns}, PRIMARY KEY(id))")
            else:
                ends = ", ".join(f"FROM `{source}` TO `{table.target}`" for source in table.source.split("|"))
                connection.execute(f"CREATE REL TABLE `{name}`({ends}, {columns})")
        connection.execute(f"CREATE NODE TABLE {META}(id STRING, fingerprint STRING, schema STRING, PRIMARY KEY(id))")
        for name, rows in tables.items():
            for start in range(0, len(rows), _BATCH):
                batch = rows[start : start + _BATCH]
                for text in _writing(TABLES[name]):
                    connection.execute(text, {"rows": batch})
                done += len(batch)
                tell("Writing the graph", done, sum(sizes.values()))
        created = f"CREATE (:{META} {{id: 'atlas', fingerprint: $fingerprint, schema: $schema}})"
        connection.execute(created, {"fingerprint": fingerprint, "schema": model.VERSION})
        connection.execute("CHECKPOINT")
    with _opened(path) as (connection, _):
        for name, wanted in sizes.items():
            matched = reading(name).partition(" RETURN ")[0]
            if (there := connection.execute(f"{matched} RETURN count(x)").get_all()[0][0]) != wanted:
                raise StoreError(f"{path}: {there} of {wanted} {name} rows were written; nothing is changed")


def _writing(table: TableSchema) -> Iterator[str]:
    """Yield Cypher to write `rows`, for each label of the sources; without casts, a column of nulls has no type."""
    values = ", ".join(f"`{c.name}`: CAST(row.`{c.name}` AS {_TYPES[c.type]})" for c in table.columns)
    if isinstance(table, NodeTable):
        yield f"UNWIND $rows AS row CREATE (:`{table.label}` {{{values}}})"
        return
    for label in table.source.split("|"):
        ends = f"MATCH (a:`{label}` {{id: row.source}}), (b:`{table.target}` {{id: row.target}})"
        yield f"UNWIND $rows AS row {ends} CREATE (a)-[:`{table.kind}` {{{values}}}]->(b)"


def _stamp(graph: Path) -> str:
    """Return a mark to tell files of graphs apart, even of one tick of the clock."""
    found = graph.stat()
    return f"{found.st_ino}:{found.st_mtime_ns}:{found.st_size}"


def answering() -> AbstractContextManager[Callable[[Request], Answer]]:
    """Give a function that answers requests: `with answering() as answer: ...`."""
    import ladybug  # noqa: F401 (before the clock starts)

    return nullcontext(_answer)


def _answer(request: Request) -> Answer:
    names, explained = cypher.written_parameters(request.cypher), None
    text = _TYPE.sub(lambda m: m[1] or "label", request.cypher)
    given = {written: request.parameters[name] for written, name in names.items()}  # with backticks
    # Open the file before memory is limited: that reserves terabytes of addresses
    # (https://github.com/kuzudb/kuzu/issues/2959).
    with _opened(request.place) as (connection, _), limited_memory():
        connection.set_query_timeout(max(1, int(request.seconds * 1000)))
        try:
            explained = connection.execute("EXPLAIN " + text, given)
            cypher.check_plan(_operators(plan := explained.get_all()[0][0]), LADYBUG)
            if request.plan:
                return ("plan",), tuple((line,) for line in _told(plan)[: request.rows + 1])
            result = connection.execute(text, given)
            rows = result.get_n(request.rows + 1)
            columns = cypher.written_columns(request.cypher, result.get_column_names())
            return columns, tuple(tuple(plain(v, _unpacked) for v in row) for row in rows)
        except UnicodeDecodeError as e:
            raise QueryError("a text has a lone surrogate, which cannot be shown; write the character itself") from e
        except (ValueError, OverflowError, TypeError) as e:
            if explained:
                raise QueryError(f"a value cannot be shown as it is ({e}); return it as text: string(x)") from e
            remedy = "give a list whose values are all of one type"
            raise QueryError(f"the engine does not take a parameter's value ({e}); {remedy}") from e
        except RuntimeError as e:
            if re.search("bad_alloc|Unable to allocate memory", str(e)):
                raise MemoryError from e
            if "Interrupted" in str(e):
                raise cypher.too_long(request.seconds) from e
            raise QueryError(cypher.with_remedy(str(e), request.cypher, LADYBUG)) from e


def _told(plan: str) -> list[str]:
    """Return the lines of a plan that has not run: without its title, measurements and rules."""
    facts = re.sub(r"(NumOutputTuples|\w+Time): [0.]+|-{9,}", lambda fact: " " * len(fact[0]), plan)
    return [line.rstrip() for line in facts.splitlines()[5:] if re.search(r"[\w┌┐└┘]", line)]


def _operators(plan: str) -> Iterator[str]:
    """Yield a plan's operators (first lines of boxes) and functions not offered.

    Words of the query in other lines may make a plan look worse, but no better.
    """
    for border, line in pairwise(plan.splitlines()):
        if border.lstrip().startswith("┌"):
            yield from re.findall(r"([A-Z_]+)\[\d+\]", line)
    yield from (name for name in _FUNCTION.findall(plan) if name.lower() not in LADYBUG.procedures)


def _unpacked(value: Any) -> Any:
    """Return what `plain` is to show of a value of a row."""
    if isinstance(value, dict) and "_NODES" in value and "_RELS" in value:
        # A pattern's variable (`-[e:REQUIRES*1..2]->`) has only the nodes between.
        ids = {str(node["_ID"]): node.get("id") for node in value["_NODES"]}
        ends = [{"_source": ids.get(str(r["_SRC"])), "_target": ids.get(str(r["_DST"]))} for r in value["_RELS"]]
        return {"_nodes": value["_NODES"], "_relationships": [*map(or_, map(_unpacked, value["_RELS"]), ends)]}
    if isinstance(value, dict) and "_LABEL" in value:
        shown = {k: v for k, v in sorted(value.items()) if k not in _HIDDEN and v is not None}
        return {"_label": value["_LABEL"]} | shown
    return value
