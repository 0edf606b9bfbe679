"""One fixture, every engine: a test that asks for `store` runs over all of them, one for `cypher_store` over two."""

from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from torchatlas.graph.stores.contract import Store
from torchatlas.graph.stores.engines import open_store

ENGINES = ["memory", "ladybug", pytest.param("neo4j", marks=pytest.mark.neo4j)]


def open_engine(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> Store:
    """An empty store of an engine."""
    if name == "memory":
        return open_store("memory:")
    if name == "ladybug":
        return open_store(f"ladybug:{tmp_path / 'graph.lbug'}")
    return open_store(request.getfixturevalue("empty_server"))


@pytest.fixture
def empty_server(neo4j_address: str) -> str:
    """The test server's address, after everything in it was removed."""
    with driver(neo4j_address) as direct:
        direct.execute_query("MATCH (n) DETACH DELETE n")
    return neo4j_address


def driver(address: str) -> neo4j.Driver:
    """The official driver on the test server, past our store."""
    scheme, _, rest = address.partition("://")
    login, _, host = rest.rpartition("@")
    return neo4j.GraphDatabase.driver(f"{scheme}://{host}", auth=tuple(login.split(":", 1)) if login else None)


@pytest.fixture(params=ENGINES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with open_engine(request.param, tmp_path, request) as opened:
        yield opened


@pytest.fixture(params=ENGINES[1:])
def cypher_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with open_engine(request.param, tmp_path, request) as opened:
        yield opened
