"""A graph on a Neo4j server, through the official driver. Other people's data there is neither changed nor deleted.

Our nodes bear the label Torchatlas beside their own. The meta node also says which labels and types this schema has,
how often the graph was written (`changes`) and which load writes now (`loading`). A small change is one transaction. A
larger graph is staged beside the present one, a batch a transaction, under labels that no question asks for; then one
transaction switches the labels. The next load removes what one that was stopped has left.
"""

import asyncio
import logging
import os
import re
import secrets
import socket
import ssl
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import neo4j
from neo4j import exceptions as raised
from neo4j import graph as bolt
from neo4j.exceptions import DriverError, Neo4jError
from neo4j.time import Duration

from torchatlas.graph import cypher, model
from torchatlas.graph.errors import QueryError, StoreError
from torchatlas.graph.model import META, NODES, RELATIONSHIPS, TABLES, NodeTable, Progress, Snapshot, TableSchema
from torchatlas.graph.stores import neo4j_server
from torchatlas.graph.stores.base import plain
from torchatlas.graph.stores.worker import GRACE, Answer, CypherStore, Request, limited_memory

BATCH = 10_000  # rows of one statement
AT_ONCE = 50_000  # rows that one transaction may change: a server holds all of them in its memory until the end
PATIENCE = 10.0  # seconds without an end of a call, after which the server is asked; and for the answer to that
SETTINGS = {
    "connection_timeout": 3.0,
    "connection_acquisition_timeout": 4.0,
    "max_transaction_retry_time": 5.0,
    "liveness_check_timeout": 0,  # a connection that broke since the last call is replaced without a word
    "notifications_min_severity": "OFF",
}
"""For a driver. They do not limit how long an answer takes."""
_ROUTED = {"max_transaction_retry_time": 30.0}  # where a cluster may be choosing another leader
_LONGEST = 600.0  # seconds of one transaction, which may wait for another one's lock
_READ_TRIES = 5
_Rows = list[list[Any]]
_MARKER, _OLD, _KEPT = "Torchatlas", "TorchatlasOld", "TorchatlasKept"  # labels
_META = f"(m:{META}:{_MARKER} {{id: 'atlas'}})"
_TYPES = [edge.kind for edge in RELATIONSHIPS]
_STAGED = {node.label: f"TorchatlasStaged{node.label}" for node in NODES}
_UNIQUE = "CREATE CONSTRAINT torchatlas_{} IF NOT EXISTS FOR (n:{}) REQUIRE n.id IS UNIQUE"
_INDEX = "CREATE INDEX torchatlas_{}_{} IF NOT EXISTS FOR (n:{}) ON (n.{})"
_FAILED = ("Neo.ClientError.Statement.", "Neo.ClientError.Procedure.")  # codes of a query that cannot be run
_UNKNOWN = {"01N50", "01N51", "01N52"}  # GQL status: no such label, relationship type, property

# Python prints warnings to stderr where a program has not set up logging. Those of the driver would repeat, beside our
# one line, the server's notifications (https://github.com/neo4j/neo4j-python-driver/pull/1059), each failure that is
# tried again, and each broken connection. A driver's loggers cannot be set for one connection, so they are set here.
for _name in ("notifications", "session"):
    logging.getLogger(f"neo4j.{_name}").setLevel(logging.ERROR)
for _name in ("pool", "io"):
    logging.getLogger(f"neo4j.{_name}").setLevel(logging.CRITICAL)

# The names that Neo4j gives to the steps of a plan which read nodes and relationships, join, fold and sort them.
_READS = """
    AllNodesScan AntiConditionalApply AntiSemiApply Apply Argument ArgumentTracker AssertSameNode
    AssertSameRelationship BFSPruningVarExpand BidirectionalRepeat BidirectionalVarLengthExpand CacheProperties
    CartesianProduct ConditionalApply DirectedAllRelationshipsScan DirectedRelationshipByElementIdSeek
    DirectedRelationshipByIdSeek DirectedRelationshipIndexContainsScan DirectedRelationshipIndexEndsWithScan
    DirectedRelationshipIndexScan DirectedRelationshipIndexSeek DirectedRelationshipIndexSeekByRange
    DirectedRelationshipTypeScan DirectedUnionRelationshipTypesScan Distinct DynamicLabelNodeLookup Eager
    EagerAggregation EmptyResult EmptyRow ExhaustiveLimit Expand Filter
    IntersectionNodeByLabelsScan LetAntiSemiApply LetSelectOrAntiSemiApply
    LetSelectOrSemiApply LetSemiApply Limit MultiNodeIndexSeek NodeByElementIdSeek NodeByIdSeek NodeByLabelScan
    NodeCountFromCountStore NodeHashJoin NodeIndexContainsScan NodeIndexEndsWithScan NodeIndexScan NodeIndexSeek
    NodeIndexSeekByRange NodeLeftOuterHashJoin NodeRightOuterHashJoin NodeUniqueIndexSeek
    NodeUniqueIndexSeekByRange NonFuseable NullifyMetadata Optional OptionalExpand OrderedAggregation
    OrderedDistinct OrderedUnion PartialSort PartialTop PathPropagatingBFS PreserveOrder ProcedureCall
    ProduceResults ProjectEndpoints Projection RelationshipCountFromCountStore RemoteBatchProperties
    RemoteBatchPropertiesWithFilter Repeat RightOuterHashJoin LeftOuterHashJoin RollUpApply
    SelectOrAntiSemiApply SelectOrSemiApply SemiApply ShortestPath ShowConstraints ShowFunctions ShowIndexes
    ShowProcedures Skip Sort StatefulShortestPath SubtractionNodeByLabelsScan Top TriadicBuild TriadicFilter
    TriadicSelection UndirectedAllRelationshipsScan UndirectedRelationshipByElementIdSeek
    UndirectedRelationshipByIdSeek UndirectedRelationshipIndexContainsScan
    UndirectedRelationshipIndexEndsWithScan UndirectedRelationshipIndexScan UndirectedRelationshipIndexSeek
    UndirectedRelationshipIndexSeekByRange UndirectedRelationshipTypeScan UndirectedUnionRelationshipTypesScan
    Union UnionNodeByLabelsScan Unwind ValueHashJoin VarLengthExpand
"""

