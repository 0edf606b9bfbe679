"""The command that finds concepts and episodes: search."""

from typing import TYPE_CHECKING

import click

from torchatlas.ui.cli.options import atlas_option, format_option, limit_option, print_answer, show_option, tell

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.answers import Hit
    from torchatlas.graph.model import Snapshot


@click.command()
@click.argument("text", nargs=-1, required=True)
@limit_option(10)
@format_option("text", "json")
@atlas_option
@show_option
def search(atlas: "Atlas", text: tuple[str, ...], limit: int, style: str) -> None:
    """Find concepts and episodes by any words.

    It looks in names, aliases, identifiers, titles and the questions that episodes answer. Typos are forgiven.

    Example: torchatlas search "{words}"
    """
    hits = atlas.search(" ".join(text), limit)
    print_answer(hits, style, (_line(hit, atlas.graph) for hit in hits))
    if not hits and style != "json":
        tell("nothing found; try fewer or other words", err=True)


def _line(hit: "Hit", graph: "Snapshot") -> str:
    matched = f"\n         {hit.matched}" if hit.matched != hit.name else ""
    return f"{hit.kind:8} {graph.label_of(hit.id)}  [{hit.id}]{matched}"
