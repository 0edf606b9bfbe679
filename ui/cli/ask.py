"""Commands that ask in Cypher: query, ask, questions, schema, export, console."""

import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from torchatlas.files import STYLES as FILE_STYLES
from torchatlas.files import style_of
from torchatlas.graph.answers import Table
from torchatlas.graph.cypher import split_statements, tokens
from torchatlas.graph.errors import AtlasError, DataError, MissingValue, QueryError, shortened
from torchatlas.graph.names import one_line, visible
from torchatlas.graph.stores.base import MAX_SECONDS, MIN_SECONDS, ROWS, SECONDS
from torchatlas.queries import complete, typed_value
from torchatlas.ui.cli.options import atlas_option, format_option, limit_option, print_answer, tell, wrapped
from torchatlas.ui.plans import cell, dumps

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from torchatlas.atlas import Atlas
    from torchatlas.graph.cypher import Question
    from torchatlas.graph.views import Census
    from torchatlas.queries import Completion


STYLES = ("table", "json", "csv", "sheet")
"""`sheet` is CSV in which a spreadsheet takes no text for a formula."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?", re.A)
_NARROWEST = 12
"""Characters of a terminal for each column of a table that can still be read."""


def _encodable(_context: click.Context, _parameter: click.Parameter, value: Any) -> Any:
    """Refuse bytes that are not UTF-8: they arrive as halves of characters, which no engine takes."""
    for text in (value,) if isinstance(value, str) else value:
        if re.search("[\ud800-\udfff]", text):
            raise click.BadParameter(f"{text!r} is not written in UTF-8")
    return value


row_limit_option = limit_option(ROWS, "How many rows at the most.")
seconds_option = click.option(
    "--seconds",
    default=SECONDS,
    show_default=True,
    type=click.FloatRange(MIN_SECONDS, MAX_SECONDS),
    help="How long a query may take.",
)
_parameters = click.option(
    "--param", "-p", "parameters", multiple=True, callback=_encodable, metavar="NAME=VALUE", help="A value for $NAME."
)

_style_option = format_option(
    *STYLES,
    words="How to print. csv has texts as they are; a spreadsheet runs those that begin with = + - @ as formulas,"
    " and texts of feeds may. sheet is csv with an apostrophe before such texts.",
)


@click.command()
@click.argument("cypher", callback=_encodable)
@_parameters
@row_limit_option
@seconds_option
@_style_option
@atlas_option
def query(atlas: "Atlas", cypher: str, parameters: tuple[str, ...], limit: int, seconds: float, style: str) -> None:
    """Ask the graph in CYPHER. It only reads: writes, files and settings are refused.

    Example: torchatlas query "MATCH (c:Concept {id: '{id}'})-[:REQUIRES]->(p) RETURN p.name"
    """
    try:
        table = atlas.query(cypher, values(parameters), rows=limit, seconds=seconds)
    except MissingValue as e:
        raise QueryError(f"{e}: --param {shlex.quote(f'{shortened(e.name)}=VALUE')}") from e
    _answer(table, style)


@click.command()
@click.argument("name")
@_parameters
@row_limit_option
@seconds_option
@_style_option
@atlas_option
def ask(atlas: "Atlas", name: str, parameters: tuple[str, ...], limit: int, seconds: float, style: str) -> None:
    """Ask a saved question by NAME (see torchatlas questions).

    Concepts and episodes go by any of their names.

    Example: torchatlas ask before --param concept={goal}
    """
    _answer(atlas.ask(name, values(parameters), rows=limit, seconds=seconds), style)


@click.command()
@_style_option
@atlas_option
def questions(atlas: "Atlas", style: str) -> None:
    """List the saved questions, and the values that each needs.

    Example: torchatlas questions
    """
    found = atlas.questions()
    if style == "table":
        tell("\n".join(question_lines(found)))
        return
    rows = ((q.name, q.description, " ".join(f"{p.name}={p.example}" for p in q.parameters)) for q in found)
    show(Table(("name", "description", "parameters"), tuple(rows)), style)


def question_lines(questions: "Iterable[Question]") -> Iterable[str]:
    """Yield the saved questions for people, each with an example of every value that it wants."""
    for question in questions:
        yield f"{question.name}\n    {question.description}"
        for parameter in question.parameters:
            yield f"    --param {parameter.name}={shlex.quote(parameter.example)}"


def _answer(table: Table, style: str) -> None:
    show(table, style)
    if not table.rows:
        click.echo("no rows; a concept's or an episode's id is what torchatlas search shows in brackets", err=True)
    if table.truncated:
        click.echo(f"{table.caption}; --limit shows more", err=True)


def show(table: Table, style: str) -> None:
    """Print rows to standard output as a table, as JSON, as CSV or as CSV for spreadsheets."""
    if style == "json":
        click.echo(dumps(table))
    elif style in ("csv", "sheet"):
        rows = [table.columns, *([_field(value) for value in row] for row in table.rows)]
        text = "".join(_record([_harmless(field) for field in row] if style == "sheet" else row) for row in rows)
        click.echo(visible(text) if sys.stdout.isatty() else text, nl=False)
    else:
        click.echo(_drawn(table), nl=False)


def _drawn(table: Table) -> str:
    """Draw the rows side by side; where the terminal is too narrow for that, a line for each column."""
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    console, cells = Console(), [[Text(visible(cell(value))) for value in row] for row in table.rows]
    names = [Text(visible(name), "bold") for name in table.columns]
    if len(names) * _NARROWEST <= console.width:
        grid = Grid()
        for name in names:
            grid.add_column(name, overflow="fold")
        for row in cells:
            grid.add_row(*row)
    else:
        grid = Grid(show_header=False)
        for row in cells:
            for name, value in zip(names, row, strict=True):
                grid.add_row(name, value)
            grid.add_section()
    with console.capture() as drawn:
        console.print(grid)
    return drawn.get()


def _field(value: object) -> object:
    """Return a field of CSV: lists, nodes and the like as the JSON that `--format json` prints."""
    return value if value is None or isinstance(value, str) else dumps(value, indent=None)


def _record(fields: Iterable[object]) -> str:
    """Return a line of CSV. Python's writer quotes a carriage return only where its own lines end in one."""
    import csv
    import io

    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerow(fields)
    return written.getvalue().removesuffix("\r\n") + "\n"


