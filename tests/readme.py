"""The README's sessions: found, replayed, and (as a program) written anew with what the commands print today.

A session is a ```console block: a line `$ torchatlas ...` is run, what follows it is its output, and a line `...`
stands for lines that are not shown. A comment behind a command says what it needs that a test has not: it is not run.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
SHOWN_LINES = 24


@dataclass(frozen=True)
class Shown:
    """A command of the README, the comment behind it, and the output that stands there."""

    command: str
    comment: str
    output: str


def sessions(text: str) -> Iterator[Shown]:
    """Every `$ torchatlas` line of the console blocks, with what stands below it."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            line, _, output = part.partition("\n")
            command, _, comment = line.partition("  #")
            yield Shown(command.strip(), comment.strip(), output.rstrip("\n"))


def replay(command: str, home: Path) -> str:
    """What the command prints to stdout with a fresh profile, 100 columns wide."""
    environment = {**os.environ, "TORCHATLAS_HOME": str(home), "COLUMNS": "100", "NO_COLOR": "1"}
    for name in ("TORCHATLAS_STORE", "NEO4J_URI"):
        environment.pop(name, None)
    program, *arguments = shlex.split(command)
    assert program == "torchatlas"
    run = [sys.executable, "-m", "torchatlas.ui.cli.program", *arguments]
    done = subprocess.run(run, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout.rstrip("\n")


def agrees(shown: str, printed: str) -> bool:
    """Whether the output shown is the output printed, `...` lines standing for any others."""
    parts = [re.escape(part) for part in re.split(r"^\.\.\.\n?", shown + "\n", flags=re.M)]
    return re.fullmatch(r"(?:.*\n)*?".join(parts), printed + "\n") is not None


def rewritten(text: str, home: Path) -> str:
    """The README with every replayable output as it is today, long ones cut by `...`."""
    for shown in sessions(text):
        if shown.comment or not shown.output:
            continue
        lines = replay(shown.command, home).splitlines()
        keep = lines if len(lines) <= SHOWN_LINES + 1 else [*lines[:SHOWN_LINES], "..."]
        text = text.replace(f"$ {shown.command}\n{shown.output}", f"$ {shown.command}\n" + "\n".join(keep))
    return text


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        README.write_text(rewritten(README.read_text("utf-8"), Path(folder)), "utf-8")
