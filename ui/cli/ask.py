"""Commands that ask in Cypher: query, ask, export."""

import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from torchatlas.files import STYLES, style_of
from torchatlas.graph.answers import Table
from torchatlas.graph.cypher import split_statements, tokens
from torchatlas.graph.errors import AtlasError, MissingValue, QueryError, shortened
from torchatlas.graph.names import one_line, visible
from torchatlas.graph.stores.base import MAX_SECONDS, MIN_SECONDS, ROWS, SECONDS
from torchatlas.queries import complete, typed_value
from torchatlas.ui.cli.program import command, limit_option, tell, wrapped
from torchatlas.ui.plans import cell, csv_lines, dumps

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.cypher import Question
    from torchatlas.graph.views import Census
_STYLES = ("table", "json", "csv", "sheet", "text")  # sheet: CSV without formulas; text: as table


def _encodable(text: str) -> str:
    """Refuse bytes that are not UTF-8: no engine takes halves of characters."""
    if re.search("[\ud800-\udfff]", text):
        raise click.BadParameter(f"{text!r} is not written in UTF-8")
    return text


_row_limit = limit_option(ROWS, "How many rows at the most.", "rows")
_SECONDS: dict[str, Any] = {"default": SECONDS, "type": click.FloatRange(MIN_SECONDS, MAX_SECONDS)}
_seconds = click.option("--seconds", show_default=True, help="How long a query may take.", **_SECONDS)
_parameters = click.option(
    "--param", "-p", "parameters", multiple=True, type=_encodable, metavar="NAME=VALUE", help="A value for $NAME."
)
_WORDS = """How to print. csv has texts as they are; a spreadsheet runs those that begin with = + - @ as formulas, and \
texts of feeds may. sheet is csv with an apostrophe before such texts."""


@command(*_STYLES, words=_WORDS)
@click.argument("cypher", type=_encodable, required=False)
@click.option("--schema", is_flag=True, help="Print the labels, relationships and properties of the graph.")
@_parameters
@_row_limit
@_seconds
def query(atlas: "Atlas", cypher: str | None, schema: bool, parameters: Any, style: str, **limits: Any) -> None:
    """Ask the graph in CYPHER. It only reads: writes, files and settings are refused.

    Without CYPHER it asks one statement after another, as in a shell. They may come from a file, too; then the first
    that fails ends it, with exit code 1.

    \b
    Example: torchatlas query "MATCH (c:Concept {id: '{id}'})-[:REQUIRES]->(p) RETURN p.name"
             torchatlas query < questions.cypher
    """
    if schema:
        counted = atlas.schema()
        tell(dumps(counted) if style == "json" else "\n".join(_census_lines(counted)))
        return
    if cypher is None:
        _Conversation(atlas, limits, style, _values(parameters)).go_on()
        return
    try:
        table = atlas.query(cypher, _values(parameters), **limits)
    except MissingValue as e:
        raise QueryError(f"{e}: --param {shlex.quote(f'{shortened(e.args[0])}=VALUE')}") from e
    _answer(table, style)


@command(*_STYLES, words=_WORDS)
@click.argument("name", metavar="[QUESTION]", required=False)
@_parameters
@_row_limit
@_seconds
def ask(atlas: "Atlas", name: str | None, parameters: tuple[str, ...], style: str, **limits: Any) -> None:
    """Ask a saved QUESTION by its name, or list them all.

    Concepts and episodes go by any of their names.

    Example: torchatlas ask before --param concept={goal}
    """
    if name is not None:
        _answer(atlas.ask(name, _values(parameters), **limits), style)
        return
    found = atlas.questions()
    if style in ("table", "text"):
        tell("\n".join(_question_lines(found)))
    else:
        rows = ((q.name, q.description, " ".join(f"{p.name}={p.example}" for p in q.parameters)) for q in found)
        _show(Table(("name", "description", "parameters"), tuple(rows)), style)


