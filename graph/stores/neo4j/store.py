"""A graph on a Neo4j server, through the official driver. What is not ours there is neither changed nor deleted."""

import logging
import os
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import neo4j
from neo4j.exceptions import ClientError, DriverError, Neo4jError

from torchatlas.graph.cypher.guard import check_plan, check_statement, chosen
from torchatlas.graph.cypher.hints import explain_neo4j, misspelt
from torchatlas.graph.stores.contract import Store
from torchatlas.graph.stores.neo4j import server
from torchatlas.graph.stores.neo4j.dialect import NEO4J
from torchatlas.graph.stores.neo4j.errors import explained, too_old
from torchatlas.graph.stores.neo4j.rows import read_meta, read_rows, take_over, write_changes
from torchatlas.graph.stores.neo4j.staging import sweep, write_staged
from torchatlas.graph.stores.values import MARKER, from_neo4j
from torchatlas.graph.values import schema
from torchatlas.graph.values.answers import Table
from torchatlas.graph.values.errors import QueryError, StoreError
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.progress import Progress

CONNECTION_TIMEOUT = 3.0
_READ_TRIES = 5
_UNKNOWN = {"01N50", "01N51", "01N52"}  # GQL status: no such label, relationship type, property

logging.getLogger("neo4j.notifications").setLevel(logging.ERROR)  # `query` reads the warnings and says what helps
logging.getLogger("neo4j.session").setLevel(logging.ERROR)  # it would print each failure that is tried again
logging.getLogger("neo4j.pool").setLevel(logging.CRITICAL)  # it would print what `_errors` says better


def open_server(address: str) -> "Neo4jStore":
    """The store on the server at `address`; user, password and database from it or from NEO4J_... variables."""
    return Neo4jStore(*located(address, os.environ))


def located(address: str, environment: Mapping[str, str]) -> tuple[str, tuple[str, str] | None, str | None]:
    """The address without its secrets, (user, password) and the database; None: none, the server's own."""
    parts = urlsplit(address)
    try:
        port = f":{parts.port}" if parts.port else ""
    except ValueError as e:
        raise StoreError(f"the port in the address of {parts.hostname} is no port number") from e
    if not parts.hostname:
        raise StoreError("the address names no host; write bolt://HOST:7687")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    user = unquote(parts.username or "") or environment.get("NEO4J_USERNAME", "neo4j")
    password = unquote(parts.password or "") or environment.get("NEO4J_PASSWORD", "")
    database = parts.path.strip("/") or environment.get("NEO4J_DATABASE") or None
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{host}{port}{query}", (user, password) if password else None, database


def open_local(folder: str, say: Callable[[str], None] | None = None) -> "Neo4jStore":
    """The store on a server of our own, started if it does not run; its files are in `folder`."""
    found = server.start(Path(folder) if folder else server.default_home(), say)
    return Neo4jStore(found.uri, (server.USER, found.password), None)


