"""A graph on a Neo4j server, through the official driver. Other people's data there is neither changed nor deleted."""

import asyncio
import logging
import os
import re
import secrets
import socket
import ssl
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

import neo4j
from neo4j.exceptions import (
    ClientError,
    ConfigurationError,
    ConnectionAcquisitionTimeoutError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    UnsupportedServerProduct,
)
from neo4j.graph import Node, Path, Relationship
from neo4j.time import Duration

from torchatlas.graph.cypher import (
    BEGINS,
    COMMON_FUNCTIONS,
    Dialect,
    Remedies,
    check_plan,
    check_statement,
    chosen,
    misspelt,
    tokens,
    too_long,
    with_remedy,
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
    RelationshipTable,
    Row,
    Snapshot,
    TableSchema,
    from_rows,
    rows_of,
)
from torchatlas.graph.stores import neo4j_server
from torchatlas.graph.stores.base import ROWS, SECONDS, Store, plain
from torchatlas.graph.stores.worker import GRACE, Answer, Asker, Request, limited_memory, serve


def located(address: str, environment: Mapping[str, str]) -> tuple[str, tuple[str, str] | None, str | None]:
    """Return the address without its secrets, (user, password) if any, and the database if one is named.

    They are parts of the address (`bolt://user:password@host:7687/database`) or stand in NEO4J_USERNAME,
    NEO4J_PASSWORD and NEO4J_DATABASE. Raises StoreError for an address without a readable host or with an odd port.

    >>> located("neo4j+s://ann:secret@example.org/atlas", {})
    ('neo4j+s://example.org', ('ann', 'secret'), 'atlas')
    """
    try:
        parts = urlsplit(address)
        (parts.hostname or "").encode("idna")
    except ValueError as e:
        raise StoreError("the host in the address cannot be read; write bolt://HOST:7687") from e
    try:
        port = f":{parts.port}" if parts.port else ""
    except ValueError as e:
        raise StoreError(f"the port in the address of {parts.hostname} is not a port number") from e
    if not parts.hostname:
        raise StoreError("the address names no host; write bolt://HOST:7687")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    user = unquote(parts.username or "") or environment.get("NEO4J_USERNAME", "neo4j")
    password = unquote(parts.password or "") or environment.get("NEO4J_PASSWORD", "")
    database = parts.path.strip("/") or environment.get("NEO4J_DATABASE") or None
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{host}{port}{query}", (user, password) if password else None, database


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

