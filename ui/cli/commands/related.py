"""The command that lists the nearest episodes: related."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from torchatlas.exports import dumps
from torchatlas.ui.cli.options import atlas_option, format_option, tell

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas


@click.command()
@click.argument("episode")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1), help="How many at the most.")
@format_option("text", "json")
@atlas_option
def related(atlas: "Atlas", episode: str, limit: int, style: str) -> None:
    """List the episodes nearest to EPISODE (title, number or id), each with its reasons.

    Example: torchatlas related "Strides" --limit 5
    """
    rows = atlas.related(episode, limit)
    if style == "json":
        click.echo(dumps([asdict(row) for row in rows]))
        return
    shows = atlas.namesakes()
    for row in rows:
        number = atlas.graph.episode[row.episode_id].number
        show = f" ({shows[row.episode_id]})" if row.episode_id in shows else ""
        tell(f"{'' if number is None else f'#{number} '}{row.title}{show}\n    {'; '.join(row.reasons)}")
