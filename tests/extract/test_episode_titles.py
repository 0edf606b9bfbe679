"""Titles of episodes, found in a text."""

from hypothesis import example, given
from hypothesis import strategies as st

from torchatlas.extract.episode_names import Titles
from torchatlas.graph.names import folded_title, words


@example(title="\x1b\r:", around="\x1b\r:", others=[])
@given(st.text(max_size=12), st.text(max_size=30), st.lists(st.text(max_size=5), max_size=3))
def test_no_title_that_stands_in_a_text_is_overlooked(title: str, around: str, others: list[str]) -> None:
    found = Titles([title, *others]).within(f"{around} {title}, {around}")
    assert not words(title) or folded_title(title) in map(folded_title, found)


def test_titles_are_found_but_for_case_marks_and_the_plural() -> None:
    titles = Titles(["Zero-one specialization", "Views", "View of the world", "vmap"])
    assert titles.within("On zero one Specialization, a view of the world.", [("x", "VMAP")]) == [
        "View of the world",
        "Zero-one specialization",
        "vmap",
    ]
    assert titles.of_name("nothing", "view") == titles.of_name("Views") == "Views"
    assert titles.within("the view", [("view of the worlds", "x")]) == ["View of the world"]