NEO4J = Dialect(
    "Neo4j",
    BEGINS | {"SHOW"},
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
_REMEDIES = Remedies(
    _LINES,
    [
        *((pattern, f"Neo4j has no {other}: write {form}") for pattern, other, form in _OTHERS),
        (r"\bapoc\s*\.", "there is no apoc here: only the engine's own functions"),
    ],
    (*COMMON_FUNCTIONS, "elementId"),
)


def explain(message: str, text: str = "") -> str:
    """Return one line for an error of Neo4j: its first sentence, and a remedy if one is known, without the query.

    >>> explain("Unknown function 'list_len' (line 1, column 16 (offset: 15))", "RETURN list_len([1])")
    'Neo4j has no list_len(): write size(list)'
    """
    line = " ".join(message.split("\n", 1)[0].split())
    if found := re.search(r" \(line (\d+), column (\d+) \(offset: \d+\)\)$", line):
        column = int(found[2]) - (len("EXPLAIN ") if found[1] == "1" and '"EXPLAIN ' in message else 0)
        line = f"{line[: found.start()]} at line {found[1]}, column {column}"
    return with_remedy(line, text, _REMEDIES)


MARKER = "Torchatlas"  # the second label of our nodes: a server may hold other people's nodes too
_LABELS = {META, *(node.label for node in NODES)}


def from_neo4j(value: Any) -> Any:
    """Return a value of a row as a plain one; `plain_values` tells the shapes. The marker is hidden in `labels(n)` too.

    >>> from_neo4j(["Concept", "Torchatlas"])
    ['Concept']
    """
    if isinstance(value, (Node, Relationship)):
        label = value.type if isinstance(value, Relationship) else ":".join(sorted(value.labels - {MARKER}))
        return {"_label": label} | {k: from_neo4j(v) for k, v in sorted(value.items())}
    if isinstance(value, Path):
        return {
            "_nodes": [from_neo4j(node) for node in value.nodes],
            "_relationships": [
                from_neo4j(r) | {"_source": r.nodes[0].get("id"), "_target": r.nodes[1].get("id")}
                for r in value.relationships
                if r.nodes[0] is not None and r.nodes[1] is not None
            ],
        }
    if isinstance(value, list) and MARKER in value and any(isinstance(v, str) and v in _LABELS for v in value):
        return [label for label in value if label != MARKER]
    return str(value) if isinstance(value, Duration) else plain(value, from_neo4j)  # a Duration is a tuple


_UNKNOWN = {"01N50", "01N51", "01N52"}  # GQL status: no such label, relationship type, property


def operators(summary: neo4j.ResultSummary) -> Iterator[str]:
    """Yield the plan's operators by their plain names, and a word for a query that does more than read.

    Example: `check_plan(operators(session.run("EXPLAIN RETURN 1").consume()), NEO4J)`
    """
    if summary.query_type != "r" or not summary.plan:
        yield "a schema or administration command" if summary.query_type == "s" else "a write"
    waiting = [summary.plan] if summary.plan else []
    while waiting:
        plan = waiting.pop()
        operator = plan["operatorType"].partition("@")[0].partition("(")[0]
        called = str(plan.get("args", {}).get("Details", "")).partition("(")[0]
        offered = operator != "ProcedureCall" or called.lower() in NEO4J.procedures
        yield operator if offered else f"CALL {called}"
        waiting.extend(plan.get("children", ()))


def unknown_names(summary: neo4j.ResultSummary) -> Iterator[str]:
    """Yield the labels, relationship types and properties that the server's warnings call unknown.

    Example: `list(unknown_names(session.run("EXPLAIN MATCH (c:Concpt) RETURN c").consume()))`
    """
    for status in summary.gql_status_objects:
        if status.gql_status in _UNKNOWN:
            yield from re.findall("`([^`]+)`", status.status_description)


_OLDEST = 5
_SUPPORTED = f"Neo4j {_OLDEST} or later is needed (tested with 5.26 and 2026.09)"
_EMBEDDED = "use the embedded store, ladybug:PATH"
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
_FULL_DISK = re.compile(r"no space left|disk.{0,20}full|not enough space|disk quota", re.IGNORECASE)


def explained(error: DriverError | Neo4jError, address: str, database: str | None, doing: str) -> str:
    """Return one line for an error of the driver at `address` (without password) while `doing` something.

    >>> explained(SessionExpired("x"), "bolt://h:7687", None, "writing")
    'the connection to Neo4j at bolt://h:7687 broke while writing; try again: nothing is half written'
    """
    where = f"Neo4j at {address}"
    causes = list(_causes(error))
    if any(_FULL_DISK.search(str(cause)) for cause in causes):
        return f"the disk of {where} is full; make room there; the old graph is still whole"
    if "needs to be restarted" in str(error):
        return f"{where} has stopped after an error of its own, such as a full disk; restart it and look at its log"
    if isinstance(error, Neo4jError) and (line := _BY_CODE.get(error.code or "")):
        return line.format(where=where, database=database or "neo4j")
    if isinstance(error, ConfigurationError):
        return f"{address} cannot be used: {explain(str(error))}"
    if isinstance(error, UnsupportedServerProduct):
        return f"what answers at {address} is not a Neo4j server of a version that is understood; {_SUPPORTED}"
    if isinstance(error, IncompleteCommit):
        safe = ", nothing is doubled" if doing == "writing" else ""
        return f"the connection to {where} broke while {doing}; try again{safe}"
    if isinstance(error, (ServiceUnavailable, SessionExpired, ConnectionAcquisitionTimeoutError)):
        return _unreachable(causes, address, doing)
    return f"{where} failed while {doing}: {explain(getattr(error, 'message', None) or str(error))}"


def silent(address: str, doing: str) -> str:
    """Return the line about a server that says nothing any more while `doing` something.

    >>> silent("bolt://h:7687", "reading")
    'Neo4j at bolt://h:7687 has fallen silent while reading; see whether it runs, then try again'
    """
    return f"Neo4j at {address} has fallen silent while {doing}; see whether it runs, then {_again(doing)}"


def too_old(agent: str) -> str | None:
    """Return the line about a server that calls itself `agent`, None where its version will do.

    >>> too_old("Neo4j/5.26.30"), too_old("Neo4j/4.4.1")
    (None, 'Neo4j/4.4.1, which is too old; Neo4j 5 or later is needed (tested with 5.26 and 2026.09)')
    """
    found = re.match(r"Neo4j/v?(\d+)\.\d", agent)
    return f"{agent}, which is too old; {_SUPPORTED}" if found and int(found[1]) < _OLDEST else None


def _unreachable(causes: list[BaseException], address: str, doing: str) -> str:
    said = " ".join(str(cause) for cause in causes)
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return f"no computer has the name in {address}; check the name, and the network"
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        remedy = "write +ssc instead of +s if the server signs its certificate itself"
        return f"the certificate of Neo4j at {address} cannot be trusted; {remedy}"
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return f"Neo4j at {address} does not encrypt its connections; write the address without +s or +ssc"
    if "looks like HTTP" in said:
        return f"the port in {address} is for web pages, not for Bolt, whose port is 7687 by default: bolt://HOST:7687"
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return f"no Neo4j server answers at {address}; start it, or {_EMBEDDED}"
    late = any(isinstance(cause, (TimeoutError, ConnectionAcquisitionTimeoutError)) for cause in causes)
    if doing != "connecting" and late:
        return silent(address, doing)
    if doing != "connecting":
        return f"the connection to Neo4j at {address} broke while {doing}; {_again(doing)}"
    if any(isinstance(cause, ConnectionResetError) for cause in causes) or "incomplete handshake" in said:
        remedy = "if the server encrypts its connections, write bolt+s:// or neo4j+s:// (own certificates: +ssc)"
        return f"what listens at {address} hangs up; {remedy}"
    if late:
        return f"nothing answers in time at {address}; is the server still starting, or a firewall between?"
    return f"no Neo4j server answers at {address}; start it, or {_EMBEDDED}"


def _again(doing: str) -> str:
    return "try again" + (": nothing is half written" if doing == "writing" else "")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error, its cause, the cause of that, and so on; the members of a group too."""
    yield error
    for inner in error.exceptions if isinstance(error, BaseExceptionGroup) else ():
        yield from _causes(inner)
    if error.__cause__ is not None:
        yield from _causes(error.__cause__)


CONNECTION_TIMEOUT = 3.0  # seconds
SETTINGS = {
    "connection_timeout": CONNECTION_TIMEOUT,
    "connection_acquisition_timeout": CONNECTION_TIMEOUT + 1,
    "max_transaction_retry_time": 5.0,
    "liveness_check_timeout": 0,  # a connection that broke since the last call is replaced without a word
    "notifications_min_severity": "OFF",
}
"""For `neo4j.GraphDatabase.driver` and its asynchronous twin. They do not limit how long an answer takes."""
ELECTION = 30.0
"""Seconds for which a transaction is tried again at a cluster, which may be choosing another leader."""

# Python prints warnings to stderr where a program has not set up logging. Those of the driver would repeat, beside our
# one line, the server's notifications (https://github.com/neo4j/neo4j-python-driver/pull/1059), each failure that is
# tried again, and each broken connection. A driver's loggers cannot be set for one connection, so they are set here.
_LEVELS = {
    "notifications": logging.ERROR,
    "session": logging.ERROR,
    "pool": logging.CRITICAL,
    "io": logging.CRITICAL,
}
for _name, _level in _LEVELS.items():
    logging.getLogger(f"neo4j.{_name}").setLevel(_level)


def is_routed(address: str) -> bool:
    """Return whether the driver asks the address which server of a cluster writes and which ones read.

    >>> is_routed("neo4j+s://example.org"), is_routed("bolt://example.org")
    (True, False)
    """
    return address.startswith("neo4j")


def settings(address: str) -> dict[str, Any]:
    """Return SETTINGS as they are for this address.

    >>> settings("neo4j://example.org")["max_transaction_retry_time"] == ELECTION
    True
    """
    return SETTINGS | ({"max_transaction_retry_time": ELECTION} if is_routed(address) else {})


def driver(address: str, auth: tuple[str, str] | None) -> neo4j.Driver:
    """Return a driver, which connects when it is first used. Raises DriverError for an address that cannot be used.

    Example: `driver("bolt://localhost:7687", ("neo4j", "password"))`
    """
    return neo4j.GraphDatabase.driver(address, auth=auth, **settings(address))


@contextmanager
def answering_within(seconds: float, used: neo4j.Driver) -> Iterator[None]:
    """Close the driver where the block takes longer: what it waits for then ends with TimeoutError.

    The driver itself waits for ever for a server that has accepted a connection and is silent since.

    Example: `with answering_within(5, driver): driver.verify_connectivity()`
    """
    late = threading.Event()

    def end() -> None:
        late.set()
        used.close()

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        with closed_by(late):
            yield
    finally:
        timer.cancel()


@contextmanager
def closed_by(silent: threading.Event) -> Iterator[None]:
    """Raise TimeoutError for whatever the driver raises where another thread has set the event, then closed it.

    Example: `with closed_by(silent): driver.verify_connectivity()`
    """
    try:
        yield
    except (DriverError, Neo4jError, OSError) as e:
        if silent.is_set():
            raise TimeoutError from e
        raise


def answers(address: str, auth: tuple[str, str] | None, seconds: float) -> bool:
    """Return whether a server answers in so many seconds.

    Example: `answers("bolt://localhost:7687", ("neo4j", "password"), 5)`
    """
    with suppress(DriverError, Neo4jError, TimeoutError), driver(address, auth) as used:
        with answering_within(seconds, used):
            used.verify_connectivity()
        return True
    return False


PATIENCE = 10.0  # seconds without an end of a call, after which the server is asked; and for the answer to that


class WatchedDriver:
    """A driver of one server, opened at first use, and opened again after the server was silent.

    `say` is given a line where the server takes long, but answers. Several threads may share it.

    Example: `with WatchedDriver("bolt://localhost:7687", None, print).session() as session: session.run("RETURN 1")`
    """

    def __init__(self, address: str, auth: tuple[str, str] | None, say: Callable[[str], None]) -> None:
        self._address, self._auth, self._say = address, auth, say
        self._driver: neo4j.Driver | None = None
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close the connections; the next session opens new ones."""
        with self._lock:
            used, self._driver = self._driver, None
        if used:
            used.close()

    def agent(self) -> str:
        """Return what the server calls itself, such as "Neo4j/5.26.30". Raises as `session` does."""
        with self._watched() as used:
            return used.get_server_info().agent

    @contextmanager
    def session(self, **settings: Any) -> Iterator[neo4j.Session]:
        """Give a session. Raises TimeoutError where the server is silent, DriverError and Neo4jError.

        Example: `with driver.session(database="neo4j") as session: session.run("RETURN 1").consume()`
        """
        with self._watched() as used, used.session(**settings) as session:
            yield session

    @contextmanager
    def _watched(self) -> Iterator[neo4j.Driver]:
        with self._lock:
            used = self._driver = self._driver or driver(self._address, self._auth)
        done, silent = threading.Event(), threading.Event()
        threading.Thread(target=self._watch, args=(used, done, silent), daemon=True).start()
        try:
            with closed_by(silent):
                yield used
        finally:
            done.set()

    def _watch(self, used: neo4j.Driver, done: threading.Event, silent: threading.Event) -> None:
        """Close the driver where the server is silent: what a thread waits for then ends with an error."""
        told = False
        while not done.wait(PATIENCE):
            if answers(self._address, self._auth, PATIENCE):
                if not told and not done.is_set():
                    self._say(f"waiting for Neo4j at {self._address}, which is at work")
                told = True
            elif not done.is_set():
                silent.set()
                with self._lock:
                    self._driver = None if self._driver is used else self._driver
                used.close()
                return


R = TypeVar("R")
BATCH = 10_000  # rows of one statement
LONGEST = 600.0  # seconds of one transaction
AT_ONCE = 50_000  # rows that one transaction may change: a server holds all of them in its memory until the end
within_limit = neo4j.unit_of_work(timeout=LONGEST)
"""Marks the work of one transaction: the server ends it after LONGEST seconds, for it may wait for another's lock."""
_META = f"(m:{META}:{MARKER} {{id: 'atlas'}})"


def run(tx: neo4j.ManagedTransaction, text: Any, **values: object) -> list[neo4j.Record]:
    """Run a statement to its end and return the rows.

    The type of the text is Any because the driver accepts literal text only
    (https://github.com/neo4j/neo4j-python-driver/issues/876), and labels cannot be parameters.

    Example: `run(tx, "MATCH (c:Concept {id: $id}) RETURN c.name", id="tensor")[0][0]`
    """
    return list(tx.run(text, values))


@within_limit
def run_alone(tx: neo4j.ManagedTransaction, text: str) -> list[neo4j.Record]:
    """Run one statement as the work of a transaction, which the driver tries again where a cluster changes its leader.

    Example: `session.execute_write(run_alone, "DROP CONSTRAINT torchatlas_link IF EXISTS")`
    """
    return run(tx, text)


@within_limit
def take_over(tx: neo4j.ManagedTransaction, token: str) -> None:
    """Make `token` the load that writes; another one that has begun ends at its next batch.

    Example: `session.execute_write(take_over, secrets.token_hex(8))`
    """
    run(tx, f"MERGE (m:{META} {{id: 'atlas'}}) SET m:{MARKER}, m.loading = $token", token=token)


def lock(tx: neo4j.ManagedTransaction) -> str:
    """Keep other writers waiting until this transaction ends; return the token of the load whose turn it is.

    Example: `session.execute_write(lock)`
    """
    # To set a property takes the lock, and the reading comes after it.
    return str(run(tx, f"MATCH {_META} SET m.id = 'atlas' RETURN m.loading")[0][0])


@within_limit
def write_changes(tx: neo4j.ManagedTransaction, tables: dict[str, list[Row]], mark: str, tell: Progress) -> bool:
    """Make the stored rows these and write only what differs; return False, and do nothing, where that is too much.

    Raises StoreError where a relationship lacks one of its ends.

    Example: `session.execute_write(write_changes, rows_of(snapshot), "fingerprint", tell)`
    """
    lock(tx)
    gone, new = {}, {}
    for name, table in TABLES.items():
        gone[name], new[name] = _difference(table, _stored(tx, table), tables[name])
    total, done = sum(len(gone[name]) + len(new[name]) for name in TABLES), 0
    if total > AT_ONCE:
        return False
    drop_former_tables(tx)

    def write(rows: Sequence[Sequence[object]], name: str, text: str) -> None:
        nonlocal done
        for batch in batches(rows):
            write_batch(tx, batch, name, text)
            done += len(batch)
            tell("Writing the graph", done, total)

    for edge in RELATIONSHIPS:
        write(gone[edge.kind], edge.kind, f"{_ends(edge)} MATCH (a)-[r:{edge.kind}]->(b) DELETE r")
    for node in NODES:
        write(gone[node.label], node.label, f"MATCH (n:{node.label}:{MARKER} {{id: row[0]}}) DETACH DELETE n")
        there = f"MERGE (n:{node.label} {{id: row[0]}}) SET n = {properties(node)}, n:{MARKER}"
        write(as_lists(node, new[node.label]), node.label, there)
    for edge in RELATIONSHIPS:
        made = f"{_ends(edge)} CREATE (a)-[:{edge.kind} {properties(edge)}]->(b)"
        write(as_lists(edge, new[edge.kind]), edge.kind, made)
    finish(tx, mark)
    return True


def batches(rows: Sequence[R]) -> Iterator[Sequence[R]]:
    """Yield rows, as many at a time as one statement takes.

    >>> [len(batch) for batch in batches([["tensor"]] * 25_000)]
    [10000, 10000, 5000]
    """
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]


