"""The command line: `torchatlas` opens the map, its commands answer. What they share is here."""

import errno
import gc
import io
import logging
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from functools import cache, wraps
from importlib import import_module
from importlib.resources import files
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from torchatlas.graph.errors import AtlasError, shortened
from torchatlas.graph.names import one_line, visible
from torchatlas.graph.stores.base import forms

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.model import Progress
Printed = Iterator[Any]  # an answer, then its lines for people
MAP_PORT = 8501
_STORED: dict[str, Any] = {"metavar": "ADDRESS", "help": f"Where the graph lives, with any command: {forms()}."}
SECTIONS = {
    "What to hear": "hear:plan hear:quiz hear:next_ hear:related hear:know hear:heard hear:profile",
    "What is known": "look:search look:concepts look:explain look:check look:share",
    "Cypher": "ask:query ask:ask ask:export",
    "Your sources": "sources:new sources:add sources:import_ sources:sources sources:build look:diff sources:changes",
    "Servers": "servers:neo4j servers:mcp servers:doctor",
}
"""Heading -> module and function of each command."""
_UNLISTED = "sources:extract sources:candidates"  # the help of add names them
PLACES = {p.partition(":")[2].rstrip("_"): p for p in " ".join((*SECTIONS.values(), _UNLISTED)).split()}
RENAMED = {
    "concept": "concepts --card",
    "console": "query",
    "corrections": "check corrections",
    "gaps": "check gaps",
    "journeys": "plan --journey",
    "questions": "ask",
    "schema": "query --schema",
    "shows": "sources --shows",
}
"""Former name of a command -> what does the same now. It works for one release more."""
_COMPLETED = ("goal", "earlier", "later", "concept", "episode", "journey", "question")  # words of the help
EXAMPLES = {
    "goal": ("AOTAutograd", "GOAL"),
    "known": ("dispatcher", "CONCEPT"),
    "concept": ("functionalization", "CONCEPT"),
    "id": ("autograd", "ID"),
    "earlier": ("strides", "EARLIER"),
    "later": ("AOTAutograd", "LATER"),
    "episode": ("Strides", "EPISODE"),
    "area": ("Compilation", "AREA"),
    "question": ("how does backward work", "how does it work"),
    "words": ("why is my memory not freed", "why is it so"),
    "term": ("lantern pass", "TERM"),
    "feed": ("https://feeds.simplecast.com/OB5FkIl8", "https://example.org/feed.xml"),
}
"""Field of a help text -> its example on the shipped map, and on others."""


