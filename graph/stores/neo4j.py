"""A graph on a Neo4j server, by the official driver; others' data stays.

Our nodes also have the label Torchatlas; a meta node says who wrote them. A load
writes what differs, in one transaction: readers see the old graph or the new one.
"""

import logging
import os
import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from traceback import format_exception
from typing import Any
from urllib.parse import unquote, urlsplit

import neo4j
from neo4j import graph as bolt
from neo4j.exceptions import ClientError, DriverError, Neo4jError
from neo4j.time import Duration

from torchatlas.graph import cypher, model
from torchatlas.graph.errors import QueryError, StoreError
from torchatlas.graph.model import META, NODES, RELATIONSHIPS, TABLES, Progress, RelationshipTable, Snapshot
from torchatlas.graph.stores import neo4j_server
from torchatlas.graph.stores.base import plain
from torchatlas.graph.stores.worker import Answer, CypherStore, Request, limited_memory, reading

BATCH = 10_000  # rows of one statement
PATIENCE = 10.0  # seconds until a person is told that the server is still at work
SETTINGS = {
    "connection_timeout": 3.0,
    "connection_acquisition_timeout": 4.0,
    "max_transaction_retry_time": 5.0,
    "liveness_check_timeout": 0,  # a connection that broke since the last call is replaced without a word
    "notifications_min_severity": "OFF",
}
"""For a driver. The server's keep-alive, not a limit, tells that it still works."""
_LONGEST = 600.0  # seconds of one transaction, which may wait for another's lock
_Rows = list[list[Any]]
_Auth = tuple[str, str] | None
_MARKER = "Torchatlas"  # a label
_META = f"(m:{META}:{_MARKER} {{id: 'atlas'}})"
# To set a property locks the node: loads take turns.
_TURN = f"MERGE (m:{META} {{id: 'atlas'}}) SET m:{_MARKER}, m.id = 'atlas'"
_TYPES = [edge.kind for edge in RELATIONSHIPS]
_LABELS = [node.label for node in NODES]
_UNIQUE = "CREATE CONSTRAINT torchatlas_{} IF NOT EXISTS FOR (n:{}) REQUIRE n.id IS UNIQUE"
_TOO_OLD = re.compile(r"Neo4j/v?[0-4]\.")
_UNKNOWN = {"01N50", "01N51", "01N52"}  # GQL status: no such label, relationship type, property
# Without this, Python prints to stderr, beside our one line, the server's notifications
# (https://github.com/neo4j/neo4j-python-driver/pull/1059), retries, lost connections.
for _name in ("notifications", "session", "pool", "io"):
    logging.getLogger(f"neo4j.{_name}").setLevel(logging.CRITICAL)