def as_lists(table: TableSchema, rows: Sequence[Row]) -> list[list[object]]:
    """Return rows as lists, which are faster to send than maps: the id of a node or the ends come first.

    >>> as_lists(TABLES["IN_SHOW"], [{"source": "radio/one", "target": "radio", "quote": "Of Radio."}])
    [['radio/one', 'radio', 'Of Radio.']]
    """
    names = _names(table)
    return [[row[name] for name in names] for row in rows]


def properties(table: TableSchema) -> str:
    """Return the map of the properties of `row`, a row of `as_lists`.

    >>> properties(TABLES["RELATED_TO"])
    '{`score`: row[2], `reasons`: row[3]}'
    """
    ends = _names(table)[: 0 if isinstance(table, NodeTable) else 2]
    return "{" + ", ".join(f"`{n}`: row[{i}]" for i, n in enumerate(_names(table)) if n not in ends) + "}"


def write_batch(tx: neo4j.ManagedTransaction, rows: Sequence[Sequence[object]], name: str, text: str) -> None:
    """Run `text` for every `row`. Raises StoreError where it found no place for one of them.

    Example: `write_batch(tx, [["tensor"]], "Concept", "MERGE (n:Concept {id: row[0]})")`
    """
    count = run(tx, f"UNWIND $rows AS row {text} RETURN count(*)", rows=rows)[0][0]
    if count < len(rows):  # it is more where people made a second relationship between two nodes: both are deleted
        raise StoreError(f"{len(rows) - count} {name} relationships have an end that is not in the graph")


