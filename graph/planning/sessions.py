"""The lengths of episodes, at a speed of playing, and the division of a plan into sessions."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil
from statistics import median_low
from typing import NamedTuple

from torchatlas.graph.answers import Session, Split, Stretch
from torchatlas.graph.model import Snapshot

_MINUTES = 15  # the length of an episode of a show that states no lengths
_MINUTE = 60


def lengths_of(snapshot: Snapshot) -> dict[str, int]:
    """Return episode id -> minutes, by season and number, then id; an unknown length is the median of the show.

    >>> from torchatlas.graph.model import Episode
    >>> lengths_of(Snapshot(episodes=(Episode("a", "A", show="Show", minutes=20), Episode("b", "B", show="Show"))))
    {'a': 20, 'b': 20}
    """
    known: dict[str, list[int]] = {}
    for e in snapshot.episodes:
        if e.minutes is not None:
            known.setdefault(e.show, []).append(e.minutes)
    usual = {show: median_low(lengths) for show, lengths in known.items()}
    by_number = sorted(snapshot.episodes, key=lambda e: (e.number is None, e.position, e.id))
    return {e.id: usual.get(e.show, _MINUTES) if e.minutes is None else e.minutes for e in by_number}


class Track(NamedTuple):
    """An episode to divide: how long, and at which moments something begins to be explained, in seconds."""

    id: str
    seconds: int
    moments: Sequence[int] = ()


class Piece(NamedTuple):
    """A piece of a track, in seconds."""

    id: str
    start: int
    end: int


def divide(tracks: Sequence[Track], seconds: int, count: int) -> list[list[Piece]]:
    """Divide tracks, heard one after another, into sessions of at most so many seconds; return their pieces.

    There are at most `count` sessions; where the tracks take longer, as few as possible. Of these divisions the one
    with the fewest cuts through tracks is taken; then with most cuts at moments, then at whole minutes; then with the
    fewest sessions, the first ones as long as possible.

    >>> divide([Track("a", 100, moments=(88,)), Track("b", 80)], 95, 2)[1]
    [Piece(id='a', start=88, end=100), Piece(id='b', start=0, end=80)]
    """
    starts = [0, *accumulate(track.seconds for track in tracks)]
    sessions = []
    for first, last in pairwise(_best_cuts(tracks, starts, seconds, max(count, -(-starts[-1] // seconds)))):
        pieces = (
            Piece(t.id, max(first - s, 0), min(last - s, t.seconds)) for t, s in zip(tracks, starts, strict=False)
        )
        sessions.append([piece for piece in pieces if piece.start < piece.end])
    return sessions


def _best_cuts(tracks: Sequence[Track], starts: Sequence[int], seconds: int, count: int) -> list[int]:
    """Return the seconds at which sessions begin and the last one ends, by dynamic programming over the sessions.

    A way is its cost (episodes cut, cuts beside a moment, cuts beside a minute, sessions) and its places, negative, so
    that of equal ways the least one has the longest first sessions.
    """
    costs: dict[int, tuple[int, int, int]] = {}
    for track, start in zip(tracks, starts, strict=False):
        costs |= {start + second: (1, 1, 0) for second in range(_MINUTE, track.seconds, _MINUTE)}
        costs |= {start + second: (1, 0, 0) for second in track.moments if 0 < second < track.seconds}
    costs |= dict.fromkeys(starts, (0, 0, 0))
    places, end = sorted(costs), starts[-1]
    best = {0: ((0, 0, 0, 0), [0])}
    whole = [best[0]] if not end else []
    for left in range(count - 1, -1, -1):
        further: dict[int, tuple[tuple[int, int, int, int], list[int]]] = {}
        for at, (cost, cuts) in best.items():
            earliest, latest = max(at + 1, end - left * seconds), min(at + seconds, end)
            ways = places[bisect_left(places, earliest) : bisect_right(places, latest)]
            for place in {*ways, latest} if earliest <= latest else ():
                more = costs.get(place, (1, 1, 1))
                sums = (cost[0] + more[0], cost[1] + more[1], cost[2] + more[2], cost[3] + 1)
                way = sums, [*cuts, -place]
                further[place] = min(way, further.get(place, way))
        whole += [further.pop(end)] if end in further else []
        best = further
    return [-place for place in min(whole)[1]]


def at_speed(minutes: Mapping[str, int], speed: float) -> dict[str, int]:
    """Return how many minutes of listening episodes take, rounded up: `at_speed({"a": 20}, 1.5)` is `{"a": 14}`."""
    played, taken = _exact(speed).as_integer_ratio()
    return {episode: -(-long * taken // played) for episode, long in minutes.items()}


def budget_of(split: Split, speed: float) -> int:
    """Return how many minutes of listening fit into all sessions together: `budget_of(Split(3, 30), 1.5)` is 90."""
    return int(split.count * _audio_seconds(split, speed) / _exact(speed) / 60)


def sessions_of(
    snapshot: Snapshot, order: Sequence[str], audio: Mapping[str, int], *, split: Split | None, speed: float
) -> Iterator[Session]:
    """Yield the sessions of the episodes in their order; `audio`: how many minutes each lasts. None without a split.

    Example: `next(sessions_of(snapshot, ["show/goal"], {"show/goal": 40}, split=Split(2, 30), speed=1.0))`
    """
    if split is None:
        return
    moments = {e: [t.at for t in snapshot.taught_by.get(e, ()) if t.at is not None] for e in order}
    tracks = [Track(e, 60 * audio[e], moments[e]) for e in order]
    for pieces in divide(tracks, _audio_seconds(split, speed), split.count):
        stretches = []
        for id_, start, end in pieces:
            label, pauses = snapshot.episode[id_].label, end < 60 * audio[id_]
            stretches.append(Stretch(id_, label, start=start, end=end, resumes=start > 0, pauses=pauses))
        seconds = sum(p.end - p.start for p in pieces)
        yield Session(ceil(seconds / _exact(speed) / 60), tuple(stretches))


def _audio_seconds(split: Split, speed: float) -> int:
    return int(60 * split.minutes * _exact(speed))


def _exact(speed: float) -> Fraction:
    """Return the speed as it is written: as a binary fraction, 0.7 would be a little less."""
    return Fraction(str(speed))