# Steps of a Neo4j plan that read nodes and relationships, join, fold and sort.
_READS = r"""
    \w*Scan \w*Seek \w*SeekByRange \w*HashJoin \w*Expand \w*SemiApply \w*CountStore \w*ShortestPath
    (Anti)?ConditionalApply Apply Argument ArgumentTracker AssertSame(Node|Relationship) BidirectionalRepeat
    CacheProperties CartesianProduct DynamicLabelNodeLookup (Eager|Ordered)?Aggregation (Ordered)?Distinct Eager
    EmptyResult EmptyRow (Exhaustive)?Limit Filter NonFuseable NullifyMetadata Optional PathPropagatingBFS PreserveOrder
    ProcedureCall ProduceResults ProjectEndpoints Projection RemoteBatchProperties(WithFilter)? Repeat RollUpApply
    Show(Constraints|Functions|Indexes|Procedures) Skip (Partial)?Sort (Partial)?Top Triadic(Build|Filter|Selection)
    (Ordered)?Union Unwind
"""
_PROCEDURES = """
    db.labels db.relationshiptypes db.propertykeys
    db.schema.visualization db.schema.nodetypeproperties db.schema.reltypeproperties
"""
NEO4J = cypher.Dialect(
    "Neo4j",
    cypher.BEGINS | {"SHOW"},
    procedures=frozenset(_PROCEDURES.split()),
    operators="|".join(_READS.split()),
    escapes=True,
    lines=(
        (r"Invalid input ('.*?'): expected (?!.{,40} at line).{40,}?( at .*)?$", r"the query cannot be read at \1\2"),
        (r"^Variable `(.+)` not defined.*", r"there is no variable \1"),
        (r"^Unknown function '(.+?)'.*", r"there is no function \1()"),
    ),
    forms=(
        (r"\blabel\s*\(", "label()", "labels(n) for a node, type(r) for a relationship"),
        (r"\*\s*(ALL |W)?SHORTEST\b", "* SHORTEST", "p = shortestPath((a)-[:REQUIRES*1..9]->(b))"),
        (r"\blist_transform\s*\(", "list_transform()", "[x IN list | toUpper(x)]"),
        (r"\b(?:cast|to_\w+|string)\s*\(", "cast() and the like", "toInteger(x), toFloat(x), toString(x)"),
        (r"\bexists\s*\(", "exists()", "n.name IS NOT NULL, or EXISTS { (n)-->() }"),
    ),
)
_BROKE = "the connection to {where} broke while {doing}; try again"
# Patterns in "DOING CODE ERROR: words and causes", and our line for each.
_ERRORS = {
    r"no space left|disk.{0,20}full|not enough space|disk quota|\.TransactionLogError |needs to be restarted": (
        "the disk of {where} is full; make room there, then restart it where it writes no more"
    ),
    r"\.Unauthorized ": "{where} refuses this user or password; set NEO4J_USERNAME and NEO4J_PASSWORD",
    r"\.DatabaseNotFound ": "{where} has no database {database!r}; see SHOW DATABASES, and set NEO4J_DATABASE",
    r"\.LockClientStopped ": "another program has kept {where} from being written; end that program{half}",
    r"\.(NotALeader|\w+OnReadOnly\w+) ": (
        "{where} takes no writes (a read-only replica, or not the leader); give the cluster's own address, neo4j://HOST"
    ),
    r"^writing \S+ IncompleteCommit:": f"{_BROKE}, nothing is doubled",
    r"\.\w*OutOfMemoryError ": "{where} has too little memory for so large a change; give it more: {said}",
    # All other errors but those of a connection.
    r"^\w+ \S+ (?!ServiceUnavailable|SessionExpired|IncompleteCommit|\w*TimeoutError)": (
        "{where} failed while {doing}: {said}"
    ),
    "gaierror": "no computer has the name in {address}; check the name, and the network",
    "SSLCertVerificationError": "the certificate of {where} cannot be trusted; if it is the server's own, write +ssc",
    r"\bSSL\w*Error": "{where} does not encrypt its connections; write the address without +s or +ssc",
    "looks like HTTP": "the port in {address} is for web pages; that for Bolt is 7687 by default: bolt://HOST:7687",
    "^connecting .*(ConnectionResetError|incomplete handshake)": (
        "what listens at {address} hangs up; if it encrypts its connections, write bolt+s://, neo4j+s:// or +ssc"
    ),
    "^connecting .*TimeoutError": "nothing answers in time at {address}; is the server still starting?",
    "^connecting |ConnectionRefusedError": (
        "no Neo4j server answers at {address}; start it, or use the embedded store, ladybug:PATH"
    ),
    "TimeoutError": "{where} has fallen silent while {doing}; see whether it runs, then try again{half}",
    "": f"{_BROKE}{{half}}",
}


