"""Titles: they name the terms of their texts."""

import pytest

from torchatlas.extract.extractor import Extractor
from torchatlas.extract.feeds import Entry
from torchatlas.graph.values.model import Episode


@pytest.mark.parametrize(
    ("title", "notes", "named"),
    [
        ("Scan frobniclib last", "A missing `frobniclib` ends it.", ["frobniclib"]),
        ("How Frobniclibs end", "A missing `frobniclib` ends it.", ["Frobniclibs"]),
        ("On frobniclib-free code", "A missing `frobniclib` ends it.", []),
        ("Scan it last", "A missing `frobniclib` ends it.", []),
    ],
)
def test_a_title_has_the_terms_of_its_text(title: str, notes: str, named: list[str]) -> None:
    (found,) = Extractor([]).extract([Entry(Episode("s/1", title, show="s"), notes)])
    assert [m.text for m in found.mentions if m.field == "title"] == named
