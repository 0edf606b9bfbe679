"""The command that lists what the map lacks: gaps."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from torchatlas.exports import dumps
from torchatlas.ui.cli.options import atlas_option, format_option, tell, wrapped

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas

_SHOWN = 8
_GAPS = {
    "untaught": "Assumed by episodes, and no episode teaches it:",
    "superseded": "Superseded, and still a main subject:",
    "thin": "Thin evidence:",
    "orphans": "Concepts that nothing is joined to:",
}


@click.command()
@format_option("text", "json")
@atlas_option
def gaps(atlas: "Atlas", style: str) -> None:
    """List what the map lacks: concepts that no episode teaches, thin evidence, orphans, superseded subjects.

    Example: torchatlas gaps
    """
    found = asdict(atlas.gaps())
    if style == "json":
        click.echo(dumps(found))
        return
    for kind, heading in _GAPS.items():
        if rows := found[kind]:
            tell(heading)
            for row in rows[:_SHOWN]:
                tell(
                    wrapped(": ".join((row["name"], row["words"])) + (f"  {row['link']}" if row["link"] else ""), "  ")
                )
            if len(rows) > _SHOWN:
                tell(f"  and {len(rows) - _SHOWN} more; --format json has them all")
