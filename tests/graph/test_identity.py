from collections.abc import Iterable
from dataclasses import replace

import pytest

from torchatlas.graph.identity import Merged, free_id, merge_episodes
from torchatlas.graph.model import Episode
from torchatlas.graph.names import show_id

KNOWN = Episode("show/strides", "Strides", show="Show", number=49, url="https://example.org/49", minutes=None)


def merged(*entries: Episode) -> Merged:
    return merge_episodes((entry, show_id(entry.show)) for entry in entries)


def test_the_same_address_is_the_same_episode_and_fills_what_is_unknown() -> None:
    found = Episode(
        "other/x", "Another title", show="Other", guid="g", url=KNOWN.url, minutes=12, audio_url="https://a/b.mp3"
    )
    result = merged(KNOWN, found)
    assert result.episodes == (replace(KNOWN, guid="g", minutes=12, audio_url="https://a/b.mp3"),)
    assert result.ids == ("show/strides", "show/strides")


@pytest.mark.parametrize(
    ("first", "second", "label"),
    [
        ((13, None), (1, 2), "#13 Strides"),  # one source counts on, the other begins anew
        ((1, 2), (13, None), "S2 E1 Strides"),
        ((None, None), (1, 2), "S2 E1 Strides"),
        ((13, None), (13, 2), "S2 E13 Strides"),
        ((None, 2), (1, 2), "S2 E1 Strides"),
        ((None, 2), (13, None), "Strides"),
        ((13, None), (None, 2), "#13 Strides"),
    ],
)
def test_season_and_number_are_of_one_source(
    first: tuple[int | None, int | None], second: tuple[int | None, int | None], label: str
) -> None:
    entries = (replace(KNOWN, number=number, season=season) for number, season in (first, second))
    assert [episode.label for episode in merged(*entries).episodes] == [label]


def test_the_same_title_in_the_same_show_is_one_unless_the_dates_disagree() -> None:
    again = Episode("show/strides-x", "STRIDES!", show="show", guid="g")
    assert len(merged(KNOWN, again).episodes) == 1
    dated = replace(KNOWN, published="2021-01-01")
    assert len(merged(dated, replace(again, published="2024-01-01")).episodes) == 2
    assert len(merged(KNOWN, replace(again, show="Elsewhere")).episodes) == 2


def test_a_date_a_day_off_is_the_same_episode_but_not_beside_another_guid() -> None:
    dated = replace(KNOWN, published="2021-01-01")
    again = Episode("show/strides-x", "Strides", show="Show", guid="g", published="2021-01-02")
    assert len(merged(dated, again).episodes) == 1
    assert len(merged(replace(dated, guid="f"), again).episodes) == 2


def test_two_entries_of_one_title_without_dates_are_two_where_both_have_a_guid_of_their_own() -> None:
    first, second = (Episode(f"show/{g}", "Office hours", show="Show", guid=g) for g in "ab")
    assert merged(first, second).ids == ("show/a", "show/b")
    assert merged(first, first, replace(second, guid=None)).ids == ("show/a",) * 3
    assert merged(first, replace(second, published="2021-01-01")).ids == ("show/a", "show/a")


def test_two_feeds_of_a_show_that_calls_episodes_alike_have_each_once() -> None:
    def feed(guid: str, days: Iterable[str]) -> list[Episode]:
        return [Episode("show/news", "News", show="Show", guid=guid and f"{guid}{d}", published=d) for d in days]

    days = [f"2024-{month:02}-01" for month in range(1, 13)]
    ids = merged(*feed("g", days), *feed("h", days)).ids
    assert ids[:12] == ids[12:] and len(set(ids)) == 12
    off = [f"2024-{month:02}-03" for month in range(1, 13)]
    assert merged(*feed("g", days), *feed("", off)).ids == ids
    weekly = feed("g", ("2024-01-01", "2024-01-04"))
    assert merged(*weekly, *feed("", ["2024-01-03"])).ids[-1] == "show/news-2"  # the nearer one


def test_two_different_episodes_with_one_id_are_kept_apart() -> None:
    first = replace(KNOWN, published="2021-01-01", url=None)
    second = replace(KNOWN, published="2024-01-01", url="https://example.org/other")
    result = merged(first, second)
    assert [e.id for e in result.episodes] == ["show/strides", "show/strides-2"]
    assert result.ids == ("show/strides", "show/strides-2")  # what is found in an entry goes to its own episode


def test_a_feed_read_twice_adds_nothing() -> None:
    entry = Episode("show/new", "New", show="Show", guid="g1")
    assert merged(KNOWN, entry, entry).episodes == merged(KNOWN, entry).episodes


@pytest.mark.parametrize("titles", [("C++ frontend", "C frontend"), ("!!!", "???")])
def test_titles_that_differ_in_marks_alone_are_two_where_these_tell(titles: tuple[str, str]) -> None:
    entries = [Episode(f"s/{n}", title, show="S") for n, title in enumerate(titles)]
    assert len(merged(*entries).episodes) == 2


def test_a_title_that_thousands_of_episodes_have_is_numbered_without_trying_all_numbers_again() -> None:
    class Taken(dict[str, Episode]):
        asked = 0

        def __contains__(self, key: object) -> bool:
            self.asked += 1
            return super().__contains__(key)

    taken, numbers = Taken(), dict[str, int]()
    for _ in range(500):
        taken[free_id("show/news", taken, numbers)] = KNOWN
    assert list(taken) == ["show/news", *(f"show/news-{n}" for n in range(2, 501))]
    assert taken.asked < 3 * 500
    assert free_id("show/news-7", taken, numbers) == "show/news-7-2"
