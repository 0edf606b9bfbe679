"""The commands that ask in Cypher: query, questions, ask."""

from collections.abc import Mapping

import click

from graph.answers import Table
from ui.command import format_option, progress, settings_option
from ui.exports import dumps, table_json
from ui.settings import Settings


@click.command()
@click.argument("cypher")
@click.option("--param", "-p", "parameters", multiple=True, metavar="NAME=VALUE", help="A value for $NAME.")
@click.option("--limit", default=1000, show_default=True, type=click.IntRange(1), help="How many rows at the most.")
@click.option("--seconds", default=10.0, show_default=True, help="How long it may take.")
@format_option("table", "json", "csv")
@settings_option
def query(settings: Settings, cypher: str, parameters: tuple[str, ...], limit: int, seconds: float, style: str) -> None:
    """Ask the graph in CYPHER. It only reads: writes, files and settings are refused.

    Example: torchatlas query "MATCH (c:Concept {id: 'autograd'})-[:REQUIRES]->(p) RETURN p.name"
    """
    _run(settings, cypher, _values(parameters), limit, seconds, style)


@click.command()
@click.argument("name", required=False)
@click.option("--param", "-p", "parameters", multiple=True, metavar="NAME=VALUE", help="A value for $NAME.")
@format_option("table", "json", "csv")
@settings_option
def ask(settings: Settings, name: str | None, parameters: tuple[str, ...], style: str) -> None:
    """Ask a saved question by NAME; without one, list them with their parameters.

    Example: torchatlas ask before --param concept=aotautograd
    """
    from ui.questions import find_question, load_questions

    if name is None:
        for question in load_questions():
            click.echo(f"{question.name}\n    {question.description}")
            for parameter in question.parameters:
                click.echo(f"    --param {parameter.name}={parameter.example}")
        return
    question = find_question(name)
    _run(settings, question.cypher, question.bind(_values(parameters)), 1000, 10.0, style)


def _run(
    settings: Settings, cypher: str, parameters: Mapping[str, object], limit: int, seconds: float, style: str
) -> None:
    from ui.atlas import ensure, open_graph

    with open_graph(settings) as store:
        with progress() as report:
            ensure(store, settings, report)
        table = store.query(cypher, parameters, rows=limit, seconds=seconds)
    _show(table, style)
    if table.truncated:
        click.echo(f"cut after {limit} rows; --limit raises it", err=True)


def _show(table: Table, style: str) -> None:
    if style == "json":
        click.echo(dumps(table_json(table)))
    elif style == "csv":
        import csv
        import sys

        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(table.columns)
        writer.writerows(table.rows)
    else:
        from rich.console import Console
        from rich.table import Table as Grid
        from rich.text import Text

        grid = Grid()
        for column in table.columns:
            grid.add_column(Text(column))
        for row in table.rows:
            grid.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
        Console().print(grid)


def _values(parameters: tuple[str, ...]) -> dict[str, object]:
    """NAME=VALUE options as values: whole numbers and decimals as numbers, everything else as text."""
    found: dict[str, object] = {}
    for given in parameters:
        name, sign, value = given.partition("=")
        if not sign or not name.isidentifier():
            raise click.BadParameter(f"{given!r} is not NAME=VALUE")
        found[name] = _number(value)
    return found


def _number(text: str) -> object:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