def _located(address: str, environment: Mapping[str, str]) -> tuple[str, _Auth, str | None]:
    """Return the address without secrets, any (user, password) and database."""
    try:
        parts = urlsplit(address)
        if not (parts.hostname or "").encode("idna") or parts.port == 0:
            raise ValueError(address)
    except ValueError as e:
        raise StoreError("the host or the port in the address cannot be read; write bolt://HOST:7687") from e
    user = unquote(parts.username or "") or environment.get("NEO4J_USERNAME", "neo4j")
    password = unquote(parts.password or "") or environment.get("NEO4J_PASSWORD", "")
    database = parts.path.strip("/") or environment.get("NEO4J_DATABASE") or None
    shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" + (f"?{parts.query}" if parts.query else "")
    return shown, (user, password) if password else None, database


class Neo4jStore(CypherStore):
    """A store on a server, for many threads; other Bolt engines subclass it."""

    dialect = NEO4J

    def __init__(self, address: str, say: Callable[[str], None] | None = None) -> None:
        super().__init__(say)
        environment: Mapping[str, str] = os.environ
        if address.startswith("neo4j+local:"):
            if not (folder := address.partition(":")[2]):
                raise StoreError(f"{address} names no folder for the Neo4j server; remedy: neo4j+local:FOLDER")
            own = neo4j_server.start(Path(folder).expanduser().absolute(), say)
            address, environment = own.uri.replace("//", f"//{neo4j_server.USER}:{own.password}@"), {}
        self.address, self._auth, self._database = _located(address, environment)
        self._driver: neo4j.Driver | None = None
        # A replica may lag behind: a read waits for what this store wrote.
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager() if self.address.startswith("neo4j") else None
        try:
            with self._session("connecting") as session:
                agent = session.run("RETURN 1").consume().server.agent  # by no transaction, which would be tried again
            if _TOO_OLD.match(agent):
                needed = "Neo4j 5 or later is needed (tested with 5.26 and 2026.09)"
                raise StoreError(f"the server at {self.address} is {agent}, which is too old; {needed}")
        except StoreError:
            self.close()
            raise

    def close(self) -> None:
        super().close()
        if self._driver:
            self._driver.close()
        self._driver = None

    def fingerprint(self) -> str | None:
        found = self._meta()
        return found["fingerprint"] if found.get("schema") == model.VERSION else None

    def stamp(self) -> str:
        found = self._meta()
        return f"{found.get('changes')}:{found.get('fingerprint')}"

    def _meta(self) -> dict[str, Any]:
        with self._session("reading") as session:
            return session.execute_read(_read_meta)

    def check(self) -> None:
        theirs = f"MATCH (n:{'|'.join(_LABELS)}) WHERE NOT n:{_MARKER}"
        text = f"{theirs} RETURN [label IN labels(n) WHERE label IN $ours][0] AS label, count(*) ORDER BY label"
        with self._session("writing") as session:
            for label, count in session.execute_read(_run, text, ours=_LABELS):  # both kinds would be mixed up
                remedy = "use another database (NEO4J_DATABASE) or another server"
                raise StoreError(f"this database holds {count} {label} nodes that torchatlas did not make; {remedy}")
            session.execute_write(_run, f"CREATE (m:{META}:{_MARKER} {{id: 'check'}}) DELETE m")  # may this user write?

    def replace(self, snapshot: Snapshot, fingerprint: str, progress: Progress | None = None) -> None:
        tables = {name: [[*row.values()] for row in rows] for name, rows in model.rows_of(snapshot).items()}
        self.check()
        with self._session("writing") as session:
            session.execute_write(_run, *(_UNIQUE.format(label.lower(), label) for label in (*_LABELS, META)))
            session.execute_write(_write, tables, fingerprint, progress or (lambda *_: None))

    def snapshot(self) -> Snapshot:
        with self._session("reading") as session:
            for _ in range(5):
                before, tables, after = session.execute_read(_read_tables)
                if before.get("schema", model.VERSION) != model.VERSION:
                    raise StoreError(f"the graph at {self.address} is of another version; remedy: torchatlas build")
                if before.get("changes") == after.get("changes"):  # others' writes are seen in a transaction
                    return model.from_columns(tables)
        raise StoreError(f"the graph at {self.address} is written again and again while it is read; try later")

    def _place(self) -> tuple[str, _Auth, str | None, frozenset[str]]:
        seen = self._bookmarks.get_bookmarks() if self._bookmarks else ()  # what a replica must have before it answers
        return self.address, self._auth, self._database, frozenset(seen)

    @contextmanager
    def _session(self, doing: str) -> Iterator[neo4j.Session]:
        """Give a session. Raises StoreError for any failure and a silent server."""
        access = neo4j.WRITE_ACCESS if doing == "writing" else neo4j.READ_ACCESS
        options: dict[str, Any] = {"default_access_mode": access, "bookmark_manager": self._bookmarks}
        timer = threading.Timer(PATIENCE, self._say, [f"waiting for Neo4j at {self.address}"])
        timer.daemon = True
        timer.start()
        try:
            self._driver = self._driver or _driver(self.address, self._auth)
            with self._driver.session(database=self._database, **options) as session:
                yield session
        except (DriverError, Neo4jError, TimeoutError) as e:
            raise StoreError(_explained(e, self.address, self._database, doing)) from e
        finally:
            timer.cancel()


