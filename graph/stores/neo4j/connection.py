"""The settings that every connection to a Neo4j server shares, and a limit on how long it may be silent."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

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
