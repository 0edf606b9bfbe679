"""The command that lists the nearest episodes: related."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from torchatlas.ui.cli.options import atlas_option, format_option, limit_option, print_answer, show_option

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.answers import Related


@click.command()
@click.argument("episode")
@limit_option(10)
@format_option("text", "json")
@atlas_option
@show_option
def related(atlas: "Atlas", episode: str, limit: int, style: str) -> None:
    """List the episodes nearest to EPISODE, with the reasons.

    EPISODE is a title, a number or an id.

    Example: torchatlas related "{episode}" --limit 5
    """
    rows = atlas.related(episode, limit)
    print_answer(rows, style, _lines(rows, atlas))


def _lines(rows: "Sequence[Related]", atlas: "Atlas") -> Iterable[str]:
    names = atlas.episode_names()
    for row in rows:
        yield names[row.episode_id]
        yield f"    {row.why}"
