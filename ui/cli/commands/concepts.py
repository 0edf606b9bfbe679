"""The command that lists concepts: concepts."""

from typing import TYPE_CHECKING, Any

import click

from torchatlas.exports import dumps
from torchatlas.graph.values.wording import NEEDS
from torchatlas.ui.cli.options import atlas_option, format_option, tell

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.values.model import Snapshot


@click.command()
@click.argument("names", nargs=-1)
@format_option("text", "json")
@atlas_option
def concepts(atlas: "Atlas", names: tuple[str, ...], style: str) -> None:
    """List the concepts of the map, or those that are named: definition, aliases and what each requires.

    Example: torchatlas concepts functionalization
    """
    rows = [_concept_json(atlas.graph, concept.id) for concept in atlas.concepts(*names)]
    if style == "json":
        click.echo(dumps(rows))
        return
    for row in rows:
        tell(f"{row['name']}  [{row['id']}, {row['area']}]")
        if names:
            tell(f"  {row['definition']}")
            for need in row["requires"]:
                tell(f"  {NEEDS[need['need']]}: {atlas.graph.concept[need['id']].name}: {need['reason']}")


def _concept_json(graph: "Snapshot", id_: str) -> dict[str, Any]:
    concept = graph.concept[id_]
    return {
        "id": concept.id,
        "name": concept.name,
        "aliases": [*concept.aliases, *concept.phrases],
        "area": concept.area,
        "definition": concept.definition,
        "requires": [
            {"id": r.target, "need": r.need, "origin": r.origin, "confidence": r.confidence, "reason": r.reason}
            for r in graph.required_by.get(id_, ())
        ],
    }
