"""The command that lists the user's corrections: corrections."""

from typing import TYPE_CHECKING

import click

from torchatlas.graph.formatting import counted
from torchatlas.ui.cli.options import atlas_option, format_option, print_answer, tell

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas


@click.command()
@format_option("text", "json")
@atlas_option
def corrections(atlas: "Atlas", style: str) -> None:
    """List your corrections, and which of them do not apply.

    The path of the file is printed on stderr.

    Example: torchatlas corrections
    """
    found = atlas.corrections()
    tell(f"{atlas.settings.corrections}: {counted(len(found), 'correction') if found else 'no corrections'}", err=True)
    lines = (f"{c.correction}{f'  (does not apply: {c.problem})' if c.problem else ''}" for c in found)
    print_answer(found, style, lines)