open_store = Neo4jStore


def _driver(address: str, auth: _Auth) -> neo4j.Driver:
    # A cluster may be choosing another leader.
    settings: Any = SETTINGS | ({"max_transaction_retry_time": 30.0} if address.startswith("neo4j") else {})
    return neo4j.GraphDatabase.driver(address, auth=auth, **settings)


def answers(address: str, auth: _Auth) -> bool:
    """Return whether a server answers in seconds: `answers("bolt://h", None)`."""
    with suppress(DriverError, Neo4jError), _driver(address, auth) as used:
        used.verify_connectivity()
        return True
    return False


_within_limit = neo4j.unit_of_work(timeout=_LONGEST)
"""Marks one transaction; the driver retries it when the leader changes."""


@_within_limit
def _run(tx: neo4j.ManagedTransaction, /, *texts: Any, **values: object) -> list[neo4j.Record]:
    """Run statements and return the rows of the last one."""
    # The type of the texts is Any because the driver accepts literal text only
    # (https://github.com/neo4j/neo4j-python-driver/issues/876); labels are no parameters.
    return [list(tx.run(text, values)) for text in texts][-1]


@_within_limit
def _read_meta(tx: neo4j.ManagedTransaction) -> dict[str, Any]:
    found = _run(tx, f"MATCH {_META} WHERE m.fingerprint IS NOT NULL RETURN properties(m)")
    return dict(found[0][0]) if found else {}