_PROCEDURES = """
    db.labels db.relationshiptypes db.propertykeys
    db.schema.visualization db.schema.nodetypeproperties db.schema.reltypeproperties
"""

NEO4J = cypher.Dialect(
    "Neo4j",
    cypher.BEGINS | {"SHOW"},
    procedures=frozenset(_PROCEDURES.split()),
    operators=frozenset(_READS.split()),
    escapes=True,
)


# A pattern over the text without its strings, what of the embedded dialect it finds, and the form that works here.
_OTHERS = (
    (r"\blabel\s*\(", "label()", "labels(n) for a node, type(r) for a relationship"),
    (r"\*\s*ALL SHORTEST\b", "* ALL SHORTEST", "p = allShortestPaths((a)-[:REQUIRES*1..9]->(b))"),
    (r"\*\s*W?SHORTEST\b", "* SHORTEST", "p = shortestPath((a)-[:REQUIRES*1..9]->(b))"),
    (r"\*\s*(?:TRAIL|ACYCLIC)\b", "* TRAIL", "-[:REQUIRES*1..3]->, which is a trail"),
    (r"\bproperties\s*\([^()]*\(", "properties(nodes(p), 'name')", "[n IN nodes(p) | n.name]"),
    (r"\brels\s*\(", "rels()", "relationships(p)"),
    (r"\blist_transform\s*\(", "list_transform()", "[x IN list | toUpper(x)]"),
    (r"\blist_filter\s*\(", "list_filter()", "[x IN list WHERE x <> 'a']"),
    (r"\blist_reduce\s*\(", "list_reduce()", "reduce(sum = 0, x IN list | sum + x)"),
    (r"\b(?:list|array)_contains\s*\(", "list_contains()", "x IN list"),
    (r"\b(?:list_extract|list_element)\s*\(", "list_extract()", "list[0]; positions begin at 0"),
    (r"\b(?:list_len|array_length|len)\s*\(", "list_len()", "size(list)"),
    (r"\b(?:cast|to_?\w*int\d*|to_double|string)\s*\(", "cast() and the like", "toInteger(x), toFloat(x), toString(x)"),
    (r"\bconcat\s*\(", "concat()", "a + b"),
    (r"\bstring_split\s*\(", "string_split()", "split(text, ',')"),
    (r"\bregexp_\w+\s*\(", "regexp functions", "text =~ '.*pattern.*'"),
    (r"\b[lu]case\s*\(", "lcase() and ucase()", "toLower(text), toUpper(text)"),
    (r"\bcurrent_(?:date|timestamp)\s*\(", "current_date()", "date() or datetime()"),
    (r"\bdate_part\s*\(", "date_part()", "date('2022-01-31').year"),
    (r"\binterval\s*\(", "interval()", "duration('P1D')"),
    (r"\bexists\s*\(", "exists()", "n.name IS NOT NULL, or EXISTS { (n)-->() }"),
)
_LINES = (
    (
        r"^Invalid input ('.*?'): expected (?:(?! at line ).){40,}( at line \d+, column \d+)?$",
        r"the query cannot be read at \1\2",
    ),
    (r"^Variable `(.+)` not defined.*", r"there is no variable \1"),
    (r"^Unknown function '(.+?)'.*", r"there is no function \1()"),
)
_REMEDIES = cypher.Remedies(
    _LINES,
    [
        *((pattern, f"Neo4j has no {other}: write {form}") for pattern, other, form in _OTHERS),
        (r"\bapoc\s*\.", "there is no apoc here: only the engine's own functions"),
    ],
    (*cypher.COMMON_FUNCTIONS, "elementId"),
)

