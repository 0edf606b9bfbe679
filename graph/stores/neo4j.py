"""A graph on a Neo4j server, through the official driver. Other people's data there is neither changed nor deleted.

Our nodes bear the label Torchatlas beside their own. The meta node also says which labels and types this schema has,
how often the graph was written (`changes`) and which load writes now (`loading`). A small change is one transaction. A
larger graph is staged beside the present one, a batch a transaction, under labels that no question asks for; then one
transaction switches the labels. The next load removes what one that was stopped has left.
"""

import logging
import os
import re
import secrets
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from itertools import repeat
from operator import itemgetter
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import neo4j
from neo4j import graph as bolt
from neo4j.exceptions import ClientError, DriverError, Neo4jError
from neo4j.time import Duration

from torchatlas.graph import cypher, model
from torchatlas.graph.errors import QueryError, StoreError
from torchatlas.graph.model import META, NODES, RELATIONSHIPS, TABLES, NodeTable, Progress, RelationshipTable, Snapshot
from torchatlas.graph.stores import neo4j_server
from torchatlas.graph.stores.base import plain
from torchatlas.graph.stores.worker import GRACE, Answer, CypherStore, Request, limited_memory, reading

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
_Auth = tuple[str, str] | None
_MARKER, _OLD, _KEPT = "Torchatlas", "TorchatlasOld", "TorchatlasKept"  # labels
_META = f"(m:{META}:{_MARKER} {{id: 'atlas'}})"
_TAKE_OVER = f"MERGE (m:{META} {{id: 'atlas'}}) SET m:{_MARKER}, m.loading = $token"  # others end
_TURN = f"MATCH {_META} SET m.id = 'atlas'"  # to set a property locks the node; what is read of it comes after that
_TYPES = [edge.kind for edge in RELATIONSHIPS]
_PRESENT = {node.label: f"{node.label}:{_MARKER}" for node in NODES}
_STAGED = {node.label: f"TorchatlasStaged{node.label}" for node in NODES}
_UNIQUE = "CREATE CONSTRAINT torchatlas_{} IF NOT EXISTS FOR (n:{}) REQUIRE n.id IS UNIQUE"
_INDEX = "CREATE INDEX torchatlas_{}_{} IF NOT EXISTS FOR (n:{}) ON (n.{})"
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
    AllNodesScan AntiConditionalApply AntiSemiApply Apply Argument ArgumentTracker AssertSameNode AssertSameRelationship
    BFSPruningVarExpand BidirectionalRepeat BidirectionalVarLengthExpand CacheProperties CartesianProduct
    ConditionalApply DirectedAllRelationshipsScan DirectedRelationshipByElementIdSeek DirectedRelationshipByIdSeek
    DirectedRelationshipIndexContainsScan DirectedRelationshipIndexEndsWithScan DirectedRelationshipIndexScan
    DirectedRelationshipIndexSeek DirectedRelationshipIndexSeekByRange DirectedRelationshipTypeScan
    DirectedUnionRelationshipTypesScan Distinct DynamicLabelNodeLookup Eager EagerAggregation EmptyResult EmptyRow
    ExhaustiveLimit Expand Filter IntersectionNodeByLabelsScan LeftOuterHashJoin LetAntiSemiApply
    LetSelectOrAntiSemiApply LetSelectOrSemiApply LetSemiApply Limit MultiNodeIndexSeek NodeByElementIdSeek NodeByIdSeek
    NodeByLabelScan NodeCountFromCountStore NodeHashJoin NodeIndexContainsScan NodeIndexEndsWithScan NodeIndexScan
    NodeIndexSeek NodeIndexSeekByRange NodeLeftOuterHashJoin NodeRightOuterHashJoin NodeUniqueIndexSeek
    NodeUniqueIndexSeekByRange NonFuseable NullifyMetadata Optional OptionalExpand OrderedAggregation OrderedDistinct
    OrderedUnion PartialSort PartialTop PathPropagatingBFS PreserveOrder ProcedureCall ProduceResults ProjectEndpoints
    Projection RelationshipCountFromCountStore RemoteBatchProperties RemoteBatchPropertiesWithFilter Repeat
    RightOuterHashJoin RollUpApply SelectOrAntiSemiApply SelectOrSemiApply SemiApply ShortestPath ShowConstraints
    ShowFunctions ShowIndexes ShowProcedures Skip Sort StatefulShortestPath SubtractionNodeByLabelsScan Top TriadicBuild
    TriadicFilter TriadicSelection UndirectedAllRelationshipsScan UndirectedRelationshipByElementIdSeek
    UndirectedRelationshipByIdSeek UndirectedRelationshipIndexContainsScan UndirectedRelationshipIndexEndsWithScan
    UndirectedRelationshipIndexScan UndirectedRelationshipIndexSeek UndirectedRelationshipIndexSeekByRange
    UndirectedRelationshipTypeScan UndirectedUnionRelationshipTypesScan Union UnionNodeByLabelsScan Unwind ValueHashJoin
    VarLengthExpand
