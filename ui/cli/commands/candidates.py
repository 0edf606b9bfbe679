"""The command that lists new terms for review: candidates."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from torchatlas.graph.formatting import counted
from torchatlas.ui.cli.options import atlas_option, format_option, limit_option, print_answer, tell, wrapped

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.extract.candidates import TermCandidate


@click.command()
@click.argument("feeds", nargs=-1, metavar="[FEED]...")
@limit_option(40, "How many to list.")
@click.option("--accept", metavar="TERM", help="Make this a topic of yours, in your corrections.")
@click.option("--name", default="", metavar="NAME", help="What an accepted term is called; the term becomes its alias.")
@click.option("--definition", default="", metavar="TEXT", help="What an accepted term is, in a sentence.")
@click.option("--area", default="", metavar="AREA", help="The area of accepted or drafted terms.")
@click.option("--draft", type=click.Path(path_type=Path), metavar="FILE", help="Begin a vocabulary with the terms.")
@click.option("--reject", multiple=True, metavar="TERM", help="Never list this term again. May be repeated.")
@format_option("text", "json")
@atlas_option
def candidates(
    atlas: "Atlas", feeds: tuple[str, ...], limit: int, accept: str | None, name: str, definition: str, area: str,
    draft: Path | None, reject: tuple[str, ...], style: str,
) -> None:  # fmt: skip
    """List terms that the vocabulary does not know, best first.

    It looks in FEEDs, or without them in your sources and the catalogue.

    With --draft it writes them to a vocabulary of yours: names, a sentence for a definition, and what each probably
    needs.

    With --accept or --reject it lists nothing; the next command builds the graph with what you accepted. Rejected
    terms stand in sources.toml under `refused`. --format json prints what was drafted, accepted or else rejected.

    Example: torchatlas candidates --accept "{term}" --area {area}
    """
    if accept is None and (name or definition or (area and draft is None)):
        raise click.UsageError("--name, --definition and --area belong to --accept TERM")
    if accept is not None and draft is not None:
        raise click.UsageError("choose one of --accept TERM and --draft FILE")
    if draft is not None:
        drafts = atlas.draft(draft, *feeds, limit=limit, area=area)
        done = f"{counted(len(drafts), 'draft')} in {draft}: reword them; the next command builds the map with them"
        print_answer(drafts, style, [done])
    elif accept is None and not reject:
        found = atlas.candidates(*feeds)
        print_answer(found[:limit], style, _lines(found[:limit]))
        if not found and style != "json":
            tell("no candidate: the vocabulary has all that the texts name often enough", err=True)
        if len(found) > limit and style != "json":
            tell(f"{len(found) - limit} more: --limit {len(found)}", err=True)
    if accept is not None:
        id_ = atlas.accept(accept, name=name, definition=definition, area=area)
        print_answer({"id": id_, "name": name or accept}, style, [f"{name or accept} [{id_}]"])
        tell(f"written to {atlas.settings.corrections}; the next command builds the graph with it", err=True)
    for term in reject:
        atlas.reject(term)
    if accept is None and draft is None and reject:
        print_answer(reject, style, ())


def _lines(found: "Sequence[TermCandidate]") -> Iterable[str]:
    for c in found:
        times = "once" if c.count == 1 else f"{c.count} times in {counted(len(c.episodes), 'episode')}"
        yield f"{c.text}: {times}, score {c.score:g}"
        yield wrapped(f'"{" ".join(c.quote.split())}" ({c.episodes[0]})')
