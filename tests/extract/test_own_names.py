from functools import cache

import pytest

from torchatlas.extract.pipeline import Extractor


@cache
def extractor() -> Extractor:
    return Extractor([])


def found(text: str) -> dict[tuple[int, int], str]:
    return {(m.start, m.end): m.concept_id for m in extractor().mentions(text)}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("QUILL is fast. The QUILL flag.", ["QUILL", "QUILL"]),
        ("The QUILL layout", []),
        ("as in S1E5, S02E01 and EP12", []),  # numbers of episodes
        ("in the QUILL compiler", ["QUILL"]),
        ("NOTE THE CHANGE, THIS IS LOUD", []),
        ("written in HTML for the USA", []),
        ("a cosy lantern room (CLQ), and the CLQ of it", ["CLQ", "CLQ"]),
        ("a cosy lantern quarter (CLQ), and the CLQ of it", ["cosy lantern quarter", "CLQ", "CLQ"]),
        ("a lantern (CLQ)", ["CLQ"]),
        ("Quill is a small compiler. We like Quill.", ["Quill", "Quill"]),
        ("Jane is a compiler engineer", []),
        ("This is a library", []),
        ("MAX_QUILL and https://quill.example/QUILL", ["MAX_QUILL"]),
    ],
)
def test_a_text_introduces_names(text: str, names: list[str]) -> None:
    assert [text[start:end] for start, end in found(text)] == names


def test_an_abbreviation_means_what_stands_before_it() -> None:
    text = "static analysis (TLX), and TLX again"
    assert found(text) == {(0, 15): "static-analysis", (17, 20): "static-analysis", (27, 30): "static-analysis"}