def finish(tx: neo4j.ManagedTransaction, mark: str) -> None:
    """Store the fingerprint of the graph, which is whole now.

    Example: `finish(tx, "fingerprint")`
    """
    labels, types = [node.label for node in NODES], [edge.kind for edge in RELATIONSHIPS]
    facts = {"fingerprint": mark, "schema": VERSION, "labels": labels, "types": types}
    run(tx, f"MATCH {_META} SET m += $facts, m.changes = coalesce(m.changes, 0) + 1", facts=facts)


def drop_former_tables(tx: neo4j.ManagedTransaction) -> None:
    """Delete nodes and relationships whose labels and types only another version of the schema has.

    Example: `drop_former_tables(tx)`
    """
    meta = read_meta(tx) or {}
    values: dict[str, Any] = {name: sorted({*meta.get(name, ())} - {*TABLES}) for name in ("labels", "types")}
    if values["types"]:
        run(tx, f"MATCH (:{MARKER})-[r]->(:{MARKER}) WHERE type(r) IN $types DELETE r", **values)
    if values["labels"]:
        run(tx, f"MATCH (n:{MARKER}) WHERE any(l IN labels(n) WHERE l IN $labels) DETACH DELETE n", **values)


@within_limit
def read_meta(tx: neo4j.ManagedTransaction) -> dict[str, Any] | None:
    """Return the properties of the meta node, None where there is no whole graph.

    Example: `session.execute_read(read_meta)`
    """
    found = run(tx, f"MATCH {_META} WHERE m.fingerprint IS NOT NULL RETURN properties(m)")
    return dict(found[0][0]) if found else None


