"""The command line: `torchatlas` opens the map, its commands answer."""

import errno
import gc
import io
import os
import re
import sys
from collections.abc import MutableMapping, Sequence
from copy import copy
from importlib import import_module
from typing import Any

import click

from torchatlas.graph.errors import AtlasError
from torchatlas.ui.cli.options import opened, print_log, store_option

SECTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "What to hear": {
        "plan": ("hear:plan", "Plan which episodes to hear, in which order, and why."),
        "journeys": ("hear:journeys", "List curated journeys: goals that belong together."),
        "quiz": ("hear:quiz", "Find in at most eight questions what you can skip."),
        "next": ("hear:what_next", "List what you are ready to hear, and what to refresh."),
        "related": ("hear:related", "List the episodes nearest to EPISODE, with the reasons."),
        "know": ("hear:know", "Remember that you know these concepts, for every plan."),
        "heard": ("hear:heard", "Remember that you have heard these episodes, for every plan."),
    },
    "What is known": {
        "search": ("look:search", "Find concepts and episodes by any words."),
        "concept": ("look:concept", "Show what NAME is, where it is explained and what it needs."),
        "concepts": ("look:concepts", "List concepts with definition, aliases and prerequisites."),
        "shows": ("look:shows", "List the podcasts and blogs on the map."),
        "explain": ("look:explain", "Say why EARLIER comes before LATER."),
        "gaps": ("look:gaps", "List what the map lacks."),
        "share": ("look:share", "Write the map as one page that needs nothing but a browser."),
    },
    "Cypher": {
        "query": ("ask:query", "Ask the graph in CYPHER."),
        "ask": ("ask:ask", "Ask a saved question by NAME (see torchatlas questions)."),
        "questions": ("ask:questions", "List the saved questions, and the values that each needs."),
        "console": ("ask:console", "Ask in Cypher, statement by statement, as in a shell."),
        "schema": ("ask:schema", "Print the labels, relationships and properties of the graph."),
        "export": ("ask:export", "Write the graph to a file for other programs."),
    },
    "Your sources": {
        "new": ("sources:new", "Begin a map of your own in FOLDER."),
        "add": ("sources:add", "Remember FEEDs, and build the map with their episodes."),
        "import": ("sources:import_pages", "Remember PAGEs that you saved, and build the map with them."),
        "sources": ("sources:sources", "List your feeds and pages, and what went wrong last time."),
        "build": ("sources:build", "Read all sources again and build the graph anew."),
        "diff": ("look:diff", "Say what changed between two graphs, and which plans differ."),
        "extract": ("sources:extract", "Print the concepts, links and statements in FEEDs."),
        "candidates": ("sources:candidates", "List terms that the vocabulary does not know, best first."),
        "corrections": ("sources:corrections", "List your corrections, and which of them do not apply."),
    },
    "Servers": {
        "neo4j": ("servers:neo4j", "Run a Neo4j server of your own, on this computer only."),
        "mcp": ("servers:mcp", "Serve an assistant over the Model Context Protocol."),
    },
}
"""Heading -> command -> its module and function, and the first sentence of its help: the list loads no command."""
PLACES = {name: place for section in SECTIONS.values() for name, (place, _) in section.items()}

_FORMATS = "plans have the formats text, rss, ics, markdown, html and json; players take --format rss"
REMOVED: dict[tuple[str, ...], str] = {
    ("heard", "--from"): "heard --from was removed: write the numbers or titles of the episodes to a text file, and use"
    " heard --file FILE",
    ("extract", "--model"): "extract --model was removed, since no pipeline changed what is found: leave it out",
    ("extract", "--all"): "extract --all was removed, since no statement is unsure: leave it out",
    ("plan", "--format", "m3u"): f"m3u was removed: {_FORMATS}",
    ("plan", "--format", "opml"): f"opml was removed: {_FORMATS}",
    ("plan", "--format", "remote-items"): f"remote-items was removed: {_FORMATS}",
}
"""A command, with the words of an option where only that was removed -> what to use instead."""

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
"""Field of a help text, such as {goal} -> its example on the shipped map, and the word for it on any other map."""
_THREADS = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")