_SUPPORTED = "Neo4j 5 or later is needed (tested with 5.26 and 2026.09)"
_EMBEDDED = "use the embedded store, ladybug:PATH"
_NOBODY = f"no Neo4j server answers at {{address}}; start it, or {_EMBEDDED}"
_HANGS_UP = (
    "what listens at {address} hangs up; if the server encrypts its connections, write bolt+s:// or neo4j+s:// "
    "(own certificates: +ssc)"
)
_LATE = (TimeoutError, raised.ConnectionAcquisitionTimeoutError)
_NO_LEADER = (
    "the part of {where} that answers takes no writes (a read-only replica, or not the leader); "
    "give the cluster's own address, neo4j://HOST or neo4j+s://HOST, which finds the leader"
)
_BY_CODE = {
    "Neo.ClientError.Security.Unauthorized": "{where} refuses this user or password; "
    "set NEO4J_USERNAME and NEO4J_PASSWORD, or write them into the address: bolt://user:password@host",
    "Neo.ClientError.Security.AuthenticationRateLimit": "{where} has seen too many wrong passwords; "
    "wait some seconds, then try again with the right one in NEO4J_PASSWORD",
    "Neo.ClientError.Security.CredentialsExpired": "{where} wants its first password changed; "
    "sign in once with cypher-shell or Neo4j Browser, then set NEO4J_PASSWORD to the new one",
    "Neo.ClientError.Security.Forbidden": "this user of {where} may not do that; "
    "give it the roles that read and write (reader, publisher, architect), or name another in NEO4J_USERNAME",
    "Neo.ClientError.Security.TokenExpired": "the sign-in at {where} has expired; try again",
    "Neo.ClientError.Database.DatabaseNotFound": "{where} has no database {database!r}; "
    "see SHOW DATABASES there, and set NEO4J_DATABASE",
    "Neo.ClientError.Transaction.LockClientStopped": "another program has kept {where} from being written "
    "for too long, perhaps a torchatlas that hangs; end that program, then try again: nothing is half written",
    "Neo.ClientError.Cluster.NotALeader": _NO_LEADER,
    "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase": _NO_LEADER,
    "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase": _NO_LEADER,
    "Neo.DatabaseError.Transaction.TransactionLogError": "{where} cannot write its log, most likely because its disk "
    "is full; make room there and restart it; the old graph is still whole",
    "Neo.TransientError.General.DatabaseUnavailable": "the database of {where} is not available now; "
    "start it (START DATABASE), or see why it stopped: SHOW DATABASES",
    "Neo.TransientError.General.MemoryPoolOutOfMemoryError": "{where} has too little memory for this; "
    f"raise its dbms.memory.transaction.total.max and its heap, or {_EMBEDDED}",
    "Neo.TransientError.General.OutOfMemoryError": "{where} has run out of memory; "
    f"raise its server.memory.heap.max_size, or {_EMBEDDED}",
}
# What one of the causes is, or says, and the line about it: always, and of a server that is not connected yet.
_UNREACHABLE: tuple[tuple[Any, str], ...] = (
    (socket.gaierror, "no computer has the name in {address}; check the name, and the network"),
    (
        ssl.SSLCertVerificationError,
        "the certificate of Neo4j at {address} cannot be trusted; "
        "write +ssc instead of +s if the server signs its certificate itself",
    ),
    (ssl.SSLError, "Neo4j at {address} does not encrypt its connections; write the address without +s or +ssc"),
    (
        "looks like HTTP",
        "the port in {address} is for web pages, not for Bolt, whose port is 7687 by default: bolt://HOST:7687",
    ),
    (ConnectionRefusedError, _NOBODY),
)
_UNCONNECTED: tuple[tuple[Any, str], ...] = (
    (ConnectionResetError, _HANGS_UP),
    ("incomplete handshake", _HANGS_UP),
    (_LATE, "nothing answers in time at {address}; is the server still starting, or a firewall between?"),
    ("", _NOBODY),
)


def _located(address: str, environment: Mapping[str, str]) -> tuple[str, tuple[str, str] | None, str | None]:
    """Return the address without its secrets, (user, password) if any, and the database if one is named.

    They are parts of the address (`bolt://user:password@host:7687/database`) or stand in NEO4J_USERNAME,
    NEO4J_PASSWORD and NEO4J_DATABASE. Raises StoreError for an address without a readable host or with an odd port.
    """
    try:
        parts = urlsplit(address)
        (parts.hostname or "").encode("idna")
        port = f":{parts.port}" if parts.port else ""
    except ValueError as e:
        raise StoreError("the host or the port in the address cannot be read; write bolt://HOST:7687") from e
    if not parts.hostname:
        raise StoreError("the address names no host; write bolt://HOST:7687")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    user = unquote(parts.username or "") or environment.get("NEO4J_USERNAME", "neo4j")
    password = unquote(parts.password or "") or environment.get("NEO4J_PASSWORD", "")
    database = parts.path.strip("/") or environment.get("NEO4J_DATABASE") or None
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{host}{port}{query}", (user, password) if password else None, database