@within_limit
def read_rows(tx: neo4j.ManagedTransaction) -> tuple[str, dict[str, list[Row]] | None]:
    """Return the version of the schema and the rows of every table, None where some may be of another graph.

    A server shows a transaction what others commit while it runs.

    Example: `version, tables = session.execute_read(read_rows)`
    """
    before = read_meta(tx) or {"schema": VERSION}
    rows = {name: _stored(tx, table) for name, table in TABLES.items()}
    after = read_meta(tx) or {}
    return before["schema"], rows if before.get("changes") == after.get("changes") else None


def _difference(table: TableSchema, stored: list[Row], wanted: list[Row]) -> tuple[list[list[object]], list[Row]]:
    """Return the ids or ends of the rows to delete, and the rows to write.

    A node that differs is written over, to keep what others tied to it. A relationship is deleted and made again.
    """
    is_node = isinstance(table, NodeTable)
    ends = ("id",) if is_node else ("source", "target")
    key = itemgetter(*ends)
    there: defaultdict[Any, list[Row]] = defaultdict(list)
    for row in stored:  # people may have made a second relationship between the same nodes
        there[key(row)].append(row)
    new = [row for row in wanted if there.get(key(row)) != [_without_nulls(row)]]
    kept = {key(row) for row in wanted}.difference(() if is_node else map(key, new))
    gone = [[rows[0][name] for name in ends] for place, rows in sorted(there.items()) if place not in kept]
    return gone, new


def _without_nulls(row: Row) -> Row:
    return {name: value for name, value in row.items() if value is not None}


def _stored(tx: neo4j.ManagedTransaction, table: TableSchema) -> list[Row]:
    if isinstance(table, NodeTable):
        return [record[0] for record in run(tx, f"MATCH (n:{table.label}:{MARKER}) RETURN properties(n)")]
    pattern = f"(a:{table.source}:{MARKER})-[r:{table.kind}]->(b:{table.target}:{MARKER})"
    found = run(tx, f"MATCH {pattern} RETURN properties(r), a.id, b.id")
    return [{**r[0], "source": r[1], "target": r[2]} for r in found]


def _ends(edge: RelationshipTable) -> str:
    return f"MATCH (a:{edge.source}:{MARKER} {{id: row[0]}}) MATCH (b:{edge.target}:{MARKER} {{id: row[1]}})"


def _names(table: TableSchema) -> list[str]:
    names = [column.name for column in table.columns]
    return names if isinstance(table, NodeTable) else ["source", "target", *names]


def wanted() -> dict[str, str]:
    """Return what a graph has: name -> the statement that makes it.

    >>> wanted()["torchatlas_link"]
    'CREATE CONSTRAINT torchatlas_link IF NOT EXISTS FOR (n:Link) REQUIRE n.id IS UNIQUE'
    """
    labels = (*(node.label for node in NODES), META)
    return {f"torchatlas_{label.lower()}": unique_id(f"torchatlas_{label.lower()}", label) for label in labels} | {
        name: f"CREATE INDEX {name} IF NOT EXISTS FOR (n:{label}) ON (n.{of})"
        for name, label, of in (
            ("torchatlas_concept_name", "Concept", "name"),
            ("torchatlas_episode_number", "Episode", "number"),
        )
    }


def unique_id(name: str, label: str) -> str:
    """Return the statement that makes the ids of the nodes with a label unique.

    >>> unique_id("link", "Link")
    'CREATE CONSTRAINT link IF NOT EXISTS FOR (n:Link) REQUIRE n.id IS UNIQUE'
    """
    return f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE"