def _question_lines(questions: "Iterable[Question]") -> Iterable[str]:
    for question in questions:
        yield f"{question.name}\n    {question.description}"
        yield from (f"    --param {p.name}={shlex.quote(p.example)}" for p in question.parameters)


def _answer(table: Table, style: str) -> None:
    _show(table, style)
    if not table.rows:
        click.echo("no rows; torchatlas search shows ids in brackets", err=True)
    if table.truncated:
        click.echo(f"{table.caption}; --limit shows more", err=True)


def _show(table: Table, style: str) -> None:
    """Print a table, as JSON, or as CSV; in a narrow terminal with a line for each column."""
    if style == "json":
        click.echo(dumps(table))
        return
    if style in ("csv", "sheet"):
        text = "".join(csv_lines(table, harmless=style == "sheet"))
        click.echo(visible(text) if sys.stdout.isatty() else text, nl=False)
        return
    from rich.console import Console
    from rich.table import Column
    from rich.table import Table as Grid
    from rich.text import Text

    console, names = Console(), [Text(visible(name), "bold") for name in table.columns]
    wide = 12 * len(names) <= console.width
    grid = Grid(*(Column(name, overflow="fold") for name in names if wide), show_header=wide)
    for row in table.rows:
        cells = [Text(visible(cell(value))) for value in row]
        for line in [cells] if wide else zip(names, cells, strict=True):
            grid.add_row(*line)
        if not wide:
            grid.add_section()
    console.print(grid)


