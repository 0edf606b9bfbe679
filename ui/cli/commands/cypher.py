"""The commands that ask in Cypher: query, ask, questions."""

import re
import shlex
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from torchatlas.graph.errors import MissingValue, QueryError, shortened
from torchatlas.graph.markdown import Table, cell
from torchatlas.graph.names import visible
from torchatlas.graph.stores.base import MAX_SECONDS, MIN_SECONDS, ROWS, SECONDS
from torchatlas.queries import typed_value
from torchatlas.ui.cli.options import atlas_option, format_option, limit_option, tell
from torchatlas.ui.plans import dumps

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.cypher import Question

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
