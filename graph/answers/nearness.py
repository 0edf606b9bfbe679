"""How near two episodes are: a random walk with restart over the whole graph (Tong, Faloutsos and Pan 2006).

The walker starts at an episode, follows edges by their weight and now and then returns. How much more often it meets
another episode than chance would have it is their nearness: shared mechanisms count however many steps they are away,
rare ones more than common ones, and many weak ties add up. A show also has arcs: it stays with a theme for a while and
speaks of the system as it was then, so that of two episodes alike in this the one told closer in time is nearer.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from torchatlas.graph.values.model import Reference, Snapshot

_RESTART = 0.3
_STEPS = 40  # 0.7 ** 40 of the walk is left out: less than a millionth
_ROWS = 256  # walks at a time
_ASSUMES, _MENTIONS, _CITES = 0.1, 0.05, 0.5  # beside TEACHES, whose own weight is 1 for the first main subject
_BETWEEN_CONCEPTS = 1.0
_SAME_AREA = 0.3
_REFERENCE: Mapping[Reference, float] = {
    "listen_first": 1.0,
    "continues": 1.0,
    "more_in": 0.7,
    "announces": 0.7,
    "mentions": 0.4,
}
_ARC = 35  # as many episodes on, a show has mostly turned to other things

Tie = tuple[str, str, float]
Floats = NDArray[np.float64]


class Nearness:
    """The walk, prepared once for a graph. Nodes are the ids of episodes, concepts and links, and the areas."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.episodes = [e.id for e in snapshot.episodes]
        self._shows = np.array([e.show for e in snapshot.episodes])
        self._numbers = np.array([np.nan if e.number is None else e.number for e in snapshot.episodes])
        strongest: dict[tuple[str, str], float] = {}
        for a, b, weight in _ties(snapshot):
            key = (a, b) if a < b else (b, a)
            strongest[key] = max(weight, strongest.get(key, 0.0))
        nodes = self.episodes + sorted({n for key in strongest for n in key} - set(self.episodes))
        place = {node: i for i, node in enumerate(nodes)}
        ends = [(place[a], place[b]) for a, b in sorted(strongest)]
        weights = [strongest[key] for key in sorted(strongest)]
        rows, columns = zip(*ends, strict=True) if ends else ((), ())
        half = sparse.csr_array((weights, (rows, columns)), shape=(len(nodes), len(nodes)))
        both = (half + half.T).tocsr()
        self._degree = np.maximum(both.sum(axis=1), 1e-9)
        self._move = sparse.diags_array(1 / self._degree) @ both

    def scores(self, episodes: Iterable[str]) -> Iterator[tuple[str, dict[str, float]]]:
        """For each episode the nearness of all others, in (0, 1): one half is what chance would give."""
        wanted, place = list(episodes), {e: i for i, e in enumerate(self.episodes)}
        for first in range(0, len(wanted), _ROWS):
            group = wanted[first : first + _ROWS]
            start = np.zeros((len(group), len(self._degree)))
            start[range(len(group)), [place[e] for e in group]] = 1.0
            met = start
            for _ in range(_STEPS):
                met = _RESTART * start + (1 - _RESTART) * (met @ self._move)
            lift = (met * self._degree.sum() / self._degree)[:, : len(self.episodes)]
            lift *= np.array([self._arc(place[e]) for e in group])
            for episode, row in zip(group, lift / (1 + lift), strict=True):
                yield episode, {o: float(s) for o, s in zip(self.episodes, row, strict=True) if o != episode}

    def _arc(self, here: int) -> Floats:
        """How much closer in its show than another each episode was told to this one: 1 on average over the others.

        An episode of another show, or without a number, stands as far away as an arc is long.
        """
        apart = np.where(self._shows == self._shows[here], np.abs(self._numbers - self._numbers[here]), _ARC)
        close = np.exp(-np.nan_to_num(apart, nan=_ARC) / _ARC)
        others = (close.sum() - close[here]) / max(1, len(close) - 1)
        return close / (others or 1.0)


def rarity(snapshot: Snapshot) -> dict[str, float]:
    """Concept id -> how telling it is: log of episodes over those that teach or assume it (idf)."""
    holders: defaultdict[str, set[str]] = defaultdict(set)
    for t in snapshot.teaches:
        holders[t.target].add(t.source)
    for a in snapshot.assumes:
        holders[a.target].add(a.source)
    number = len(snapshot.episodes) + 1
    return {c.id: math.log(number / (len(holders[c.id]) + 0.5)) for c in snapshot.concepts}


def _ties(snapshot: Snapshot) -> Iterator[Tie]:
    """What the walker may follow, in either direction."""
    rare = rarity(snapshot)
    for t in snapshot.teaches:
        yield t.source, t.target, t.weight * rare[t.target]
    for a in snapshot.assumes:
        yield a.source, a.target, _ASSUMES * rare[a.target]
    for m in snapshot.mentions:
        yield m.source, m.target, _MENTIONS * rare[m.target]
    for needed in snapshot.requires:
        yield needed.source, needed.target, _BETWEEN_CONCEPTS
    for relation in snapshot.concept_relations:
        yield relation.source, relation.target, _BETWEEN_CONCEPTS
    for c in snapshot.concepts:
        yield c.id, f"area: {c.area}", _SAME_AREA
    for r in snapshot.refers_to:
        yield r.source, r.target, _REFERENCE[r.relation]
    for after in snapshot.listen_after:
        yield after.source, after.target, _REFERENCE["listen_first"]
    for cites in snapshot.cites:
        yield cites.source, cites.target, _CITES
