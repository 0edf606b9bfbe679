"""The command that lists the shows on the map: shows."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from torchatlas.ui.cli.options import atlas_option, format_option, print_answer

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.cards import ShowRow


@click.command()
@format_option("text", "json")
@atlas_option
def shows(atlas: "Atlas", style: str) -> None:
    """List the podcasts and blogs on the map.

    Other commands take one with --show.

    Example: torchatlas shows
    """
    rows = atlas.shows()
    print_answer(rows, style, _lines(rows))


def _lines(rows: "Iterable[ShowRow]") -> Iterable[str]:
    for row in rows:
        yield f"{row.title}  [{row.id}]"
        yield f"  {row.holds}{f', by {row.author}' if row.author else ''}"
        yield from (f"  {words}: {url}" for words, url in (("page", row.url), ("feed", row.feed_url)) if url)