@_within_limit
def _read_tables(tx: neo4j.ManagedTransaction) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the meta node, the columns of tables, and the meta node again."""
    before, tables = _read_meta(tx), {}
    for name in TABLES:
        if rows := _stored(tx, name):
            tables[name] = dict(zip(rows[0].keys(), zip(*rows, strict=True), strict=True))
    return before, tables, _read_meta(tx)


def _stored(tx: neo4j.ManagedTransaction, name: str) -> list[neo4j.Record]:
    return _run(tx, reading(name, f"&{_MARKER}"))


def _ends(edge: RelationshipTable) -> str:
    source = "|".join(f"{label}&{_MARKER}" for label in edge.source.split("|"))
    return f"MATCH (a:{source} {{id: row[0]}}) MATCH (b:{edge.target}:{_MARKER} {{id: row[1]}})"


def _writing(name: str) -> str:
    """Return Cypher to write a `row`, an id or two ends first."""
    table, before = TABLES[name], 0 if name in _LABELS else 2
    values = ", ".join(f"`{column.name}`: row[{i}]" for i, column in enumerate(table.columns, before))
    if isinstance(table, RelationshipTable):
        return f"{_ends(table)} CREATE (a)-[:{name} {{{values}}}]->(b)"
    return f"MERGE (n:{name}:{_MARKER} {{id: row[0]}}) SET n = {{{values}}}"


@_within_limit
def _write(tx: neo4j.ManagedTransaction, tables: dict[str, _Rows], mark: str, tell: Progress) -> None:
    """Write what differs. Raises StoreError where an edge has an end that is not there."""
    _run(tx, _TURN)
    gone, new = dict[str, Any](), dict[str, Any]()
    for name, rows in tables.items():
        size = 1 if name in _LABELS else 2  # of the key of a row
        there: defaultdict[tuple[Any, ...], _Rows] = defaultdict(list)
        for record in _stored(tx, name):  # people may have made a second one between the same nodes
            row = record.values()
            there[*row[:size]].append(row)
        wanted = {(*row[:size],): row for row in rows}
        changed = {key: row for key, row in wanted.items() if there.get(key) != [row]}
        new[name] = [*changed.values()]  # nodes over the old ones, to which others tie
        kept = wanted.keys() if name in _LABELS else wanted.keys() - changed.keys()
        gone[name] = sorted(there.keys() - kept)
    # What only another version's schema has goes too.
    nodes = f"MATCH (n:{_MARKER}) WHERE NOT n:{'|'.join((META, *_LABELS))} DETACH DELETE n"
    ties = f"MATCH {_META}, (:{_MARKER})-[r]->(:{_MARKER}) WHERE type(r) IN m.types AND NOT type(r) IN $types DELETE r"
    _run(tx, ties, nodes, types=_TYPES)
    steps = [
        *((gone[r.kind], r.kind, f"{_ends(r)} MATCH (a)-[r:{r.kind}]->(b) DELETE r") for r in RELATIONSHIPS),
        *((gone[n], n, f"MATCH (n:{n}:{_MARKER} {{id: row[0]}}) DETACH DELETE n") for n in _LABELS),
        *((new[name], name, _writing(name)) for name in TABLES),
    ]
    total, done = sum(len(rows) for rows, *_ in steps), 0
    for rows, name, text in steps:
        for batch in (rows[start : start + BATCH] for start in range(0, len(rows), BATCH)):
            count = _run(tx, f"UNWIND $rows AS row {text} RETURN count(*)", rows=batch)[0][0]
            if count < len(batch):  # more where people made a second relationship: both are deleted
                raise StoreError(f"{len(batch) - count} {name} relationships have an end that is not in the graph")
            done += len(batch)
            tell("Writing the graph", done, total)
    facts = {"fingerprint": mark, "schema": model.VERSION, "types": _TYPES}
    _run(tx, f"MATCH {_META} SET m += $facts, m.changes = coalesce(m.changes, 0) + 1", facts=facts)


@contextmanager
def answering(dialect: cypher.Dialect = NEO4J) -> Iterator[Callable[[Request], Answer]]:
    """Answer requests: `with answering() as answer: answer(request)`."""
    with ExitStack() as stack:
        driver = cache(lambda *place: stack.enter_context(_driver(*place)))
        yield lambda request: _answer(driver(*request.place[:2]), request, dialect)


def _answer(driver: neo4j.Driver, request: Request, dialect: cypher.Dialect) -> Answer:
    """Answer a query. Raises QueryError (refused, wrong, slow) and StoreError."""
    address, _, database, bookmarks = request.place
    seen = neo4j.Bookmarks.from_raw_values(bookmarks)
    options: Any = {"default_access_mode": neo4j.READ_ACCESS, "notifications_min_severity": "WARNING"}

    def run(text: Any) -> neo4j.Result:
        return session.run(neo4j.Query(text, timeout=request.seconds), dict(request.parameters))

    try:
        with limited_memory(), driver.session(database=database, bookmarks=seen, **options) as session:
            plan = run("EXPLAIN " + request.cypher).consume()
            cypher.check_plan(_operators(plan, dialect), dialect)
            warned = [status.status_description for status in plan.gql_status_objects if status.gql_status in _UNKNOWN]
            if slip := cypher.misspelt(re.findall("`([^`]+)`", " ".join(warned)), cypher.tokens(request.cypher)):
                raise QueryError(slip)
            if request.plan:
                return ("plan",), tuple((line,) for line in _told(plan.plan or {}))[: request.rows + 1]
            result = run(request.cypher)
            rows = (record.values() for record in result.fetch(request.rows + 1))
            return tuple(result.keys()), tuple(tuple(plain(v, _unpacked) for v in row) for row in rows)
    except (DriverError, Neo4jError) as e:
        code = e.code or "" if isinstance(e, ClientError) else ""
        if "TransactionTimedOut" in code:
            raise cypher.too_long(request.seconds) from e
        if code.startswith(("Neo.ClientError.Statement.", "Neo.ClientError.Procedure.")):
            raise QueryError(cypher.with_remedy(str(e.message or ""), request.cypher, dialect)) from e
        raise StoreError(_explained(e, address, database, "asking")) from e


def _told(plan: Mapping[str, Any], deep: int = 0) -> Iterator[str]:
    """Yield a line for each operator of a plan, the last one first, each below what it feeds."""
    name, _, _ = plan["operatorType"].partition("@")
    yield f"{'  ' * deep}{name} {plan.get('args', {}).get('Details', '')}".rstrip()
    for child in plan.get("children", ()):
        yield from _told(child, deep + 1)


def _operators(summary: neo4j.ResultSummary, dialect: cypher.Dialect) -> Iterator[str]:
    """Yield a plan's operators by their plain names, and a word for a write."""
    if summary.query_type != "r" or not summary.plan:
        yield "a schema or administration command" if summary.query_type == "s" else "a write"
    waiting = [summary.plan] if summary.plan else []
    while waiting:
        plan = waiting.pop()
        operator = plan["operatorType"].partition("@")[0].partition("(")[0]
        called = str(plan.get("args", {}).get("Details", "")).partition("(")[0]
        offered = operator != "ProcedureCall" or called.lower() in dialect.procedures
        yield operator if offered else f"CALL {called}"
        waiting.extend(plan.get("children", ()))