def _harmless(field: object) -> object:
    """Return a field that a spreadsheet takes for a text; numbers stay numbers.

    https://owasp.org/www-community/attacks/CSV_Injection
    """
    written = isinstance(field, str) and field.lstrip(" \xa0\ufeff\0").startswith(_FORMULA)
    return f"'{field}" if written and not _NUMBER.fullmatch(str(field)) else field


def values(parameters: Iterable[str]) -> dict[str, object]:
    """Return NAME=VALUE options as names and values. Raises click.BadParameter.

    >>> values(["limit=9", "concept=vmap"])
    {'limit': 9, 'concept': 'vmap'}
    """
    found: dict[str, object] = {}
    for given in parameters:
        name, sign, value = given.partition("=")
        if not sign or not name.isidentifier():
            raise click.BadParameter(f"{given!r} is not NAME=VALUE")
        found[name] = typed_value(value)
    return found


@click.command()
@format_option("text", "json")
@atlas_option
def schema(atlas: "Atlas", style: str) -> None:
    """Print the labels, relationships and properties of the graph.

    Each has its count and an example.

    Example: torchatlas schema
    """
    counted = atlas.schema()
    print_answer(counted, style, census_lines(counted))


def census_lines(counted: "Census") -> Iterable[str]:
    """Yield the schema for people: a pattern, its properties (with a count where not all have it), an example."""
    for kind in (*counted.nodes, *counted.relationships):
        yield f"{kind.count:6,}  {kind.pattern}"
        yield wrapped(kind.property_names, "        ")
        if kind.example:
            yield f"        such as {kind.example}"