class Neo4jStore(CypherStore):
    """A store on a server; several threads may share it. That of another engine which speaks Bolt is a subclass.

    A load takes as long as it takes, on a slow disk even longer. So no clock decides: after PATIENCE seconds, and again
    after the next PATIENCE seconds, the server is asked by another connection whether it is there.
    """

    dialect = NEO4J
    indexes: tuple[str, ...] = (
        *(_UNIQUE.format(label.lower(), label) for label in (*_STAGED, META)),
        _INDEX.format("concept", "name", "Concept", "name"),
        _INDEX.format("episode", "number", "Episode", "number"),
    )

    def __init__(self, address: str, say: Callable[[str], None] | None = None) -> None:
        super().__init__()
        environment: Mapping[str, str] = os.environ
        if address.startswith("neo4j+local:"):
            if not (folder := address.partition(":")[2]):
                raise StoreError(f"{address} names no folder for the Neo4j server; remedy: neo4j+local:FOLDER")
            own = neo4j_server.start(Path(folder).expanduser().absolute(), say)
            address, environment = own.uri.replace("//", f"//{neo4j_server.USER}:{own.password}@"), {}
        self.address, self._auth, self._database = _located(address, environment)
        self._say = say or (lambda _line: None)
        self._driver: neo4j.Driver | None = None
        self._lock = threading.Lock()
        # A replica may lag behind the leader: a read waits until it has what this store has written.
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager() if self.address.startswith("neo4j") else None
        try:
            with self._session("connecting") as session:
                agent = session.run("RETURN 1").consume().server.agent  # by no transaction, which would be tried again
            if line := _too_old(agent):
                raise StoreError(f"the server at {self.address} is {line}")
        except StoreError:
            self.close()
            raise

    def close(self) -> None:
        super().close()
        with self._lock:
            used, self._driver = self._driver, None
        if used:
            used.close()

    def fingerprint(self) -> str | None:
        found = self._meta()
        return found["fingerprint"] if found and found["schema"] == model.VERSION else None

    def stamp(self) -> str:
        found = self._meta()
        return f"{found.get('changes')}:{found['fingerprint']}" if found else "none"

    def _meta(self) -> dict[str, Any] | None:
        with self._session("reading") as session:
            return session.execute_read(_read_meta)

    def check(self) -> None:
        with self._session("writing") as session:
            _refuse_foreign(session)
            with suppress(_TakenBackError):  # is this user allowed to write?
                session.execute_write(_write_nothing)

    def replace(self, snapshot: Snapshot, fingerprint: str, progress: Progress | None = None) -> None:
        rows = model.rows_of(snapshot)
        tables = {n: [[row[column] for column in _names(table)] for row in rows[n]] for n, table in TABLES.items()}
        tell, token = progress or (lambda *_: None), secrets.token_hex(8)
        with self._session("writing") as session:
            _refuse_foreign(session)
            session.execute_write(_run_all, self.indexes)
            session.execute_write(_take_over, token)
            _sweep(session, token)
            if not session.execute_write(_write_changes, tables, fingerprint, tell):
                _write_staged(session, tables, fingerprint, token, tell)

    def snapshot(self) -> Snapshot:
        with self._session("reading") as session:
            for _ in range(_READ_TRIES):
                version, tables = session.execute_read(_read_tables)
                if version != model.VERSION:
                    raise StoreError(f"the graph at {self.address} is of another version; remedy: torchatlas build")
                if tables is not None:
                    return model.from_rows({name: _as_rows(TABLES[name], rows) for name, rows in tables.items()})
        raise StoreError(f"the graph at {self.address} is written again and again while it is read; try later")

    def _place(self) -> tuple[str, tuple[str, str] | None, str | None, frozenset[str]]:
        seen = self._bookmarks.get_bookmarks() if self._bookmarks else ()  # what a replica must have before it answers
        return self.address, self._auth, self._database, frozenset(seen)

    @contextmanager
    def _session(self, doing: str) -> Iterator[neo4j.Session]:
        """Give a session that writes or reads. Raises StoreError for all that fails, and where the server is silent."""
        access = neo4j.WRITE_ACCESS if doing == "writing" else neo4j.READ_ACCESS
        options: dict[str, Any] = {"default_access_mode": access, "bookmark_manager": self._bookmarks}
        done, silent = threading.Event(), threading.Event()
        try:
            with self._lock:
                used = self._driver = self._driver or _driver(self.address, self._auth)
            threading.Thread(target=self._watch, args=(used, done, silent), daemon=True).start()
            with used.session(database=self._database, **options) as session:
                yield session
        except (DriverError, Neo4jError, TimeoutError, OSError) as e:
            if silent.is_set() or isinstance(e, TimeoutError):
                raise StoreError(_silent(self.address, doing)) from e
            if isinstance(e, OSError):
                raise
            raise StoreError(_explained(e, self.address, self._database, doing)) from e
        finally:
            done.set()

    def _watch(self, used: neo4j.Driver, done: threading.Event, silent: threading.Event) -> None:
        """Close the driver where the server is silent: what a thread waits for then ends with an error."""
        told = False
        while not done.wait(PATIENCE):
            if answers(self.address, self._auth, PATIENCE):
                if not told and not done.is_set():
                    self._say(f"waiting for Neo4j at {self.address}, which is at work")
                told = True
            elif not done.is_set():
                silent.set()
                with self._lock:
                    self._driver = None if self._driver is used else self._driver
                used.close()
                return


open_store = Neo4jStore


def _settings(address: str) -> dict[str, Any]:
    return SETTINGS | (_ROUTED if address.startswith("neo4j") else {})


def _driver(address: str, auth: tuple[str, str] | None, **more: float) -> neo4j.Driver:
    return neo4j.GraphDatabase.driver(address, auth=auth, **(_settings(address) | more))


def answers(address: str, auth: tuple[str, str] | None, seconds: float) -> bool:
    """Return whether a server answers in so many seconds; the driver itself would wait for ever for a silent one.

    Example: `answers("bolt://localhost:7687", ("neo4j", "password"), 5)`
    """
    limit = min(seconds, 4.0)  # to connect
    options = {"connection_timeout": limit, "connection_acquisition_timeout": limit}
    with suppress(DriverError, Neo4jError, OSError), _driver(address, auth, **options) as used:
        timer = threading.Timer(seconds, used.close)
        timer.daemon = True
        timer.start()
        try:
            used.verify_connectivity()
        finally:
            timer.cancel()
        return True
    return False


