"""The command that asks one question after another: console."""

import shlex
import sys
from typing import TYPE_CHECKING

import click

from torchatlas.graph.errors import AtlasError, MissingValue, QueryError, shortened
from torchatlas.graph.markdown import Table
from torchatlas.graph.names import one_line
from torchatlas.ui.cli.commands.cypher import (
    STYLES,
    question_lines,
    row_limit_option,
    seconds_option,
    show,
    values,
)
from torchatlas.ui.cli.options import atlas_option, tell

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas


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
    from torchatlas.ui.cli.statement_input import at_a_terminal, statements, typed

    atlas.refresh()
    talk = _Conversation(atlas, limit, seconds)
    if not at_a_terminal():
        for text in statements(sys.stdin):
            talk.run(text)
        return
    tell(f"{atlas.store.address}. :help lists what else there is.", err=True)
    for text in typed(atlas.settings.home / "console-history", atlas.complete):
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
        name, *rest = _words(text[1:])
        if name in ("quit", "exit"):
            return False
        commands = {
            "help": self._help, "schema": self._schema, "questions": self._questions, "ask": self._ask,
            "param": self._param, "format": self._format,
        }  # fmt: skip
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
        from torchatlas.ui.cli.statement_input import HELP

        click.echo(HELP)

    def _schema(self, *_rest: str) -> None:
        from torchatlas.ui.cli.commands.schema import census_lines

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


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text) or [""]
    except ValueError as e:
        raise QueryError(f"{text!r}: {e}") from e