@click.command()
@click.argument("target", metavar="FILE|FOLDER|-", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--format", "style", type=click.Choice(sorted(FILE_STYLES.values())), help="By default what FILE ends in."
)
@atlas_option
def export(atlas: "Atlas", target: Path, style: str | None) -> None:
    """Write the graph to a file for other programs.

    The file's ending is its format: .graphml, .gexf (Gephi), .json (node-link: networkx, D3), .cypher (a script for
    Neo4j Browser or cypher-shell). A folder gets CSV for neo4j-admin. `-` is standard output.

    Example: torchatlas export atlas.graphml
    """
    try:
        style = style_of(target, style)
    except DataError as e:
        raise click.BadParameter(str(e), param_hint="FILE") from e
    if str(target) == "-":
        click.echo(atlas.exported(style), nl=False)
        return
    files = atlas.export(target, style)
    if style == "csv":
        told = f"{len(files) - 1} files; there, run: neo4j-admin database import full neo4j @import.args"
    else:
        told = f"{target.stat().st_size:,} bytes"
    tell(f"{target}: {told}", err=True)


Complete = Callable[[str], "Iterable[Completion]"]
"""From the text before the cursor to the ways to go on."""

HELP = """A statement ends with ; or an empty line. It only reads. Tab completes, arrow keys bring earlier ones back.
  :schema            what there is to ask
  :questions         the saved questions
  :ask NAME k=v ...  ask one of them
  :param NAME VALUE  a value for $NAME; alone, list them
  :format STYLE      table, json, csv or sheet
  :quit              or Ctrl-D; Ctrl-C leaves a statement, or ends one that runs"""


def is_whole(text: str) -> bool:
    """Return whether a text is to be run: a command, or a statement with a semicolon or an empty line behind it.

    >>> is_whole("RETURN 1;"), is_whole("RETURN ';"), is_whole(":help")
    (True, False, True)
    """
    stripped = text.strip()
    if not stripped or stripped.startswith(":") or text.endswith("\n"):
        return True
    try:
        return tokens(stripped)[-1:] != () and tokens(stripped)[-1].text == ";"
    except QueryError:  # a string that goes on
        return False


def statements(lines: Iterable[str]) -> Iterator[str]:
    """Yield the statements and commands in the lines of a file or a pipe.

    >>> list(statements(["RETURN\\n", "1;\\n", ":help\\n"]))
    ['RETURN\\n1;', ':help']
    """
    text = ""
    for line in lines:
        text += line
        if text.strip() and is_whole(text.rstrip("\n") + ("\n" if not line.strip() else "")):
            yield from _split(text)
            text = ""
    if text.strip():
        yield from _split(text)


def _split(text: str) -> Iterator[str]:
    """Yield the statements of a text; a command, and a text that cannot be read, stays whole."""
    try:
        yield from [text.strip()] if text.lstrip().startswith(":") else tuple(split_statements(text))
    except QueryError:
        yield text.strip()


def typed(history: Path, complete: Complete) -> Iterator[str]:
    """Yield the statements that a person types at a terminal, until Ctrl-D."""
    session = _session(history, complete)
    while True:
        try:
            text = session.prompt("cypher> ").strip()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        yield from statements(text.splitlines(keepends=True))


def _session(history: Path, complete: Complete) -> "PromptSession[str]":
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.completion import Completion as Offer
    from prompt_toolkit.history import FileHistory
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    class Offers(Completer):
        def get_completions(self, document: "Document", _event: "CompleteEvent") -> "Iterable[Offer]":
            for c in complete(document.text_before_cursor):
                yield Offer(c.text, -c.replaces, display_meta=c.about)

    keys = KeyBindings()

    @keys.add("enter")
    def _enter(event: KeyPressEvent) -> None:
        text = event.current_buffer.text
        if is_whole(text):
            event.current_buffer.validate_and_handle()
        else:
            event.current_buffer.insert_text("\n")

    history.parent.mkdir(parents=True, exist_ok=True)
    return PromptSession(
        history=FileHistory(str(history)),
        completer=Offers(),
        complete_while_typing=False,
        multiline=True,
        key_bindings=keys,
        prompt_continuation="   ...> ",
    )


