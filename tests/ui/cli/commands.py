"""How the tests of commands run one."""

import json
from pathlib import Path

import click
from click.testing import CliRunner, Result

from torchatlas.ui.cli.program import PLACES, main

COMMANDS = {name: command for name in PLACES if (command := main.get_command(click.Context(main), name))}


def run(home: Path, *arguments: str, given: bytes = b"") -> Result:
    environment = {"TORCHATLAS_HOME": str(home), "TORCHATLAS_STORE": None, "NEO4J_URI": None, "COLUMNS": "200"}
    return CliRunner().invoke(main, arguments, env=environment, input=given)


def answer(home: Path, *arguments: str) -> object:
    done = run(home, *arguments, "--format", "json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)
