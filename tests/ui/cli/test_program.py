"""The table of commands against the commands themselves, what former versions had, and what each command loads.

A person waits for a command, so each loads what it needs and no more.
"""

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete

from tests.doc_sessions import ROOT
from tests.ui.cli.commands import COMMANDS, run
from torchatlas.ui.cli.program import PLACES, REMOVED, main, one_blas_thread

FAMILIES = {f"torchatlas.ui.cli.{place.partition(':')[0]}" for place in PLACES.values()}


def test_the_list_says_of_a_command_what_its_own_help_says_first(tmp_path: Path) -> None:
    listed = dict(re.findall(r"^  (\w+) {2,}(\S.*)$", run(tmp_path, "--help").stdout.partition("Options:")[2], re.M))
    assert listed == {name: command.get_short_help_str(64) for name, command in COMMANDS.items()}
    assert all(command.name == name for name, command in COMMANDS.items())


def test_every_command_is_in_the_table_and_completed_by_a_shell() -> None:
    found = {
        v for module in map(import_module, FAMILIES) for v in vars(module).values() if isinstance(v, click.Command)
    }
    inner = {each for group in found if isinstance(group, click.Group) for each in group.commands.values()}
    assert found - inner == {*COMMANDS.values()}
    completed = BashComplete(main, {}, "torchatlas", "_TORCHATLAS_COMPLETE").get_completions([], "")
    assert [each.value for each in completed] == sorted(COMMANDS)


@pytest.mark.parametrize("words", REMOVED, ids=" ".join)
def test_a_removed_option_or_command_is_one_line_of_wrong_usage(words: tuple[str, ...], tmp_path: Path) -> None:
    told = run(tmp_path, *words)
    assert told.exit_code == 2 and not told.stdout
    assert told.stderr == f"Error: {REMOVED[words]}\n" and len(told.stderr) < 240


CODE = """
import os, sys
from torchatlas.ui.cli.program import main
main(sys.argv[1:], standalone_mode=False)
print(os.environ.get("OPENBLAS_NUM_THREADS"), *sys.modules, file=sys.stderr)
"""
BUILDS = {
    *[
        "spacy",
        "scipy",
        "networkx",
        "pandas",
        "pyarrow",
        "pydantic",
        "torchatlas.extract.pipeline",
        "torchatlas.graph.build",
    ]
}
FETCHES = {"requests", "urllib3", "feedparser", "selectolax", "charset_normalizer", "torchatlas.extract.text"}
DRAWS = {"streamlit", "pyvis", "rich", "mcp"}
MAP = (*FAMILIES, "torchatlas.atlas", "torchatlas.build", "torchatlas.graph.answers", "torchatlas.graph.model")
HEAVY = BUILDS | FETCHES | DRAWS | {"neo4j"}


def loaded(home: Path, *command: str) -> tuple[str, set[str]]:
    """The number of threads that OpenBLAS was given, and the modules that are loaded when a command has answered."""
    free = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    words, variables = [sys.executable, "-c", CODE, *command], {**free, "TORCHATLAS_HOME": str(home)}
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True, env=variables)
    threads, *modules = done.stderr.splitlines()[-1].split()
    return threads, set(modules)


def test_the_help_loads_no_command_and_nothing_of_the_map(tmp_path: Path) -> None:
    _, modules = loaded(tmp_path, "--help")
    assert not [name for name in modules if name.startswith(MAP)]
    assert not modules & (HEAVY | {"numpy", "ladybug", "rapidfuzz", "highspy"})


@pytest.mark.parametrize(
    ("command", "besides"),
    [
        (["plan", "AOTAutograd"], {"rapidfuzz"}),
        (["related", "12"], {"highspy", "rapidfuzz"}),
        (["search", "why is my memory not freed"], {"numpy", "highspy"}),
        (["concepts", "vmap"], {"numpy", "highspy", "snowballstemmer"}),
    ],
)
def test_an_answer_loads_neither_a_build_nor_a_screen_nor_another_command(
    home: Path, command: list[str], besides: set[str]
) -> None:
    threads, modules = loaded(home, *command)
    assert not modules & (HEAVY | {"ladybug", "importlib.metadata"} | besides)
    assert len(modules & FAMILIES) == 1 and threads == "1"


def test_a_build_of_what_is_built_loads_no_build(built: Path) -> None:
    _, modules = loaded(built, "build", "--offline")
    assert not modules & (BUILDS | DRAWS | {"ladybug", "numpy", "highspy", "feedparser"})


@pytest.mark.slow
def test_a_build_loads_no_table_of_others_no_solver_and_no_other_command_line(tmp_path: Path) -> None:
    _, modules = loaded(tmp_path, "build", "--offline")
    assert "spacy" in modules
    assert not modules & (DRAWS | {"pandas", "scipy.optimize", "highspy", "spacy.cli", "requests"})


@pytest.mark.parametrize("name", ["OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"])
def test_a_number_of_threads_that_the_user_chose_stays(name: str) -> None:
    one_blas_thread(environment := {name: "3"})
    assert environment == {name: "3"}
