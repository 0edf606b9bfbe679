"""The command line: `torchatlas` opens the map, its commands answer."""

import io
import sys

import click

from ui.command import settings_option, snapshot
from ui.commands.answering import concepts, plan, related, search
from ui.commands.asking import ask, query, questions
from ui.commands.conversing import console
from ui.commands.correcting import corrections
from ui.commands.gathering import add, build, extract, sources
from ui.commands.importing import import_pages
from ui.commands.knowing import concept, explain, gaps
from ui.commands.personal import heard, know
from ui.commands.serving import neo4j
from ui.settings import Settings


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--port", default=8501, show_default=True, type=click.IntRange(1, 65535), help="Port of the map.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.version_option(package_name="torchatlas")
@settings_option
@click.pass_context
def main(context: click.Context, /, settings: Settings, port: int, no_browser: bool) -> None:
    """A map of PyTorch internals, and the shortest listening path through it.

    Without a command it opens the map in a browser, at http://127.0.0.1:8501; it is built first if need be.

    Example: torchatlas plan AOTAutograd --known dispatcher --budget 90m
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names and JSON are UTF-8, whatever the locale is
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if context.invoked_subcommand is None:
        from ui.launch import display, is_taken, launch

        address = f"http://127.0.0.1:{port}"
        if is_taken(port):
            raise click.ClickException(
                f"port {port} is taken: the map is at {address} if torchatlas runs already; "
                f"otherwise name another port, such as --port {port % 65535 + 1}"
            )
        snapshot(settings)
        opens = not no_browser and display()
        click.echo(f"{'The map is at' if opens else 'Open'} {address} (Ctrl-C ends it)", err=True)
        launch(settings, port, open_browser=opens)


for command in (
    plan,
    related,
    search,
    concepts,
    concept,
    explain,
    gaps,
    know,
    heard,
    query,
    ask,
    questions,
    console,
    extract,
    add,
    sources,
    import_pages,
    build,
    corrections,
    neo4j,
):
    main.add_command(command)


if __name__ == "__main__":
    main()
