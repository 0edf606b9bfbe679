"""A driver whose calls end where the server has fallen silent, and go on for as long as it answers others.

A load of a large graph takes as long as it takes, on a slow disk even longer. So no clock decides: after PATIENCE
seconds, and again after the next PATIENCE seconds, the server is asked by another connection whether it is there.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import neo4j

from torchatlas.graph.stores.neo4j.connection import answers, closed_by, driver

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
