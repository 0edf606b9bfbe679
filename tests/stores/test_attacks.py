"""Hostile statements on every engine: one line each, nothing read, nothing changed. Reads that look hostile are run."""

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


def engine(store: Store) -> str:
    """The name of the store's dialect, as the lists of statements know it."""
    scheme = store.address.partition(":")[0]
    return {"ladybug": LADYBUG.engine, "bolt": NEO4J.engine}.get(scheme, scheme)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which an engine runs, with a secret; extensions would be kept there."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "secret.csv").write_text(f"{attacks.SECRET}|1\n", "utf-8")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def asked(cypher_store: Store, home: Path) -> Store:
    cypher_store.replace(SMALL, "one")
    cypher_store.query("MATCH (n) RETURN count(n) AS n")
    return cypher_store


def test_what_would_write_read_files_or_call_out_is_refused_and_changes_nothing(
    asked: Store, home: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    embedded = engine(asked) == LADYBUG.engine
    direct_to = nullcontext() if embedded else driver(request.getfixturevalue("neo4j_address"))
    with attacks.canary() as (address, requests), direct_to as direct:
        before = attacks.state(asked, direct, tmp_path)
        for kind, texts in {**attacks.REFUSED, "statements": cypher_texts.texts("refused", engine(asked))}.items():
            for text in texts:
                said, _ = attacks.outcome(asked, attacks.aimed(text, address, home), seconds=10)
                assert said != "answered", f"{kind}: {text}"
                assert "more than 10 seconds" not in said and "Neo4j at" not in said, f"{kind}: {text}: {said}"
        assert attacks.state(asked, direct, tmp_path) == before
        assert requests == []


def test_a_read_is_run_however_hostile_it_looks(asked: Store) -> None:
    for text in (*attacks.reads(engine(asked)), *cypher_texts.texts("read", engine(asked))):
        try:
            assert asked.query(text, attacks.GIVEN).columns
        except QueryError as e:
            pytest.fail(f"{text[:200]}: {e}")


def test_the_lists_are_long_have_no_doubles_and_repeat_no_other_list() -> None:
    refused = [text for texts in attacks.REFUSED.values() for text in texts]
    own = [*refused, *attacks.reads(NEO4J.engine), *attacks.reads(LADYBUG.engine)]
    assert len(refused) >= 400
    assert len(set(refused)) == len(refused) and len(set(attacks.BOMBS)) == len(attacks.BOMBS)
    others = {t for k in ("read", "refused") for e in (NEO4J, LADYBUG) for t in cypher_texts.texts(k, e.engine)}
    assert not others & {*own, *attacks.BOMBS}