def make(session: neo4j.Session, statements: Mapping[str, str]) -> None:
    """Make what is missing. `statements`: name -> the statement that makes it.

    Example: `make(session, wanted())`
    """
    there = _index_names(session)
    for name, text in statements.items():
        if name not in there:
            session.execute_write(run_alone, text)


def drop(session: neo4j.Session, names: Iterable[str]) -> None:
    """Drop the constraints with these names, where they are there.

    Example: `drop(session, ["torchatlas_staged_link"])`
    """
    for name in sorted(_index_names(session).intersection(names)):
        session.execute_write(run_alone, f"DROP CONSTRAINT {name} IF EXISTS")


def _index_names(session: neo4j.Session) -> set[str]:
    """Return the names of all indexes; each constraint on ids has one, of its own name."""
    return {name for (name,) in session.execute_read(run_alone, "SHOW INDEXES YIELD name")}


_OLD = "TorchatlasOld"
_KEPT = "TorchatlasKept"


def sweep(session: neo4j.Session, token: str) -> None:
    """Remove, in batches, what stopped loads have staged and what a switch has left of the graph before it.

    A load that took over meanwhile sweeps by itself, and what it has staged since must stay.

    Example: `sweep(session, token)`
    """
    for label in session.execute_read(_left):
        for text in (
            f"MATCH (:{label})-[r]->() WITH r LIMIT {BATCH} DELETE r RETURN count(*)",
            f"MATCH (n:{label}) WITH n LIMIT {BATCH} DETACH DELETE n RETURN count(*)",
        ):
            while session.execute_write(_swept, token, text):
                pass
    drop(session, map(_constraint, NODES))


def write_staged(session: neo4j.Session, tables: dict[str, list[Row]], mark: str, token: str, tell: Progress) -> None:
    """Make the stored rows these. Each batch is a transaction of its own, which the driver tries again where it may.

    Raises StoreError where a relationship lacks one of its ends, or another load took over.

    Example: `write_staged(session, rows_of(snapshot), "fingerprint", token, tell)`
    """
    staged = {_constraint(node): unique_id(_constraint(node), _staged(node.label)) for node in NODES}
    make(session, staged)
    done, total = 0, sum(len(rows) for rows in tables.values())
    for name, table in TABLES.items():
        for batch in batches(tables[name]):
            rows = as_lists(table, batch)
            session.execute_write(_in_turn, token, partial(write_batch, rows=rows, name=name, text=_stage(table)))
            done += len(batch)
            tell("Writing the graph", done, total)
    session.execute_write(_in_turn, token, partial(_switch, mark=mark))
    sweep(session, token)


@within_limit
def _left(tx: neo4j.ManagedTransaction) -> list[str]:
    """Return the labels of what is to be removed that some node has."""
    labels = (*(_staged(node.label) for node in NODES), _OLD)
    counts = run(tx, "RETURN " + ", ".join(f"COUNT {{ (:{label}) }}" for label in labels))[0]
    return [label for label, count in zip(labels, counts, strict=True) if count]


@within_limit
def _in_turn(tx: neo4j.ManagedTransaction, token: str, work: Callable[[neo4j.ManagedTransaction], None]) -> None:
    if lock(tx) != token:
        raise StoreError("another torchatlas has begun to write this graph; this one has ended, nothing is changed")
    work(tx)


@within_limit
def _swept(tx: neo4j.ManagedTransaction, token: str, text: str) -> int:
    return int(run(tx, text)[0][0]) if lock(tx) == token else 0


def _stage(table: TableSchema) -> str:
    """Return the clause that stages a row."""
    if isinstance(table, NodeTable):
        return f"CREATE (:{_staged(table.label)} {properties(table)})"
    ends = f"MATCH (a:{_staged(table.source)} {{id: row[0]}}) MATCH (b:{_staged(table.target)} {{id: row[1]}})"
    return f"{ends} CREATE (a)-[:{table.kind} {properties(table)}]->(b)"


def _switch(tx: neo4j.ManagedTransaction, mark: str) -> None:
    """Put the staged graph in the place of the present one."""
    drop_former_tables(tx)
    _keep_tied(tx)
    for node in NODES:
        old, new = f"{node.label}:{MARKER}", _staged(node.label)
        run(tx, f"MATCH (n:{old}) WHERE NOT n:{_KEPT} REMOVE n:{old} SET n:{_OLD}")
        run(tx, f"MATCH (n:{new}) REMOVE n:{new} SET n:{old}")
    run(tx, f"MATCH (n:{_KEPT}) REMOVE n:{_KEPT}")
    finish(tx, mark)


