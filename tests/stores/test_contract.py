"""Promises that every store keeps, whatever its engine; which address opens which one, and what is loaded for it."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.extract.cases import cases, rows
from tests.graph.builds import changed, graph
from tests.stores.conftest import one_line
from tests.stores.graphs import OTHER, SMALL
from tests.stores.test_queries import QUESTIONS
from tests.strategies import snapshots, times
from torchatlas.graph.cypher import Question
from torchatlas.graph.errors import QueryError, StoreError
from torchatlas.graph.model import Snapshot
from torchatlas.graph.stores import base as engines
from torchatlas.graph.stores.base import Store, open_store
from torchatlas.graph.stores.neo4j import _located
from torchatlas.ui.cli.program import main

FEW = settings(max_examples=times(12), suppress_health_check=list(HealthCheck), phases=set(Phase) - {Phase.shrink})
COUNT = "MATCH (c:Concept) RETURN count(c)"


def test_a_store_has_the_last_graph_and_nothing_of_the_one_before_and_a_stamp_for_each(store: Store) -> None:
    assert store.fingerprint() is None and store.snapshot() == Snapshot()
    fewer = tuple(replace(c, aliases=(), x=9) for c in SMALL.concepts if c.id != "autograd")
    smaller = graph(fewer, requires="dispatcher stride: new")
    stamps = [store.stamp()]
    for held, mark in ((SMALL, "one"), (SMALL, "two"), (smaller, "two"), (OTHER, "three"), (Snapshot(), "four")):
        store.replace(held, mark)
        stamps.append(store.stamp())
        store.check()
        assert store.snapshot() == held and store.fingerprint() == mark
        assert store.stamp() == stamps[-1]
    assert len(set(stamps)) == len(stamps)


def test_a_second_store_sees_the_old_graph_until_the_new_one_is_whole(cypher_store: Store, request) -> None:
    address, seen, told = cypher_store.address, list[bool](), list[tuple[int, int]]()
    if address.startswith("bolt"):  # without the password, which the store hides
        address = request.getfixturevalue("neo4j_address")

    def look(_what: str, done: int, total: int) -> None:
        told.append((done, total))
        with open_store(address) as reader:
            old = reader.snapshot() == SMALL and reader.fingerprint() == "one"
            seen.append(old and (bool(seen) or reader.query(COUNT).rows == ((len(SMALL.concepts),),)))

    cypher_store.replace(SMALL, "one")
    cypher_store.query(COUNT)
    with open_store(address) as other:
        assert other.stamp() == cypher_store.stamp()
    cypher_store.replace(OTHER, "two", look)
    assert seen and all(seen) and told == sorted(told) and told[-1][0] == told[-1][1] > 0
    wrong = changed(SMALL, requires="s-1 s-2: episodes are no concepts")
    with pytest.raises(StoreError, match=r"REQUIRES|s-1"):
        cypher_store.replace(wrong, "three")
    assert cypher_store.snapshot() == OTHER and cypher_store.fingerprint() == "two"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(f"ladybug:{tmp_path_factory.mktemp('agreement') / 'graph.lbug'}") as store:
        yield store


@pytest.fixture(scope="module")
def server(neo4j_address: str) -> Iterator[Store]:
    with open_store(neo4j_address) as store:
        yield store


@FEW
@given(graph=snapshots())
def test_the_embedded_engine_holds_any_graph(file: Store, graph: Snapshot) -> None:
    file.replace(graph, "f")
    assert file.snapshot() == graph


@pytest.mark.neo4j
@FEW
@given(graph=snapshots(), data=st.data())
def test_both_hold_any_graph_and_answer_alike(file: Store, server: Store, graph: Snapshot, data: st.DataObject) -> None:
    for store in (file, server):
        store.replace(graph, "f")
        assert store.snapshot() == graph
    for question in QUESTIONS:
        values = question.bind({p.name: data.draw(_value(question, p.name, graph)) for p in question.parameters})
        assert file.query(question.cypher, values) == server.query(question.cypher, values), question.name


def _value(question: Question, name: str, graph: Snapshot) -> st.SearchStrategy[object]:
    """Values that have an answer where the graph has one. A blank one is missing."""
    parameter = next(p for p in question.parameters if p.name == name)
    there: dict[str, list[object]] = {
        "concept": [c.id for c in graph.concepts if c.id.strip()],
        "episode": [e.id for e in graph.episodes if e.id.strip()],
        "area": [c.area for c in graph.concepts if c.area.strip()],
        "integer": [1, 2, 50, 2022],
        "string": [t[:2] for t in (*(k.url for k in graph.links), *(c.name for c in graph.concepts)) if t[:2].strip()],
    }
    return st.sampled_from(there[parameter.type] or [parameter.example])


NO_ADDRESSES = """memory | memory:x | ladybug: | ladybug | bolt:x | neo4j+local | postgres://h | http://h:7474
    blot://neo4j:secret@host"""
