"""Plain terms: the single words that a text says again and again."""

import pytest

from torchatlas.extract.extractor import Extractor
from torchatlas.extract.feeds.entries import Entry
from torchatlas.extract.mentions.plain_terms import again, plain_terms
from torchatlas.extract.mentions.word_shapes import shape
from torchatlas.graph.values.model import Episode


def found(text: str, known: tuple[str, ...] = ()) -> list[str]:
    shapes = [shape(word) for word in text.replace("\n", " ").split(" ")]
    return [text[p.start : p.end] for p in plain_terms(text, shapes, [], known)]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        (
            "A participant pins. Participants unpin. No participant waits",
            ["participant", "Participants", "participant"],
        ),
        ("One span, or two spans", []),
        ("A thing, the things and this thing", []),
        ("The answer: an app, that app and our app", []),
        ("It brought this, brought that and brought more", []),
        ("An exemplar is kept. That exemplar or exemplars", ["exemplar", "exemplar", "exemplars"]),
        ("Bare here, bare there, bare again", []),
        ("exploring this, exploring that, exploring more", []),
        ("Petra came, Petra saw, Petra won", []),
        ("The watchcache starts; a watchcache fails", ["watchcache", "watchcache"]),
        ("A multi-node job and a multi-node run", []),
        ("A _counter_ is a counter; this (counter) is a counter, no counter.", ["counter"] * 5),
    ],
)
def test_a_noun_that_is_said_three_times_is_a_term_and_one_that_nobody_knows_after_two(
    text: str, terms: list[str]
) -> None:
    assert found(text) == terms


def test_a_long_text_must_say_a_word_more_often() -> None:
    text = "a span of a span in a span"
    assert len(found(text)) == 3
    assert found(text + " and so on" * 200) == []


def test_a_word_that_the_vocabulary_judges_is_left_to_it() -> None:
    assert found("a span of a span in a span", known=("span",)) == []


def test_a_piece_of_a_path_or_a_longer_word_is_no_place_of_a_term() -> None:
    assert found("a span of spans in span-based src/span/x.py span_id and a span") == ["span", "spans", "span"]


def test_a_title_has_the_terms_of_its_text() -> None:
    title = "How spans end"
    entry = Entry(Episode("s/1", title, show="s"), "A span begins. The span ends. A tracer keeps each span.")
    extraction = next(Extractor([]).extract([entry]))
    first = extraction.mentions[0]
    assert (first.field, first.text, first.concept_id) == ("title", "spans", "span")
    assert again(title, [], {"trace"}) == []
