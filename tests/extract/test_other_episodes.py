"""Other episodes that a text names by their numbers, and advice on them that it takes back."""

import pytest

from torchatlas.extract.feeds import Entry
from torchatlas.extract.pipeline import Extractor
from torchatlas.graph.model import Episode

EXTRACTOR = Extractor((), ["Lanterns"])


def stated(notes: str) -> set[tuple[str, str, str]]:
    (extraction,) = EXTRACTOR.extract([Entry(Episode("s/w", "Widgets", show="s"), notes)])
    return {(s.relation, s.subject, s.object) for s in extraction.statements}


@pytest.mark.parametrize(
    ("then", "after"), [("listen to it first", True), ("do not listen to it first", False), ("don't worry", False)]
)
def test_what_follows_may_take_advice_back(then: str, after: bool) -> None:
    found = stated(f"If you have not heard Lanterns, {then}.")
    assert found == ({("LISTEN_AFTER", "Widgets", "Lanterns")} if after else set())


@pytest.mark.parametrize(
    "number",
    [
        *("episode 12", "Episode #12", "Ep. 12", "#12"),
        *(
            "S2 E1",
            "S1E5",
            "S1:E4",
            "Season 1, ep. 4",
            "season 1 episode 4",
            "episode 5 of season 2",
            "episode 5 of s2",
        ),
    ],
)
def test_an_episode_is_named_by_its_number(number: str) -> None:
    assert stated(f"Please listen to {number} first.") == {("LISTEN_AFTER", "Widgets", number)}
    assert stated(f"This is a follow-up to {number} of our podcast.") == (
        {("LISTEN_AFTER", "Widgets", number)} if number != "#12" else set()
    )


def test_a_part_of_an_episode_that_is_to_be_heard_first_is_a_need_to_hear_that_episode() -> None:
    after = {("LISTEN_AFTER", "Widgets", "Lanterns")}
    assert stated("Listen to the first minutes of Lanterns first.") == after
    assert stated("Listen to these first, please: Lanterns") == after


@pytest.mark.parametrize(
    "notes",
    [
        "Listen to the first half of this, episode 2 has more.",
        "Listen to this first episode, episode 2 comes next.",
        "Listen to this first, episode 2 builds on it.",
        "Hear the first minutes of this, on episode 2 we say more.",
    ],
)
def test_what_is_called_first_is_not_to_be_heard_first(notes: str) -> None:
    assert stated(notes) == set()


@pytest.mark.parametrize(
    "notes",
    [
        "Listen to episode 6 of Rustacean Station first.",
        "Listen to episode 8 of the other show first.",
        "Listen to episode 3 (of Oxide and Friends) first.",
        "Listen to episode 5 of the show Serial first.",
        "Listen to episode 5 on Go Time first.",
        "Watch Star Trek S1E5 before.",
        "Listen to Star Trek S1E5 first.",
        "This is a follow-up to Serial's episode 5.",
        "Related episodes: Go Time, episode 5.",
        "Before listening, watch S1E5 of Serial.",
        "Related episodes: episode 3 of Oxide and Friends.",
        "This is a follow-up to episode 10 of the Go Time podcast.",
        "Listen to episode 5 (season two) first.",
        "Listen to episode 5 from last season first.",
        "This is a follow-up to the second season's episode 5.",
        "Listen to episode 1.5 first.",
        "Listen to episode 3-5 first.",
        "This is a follow-up to #12.",
        "Listen to 2x01 first.",
    ],
)
def test_the_number_of_what_may_be_another_show_or_season_names_no_episode(notes: str) -> None:
    assert stated(notes) == set()
