"""The table of engines: which address opens which one, and what is loaded for it."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.stores.graphs import SMALL
from torchatlas.graph.errors import StoreError
from torchatlas.graph.stores import base as engines
from torchatlas.graph.stores.base import open_store
from torchatlas.graph.stores.neo4j import _located
from torchatlas.ui.cli.program import main

FORMS = "ladybug:PATH"


@pytest.mark.parametrize(
    ("address", "says"),
    [
        *((a, FORMS) for a in ("", "memory", "memory:x", "ladybug:", "ladybug", "bolt:x", "neo4j+local")),
        *((a, FORMS) for a in ("postgres://h", "http://h:7474", "blot://neo4j:secret@host", "x" * 5000)),
        *((a, "host|port") for a in ("bolt://", "bolt://h:port", "bolt://h:99999", "bolt://h:99999999")),
        *((a, None) for a in ("bolt://[", f"neo4j://{'a' * 300}", "ladybug:a\0b", "neo4j+local:\0")),
    ],
)
def test_an_address_that_cannot_be_opened_is_one_short_line_without_password(address: str, says: str | None) -> None:
    with pytest.raises(StoreError, match=says) as caught:
        open_store(address)
    line = str(caught.value)
    assert "\n" not in line and len(line) < 300 and "secret" not in line


@pytest.mark.parametrize(
    ("address", "environment", "expected"),
    [
        ("bolt://h", "", ("bolt://h", None, None)),
        ("bolt://h:7688", "PASSWORD=p", ("bolt://h:7688", ("neo4j", "p"), None)),
        ("neo4j+s://u:p%40q@h/db", "PASSWORD=no", ("neo4j+s://h", ("u", "p@q"), "db")),
        ("neo4j://h", "USERNAME=u PASSWORD=p DATABASE=d", ("neo4j://h", ("u", "p"), "d")),
        ("neo4j+ssc://[::1]:7687", "", ("neo4j+ssc://[::1]:7687", None, None)),
        ("neo4j://h?policy=x", "", ("neo4j://h?policy=x", None, None)),
    ],
)
def test_user_and_database_come_from_the_address_or_the_environment(address, environment, expected) -> None:
    assert _located(address, dict(f"NEO4J_{word}".split("=") for word in environment.split())) == expected


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
    monkeypatch.setattr(engines, "ENGINES", (*engines.ENGINES, *table))
    assert engines.forms().endswith(", toy:NAME, broken:NAME")
    with open_store("toy:bear") as store:
        store.replace(SMALL, "one")
        assert (store.address, store.snapshot(), store.fingerprint()) == ("toy:bear", SMALL, "one")
    for address in ("toy:", "toy", "doll:bear"):
        with pytest.raises(StoreError, match="toy:NAME"):
            open_store(address)
    with pytest.raises(ModuleNotFoundError):  # another import error is not hidden
        open_store("broken:x")


def test_the_help_names_every_form_of_address() -> None:
    shown = " ".join(CliRunner().invoke(main, ["plan", "--help"]).output.split())
    assert not [engine.form for engine in engines.ENGINES if engine.form not in shown]
