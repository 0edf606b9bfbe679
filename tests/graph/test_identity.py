from dataclasses import replace

from torchatlas.graph.build.linkage.identity import merge_episodes
from torchatlas.graph.values.model import Episode

KNOWN = Episode("show/strides", "Strides", show="Show", number=49, url="https://example.org/49", minutes=None)


def test_the_same_address_is_the_same_episode_and_fills_what_is_unknown() -> None:
    found = Episode(
        "other/x", "Another title", show="Other", guid="g", url=KNOWN.url, minutes=12, audio_url="https://a/b.mp3"
    )
    merged = merge_episodes([KNOWN], [found])
    assert merged.episodes == (replace(KNOWN, guid="g", minutes=12, audio_url="https://a/b.mp3"),)
    assert merged.ids == ("show/strides", "show/strides")


def test_the_same_title_in_the_same_show_is_one_unless_the_dates_disagree() -> None:
    again = Episode("show/strides-x", "STRIDES!", show="show", guid="g")
    assert len(merge_episodes([KNOWN], [again]).episodes) == 1
    dated = replace(KNOWN, published="2021-01-01")
    assert len(merge_episodes([dated], [replace(again, published="2024-01-01")]).episodes) == 2
    assert len(merge_episodes([KNOWN], [replace(again, show="Elsewhere")]).episodes) == 2


def test_a_date_a_day_off_is_the_same_episode_but_not_beside_another_guid() -> None:
    dated = replace(KNOWN, published="2021-01-01")
    again = Episode("show/strides-x", "Strides", show="Show", guid="g", published="2021-01-02")
    assert len(merge_episodes([dated], [again]).episodes) == 1
    assert len(merge_episodes([replace(dated, guid="f")], [again]).episodes) == 2


def test_two_different_episodes_with_one_id_are_kept_apart() -> None:
    first = replace(KNOWN, published="2021-01-01", url=None)
    second = replace(KNOWN, published="2024-01-01", url="https://example.org/other")
    merged = merge_episodes([first], [second])
    assert [e.id for e in merged.episodes] == ["show/strides", "show/strides-2"]
    assert merged.ids == ("show/strides", "show/strides-2")  # what is found in an entry goes to its own episode


def test_a_feed_read_twice_adds_nothing() -> None:
    entry = Episode("show/new", "New", show="Show", guid="g1")
    assert merge_episodes([KNOWN], [entry, entry]).episodes == merge_episodes([KNOWN], [entry]).episodes


def test_cpp_and_c_are_different_titles() -> None:
    titles = [Episode(f"s/{n}", t, show="S") for n, t in enumerate(("C++ frontend", "C frontend"))]
    assert len(merge_episodes([], titles).episodes) == 2
