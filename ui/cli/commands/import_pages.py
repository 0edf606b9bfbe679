"""The command that brings in saved pages: import."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from torchatlas.exports import dumps
from torchatlas.graph.values.errors import SourceError
from torchatlas.settings import Settings
from torchatlas.ui.cli.options import format_option, progress, settings_option, tell

if TYPE_CHECKING:
    from torchatlas.extract.pages.placing import Placed

_SHOWN = 70  # characters of a text without a title

Documents = Sequence[tuple[str, bytes]]


@click.command("import")
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option("--dry-run", is_flag=True, help="Show what would be added, merged and left out; change nothing.")
@format_option("text", "json")
@settings_option
def import_pages(settings: Settings, pages: tuple[str, ...], dry_run: bool, style: str) -> None:
    """Remember PAGEs that you saved, as text or HTML, and build the map with the episodes or posts on them.

    Known are a directory's episode page (as of Player FM), its best-of page (as of Goodpods), a numbered listing, and
    a blog's index.

    Example: torchatlas import playerfm.html goodpods.txt --dry-run
    """
    from torchatlas.saved_pages import keep_pages, open_page

    documents: dict[str, bytes] = {}
    failures = 0
    for page in pages:
        try:
            name, document = open_page(settings, page)
            documents[name] = document
        except SourceError as e:
            tell(str(e), err=True)
            failures += 1
    if documents:
        _report(_placed(settings, list(documents.items())), style)
    if documents and not dry_run:
        keep_pages(settings, documents.items())
        _build(settings)
    if failures:
        click.get_current_context().exit(1)


def _placed(settings: Settings, documents: Documents) -> "list[Placed]":
    """What becomes of the entries of these pages; what an earlier import brought is not new."""
    from torchatlas.inputs import inputs
    from torchatlas.pipeline import placed
    from torchatlas.saved_pages import read_pages

    given = replace(inputs(settings), cache=None)  # a dry run writes nothing, not even what it found
    names = {name for name, _ in documents}
    before = {row.episode.id for row in placed(given) if row.episode} if given.pages else set()
    others = tuple(page for page in given.pages if page[0] not in names)
    rows = placed(replace(given, pages=(*others, *documents)))
    theirs = sum(len(page.entries) for page in read_pages(others)[0])
    return [
        replace(row, outcome="merged", evidence=("imported before",))
        if row.outcome == "new" and row.episode and row.episode.id in before
        else row
        for row in rows[theirs:]
    ]


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


def _build(settings: Settings) -> None:
    from torchatlas.stored_graph import ensure, open_graph

    with open_graph(settings) as store, progress() as report:
        graph = ensure(store, settings, report)
    if graph is None:
        tell("the map has all of it already", err=True)
    else:
        tell(f"{len(graph.episodes)} episodes, {len(graph.links)} links, written to {store.address}", err=True)
