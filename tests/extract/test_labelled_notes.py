"""How well the shipped vocabulary and the rules find what a reader would mark: labelled_notes.txt, labelled by hand."""

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from torchatlas.bundled import bundled
from torchatlas.extract.curated.vocabulary import load_vocabulary
from torchatlas.extract.extractor import Extractor

pytestmark = pytest.mark.slow

NOTES = Path(__file__).with_name("labelled_notes.txt")
MARKED = re.compile(r"\{([^{}|]+)(?:\|([^{}]+))?\}")

Labels = dict[tuple[int, int], str]


def labelled() -> Iterator[tuple[str, Labels]]:
    """Each text without its marks, and the places of these with the names they give."""
    for block in re.split(r"^== .*\n", NOTES.read_text("utf-8"), flags=re.M)[1:]:
        text, labels, last = "", {}, 0
        for mark in MARKED.finditer(block):
            text += block[last : mark.start()]
            labels[len(text), len(text) + len(mark[1])] = mark[2] or mark[1]
            text, last = text + mark[1], mark.end()
        yield text + block[last:], labels


@pytest.fixture(scope="module")
def compared() -> list[tuple[Labels, Labels]]:
    """What is labelled and what is found, for each text."""
    extractor = Extractor(load_vocabulary(bundled("concepts", ".toml")).concepts)
    return [(labels, {(m.start, m.end): m.concept_id for m in extractor.mentions(text)}) for text, labels in labelled()]


def test_precision_and_recall(compared: list[tuple[Labels, Labels]]) -> None:
    right = sum(len(labels.keys() & found.keys()) for labels, found in compared)
    assert right / sum(len(found) for _, found in compared) >= 0.95
    assert right / sum(len(labels) for labels, _ in compared) >= 0.92


def test_mentions_of_one_thing_are_grouped(compared: list[tuple[Labels, Labels]]) -> None:
    both = [(labels[k], found[k]) for labels, found in compared for k in labels.keys() & found.keys()]
    same = [
        (re.sub(r"\W+|s$", "", a.lower()) == re.sub(r"\W+|s$", "", b.lower()), x == y)
        for (a, x), (b, y) in combinations(both, 2)
    ]
    right = sum(labelled and found for labelled, found in same)
    assert 2 * right / (sum(labelled for labelled, _ in same) + sum(found for _, found in same)) >= 0.93
