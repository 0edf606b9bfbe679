"""The command that brings in saved pages: import."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from torchatlas.graph.names import excerpt
from torchatlas.ui.cli.options import atlas_option, finish, format_option, print_answer, tell
from torchatlas.ui.plans import LONGEST, placed_row

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.extract.placing import Placed


@click.command("import")
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option("--dry-run", is_flag=True, help="Show what would be added, merged and left out; change nothing.")
@format_option("text", "json")
@atlas_option
def import_pages(atlas: "Atlas", pages: tuple[str, ...], dry_run: bool, style: str) -> None:
    """Remember PAGEs that you saved, and build the map with them.

    A PAGE is text or HTML with a list of episodes or posts.

    Pages that it can read: a directory's episode page (such as Player FM's), its best-of page (such as Goodpods'),
    a numbered listing, and a blog's index.

    Example: torchatlas import playerfm.html goodpods.txt --dry-run
    """
    imported = atlas.import_pages(*pages, dry_run=dry_run)
    print_answer([placed_row(row) for row in imported.rows], style, _lines(imported.rows))
    if imported.graph:
        tell(f"{imported.graph.size}, written to {atlas.store.address}", err=True)
    elif not dry_run:
        tell("the map has all of it already", err=True)
    finish(imported.failed)


def _lines(rows: "Sequence[Placed]") -> Iterable[str]:
    for page in dict.fromkeys(row.page for row in rows):
        own = [row for row in rows if row.page == page]
        counts = Counter(row.outcome for row in own)
        yield f"{page}: {counts['new']} new, {counts['merged']} merged, {counts['not placed']} not placed"
        yield from map(_line, own)


def _line(row: "Placed") -> str:
    said = row.entry.title or f'"{excerpt(row.entry.text, LONGEST)}"'
    meant = f" = {row.episode.title}" if row.episode and row.episode.title != said else ""
    why = f" ({'; '.join(row.evidence)})" if row.evidence else ""
    return f"  {row.outcome}: {said}{meant}{why}"
