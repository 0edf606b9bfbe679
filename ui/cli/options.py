"""The options that commands share, the printing of answers and progress, and expected errors as one line."""

import logging
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from torchatlas.graph.errors import AtlasError, SourceError, shortened
from torchatlas.graph.names import one_line, visible
from torchatlas.graph.stores.base import forms

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.model import Progress

Command = Callable[..., None]
_LONGEST = 1000  # characters of an error


def atlas_option(command: Command) -> Command:
    """Give a command `atlas`, opened as `--store` and the environment say, and turn an AtlasError into exit code 1."""

    @click.option("--store", metavar="ADDRESS", help=f"Where the graph lives: {forms()}.")
    @click.pass_context
    @wraps(command)
    def run(context: click.Context, /, store: str | None, **options: Any) -> None:
        from torchatlas.atlas import Atlas
        from torchatlas.settings import load_settings

        outer = context.find_root().params.get("store")
        try:
            with Atlas(load_settings(store or outer), progress) as atlas:
                command(atlas=atlas, **options)
        except AtlasError as e:
            raise click.ClickException(_readable(one_line(str(e)))) from e

    return run


def readers_options(command: Command) -> Command:
    """Give a command the options `--jobs` and `--on`, which say where texts are read."""
    jobs = click.option("--jobs", type=click.IntRange(1, 256), help="Processes that read. [default: as many as help]")
    on = click.option(
        "--on", callback=_cluster, metavar="ADDRESS", help="Read on a Dask cluster: tcp://SCHEDULER:8786."
    )
    return jobs(on(command))


def _cluster(_context: click.Context, _option: click.Parameter, value: str | None) -> str:
    """Return the address of a cluster, "" where none is given; an empty one is a variable that somebody forgot."""
    if value is not None and not value.strip():
        raise click.BadParameter("it is empty; write tcp://SCHEDULER:8786")
    return value or ""


def show_option(command: Command) -> Command:
    """Give a command the option `--show`, which leaves its `atlas` with the episodes of the named shows."""

    @click.option(
        "--show",
        "shows",
        multiple=True,
        metavar="NAME",
        help="Only episodes of this show, by title or id. Repeatable; `torchatlas shows` lists them.",
    )
    @wraps(command)
    def run(atlas: "Atlas", shows: tuple[str, ...], **options: Any) -> None:
        command(atlas=atlas.of_shows(*shows) if shows else atlas, **options)

    return run


def _readable(line: str) -> str:
    """Return a line without its middle where it repeats something very long that a person gave."""
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 2 :]}"


class _Printed(logging.Handler):
    """A handler that prints notes to standard error as it is at the moment of printing."""

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


def print_answer(answer: object, style: str, lines: Iterable[str]) -> None:
    """Print an answer as JSON in the style "json", else its lines for people.

    Example: print_answer(rows, "text", (row.title for row in rows))
    """
    if style == "json":
        from torchatlas.ui.plans import dumps

        click.echo(dumps(answer))
        return
    for line in lines:
        tell(line)


def finish(failed: str) -> None:
    """End a command of which a part failed: `failed` says how much, "" nothing. Raises SourceError."""
    if failed:
        raise SourceError(failed)


def wrapped(text: str, indent: str = "  ") -> str:
    """Return a paragraph as wide as the terminal, indented; addresses and names are not broken."""
    width = max(40, shutil.get_terminal_size((100, 24)).columns)
    return textwrap.fill(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def format_option(*formats: str, words: str = "How to print.") -> Callable[[Command], Command]:
    """Return the option `--format`; the first is the default."""
    return click.option(
        "--format", "style", type=click.Choice(formats), default=formats[0], show_default=True, help=words
    )


def limit_option(default: int, words: str = "How many at the most.") -> Callable[[Command], Command]:
    """Return the option `--limit`."""
    return click.option("--limit", default=default, show_default=True, type=click.IntRange(1), help=words)


@contextmanager
def progress() -> "Iterator[Progress]":
    """Show a progress bar on stderr from the first report on, plain lines where stderr is no terminal."""
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


def split(values: Iterable[str], names: Iterable[str] = ()) -> list[str]:
    """Return options that may be repeated or comma-separated as one list; of the names that hold commas none is cut.

    >>> split(["vmap, autograd", "flour, water and salt, GIL"], ["Flour, water and salt"])
    ['vmap', 'autograd', 'flour, water and salt', 'GIL']
    """
    from torchatlas.graph.names import fold

    whole = {fold(name): name.count(",") + 1 for name in names}
    return [name for value in values for name in _listed(value.split(","), whole, fold) if name]


def _listed(parts: list[str], whole: Mapping[str, int], fold: Callable[[str], str]) -> Iterator[str]:
    """Yield the names in the parts of a text. `whole`: a name that holds commas, folded -> how many parts it has."""
    at, most = 0, max(whole.values(), default=1)
    while at < len(parts):
        joined = ((n, ",".join(parts[at : at + n]).strip()) for n in range(min(most, len(parts) - at), 1, -1))
        taken, name = next((each for each in joined if fold(each[1]) in whole), (1, parts[at].strip()))
        yield name
        at += taken


def minutes(_context: click.Context, _option: click.Parameter, value: str | None) -> int | None:
    """Return the minutes of a length such as 90m, 90, 1h30m or 2h."""
    from torchatlas.graph.answers import minutes_of

    if value is None:
        return None
    if (found := minutes_of(value)) is None:
        raise click.BadParameter(
            f"{shortened(value)!r} is not a length; write 90m or 1h30m, or leave it out for no limit"
        )
    return found