class _TakenBackError(Exception):
    """Takes back the transaction in which it is raised."""


_within_limit = neo4j.unit_of_work(timeout=_LONGEST)
"""Marks the work of one transaction, which the driver tries again where a cluster changes its leader."""


@_within_limit
def _run(tx: neo4j.ManagedTransaction, /, text: Any, **values: object) -> list[neo4j.Record]:
    # The type of the text is Any because the driver accepts literal text only
    # (https://github.com/neo4j/neo4j-python-driver/issues/876), and labels cannot be parameters.
    return list(tx.run(text, values))


@_within_limit
def _run_all(tx: neo4j.ManagedTransaction, texts: Iterable[str]) -> None:
    for text in texts:
        _run(tx, text)


@_within_limit
def _take_over(tx: neo4j.ManagedTransaction, token: str) -> None:
    """Make `token` the load that writes; another one that has begun ends at its next batch."""
    _run(tx, f"MERGE (m:{META} {{id: 'atlas'}}) SET m:{_MARKER}, m.loading = $token", token=token)


@_within_limit
def _write_nothing(tx: neo4j.ManagedTransaction) -> None:
    _take_over(tx, "")
    raise _TakenBackError


def _refuse_foreign(session: neo4j.Session) -> None:
    """Raise StoreError where nodes of other people have labels of this schema: both kinds would be mixed up."""
    counts = ", ".join(f"COUNT {{ MATCH (n:{label}) WHERE NOT n:{_MARKER} }}" for label in _STAGED)
    for label, count in zip(_STAGED, session.execute_read(_run, f"RETURN {counts}")[0], strict=True):
        if count:
            remedy = "use another database (NEO4J_DATABASE) or another server"
            raise StoreError(f"this Neo4j database holds {count} {label} nodes that torchatlas did not make; {remedy}")


def _lock(tx: neo4j.ManagedTransaction) -> str:
    """Keep other writers waiting until this transaction ends; return the token of the load whose turn it is."""
    # To set a property takes the lock, and the reading comes after it.
    return str(_run(tx, f"MATCH {_META} SET m.id = 'atlas' RETURN m.loading")[0][0])


@_within_limit
def _read_meta(tx: neo4j.ManagedTransaction) -> dict[str, Any] | None:
    """Return the properties of the meta node, None where there is no whole graph."""
    found = _run(tx, f"MATCH {_META} WHERE m.fingerprint IS NOT NULL RETURN properties(m)")
    return dict(found[0][0]) if found else None


@_within_limit
def _read_tables(tx: neo4j.ManagedTransaction) -> tuple[str, dict[str, _Rows] | None]:
    """Return the version of the schema and the rows of every table, None where some may be of another graph.

    A server shows a transaction what others commit while it runs.
    """
    before = _read_meta(tx) or {"schema": model.VERSION}
    rows = {name: _stored(tx, table) for name, table in TABLES.items()}
    same = before.get("changes") == (_read_meta(tx) or {}).get("changes")
    return before["schema"], rows if same else None


def _names(table: TableSchema) -> list[str]:
    """Return the names of the values of a row; the id of a node or the ends come first."""
    return [*(() if isinstance(table, NodeTable) else ("source", "target")), *(column.name for column in table.columns)]


def _as_rows(table: TableSchema, rows: _Rows) -> list[model.Row]:
    return [dict(zip(_names(table), row, strict=True)) for row in rows]


def _stored(tx: neo4j.ManagedTransaction, table: TableSchema) -> _Rows:
    values = ", ".join(f"x.`{column.name}`" for column in table.columns)
    if isinstance(table, NodeTable):
        text = f"MATCH (x:{table.label}:{_MARKER}) RETURN {values}"
    else:
        pattern = f"(a:{table.source}:{_MARKER})-[x:{table.kind}]->(b:{table.target}:{_MARKER})"
        text = f"MATCH {pattern} RETURN a.id, b.id, {values}"
    return [record.values() for record in _run(tx, text)]


def _properties(table: TableSchema) -> str:
    """Return the map of the properties of a `row`."""
    names = _names(table)
    return "{" + ", ".join(f"`{name}`: row[{names.index(name)}]" for name in names[-len(table.columns) :]) + "}"


@_within_limit
def _write_changes(tx: neo4j.ManagedTransaction, tables: dict[str, _Rows], mark: str, tell: Progress) -> bool:
    """Make the stored rows these and write only what differs; return False, and do nothing, where that is too much."""
    _lock(tx)
    gone, new = {}, {}
    for name, table in TABLES.items():
        gone[name], new[name] = _difference(table, _stored(tx, table), tables[name])
    total, done = sum(len(gone[name]) + len(new[name]) for name in TABLES), 0
    if total > AT_ONCE:
        return False
    _drop_former_tables(tx)

    ends = {
        edge.kind: f"MATCH (a:{edge.source}:{_MARKER} {{id: row[0]}}) MATCH (b:{edge.target}:{_MARKER} {{id: row[1]}})"
        for edge in RELATIONSHIPS
    }
    texts = [(gone, kind, f"{ends[kind]} MATCH (a)-[r:{kind}]->(b) DELETE r") for kind in ends]
    texts += [(gone, label, f"MATCH (n:{label}:{_MARKER} {{id: row[0]}}) DETACH DELETE n") for label in _STAGED]
    for label in _STAGED:
        there = f"MERGE (n:{label} {{id: row[0]}}) SET n = {_properties(TABLES[label])}, n:{_MARKER}"
        texts.append((new, label, there))
    texts += [(new, kind, f"{ends[kind]} CREATE (a)-[:{kind} {_properties(TABLES[kind])}]->(b)") for kind in ends]
    for rows, name, text in texts:
        for batch in _batches(rows[name]):
            _write_batch(tx, batch, name, text)
            done += len(batch)
            tell("Writing the graph", done, total)
    _finish(tx, mark)
    return True


