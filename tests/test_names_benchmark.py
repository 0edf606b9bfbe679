"""The labelled texts of the benchmark: their form, and how well their names are found at least."""

import re
from pathlib import Path

import pytest

from benchmarks.names import FOLDER, names, texts

pytestmark = pytest.mark.slow


def test_the_names_of_each_field_are_found_as_well_as_they_were() -> None:
    shares = {row[0]: float(row[-1]) for row in names().rows}
    assert min(shares.values()) >= 0.54
    assert shares["all"] >= 0.61


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.txt")), ids=lambda file: file.stem)
def test_labels_are_whole_words(file: Path) -> None:
    for text, labels in texts(file):
        assert "[[" not in text
        for start, end in labels:
            assert text[start:end].strip() == text[start:end] != ""
            assert not re.search(r"\w\Z", text[:start]) or not re.match(r"\w", text[start:])
