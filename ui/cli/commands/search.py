"""The command that finds concepts and episodes: search."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from torchatlas.exports import dumps
from torchatlas.ui.cli.options import atlas_option, format_option, tell

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1), help="How many at the most.")
@format_option("text", "json")
@atlas_option
def search(atlas: "Atlas", text: tuple[str, ...], limit: int, style: str) -> None:
    """Find concepts, aliases, identifiers, episodes and the questions that they answer; typos are forgiven.

    Example: torchatlas search "why is my memory not freed"
    """
    hits = atlas.search(" ".join(text), limit)
    if style == "json":
        click.echo(dumps([asdict(hit) for hit in hits]))
        return
    if not hits:
        tell("nothing found; try fewer or other words", err=True)
    for hit in hits:
        tell(f"{hit.kind:8} {hit.name}  [{hit.id}]" + (f"\n         {hit.matched}" if hit.matched != hit.name else ""))