WRONG = dict.fromkeys([*cases(NO_ADDRESSES), "", "x" * 5000], "ladybug:PATH")
WRONG |= dict.fromkeys(["bolt://", "bolt://h:port", "bolt://h:99999", "bolt://h:99999999"], "host|port")
WRONG |= dict.fromkeys(["bolt://[", f"neo4j://{'a' * 300}", "ladybug:a\0b", "neo4j+local:\0"], ".")


@pytest.mark.parametrize(("address", "says"), WRONG.items())
def test_an_address_that_cannot_be_opened_is_one_short_line_without_password(address: str, says: str) -> None:
    with pytest.raises(StoreError, match=says, check=one_line) as caught:
        open_store(address)
    assert len(str(caught.value)) < 300 and "secret" not in str(caught.value)


LOCATED = """bolt://h => => bolt://h None None
    bolt://h:7688 => PASSWORD=p => bolt://h:7688 ('neo4j', 'p') None
    neo4j+s://u:p%40q@h/db => PASSWORD=no => neo4j+s://h ('u', 'p@q') db
    neo4j://h => USERNAME=u PASSWORD=p DATABASE=d => neo4j://h ('u', 'p') d
    neo4j+ssc://[::1]:7687 => => neo4j+ssc://[::1]:7687 None None
    neo4j://h?policy=x => => neo4j://h?policy=x None None"""


@pytest.mark.parametrize(("address", "environment", "expected"), rows(LOCATED))
def test_user_and_database_come_from_the_address_or_the_environment(address, environment, expected) -> None:
    found = _located(address, dict(f"NEO4J_{word}".split("=") for word in environment.split()))
    assert " ".join(map(str, found)) == expected


@pytest.mark.parametrize(
    "code", ["open_store('memory:')", "s = open_store('ladybug:' + sys.argv[1]); s.stamp(); assert s._process is None"]
)
def test_neither_an_opened_store_nor_a_stamp_loads_an_engine_or_starts_a_process(code: str, tmp_path: Path) -> None:
    open_store(f"ladybug:{tmp_path / 'g'}").replace(SMALL, "one")
    code = f"import sys; from torchatlas.graph.stores.base import open_store; {code}; print(*sys.modules)"
    run = [sys.executable, "-c", code, tmp_path / "g"]
    loaded = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    assert loaded and not {"ladybug", "neo4j", "pyarrow", "jpype", "filelock"} & set(loaded)


def test_an_engine_is_added_by_one_entry_in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = "torchatlas.graph.stores.memory"
    made = (("toy", memory), ("broken", "no_such_module"))
    table = (engines.Engine(f"{name}:NAME", rf"{name}:.+", module=module) for name, module in made)
    shown = " ".join(CliRunner().invoke(main, ["--help"]).output.split())
    assert not [engine.form for engine in engines.ENGINES if engine.form not in shown]
    monkeypatch.setattr(engines, "ENGINES", (*engines.ENGINES, *table))
    assert engines.forms().endswith(", toy:NAME, broken:NAME")
    with open_store("toy:bear") as store:
        store.replace(SMALL, "one")
        assert (store.address, store.snapshot(), store.fingerprint()) == ("toy:bear", SMALL, "one")
        with pytest.raises(QueryError, match="no Cypher"):
            store.query("RETURN 1 AS x")
    for address in ("toy:", "toy", "doll:bear"):
        with pytest.raises(StoreError, match="toy:NAME"):
            open_store(address)
    with pytest.raises(ModuleNotFoundError):  # another import error is not hidden
        open_store("broken:x")
