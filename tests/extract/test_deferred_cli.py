"""spaCy's command line: not loaded with our pipeline, and whole once it is asked for."""

import subprocess
import sys

import pytest

MADE = "import sys, torchatlas.extract.pipeline as own; own.make_nlp([]); "


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print({'spacy.cli', 'spacy.cli.info', 'requests', 'httpx', 'weasel'} & {*sys.modules})", "set()"),
        ("from spacy.cli.info import info; print('spacy_version' in info(silent=True))", "True"),
        ("import spacy.cli; print(bool(spacy.cli.app.registered_commands))", "True"),
    ],
)
def test_spacys_command_line_is_loaded_only_for_those_who_ask_for_it(code: str, said: str) -> None:
    run = [sys.executable, "-c", MADE + code]
    assert subprocess.run(run, check=True, capture_output=True, text=True).stdout == f"{said}\n"


def test_spacy_that_is_loaded_already_is_left_alone() -> None:
    run = [sys.executable, "-c", f"import spacy; {MADE} print(spacy.info.__module__)"]
    assert subprocess.run(run, check=True, capture_output=True, text=True).stdout == "spacy.cli.info\n"
