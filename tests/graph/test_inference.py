import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.graph.build.inference.candidate_pairs import STRONG, Candidate, candidates, without_circles
from torchatlas.graph.build.inference.passages import Passage, Place, Subject, namings, sentences
from torchatlas.graph.build.inference.signals import read_signals
from torchatlas.graph.values.findings import Field, Mention

DEFINITIONS = {
    "kiln": "A chamber that is heated until clay hardens.",
    "clay": "Fine earth that can be shaped while it is wet.",
    "glaze": "A coat of glass that is melted onto clay in a kiln.",
    "raku": "A way of glazing: raku takes the pot out of the kiln while the glaze still glows. It began in tea houses.",
    "tea": "Leaves in hot water. Some drink it from raku bowls.",
}


def passage(text: str, field: Field = "definition", start: int = 0) -> Passage:
    spans = [(m.start(), m.end()) for m in re.finditer("|".join(DEFINITIONS), text)]
    mentions = tuple(Mention(text[a:b], field, start=start + a, end=start + b, text=text[a:b]) for a, b in spans)
    return Passage(field, text, mentions=mentions, start=start)


def subject(id_: str, *more: Passage) -> Subject:
    return Subject(id_, id_, passages=(passage(DEFINITIONS[id_]), *more))


SUBJECTS = tuple(map(subject, DEFINITIONS))


def places(*passages: Passage) -> dict[str, Place]:
    return {n.concept: n.place for n in namings(Subject("raku", "raku", passages=passages))}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Made with clay.", Place.FIRST),
        ("A craft. It has clay.", Place.LATER),
        ("A craft of shapes; others paint clay.", Place.LATER),
        ("A craft. It is based on the clay.", Place.LEANING),
        ("A craft. It uses clay.", Place.LEANING),
        ("Arts such as clay.", Place.ASIDE),
        ("A craft without any clay.", Place.ASIDE),
        ("A craft. Is it based on clay?", Place.ASIDE),
        ("A craft. It is used for clay.", Place.ASIDE),
        ("A craft.\nSee also: clay.", Place.AHEAD),
    ],
)
def test_how_a_text_names_another_concept(text: str, place: Place) -> None:
    assert places(passage(text)) == {"clay": place}


def test_only_a_definition_has_a_first_sentence_that_tells_and_nothing_names_itself() -> None:
    assert places(passage("Made with clay.", "description")) == {"clay": Place.LATER}
    assert not places(passage("What raku is."))


@pytest.mark.parametrize(
    ("notes", "place"),
    [
        ("Here raku is based on clay.", Place.LEANING),
        ("Here the kiln is built on clay, and raku is far.", Place.LATER),
        ("Here raku and the kiln, which is built on clay.", Place.LATER),
    ],
)
def test_in_notes_that_tell_of_much_only_the_concept_itself_leans_on_another(notes: str, place: Place) -> None:
    said = passage(notes, "description")
    assert (
        places(Passage(said.field, said.text, mentions=said.mentions, start=0, episode="an-episode"))["clay"] is place
    )


@given(st.text(st.sampled_from("aB .!?\n)\"'"), max_size=40))
def test_sentences_are_the_text_without_the_white_space_between_them(text: str) -> None:
    spans = list(sentences(text))
    assert re.sub(r"\s", "", "".join(text[a:b] for a, b in spans)) == re.sub(r"\s", "", text)
    assert all(a < b and text[a:b] == text[a:b].strip() for a, b in spans)


def test_the_sentence_is_quoted_with_its_place_in_the_field() -> None:
    notes = "Before. It needs clay. After."
    found = [n for n in namings(subject("tea", passage(notes[8:22], "description", 8))) if n.concept == "clay"]
    assert [(n.quote, n.start) for n in found] == [("It needs clay.", 8)]
    assert notes[8:].startswith(found[0].quote)


def test_what_the_first_sentence_names_is_strong_and_what_is_only_alike_never_is() -> None:
    found = candidates(SUBJECTS)
    strong = {(c.concept, c.needed) for c in found if c.tier == "strong"}
    assert {("glaze", "kiln"), ("glaze", "clay"), ("kiln", "clay")} <= strong
    assert all(c.naming and c.confidence >= STRONG for c in found if c.tier == "strong")
    assert ("raku", "tea") not in strong
    alike = (
        Subject("a", "a", passages=(passage("warm wet soft earth"),)),
        Subject("b", "b", passages=(passage("warm wet soft earth b"),)),
    )
    assert all(c.tier == "weak" for c in candidates((*SUBJECTS, *alike)) if {c.concept, c.needed} & {"a", "b"})


def test_see_also_points_forward() -> None:
    votes = [
        read_signals((*(s for s in SUBJECTS if s.id != "clay"), subject("clay", *more))).vote[-1, 0]
        for more in ((), (passage("See also kiln.", "description"),))
    ]
    assert votes[1] < votes[0]
    pointing = (*(s for s in SUBJECTS if s.id != "clay"), subject("clay", passage("See also raku.", "description")))
    assert ("clay", "raku") not in {(c.concept, c.needed) for c in candidates(pointing)}


def test_the_vote_for_one_way_is_the_vote_against_the_other() -> None:
    signals = read_signals(SUBJECTS)
    assert np.allclose(signals.vote, -signals.vote.T)
    assert SUBJECTS[int(np.argmax(signals.generality))].id == "clay"


@pytest.mark.parametrize("n", [0, 1, 2])
def test_a_few_texts_or_none_are_enough(n: int) -> None:
    assert all(c.concept != c.needed for c in candidates(SUBJECTS[:n] if n else (Subject("x", "x"),)))


def test_the_order_of_the_subjects_does_not_count_and_some_may_be_asked_for() -> None:
    found = candidates(SUBJECTS)
    assert {(c.concept, c.needed, c.confidence) for c in candidates(SUBJECTS[::-1])} == {
        (c.concept, c.needed, c.confidence) for c in found
    }
    assert candidates(SUBJECTS, {"raku"}) == tuple(c for c in found if c.concept == "raku")


def test_the_strongest_hold_and_what_contradicts_them_is_told() -> None:
    circle = (
        Candidate("a", "b", confidence=0.9, method=""),
        Candidate("b", "c", confidence=0.8, method=""),
        Candidate("c", "a", confidence=0.7, method=""),
    )
    assert without_circles(circle) == (circle[:2], circle[2:])
    assert without_circles(circle, [("b", "a")]) == (circle[1:], circle[:1])


ids = st.sampled_from("abcdef")
found_edges = st.lists(
    st.builds(Candidate, ids, ids, confidence=st.floats(0, 1), method=st.just("")).filter(
        lambda c: c.concept != c.needed
    )
)


@given(found_edges)
def test_what_is_kept_has_no_circle(found: list[Candidate]) -> None:
    from graphlib import TopologicalSorter

    kept, aside = without_circles(found)
    sorter = TopologicalSorter[str]()
    for c in kept:
        sorter.add(c.concept, c.needed)
    sorter.prepare()
    assert sorted(map(repr, (*kept, *aside))) == sorted(map(repr, found))