def command(
    *formats: str, name: str | None = None, shows: bool = False, words: str = "How to print."
) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command of a function of `atlas`, with options: `@command("text", "json")`.

    Without a `style` it yields an answer, then lines; JSON or the lines are printed.
    """
    common = [click.Option(["--store"], hidden=True, **_STORED)]
    if formats:
        kinds: dict[str, Any] = {"type": click.Choice(formats), "default": formats[0], "show_default": True}
        common.append(click.Option(["--format", "style"], help=words, **kinds))
    if shows:
        told = "Only episodes of this show, by title or id. Repeatable; `torchatlas sources` lists them."
        common.append(click.Option(["--show", "shows"], multiple=True, metavar="NAME", help=told))

    def made(function: Callable[..., Any]) -> click.Command:
        prints = bool(formats) and "style" not in signature(function).parameters

        @click.pass_context
        @wraps(function)
        def run(context: click.Context, /, store: str | None, shows: tuple[str, ...] = (), **options: Any) -> None:
            style = options.pop("style") if prints else ""
            with opened(context, store) as atlas:
                result = function(atlas.of_shows(*shows) if shows else atlas, **options)
                if prints:
                    print_answer(result, as_json=style == "json")

        own = click.command(name)(run)
        own.params += common
        for parameter in own.params:
            if (word := re.sub(r"\W", "", parameter.metavar or str(parameter.name)).lower()) in _COMPLETED:
                parameter.type = _Completed(word)
        return own

    return made


def print_answer(result: Printed, *, as_json: bool) -> None:
    """Print an answer as JSON, or its lines: `print_answer(iter([{}]), as_json=True)`."""
    answer = next(result)
    if as_json:
        from torchatlas.ui.plans import dumps

        click.echo(dumps(answer))
    for line in result:  # to its end
        if not as_json:
            tell(line)


@contextmanager
def opened(context: click.Context, store: str | None) -> "Iterator[Atlas]":
    """Open the atlas of `--store` or the environment: `with opened(context, None)`."""
    from torchatlas.atlas import Atlas
    from torchatlas.settings import load_settings

    try:
        with Atlas(load_settings(store or context.find_root().params.get("store")), _progress) as atlas:
            yield atlas
    except AtlasError as e:
        line = one_line(str(e))
        raise click.ClickException(line if len(line) <= 1000 else f"{line[:500]} ... {line[-500:]}") from e


def readers_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options `--jobs` and `--on` for reading texts: `@readers_options`."""

    def cluster(_context: click.Context, _option: click.Parameter, value: str | None) -> str:
        if value is not None and not value.strip():  # a variable that is not set
            raise click.BadParameter("it is empty; write tcp://SCHEDULER:8786")
        return value or ""

    jobs = click.option("--jobs", type=click.IntRange(1, 256), help="Processes that read. [default: as many as help]")
    told = "Read on a Dask cluster: tcp://SCHEDULER:8786."
    return jobs(click.option("--on", callback=cluster, metavar="ADDRESS", help=told)(function))


class _Completed(click.types.StringParamType):
    """A word that a shell completes, by the graph if it is in a file: a server may be slow."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def shell_complete(self, context: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
        from torchatlas.graph.stores.base import open_store
        from torchatlas.settings import load_settings

        words, folder = set[str](), files("torchatlas.data") / f"{self.kind}s"
        address = load_settings(context.params.get("store") or context.find_root().params.get("store")).store
        with suppress(AtlasError):
            if self.kind in ("journey", "question"):
                words |= {file.name.partition(".")[0] for file in folder.iterdir()}
            elif address.startswith("ladybug:"):
                graph = open_store(address).snapshot()
                words |= {id_.rpartition("/")[2] for id_ in graph.episode if self.kind != "concept"}
                words |= {w for c in graph.concepts if self.kind != "episode" for w in (c.id, c.name) if " " not in w}
        return [CompletionItem(word) for word in sorted(words) if word.startswith(typed)]


def piped(_context: click.Context, _argument: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Take standard input for a single "-": `@click.argument("text", callback=piped)`."""
    if texts != ("-",):
        return texts
    from torchatlas.graph.messages import LONGEST

    text = sys.stdin.buffer.read(4 * LONGEST + 1).decode("utf-8-sig", "replace").strip()
    if not text:
        raise click.ClickException("standard input is empty; pipe a question or an error into it")
    return (text,)


def limit_option(default: int, words: str = "How many at the most.", name: str = "limit") -> Callable[..., Any]:
    """Return the option `--limit`: `@limit_option(10)`."""
    return click.option("--limit", name, default=default, show_default=True, type=click.IntRange(1), help=words)


def _minutes(text: str) -> int:
    from torchatlas.graph.answers import minutes_of

    found = minutes_of(text)
    if found is None:
        raise click.BadParameter(f"{shortened(text)!r} is not a length; write 90m or 1h30m, or leave it out")
    return found


budget_option = click.option("--budget", type=_minutes, metavar="LENGTH", help="How long you have: 90m, 1h30m.")


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
        begun = cache(lambda what: click.echo(f"{what} ...", err=True))
        yield lambda what, _done, _total: begun(what)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = cache(bar.add_task)
        yield lambda what, done, total: bar.update(task(what), completed=done, total=total)


