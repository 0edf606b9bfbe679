"""The report of an import: what it says of each entry, and what it reads for that."""

from dataclasses import replace

import pytest

from tests.pages import best_of, listing
from tests.test_benchmarks import INPUTS
from torchatlas import build
from torchatlas.extract import pages as readers

KETTLES, SPOUTS, LIDS = ("Kettles", "On kettles, which whistle."), ("Spouts", "On spouts."), ("Lids", "On lids.")


def outcomes(pages: dict[str, str], new: dict[str, str]) -> list[tuple[str | None, str, tuple[str, ...]]]:
    inputs = replace(INPUTS, pages=tuple((name, text.encode()) for name, text in pages.items()))
    rows = build.import_report(inputs, [(name, text.encode()) for name, text in new.items()])
    return [(row.entry.title, row.outcome, row.evidence) for row in rows]


def test_what_another_page_or_an_earlier_import_brought_is_not_new() -> None:
    former = {"a/list.txt": listing([KETTLES, LIDS]), "broken.txt": "no page"}
    for name, evidence in ("b/list.txt", "same title"), ("a/list.txt", "imported before"):
        kettles, spouts = outcomes(former, {name: listing([KETTLES, SPOUTS])})
        assert kettles[:2] == ("Kettles", "merged") and evidence in kettles[2]
        assert spouts == ("Spouts", "new", ())
    changed = best_of([("Kettles", "05/11/21", "15 min", "On kettles.")])
    former = {"best.txt": changed.replace("15 min", "14 min")}
    assert outcomes(former, {"best.txt": changed}) == [("Kettles", "merged", ("imported before",))]


def test_the_pages_of_before_are_read_once_where_none_is_imported_again(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(document: bytes, name: str) -> object:
        read.append(name)
        return real(document, name)

    real = readers.read_page
    monkeypatch.setattr(readers, "read_page", counted)
    assert len(outcomes({"a.txt": listing([KETTLES, LIDS])}, {"b.txt": listing([KETTLES, SPOUTS])})) == 2
    assert read.count("a.txt") == 1
