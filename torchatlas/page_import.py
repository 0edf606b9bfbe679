"""The report of an import: what becomes of each entry of new pages, beside what is there already."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from torchatlas.inputs.inputs import Inputs
from torchatlas.inputs.saved_pages import read_pages
from torchatlas.pipeline import placed_entries

if TYPE_CHECKING:
    from torchatlas.extract.placing import Placed


def report(inputs: Inputs, documents: Sequence[tuple[str, bytes]]) -> "list[Placed]":
    """Return what becomes of the entries of these pages, (name, document) each. Writes nothing.

    An episode that an earlier import brought is not new.

    Example: report(read_inputs(settings), [open_page("playerfm.html")])
    """
    names = {name for name, _ in documents}
    others = tuple(page for page in inputs.pages if page[0] not in names)
    again = len(others) < len(inputs.pages)  # what other pages brought is not new in any case
    before = {row.episode.id for row in placed_entries(inputs) if row.episode} if again else set()
    rows = placed_entries(replace(inputs, pages=(*others, *documents)))  # a row for each entry, in this order
    count = sum(len(page.entries) for page in read_pages(documents)[0])
    return [
        replace(row, outcome="merged", evidence=("imported before",))
        if row.outcome == "new" and row.episode and row.episode.id in before
        else row
        for row in rows[len(rows) - count :]
    ]
