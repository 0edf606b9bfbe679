import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.graph.findings import Field, Mention
from torchatlas.graph.inference import FIRST, LEANING, Passage, namings, prerequisites, sentences, without_circles
from torchatlas.graph.model import Requires

NAMES = ("kiln", "clay", "glaze", "raku", "tea")


def passage(text: str, field: Field = "definition", start: int = 0) -> Passage:
    spans = [(m.start(), m.end()) for m in re.finditer("|".join(NAMES), text)]
    mentions = tuple(Mention(text[a:b], field, start=start + a, end=start + b, text=text[a:b]) for a, b in spans)
    return Passage(field, text, mentions=mentions, start=start)


def named(said: Passage) -> dict[str, float]:
    return {n.target: n.confidence for n in namings("raku", said)}


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("Made with clay.", FIRST),
        ("Made of earth and then of clay.", FIRST),
        ("A craft that is based on clay.", FIRST),
        ("A craft. It has clay.", None),
        ("A craft of shapes; others paint clay.", None),
        ("A craft. It is based on the clay.", LEANING),
        ("A craft. It uses clay.", LEANING),
        ("Arts such as clay.", None),
        ("A craft without any clay.", None),
        ("Is it based on clay?", None),
        ("A craft used for clay.", None),
        ("See also clay.", None),
    ],
)
def test_how_a_text_names_another_concept(text: str, confidence: float | None) -> None:
    assert named(passage(text)) == ({"clay": confidence} if confidence else {})


def test_only_a_definition_has_a_first_sentence_that_tells_and_nothing_names_itself() -> None:
    assert not named(passage("Made with clay.", "description"))
    assert not named(passage("What raku is."))


@pytest.mark.parametrize(
    ("notes", "leans"),
    [
        ("Here raku is based on clay.", True),
        ("Here the kiln is built on clay, and raku is far.", False),
        ("Here raku and the kiln, which is built on clay.", False),
    ],
)
def test_in_notes_that_tell_of_much_only_the_concept_itself_leans_on_another(notes: str, leans: bool) -> None:
    assert named(replace(passage(notes, "description"), episode="an-episode")) == ({"clay": LEANING} if leans else {})


@given(st.text(st.sampled_from("aB .!?\n)\"'"), max_size=40))
def test_sentences_are_the_text_without_the_white_space_between_them(text: str) -> None:
    spans = list(sentences(text))
    assert re.sub(r"\s", "", "".join(text[a:b] for a, b in spans)) == re.sub(r"\s", "", text)
    assert all(a < b and text[a:b] == text[a:b].strip() for a, b in spans)


def test_the_sentence_is_quoted_with_its_place_in_the_field() -> None:
    notes = "Before. Yes. It needs clay. After."
    (found,) = namings("tea", passage(notes[8:], "description", 8))
    assert (found.quote, found.start) == ("It needs clay.", 13)
    assert notes[found.start :].startswith(found.quote)


def test_of_several_namings_the_surest_counts_and_among_equals_the_first() -> None:
    said = ("It uses clay.", "Made with clay.", "Fired clay.")
    passages = [("tea", passage("A drink. It uses clay.")), *(("tea", passage(text)) for text in said[1:])]
    (found,) = prerequisites(passages)
    assert (found.confidence, found.quote) == (FIRST, "Made with clay.")


@pytest.mark.parametrize(
    ("clay", "kept"),
    [
        ("Fine earth.", {("kiln", "clay")}),
        ("Fine earth. It needs a kiln.", {("kiln", "clay")}),
        ("Fine earth for a kiln.", set()),
    ],
)
def test_what_is_named_back_as_surely_is_no_prerequisite(clay: str, kept: set[tuple[str, str]]) -> None:
    found = prerequisites([("kiln", passage("A chamber that hardens clay.")), ("clay", passage(clay))])
    assert {(n.source, n.target) for n in found} == kept


def naming(concept: str, needed: str, confidence: float) -> Requires:
    return Requires(concept, needed, need="bridge", reason="", origin="inferred", confidence=confidence)


def test_the_strongest_hold_and_what_contradicts_them_is_told() -> None:
    circle = (naming("a", "b", 0.9), naming("b", "c", 0.8), naming("c", "a", 0.7))
    assert without_circles(circle) == (circle[:2], circle[2:])
    assert without_circles(circle[::-1]) == (circle[:2], circle[2:])
    assert without_circles(circle, [("b", "a")]) == (circle[1:], circle[:1])


ids = st.sampled_from("abcdef")
found_namings = st.lists(st.builds(naming, ids, ids, st.floats(0, 1)).filter(lambda n: n.source != n.target))


@given(found_namings)
def test_what_is_kept_has_no_circle(found: list[Requires]) -> None:
    from graphlib import TopologicalSorter

    kept, aside = without_circles(found)
    sorter = TopologicalSorter[str]()
    for n in kept:
        sorter.add(n.source, n.target)
    sorter.prepare()
    assert sorted(map(repr, (*kept, *aside))) == sorted(map(repr, found))
