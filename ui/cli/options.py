"""Shared parts of commands: their decorator, options, printing, errors as one line."""

import shutil
import sys
import textwrap
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any

import click

from torchatlas.graph.errors import AtlasError, shortened
from torchatlas.graph.names import one_line, visible
from torchatlas.graph.stores.base import forms

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.model import Progress

Printed = Iterator[Any]  # an answer, then its lines for people
_LONGEST = 1000  # characters of an error


def command(
    *formats: str, name: str | None = None, shows: bool = False, words: str = "How to print."
) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command of a function of `atlas`, with options: `@command("text", "json")`.

    Without a `style` it yields an answer, then lines; JSON or the lines are printed.
    """
    common = [store_option()]
    if formats:
        kinds: dict[str, Any] = {"type": click.Choice(formats), "default": formats[0], "show_default": True}
        common.insert(0, click.Option(["--format", "style"], help=words, **kinds))
    if shows:
        told = "Only episodes of this show, by title or id. Repeatable; `torchatlas shows` lists them."
        common.append(click.Option(["--show", "shows"], multiple=True, metavar="NAME", help=told))

    def made(function: Callable[..., Any]) -> click.Command:
        prints = bool(formats) and "style" not in signature(function).parameters

        @click.pass_context
        @wraps(function)
        def run(context: click.Context, /, store: str | None, shows: tuple[str, ...] = (), **options: Any) -> None:
            style = options.pop("style") if prints else ""
            with opened(context, store) as atlas:
                result = function(atlas.of_shows(*shows) if shows else atlas, **options)
                if style == "json":
                    from torchatlas.ui.plans import dumps

                    click.echo(dumps(next(result)))
                    deque(result, maxlen=0)  # to its end, without the lines
                elif prints:
                    next(result)
                    for line in result:
                        tell(line)

        own = click.command(name)(run)
        own.params += common
        return own

    return made


def store_option() -> click.Option:
    """Return the option `--store`: `main.params.append(store_option())`."""
    return click.Option(["--store"], metavar="ADDRESS", help=f"Where the graph lives: {forms()}.")


@contextmanager
def opened(context: click.Context, store: str | None) -> "Iterator[Atlas]":
    """Open the atlas of `--store` or the environment: `with opened(context, None)`."""
    from torchatlas.atlas import Atlas
    from torchatlas.settings import load_settings

    try:
        with Atlas(load_settings(store or context.find_root().params.get("store")), _progress) as atlas:
            yield atlas
    except AtlasError as e:
        line = one_line(str(e))  # without its middle if it is very long
        short = line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 2 :]}"
        raise click.ClickException(short) from e


def readers_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options `--jobs` and `--on` for reading texts: `@readers_options`."""

    def cluster(_context: click.Context, _option: click.Parameter, value: str | None) -> str:
        if value is not None and not value.strip():  # a variable that is not set
            raise click.BadParameter("it is empty; write tcp://SCHEDULER:8786")
        return value or ""

    jobs = click.option("--jobs", type=click.IntRange(1, 256), help="Processes that read. [default: as many as help]")
    told = "Read on a Dask cluster: tcp://SCHEDULER:8786."
    return jobs(click.option("--on", callback=cluster, metavar="ADDRESS", help=told)(function))


def limit_option(default: int, words: str = "How many at the most.", name: str = "limit") -> Callable[..., Any]:
    """Return the option `--limit`: `@limit_option(10)`."""
    return click.option("--limit", name, default=default, show_default=True, type=click.IntRange(1), help=words)


def budget_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option `--budget`, in minutes: `@budget_option`."""
    told = "How long you have: 90m, 1h30m."
    return click.option("--budget", callback=_minutes, metavar="LENGTH", help=told)(function)


def _minutes(_context: click.Context, _option: click.Parameter, value: str | None) -> int | None:
    from torchatlas.graph.answers import minutes_of

    if value is not None and minutes_of(value) is None:
        raise click.BadParameter(f"{shortened(value)!r} is not a length; write 90m or 1h30m, or leave it out")
    return None if value is None else minutes_of(value)


def tell(text: str, *, err: bool = False) -> None:
    """Print without control characters, which a terminal obeys: `tell(episode.title)`."""
    click.echo(visible(text), err=err)


def wrapped(text: str, indent: str = "  ") -> str:
    """Return an indented paragraph as wide as the terminal: `wrapped("a text")`."""
    width = max(40, shutil.get_terminal_size((100, 24)).columns)
    ends: dict[str, Any] = {"initial_indent": indent, "subsequent_indent": indent + "  "}
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False, **ends)


@contextmanager
def _progress() -> "Iterator[Progress]":
    """Show a progress bar on stderr, or plain lines where stderr is no terminal."""
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
