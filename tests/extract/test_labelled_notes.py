"""How well the shipped vocabulary and the rules find what a reader would mark: labelled_notes.txt, labelled by hand."""

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from torchatlas.extract.curated.vocabulary import load_vocabulary
from torchatlas.extract.pipeline import Extractor
from torchatlas.inputs.bundled import bundled

pytestmark = pytest.mark.slow

NOTES = Path(__file__).with_name("labelled_notes.txt")
MARK = re.compile(r"(\{[+-]?|(?:\|[^{}|]*)?\})")

Labels = dict[tuple[int, int], str]


def labelled() -> Iterator[tuple[str, Labels, set[tuple[int, int]]]]:
    """Yield each text without its marks, the labels by their places, and the places that the rules find."""
    for block in re.split(r"^== .*\n", NOTES.read_text("utf-8"), flags=re.M)[1:]:
        text, labels, places = "", {}, set()
        opened: list[tuple[int, str]] = []
        for piece in MARK.split(block):
            if piece[:1] == "{":
                opened.append((len(text), piece[1:]))
            elif piece[-1:] == "}":
                start, sign = opened.pop()
                if sign != "+":
                    labels[start, len(text)] = piece[1:-1] or text[start:]
                if sign != "-":
                    places.add((start, len(text)))
            else:
                text += piece
        yield text, labels, places


@pytest.fixture(scope="module")
def compared() -> list[tuple[Labels, Labels]]:
    """Return what is labelled and what is found, for each text."""
    extractor = Extractor(load_vocabulary(bundled("concepts", ".toml")).concepts)
    pairs = []
    for text, labels, places in labelled():
        found = {(m.start, m.end): m.concept_id for m in extractor.mentions(text)}
        assert found.keys() == places, text
        pairs.append((labels, found))
    return pairs


def test_nothing_but_the_marked_mistakes_is_made_and_they_are_few(compared: list[tuple[Labels, Labels]]) -> None:
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
