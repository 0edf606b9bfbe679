"""The command that brings in saved pages: import."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from torchatlas.exports import dumps
from torchatlas.graph.values.errors import SourceError
from torchatlas.ui.cli.options import atlas_option, format_option, tell

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.extract.pages.placing import Placed

_SHOWN = 70  # characters of a text without a title


@click.command("import")
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option("--dry-run", is_flag=True, help="Show what would be added, merged and left out; change nothing.")
@format_option("text", "json")
@atlas_option
def import_pages(atlas: "Atlas", pages: tuple[str, ...], dry_run: bool, style: str) -> None:
    """Remember PAGEs that you saved, as text or HTML, and build the map with the episodes or posts on them.

    Known are a directory's episode page (as of Player FM), its best-of page (as of Goodpods), a numbered listing, and
    a blog's index.

    Example: torchatlas import playerfm.html goodpods.txt --dry-run
    """
    imported = atlas.import_pages(*pages, dry_run=dry_run)
    _report(imported.rows, style)
    if not dry_run:
        if (graph := imported.graph) is None:
            tell("the map has all of it already", err=True)
        else:
            counted = f"{len(graph.episodes)} episodes, {len(graph.links)} links"
            tell(f"{counted}, written to {atlas.store.address}", err=True)
    if imported.failed:
        raise SourceError(imported.failed)


def _report(rows: "Sequence[Placed]", style: str) -> None:
    if style == "json":
        click.echo(dumps([_row(row) for row in rows]))
        return
    for page in dict.fromkeys(row.page for row in rows):
        own = [row for row in rows if row.page == page]
        counts = Counter(row.outcome for row in own)
        tell(f"{page}: {counts['new']} new, {counts['merged']} merged, {counts['not placed']} not placed")
        for row in own:
            tell(_line(row))


def _row(row: "Placed") -> dict[str, object]:
    return {
        "page": row.page,
        "title": row.entry.title,
        "text": _beginning(row.entry.text),
        "outcome": row.outcome,
        "episode_id": row.episode.id if row.episode else None,
        "episode": row.episode.title if row.episode else None,
        "evidence": list(row.evidence),
    }


def _line(row: "Placed") -> str:
    said = row.entry.title or f'"{_beginning(row.entry.text)}"'
    meant = f" = {row.episode.title}" if row.episode and row.episode.title != said else ""
    why = f" ({'; '.join(row.evidence)})" if row.evidence else ""
    return f"  {row.outcome}: {said}{meant}{why}"


def _beginning(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN].rstrip()}…"