def _difference(table: TableSchema, stored: _Rows, wanted: _Rows) -> tuple[_Rows, _Rows]:
    """Return the ids or ends of the rows to delete, and the rows to write.

    A node that differs is written over, to keep what others tied to it. A relationship is deleted and made again.
    """
    is_node = isinstance(table, NodeTable)
    key = itemgetter(0) if is_node else itemgetter(0, 1)
    there: defaultdict[Any, _Rows] = defaultdict(list)
    for row in stored:  # people may have made a second relationship between the same nodes
        there[key(row)].append(row)
    new = [row for row in wanted if there.get(key(row)) != [row]]
    kept = {key(row) for row in wanted}.difference(() if is_node else map(key, new))
    return [rows[0][: 1 if is_node else 2] for place, rows in sorted(there.items()) if place not in kept], new


def _batches(rows: _Rows) -> Iterator[_Rows]:
    return (rows[start : start + BATCH] for start in range(0, len(rows), BATCH))


def _write_batch(tx: neo4j.ManagedTransaction, rows: _Rows, name: str, text: str) -> None:
    """Run `text` for every `row`. Raises StoreError where it found no place for one of them."""
    count = _run(tx, f"UNWIND $rows AS row {text} RETURN count(*)", rows=rows)[0][0]
    if count < len(rows):  # it is more where people made a second relationship between two nodes: both are deleted
        raise StoreError(f"{len(rows) - count} {name} relationships have an end that is not in the graph")


def _finish(tx: neo4j.ManagedTransaction, mark: str) -> None:
    """Store the fingerprint of the graph, which is whole now."""
    facts = {"fingerprint": mark, "schema": model.VERSION, "labels": [*_STAGED], "types": _TYPES}
    _run(tx, f"MATCH {_META} SET m += $facts, m.changes = coalesce(m.changes, 0) + 1", facts=facts)


def _drop_former_tables(tx: neo4j.ManagedTransaction) -> None:
    """Delete nodes and relationships whose labels and types only another version of the schema has."""
    meta = _read_meta(tx) or {}
    values: dict[str, Any] = {name: sorted({*meta.get(name, ())} - {*TABLES}) for name in ("labels", "types")}
    if values["types"]:
        _run(tx, f"MATCH (:{_MARKER})-[r]->(:{_MARKER}) WHERE type(r) IN $types DELETE r", **values)
    if values["labels"]:
        _run(tx, f"MATCH (n:{_MARKER}) WHERE any(l IN labels(n) WHERE l IN $labels) DETACH DELETE n", **values)


def _sweep(session: neo4j.Session, token: str) -> None:
    """Remove, in batches, what stopped loads have staged and what a switch has left of the graph before it.

    A load that took over meanwhile sweeps by itself, and what it has staged since must stay.
    """
    labels = (*_STAGED.values(), _OLD)
    counts = session.execute_read(_run, "RETURN " + ", ".join(f"COUNT {{ (:{label}) }}" for label in labels))[0]
    for label in (label for label, count in zip(labels, counts, strict=True) if count):
        for text in (
            f"MATCH (:{label})-[r]->() WITH r LIMIT {BATCH} DELETE r RETURN count(*)",
            f"MATCH (n:{label}) WITH n LIMIT {BATCH} DETACH DELETE n RETURN count(*)",
        ):
            while session.execute_write(_swept, token, text) == BATCH:
                pass
    drops = [f"DROP CONSTRAINT torchatlas_staged_{label.lower()} IF EXISTS" for label in _STAGED]
    session.execute_write(_run_all, drops)


@_within_limit
def _swept(tx: neo4j.ManagedTransaction, token: str, text: str) -> int:
    return int(_run(tx, text)[0][0]) if _lock(tx) == token else 0


def _write_staged(session: neo4j.Session, tables: dict[str, _Rows], mark: str, token: str, tell: Progress) -> None:
    """Make the stored rows these. Each batch is a transaction of its own, which the driver tries again where it may."""
    constraints = [_UNIQUE.format(f"staged_{label.lower()}", staged) for label, staged in _STAGED.items()]
    session.execute_write(_run_all, constraints)
    done, total = 0, sum(len(rows) for rows in tables.values())
    for name, table in TABLES.items():
        if isinstance(table, NodeTable):
            text = f"CREATE (:{_STAGED[name]} {_properties(table)})"
        else:
            ends = f"(a:{_STAGED[table.source]} {{id: row[0]}}) MATCH (b:{_STAGED[table.target]} {{id: row[1]}})"
            text = f"MATCH {ends} CREATE (a)-[:{name} {_properties(table)}]->(b)"
        for batch in _batches(tables[name]):
            session.execute_write(_in_turn, token, partial(_write_batch, rows=batch, name=name, text=text))
            done += len(batch)
            tell("Writing the graph", done, total)
    session.execute_write(_in_turn, token, partial(_switch, mark=mark))
    _sweep(session, token)