def _unpacked(value: Any) -> Any:
    """Return what `plain` shows of a value; hide the marker, in `labels(n)` too."""
    if isinstance(value, (bolt.Node, bolt.Relationship)):
        label = value.type if isinstance(value, bolt.Relationship) else ":".join(sorted(value.labels - {_MARKER}))
        return {"_label": label} | dict(sorted(value.items()))
    if isinstance(value, bolt.Path):
        ids = [[None if node is None else node.get("id") for node in edge.nodes] for edge in value.relationships]
        edges = zip(map(_unpacked, value.relationships), ids, strict=True)
        ended = [edge | {"_source": source, "_target": target} for edge, (source, target) in edges]
        return {"_nodes": value.nodes, "_relationships": ended}
    if isinstance(value, list) and _MARKER in value and any(label in value for label in (META, *_LABELS)):
        return [label for label in value if label != _MARKER]
    return str(value) if isinstance(value, Duration) else value  # a Duration is a tuple


def _explained(error: Exception, address: str, database: str | None, doing: str) -> str:
    """Return one line on a driver's error at `address` while `doing` something."""
    causes = "".join(format_exception(error, limit=0))
    searched = f"{doing} {getattr(error, 'code', None) or '-'} {type(error).__name__}: {causes}"
    line = next(line for sign, line in _ERRORS.items() if re.search(sign, searched, re.IGNORECASE | re.DOTALL))
    said = cypher.with_remedy(getattr(error, "message", None) or str(error), "", NEO4J)
    names = {"where": f"Neo4j at {address}", "address": address, "database": database or "neo4j", "said": said}
    return line.format(doing=doing, half=": nothing is half written" if doing == "writing" else "", **names)
