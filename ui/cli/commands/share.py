"""The command that writes a page to send around: share."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from torchatlas.ui.cli.options import atlas_option, show_option, tell

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas


@click.command()
@click.argument("target", metavar="FILE.html", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("goals", metavar="[GOAL]...", nargs=-1)
@atlas_option
@show_option
def share(atlas: "Atlas", target: Path, goals: tuple[str, ...]) -> None:
    """Write the map as one page that needs nothing but a browser.

    With a GOAL the route to it is on the map, and its steps beside it; what you know and have heard is left out of
    the plan. The page holds everything, asks no other host for anything, and works with the network off.

    Example: torchatlas share path.html {goal}
    """
    from torchatlas.ui.web.share import share_page

    if target.suffix.lower() not in (".html", ".htm"):
        raise click.BadParameter(f"{target} does not end in .html", param_hint="FILE.html")
    path = atlas.share(target, share_page, *goals)
    tell(f"{path}: {path.stat().st_size:,} bytes", err=True)
