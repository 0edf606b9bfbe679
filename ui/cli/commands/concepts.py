"""The command that lists concepts: concepts."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from torchatlas.ui.cli.options import atlas_option, format_option, print_answer
from torchatlas.ui.plans import concept_row

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.model import Concept


@click.command()
@click.argument("names", nargs=-1)
@format_option("text", "json")
@atlas_option
def concepts(atlas: "Atlas", names: tuple[str, ...], style: str) -> None:
    """List concepts with definition, aliases and prerequisites.

    Without a NAME all concepts of the map are listed.

    Example: torchatlas concepts {concept}
    """
    found = atlas.concepts(*names)
    rows = [concept_row(atlas.graph, concept) for concept in found]
    print_answer(rows, style, _lines(found, atlas, whole=bool(names)))


def _lines(found: "Sequence[Concept]", atlas: "Atlas", *, whole: bool) -> Iterable[str]:
    for concept in found:
        yield f"{concept.name}  [{concept.id}, {concept.area}]"
        if whole:
            yield f"  {concept.definition}"
            yield from (f"  {line}" for line in atlas.requirements(concept.id))
