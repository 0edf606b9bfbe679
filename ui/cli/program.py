"""The command line: `torchatlas` opens the map, its commands answer."""

import errno
import io
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from torchatlas.ui.cli.commands.candidates import candidates
from torchatlas.ui.cli.commands.concept import concept
from torchatlas.ui.cli.commands.concepts import concepts
from torchatlas.ui.cli.commands.console import console
from torchatlas.ui.cli.commands.corrections import corrections
from torchatlas.ui.cli.commands.cypher import ask, query, questions
from torchatlas.ui.cli.commands.explain import explain
from torchatlas.ui.cli.commands.export import export
from torchatlas.ui.cli.commands.extract import extract
from torchatlas.ui.cli.commands.gaps import gaps
from torchatlas.ui.cli.commands.import_pages import import_pages
from torchatlas.ui.cli.commands.journeys import journeys
from torchatlas.ui.cli.commands.know import heard, know
from torchatlas.ui.cli.commands.neo4j import neo4j
from torchatlas.ui.cli.commands.plan import plan
from torchatlas.ui.cli.commands.quiz import quiz, what_next
from torchatlas.ui.cli.commands.related import related
from torchatlas.ui.cli.commands.schema import schema
from torchatlas.ui.cli.commands.search import search
from torchatlas.ui.cli.commands.share import share
from torchatlas.ui.cli.commands.sources import add, build, new, sources
from torchatlas.ui.cli.options import atlas_option, print_notes

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas

SECTIONS: dict[str, tuple[click.Command, ...]] = {
    "What to hear": (plan, journeys, quiz, what_next, related, know, heard),
    "What is known": (search, concept, concepts, explain, gaps, share),
    "Cypher": (query, ask, questions, console, schema, export),
    "Your sources": (new, add, import_pages, sources, build, extract, candidates, corrections),
    "Server": (neo4j,),
}


class _Program(click.Group):
    """Commands in sections, whose output may meet a full disk."""

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, group in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl([(str(c.name), c.get_short_help_str(64)) for c in group])

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
@atlas_option
@click.pass_context
def main(context: click.Context, /, atlas: "Atlas", port: int, no_browser: bool) -> None:
    """A map of PyTorch internals, and the shortest listening path through it.

    Without a command it opens the map in a browser, at http://127.0.0.1:8501; it is built first if need be.

    Example: torchatlas plan AOTAutograd --known dispatcher --budget 90m
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names and JSON are UTF-8, whatever the locale is
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    print_notes()
    if context.invoked_subcommand is None:
        from torchatlas.ui.web.launch import display, is_taken, launch

        address = f"http://127.0.0.1:{port}"
        if is_taken(port):
            raise click.ClickException(
                f"port {port} is taken: the map is at {address} if torchatlas runs already; "
                f"otherwise name another port, such as --port {port % 65535 + 1}"
            )
        atlas.refresh()
        atlas.close()  # the pages open it themselves
        opens = not no_browser and display()
        click.echo(f"{'The map is at' if opens else 'Open'} {address} (Ctrl-C ends it)", err=True)
        launch(atlas.settings.store, port, open_browser=opens)


for group in SECTIONS.values():
    for command in group:
        main.add_command(command)


if __name__ == "__main__":
    main()