def at_a_terminal() -> bool:
    """Return whether a person types; otherwise statements come from a file or a pipe."""
    return sys.stdin.isatty() and sys.stdout.isatty()


@click.command()
@row_limit_option
@seconds_option
@atlas_option
def console(atlas: "Atlas", limit: int, seconds: float) -> None:
    """Ask in Cypher, statement by statement, as in a shell.

    It has history and completion (Tab), and it only reads.

    Statements may come from a file, too; then the first that fails ends it, with exit code 1.

    Example: torchatlas console < questions.cypher
    """
    atlas.refresh()
    talk = _Conversation(atlas, limit, seconds)
    if not at_a_terminal():
        for text in statements(sys.stdin):
            talk.run(text)
        return
    tell(f"{atlas.store.address}. :help lists what else there is.", err=True)
    for text in typed(atlas.settings.home / "console-history", partial(complete, graph=atlas.graph)):
        try:
            if not talk.run(text):
                return
        except AtlasError as e:
            tell(one_line(str(e)), err=True)
        except KeyboardInterrupt:
            tell("ended", err=True)


class _Conversation:
    """The state of a conversation: values for parameters, and how rows are shown."""

    def __init__(self, atlas: "Atlas", limit: int, seconds: float) -> None:
        self.atlas, self.limit, self.seconds = atlas, limit, seconds
        self.given: dict[str, object] = {}
        self.style = STYLES[0]

    def run(self, text: str) -> bool:
        """Do what a statement or a command says; False where it ends the conversation. Raises AtlasError."""
        if not text.startswith(":"):
            try:
                self._answer(self.atlas.query(text, self.given, rows=self.limit, seconds=self.seconds))
            except MissingValue as e:
                raise QueryError(f"{e}: :param {shlex.quote(shortened(e.name))} VALUE") from e
            return True
        name, *rest = _typed_words(text[1:])
        if name in ("quit", "exit"):
            return False
        commands = {
            "help": self._help,
            "schema": self._schema,
            "questions": self._questions,
            "ask": self._ask,
            "param": self._param,
            "format": self._format,
        }
        if name not in commands:
            raise QueryError(f"there is no command :{name}; :help lists them")
        try:
            commands[name](*rest)
        except click.BadParameter as e:
            raise QueryError(e.message) from e
        return True

    def _answer(self, table: Table) -> None:
        show(table, self.style)
        tell(f"{table.caption}; --limit shows more" if table.truncated else table.caption, err=True)

    def _help(self, *_rest: str) -> None:
        click.echo(HELP)

    def _schema(self, *_rest: str) -> None:
        tell("\n".join(census_lines(self.atlas.schema())))

    def _questions(self, *_rest: str) -> None:
        tell("\n".join(question_lines(self.atlas.questions())))

    def _ask(self, name: str = "", *rest: str) -> None:
        self._answer(self.atlas.ask(name, values(rest), rows=self.limit, seconds=self.seconds))

    def _param(self, name: str = "", *rest: str) -> None:
        if name:
            self.given |= values([f"{name}={' '.join(rest)}"])
        for known, value in sorted(self.given.items()):
            tell(f"${known} = {value!r}", err=bool(name))  # an answer only where it was asked for

    def _format(self, style: str = "", *_rest: str) -> None:
        if style not in STYLES:
            raise QueryError(f"rows are shown as {', '.join(STYLES)}, not as {style!r}")
        self.style = style


def _typed_words(text: str) -> list[str]:
    try:
        return shlex.split(text) or [""]
    except ValueError as e:
        raise QueryError(f"{text!r}: {e}") from e
