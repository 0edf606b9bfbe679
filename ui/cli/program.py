"""The command line: `torchatlas` opens the map, its commands answer."""

import errno
import gc
import io
import os
import sys
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any

import click

from torchatlas.ui.cli.options import atlas_option, print_notes
from torchatlas.ui.cli.removed import replacement
from torchatlas.ui.cli.sections import SECTIONS, Commands

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas


_THREADS = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")


def one_blas_thread(environment: MutableMapping[str, str]) -> None:
    """Let OpenBLAS start no threads in this process and in those that it starts, unless the user chose a number.

    The matrices of a map are small: its threads would only wait for one another, at full load. NumPy reads the variable
    when it is imported.

    >>> one_blas_thread(environment := {})
    >>> environment
    {'OPENBLAS_NUM_THREADS': '1'}
    """
    if not any(name in environment for name in _THREADS):
        environment["OPENBLAS_NUM_THREADS"] = "1"


def collect_rarely() -> None:
    """Let Python look for circles of dead values a hundred times as rarely as it does by itself.

    Nearly all values of a command live until its end, so that each look finds nothing and takes the longer.

    >>> collect_rarely()
    >>> gc.get_threshold()[0]
    100000
    """
    gc.set_threshold(100_000, 10, 10)


class _Program(click.Group):
    """Commands in sections, whose output may meet a full disk."""

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, group in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, place.sentence) for name, place in group.items()])

    def format_help_text(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        from torchatlas.ui.cli.own_words import in_own_words

        click.Command.format_help_text(in_own_words(self), context, formatter)

    def resolve_command(self, context: click.Context, args: list[str]) -> tuple[Any, Any, list[str]]:
        if instead := replacement(args):
            raise click.UsageError(instead)
        name, command, rest = super().resolve_command(context, args)
        if not command or {*context.help_option_names}.isdisjoint(rest):
            return name, command, rest
        from torchatlas.ui.cli.own_words import in_own_words

        return name, in_own_words(command), rest

    def main(self, *arguments: Any, **options: Any) -> Any:
        try:
            return super().main(*arguments, **options)
        except OSError as e:
            if e.errno != errno.ENOSPC or e.filename is not None:
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left is not tried again
            click.echo("Error: the output cannot be written: the disk is full", err=True)
            sys.exit(1)


_COMMANDS = Commands({name: place for group in SECTIONS.values() for name, place in group.items()})


@click.group(
    cls=_Program, commands=_COMMANDS, invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip
@click.option("--port", default=8501, show_default=True, type=click.IntRange(1, 65535), help="Port of the map.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.version_option(package_name="torchatlas")
@atlas_option
@click.pass_context
def main(context: click.Context, /, atlas: "Atlas", port: int, no_browser: bool) -> None:
    """A map of {subject}, and the shortest listening path through it.

    Without a command it opens the map in a browser, at http://127.0.0.1:8501; it is built first if need be.

    Example: torchatlas plan {goal} --known {known} --budget 90m
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names and JSON are UTF-8, whatever the locale is
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    print_notes()
    one_blas_thread(os.environ)
    collect_rarely()
    if context.invoked_subcommand is None:
        from torchatlas.ui.local_server import is_taken
        from torchatlas.ui.web.server import display, launch

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


if __name__ == "__main__":
    main()
