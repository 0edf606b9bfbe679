"""One text or title written down twice, and two that only look alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.graph.identity import bare_title, differ_by_typo, is_cut, may_be_one, same_text

TEXT = "Valves are small and dull, so let us take one apart: a spring, a disc, and the hiss of both."


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (TEXT, True),
        (TEXT.replace("dull, so", "dull; so").upper(), True),
        (TEXT[:60], True),
        (TEXT + " Further reading. - Springs https://example.org/springs", True),
        (TEXT.replace("dull", "boring"), True),
        ("Valves are small and dull", False),  # too short to tell
        ("Valves are small and dull, but today we look at spouts and at nothing else but spouts.", False),
        ("", False),
    ],
)
def test_the_beginning_of_a_text_is_that_text(other: str, same: bool) -> None:
    assert same_text(TEXT, other) is same_text(other, TEXT) is same


def test_short_texts_are_equal_or_not() -> None:
    assert same_text("What's vmap?", "what’s VMAP") and not same_text("What's vmap?", "What's vmap for?")


@given(st.text(), st.integers(min_value=0))
def test_no_order_no_case_matters(text: str, cut: int) -> None:
    beginning = text[: cut % (len(text) + 1)]
    assert same_text(text, beginning) == same_text(beginning, text)


@pytest.mark.parametrize(
    "written",
    ["“Loops” and valves", "Episode 12: Loops and Valves", "#12 - loops, and valves", "Kettles - Loops and valves"],
)
def test_decorations_do_not_count(written: str) -> None:
    assert bare_title(written, "Kettles") == bare_title("Loops and valves")


@pytest.mark.parametrize(
    ("written", "may"),
    [
        ("S2E1: Loops", True),
        ("Kettles - Season 2, Episode 01: Loops", True),
        ("Loops", True),
        ("Episode 14: Loops", True),  # one may count on where the other begins anew
        ("S1E1: Loops", False),
        ("S2E2: Loops", False),
    ],
)
def test_titles_of_another_season_or_number_are_two(written: str, may: bool) -> None:
    assert may_be_one("Kettles: S2E1: Loops", written, "Kettles") is may
    assert may_be_one(written, "S2E1: Loops", "Kettles") is may


@pytest.mark.parametrize("title", ["Kettles", "12: ", "2001: A kettle", "Loops - Part 2"])
def test_what_is_the_title_itself_stays(title: str) -> None:
    assert bare_title(title, "Kettles") != ""
    assert bare_title("Loops - Part 2") != bare_title("Loops - Part 3")


@pytest.mark.parametrize(
    ("a", "b", "slip"),
    [
        ("Random number generators", "Random number genrators", True),
        ("Serialization", "Serialisation", True),
        ("Inductor - Define-by-run IR", "Inductor - Post-grad FX passes", False),
        ("CUDA graphs", "CPU graphs", False),
        ("Loops 1", "Loops 2", False),
        ("torch.nn", "torch.fx", False),
        ("Tensor subclasses", "Tensor subclasses", False),
        ("Compiled autograd", "Compiled", False),
    ],
)
def test_a_slip_is_one_letter_in_one_long_word(a: str, b: str, slip: bool) -> None:
    assert differ_by_typo(a, b) is slip


def test_a_title_may_be_cut_short() -> None:
    assert is_cut("API design via lexical and dyn…", "API design via lexical and dynamic scoping")
    assert not is_cut("API design via lexical and dyn", "API design via lexical and dynamic scoping")
    assert not is_cut("Inductor...", "Inductor - IR")
