"""spaCy's command line: not loaded with spaCy, and whole once it is asked for."""

import subprocess
import sys

DEFERRED = "from torchatlas.extract.deferred_cli import defer; defer(); import sys"


def printed(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def test_spacys_pipeline_is_loaded_without_its_command_line() -> None:
    loaded = set(
        printed(f"{DEFERRED}, torchatlas.extract.pipeline as own; own.make_nlp([]); print(*sys.modules)").split()
    )
    assert "spacy" in loaded
    assert loaded & {"spacy.cli", "spacy.cli.info", "requests", "httpx", "weasel"} == set()


def test_the_command_line_is_whole_for_those_who_ask_for_it() -> None:
    assert "spacy_version" in printed(f"{DEFERRED}, spacy; print(spacy.info(silent=True))")
    names = "spacy.cli; print([command.name for command in spacy.cli.app.registered_commands])"
    assert printed(f"{DEFERRED}, {names}") == printed(f"import {names}") != ""


def test_spacy_that_is_loaded_already_is_left_alone() -> None:
    assert printed(f"import spacy; {DEFERRED}; print(spacy.info.__module__)") == "spacy.cli.info\n"