def _with_examples(command: click.Command) -> click.Command:
    from torchatlas.settings import load_settings
    from torchatlas.sources import Sources, load_sources

    try:
        sources = load_sources(load_settings())
    except AtlasError:  # the command tells; its help needs no list
        sources = Sources()
    examples = EXAMPLES | {"subject": (sources.subject, sources.subject)}
    own = copy(command)
    own.help = re.sub(r"\{(\w+)\}", lambda field: examples[field[1]][not sources.shipped], command.help or "")
    return own


@cache
def _sentences(module: str) -> dict[str, str]:
    """Return function -> first sentence of its help, without loading commands."""
    code = Path(__file__).with_name(f"{module}.py").read_text("utf-8")
    return dict(re.findall(r'^def (\w+)\((?:(?!^def ).)*?"""(.+?[.)])\s', code, re.M | re.S))


class _Program(click.Group):
    """Commands in sections, loaded when they are asked for."""

    def list_commands(self, _context: click.Context) -> list[str]:
        return sorted(PLACES)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in PLACES:
            return None
        module, _, function = PLACES[name].partition(":")
        command: click.Command = getattr(import_module(f"{__package__}.{module}"), function)
        return command

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, section in SECTIONS.items():
            functions = (place.split(":") for place in section.split())
            with formatter.section(heading):
                formatter.write_dl([(name.rstrip("_"), _sentences(module)[name]) for module, name in functions])

    def format_help_text(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        click.Command.format_help_text(_with_examples(self), context, formatter)

    def resolve_command(self, context: click.Context, args: list[str]) -> tuple[Any, Any, list[str]]:
        if new := RENAMED.get(args[0]):
            if not context.resilient_parsing:
                click.echo(f"torchatlas {args[0]} is now torchatlas {new}", err=True)
            args = [*new.split(), *args[1:]]
        name, command, rest = super().resolve_command(context, args)
        asks_for_help = command and not {*context.help_option_names}.isdisjoint(rest)
        return name, _with_examples(command) if command and asks_for_help else command, rest

    def main(self, *arguments: Any, **options: Any) -> Any:
        try:
            return super().main(*arguments, **options)
        except OSError as e:
            if e.errno != errno.ENOSPC or e.filename is not None:
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # tries no more
            click.echo("Error: the output cannot be written: the disk is full", err=True)
            sys.exit(1)


@click.group(cls=_Program, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--port", default=MAP_PORT, show_default=True, type=click.IntRange(1, 65535), help="Port of the map.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.version_option(package_name="torchatlas")
@click.pass_context
def main(context: click.Context, /, port: int, no_browser: bool, store: str | None) -> None:
    """A map of {subject}, and the shortest listening path through it.

    Without a command it opens the map in a browser, at http://127.0.0.1:8501; it is built first if need be.

    Example: torchatlas plan {goal} --known {known} --budget 90m
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # whatever the locale is
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    logger = logging.getLogger("torchatlas")
    logger.handlers, logger.propagate = [], False  # without one, warnings go to standard error as it is then
    if os.environ.keys().isdisjoint(("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")):
        os.environ["OPENBLAS_NUM_THREADS"] = "1"  # NumPy reads it on import
    gc.set_threshold(100_000, 10, 10)  # nearly all values live until the end
    if context.invoked_subcommand is None:
        from torchatlas.ui.local_server import is_taken
        from torchatlas.ui.web.server import display, launch

        address = f"http://127.0.0.1:{port}"
        if is_taken(port):
            other = f"or name another port, such as --port {port % 65535 + 1}"
            raise click.ClickException(f"port {port} is taken; see whether the map is at {address}, {other}")
        with opened(context, store) as atlas:
            atlas.refresh()
            atlas.close()  # the pages open it themselves
            opens = not no_browser and display()
            click.echo(f"{'The map is at' if opens else 'Open'} {address} (Ctrl-C ends it)", err=True)
            launch(atlas.settings.store, port, open_browser=opens)


main.params.append(click.Option(["--store"], **_STORED))
