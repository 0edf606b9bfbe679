"""The command that shows what there is to ask in Cypher: schema."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from torchatlas.exports import dumps
from torchatlas.ui.cli.options import atlas_option, format_option, tell, wrapped

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.answers.census import Census


@click.command()
@format_option("text", "json")
@atlas_option
def schema(atlas: "Atlas", style: str) -> None:
    """Print what there is to ask in Cypher: labels, relationship types and properties, with counts and examples.

    Example: torchatlas schema
    """
    counted = atlas.schema()
    if style == "json":
        click.echo(dumps(asdict(counted)))
        return
    tell("\n".join(census_text(counted)))


def census_text(counted: "Census") -> Iterable[str]:
    """The schema for people: a pattern, its properties (with a count where not all have it), an example."""
    for kind in (*counted.nodes, *counted.relationships):
        yield f"{kind.count:6,}  {kind.pattern}"
        properties = (f"{p.name}" + (f" ({p.count:,})" if p.count < kind.count else "") for p in kind.properties)
        yield wrapped(", ".join(properties), "        ")
        if kind.example:
            yield f"        such as {kind.example}"
