"""A plan in sessions: every second once and in order, none too long, and the fewest cuts there are."""

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from torchatlas.graph.planning.sessions import Piece, Track, divide


@st.composite
def tracks(draw: st.DrawFn, most: int = 400) -> list[Track]:
    found = []
    for place in range(draw(st.integers(1, 4))):
        seconds = draw(st.integers(1, most))
        moments = draw(st.lists(st.integers(0, seconds), max_size=3))
        found.append(Track(f"t{place}", seconds, moments=tuple(moments)))
    return found


@given(tracks(), st.integers(20, 300), st.integers(1, 6))
def test_every_second_is_heard_once_in_order_and_no_session_is_too_long(
    found: list[Track], seconds: int, count: int
) -> None:
    sessions = divide(found, seconds, count)
    heard = [(p.id, second) for session in sessions for p in session for second in range(p.start, p.end)]
    assert heard == [(t.id, second) for t in found for second in range(t.seconds)]
    assert all(sum(p.end - p.start for p in session) <= seconds for session in sessions)
    assert len(sessions) <= max(count, -(-sum(t.seconds for t in found) // seconds))


def cost_of(found: list[Track], cuts: tuple[int, ...]) -> tuple[int, int, int, int]:
    inside, at_moment, at_minute = 0, 0, 0
    for cut in cuts:
        start = 0
        for track in found:
            second = cut - start
            if 0 < second < track.seconds:
                inside += 1
                at_moment += second not in track.moments
                at_minute += second not in track.moments and second % 60 != 0
            start += track.seconds
    return inside, at_moment, at_minute, len(cuts) + 1


@given(tracks(most=9), st.integers(3, 14), st.integers(1, 3))
def test_there_is_no_division_with_fewer_cuts_or_better_ones(found: list[Track], seconds: int, count: int) -> None:
    total = sum(t.seconds for t in found)
    most = max(count, -(-total // seconds))
    if most > 4:
        return
    ways = [
        cuts
        for number in range(most)
        for cuts in combinations(range(1, total), number)
        if all(b - a <= seconds for a, b in pairwise((0, *cuts, total)))
    ]
    sessions = divide(found, seconds, count)
    ends = [sum(p.end - p.start for p in session) for session in sessions]
    mine = tuple(sum(ends[:n]) for n in range(1, len(ends)))
    assert cost_of(found, mine) == min(cost_of(found, cuts) for cuts in ways)


def test_a_track_is_cut_at_a_moment_then_at_a_minute_then_at_the_second() -> None:
    def first(length: int, *moments: int) -> Piece:
        return divide([Track("a", 300, moments=moments)], length, 2)[0][-1]

    assert first(200, 130, 170) == Piece("a", 0, 170)
    assert first(200, 30) == Piece("a", 0, 180)
    assert first(150) == Piece("a", 0, 150)


def test_nothing_to_hear_takes_no_session() -> None:
    assert divide([], 60, 3) == []
