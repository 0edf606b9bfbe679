"""What a command loads: a person waits for it, so each loads what it needs and no more."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from torchatlas.ui.cli.program import PLACES, one_blas_thread

ROOT = Path(__file__).parents[3]
CODE = """
import os, sys
from torchatlas.ui.cli.program import main
main(sys.argv[1:], standalone_mode=False)
print(os.environ.get("OPENBLAS_NUM_THREADS"), *sys.modules, file=sys.stderr)
"""
BUILDS = {
    "spacy",
    "scipy",
    "networkx",
    "pandas",
    "pyarrow",
    "pydantic",
    "torchatlas.extract.pipeline",
    "torchatlas.graph.build",
}
FETCHES = {"requests", "urllib3", "feedparser", "selectolax", "charset_normalizer", "torchatlas.extract.text"}
DRAWS = {"streamlit", "pyvis", "rich", "mcp"}
FAMILIES = {f"torchatlas.ui.cli.{place.partition(':')[0]}" for place in PLACES.values()}
MAP = (
    *FAMILIES, "torchatlas.atlas", "torchatlas.build",
    "torchatlas.graph.answers", "torchatlas.graph.model", "torchatlas.graph.model",
)  # fmt: skip
HEAVY = BUILDS | FETCHES | DRAWS | {"neo4j"}


def loaded(home: Path, *command: str, **environment: str) -> tuple[str, set[str]]:
    """The number of threads that OpenBLAS was given, and the modules that are loaded when a command has answered."""
    free = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", CODE, *command], cwd=ROOT, capture_output=True, text=True, check=True,
        env={**free, "TORCHATLAS_HOME": str(home), **environment},
    )  # fmt: skip
    threads, *modules = done.stderr.splitlines()[-1].split()
    return threads, set(modules)


def test_the_help_loads_no_command_and_nothing_of_the_map(tmp_path: Path) -> None:
    _, modules = loaded(tmp_path, "--help")
    assert not [name for name in modules if name.startswith(MAP)]
    assert not modules & (HEAVY | {"numpy", "ladybug", "rapidfuzz", "highspy"})


@pytest.mark.slow
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
    assert len(modules & FAMILIES) == 1
    assert threads == "1"


@pytest.mark.slow
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
