"""The commands that bring feeds in and build the graph: new, add, sources, build."""

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from torchatlas.ui.cli.options import atlas_option, finish, format_option, print_answer, readers_options, tell
from torchatlas.ui.plans import source_row

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas, Built
    from torchatlas.sources import Source


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--title", default="", metavar="TEXT", help="What the map is about.  [default: the folder's name]")
@atlas_option
def new(atlas: "Atlas", folder: Path, title: str) -> None:
    """Begin a map of your own in FOLDER.

    It has none of the concepts and episodes that ship with torchatlas.

    Example: torchatlas new databases --title "Database internals"
    """
    listed = atlas.new(folder, title)
    tell(f"{listed.parent}")
    tell(f"use it: TORCHATLAS_HOME={shlex.quote(str(listed.parent))} torchatlas add FEED", err=True)


@click.command()
@click.argument("feeds", nargs=-1, required=True, metavar="FEED...")
@readers_options
@atlas_option
def add(atlas: "Atlas", feeds: tuple[str, ...], jobs: int | None, on: str) -> None:
    """Remember FEEDs, and build the map with their episodes.

    A FEED is an address, a file, or an OPML list of feeds. Transcripts and chapters that it names are fetched too.

    Example: torchatlas add {feed}
    """
    _report(atlas, atlas.add(*feeds, jobs=jobs, on=on))


@click.command()
@click.option("--remove", "removed", multiple=True, metavar="ADDRESS", help="Forget this feed or page. Repeatable.")
@format_option("text", "json")
@atlas_option
def sources(atlas: "Atlas", removed: tuple[str, ...], style: str) -> None:
    """List your feeds and pages, and what went wrong last time.

    Example: torchatlas sources --remove https://example.org/feed.xml
    """
    for address in removed:
        atlas.remove_source(address)
    known = atlas.sources()
    print_answer([source_row(source) for source in known], style, _lines(known))


def _lines(known: "Iterable[Source]") -> Iterable[str]:
    for source in known:
        yield source.shown
        if source.title:
            yield f"  {source.title}: {source.holds}"
        if source.trouble:
            yield f"  {source.trouble}"


@click.command()
@click.option("--offline", is_flag=True, help="Use the last good copies of your feeds; do not use the network.")
@readers_options
@atlas_option
def build(atlas: "Atlas", offline: bool, jobs: int | None, on: str) -> None:
    """Read all sources again and build the graph anew.

    These are vocabulary, catalogue, corrections, feeds and pages.

    Example: torchatlas build
    """
    _report(atlas, atlas.build(offline=offline, jobs=jobs, on=on))


def _report(atlas: "Atlas", built: "Built") -> None:
    click.echo(built.graph.size)
    click.echo(f"written to {atlas.store.address}", err=True)
    finish(built.failed)
