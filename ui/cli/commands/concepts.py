"""The commands that show what is known, and what is not: concept, explain, gaps."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from torchatlas.exports import dumps
from torchatlas.graph.values.formatting import clock
from torchatlas.settings import Settings
from torchatlas.ui.cli.options import format_option, settings_option, snapshot, tell, wrapped

if TYPE_CHECKING:
    from torchatlas.cards import ConceptCard, Neighbour
    from torchatlas.graph.values.answers import Because

_SHOWN = 8
_GAPS = {
    "untaught": "Assumed by episodes, and no episode teaches it:",
    "superseded": "Superseded, and still a main subject:",
    "thin": "Thin evidence:",
    "orphans": "Concepts that nothing is joined to:",
}


@click.command()
@click.argument("name")
@format_option("text", "json")
@settings_option
def concept(settings: Settings, name: str, style: str) -> None:
    """Show all that is known of the concept NAME: what it is, where it is explained, what it needs and leads to.

    Example: torchatlas concept functionalization
    """
    from torchatlas.cards import concept_card
    from torchatlas.graph.answers.resolution import resolve_concept

    graph = snapshot(settings)
    card = concept_card(graph, resolve_concept(graph, name).id)
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


@click.command()
@click.argument("earlier")
@click.argument("later")
@format_option("text", "json")
@settings_option
def explain(settings: Settings, earlier: str, later: str, style: str) -> None:
    """Say why EARLIER comes before LATER (concepts or episodes): the chain of edges, or that nothing says so.

    Example: torchatlas explain strides AOTAutograd
    """
    from torchatlas.graph.answers.chain import chain
    from torchatlas.graph.answers.resolution import resolve_goal

    graph = snapshot(settings)
    first, then = resolve_goal(graph, earlier), resolve_goal(graph, later)
    because, reverse = chain(graph, first.id, then.id), chain(graph, then.id, first.id)
    if style == "json":
        told = {"earlier": first.id, "later": then.id, "chain": [asdict(step) for step in because]}
        click.echo(dumps(told | {"reverse": [asdict(step) for step in reverse]}))
        return
    a, b = (getattr(goal, "name", None) or getattr(goal, "title", "") for goal in (first, then))
    if because:
        tell(f"{a} comes before {b}:")
        tell("\n".join(_chain(because)))
    elif reverse:
        tell(f"It is the other way round: {b} comes before {a}:")
        tell("\n".join(_chain(reverse)))
    else:
        tell(f"Nothing says that {a} comes before {b}, or {b} before {a}.")


def _chain(because: "Iterable[Because]") -> Iterable[str]:
    for step in because:
        at = "" if step.at is None else f", at {clock(step.at)}"
        sure = f", confidence {step.confidence:.2f}" if step.confidence < 1 else ""
        verb = {"REQUIRES": "needs", "ASSUMES": "takes for granted", "TEACHES": "explains"}.get(step.kind, "goes after")
        yield wrapped(f"{step.source_name} {verb} {step.target_name}: {step.words}  ({step.origin}{sure}{at})", "  ")


@click.command()
@format_option("text", "json")
@settings_option
def gaps(settings: Settings, style: str) -> None:
    """List what the map lacks: concepts that no episode teaches, thin evidence, orphans, superseded subjects.

    Example: torchatlas gaps
    """
    from torchatlas.graph.answers.gaps import find_gaps

    found = asdict(find_gaps(snapshot(settings)))
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
