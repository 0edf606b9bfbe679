"""How the tests of commands run one."""

import json
import re
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner, Result

from torchatlas.ui.cli.program import PLACES, main

COMMANDS = {name: command for name in PLACES if (command := main.get_command(click.Context(main), name))}
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
"""What a terminal obeys or does not show."""


def run(home: Path, *arguments: str, given: bytes = b"", color: bool = False) -> Result:
    environment = {"TORCHATLAS_HOME": str(home), "TORCHATLAS_STORE": None, "NEO4J_URI": None, "COLUMNS": "200"}
    return CliRunner().invoke(main, arguments, env=environment, input=given, color=color)


def done(home: Path, *arguments: str, **options: Any) -> Result:
    result = run(home, *arguments, **options)
    assert result.exit_code == 0, result.output
    return result


def files(home: Path) -> dict[str, bytes]:
    return {str(p.relative_to(home)): p.read_bytes() for p in home.rglob("*") if p.is_file()}


def answer(home: Path, *arguments: str) -> Any:
    return json.loads(done(home, *arguments, "--format", "json").stdout)


def refused(home: Path, *arguments: str, code: int = 1, given: bytes = b"") -> str:
    """The one line of a command that fails; below its usage, where the command line itself is wrong."""
    result = run(home, *arguments, given=given)
    line = re.fullmatch(r"(?:Usage: .*\n)?(Error: [^\n]+)\n" if code == 2 else "(Error: [^\n]+)\n", result.stderr, re.S)
    assert line and (result.exit_code, result.stdout) == (code, ""), result.output
    return line[1]
