"""Lengths at a speed of playing, and a plan's sessions in time for listening."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil

from torchatlas.graph.planning.sessions import Track, divide
from torchatlas.graph.values.formatting import counted, length
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.sessions import Session, Split, Stretch


def at_speed(minutes: Mapping[str, int], speed: float) -> dict[str, int]:
    """Return how many minutes of listening episodes take, rounded up; `minutes` are those of the audio.

    >>> at_speed({"a": 20}, 1.5)
    {'a': 14}
    """
    played, taken = _exact(speed).as_integer_ratio()
    return {episode: -(-long * taken // played) for episode, long in minutes.items()}


def budget_of(split: Split, speed: float) -> int:
    """Return how many minutes of listening fit into all sessions together.

    >>> budget_of(Split(3, 30), 1.5)
    90
    """
    return int(split.count * _audio_seconds(split, speed) / _exact(speed) / 60)


def sessions_of(
    snapshot: Snapshot, order: Sequence[str], audio: Mapping[str, int], *, split: Split | None, speed: float
) -> Iterator[Session]:
    """Yield the sessions of the episodes in their order; `audio`: how many minutes each lasts. None without a split.

    Example: `next(sessions_of(snapshot, ["show/goal"], {"show/goal": 40}, split=Split(2, 30), speed=1.0))`
    """
    if split is None:
        return
    tracks = [Track(e, 60 * audio[e], moments=_moments(snapshot, e)) for e in order]
    for pieces in divide(tracks, _audio_seconds(split, speed), split.count):
        seconds = sum(p.end - p.start for p in pieces)
        stretches = (
            Stretch(
                p.id,
                snapshot.episode[p.id].label,
                start=p.start,
                end=p.end,
                resumes=p.start > 0,
                pauses=p.end < 60 * audio[p.id],
            )
            for p in pieces
        )
        yield Session(ceil(seconds / _exact(speed) / 60), tuple(stretches))


def session_notes(split: Split | None, sessions: Sequence[Session]) -> Iterator[str]:
    """Yield a sentence where more sessions are needed than were asked for.

    >>> next(session_notes(Split(1, 30), [Session(30, ()), Session(4, ())]))
    'The plan takes 2 sessions of 30 min, 1 more than you asked for.'
    """
    if split and (extra := len(sessions) - split.count) > 0:
        taken = f"{counted(len(sessions), 'session')} of {length(split.minutes)}"
        yield f"The plan takes {taken}, {extra} more than you asked for."


def _moments(snapshot: Snapshot, episode: str) -> tuple[int, ...]:
    return tuple(t.at for t in snapshot.taught_by.get(episode, ()) if t.at is not None)


def _audio_seconds(split: Split, speed: float) -> int:
    """Return how much audio a session holds."""
    return int(60 * split.minutes * _exact(speed))


def _exact(speed: float) -> Fraction:
    """Return the speed as it is written: as a binary fraction, 0.7 would be a little less."""
    return Fraction(str(speed))
