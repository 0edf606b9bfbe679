"""The sessions of the documentation and its reference: as a program, written anew with today's output.

A session is a ```console block: a line `$ torchatlas ...` is run, the lines below it are its output, and a line `...`
stands for lines that are not shown. A comment behind a command says what it needs that a test lacks: it is not run.
"""

import ast
import inspect
import json
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner, Result

import torchatlas
from tests.ui.cli.commands import COMMANDS
from torchatlas.ui.cli.program import SECTIONS, main

ROOT = Path(__file__).parent.parent
TOUR = ROOT / "docs" / "tour.ipynb"
_FORMS = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_", "text/markdown": "_repr_markdown_"}
OTHERS: dict[str, str | None] = {"TORCHATLAS_STORE": None, "NEO4J_URI": None}
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))


class Shown(NamedTuple):
    """A command of a page, the comment behind it, and the output below it."""

    command: str
    comment: str
    output: str

    @property
    def replayable(self) -> bool:
        return bool(self.output) and not self.comment


def blocks(text: str, language: str) -> Iterator[tuple[str, str]]:
    """Find the fenced blocks of a language: what stands behind the language, and the block."""
    yield from re.findall(rf"^```{language}\b *(.*)\n((?:.*\n)*?)^```$", text, re.M)


def sessions(text: str) -> Iterator[Shown]:
    """Find each `$ torchatlas` line of the console blocks, with the output below it."""
    for _, block in blocks(text, "console"):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            line, _, output = part.partition("\n")
            command, _, comment = line.partition("  #")
            yield Shown(command.strip(), comment.strip(), output.rstrip("\n"))


def environment(home: Path) -> dict[str, str]:
    """Return the variables under which a command uses this home and no other, 100 columns wide."""
    own = {"TORCHATLAS_HOME": str(home), "COLUMNS": "100", "NO_COLOR": "1"}
    return {name: value for name, value in os.environ.items() if name not in ("TORCHATLAS_STORE", "NEO4J_URI")} | own


def run(home: Path, *arguments: str) -> Result:
    """Run a command in this process, from the checkout, as `torchatlas ARGUMENTS`; it must succeed."""
    with chdir(ROOT):
        done = CliRunner().invoke(main, arguments, env=OTHERS | environment(home), prog_name="torchatlas")
    assert done.exit_code == 0, f"{shlex.join(arguments)}: {done.output}"
    return done


def replay(command: str, home: Path) -> str:
    return run(home, *shlex.split(command.removeprefix("torchatlas "))).stdout.rstrip("\n")


def agrees(shown: str, printed: str) -> bool:
    """Tell whether the output shown is the output printed, `...` lines standing for any others."""
    parts = [re.escape(part) for part in re.split(r"^\.\.\.\n?", shown + "\n", flags=re.M)]
    return re.fullmatch(r"(?:.*\n)*?".join(parts), printed + "\n") is not None


def rewritten(text: str, home: Path) -> str:
    """Return the page with today's outputs. One that ends in `...` keeps its number of lines, any other is whole."""
    for shown in filter(lambda s: s.replayable, sessions(text)):
        printed, length = replay(shown.command, home).splitlines(), len(shown.output.splitlines())
        cut = shown.output.endswith("\n...") and len(printed) > length
        lines = [*printed[: length - 1], "..."] if cut else printed
        text = text.replace(f"$ {shown.command}\n{shown.output}\n", "\n".join([f"$ {shown.command}", *lines, ""]))
    return text


def tour_rewritten(text: str) -> str:
    """Return the notebook with today's outputs, in their richest form, for the person whom the environment names."""
    notebook: dict[str, Any] = json.loads(text)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for place, (cell, value) in enumerate(zip(code, _values(code), strict=True), 1):
        output = {"data": _data(value), "execution_count": place, "metadata": {}, "output_type": "execute_result"}
        cell |= {"execution_count": place, "outputs": [] if value is None else [output]}
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _values(cells: list[dict[str, Any]]) -> Iterator[object]:
    """Run the cells one after another and yield the value of each last line, None for a statement."""
    scope: dict[str, Any] = {}
    for cell in cells:
        tree = ast.parse("".join(cell["source"]))
        shown = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, str(TOUR), "exec"), scope)
        yield eval(compile(ast.Expression(shown.value), str(TOUR), "eval"), scope) if shown else None


def _data(value: object) -> dict[str, list[str]]:
    found = ((form, getattr(value, method)()) for form, method in _FORMS.items() if hasattr(value, method))
    form, text = next(found, ("text/plain", repr(value)))
    return {form: text.splitlines(keepends=True)}


def reference(home: Path) -> dict[Path, str]:
    """Return the generated pages: the help of every listed command, and every public name of the library."""
    commands, library = ["# All commands"], ["# The library", "`Name` is `str | int`, and `Names` is one or several."]
    for heading, places in SECTIONS.items():
        commands.append(f"## {heading}")
        for name in re.findall(r":(\w+?)_?\b", places):
            each = (name, *(f"{name} {inner}" for inner in getattr(COMMANDS[name], "commands", ())))
            commands += [f"### {of}\n\n```text\n{replay(f'{of} --help', home)}\n```" for of in each]
    for public in torchatlas.__all__:
        (tree,) = ast.parse(inspect.getsource(getattr(torchatlas, public))).body
        for node in (tree, *getattr(tree, "body", ())):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_":
                said, node.body = ast.get_docstring(node), []
                signature = " ".join(ast.unparse(node).split()).rstrip(":").replace("open_atlas", "open")
                head = f"## torchatlas.{public}" if node is tree else f"### {node.name}"
                library.append(f"{head}\n\n`{signature}`\n\n{said}")
    pages = {"commands": commands, "library": library}
    return {ROOT / f"docs/reference/{name}.md": "\n\n".join(page) + "\n" for name, page in pages.items()}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder, "home")
        replay("torchatlas build --offline", built)
        for page in PAGES:
            copy = Path(shutil.copytree(built, Path(folder, page.name)))  # where nobody has done anything but build
            page.write_text(rewritten(page.read_text("utf-8"), copy), "utf-8")
        for written, text in reference(built).items():
            written.write_text(text, "utf-8")
        own = environment(built)
        os.environ.clear()
        os.environ.update(own)
        TOUR.write_text(tour_rewritten(TOUR.read_text("utf-8")), "utf-8")
