"""The command that lists new terms for review: candidates."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from torchatlas.exports import dumps
from torchatlas.settings import Settings
from torchatlas.ui.cli.commands.sources import read_entries
from torchatlas.ui.cli.options import format_option, settings_option, tell, wrapped

if TYPE_CHECKING:
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
@settings_option
def candidates(
    settings: Settings,
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

    With --accept or --reject it lists nothing; the next build has what you accepted. Rejected terms stand in your
    profile under `refused`.

    Example: torchatlas candidates --accept "lantern pass" --area Compilation
    """
    if accept is None and (name or definition or area):
        raise click.UsageError("--name, --definition and --area belong to --accept TERM")
    if accept is None and not reject:
        found = _found(settings, feeds)
        _report(found[:limit], len(found), style)
        return
    from torchatlas.own_topics import accept as accepted
    from torchatlas.own_topics import reject as rejected

    if accept is not None:
        id_ = accepted(settings, accept, name or "", definition or "", area or "")
        tell(f"{name or accept} [{id_}]")
        tell(f"written to {settings.corrections}; the next build has it", err=True)
    for term in reject:
        rejected(settings, term)


def _found(settings: Settings, feeds: tuple[str, ...]) -> "tuple[TermCandidate, ...]":
    from torchatlas.profile import load_profile

    profile = load_profile(settings.profile)
    if not feeds:
        from torchatlas.inputs import inputs
        from torchatlas.pipeline import candidates as of_all

        return of_all(inputs(settings), profile.refused)
    from torchatlas.extract.cached_extractor import CachedExtractor
    from torchatlas.extract.candidates.ranking import CandidateFinder
    from torchatlas.extract.extractor_config import ExtractorConfig
    from torchatlas.inputs import vocabulary

    entries, failed = read_entries(settings, feeds)
    if failed:
        tell(failed, err=True)
    known = vocabulary(settings)
    return CandidateFinder(known, profile.refused).rank(
        CachedExtractor(ExtractorConfig(known.concepts, model=profile.model)).extract(entries)
    )


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
