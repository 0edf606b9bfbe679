"""The command that writes the graph for other programs: export."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from torchatlas.files import STYLES, style_of
from torchatlas.graph.errors import DataError
from torchatlas.ui.cli.options import atlas_option, tell

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas


@click.command()
@click.argument("target", metavar="FILE|FOLDER|-", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--format", "style", type=click.Choice(sorted(STYLES.values())), help="By default what FILE ends in.")
@atlas_option
def export(atlas: "Atlas", target: Path, style: str | None) -> None:
    """Write the graph to a file for other programs.

    The file's ending is its format: .graphml, .gexf (Gephi), .json (node-link: networkx, D3), .cypher (a script for
    Neo4j Browser or cypher-shell). A folder gets CSV for neo4j-admin. `-` is standard output.

    Example: torchatlas export atlas.graphml
    """
    try:
        style = style_of(target, style)
    except DataError as e:
        raise click.BadParameter(str(e), param_hint="FILE") from e
    if str(target) == "-":
        click.echo(atlas.exported(style), nl=False)
        return
    files = atlas.export(target, style)
    if style == "csv":
        told = f"{len(files) - 1} files; there, run: neo4j-admin database import full neo4j @import.args"
    else:
        told = f"{target.stat().st_size:,} bytes"
    tell(f"{target}: {told}", err=True)