@_within_limit
def _in_turn(tx: neo4j.ManagedTransaction, token: str, work: Callable[[neo4j.ManagedTransaction], None]) -> None:
    if _lock(tx) != token:
        raise StoreError("another torchatlas has begun to write this graph; this one has ended, nothing is changed")
    work(tx)


def _switch(tx: neo4j.ManagedTransaction, mark: str) -> None:
    """Put the staged graph in the place of the present one."""
    _drop_former_tables(tx)
    _keep_tied(tx)
    for label, staged in _STAGED.items():
        ours = f"{label}:{_MARKER}"
        _run(tx, f"MATCH (n:{ours}) WHERE NOT n:{_KEPT} REMOVE n:{ours} SET n:{_OLD}")
        _run(tx, f"MATCH (n:{staged}) REMOVE n:{staged} SET n:{ours}")
    _run(tx, f"MATCH (n:{_KEPT}) REMOVE n:{_KEPT}")
    _finish(tx, mark)


def _keep_tied(tx: neo4j.ManagedTransaction) -> None:
    """Keep the nodes to which people have tied something of theirs: they get what was staged for their ids."""
    pair = {label: f"MATCH (n:{label}:{_KEPT}) MATCH (s:{staged} {{id: n.id}})" for label, staged in _STAGED.items()}
    kept = 0
    for label, staged in _STAGED.items():
        theirs = f"(n)-[r]-(x) WHERE NOT x:{_MARKER} OR NOT type(r) IN $types"
        tied = f"MATCH (n:{label}:{_MARKER}) WHERE size(labels(n)) > 2 OR EXISTS {{ MATCH {theirs} }}"
        text = f"{tied} MATCH (:{staged} {{id: n.id}}) SET n:{_KEPT} RETURN count(*)"
        kept += _run(tx, text, types=_TYPES)[0][0]
    if not kept:
        return
    _run(tx, f"MATCH (:{_KEPT})-[r]-(:{_MARKER}) WHERE type(r) IN $types WITH DISTINCT r DELETE r", types=_TYPES)
    for edge in RELATIONSHIPS:
        for label, left, right in ((edge.source, "-", "->"), (edge.target, "<-", "-")):
            moved = f"CREATE (n){left}[m:{edge.kind}]{right}(x) SET m = properties(r) DELETE r"
            _run(tx, f"{pair[label]} MATCH (s){left}[r:{edge.kind}]{right}(x) {moved}")
    for text in pair.values():
        _run(tx, f"{text} SET n = properties(s) DELETE s")


@contextmanager
def answering(dialect: cypher.Dialect = NEO4J) -> Iterator[Callable[[Request], Answer]]:
    """Give a function that answers requests, all of them to the same server.

    Example: `with answering() as answer: answer(request)`
    """
    drivers: list[neo4j.AsyncDriver] = []

    async def ask(request: Request) -> Answer:
        if not drivers:
            address, auth, *_ = request.place
            drivers.append(neo4j.AsyncGraphDatabase.driver(address, auth=auth, **_settings(address)))
        return await _answer(drivers[0], request, dialect)

    with asyncio.Runner() as runner:
        try:
            yield lambda request: runner.run(ask(request))
        finally:
            for driver in drivers:
                runner.run(driver.close())


async def _answer(driver: neo4j.AsyncDriver, request: Request, dialect: cypher.Dialect) -> Answer:
    """Return the answer. Raises QueryError for a query that is refused, wrong or slow, and StoreError."""
    address, _, database, _ = request.place
    token, late = secrets.token_hex(8), cypher.too_long(request.seconds)
    try:
        with limited_memory():
            async with asyncio.timeout(request.seconds) as clock:
                return await _rows(driver, request, dialect, token)  # cancelled, the driver closes the connection
    except TimeoutError as e:
        if not clock.expired():
            raise
        if not await _terminate(driver, database, token):
            late = QueryError(f"{late}; or see whether Neo4j at {address} runs: it says nothing")
        raise late from e
    except (DriverError, Neo4jError) as e:
        code = e.code or "" if isinstance(e, raised.ClientError) else ""
        if "TransactionTimedOut" in code:
            raise late from e
        if code.startswith(_FAILED):
            raise QueryError(_explain(str(e.message or ""), request.cypher)) from e
        raise StoreError(_explained(e, address, database, "asking")) from e


async def _rows(driver: neo4j.AsyncDriver, request: Request, dialect: cypher.Dialect, token: str) -> Answer:
    def marked(text: Any) -> neo4j.Query:
        return neo4j.Query(text, timeout=request.seconds, metadata={"torchatlas": token})

    _, _, database, bookmarks = request.place
    given, seen = dict(request.parameters), neo4j.Bookmarks.from_raw_values(bookmarks)
    options: Any = {"default_access_mode": neo4j.READ_ACCESS, "notifications_min_severity": "WARNING"}
    async with driver.session(database=database, bookmarks=seen, **options) as session:
        plan = await (await session.run(marked("EXPLAIN " + request.cypher), given)).consume()
        cypher.check_plan(_operators(plan, dialect), dialect)
        warned = [status.status_description for status in plan.gql_status_objects if status.gql_status in _UNKNOWN]
        if slip := cypher.misspelt(re.findall("`([^`]+)`", " ".join(warned)), cypher.tokens(request.cypher)):
            raise QueryError(slip)
        result = await session.run(marked(request.cypher), given)
        records = await result.fetch(request.rows + 1)
        return tuple(result.keys()), tuple(tuple(_from_neo4j(v) for v in record.values()) for record in records)


