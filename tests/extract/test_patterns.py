"""The quick test before spaCy's Matcher lets through whatever the Matcher would find."""

import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.matcher import Matcher
from spacy.tokens import Doc

from extract.patterns import EPISODES, TABLE, THING, compiled, gate, keys, spaced

ROWS = [row for _, _, row in (*TABLE, *EPISODES)]
VOCAB = spacy.blank("en").vocab
FILLERS = st.lists(st.sampled_from(["fast", "the", "x(y", "c++", "its", ",", "of", THING]), max_size=6)


@st.composite
def read_aloud(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A row, and words that may or may not fit it: its own choices, with others between them."""
    row = draw(st.sampled_from(ROWS))
    words: list[str] = draw(FILLERS)
    for slot in compiled(row):
        choices = slot["LOWER"].get("IN") or ["fast", "its", "of"]
        if slot.get("OP") != "?" or draw(st.booleans()):
            words.append(draw(st.sampled_from(choices)))
    return row, words + draw(FILLERS)


@given(read_aloud())
def test_what_the_matcher_finds_passes_the_gate_and_holds_a_key(case: tuple[str, list[str]]) -> None:
    row, words = case
    matcher = Matcher(VOCAB)
    matcher.add(row, [compiled(row)])
    found = bool(matcher(Doc(VOCAB, words=words)))
    assert bool(gate(row).search(spaced(words))) == found
    assert not found or not {*keys(row)}.isdisjoint(words)


def test_no_row_is_tried_for_a_thing_alone() -> None:
    assert all(THING not in keys(row) and min(map(len, keys(row))) > 1 for row in ROWS)
