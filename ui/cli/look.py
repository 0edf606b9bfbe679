"""Commands about what is known: search, concept, concepts, shows, explain, gaps, diff, share."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from torchatlas.graph.formatting import NEEDS
from torchatlas.ui.cli.options import (
    atlas_option,
    format_option,
    limit_option,
    print_answer,
    show_option,
    tell,
    wrapped,
)

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.answers import Differences, Explanation, Gaps, Hit
    from torchatlas.graph.model import Concept, Snapshot
    from torchatlas.graph.views import ConceptCard, ShowRow


_SHOWN = 8  # rows of a section; JSON has them all


@click.command()
@click.argument("text", nargs=-1, required=True)
@limit_option(10)
@format_option("text", "json")
@atlas_option
@show_option
def search(atlas: "Atlas", text: tuple[str, ...], limit: int, style: str) -> None:
    """Find concepts and episodes by any words.

    It looks in names, aliases, identifiers, titles and the questions that episodes answer. Typos are forgiven.

    Example: torchatlas search "{words}"
    """
    hits = atlas.search(" ".join(text), limit)
    print_answer(hits, style, (_hit_line(hit, atlas.graph) for hit in hits))
    if not hits and style != "json":
        tell("nothing found; try fewer or other words", err=True)


def _hit_line(hit: "Hit", graph: "Snapshot") -> str:
    matched = f"\n         {hit.matched}" if hit.matched != hit.name else ""
    return f"{hit.kind:8} {graph.label_of(hit.id)}  [{hit.id}]{matched}"


@click.command()
@click.argument("name")
@format_option("text", "json")
@atlas_option
def concept(atlas: "Atlas", name: str, style: str) -> None:
    """Show what NAME is, where it is explained and what it needs.

    Example: torchatlas concept {concept}
    """
    card = atlas.concept(name)
    print_answer(card, style, _card_lines(card))


def _card_lines(card: "ConceptCard") -> Iterable[str]:
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
    rows = [_concept_row(concept, atlas.graph) for concept in found]
    print_answer(rows, style, _concept_lines(found, atlas.graph, whole=bool(names)))


def _concept_row(concept: "Concept", graph: "Snapshot") -> dict[str, Any]:
    names = ("id", "name", "aliases", "in_texts", "phrases", "area", "definition")
    needs = ("need", "origin", "confidence", "reason")
    requires = graph.required_by.get(concept.id, ())
    return {name: getattr(concept, name) for name in names} | {
        "requires": [{"id": r.target, **{name: getattr(r, name) for name in needs}} for r in requires]
    }


def _concept_lines(found: "Sequence[Concept]", graph: "Snapshot", *, whole: bool) -> Iterable[str]:
    for concept in found:
        yield f"{concept.name}  [{concept.id}, {concept.area}]"
        if whole:
            yield f"  {concept.definition}"
            for required in graph.required_by.get(concept.id, ()):
                yield f"  {NEEDS[required.need]}: {graph.name_of(required.target)}: {required.reason}"


@click.command()
@format_option("text", "json")
@atlas_option
def shows(atlas: "Atlas", style: str) -> None:
    """List the podcasts and blogs on the map.

    Other commands take one with --show.

    Example: torchatlas shows
    """
    rows = atlas.shows()
    print_answer(rows, style, _show_lines(rows))


def _show_lines(rows: "Iterable[ShowRow]") -> Iterable[str]:
    for row in rows:
        yield f"{row.title}  [{row.id}]"
        yield f"  {row.holds}{f', by {row.author}' if row.author else ''}"
        yield from (f"  {words}: {url}" for words, url in (("page", row.url), ("feed", row.feed_url)) if url)


@click.command()
@click.argument("earlier")
@click.argument("later")
@format_option("text", "json")
@atlas_option
def explain(atlas: "Atlas", earlier: str, later: str, style: str) -> None:
    """Say why EARLIER comes before LATER.

    Both are concepts or episodes. The answer is the chain of edges between them, or that nothing says so.

    Example: torchatlas explain {earlier} {later}
    """
    found = atlas.explain(earlier, later)
    print_answer(found, style, _chain_lines(found))


def _chain_lines(found: "Explanation") -> Iterable[str]:
    yield found.verdict
    for edge in found.chain or found.reverse:
        yield wrapped(f"{edge.source_name} {edge.verb} {edge.target_name}: {edge.words}  ({edge.evidence})")


@click.command()
@format_option("text", "json")
@atlas_option
def gaps(atlas: "Atlas", style: str) -> None:
    """List what the map lacks.

    These are concepts that no episode teaches, thin evidence, orphans and superseded subjects.

    Example: torchatlas gaps
    """
    found = atlas.gaps()
    print_answer(found, style, _gap_lines(found))


def _gap_lines(found: "Gaps") -> Iterable[str]:
    for heading, rows in found.sections.items():
        yield f"{heading}:"
        for gap in rows[:_SHOWN]:
            yield wrapped(f"{gap.name}: {gap.words}" + (f"  {gap.link}" if gap.link else ""))
        if len(rows) > _SHOWN:
            yield f"  and {len(rows) - _SHOWN} more; --format json has them all"


@click.command()
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@format_option("text", "json")
@atlas_option
def diff(atlas: "Atlas", old: str, new: str | None, style: str) -> None:
    """Say what changed between two graphs, and which plans differ.

    OLD and NEW are JSON files of `torchatlas export`, or addresses of stores; without
    NEW it is the map as it is now.

    Example: torchatlas diff before.json
    """
    found = atlas.diff(old, new)
    print_answer(found, style, _difference_lines(found))


def _difference_lines(found: "Differences") -> Iterator[str]:
    if not found.groups:
        yield "nothing has changed"
    for heading, rows in found.groups.items():
        yield heading
        for row in rows[:_SHOWN]:
            yield wrapped(str(row))
        if len(rows) > _SHOWN:
            yield f"  and {len(rows) - _SHOWN} more; --format json has them all"


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
