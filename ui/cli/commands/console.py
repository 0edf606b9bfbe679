"""The command that asks one question after another: console."""

import shlex
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from torchatlas.graph.values.errors import AtlasError, QueryError
from torchatlas.settings import Settings
from torchatlas.ui.cli.commands.cypher import bound, show, values
from torchatlas.ui.cli.options import one_line, progress, settings_option, tell

if TYPE_CHECKING:
    from torchatlas.graph.stores.contract import Store
    from torchatlas.graph.values.model import Snapshot

_STYLES = ("table", "json", "csv")


@click.command()
@click.option("--limit", default=1000, show_default=True, type=click.IntRange(1), help="How many rows at the most.")
@click.option("--seconds", default=10.0, show_default=True, type=click.FloatRange(0.001), help="How long one may take.")
@settings_option
def console(settings: Settings, limit: int, seconds: float) -> None:
    """Ask in Cypher, statement by statement, with history and completion (Tab). It only reads.

    Statements may come from a file, too; then the first that fails ends it, with exit code 1.

    Example: torchatlas console < questions.cypher
    """
    from functools import cache

    from torchatlas.stored_graph import ensure, open_graph
    from torchatlas.ui.cli.completion import Words
    from torchatlas.ui.cli.console import at_a_terminal, statements, typed

    with open_graph(settings) as store:
        with progress() as report:
            built = ensure(store, settings, report)

        @cache
        def snapshot() -> "Snapshot":
            return built or store.snapshot()

        @cache
        def words() -> Words:
            return Words.of(snapshot())

        talk = _Talk(store, snapshot, limit, seconds)
        if not at_a_terminal():
            for text in statements(sys.stdin):
                talk.run(text)
            return
        tell(f"{store.address}. :help lists what else there is.", err=True)
        for text in typed(settings.home / "console-history", words):
            try:
                if not talk.run(text):
                    return
            except AtlasError as e:
                tell(one_line(e), err=True)
            except KeyboardInterrupt:
                tell("ended", err=True)


class _Talk:
    """The state of a conversation: values for parameters, and how rows are shown."""

    def __init__(self, store: "Store", snapshot: "Callable[[], Snapshot]", limit: int, seconds: float) -> None:
        self.store, self.snapshot, self.limit, self.seconds = store, snapshot, limit, seconds
        self.given: dict[str, object] = {}
        self.style = _STYLES[0]

    def run(self, text: str) -> bool:
        """Do what a statement or a command says; False where it ends the conversation. Raises AtlasError."""
        if not text.startswith(":"):
            table = self.store.query(text, self.given, rows=self.limit, seconds=self.seconds)
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
        from torchatlas.graph.answers.census import census
        from torchatlas.ui.cli.commands.export import census_text

        tell("\n".join(census_text(census(self.snapshot()))))

    def _questions(self, *_rest: str) -> None:
        from torchatlas.ui.cli.commands.cypher import questions_text

        tell("\n".join(questions_text()))

    def _ask(self, name: str = "", *rest: str) -> None:
        from torchatlas.saved_questions import find_question

        question = find_question(name)
        wanted = bound(question, values(rest), self.snapshot)
        show(self.store.query(question.cypher, wanted, rows=self.limit, seconds=self.seconds), self.style)

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
