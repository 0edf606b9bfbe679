"""The command that lists what the map lacks: gaps."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from torchatlas.ui.cli.options import atlas_option, format_option, print_answer, wrapped

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.answers import Gaps

_SHOWN = 8


@click.command()
@format_option("text", "json")
@atlas_option
def gaps(atlas: "Atlas", style: str) -> None:
    """List what the map lacks.

    These are concepts that no episode teaches, thin evidence, orphans and superseded subjects.

    Example: torchatlas gaps
    """
    found = atlas.gaps()
    print_answer(found, style, _lines(found))


def _lines(found: "Gaps") -> Iterable[str]:
    for heading, rows in found.sections.items():
        yield f"{heading}:"
        for gap in rows[:_SHOWN]:
            yield wrapped(f"{gap.name}: {gap.words}" + (f"  {gap.link}" if gap.link else ""))
        if len(rows) > _SHOWN:
            yield f"  and {len(rows) - _SHOWN} more; --format json has them all"
