"""The quick tests before spaCy's Matcher let through whatever the Matcher would find."""

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.matcher import Matcher
from spacy.tokens import Doc

from torchatlas.extract.statements.patterns import ENTITY, SLOTS, Notation, slots, spaced, verbs
from torchatlas.extract.statements.relations import EPISODES, IDIOMS, NOTATION

ROWS = [row for _, _, row in (*IDIOMS, *EPISODES)]
VOCAB = spacy.blank("en").vocab
FILLERS = st.lists(st.sampled_from(["fast", "the", "x(y", "c++", "its", ",", "of", "usually", ENTITY]), max_size=6)


@st.composite
def read_aloud(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A row, and words that may or may not fit it: its own choices, with others between them."""
    row = draw(st.sampled_from(ROWS))
    words: list[str] = draw(FILLERS)
    for slot in NOTATION.compiled(row):
        choices = slot["LOWER"].get("IN") or ["fast", "its", "of", "also", "quickly", "is"]
        if slot.get("OP") != "?" or draw(st.booleans()):
            words.append(draw(st.sampled_from(choices)))
    return row, words + draw(FILLERS)


@given(read_aloud())
def test_what_the_matcher_finds_passes_the_gate_and_holds_what_is_required(case: tuple[str, list[str]]) -> None:
    row, words = case
    matcher = Matcher(VOCAB)
    matcher.add(row, [NOTATION.compiled(row)])
    found = bool(matcher(Doc(VOCAB, words=words)))
    assert bool(NOTATION.gate(row).search(spaced(words))) == found
    assert not found or not any(map({*words}.isdisjoint, NOTATION.required(row)))


@pytest.mark.parametrize("row", ROWS)
def test_every_row_needs_a_word_of_its_own_and_no_group_is_misspelt(row: str) -> None:
    assert NOTATION.required(row) and min(map(len, NOTATION.required(row)[0])) > 1
    assert not any(choice.isupper() for choice in NOTATION.literal(row))


@pytest.mark.parametrize(("relation", "order", "row"), [*IDIOMS, *EPISODES])
def test_subject_and_object_of_every_row_are_in_it(relation: str, order: str, row: str) -> None:
    assert len(order) == 2 and {*order} <= {*slots(row), "e", "t"} and not {*slots(row)} - {*SLOTS}


def test_a_group_of_verbs_is_inflected() -> None:
    assert verbs("use emit build") == (
        "use|uses|used|emit|emits|emitted|build|builds|built",
        "used|emitted|built",
        "using|emitting|building",
    )


def test_what_may_not_follow_is_no_part_of_the_match() -> None:
    notation = Notation({}, {})
    assert notation.refused("A replaces B !with|by") == {"with", "by"}
    assert len(notation.compiled("A replaces B !with|by")) == 3
