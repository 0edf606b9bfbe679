"""The command that lists curated journeys: journeys."""

import shlex
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from torchatlas.ui.cli.options import atlas_option, format_option, print_answer, tell, wrapped

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.findings import Journey

_GOALS = 3  # to begin with, where there is no journey


@click.command()
@format_option("text", "json")
@atlas_option
def journeys(atlas: "Atlas", style: str) -> None:
    """List curated journeys: goals that belong together.

    `torchatlas plan --journey NAME` plans one, with all options of a plan.

    Example: torchatlas journeys
    """
    found = atlas.journeys()
    print_answer(found, style, _lines(found, atlas))
    if not found:
        goals = "; ".join(f"torchatlas plan {shlex.quote(goal.name)}" for goal in atlas.first_goals(_GOALS))
        tell(
            f"no journey fits this map; {f'goals to begin with: {goals}' if goals else 'torchatlas add FEED'}", err=True
        )


def _lines(journeys: "Sequence[Journey]", atlas: "Atlas") -> Iterable[str]:
    for journey in journeys:
        yield f"{journey.title}  [{journey.name}]"
        yield wrapped(journey.about)
        yield wrapped(f"goals: {', '.join(str(name) for name in atlas.names_of(journey.goals).values())}")
