"""Hostile statements on every engine: one line each, nothing read, nothing changed. Reads that look hostile are run."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests import attacks, cypher_texts
from tests.stores.conftest import driver
from tests.stores.graphs import SMALL
from torchatlas.graph.errors import QueryError
from torchatlas.graph.stores.base import Store
from torchatlas.graph.stores.ladybug import LADYBUG
from torchatlas.graph.stores.neo4j import NEO4J

pytestmark = pytest.mark.slow


@pytest.fixture
def asked(cypher_store: Store) -> Iterator[Store]:
    cypher_store.replace(SMALL, "one")
    cypher_store.query("MATCH (n) RETURN count(n) AS n")
    yield cypher_store


def direct_to(store: Store, request: pytest.FixtureRequest):
    """The driver on the store's server, None for an engine without one."""
    if store.address.startswith("ladybug:"):
        return nullcontext()
    return driver(request.getfixturevalue("neo4j_address"))


def test_what_would_write_read_files_or_call_out_is_refused_and_changes_nothing(
    asked: Store, tmp_path: Path, monkeypatch, request
) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "secret.csv").write_text(f"{attacks.SECRET}|1\n", "utf-8")
    monkeypatch.setenv("HOME", str(folder))  # extensions would be kept there
    monkeypatch.chdir(folder)
    with attacks.canary() as (address, requests), direct_to(asked, request) as direct:
        before = attacks.state(asked, direct, tmp_path)
        for kind, texts in attacks.REFUSED.items():
            for text in texts:
                said, _ = attacks.outcome(asked, attacks.aimed(text, address, folder), seconds=10)
                assert said != "answered", f"{kind}: {text}"
                assert "more than 10 seconds" not in said and "Neo4j at" not in said, f"{kind}: {text}: {said}"
        assert attacks.state(asked, direct, tmp_path) == before
        assert requests == []


def test_a_read_that_looks_hostile_is_run(asked: Store) -> None:
    engine = LADYBUG.engine if asked.address.startswith("ladybug:") else NEO4J.engine
    for text in attacks.reads(engine):
        try:
            assert asked.query(text, attacks.GIVEN).columns
        except QueryError as e:
            pytest.fail(f"{text[:200]}: {e}")


def test_the_lists_are_long_have_no_doubles_and_repeat_no_other_list() -> None:
    refused = [text for texts in attacks.REFUSED.values() for text in texts]
    own = [*refused, *attacks.reads(NEO4J.engine), *attacks.reads(LADYBUG.engine)]
    assert len(refused) >= 400
    assert len(set(refused)) == len(refused) and len(set(attacks.BOMBS)) == len(attacks.BOMBS)
    others = {*cypher_texts.ALLOWED, *cypher_texts.REFUSED}
    for kind in ("read", "refused"):
        others |= {*cypher_texts.more(kind, NEO4J.engine), *cypher_texts.more(kind, LADYBUG.engine)}
    assert not others & {*own, *attacks.BOMBS}
