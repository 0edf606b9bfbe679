"""Every engine: a test that asks for `store` runs over all, one for `cypher_store` over those that speak Cypher."""

from collections.abc import Iterator

import neo4j
import pytest

from torchatlas.graph.stores.base import Store, open_store

# A new engine is one line in one of the two lists: how a test gets the address of an empty store.
WITHOUT_CYPHER = [pytest.param(lambda _request: "memory:", id="memory")]
CYPHER = [
    pytest.param(lambda request: f"ladybug:{request.getfixturevalue('tmp_path') / 'graph.lbug'}", id="ladybug"),
    pytest.param(lambda request: request.getfixturevalue("empty_server"), id="neo4j", marks=pytest.mark.neo4j),
]


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


@pytest.fixture(params=[*WITHOUT_CYPHER, *CYPHER])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with open_store(request.param(request)) as opened:
        yield opened


@pytest.fixture(params=CYPHER)
def cypher_store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with open_store(request.param(request)) as opened:
        yield opened
