"""The table of commands against the commands themselves, what former versions had, and what each command loads.

A person waits for a command, so each loads what it needs and no more.
"""

import os
import re
import shlex
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


def test_every_command_is_in_the_table_and_completed_by_a_shell() -> None:
    found = {v for name in FAMILIES for v in vars(import_module(name)).values() if isinstance(v, click.Command)}
    inner = {each for group in found if isinstance(group, click.Group) for each in group.commands.values()}
    assert found - inner == {*COMMANDS.values()} and all(command.name == n for n, command in COMMANDS.items())
    completed = BashComplete(main, {}, "torchatlas", "_TORCHATLAS_COMPLETE").get_completions([], "")
    assert [each.value for each in completed] == sorted(COMMANDS)


def test_the_list_says_of_a_command_what_its_own_help_says_first(tmp_path: Path) -> None:
    listed = dict(re.findall(r"^  (\w+) {2,}(\S.*)$", run(tmp_path, "--help").stdout.partition("Options:")[2], re.M))
    assert listed == {name: command.get_short_help_str(64) for name, command in COMMANDS.items()}


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
BUILDS = "spacy scipy networkx pandas pyarrow pydantic neo4j torchatlas.extract.pipeline torchatlas.graph.build"
DRAWS = "streamlit pyvis rich mcp uvicorn dask distributed"
HEAVY = f"{BUILDS} {DRAWS} requests urllib3 feedparser selectolax charset_normalizer torchatlas.extract.text"
MAP = (*FAMILIES, "torchatlas.atlas", "torchatlas.build", "torchatlas.graph.answers", "torchatlas.graph.model")


@pytest.mark.parametrize(
    ("command", "without"),
    [
        ("--help", f"{HEAVY} ladybug numpy rapidfuzz highspy"),
        ("plan AOTAutograd", f"{HEAVY} ladybug importlib.metadata rapidfuzz"),
        ("related 12", f"{HEAVY} ladybug importlib.metadata highspy rapidfuzz"),
        ("search 'why is my memory not freed'", f"{HEAVY} ladybug importlib.metadata numpy highspy"),
        ("concepts vmap", f"{HEAVY} ladybug importlib.metadata numpy highspy snowballstemmer"),
        ("build --offline", f"{BUILDS} {DRAWS} ladybug numpy highspy feedparser"),
        ("build --offline anew", f"{DRAWS} pandas scipy.optimize highspy spacy.cli requests"),
    ],
)
def test_a_command_loads_neither_a_build_nor_a_screen_nor_another_command(
    built: Path, tmp_path: Path, command: str, without: str
) -> None:
    free = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    words = shlex.split(command.removesuffix(" anew"))
    variables = {**free, "TORCHATLAS_HOME": str(built if "anew" not in command else tmp_path)}
    run = [sys.executable, "-c", CODE, *words]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True, env=variables)
    threads, *modules = done.stderr.splitlines()[-1].split()
    assert not {*modules} & {*without.split()}
    if command == "--help":
        assert not [name for name in modules if name.startswith(MAP)]
    elif not command.startswith("build"):
        assert len({*modules} & FAMILIES) == 1 and threads == "1"
    assert ("spacy" in modules) == ("anew" in command)


@pytest.mark.parametrize("name", ["OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"])
def test_a_number_of_threads_that_the_user_chose_stays(name: str) -> None:
    one_blas_thread(environment := {name: "3"})
    assert environment == {name: "3"}
