"""The division of a plan into sessions: with the fewest cuts, at moments where something begins to be explained."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import accumulate, pairwise

Cost = tuple[int, int, int, int]
"""What a division costs: episodes cut, cuts beside a moment, cuts beside a minute, sessions."""

_MINUTE = 60


@dataclass(frozen=True, slots=True)
class Track:
    """An episode to divide: how long, and at which moments something begins to be explained, in seconds."""

    id: str
    seconds: int
    _: KW_ONLY
    moments: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a track, in seconds: from `start` up to `end`."""

    id: str
    start: int
    end: int


def divide(tracks: Sequence[Track], seconds: int, count: int) -> list[list[Piece]]:
    """Divide tracks, heard one after another, into sessions of at most so many seconds; return their pieces.

    There are at most `count` sessions; where the tracks take longer, as few as possible. Of these divisions the one
    with the fewest cuts through tracks is taken; then with most cuts at moments, then at whole minutes; then with the
    fewest sessions, the first ones as long as possible.

    >>> divide([Track("a", 100), Track("b", 80, moments=(20,))], 120, 2)
    [[Piece(id='a', start=0, end=100)], [Piece(id='b', start=0, end=80)]]
    >>> divide([Track("a", 100, moments=(88,)), Track("b", 80)], 95, 2)[1]
    [Piece(id='a', start=88, end=100), Piece(id='b', start=0, end=80)]
    """
    starts = [0, *accumulate(track.seconds for track in tracks)]
    needed = max(count, -(-starts[-1] // seconds))
    cuts = _best_cuts(tracks, starts, seconds=seconds, count=needed)
    return [list(_pieces(tracks, starts, *ends)) for ends in pairwise(cuts)]


def _best_cuts(tracks: Sequence[Track], starts: Sequence[int], *, seconds: int, count: int) -> tuple[int, ...]:
    """Return the seconds at which sessions begin and the last one ends, by dynamic programming over the sessions."""
    costs, end = _costs(tracks, starts), starts[-1]
    places = sorted(costs)
    best: dict[int, tuple[Cost, tuple[int, ...]]] = {0: ((0, 0, 0, 0), (0,))}
    whole: list[tuple[Cost, tuple[int, ...]]] = [best[0]] if not end else []
    for left in range(count - 1, -1, -1):
        further: dict[int, tuple[Cost, tuple[int, ...]]] = {}
        for at, (cost, cuts) in best.items():
            earliest, latest = max(at + 1, end - left * seconds), min(at + seconds, end)
            ways = places[bisect_left(places, earliest) : bisect_right(places, latest)]
            for place in {*ways, latest} if earliest <= latest else ():
                more = costs.get(place, (1, 1, 1))
                way = ((cost[0] + more[0], cost[1] + more[1], cost[2] + more[2], cost[3] + 1), (*cuts, place))
                if place not in further or _rank(way) < _rank(further[place]):
                    further[place] = way
        whole += [further.pop(end)] if end in further else []
        best = further
    return min(whole, key=_rank)[1]


def _rank(way: tuple[Cost, tuple[int, ...]]) -> tuple[Cost, list[int]]:
    """Return what a way is sorted by: its cost, then the later cuts."""
    return way[0], [-place for place in way[1]]


def _costs(tracks: Sequence[Track], starts: Sequence[int]) -> dict[int, tuple[int, int, int]]:
    """Return the places to cut at, and what each costs; any other place costs most."""
    found: dict[int, tuple[int, int, int]] = {}
    for track, start in zip(tracks, starts, strict=False):
        found |= {start + second: (1, 1, 0) for second in range(_MINUTE, track.seconds, _MINUTE)}
        found |= {start + second: (1, 0, 0) for second in track.moments if 0 < second < track.seconds}
    return found | dict.fromkeys(starts, (0, 0, 0))


def _pieces(tracks: Sequence[Track], starts: Sequence[int], first: int, last: int) -> Iterator[Piece]:
    """Yield the pieces of tracks from one second of the whole up to another."""
    for track, start in zip(tracks, starts, strict=False):
        begin, end = max(first - start, 0), min(last - start, track.seconds)
        if begin < end:
            yield Piece(track.id, begin, end)
