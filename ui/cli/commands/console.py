"""The command that asks one question after another: console."""

import shlex
import sys
from typing import TYPE_CHECKING

import click

from torchatlas.graph.values.errors import AtlasError, QueryError
from torchatlas.ui.cli.commands.cypher import show, values
from torchatlas.ui.cli.options import atlas_option, one_line, tell

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas

_STYLES = ("table", "json", "csv")


@click.command()
@click.option("--limit", default=1000, show_default=True, type=click.IntRange(1), help="How many rows at the most.")
@click.option("--seconds", default=10.0, show_default=True, type=click.FloatRange(0.001), help="How long one may take.")
@atlas_option
def console(atlas: "Atlas", limit: int, seconds: float) -> None:
    """Ask in Cypher, statement by statement, with history and completion (Tab). It only reads.

    Statements may come from a file, too; then the first that fails ends it, with exit code 1.

    Example: torchatlas console < questions.cypher
    """
    from functools import cache

    from torchatlas.ui.cli.completion import Words
    from torchatlas.ui.cli.console import at_a_terminal, statements, typed

    atlas.refresh()

    @cache
    def words() -> Words:
        return Words.of(atlas.graph)

    talk = _Conversation(atlas, limit, seconds)
    if not at_a_terminal():
        for text in statements(sys.stdin):
            talk.run(text)
        return
    tell(f"{atlas.store.address}. :help lists what else there is.", err=True)
    for text in typed(atlas.settings.home / "console-history", words):
        try:
            if not talk.run(text):
                return
        except AtlasError as e:
            tell(one_line(e), err=True)
        except KeyboardInterrupt:
            tell("ended", err=True)


class _Conversation:
    """The state of a conversation: values for parameters, and how rows are shown."""

    def __init__(self, atlas: "Atlas", limit: int, seconds: float) -> None:
        self.atlas, self.limit, self.seconds = atlas, limit, seconds
        self.given: dict[str, object] = {}
        self.style = _STYLES[0]

    def run(self, text: str) -> bool:
        """Do what a statement or a command says; False where it ends the conversation. Raises AtlasError."""
        if not text.startswith(":"):
            table = self.atlas.store.query(text, self.given, rows=self.limit, seconds=self.seconds)
            show(table, self.style)
            count = f"{len(table.rows)} row{'' if len(table.rows) == 1 else 's'}"
            tell(f"{count}, cut there; --limit raises it" if table.truncated else count, err=True)
            return True
        name, *rest = _words(text[1:])
        if name in ("quit", "exit"):
            return False
        if name == "help":
            from torchatlas.ui.cli.console import HELP

            click.echo(HELP)
            return True
        commands = {
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

    def _schema(self, *_rest: str) -> None:
        from torchatlas.ui.cli.commands.schema import census_text

        tell("\n".join(census_text(self.atlas.schema())))

    def _questions(self, *_rest: str) -> None:
        from torchatlas.ui.cli.commands.cypher import questions_text

        tell("\n".join(questions_text()))

    def _ask(self, name: str = "", *rest: str) -> None:
        show(self.atlas.ask(name, values(rest), rows=self.limit, seconds=self.seconds), self.style)

    def _param(self, name: str = "", *rest: str) -> None:
        if name:
            self.given |= values([f"{name}={' '.join(rest)}"])
        for known, value in sorted(self.given.items()):
            tell(f"${known} = {value!r}", err=bool(name))  # an answer only where it was asked for

    def _format(self, style: str = "", *_rest: str) -> None:
        if style not in _STYLES:
            raise QueryError(f"rows are shown as {', '.join(_STYLES)}, not as {style!r}")
        self.style = style


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text) or [""]
    except ValueError as e:
        raise QueryError(f"{text!r}: {e}") from e