def one_blas_thread(environment: MutableMapping[str, str]) -> None:
    """Let OpenBLAS start no threads, which would only wait for one another, unless the user chose a number.

    >>> one_blas_thread(environment := {})
    >>> environment
    {'OPENBLAS_NUM_THREADS': '1'}
    """
    if not any(name in environment for name in _THREADS):
        environment["OPENBLAS_NUM_THREADS"] = "1"  # NumPy reads it on import, here and in processes of this one


def _replacement(arguments: Sequence[str]) -> str:
    """Return what to use instead of a removed command or option in the arguments, "" where they have none."""
    words = [word for each in arguments for word in (each.split("=", 1) if each.startswith("--") else [each])]
    for (command, *option), instead in REMOVED.items():
        if words[:1] == [command] and any(words[at:][: len(option)] == option for at in range(1, len(words) + 1)):
            return instead
    return ""


def _with_examples(command: click.Command) -> click.Command:
    """Return a command whose help fits the map of the person."""
    from torchatlas.settings import load_settings
    from torchatlas.sources import Sources, load_sources

    try:
        sources = load_sources(load_settings())
    except AtlasError:  # the command says what is wrong with the list; its help needs no list
        sources = Sources()
    words = {field: shipped if sources.shipped else other for field, (shipped, other) in EXAMPLES.items()}
    words["subject"] = sources.subject
    own = copy(command)
    own.help = re.sub(r"\{(\w+)\}", lambda field: words[field[1]], command.help or "")
    return own


class _Program(click.Group):
    """Commands in sections, loaded when they are asked for; their output may meet a full disk."""

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
            with formatter.section(heading):
                formatter.write_dl([(name, sentence) for name, (_, sentence) in section.items()])

    def format_help_text(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        click.Command.format_help_text(_with_examples(self), context, formatter)

    def resolve_command(self, context: click.Context, args: list[str]) -> tuple[Any, Any, list[str]]:
        if instead := _replacement(args):
            raise click.UsageError(instead)
        name, command, rest = super().resolve_command(context, args)
        asks_for_help = command and not {*context.help_option_names}.isdisjoint(rest)
        return name, _with_examples(command) if command and asks_for_help else command, rest

    def main(self, *arguments: Any, **options: Any) -> Any:
        try:
            return super().main(*arguments, **options)
        except OSError as e:
            if e.errno != errno.ENOSPC or e.filename is not None:
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left is not tried again
            click.echo("Error: the output cannot be written: the disk is full", err=True)
            sys.exit(1)


@click.group(cls=_Program, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--port", default=8501, show_default=True, type=click.IntRange(1, 65535), help="Port of the map.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.version_option(package_name="torchatlas")
@click.pass_context
def main(context: click.Context, /, port: int, no_browser: bool, store: str | None) -> None:
    """A map of {subject}, and the shortest listening path through it.

    Without a command it opens the map in a browser, at http://127.0.0.1:8501; it is built first if need be.

    Example: torchatlas plan {goal} --known {known} --budget 90m
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names and JSON are UTF-8, whatever the locale is
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    print_log()
    one_blas_thread(os.environ)
    gc.set_threshold(100_000, 10, 10)  # nearly all values of a command live until its end
    if context.invoked_subcommand is None:
        from torchatlas.ui.local_server import is_taken
        from torchatlas.ui.web.server import display, launch

        address = f"http://127.0.0.1:{port}"
        if is_taken(port):
            raise click.ClickException(
                f"port {port} is taken: the map is at {address} if torchatlas runs already; "
                f"otherwise name another port, such as --port {port % 65535 + 1}"
            )
        with opened(context, store) as atlas:
            atlas.refresh()
            atlas.close()  # the pages open it themselves
            opens = not no_browser and display()
            click.echo(f"{'The map is at' if opens else 'Open'} {address} (Ctrl-C ends it)", err=True)
            launch(atlas.settings.store, port, open_browser=opens)


main.params.append(store_option())

if __name__ == "__main__":
    main()