def _keep_tied(tx: neo4j.ManagedTransaction) -> None:
    """Keep the nodes to which people have tied something of theirs: they get what was staged for their ids."""
    types = [edge.kind for edge in RELATIONSHIPS]
    kept = 0
    for node in NODES:
        theirs = f"(n)-[r]-(x) WHERE NOT x:{MARKER} OR NOT type(r) IN $types"
        tied = f"MATCH (n:{node.label}:{MARKER}) WHERE size(labels(n)) > 2 OR EXISTS {{ MATCH {theirs} }}"
        text = f"{tied} MATCH (:{_staged(node.label)} {{id: n.id}}) SET n:{_KEPT} RETURN count(*)"
        kept += run(tx, text, types=types)[0][0]
    if not kept:
        return
    run(tx, f"MATCH (:{_KEPT})-[r]-(:{MARKER}) WHERE type(r) IN $types WITH DISTINCT r DELETE r", types=types)
    for edge in RELATIONSHIPS:
        moved = f"[m:{edge.kind}]"
        for label, left, right in ((edge.source, "-", "->"), (edge.target, "<-", "-")):
            found = f"{_pair(label)} MATCH (s){left}[r:{edge.kind}]{right}(x)"
            run(tx, f"{found} CREATE (n){left}{moved}{right}(x) SET m = properties(r) DELETE r")
    for node in NODES:
        run(tx, f"{_pair(node.label)} SET n = properties(s) DELETE s")


def _pair(label: str) -> str:
    """Return the pattern of `n`, a node that is kept, and `s`, the node that was staged for it."""
    return f"MATCH (n:{label}:{_KEPT}) MATCH (s:{_staged(label)} {{id: n.id}})"


def _staged(label: str) -> str:
    return f"TorchatlasStaged{label}"


def _constraint(node: NodeTable) -> str:
    return f"torchatlas_staged_{node.label.lower()}"


