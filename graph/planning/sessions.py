"""The lengths of episodes at a speed, and the sessions of a plan."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil
from statistics import median_low

from torchatlas.graph.answers import Session, Split, Stretch
from torchatlas.graph.model import Snapshot

_MINUTES = 15  # the length of an episode of a show that states no lengths


def lengths_of(snapshot: Snapshot) -> dict[str, int]:
    """Return minutes, the show's median if unknown: `lengths_of(graph)["s/1"]`."""
    known: dict[str, list[int]] = {}
    for e in snapshot.episodes:
        if e.minutes is not None:
            known.setdefault(e.show, []).append(e.minutes)
    usual = {show: median_low(lengths) for show, lengths in known.items()}
    by_number = sorted(snapshot.episodes, key=lambda e: (e.number is None, e.position, e.id))
    return {e.id: usual.get(e.show, _MINUTES) if e.minutes is None else e.minutes for e in by_number}


Track = tuple[str, int, Sequence[int]]
"""An episode to divide: how long, and at which moments something begins to be explained, in seconds."""
Piece = tuple[str, int, int]
"""A piece of a track: from which second to which."""


def divide(tracks: Sequence[Track], seconds: int, count: int) -> list[list[Piece]]:
    """Divide tracks into sessions of at most so many seconds; return pieces.

    There are at most `count` sessions, or as few as possible. Best are the
    fewest cuts, then most cuts at moments, then at whole minutes; then the
    fewest sessions, the first ones as long as possible.

    >>> divide([("a", 100, [88]), ("b", 80, [])], 95, 2)[1]
    [('a', 88, 100), ('b', 0, 80)]
    """
    starts = [0, *accumulate(long for _, long, _ in tracks)]
    sessions = []
    for first, last in pairwise(_best_cuts(tracks, starts, seconds, max(count, -(-starts[-1] // seconds)))):
        pieces = ((t, max(first - s, 0), min(last - s, long)) for (t, long, _), s in zip(tracks, starts, strict=False))
        sessions.append([(track, start, end) for track, start, end in pieces if start < end])
    return sessions


def _best_cuts(tracks: Sequence[Track], starts: Sequence[int], seconds: int, count: int) -> list[int]:
    """Return where sessions begin and end, in seconds, by dynamic programming.

    A way is its cost and its places, negative: of equal ways the least has
    the longest first sessions.
    """
    costs: dict[int, tuple[int, int, int]] = {}
    for (_, long, moments), start in zip(tracks, starts, strict=False):
        costs |= {start + second: (1, 1, 0) for second in range(60, long, 60)}
        costs |= {start + second: (1, 0, 0) for second in moments if 0 < second < long}
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
    """Return minutes at a speed, rounded up: `at_speed({"a": 20}, 1.5)`."""
    played, taken = _exact(speed).as_integer_ratio()
    return {episode: -(-long * taken // played) for episode, long in minutes.items()}


def budget_of(split: Split, speed: float) -> int:
    """Return the minutes of all sessions: `budget_of(Split(3, 30), 1.5)` is 90."""
    return int(split.count * int(60 * split.minutes * _exact(speed)) / _exact(speed) / 60)


def sessions_of(snapshot: Snapshot, order: Sequence[str], split: Split | None, speed: float) -> Iterator[Session]:
    """Yield sessions if split: `sessions_of(graph, ["s/1"], Split(3, 30), 1.5)`."""
    if split is None:
        return
    audio = lengths_of(snapshot)
    taught = {e: snapshot.taught_by.get(e, ()) for e in order}
    tracks = [(e, 60 * audio[e], [t.at for t in taught[e] if t.at is not None]) for e in order]
    for pieces in divide(tracks, int(60 * split.minutes * _exact(speed)), split.count):
        stretches = []
        for id_, start, end in pieces:
            label, pauses = snapshot.episode[id_].label, end < 60 * audio[id_]
            stretches.append(Stretch(id_, label, start=start, end=end, resumes=start > 0, pauses=pauses))
        heard = sum(end - start for _, start, end in pieces)
        yield Session(ceil(heard / _exact(speed) / 60), tuple(stretches))


def _exact(speed: float) -> Fraction:
    """Return the speed as written: a binary 0.7 would be a little less."""
    return Fraction(str(speed))