async def _terminate(driver: neo4j.AsyncDriver, database: str | None, token: str) -> bool:
    """Ask the server to end the query as well, and return whether it answers.

    The query may go on for a while: a server looks up between rows only.
    """
    find = "SHOW TRANSACTIONS YIELD transactionId AS id, metaData AS data WHERE data.torchatlas = $token RETURN id"
    with suppress(TimeoutError, DriverError, Neo4jError):
        async with asyncio.timeout(GRACE / 2), driver.session(database=database) as session:
            found = await session.run(find, token=token)
            if ids := [record["id"] async for record in found]:
                await (await session.run("TERMINATE TRANSACTIONS $ids", ids=ids)).consume()
            return True
    return False


def _operators(summary: neo4j.ResultSummary, dialect: cypher.Dialect) -> Iterator[str]:
    """Yield the plan's operators by their plain names, and a word for a query that does more than read."""
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


def _from_neo4j(value: Any) -> Any:
    """Return a value of a row as a plain one; `plain` tells the shapes. The marker is hidden in `labels(n)` too."""
    if isinstance(value, (bolt.Node, bolt.Relationship)):
        label = value.type if isinstance(value, bolt.Relationship) else ":".join(sorted(value.labels - {_MARKER}))
        return {"_label": label} | {k: _from_neo4j(v) for k, v in sorted(value.items())}
    if isinstance(value, bolt.Path):
        return {
            "_nodes": [_from_neo4j(node) for node in value.nodes],
            "_relationships": [
                _from_neo4j(r) | {"_source": r.nodes[0].get("id"), "_target": r.nodes[1].get("id")}
                for r in value.relationships
                if r.nodes[0] is not None and r.nodes[1] is not None
            ],
        }
    if (
        isinstance(value, list)
        and _MARKER in value
        and any(isinstance(v, str) and v in (META, *_STAGED) for v in value)
    ):
        return [label for label in value if label != _MARKER]
    return str(value) if isinstance(value, Duration) else plain(value, _from_neo4j)  # a Duration is a tuple


def _explained(error: DriverError | Neo4jError, address: str, database: str | None, doing: str) -> str:
    """Return one line for an error of the driver at `address` (without password) while `doing` something."""
    where, causes = f"Neo4j at {address}", list(_causes(error))
    said = " ".join(map(str, causes))
    if re.search(r"no space left|disk.{0,20}full|not enough space|disk quota", said, re.IGNORECASE):
        return f"the disk of {where} is full; make room there; the old graph is still whole"
    if "needs to be restarted" in str(error):
        return f"{where} has stopped after an error of its own, such as a full disk; restart it and look at its log"
    if isinstance(error, Neo4jError) and (line := _BY_CODE.get(error.code or "")):
        return line.format(where=where, database=database or "neo4j")
    if isinstance(error, raised.ConfigurationError):
        return f"{address} cannot be used: {_explain(str(error))}"
    if isinstance(error, raised.UnsupportedServerProduct):
        return f"what answers at {address} is not a Neo4j server of a version that is understood; {_SUPPORTED}"
    if isinstance(error, raised.IncompleteCommit):
        return f"the connection to {where} broke while {doing}; try again" + ", nothing is doubled" * (
            doing == "writing"
        )
    if not isinstance(error, (raised.ServiceUnavailable, raised.SessionExpired, *_LATE)):
        return f"{where} failed while {doing}: {_explain(getattr(error, 'message', None) or str(error))}"
    for signs, line in (*_UNREACHABLE, *(_UNCONNECTED if doing == "connecting" else ())):
        if signs in said if isinstance(signs, str) else any(isinstance(cause, signs) for cause in causes):
            return line.format(address=address)
    if any(isinstance(cause, _LATE) for cause in causes):
        return _silent(address, doing)
    return f"the connection to {where} broke while {doing}; {_again(doing)}"


def _silent(address: str, doing: str) -> str:
    return f"Neo4j at {address} has fallen silent while {doing}; see whether it runs, then {_again(doing)}"


def _again(doing: str) -> str:
    return "try again" + (": nothing is half written" if doing == "writing" else "")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error, its cause, the cause of that, and so on; the members of a group too."""
    yield error
    for inner in (*getattr(error, "exceptions", ()), *filter(None, [error.__cause__])):
        yield from _causes(inner)


def _too_old(agent: str) -> str | None:
    """Return the line about a server that calls itself `agent`, None where its version will do."""
    found = re.match(r"Neo4j/v?(\d+)\.\d", agent)
    return f"{agent}, which is too old; {_SUPPORTED}" if found and int(found[1]) < 5 else None


def _explain(message: str, text: str = "") -> str:
    """Return one line for an error of Neo4j: its first sentence, and a remedy if one is known, without the query."""
    line = " ".join(message.split("\n", 1)[0].split())
    if found := re.search(r" \(line (\d+), column (\d+) \(offset: \d+\)\)$", line):
        column = int(found[2]) - (len("EXPLAIN ") if found[1] == "1" and '"EXPLAIN ' in message else 0)
        line = f"{line[: found.start()]} at line {found[1]}, column {column}"
    return cypher.with_remedy(line, text, _REMEDIES)
