"""The command that lists curated journeys: journeys."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from torchatlas.ui.cli.options import atlas_option, format_option, print_answer, wrapped

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.values.curated import Journey


@click.command()
@format_option("text", "json")
@atlas_option
def journeys(atlas: "Atlas", style: str) -> None:
    """List curated journeys: goals that make a good whole.

    `torchatlas plan --journey NAME` plans one, with all options of a plan.

    Example: torchatlas journeys
    """
    found = atlas.journeys()
    print_answer(found, style, _lines(found, atlas))


def _lines(journeys: "Sequence[Journey]", atlas: "Atlas") -> Iterable[str]:
    for journey in journeys:
        yield f"{journey.title}  [{journey.name}]"
        yield wrapped(journey.about)
        yield wrapped(f"goals: {', '.join(str(name) for name in atlas.names_of(journey.goals).values())}")
