"""Nearness of two episodes: a random walk with restart over the whole graph (Tong, Faloutsos and Pan 2006).

The walker starts at an episode, follows edges by their weight and now and then returns. Two episodes are near if the
walker meets the second more often than by chance. Shared mechanisms count however many steps they are away, rare ones
count more than common ones, and many weak ties add up. A show also has arcs: it stays with a theme for a while and
speaks of the system of that time. Of two episodes that are alike in all else, the one told closer in time is nearer.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from torchatlas.graph.answers.arcs import Arcs, Floats, Ints
from torchatlas.graph.values.model import Cites, Reference, Snapshot

if TYPE_CHECKING:
    from scipy.sparse import csr_array

RESTART = 0.3
"""How often the walker returns to its beginning."""

_STEPS = 40  # leaves out 0.7 ** 40 of the walk, less than a millionth
_ROWS = 256  # walks in one matrix
_ASSUMES, _MENTIONS, _CITES = 0.1, 0.05, 0.5  # beside TEACHES, whose own weight is 1 for the first main subject
_BETWEEN_CONCEPTS = 1.0
_CITED = 5  # episodes; a page that more of them cite is a sponsor's or the show's own
_SAME_AREA = 0.3
_REFERENCE: Mapping[Reference, float] = {
    "listen_first": 1.0,
    "continues": 1.0,
    "more_in": 0.7,
    "announces": 0.7,
    "mentions": 0.4,
}


class Nearness:
    """The walk, prepared once for a graph. Its nodes are the ids of episodes, concepts and links, and the areas.

    `degree`: the sum of the weights of the ties at each node.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.episodes = [e.id for e in snapshot.episodes]
        self.arcs = Arcs(snapshot.episodes)
        ties = Ties(snapshot)
        nodes = self.episodes + sorted({*ties.sources, *ties.targets}.difference(self.episodes))
        one, other, weights = _strongest(ties, {node: i for i, node in enumerate(nodes)})
        rows, columns = np.concatenate([one, other]), np.concatenate([other, one])
        order = np.lexsort((columns, rows))
        self._rows, self._columns = rows[order], columns[order]
        self._weights = np.concatenate([weights, weights])[order]
        self.degree = np.maximum(np.bincount(self._rows, self._weights, len(nodes)), 1e-9)

    @cached_property
    def ties(self) -> "csr_array":
        """The weights of the ties between any two nodes, the episodes first."""
        from scipy import sparse

        size = len(self.degree)
        return sparse.csr_array((self._weights, (self._rows, self._columns)), shape=(size, size))

    def scores(self, episodes: Iterable[str]) -> Iterator[tuple[str, dict[str, float]]]:
        """Yield each episode with the nearness of all others by id, in (0, 1); chance alone gives one half.

        Example: `dict(Nearness(snapshot).scores(["show/vmap"]))["show/vmap"]["show/functorch"]`
        """
        wanted, place = list(episodes), {e: i for i, e in enumerate(self.episodes)}
        moved = self._together() if len(wanted) > 1 else self._alone()
        for first in range(0, len(wanted), _ROWS):
            group = wanted[first : first + _ROWS]
            start = np.zeros((len(group), len(self.degree)))
            start[range(len(group)), [place[e] for e in group]] = 1.0
            met = start
            for _ in range(_STEPS):
                met = RESTART * start + (1 - RESTART) * moved(met)
            lift = (met * self.degree.sum() / self.degree)[:, : len(self.episodes)]
            lift *= np.array([self.arcs.closeness(place[e], slice(None)) for e in group])
            for episode, row in zip(group, lift / (1 + lift), strict=True):
                yield episode, {o: float(s) for o, s in zip(self.episodes, row, strict=True) if o != episode}

    def _together(self) -> Callable[[Floats], Floats]:
        """Return a step of many walks, one a row."""
        from scipy import sparse

        move = sparse.diags_array(1 / self.degree) @ self.ties
        return lambda met: np.asarray(met @ move)

    def _alone(self) -> Callable[[Floats], Floats]:
        """Return a step of a single walk, with the very same figures: to load SciPy takes longer than that walk."""
        move = (1 / self.degree)[self._rows] * self._weights
        return lambda met: np.asarray(
            np.bincount(self._columns, met[0, self._rows] * move, len(self.degree))[None], dtype=float
        )


