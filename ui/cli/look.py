"""Commands about what is known, such as search, concepts, explain, check, diff."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from torchatlas.files import write_file
from torchatlas.graph.formatting import counted
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
@click.argument("names", nargs=-1, metavar="[CONCEPT]...")
@click.option("--card", is_flag=True, help="As JSON, all that is known of one concept.")
def concepts(atlas: "Atlas", names: tuple[str, ...], card: bool) -> Printed:
    """Show what concepts are, or list all of them.

    With a CONCEPT it says where it is explained and what it needs, too.

    Example: torchatlas concepts {concept}
    """
    if card and len(names) != 1:
        raise click.UsageError("--card wants one CONCEPT")
    found, graph = atlas.concepts(*names), atlas.graph
    cards = [atlas.concept(c.id) for c in found] if names else []
    requires = {c.id: graph.required_by.get(c.id, ()) for c in found}
    facts = ("id", "name", "aliases", "in_texts", "phrases", "area", "definition")
    needs = ("need", "origin", "confidence", "reason")
    rows = [
        {name: getattr(c, name) for name in facts}
        | {"requires": [{"id": r.target, **{name: getattr(r, name) for name in needs}} for r in requires[c.id]]}
        for c in found
    ]
    yield cards[0] if card else rows
    yield from () if names else (f"{c.name}  [{c.id}, {c.area}]" for c in found)
    for each in cards:
        yield f"{each.name}  [{each.id}, {each.area}]"
        yield wrapped(each.definition)
        if each.aliases:
            yield wrapped(f"also: {', '.join(each.aliases)}")
        yield from (f"  in the source: {path}" for path in each.source_paths)
        if each.reading:
            yield f"  to read: {each.reading}"
        for heading, neighbours in each.sections.items():
            yield f"{heading}:"
            yield from (wrapped(": ".join(filter(None, (row.name, row.why)))) for row in neighbours)


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
@click.argument("what", metavar="[gaps|corrections]", type=click.Choice(["gaps", "corrections"]), required=False)
def check(atlas: "Atlas", what: str | None) -> Printed:
    """List what the map lacks, and which corrections do not apply.

    Gaps are concepts that no episode teaches, thin evidence, orphans and superseded subjects.

    Example: torchatlas check gaps
    """
    found: dict[str, Any] = {}
    if what != "corrections":
        found["gaps"] = atlas.gaps()
    if what != "gaps":
        found["corrections"] = own = atlas.corrections()
        tell(f"{atlas.settings.corrections}: {counted(len(own), 'correction') if own else 'no corrections'}", err=True)
    yield found[what] if what else found
    if gaps := found.get("gaps"):
        sections = {f"{heading}:": rows for heading, rows in gaps.sections.items()}
        yield from _some(sections, lambda gap: f"{gap.name}: {gap.words}" + (f"  {gap.link}" if gap.link else ""))
    for each in found.get("corrections", ()):
        yield each.correction + (f"  (does not apply: {each.problem})" if each.problem else "")


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
    plan = atlas.plan(*goals) if goals else None
    with atlas.doing("Drawing the map"):
        page = share_page(atlas.graph, atlas.subject, plan)
    path = write_file(target, page.encode())
    for line in filter(None, (on_secrets(atlas.graph.episodes), f"{path}: {path.stat().st_size:,} bytes")):
        tell(line, err=True)