_WRONG = ("Neo.ClientError.Statement.", "Neo.ClientError.Procedure.")  # codes of a query that cannot be run
_MARK = "torchatlas"  # the key under which the server keeps the token of a query


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The server's address without secrets, the (user, password) if any, and the database if one is named.

    `bookmarks`: what a replica must have before it answers.
    """

    address: str
    auth: tuple[str, str] | None = field(repr=False)
    database: str | None
    bookmarks: frozenset[str] = frozenset()


@contextmanager
def answering() -> Iterator[Callable[[Request], Answer]]:
    """Give a function that answers requests, all of them to the same server.

    Example: `with answering() as answer: serve(answer)`
    """
    driver: neo4j.AsyncDriver | None = None

    async def asked(request: Request) -> Answer:
        nonlocal driver
        if driver is None:
            options = settings(request.place.address)
            driver = neo4j.AsyncGraphDatabase.driver(request.place.address, auth=request.place.auth, **options)
        return await ask(driver, request)

    with asyncio.Runner() as runner:
        try:
            yield lambda request: runner.run(asked(request))
        finally:
            if driver is not None:
                runner.run(driver.close())


async def ask(driver: neo4j.AsyncDriver, request: Request) -> Answer:
    """Return the answer. Raises QueryError for a query that is refused, wrong or too slow, StoreError for the server.

    Example: `asyncio.run(ask(driver, request))`
    """
    place: Endpoint = request.place
    token = secrets.token_hex(8)
    try:
        with limited_memory():
            async with asyncio.timeout(request.seconds) as clock:
                return await _rows(driver, request, token)  # the driver closes the connection when this is cancelled
    except TimeoutError as e:
        if not clock.expired():
            raise
        ended = too_long(request.seconds)
        if not await _terminate(driver, place.database, token):
            ended = QueryError(f"{ended}; or see whether Neo4j at {place.address} runs: it says nothing")
        raise ended from e
    except ClientError as e:
        if "TransactionTimedOut" in (e.code or ""):
            raise too_long(request.seconds) from e
        if (e.code or "").startswith(_WRONG):
            raise QueryError(explain(e.message or "", request.cypher)) from e
        raise StoreError(explained(e, place.address, place.database, "asking")) from e
    except (DriverError, Neo4jError) as e:
        raise StoreError(explained(e, place.address, place.database, "asking")) from e


async def _rows(driver: neo4j.AsyncDriver, request: Request, token: str) -> Answer:
    def marked(text: Any) -> neo4j.Query:
        return neo4j.Query(text, timeout=request.seconds, metadata={_MARK: token})

    given = dict(request.parameters)
    seen = neo4j.Bookmarks.from_raw_values(request.place.bookmarks)
    options: Any = {"default_access_mode": neo4j.READ_ACCESS, "notifications_min_severity": "WARNING"}
    async with driver.session(database=request.place.database, bookmarks=seen, **options) as session:
        explaining = await session.run(marked("EXPLAIN " + request.cypher), given)
        plan = await explaining.consume()
        check_plan(operators(plan), NEO4J)
        if slip := misspelt(unknown_names(plan), tokens(request.cypher)):
            raise QueryError(slip)
        result = await session.run(marked(request.cypher), given)
        records = await result.fetch(request.rows + 1)
        return tuple(result.keys()), tuple(tuple(from_neo4j(v) for v in record.values()) for record in records)


async def _terminate(driver: neo4j.AsyncDriver, database: str | None, token: str) -> bool:
    """Ask the server to end the query as well, and return whether it answers.

    The query may go on for a while: a server looks up between rows only.
    """
    find = f"SHOW TRANSACTIONS YIELD transactionId AS id, metaData AS data WHERE data.{_MARK} = $token RETURN id"
    with suppress(TimeoutError, DriverError, Neo4jError):
        async with asyncio.timeout(GRACE / 2), driver.session(database=database) as session:
            found = await session.run(find, token=token)
            if ids := [record["id"] async for record in found]:
                ending = await session.run("TERMINATE TRANSACTIONS $ids", ids=ids)
                await ending.consume()
            return True
    return False


def main() -> None:
    """Answer until standard input ends.

    Example: `subprocess.Popen(command("torchatlas.graph.stores.neo4j"))`
    """
    # The driver loads them where they are installed, which takes longer than all the rest; no value here needs them.
    # None says that a module is not to be had.
    sys.modules.update(dict.fromkeys(("numpy", "pandas", "pyarrow")))  # type: ignore[arg-type]
    with answering() as answer:
        serve(answer)


_READ_TRIES = 5


def open_store(address: str, say: Callable[[str], None] | None = None) -> "Neo4jStore":
    """Connect to the server at an address; `neo4j+local:FOLDER` starts one where none runs. Raises StoreError.

    Example: `open_store("bolt://neo4j:password@localhost:7687").fingerprint()`
    """
    if not address.startswith("neo4j+local:"):
        return Neo4jStore(*located(address, os.environ), say)
    found = neo4j_server.start(neo4j_server.home_of(address), say)
    return Neo4jStore(found.uri, (neo4j_server.USER, found.password), None, say)


class Neo4jStore(Store):
    """A store on a server. Its nodes bear the label Torchatlas beside their own."""

    def __init__(
        self,
        address: str,
        auth: tuple[str, str] | None,
        database: str | None,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self.address = address
        self._database = database
        self._place = Endpoint(address, auth, database)
        # A replica may lag behind the leader: a read waits until it has what this store has written.
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager() if is_routed(address) else None
        self._asker = Asker("torchatlas.graph.stores.neo4j")
        self._driver = WatchedDriver(address, auth, say or (lambda _line: None))
        try:
            with self._errors("connecting"):
                if line := too_old(self._driver.agent()):
                    raise StoreError(f"the server at {address} is {line}")
                with self._session(neo4j.READ_ACCESS) as session:
                    session.execute_read(run_alone, "RETURN 1")
        except StoreError:
            self._driver.close()
            raise

    def close(self) -> None:
        self._asker.close()
        self._driver.close()

    def fingerprint(self) -> str | None:
        found = self._meta()
        return found["fingerprint"] if found and found["schema"] == VERSION else None

    def stamp(self) -> str:
        found = self._meta()
        return f"{found.get('changes')}:{found['fingerprint']}" if found else "none"

    def check(self) -> None:
        with self._errors("writing"), self._session() as session:
            _refuse_foreign(session)
            with suppress(_TakenBack):  # is this user allowed to write?
                session.execute_write(_write_nothing)

    def replace(self, snapshot: Snapshot, fingerprint: str, progress: Progress | None = None) -> None:
        tables, tell, token = rows_of(snapshot), progress or (lambda *_: None), secrets.token_hex(8)
        with self._errors("writing"), self._session() as session:
            _refuse_foreign(session)
            make(session, wanted())
            session.execute_write(take_over, token)
            sweep(session, token)
            if not session.execute_write(write_changes, tables, fingerprint, tell):
                write_staged(session, tables, fingerprint, token, tell)

    def snapshot(self) -> Snapshot:
        with self._errors("reading"), self._session(neo4j.READ_ACCESS) as session:
            for _ in range(_READ_TRIES):
                version, rows = session.execute_read(read_rows)
                if version != VERSION:
                    raise StoreError(f"the graph at {self.address} is of another version; remedy: torchatlas build")
                if rows is not None:
                    return from_rows(rows)
        raise StoreError(f"the graph at {self.address} is written again and again while it is read; try later")

    def query(
        self, cypher: str, parameters: Mapping[str, object] | None = None, *, rows: int = ROWS, seconds: float = SECONDS
    ) -> Table:
        check_statement(cypher, NEO4J)
        given = chosen(parameters or {}, cypher)
        seen = frozenset(self._bookmarks.get_bookmarks()) if self._bookmarks else frozenset()
        place = replace(self._place, bookmarks=seen)
        return self._asker.ask(Request(place, cypher, parameters=given, rows=rows, seconds=seconds))

    def interrupt(self) -> None:
        self._asker.interrupt()

    def _meta(self) -> dict[str, Any] | None:
        with self._errors("reading"), self._session(neo4j.READ_ACCESS) as session:
            return session.execute_read(read_meta)

    def _session(self, access: str = neo4j.WRITE_ACCESS) -> AbstractContextManager[neo4j.Session]:
        settings = {"default_access_mode": access, "bookmark_manager": self._bookmarks}
        return self._driver.session(database=self._database, **settings)

    @contextmanager
    def _errors(self, doing: str) -> Iterator[None]:
        try:
            yield
        except (DriverError, Neo4jError) as e:
            raise StoreError(explained(e, self.address, self._database, doing)) from e
        except TimeoutError as e:
            raise StoreError(silent(self.address, doing)) from e


class _TakenBack(Exception):
    """Takes back the transaction in which it is raised."""


@within_limit
def _write_nothing(tx: neo4j.ManagedTransaction) -> None:
    take_over(tx, "")
    raise _TakenBack


def _refuse_foreign(session: neo4j.Session) -> None:
    """Raise StoreError where nodes of other people have labels of this schema: both kinds would be mixed up."""
    labels = [node.label for node in NODES]
    counts = ", ".join(f"COUNT {{ MATCH (n:{label}) WHERE NOT n:{MARKER} }}" for label in labels)
    for label, count in zip(labels, session.execute_read(run_alone, f"RETURN {counts}")[0], strict=True):
        if count:
            remedy = "use another database (NEO4J_DATABASE) or another server"
            raise StoreError(f"this Neo4j database holds {count} {label} nodes that torchatlas did not make; {remedy}")
