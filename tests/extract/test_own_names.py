import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from torchatlas.extract.mentions import own_names as module
from torchatlas.extract.mentions.own_names import own_names


def found(text: str, *known: str) -> list[str]:
    places = [(text.index(name), text.index(name) + len(name), name.lower()) for name in known]
    return [text[start:end] for start, end, _ in own_names(text, sorted(places))]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("QUILL is fast. The QUILL flag.", ["QUILL", "QUILL"]),
        ("The QUILL layout", []),
        ("as in S1E5, S02E01 and EP12", []),  # numbers of episodes
        ("in the QUILL compiler", ["QUILL"]),
        ("NOTE THE CHANGE, THIS IS LOUD", []),
        ("written in HTML for the USA", []),
        ("a common lantern runtime (CLR), and the CLR of it", ["common lantern runtime", "CLR", "CLR"]),
        ("a lantern (CLR)", ["CLR"]),
        ("Quill is a small compiler. We like Quill.", ["Quill", "Quill"]),
        ("the Quill language", ["Quill"]),
        ("a toolkit called Quill", ["Quill"]),
        ("Jane is a compiler engineer", []),
        ("This is a library", []),
        ('the "quill" library. It reads quill', ["quill", "quill"]),
        ("the ``quill`` library", ["quill"]),
        ('the "default" library and the "new" compiler', []),
        ("[quill_reader] Add a cache", ["quill_reader"]),
        ("[Quill Reader] Add a cache", ["Quill Reader"]),
        ("[WIP] Add", []),
        ("[Draft] Add [quill_reader]", []),
        ("MAX_QUILL and https://quill.example/QUILL", []),
    ],
)
def test_a_text_introduces_names(text: str, names: list[str]) -> None:
    assert found(text) == names


def test_an_abbreviation_means_what_stands_before_it() -> None:
    text = "thread-local storage (TLX), and TLX again"
    named = {(start, end, concept) for start, end, concept in own_names(text, [(0, 20, "thread-local-storage")])}
    assert named == {(22, 25, "thread-local-storage"), (32, 35, "thread-local-storage")}


def test_names_in_a_list_of_known_names_are_names() -> None:
    text = "like NumPy, Quill, CuPy, and Python"
    assert found(text, "NumPy", "CuPy") == ["Quill"]
    assert found(text, "NumPy") == []


def test_known_names_are_left_alone() -> None:
    assert found("QUILL is fast", "QUILL") == []


def test_a_capitalised_word_that_is_named_again_is_a_name_unless_it_is_a_person() -> None:
    assert found("Quillet runs. We run Quillet, and Quillet runs us.") == ["Quillet"] * 3
    assert found("We run Quillet once.") == []
    assert found("With Ada Quillet. Then we run Quillet, and Quillet runs us.") == []
    assert found("00:10 Quillet\n00:20 Quillet") == []
    assert found("Quillet runs.\nQuillet stops. We run Quillet.") == []  # a word may only begin a sentence


def test_an_abbreviation_before_its_words_has_their_meaning() -> None:
    text = "The FDP (fast data path) helps. FDP is new."
    assert {(text[a:b], c) for a, b, c in own_names(text, [])} == {
        ("FDP", "fast-data-path"),
        ("fast data path", "fast-data-path"),
    }


def test_what_is_called_so_in_quotes_is_a_name() -> None:
    assert found('a concept called "heap of sand"') == ["heap of sand"]


LISTED = st.sampled_from(
    ["JAX", "AOT", "JIT", "Dask", "Quill", "x-y", "the", ", ", ", and ", " and ", " or ", " ", "/", "."]
)


@given(st.lists(LISTED, max_size=16).map("".join))
@example("JAX, Dask and JIT")
@example("Dask and Quill, AOT/JIT")
def test_lists_that_are_not_looked_for_would_have_held_no_names(text: str) -> None:
    known = [(*m.span(), m[0].lower()) for m in re.finditer("JAX|AOT|JIT", text)]
    found = own_names(text, known)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_may_be_listed", lambda between: True)
        assert own_names(text, known) == found
