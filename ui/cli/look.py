"""Commands about what is known, such as search, concept, explain, gaps, diff."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from torchatlas.files import write_file
from torchatlas.graph.formatting import NEEDS, counted
from torchatlas.ui.cli.program import Printed, command, limit_option, piped, tell, wrapped

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
_SHOWN = 8  # rows of a section


@command("text", "json", shows=True)
@click.argument("text", nargs=-1, required=True, callback=piped)
@limit_option(10)
def search(atlas: "Atlas", text: tuple[str, ...], limit: int) -> Printed:
    """Find concepts and episodes by any words.

    It looks in names, aliases, identifiers, titles and the questions that episodes answer. Typos are forgiven. With
    `-` alone it reads a pasted error from standard input.

    Example: torchatlas search "{words}"
    """
    yield (hits := atlas.search(" ".join(text), limit))
    for hit in hits:
        matched = f"\n         {hit.matched}" if hit.matched != hit.name else ""
        yield f"{hit.kind:8} {atlas.graph.label_of(hit.id)}  [{hit.id}]{matched}"
    if not hits:
        tell("nothing found; try fewer or other words", err=True)


@command("text", "json")
@click.argument("name")
def concept(atlas: "Atlas", name: str) -> Printed:
    """Show what NAME is, where it is explained and what it needs.

    Example: torchatlas concept {concept}
    """
    yield (card := atlas.concept(name))
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


@command("text", "json")
@click.argument("names", nargs=-1)
def concepts(atlas: "Atlas", names: tuple[str, ...]) -> Printed:
    """List concepts with definition, aliases and prerequisites.

    Without a NAME all concepts of the map are listed.

    Example: torchatlas concepts {concept}
    """
    found, graph = atlas.concepts(*names), atlas.graph
    facts = ("id", "name", "aliases", "in_texts", "phrases", "area", "definition")
    needs = ("need", "origin", "confidence", "reason")
    requires = {c.id: graph.required_by.get(c.id, ()) for c in found}
    yield [
        {name: getattr(c, name) for name in facts}
        | {"requires": [{"id": r.target, **{name: getattr(r, name) for name in needs}} for r in requires[c.id]]}
        for c in found
    ]
    for c in found:
        yield f"{c.name}  [{c.id}, {c.area}]"
        if names:
            yield f"  {c.definition}"
            yield from (f"  {NEEDS[r.need]}: {graph.name_of(r.target)}: {r.reason}" for r in requires[c.id])


@command("text", "json")
def shows(atlas: "Atlas") -> Printed:
    """List the podcasts and blogs on the map.

    Example: torchatlas shows
    """
    yield (rows := atlas.shows())
    for row in rows:
        yield f"{row.title}  [{row.id}]"
        yield f"  {counted(row.episodes, 'episode')}{f', by {row.author}' if row.author else ''}"
        yield from (f"  {words}: {url}" for words, url in (("page", row.url), ("feed", row.feed_url)) if url)


@command("text", "json")
@click.argument("earlier")
@click.argument("later")
def explain(atlas: "Atlas", earlier: str, later: str) -> Printed:
    """Say why EARLIER comes before LATER.

    Both are concepts or episodes. The answer is the chain of edges between them, or that nothing says so.

    Example: torchatlas explain {earlier} {later}
    """
    yield (found := atlas.explain(earlier, later))
    yield found.verdict
    for edge in found.chain or found.reverse:
        yield wrapped(f"{edge.source_name} {edge.verb} {edge.target_name}: {edge.words}  ({edge.evidence})")


@command("text", "json")
def gaps(atlas: "Atlas") -> Printed:
    """List what the map lacks.

    These are concepts that no episode teaches, thin evidence, orphans and superseded subjects.

    Example: torchatlas gaps
    """
    yield (found := atlas.gaps())
    sections = {f"{heading}:": rows for heading, rows in found.sections.items()}
    yield from _some(sections, lambda gap: f"{gap.name}: {gap.words}" + (f"  {gap.link}" if gap.link else ""))


@command("text", "json")
@click.argument("old")
@click.argument("new", required=False)
def diff(atlas: "Atlas", old: str, new: str | None) -> Printed:
    """Say what changed between two graphs, and which plans differ.

    OLD and NEW are JSON files of `torchatlas export`, or addresses of stores; without NEW it is the map as it is now.

    Example: torchatlas diff before.json
    """
    yield (found := atlas.diff(old, new))
    yield from _some(found.groups or {"nothing has changed": ()}, str)


def _some(sections: Mapping[str, Sequence[Any]], words: Callable[[Any], str]) -> Iterator[str]:
    for heading, rows in sections.items():
        yield heading
        yield from (wrapped(words(row)) for row in rows[:_SHOWN])
        if len(rows) > _SHOWN:
            yield f"  and {len(rows) - _SHOWN} more; --format json has them all"


@command(shows=True)
@click.argument("target", metavar="FILE.html", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("goals", metavar="[GOAL]...", nargs=-1)
def share(atlas: "Atlas", target: Path, goals: tuple[str, ...]) -> None:
    """Write the map as one page that needs nothing but a browser.

    With a GOAL the route to it is on the map, and its steps beside it; what you know and have heard is left out of
    the plan. The page holds everything, asks no other host for anything, and works with the network off.

    Example: torchatlas share path.html {goal}
    """
    from torchatlas.ui.plans import on_secrets
    from torchatlas.ui.web.share import share_page

    if target.suffix.lower() not in (".html", ".htm"):
        raise click.BadParameter(f"{target} does not end in .html", param_hint="FILE.html")
    page = share_page(atlas.graph, atlas.subject, atlas.plan(*goals) if goals else None)
    path = write_file(target, page.encode())
    for line in filter(None, (on_secrets(atlas.graph.episodes), f"{path}: {path.stat().st_size:,} bytes")):
        tell(line, err=True)
