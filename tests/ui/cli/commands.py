"""How the tests of commands run one."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner, Result

from tests.ui.walks import Steps
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


def walk(home: Path, steps: Steps) -> None:
    r"""Run lines, of which each succeeds, with the letters behind " < " as what is typed.

    Texts are on standard output, with "2>" on the other, with "!" on neither; "==" wants all of standard output, and
    "2==" of the other. \n stands for the end of a line.
    """
    for line, then in steps:
        command, _, typed = line.partition(" < ")
        shown = done(home, *shlex.split(command), given="\n".join([*typed, ""]).encode())
        for each in then:
            sign, text = re.match(r"(2==|==|2>|!|)(.*)", each, re.S).groups()
            text, where = text.strip().replace("\\n", "\n"), shown.stderr if sign[:1] == "2" else shown.stdout
            held = {"==": where == f"{text}\n" * bool(text), "": text in where, "2>": text in where}
            held |= {"2==": held["=="], "!": text not in shown.output}
            assert held[sign], (line, each, shown.output)
