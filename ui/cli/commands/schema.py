"""The command that shows what there is to ask in Cypher: schema."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from torchatlas.ui.cli.options import atlas_option, format_option, print_answer, wrapped

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.views import Census


@click.command()
@format_option("text", "json")
@atlas_option
def schema(atlas: "Atlas", style: str) -> None:
    """Print the labels, relationships and properties of the graph.

    Each has its count and an example.

    Example: torchatlas schema
    """
    counted = atlas.schema()
    print_answer(counted, style, census_lines(counted))


def census_lines(counted: "Census") -> Iterable[str]:
    """Yield the schema for people: a pattern, its properties (with a count where not all have it), an example."""
    for kind in (*counted.nodes, *counted.relationships):
        yield f"{kind.count:6,}  {kind.pattern}"
        yield wrapped(kind.property_names, "        ")
        if kind.example:
            yield f"        such as {kind.example}"