def walked(snapshot: Snapshot) -> Iterator[str]:
    """Yield all that the nearness of episodes depends on: show, season and number of each, and the ties with weights.

    >>> from torchatlas.graph.values.model import Episode
    >>> list(walked(Snapshot((), (Episode("e", "E", show="S", number=1),))))
    ["('e', 'S', None, 1)"]
    """
    yield from (repr((e.id, e.show, e.season, e.number)) for e in snapshot.episodes)
    yield from map(repr, Ties(snapshot))


def rarity(snapshot: Snapshot) -> dict[str, float]:
    """Map each concept id to the inverse document frequency of the concept (Sparck Jones 1972).

    A document is an episode that teaches or assumes the concept; the rarer the concept, the higher its value.

    >>> from torchatlas.graph.values.model import Concept, Episode
    >>> lone = Snapshot((Concept("a", "A", area="x"),), (Episode("e", "E", show="S"),))
    >>> round(rarity(lone)["a"], 2)
    1.39
    """
    holders: defaultdict[str, set[str]] = defaultdict(set)
    for edge in (*snapshot.teaches, *snapshot.assumes):
        holders[edge.target].add(edge.source)
    number = len(snapshot.episodes) + 1
    return {c.id: math.log(number / (len(holders[c.id]) + 0.5)) for c in snapshot.concepts}


def telling_cites(snapshot: Snapshot) -> Iterator[Cites]:
    """Yield the edges to pages that tie episodes: no person's account, and no page that more than five of them cite.

    >>> list(telling_cites(Snapshot()))
    []
    """
    times = Counter(c.target for c in snapshot.cites)
    accounts = {link.id for link in snapshot.links if link.type == "profile"}
    yield from (c for c in snapshot.cites if times[c.target] <= _CITED and c.target not in accounts)


def _strongest(ties: "Ties", place: Mapping[str, int]) -> tuple[Ints, Ints, Floats]:
    """Return the two ends and the weight of the strongest tie between each two nodes."""
    count = len(ties.weights)
    begin = np.fromiter(map(place.__getitem__, ties.sources), np.int64, count)
    end = np.fromiter(map(place.__getitem__, ties.targets), np.int64, count)
    one, other, weights = np.minimum(begin, end), np.maximum(begin, end), np.fromiter(ties.weights, float, count)
    order = np.lexsort((weights, other, one))
    one, other, weights = one[order], other[order], weights[order]
    last = np.append((np.diff(one) != 0) | (np.diff(other) != 0), True)[:count]
    return one[last], other[last], weights[last]


class Ties:
    """The ties that the walker may follow, in either direction, as columns."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.sources: list[str] = []
        self.targets: list[str] = []
        self.weights: list[float] = []
        rare, areas = rarity(snapshot), [f"area: {c.area}" for c in snapshot.concepts]
        self._add(snapshot.teaches, [t.weight * rare[t.target] for t in snapshot.teaches])
        for weight, edges in ((_ASSUMES, snapshot.assumes), (_MENTIONS, snapshot.mentions)):
            weighted = {id_: weight * value for id_, value in rare.items()}
            self._add(edges, map(weighted.__getitem__, map(_TARGET, edges)))
        between = (*snapshot.requires, *snapshot.concept_relations)
        self._add(between, repeat(_BETWEEN_CONCEPTS, len(between)))
        self.sources += [c.id for c in snapshot.concepts]
        self.targets += areas
        self.weights += repeat(_SAME_AREA, len(areas))
        self._add(snapshot.refers_to, [_REFERENCE[r.relation] for r in snapshot.refers_to])
        self._add(snapshot.listen_after, repeat(_REFERENCE["listen_first"], len(snapshot.listen_after)))
        cites = list(telling_cites(snapshot))
        self._add(cites, repeat(_CITES, len(cites)))

    def _add(self, edges: Sequence[Any], weights: Iterable[float]) -> None:
        self.sources += map(_SOURCE, edges)
        self.targets += map(_TARGET, edges)
        self.weights += weights

    def __iter__(self) -> Iterator[tuple[str, str, float]]:
        return zip(self.sources, self.targets, self.weights, strict=True)


_SOURCE, _TARGET = map(attrgetter, ("source", "target"))
