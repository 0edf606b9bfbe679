"""The command that lists new terms for review: candidates."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from torchatlas.exports import dumps
from torchatlas.ui.cli.options import atlas_option, format_option, tell, wrapped

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.extract.candidates.ranking import TermCandidate


@click.command()
@click.argument("feeds", nargs=-1, metavar="[FEED]...")
@click.option("--limit", default=40, show_default=True, type=click.IntRange(1), help="How many to list.")
@click.option("--accept", metavar="TERM", help="Make this a topic of yours, in your corrections.")
@click.option("--name", metavar="NAME", help="What an accepted term is called; the term becomes its alias.")
@click.option("--definition", metavar="TEXT", help="What an accepted term is, in a sentence.")
@click.option("--area", metavar="AREA", help="The area of an accepted term.")
@click.option("--reject", multiple=True, metavar="TERM", help="Never list this term again. May be repeated.")
@format_option("text", "json")
@atlas_option
def candidates(
    atlas: "Atlas",
    feeds: tuple[str, ...],
    limit: int,
    accept: str | None,
    name: str | None,
    definition: str | None,
    area: str | None,
    reject: tuple[str, ...],
    style: str,
) -> None:
    """List terms that the vocabulary does not know, best first: in FEEDs, else in your sources and the catalogue.

    With --accept or --reject it lists nothing; the next build has what you accepted. Rejected terms stand in
    sources.toml under `refused`.

    Example: torchatlas candidates --accept "lantern pass" --area Compilation
    """
    if accept is None and (name or definition or area):
        raise click.UsageError("--name, --definition and --area belong to --accept TERM")
    if accept is None and not reject:
        found = atlas.candidates(*feeds)
        _report(found[:limit], len(found), style)
        return
    if accept is not None:
        id_ = atlas.accept(accept, name=name or "", definition=definition or "", area=area or "")
        tell(f"{name or accept} [{id_}]")
        tell(f"written to {atlas.settings.corrections}; the next build has it", err=True)
    for term in reject:
        atlas.reject(term)


def _report(found: "tuple[TermCandidate, ...]", total: int, style: str) -> None:
    if style == "json":
        click.echo(dumps([asdict(candidate) for candidate in found]))
        return
    for c in found:
        times = "once" if c.count == 1 else f"{c.count} times in {len(c.episodes)} episode{'s' * (len(c.episodes) > 1)}"
        tell(f"{c.text}: {times}, score {c.score:g}")
        tell(wrapped(f'"{" ".join(c.quote.split())}" ({c.episodes[0]})', "  "))
    if total > len(found):
        tell(f"{total - len(found)} more: --limit {total}", err=True)
