"""The lengths of episodes at a speed, and the sessions of a plan."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil
from operator import add
from statistics import median_low

from torchatlas.graph.answers import Session, Split, Stretch
from torchatlas.graph.model import Snapshot


def lengths_of(graph: Snapshot, speed: float = 1.0) -> dict[str, int]:
    """Return minutes, the show's median if unknown; of resources at no speed: `lengths_of(graph, 1.5)["s/1"]`."""
    known: defaultdict[str, list[int]] = defaultdict(list)
    for e in graph.episode.values():
        known[e.show] += [] if e.minutes is None else [e.minutes]
    usual = {show: median_low(lengths or [15]) for show, lengths in known.items()}
    by_number = [*sorted(graph.episodes, key=lambda e: (e.number is None, e.position, e.id)), *graph.resources]
    audio = {e.id: usual[e.show] if e.minutes is None else e.minutes for e in by_number}
    played, taken = Fraction(str(speed)).as_integer_ratio()  # a binary 0.7 would be a little less
    return {e: long if e in graph.resource else -(-long * taken // played) for e, long in audio.items()}


Track = tuple[str, int, Sequence[int]]  # an episode, its length and the moments of explanations, in seconds
Piece = tuple[str, int, int]  # from which second to which


def divide(tracks: Sequence[Track], seconds: int, count: int) -> list[list[Piece]]:
    """Divide tracks into sessions of at most so many seconds; return pieces.

    There are at most `count` sessions, or as few as possible. Best are the
    fewest cuts, then most cuts at moments, then at whole minutes; then the
    fewest sessions, the first ones as long as possible.

    >>> divide([("a", 100, [88]), ("b", 80, [])], 95, 2)[1]
    [('a', 88, 100), ('b', 0, 80)]
    """
    starts = [0, *accumulate(long for _, long, _ in tracks)]
    end, costs = starts[-1], dict.fromkeys(starts, (0, 0, 0))  # in a track, at no moment, at no minute
    for (_, long, moments), start in zip(tracks, starts, strict=False):
        costs |= {start + second: (1, 1, 0) for second in range(60, long, 60)}
        costs |= {start + second: (1, 0, 0) for second in moments if 0 < second < long}
    places = sorted(costs)
    best: dict[int, tuple[int, ...]] = {0: (0, 0, 0, 0)}
    whole = [] if end else [best[0]]
    for left in range(max(count, -(-end // seconds)) - 1, -1, -1):
        further: dict[int, tuple[int, ...]] = {}
        for at, way in best.items():  # three costs, the number of sessions, and where each ends, negative:
            earliest, latest = max(at + 1, end - left * seconds), min(at + seconds, end)
            ways = places[bisect_left(places, earliest) : bisect_right(places, latest)]
            for place in {*ways, latest} if earliest <= latest else ():
                longer = (*map(add, way, (*costs.get(place, (1, 1, 1)), 1)), *way[4:], -place)
                further[place] = min(longer, further.get(place, longer))  # the least has the longest first sessions
        whole += [further.pop(end)] if end in further else []
        best = further
    sessions = []
    for first, last in pairwise((0, *(-place for place in min(whole)[4:]))):
        pieces = ((t, max(first - s, 0), min(last - s, long)) for (t, long, _), s in zip(tracks, starts, strict=False))
        sessions.append([piece for piece in pieces if piece[1] < piece[2]])
    return sessions


def budget_of(split: Split, speed: float) -> int:
    """Return the minutes of all sessions: `budget_of(Split(3, 30), 1.5)` is 90."""
    exact = Fraction(str(speed))
    return int(split.count * int(60 * split.minutes * exact) / exact / 60)


def sessions_of(graph: Snapshot, order: Sequence[str], split: Split | None, speed: float) -> Iterator[Session]:
    """Yield sessions if split: `sessions_of(graph, ["s/1"], Split(3, 30), 1.5)`."""
    if split is None:
        return
    audio, exact = lengths_of(graph), Fraction(str(speed))
    taught = {e: graph.taught_by.get(e, ()) for e in order}
    audio |= {r: int(audio[r] * exact) for r in graph.resource}  # which lasts as long at this speed
    tracks = [(e, 60 * audio[e], [t.at for t in taught[e] if t.at is not None]) for e in order]
    for pieces in divide(tracks, int(60 * split.minutes * exact), split.count):
        stretches = []
        for id_, start, end in pieces:
            label, pauses = graph.label_of(id_), end < 60 * audio[id_]
            stretches.append(Stretch(id_, label, start=start, end=end, resumes=start > 0, pauses=pauses))
        yield Session(ceil(sum(end - start for _, start, end in pieces) / exact / 60), tuple(stretches))
