"""How long episodes are, in whole minutes."""

from statistics import median_low

from torchatlas.graph.values.model import Snapshot

_MINUTES = 15  # the length of an episode of a show that states no lengths


def lengths_of(snapshot: Snapshot) -> dict[str, int]:
    """Return episode id -> minutes, by season and number, then id; an unknown length is the median of the show.

    >>> from torchatlas.graph.values.model import Episode
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