"""
_PROCEDURES = """
    db.labels db.relationshiptypes db.propertykeys
    db.schema.visualization db.schema.nodetypeproperties db.schema.reltypeproperties
"""
# A pattern over the text without its strings, what of the embedded dialect it finds, and the form that works here.
_OTHERS = (
    (r"\blabel\s*\(", "label()", "labels(n) for a node, type(r) for a relationship"),
    (r"\*\s*ALL SHORTEST\b", "* ALL SHORTEST", "p = allShortestPaths((a)-[:REQUIRES*1..9]->(b))"),
    (r"\*\s*W?SHORTEST\b", "* SHORTEST", "p = shortestPath((a)-[:REQUIRES*1..9]->(b))"),
    (r"\bproperties\s*\([^()]*\(", "properties(nodes(p), 'name')", "[n IN nodes(p) | n.name]"),
    (r"\blist_transform\s*\(", "list_transform()", "[x IN list | toUpper(x)]"),
    (r"\b(?:list|array)_contains\s*\(", "list_contains()", "x IN list"),
    (r"\b(?:cast|to_?\w*int\d*|to_double|string)\s*\(", "cast() and the like", "toInteger(x), toFloat(x), toString(x)"),
    (r"\bexists\s*\(", "exists()", "n.name IS NOT NULL, or EXISTS { (n)-->() }"),
)
NEO4J = cypher.Dialect(
    "Neo4j",
    cypher.BEGINS | {"SHOW"},
    procedures=frozenset(_PROCEDURES.split()),
    operators=frozenset(_READS.split()),
    escapes=True,
    lines=(
        (
            r"^Invalid input ('.*?'): expected (?:(?! at line ).){40,}( at line \d+, column \d+)?$",
            r"the query cannot be read at \1\2",
        ),
        (r"^Variable `(.+)` not defined.*", r"there is no variable \1"),
        (r"^Unknown function '(.+?)'.*", r"there is no function \1()"),
    ),
    forms=(
        *((pattern, f"Neo4j has no {other}: write {form}") for pattern, other, form in _OTHERS),
        (r"\bapoc\s*\.", "there is no apoc here: only the engine's own functions"),
    ),
)

_SUPPORTED = "Neo4j 5 or later is needed (tested with 5.26 and 2026.09)"
_EMBEDDED = "use the embedded store, ladybug:PATH"
_NOBODY = f"no Neo4j server answers at {{address}}; start it, or {_EMBEDDED}"
_BROKE = "the connection to {where} broke while {doing}; try again"
# What is searched in "DOING CODE ERROR: words, CAUSE: words", where the code is Neo4j's own, and the line about it.
_ERRORS = {
    r"no space left|disk.{0,20}full|not enough space|disk quota": "the disk of {where} is full; make room there",
    r"\.TransactionLogError |needs to be restarted": "{where} writes no more, most likely because its disk is full; "
    "make room there, restart it and look at its log; the old graph is still whole",
    r"\.Unauthorized ": "{where} refuses this user or password; set NEO4J_USERNAME and NEO4J_PASSWORD, "
    "or write them into the address: bolt://user:password@host",
    r"\.AuthenticationRateLimit ": "{where} has seen too many wrong passwords; wait some seconds, then try again",
    r"\.CredentialsExpired ": "{where} wants its first password changed; sign in once with cypher-shell, "
    "then set NEO4J_PASSWORD to the new one",
    r"\.Security\.Forbidden ": "this user of {where} may not do that; "
    "give it the roles that read and write (reader, publisher, architect), or name another in NEO4J_USERNAME",
    r"\.TokenExpired ": "the sign-in at {where} has expired; try again",
    r"\.DatabaseNotFound ": "{where} has no database {database!r}; see SHOW DATABASES there, and set NEO4J_DATABASE",
    r"\.LockClientStopped ": "another program has kept {where} from being written for too long; "
    "end that program, then try again: nothing is half written",
    r"\.(NotALeader|ForbiddenOnReadOnlyDatabase|WriteOnReadOnlyAccessDatabase) ": "the part of {where} that answers "
    "takes no writes (a read-only replica, or not the leader); give the cluster's own address, neo4j://HOST",
    r"\.DatabaseUnavailable ": "the database of {where} is not available; see SHOW DATABASES, then START DATABASE",
    r"\.(MemoryPool)?OutOfMemoryError ": "{where} has too little memory for this; "
    f"raise its dbms.memory.transaction.total.max and its heap, or {_EMBEDDED}",
    r"^\w+ \S+ \w*ConfigurationError:": "{address} cannot be used: {said}",
    "UnsupportedServerProduct:": f"what answers at {{address}} is no Neo4j server that is understood; {_SUPPORTED}",
    r"^writing \S+ IncompleteCommit:": f"{_BROKE}, nothing is doubled",
    # All other errors but those of a connection.
    r"^\w+ \S+ (?!ServiceUnavailable|SessionExpired|IncompleteCommit|(ConnectionAcquisition)?TimeoutError)": (
        "{where} failed while {doing}: {said}"
    ),
    "gaierror:": "no computer has the name in {address}; check the name, and the network",
    "SSLCertVerificationError:": "the certificate of Neo4j at {address} cannot be trusted; "
    "write +ssc instead of +s if the server signs its certificate itself",
    r"\bSSL\w*Error:": "Neo4j at {address} does not encrypt its connections; write the address without +s or +ssc",
    "looks like HTTP": "the port in {address} is for web pages; that for Bolt is 7687 by default: bolt://HOST:7687",
    "ConnectionRefusedError:": _NOBODY,
    "^connecting .*(ConnectionResetError:|incomplete handshake)": "what listens at {address} hangs up; "
    "if the server encrypts its connections, write bolt+s:// or neo4j+s:// (own certificates: +ssc)",
    "^connecting .*TimeoutError:": "nothing answers in time at {address}; is the server still starting?",
    "^connecting ": _NOBODY,
    "TimeoutError:": "{where} has fallen silent while {doing}; see whether it runs, then try again{half}",
    "": f"{_BROKE}{{half}}",
}


def _located(address: str, environment: Mapping[str, str]) -> tuple[str, _Auth, str | None]:
    """Return the address without its secrets, (user, password) if any, and the database if one is named.

    They are parts of `bolt://user:password@host:7687/database`, or NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE.
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

    A load takes as long as it takes, so no clock decides: every PATIENCE seconds another connection asks the server
    whether it is there.
    """

    dialect = NEO4J
    indexes: tuple[str, ...] = (
        *(_UNIQUE.format(label.lower(), label) for label in (*_STAGED, META)),
        _INDEX.format("concept", "name", "Concept", "name"),
        _INDEX.format("episode", "number", "Episode", "number"),
    )

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
        self._lock = threading.Lock()
        self._token = secrets.token_hex(8)  # by which the server tells this store's queries
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
            session.execute_write(_run, f"CREATE (m:{META}:{_MARKER} {{id: 'check'}}) DELETE m")  # may this user write?

    def replace(self, snapshot: Snapshot, fingerprint: str, progress: Progress | None = None) -> None:
        tables = {name: [[*row.values()] for row in rows] for name, rows in model.rows_of(snapshot).items()}
        tell, token = progress or (lambda *_: None), secrets.token_hex(8)
        with self._session("writing") as session:
            _refuse_foreign(session)
            session.execute_write(_run, *self.indexes)
            session.execute_write(_run, _TAKE_OVER, token=token)
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
                    columns = {name: zip(*rows, strict=True) if rows else repeat(()) for name, rows in tables.items()}
                    return model.from_columns({n: dict(zip(_names(n), c, strict=False)) for n, c in columns.items()})
        raise StoreError(f"the graph at {self.address} is written again and again while it is read; try later")

    def _place(self) -> tuple[str, _Auth, str | None, frozenset[str], str]:
        seen = self._bookmarks.get_bookmarks() if self._bookmarks else ()  # what a replica must have before it answers
        return self.address, self._auth, self._database, frozenset(seen), self._token

    def _end_there(self) -> str:
        find = "SHOW TRANSACTIONS YIELD transactionId AS id, metaData AS data WHERE data.torchatlas = $token RETURN id"

        def end(used: neo4j.Driver) -> None:
            with used.session(database=self._database) as session:
                if ids := session.run(find, token=self._token).value():
                    session.run("TERMINATE TRANSACTIONS $ids", ids=ids).consume()

        is_there = answers(self.address, self._auth, GRACE, end)
        return "" if is_there else f"; or see whether Neo4j at {self.address} runs: it says nothing"

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
            if isinstance(e, OSError) and not isinstance(e, TimeoutError) and not silent.is_set():
                raise
            error = TimeoutError() if silent.is_set() else e
            raise StoreError(_explained(error, self.address, self._database, doing)) from e
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


def _driver(address: str, auth: _Auth, **more: float) -> neo4j.Driver:
    settings: dict[str, Any] = SETTINGS | (_ROUTED if address.startswith("neo4j") else {}) | more
    return neo4j.GraphDatabase.driver(address, auth=auth, **settings)


def answers(address: str, auth: _Auth, seconds: float, ask: Callable[[neo4j.Driver], None] | None = None) -> bool:
    """Return whether a server answers in time, `answers("bolt://h", None, 5)`; a driver may wait for ever."""
    limit = min(seconds, 4.0)  # to connect
    options = {"connection_timeout": limit, "connection_acquisition_timeout": limit}
    with suppress(DriverError, Neo4jError, OSError), _driver(address, auth, **options) as used:
        timer = threading.Timer(seconds, used.close)
        timer.daemon = True
        timer.start()
        try:
            (ask or neo4j.Driver.verify_connectivity)(used)
        finally:
            timer.cancel()
        return True
    return False


_within_limit = neo4j.unit_of_work(timeout=_LONGEST)
"""Marks the work of one transaction, which the driver tries again where a cluster changes its leader."""


@_within_limit
def _run(tx: neo4j.ManagedTransaction, /, *texts: Any, **values: object) -> list[neo4j.Record]:
    """Run statements and return the rows of the last one."""
    # The type of the texts is Any because the driver accepts literal text only
    # (https://github.com/neo4j/neo4j-python-driver/issues/876), and labels cannot be parameters.
    return [list(tx.run(text, values)) for text in texts][-1]


def _refuse_foreign(session: neo4j.Session) -> None:
    """Raise StoreError where nodes of other people have labels of this schema: both kinds would be mixed up."""
    theirs = f"MATCH (n:{'|'.join(_STAGED)}) WHERE NOT n:{_MARKER}"
    text = f"{theirs} RETURN [label IN labels(n) WHERE label IN $ours][0] AS label, count(*) ORDER BY label LIMIT 1"
    for label, count in session.execute_read(_run, text, ours=[*_STAGED]):
        remedy = "use another database (NEO4J_DATABASE) or another server"
        raise StoreError(f"this Neo4j database holds {count} {label} nodes that torchatlas did not make; {remedy}")


@_within_limit
def _read_meta(tx: neo4j.ManagedTransaction) -> dict[str, Any] | None:
    """Return the properties of the meta node, None where there is no whole graph."""
    found = _run(tx, f"MATCH {_META} WHERE m.fingerprint IS NOT NULL RETURN properties(m)")
    return dict(found[0][0]) if found else None


@_within_limit
def _read_tables(tx: neo4j.ManagedTransaction) -> tuple[str, dict[str, _Rows] | None]:
    """Return the version of the schema and all rows, None where others wrote meanwhile, which a transaction sees."""
    before = _read_meta(tx) or {"schema": model.VERSION}
    rows = {name: _stored(tx, name) for name in TABLES}
    same = before.get("changes") == (_read_meta(tx) or {}).get("changes")
    return before["schema"], rows if same else None


def _stored(tx: neo4j.ManagedTransaction, name: str) -> _Rows:
    return [record.values() for record in _run(tx, reading(name, f":{_MARKER}"))]


def _names(name: str) -> list[str]:
    """Return the names of the values of a row; the id of a node or the ends come first."""
    ends = () if name in _STAGED else ("source", "target")
    return [*ends, *(column.name for column in TABLES[name].columns)]


def _ends(edge: RelationshipTable, labels: Mapping[str, str]) -> str:
    return f"MATCH (a:{labels[edge.source]} {{id: row[0]}}) MATCH (b:{labels[edge.target]} {{id: row[1]}})"


def _writing(name: str, labels: Mapping[str, str]) -> str:
    """Return what writes a `row` of a table, whose nodes bear these labels."""
    table, names = TABLES[name], _names(name)
    values = ", ".join(f"`{column.name}`: row[{names.index(column.name)}]" for column in table.columns)
    if isinstance(table, NodeTable):
        return f"MERGE (n:{labels[name]} {{id: row[0]}}) SET n = {{{values}}}"
    return f"{_ends(table, labels)} CREATE (a)-[:{name} {{{values}}}]->(b)"


@_within_limit
def _write_changes(tx: neo4j.ManagedTransaction, tables: dict[str, _Rows], mark: str, tell: Progress) -> bool:
    """Make the stored rows these and write only what differs; return False, and do nothing, where that is too much."""
    _run(tx, _TURN)
    gone, new = {}, {}
    for name in TABLES:
        gone[name], new[name] = _difference(name in _STAGED, _stored(tx, name), tables[name])
    total, done = sum(len(gone[name]) + len(new[name]) for name in TABLES), 0
    if total > AT_ONCE:
        return False
    _drop_former_tables(tx)
    texts = [
        *((gone, r.kind, f"{_ends(r, _PRESENT)} MATCH (a)-[r:{r.kind}]->(b) DELETE r") for r in RELATIONSHIPS),
        *((gone, label, f"MATCH (n:{ours} {{id: row[0]}}) DETACH DELETE n") for label, ours in _PRESENT.items()),
        *((new, name, _writing(name, _PRESENT)) for name in TABLES),
    ]
    for rows, name, text in texts:
        for batch in _batches(rows[name]):
            _write_batch(tx, batch, name, text)
            done += len(batch)
            tell("Writing the graph", done, total)
    _finish(tx, mark)
    return True


def _difference(is_node: bool, stored: _Rows, wanted: _Rows) -> tuple[_Rows, _Rows]:
    """Return the ids or ends of the rows to delete, and the rows to write.

    A node that differs is written over, to keep what others tied to it. A relationship is deleted and made again.
    """
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
    """Remove in batches what the loads before this one have left, unless another one has taken over and does so."""
    labels = "|".join((*_STAGED.values(), _OLD))
    for pattern in (f"(:{labels})-[x]->()", f"(x:{labels})"):
        text = f"{_TURN} WITH m WHERE m.loading = $token MATCH {pattern} WITH x LIMIT {BATCH}"
        while session.execute_write(_run, f"{text} DETACH DELETE x RETURN count(*)", token=token)[0][0] == BATCH:
            pass
    drops = [f"DROP CONSTRAINT torchatlas_staged_{label.lower()} IF EXISTS" for label in _STAGED]
    session.execute_write(_run, *drops)


def _write_staged(session: neo4j.Session, tables: dict[str, _Rows], mark: str, token: str, tell: Progress) -> None:
    """Make the stored rows these. Each batch is a transaction of its own, which the driver tries again where it may."""
    constraints = [_UNIQUE.format(f"staged_{label.lower()}", staged) for label, staged in _STAGED.items()]
    session.execute_write(_run, *constraints)
    done, total = 0, sum(len(rows) for rows in tables.values())
    for name in TABLES:
        for batch in _batches(tables[name]):
            session.execute_write(_in_turn, token, _write_batch, batch, name, _writing(name, _STAGED))
            done += len(batch)
            tell("Writing the graph", done, total)
    session.execute_write(_in_turn, token, _switch, mark)
    _sweep(session, token)


@_within_limit
def _in_turn(tx: neo4j.ManagedTransaction, token: str, work: Callable[..., None], *given: object) -> None:
    if _run(tx, f"{_TURN} RETURN m.loading")[0][0] != token:
        raise StoreError("another torchatlas has begun to write this graph; this one has ended, nothing is changed")
    work(tx, *given)


def _switch(tx: neo4j.ManagedTransaction, mark: str) -> None:
    """Put the staged graph in the place of the present one."""
    _drop_former_tables(tx)
    _keep_tied(tx)
    for label, ours in _PRESENT.items():
        _run(tx, f"MATCH (n:{ours}) WHERE NOT n:{_KEPT} REMOVE n:{ours} SET n:{_OLD}")
        _run(tx, f"MATCH (n:{_STAGED[label]}) REMOVE n:{_STAGED[label]} SET n:{ours}")
    _run(tx, f"MATCH (n:{_KEPT}) REMOVE n:{_KEPT}")
    _finish(tx, mark)


def _keep_tied(tx: neo4j.ManagedTransaction) -> None:
    """Keep the nodes to which people have tied something of theirs: they get what was staged for their ids."""
    theirs = f"EXISTS {{ MATCH (n)-[r]-(x) WHERE NOT x:{_MARKER} OR NOT type(r) IN $types }}"
    kept = 0
    for label, staged in _STAGED.items():
        tied = f"MATCH (n:{_PRESENT[label]}) WHERE size(labels(n)) > 2 OR {theirs} MATCH (:{staged} {{id: n.id}})"
        kept += _run(tx, f"{tied} SET n:{_KEPT} RETURN count(*)", types=_TYPES)[0][0]
    if not kept:
        return
    _run(tx, f"MATCH (:{_KEPT})-[r]-(:{_MARKER}) WHERE type(r) IN $types WITH DISTINCT r DELETE r", types=_TYPES)
    pair = {label: f"MATCH (n:{label}:{_KEPT}) MATCH (s:{staged} {{id: n.id}})" for label, staged in _STAGED.items()}
    for edge in RELATIONSHIPS:
        for label, left, right in ((edge.source, "-", "->"), (edge.target, "<-", "-")):
            moved = f"CREATE (n){left}[m:{edge.kind}]{right}(x) SET m = properties(r) DELETE r"
            _run(tx, f"{pair[label]} MATCH (s){left}[r:{edge.kind}]{right}(x) {moved}")
    _run(tx, *(f"{text} SET n = properties(s) DELETE s" for text in pair.values()))


@contextmanager
def answering(dialect: cypher.Dialect = NEO4J) -> Iterator[Callable[[Request], Answer]]:
    """Give a function that answers requests to one server: `with answering() as answer: answer(request)`."""
    with ExitStack() as stack:

        @cache
        def driver(address: str, auth: _Auth) -> neo4j.Driver:
            return stack.enter_context(_driver(address, auth))

        yield lambda request: _answer(driver(*request.place[:2]), request, dialect)


def _answer(driver: neo4j.Driver, request: Request, dialect: cypher.Dialect) -> Answer:
    """Return the answer. Raises QueryError for a query that is refused, wrong or slow, and StoreError."""
    address, _, database, bookmarks, token = request.place
    seen = neo4j.Bookmarks.from_raw_values(bookmarks)
    options: Any = {"default_access_mode": neo4j.READ_ACCESS, "notifications_min_severity": "WARNING"}

    def run(text: Any) -> neo4j.Result:
        query = neo4j.Query(text, timeout=request.seconds, metadata={"torchatlas": token})
        return session.run(query, dict(request.parameters))

    try:
        with limited_memory(), driver.session(database=database, bookmarks=seen, **options) as session:
            plan = run("EXPLAIN " + request.cypher).consume()
            cypher.check_plan(_operators(plan, dialect), dialect)
            warned = [status.status_description for status in plan.gql_status_objects if status.gql_status in _UNKNOWN]
            if slip := cypher.misspelt(re.findall("`([^`]+)`", " ".join(warned)), cypher.tokens(request.cypher)):
                raise QueryError(slip)
            result = run(request.cypher)
            records = result.fetch(request.rows + 1)
            return tuple(result.keys()), tuple(tuple(map(_from_neo4j, record.values())) for record in records)
    except (DriverError, Neo4jError) as e:
        code = e.code or "" if isinstance(e, ClientError) else ""
        if "TransactionTimedOut" in code:
            raise cypher.too_long(request.seconds) from e
        if code.startswith(("Neo.ClientError.Statement.", "Neo.ClientError.Procedure.")):
            raise QueryError(cypher.with_remedy(str(e.message or ""), request.cypher, dialect)) from e
        raise StoreError(_explained(e, address, database, "asking")) from e


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
    if isinstance(value, list) and _MARKER in value and any(label in value for label in (META, *_STAGED)):
        return [label for label in value if label != _MARKER]
    return str(value) if isinstance(value, Duration) else plain(value, _from_neo4j)  # a Duration is a tuple


def _explained(error: Exception, address: str, database: str | None, doing: str) -> str:
    """Return one line for an error of the driver at `address` (without password) while `doing` something."""
    causes = ", ".join(f"{type(cause).__name__}: {cause}" for cause in _causes(error))
    searched = f"{doing} {getattr(error, 'code', None) or '-'} {causes}"
    line = next(line for sign, line in _ERRORS.items() if re.search(sign, searched, re.IGNORECASE | re.DOTALL))
    return line.format(
        where=f"Neo4j at {address}",
        address=address,
        database=database or "neo4j",
        doing=doing,
        half=": nothing is half written" if doing == "writing" else "",
        said=cypher.with_remedy(getattr(error, "message", None) or str(error), "", NEO4J),
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error, its cause, the cause of that, and so on; the members of a group too."""
    yield error
    for inner in (*getattr(error, "exceptions", ()), *filter(None, [error.__cause__])):
        yield from _causes(inner)


def _too_old(agent: str) -> str | None:
    """Return the line about a server that calls itself `agent`, None where its version will do."""
    found = re.match(r"Neo4j/v?(\d+)\.\d", agent)
    return f"{agent}, which is too old; {_SUPPORTED}" if found and int(found[1]) < 5 else None
