"""One query to a Neo4j server, ended at its limit: here, and as far as that is possible on the server."""

import asyncio
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import neo4j
from neo4j.exceptions import ClientError, DriverError, Neo4jError

from torchatlas.graph.cypher import check_plan, misspelt, tokens, too_long
from torchatlas.graph.errors import QueryError, StoreError
from torchatlas.graph.stores.neo4j.connection import settings
from torchatlas.graph.stores.neo4j.dialect import NEO4J
from torchatlas.graph.stores.neo4j.errors import explained
from torchatlas.graph.stores.neo4j.hints import explain
from torchatlas.graph.stores.neo4j.plan import operators, unknown_names
from torchatlas.graph.stores.neo4j.values import from_neo4j
from torchatlas.graph.stores.query_process import GRACE, Answer, Request, limited_memory

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