class Neo4jStore(Store):
    """Our nodes bear the label Torchatlas beside their own; `address` shows no password."""

    def __init__(self, address: str, auth: tuple[str, str] | None, database: str | None) -> None:
        self.address = address
        self._database = database
        with self._errors("connecting"):
            self._driver = neo4j.GraphDatabase.driver(
                address,
                auth=auth,
                connection_timeout=CONNECTION_TIMEOUT,
                connection_acquisition_timeout=CONNECTION_TIMEOUT + 1,
                max_transaction_retry_time=5.0,
                notifications_min_severity="OFF",
            )
            try:
                self._check_version(self._driver.get_server_info().agent)
                with self._driver.session(database=database) as session:
                    session.run("RETURN 1").consume()
            except (DriverError, Neo4jError, StoreError):
                self._driver.close()
                raise

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        self._driver.close()

    def fingerprint(self) -> str | None:
        with self._reading("reading") as session:
            found = session.execute_read(read_meta)
        return found["fingerprint"] if found and found["schema"] == schema.VERSION else None

    def check(self) -> None:
        with self._errors("writing"), self._driver.session(database=self._database) as session:
            _refuse_foreign(session)
            with session.begin_transaction() as tx:  # may this user write here? It is taken back at once
                take_over(tx, "")
                tx.rollback()

    def replace(self, snapshot: Snapshot, fingerprint: str, progress: Progress | None = None) -> None:
        tables, tell, token = schema.rows(snapshot), progress or (lambda *_: None), secrets.token_hex(8)
        with self._errors("writing"), self._driver.session(database=self._database) as session:
            _refuse_foreign(session)
            for statement in _schema_statements():
                session.run(statement).consume()
            session.execute_write(take_over, token)
            sweep(session, token)
            if not session.execute_write(write_changes, tables, fingerprint, tell):
                write_staged(session, tables, fingerprint, token, tell)

    def snapshot(self) -> Snapshot:
        with self._reading("reading") as session:
            for _ in range(_READ_TRIES):
                found = session.execute_read(read_rows)
                if found.version != schema.VERSION:
                    raise StoreError(f"the graph at {self.address} is of another version; remedy: torchatlas build")
                if not found.torn:
                    return schema.from_rows(found.rows)
        raise StoreError(f"the graph at {self.address} is written again and again while it is read; try later")

    def query(
        self, cypher: str, parameters: Mapping[str, object] | None = None, *, rows: int = 1000, seconds: float = 10.0
    ) -> Table:
        found = check_statement(cypher, NEO4J)
        given = chosen(parameters or {}, cypher)
        with self._reading("asking", notifications_min_severity="WARNING") as session:
            try:
                plan = session.run(neo4j.Query("EXPLAIN " + cypher, timeout=seconds), given).consume()
                check_plan(_operators(plan), NEO4J)
                if slip := misspelt(_unknown_names(plan), found):
                    raise QueryError(slip)
                result = session.run(neo4j.Query(cypher, timeout=seconds), given)
                columns = tuple(result.keys())
                values = [tuple(from_neo4j(v) for v in record.values()) for record in result.fetch(rows + 1)]
            except ClientError as e:
                if "TransactionTimedOut" in (e.code or ""):
                    raise QueryError(f"the query took more than {seconds:g} seconds; narrow it or add a LIMIT") from e
                if (e.code or "").startswith("Neo.ClientError.Statement"):
                    raise QueryError(explain_neo4j(e.message or "", cypher)) from e
                raise
        return Table(columns, tuple(values[:rows]), truncated=len(values) > rows)

    @contextmanager
    def _reading(self, doing: str, **config: Any) -> Iterator[neo4j.Session]:
        settings = {"database": self._database, "default_access_mode": neo4j.READ_ACCESS, **config}
        with self._errors(doing), self._driver.session(**settings) as session:
            yield session

    def _check_version(self, agent: str) -> None:
        if line := too_old(agent):
            raise StoreError(f"the server at {self.address} is {line}")

    @contextmanager
    def _errors(self, doing: str) -> Iterator[None]:
        """Turn what the driver raises into one line with the remedy."""
        try:
            yield
        except (DriverError, Neo4jError) as e:
            raise StoreError(explained(e, self.address, self._database, doing)) from e


def _schema_statements() -> Iterator[Any]:
    for label in (*(node.label for node in schema.NODES), schema.META):
        yield (f"CREATE CONSTRAINT torchatlas_{label.lower()} IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE")
    yield "CREATE INDEX torchatlas_concept_name IF NOT EXISTS FOR (n:Concept) ON (n.name)"
    yield "CREATE INDEX torchatlas_episode_number IF NOT EXISTS FOR (n:Episode) ON (n.number)"


def _refuse_foreign(session: neo4j.Session) -> None:
    """Nodes of our labels that are not ours would be mixed up with ours: refuse before anything is changed."""
    for label in (node.label for node in schema.NODES):
        text: Any = f"MATCH (n:{label}) WHERE NOT n:{MARKER} RETURN count(n) AS n"
        if count := session.run(text).single(strict=True)["n"]:
            remedy = "use another database (NEO4J_DATABASE) or another server"
            raise StoreError(f"this Neo4j database holds {count} {label} nodes that torchatlas did not make; {remedy}")


def _operators(summary: neo4j.ResultSummary) -> Iterator[str]:
    """The plan's operators by their plain names, and what is no plain read by its query type."""
    if summary.query_type != "r" or not summary.plan:
        yield {"s": "a schema or administration command"}.get(str(summary.query_type), "a write")
    waiting = [summary.plan] if summary.plan else []
    while waiting:
        plan = waiting.pop()
        operator = plan["operatorType"].partition("@")[0].partition("(")[0]
        called = str(plan.get("args", {}).get("Details", "")).partition("(")[0]
        offered = operator != "ProcedureCall" or called.lower() in NEO4J.procedures
        yield operator if offered else f"CALL {called}"
        waiting.extend(plan.get("children", ()))


def _unknown_names(summary: neo4j.ResultSummary) -> Iterator[str]:
    """The labels, relationship types and properties that the server's warnings call unknown."""
    for status in summary.gql_status_objects:
        if status.gql_status in _UNKNOWN:
            yield from re.findall("`([^`]+)`", status.status_description)
