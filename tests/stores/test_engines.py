import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.stores.graphs import SMALL
from torchatlas.graph.errors import StoreError
from torchatlas.graph.stores import base as engines
from torchatlas.graph.stores.base import open_store
from torchatlas.ui.cli.program import main


@pytest.mark.parametrize(
    "address",
    ["", "memory", "memory:x", "ladybug:", "ladybug", "bolt:x", "neo4j+local", "postgres://h", "http://h:7474"],
)
def test_another_form_of_address_is_told_the_right_ones(address: str) -> None:
    with pytest.raises(StoreError, match="ladybug:PATH") as caught:
        open_store(address)
    assert "\n" not in str(caught.value)


def test_a_password_is_not_repeated() -> None:
    with pytest.raises(StoreError) as caught:
        open_store("blot://neo4j:secret@host")
    assert "secret" not in str(caught.value)


def modules_after(code: str, *arguments: object) -> set[str]:
    """The modules that a fresh interpreter has loaded after this code."""
    code = f"import sys; from torchatlas.graph.stores.base import open_store; {code}; print(*sys.modules)"
    run = [sys.executable, "-c", code, *map(str, arguments)]
    return set(subprocess.run(run, capture_output=True, text=True, check=True).stdout.split())


def test_no_engine_is_loaded_before_its_store_is_opened() -> None:
    assert not {"ladybug", "neo4j", "pyarrow", "jpype", "filelock"} & modules_after("open_store('memory:')")


def test_the_stamp_of_a_file_loads_no_engine_and_starts_no_process(tmp_path: Path) -> None:
    open_store(f"ladybug:{tmp_path / 'g'}").replace(SMALL, "one")
    loaded = modules_after("s = open_store('ladybug:' + sys.argv[1]); s.stamp(); assert s._process is None",
                           tmp_path / "g")  # fmt: skip
    assert not {"ladybug", "neo4j", "pyarrow", "jpype", "filelock"} & loaded


def test_an_engine_is_added_by_one_entry_in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = engines.Engine("toy:NAME", r"toy:.+", module="tests.stores.toy_engine")
    monkeypatch.setattr(engines, "ENGINES", (*engines.ENGINES, toy))
    assert engines.forms().endswith(", toy:NAME")
    with open_store("toy:bear") as store:
        store.replace(SMALL, "one")
        assert (store.address, store.snapshot(), store.fingerprint()) == ("toy:bear", SMALL, "one")
    for address in ("toy:", "toy", "doll:bear"):
        with pytest.raises(StoreError, match="toy:NAME"):
            open_store(address)


def test_a_missing_package_is_told_and_another_import_error_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    wanting = engines.Engine("toy:", r"toy:", module="tests.stores.toy_engine", packages=("no_such_package",))
    broken = engines.Engine("broken:", r"broken:", module="tests.stores.no_such_module")
    monkeypatch.setattr(engines, "ENGINES", (wanting, broken))
    with pytest.raises(StoreError, match="toy: needs the package no_such_package; remedy: pip install no_such_package"):
        open_store("toy:")
    with pytest.raises(ModuleNotFoundError):
        open_store("broken:")


def test_the_help_names_every_form_of_address() -> None:
    shown = " ".join(CliRunner().invoke(main, ["plan", "--help"]).output.split())
    for engine in engines.ENGINES:
        assert engine.form in shown
