"""A graph on a Neo4j server, through the official driver. Other people's data there is neither changed nor deleted."""

import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from typing import Any

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

from torchatlas.graph.cypher import check_statement, chosen
from torchatlas.graph.errors import StoreError
from torchatlas.graph.markdown import Table
from torchatlas.graph.model import NODES, VERSION, Progress, Snapshot, from_rows, rows_of
from torchatlas.graph.stores.contract import ROWS, SECONDS, Store
from torchatlas.graph.stores.neo4j import indexes, server
from torchatlas.graph.stores.neo4j.address import located
from torchatlas.graph.stores.neo4j.asking import Endpoint
from torchatlas.graph.stores.neo4j.connection import is_routed
from torchatlas.graph.stores.neo4j.dialect import NEO4J
from torchatlas.graph.stores.neo4j.errors import explained, silent, too_old
from torchatlas.graph.stores.neo4j.rows import read_meta, read_rows, run_alone, take_over, within_limit, write_changes
from torchatlas.graph.stores.neo4j.staging import sweep, write_staged
from torchatlas.graph.stores.neo4j.values import MARKER
from torchatlas.graph.stores.neo4j.watched_driver import WatchedDriver
from torchatlas.graph.stores.query_process import Asker, Request

_READ_TRIES = 5


def open_store(address: str, say: Callable[[str], None] | None = None) -> "Neo4jStore":
    """Connect to the server at an address; `neo4j+local:FOLDER` starts one where none runs. Raises StoreError.

    Example: `open_store("bolt://neo4j:password@localhost:7687").fingerprint()`
    """
    if not address.startswith("neo4j+local:"):
        return Neo4jStore(*located(address, os.environ), say)
    found = server.start(server.home_of(address), say)
    return Neo4jStore(found.uri, (server.USER, found.password), None, say)


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
        self._asker = Asker("torchatlas.graph.stores.neo4j.process")
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
            indexes.make(session, indexes.wanted())
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
