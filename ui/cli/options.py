"""What every command shares: its options, how it reports progress, and how an expected error becomes one line."""

import logging
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import click

from torchatlas.extract.characters import visible
from torchatlas.graph.stores.engines import forms
from torchatlas.graph.values.errors import AtlasError
from torchatlas.graph.values.progress import Progress
from torchatlas.settings import load_settings

Command = Callable[..., None]


def atlas_option(command: Command) -> Command:
    """Give a command `atlas`, opened as `--store` and the environment say, and turn an AtlasError into exit code 1."""

    @click.option("--store", metavar="ADDRESS", help=f"Where the graph lives: {forms()}.")
    @click.pass_context
    @wraps(command)
    def run(context: click.Context, /, store: str | None, **options: Any) -> None:
        from torchatlas.atlas import Atlas

        outer = context.find_root().params.get("store")
        try:
            with Atlas(load_settings(store or outer), progress) as atlas:
                command(atlas=atlas, **options)
        except AtlasError as e:
            raise click.ClickException(one_line(e)) from e

    return run


def one_line(error: AtlasError) -> str:
    """An error as it is told."""
    return visible(" ".join(str(error).split()))


class _Printed(logging.Handler):
    """Prints notes to standard error as it is at the moment of printing."""

    def emit(self, record: logging.LogRecord) -> None:
        click.echo(record.getMessage(), err=True)


def print_notes() -> None:
    """Print the application's notes as bare lines on standard error."""
    logger = logging.getLogger("torchatlas")
    if not any(isinstance(handler, _Printed) for handler in logger.handlers):
        logger.addHandler(_Printed())
        logger.propagate = False


def tell(text: str, *, err: bool = False) -> None:
    """Print for people: names come from feeds and servers, and a terminal obeys the control characters in them."""
    click.echo(visible(text), err=err)


def wrapped(text: str, indent: str) -> str:
    """A paragraph as wide as the terminal, indented; addresses and names are not broken."""
    width = max(40, shutil.get_terminal_size((100, 24)).columns)
    paragraph = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    paragraph.initial_indent, paragraph.subsequent_indent = indent, indent + "  "
    return paragraph.fill(text)


def format_option(*formats: str) -> Callable[[Command], Command]:
    """The option `--format`; the first is the default."""
    return click.option(
        "--format", "style", type=click.Choice(formats), default=formats[0], show_default=True, help="How to print."
    )


@contextmanager
def progress() -> Iterator[Progress]:
    """A progress bar on stderr that appears with the first report, plain lines where stderr is no terminal."""
    if not sys.stderr.isatty():
        said: set[str] = set()

        def name(what: str, done: int, total: int) -> None:
            if what not in said:
                said.add(what)
                click.echo(f"{what} ...", err=True)

        yield name
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, Any] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done, total=total)

        yield show


def split(values: Iterable[str]) -> list[str]:
    """Options that may be repeated or comma-separated, as one list."""
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


def minutes(_context: click.Context, _option: click.Parameter, value: str | None) -> int | None:
    """A length such as 90m, 90, 1h30m or 2h as minutes."""
    import re

    if value is None:
        return None
    found = re.fullmatch(r"(?:(\d+)\s*h)?\s*(?:(\d+)\s*(?:m|min)?)?", value.strip().lower())
    if not found or not value.strip():
        raise click.BadParameter(f"{value!r} is no length; write 90m or 1h30m")
    return int(found[1] or 0) * 60 + int(found[2] or 0)
