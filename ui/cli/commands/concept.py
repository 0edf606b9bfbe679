"""The command that shows one concept: concept."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from torchatlas.exports import dumps
from torchatlas.ui.cli.options import atlas_option, format_option, tell, wrapped

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.cards import ConceptCard, Neighbour


@click.command()
@click.argument("name")
@format_option("text", "json")
@atlas_option
def concept(atlas: "Atlas", name: str, style: str) -> None:
    """Show all that is known of the concept NAME: what it is, where it is explained, what it needs and leads to.

    Example: torchatlas concept functionalization
    """
    card = atlas.concept(name)
    if style == "json":
        click.echo(dumps(asdict(card)))
    else:
        tell("\n".join(_card(card)))


def _card(card: "ConceptCard") -> Iterable[str]:
    yield f"{card.name}  [{card.id}, {card.area}]"
    yield wrapped(card.definition, "  ")
    if card.aliases:
        yield wrapped(f"also: {', '.join(card.aliases)}", "  ")
    yield from (f"  in PyTorch's source: {path}" for path in card.source_paths)
    if card.reading:
        yield f"  to read: {card.reading}"
    if card.taught_in:
        yield "Explained in:"
        yield from (wrapped(f"{lesson.name}: {lesson.note}", "  ") for lesson in card.taught_in)
    yield from _neighbours("Needs first:", card.needs)
    yield from _neighbours("Leads to:", card.leads_to)
    yield from _neighbours("Besides:", card.others)
    yield from _neighbours("Taken for granted in:", card.assumed_in)
    yield from _neighbours("Named in:", card.named_in)


def _neighbours(heading: str, neighbours: "tuple[Neighbour, ...]") -> Iterable[str]:
    if neighbours:
        yield heading
        yield from (wrapped(": ".join(filter(None, (n.name, n.why))), "  ") for n in neighbours)