def _values(parameters: Iterable[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for given in parameters:
        name, sign, value = given.partition("=")
        if not sign or not name.isidentifier():
            raise click.BadParameter(f"{given!r} is not NAME=VALUE")
        found[name] = typed_value(value)
    return found


def _census_lines(counted: "Census") -> Iterable[str]:
    for kind in (*counted.nodes, *counted.relationships):
        yield f"{kind.count:6,}  {kind.pattern}"
        yield wrapped(kind.property_names, "        ")
        if kind.example:
            yield f"        such as {kind.example}"


@command()
@click.argument("target", metavar="FILE|FOLDER|-", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--format", "style", type=click.Choice(sorted(STYLES.values())), help="By default what FILE ends in.")
def export(atlas: "Atlas", target: Path, style: str | None) -> None:
    """Write the graph to a file for other programs.

    The file's ending is its format: .graphml, .gexf (Gephi), .json (node-link: networkx, D3), .cypher (a script for
    Neo4j Browser or cypher-shell), .txt (cards for Anki). A folder gets CSV for neo4j-admin, or the notes of
    --format obsidian, which never replace a note that you wrote or changed. `-` is standard output.

    Example: torchatlas export atlas.graphml
    """
    style = style_of(target, style)
    if str(target) == "-":
        click.echo(atlas.exported(style)[""], nl=False)
        return
    files = atlas.export(target, style)
    told = f"{len(files)} notes" if style == "obsidian" else f"{target.stat().st_size:,} bytes"
    if style == "csv":
        told = f"{len(files) - 1} files; there, run: neo4j-admin database import full neo4j @import.args"
    tell(f"{target}: {told}", err=True)


_HELP = """A statement ends with ; or an empty line. It only reads. Tab completes, arrow keys bring earlier ones back.
  :schema            what there is to ask
  :questions         the saved questions
  :ask NAME k=v ...  ask one of them
  :param NAME VALUE  a value for $NAME; alone, list them
  :format STYLE      table, json, csv or sheet
  :quit              or Ctrl-D; Ctrl-C leaves a statement, or ends one that runs"""


def is_whole(text: str) -> bool:
    """Return whether a text is complete, such as `is_whole("RETURN 1;")`."""
    stripped = text.strip()
    if not stripped or stripped.startswith(":") or text.endswith("\n"):
        return True
    try:
        return [token.text for token in tokens(stripped)[-1:]] == [";"]
    except QueryError:  # a string that goes on
        return False


def statements(lines: Iterable[str]) -> Iterator[str]:
    """Yield the statements and commands in lines: `statements(sys.stdin)`."""
    text = ""
    for line in chain(lines, ["\n"]):
        text += line
        if text.strip() and (not line.strip() or is_whole(text.rstrip("\n"))):
            try:
                yield from [text.strip()] if text.lstrip().startswith(":") else tuple(split_statements(text))
            except QueryError:
                yield text.strip()
            text = ""


def _typed(atlas: "Atlas") -> Iterator[str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.application import get_app
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.history import FileHistory

    class Offers(Completer):
        def get_completions(self, document: Any, _event: Any) -> Iterable[Completion]:
            for text, replaced, about in complete(document.text_before_cursor, atlas.graph):
                yield Completion(text, -replaced, display_meta=about)

    history = atlas.settings.home / "console-history"
    history.parent.mkdir(parents=True, exist_ok=True)
    session: PromptSession[str] = PromptSession(
        history=FileHistory(str(history)),
        completer=Offers(),
        complete_while_typing=False,
        multiline=Condition(lambda: not is_whole(get_app().current_buffer.text)),
        prompt_continuation="   ...> ",
    )
    with suppress(EOFError):
        while True:
            with suppress(KeyboardInterrupt):
                text = session.prompt("cypher> ").strip()
                yield from statements(text.splitlines(keepends=True))


class _Conversation:
    """The state of a conversation: values for parameters, and how rows are shown."""

    def __init__(self, atlas: "Atlas", limits: dict[str, Any], style: str, given: dict[str, object]) -> None:
        self.atlas, self.limits, self.style, self.given = atlas, limits, style, given

    def go_on(self) -> None:
        """Run what is typed, or what standard input has until one fails. Raises AtlasError."""
        self.atlas.refresh()
        typed = sys.stdin.isatty() and sys.stdout.isatty()
        if typed:
            tell(f"{self.atlas.store.address}. :help lists what else there is.", err=True)
        for text in _typed(self.atlas) if typed else statements(sys.stdin):
            try:
                self.run(text)
            except EOFError:
                return
            except (AtlasError, KeyboardInterrupt) as e:
                if not typed:
                    raise
                tell(one_line(str(e)) or "ended", err=True)

    def run(self, text: str) -> None:
        """Run a statement or a command. Raises AtlasError, EOFError for the last."""
        if not text.startswith(":"):
            try:
                self._answer(self.atlas.query(text, self.given, **self.limits))
            except MissingValue as e:
                raise QueryError(f"{e}: :param {shlex.quote(shortened(e.args[0]))} VALUE") from e
            return
        try:
            words = shlex.split(text[1:]) or [""]
        except ValueError as e:
            raise QueryError(f"{text[1:]!r}: {e}") from e
        try:
            self._command(*words)
        except click.BadParameter as e:
            raise QueryError(e.message) from e

    def _command(self, command: str, name: str = "", *rest: str) -> None:
        if command in ("quit", "exit"):
            raise EOFError
        if command == "help":
            click.echo(_HELP)
        elif command == "schema":
            tell("\n".join(_census_lines(self.atlas.schema())))
        elif command == "questions":
            tell("\n".join(_question_lines(self.atlas.questions())))
        elif command == "ask":
            self._answer(self.atlas.ask(name, _values(rest), **self.limits))
        elif command == "param":
            self.given |= _values([f"{name}={' '.join(rest)}"]) if name else {}
            for known, value in sorted(self.given.items()):
                tell(f"${known} = {value!r}", err=bool(name))  # an answer only where it was asked for
        elif command == "format":
            if name not in _STYLES:
                raise QueryError(f"rows are shown as {', '.join(_STYLES)}, not as {name!r}")
            self.style = name
        else:
            raise QueryError(f"there is no command :{command}; :help lists them")

    def _answer(self, table: Table) -> None:
        _show(table, self.style)
        tell(f"{table.caption}; --limit shows more" if table.truncated else table.caption, err=True)
