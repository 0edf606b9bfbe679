"""Every engine: a test that asks for `store` runs over all, one for `cypher_store` over those that speak Cypher."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import neo4j
import psutil
import pytest

from tests.stores.graphs import SMALL
from torchatlas.graph.stores.base import ENGINES, Store, open_store
from torchatlas.graph.stores.neo4j_server import USER, Server

# Engines without a server, by the forms of their addresses in the table: a new one there is tested here.
FORMS = {engine.form.partition(":")[0]: engine.form for engine in ENGINES if not engine.module.endswith(".neo4j")}
WITHOUT_CYPHER = [pytest.param(FORMS.pop("memory"), id="memory")]
CYPHER = [pytest.param(form, id=name) for name, form in FORMS.items()]
CYPHER += [pytest.param("neo4j_address", id="neo4j", marks=pytest.mark.neo4j)]
APOC = pytest.param("apoc_address", id="APOC", marks=pytest.mark.neo4j)


def one_line(error: BaseException) -> bool:
    return "\n" not in str(error)


@pytest.fixture
def empty_server(neo4j_address: str) -> str:
    """The test server's address, after everything in it was removed."""
    return emptied(neo4j_address)


def emptied(address: str) -> str:
    """The address of a server, after everything in it was removed."""
    with driver(address) as direct:
        direct.execute_query("MATCH (n) DETACH DELETE n")
    return address


def driver(address: str) -> neo4j.Driver:
    scheme, _, rest = address.partition("://")
    login, _, host = rest.rpartition("@")
    return neo4j.GraphDatabase.driver(f"{scheme}://{host}", auth=tuple(login.split(":", 1)) if login else None)


def rows_at(address: str, text: str) -> list[Any]:
    with driver(address) as direct:
        return [record.values() for record in direct.execute_query(text).records]


def address_of(running: Server | None, port: int = 0) -> str:
    """The address of a server that was started, or of a line to it at a port."""
    assert running
    return f"bolt://{USER}:{running.password}@127.0.0.1:{port or running.port}"


def is_running(pid: int) -> bool:
    """Whether a process lives: one that has ended and that nobody has asked for yet does not."""
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False


def opened(request: pytest.FixtureRequest, folder: Path) -> Store:
    """An empty store of the engine: a path stands for the capitals in the form of its address, or a fixture has it."""
    address = re.sub("[A-Z]+", str(folder / "graph.of.test"), request.param)
    return open_store(emptied(request.getfixturevalue(address)) if address.endswith("_address") else address)


@pytest.fixture(params=[*WITHOUT_CYPHER, *CYPHER])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with opened(request, tmp_path) as made:
        yield made


@pytest.fixture(params=CYPHER)
def cypher_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with opened(request, tmp_path) as made:
        yield made


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[Store]:
    """The embedded engine, which has SMALL."""
    with open_store(f"ladybug:{tmp_path / 'g.lbug'}") as made:
        made.replace(SMALL, "one")
        yield made


@pytest.fixture(scope="module", params=CYPHER)
def asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with SMALL, which the tests of a module only ask."""
    with opened(request, tmp_path_factory.mktemp("asked")) as made:
        made.replace(SMALL, "one")
        yield made
