"""The command that shows one concept: concept."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from torchatlas.ui.cli.options import atlas_option, format_option, print_answer, wrapped

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.cards import ConceptCard


@click.command()
@click.argument("name")
@format_option("text", "json")
@atlas_option
def concept(atlas: "Atlas", name: str, style: str) -> None:
    """Show what NAME is, where it is explained and what it needs.

    Example: torchatlas concept {concept}
    """
    card = atlas.concept(name)
    print_answer(card, style, _lines(card))


def _lines(card: "ConceptCard") -> Iterable[str]:
    yield f"{card.name}  [{card.id}, {card.area}]"
    yield wrapped(card.definition)
    if card.aliases:
        yield wrapped(f"also: {', '.join(card.aliases)}")
    yield from (f"  in the source: {path}" for path in card.source_paths)
    if card.reading:
        yield f"  to read: {card.reading}"
    for heading, rows in card.sections.items():
        yield f"{heading}:"
        yield from (wrapped(": ".join(filter(None, (row.name, row.why)))) for row in rows)
