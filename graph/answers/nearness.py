"""Nearness of two episodes: a random walk with restart over the whole graph (Tong, Faloutsos and Pan 2006).

The walker starts at an episode, follows edges by their weight and now and then returns. Two episodes are near if the
walker meets the second more often than by chance. Shared mechanisms count however many steps they are away, rare ones
count more than common ones, and many weak ties add up. A show also has arcs: it stays with a theme for a while and
speaks of the system of that time. Of two episodes that are alike in all else, the one told closer in time is nearer.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from torchatlas.graph.values.model import Cites, Episode, Reference, Snapshot

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_RESTART = 0.3  # how often the walker returns to its beginning
_STEPS = 40  # leaves out 0.7 ** 40 of the walk, less than a millionth
_ROWS = 256  # walks in one matrix
_FEW = 500  # episodes whose walks are followed step by step
_HUBS = 2_500  # the nodes with most ties, through which the walks of more episodes lead
_SMALLEST = 1e-5  # share of the walks from an episode that is not followed further between two hubs
_ARC = 35  # episodes after which a show has mostly turned to other themes
_LEAST = 1e-100  # the least average closeness, of episodes whose numbers are thousands apart
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

    `numbers`: the number of each episode in its show, where a later season counts on.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.episodes = [e.id for e in snapshot.episodes]
        self.numbers = _counted_on(snapshot.episodes)
        shows = {show: number for number, show in enumerate(sorted({e.show for e in snapshot.episodes}))}
        self._shows = np.array([shows[e.show] for e in snapshot.episodes], dtype=np.int64)
        ties = Ties(snapshot)
        nodes = self.episodes + sorted({*ties.sources, *ties.targets}.difference(self.episodes))
        one, other, weights = _strongest(ties, {node: i for i, node in enumerate(nodes)})
        rows, columns = np.concatenate([one, other]), np.concatenate([other, one])
        order = np.lexsort((columns, rows))
        self._rows, self._columns = rows[order], columns[order]
        self._weights = np.concatenate([weights, weights])[order]
        self._degree = np.maximum(np.bincount(self._rows, self._weights, len(nodes)), 1e-9)

    def scores(self, episodes: Iterable[str]) -> Iterator[tuple[str, Floats]]:
        """Yield each episode with the nearness of all episodes of the graph, in its order; 0 for the episode itself.

        A score lies between 0 and 1; chance alone gives one half.

        Example: `episode, scores = next(Nearness(snapshot).scores(["show/vmap"]))`
        """
        place = {e: i for i, e in enumerate(self.episodes)}
        wanted = [place[e] for e in episodes]
        if len(wanted) > _FEW:
            lifts = self._through_hubs()
        else:
            lifts = self._step_by_step(self._together() if len(wanted) > 1 else self._alone())
        for first in range(0, len(wanted), _ROWS):
            group = wanted[first : first + _ROWS]
            for episode, lift in zip(group, lifts(group), strict=True):
                lift *= self.closeness(episode)
                yield self.episodes[episode], lift / (1 + lift)

    def closeness(self, here: int) -> Floats:
        """Return how close all episodes were told to the one at this place, divided by the average; 0 for itself.

        An episode of another show, or without a number, counts as the length of an arc away.

        >>> hum = Snapshot(episodes=tuple(Episode(f"hum/{n}", f"{n}", show="Hum", number=n) for n in (1, 2, 3)))
        >>> Nearness(hum).closeness(0).round(2).tolist()
        [0.0, 1.01, 0.99]
        """
        apart = np.where(self._shows == self._shows[here], np.abs(self.numbers - self.numbers[here]), _ARC)
        close = np.exp(-np.nan_to_num(apart, nan=_ARC) / _ARC)
        close[here] = 0
        return np.asarray(close / max(close.sum() / max(1, len(close) - 1), _LEAST))

    def _step_by_step(self, moved: Callable[[Floats], Floats]) -> Callable[[Sequence[int]], Floats]:
        """Return a function from places to how much more often than by chance walks from there meet each episode."""

        def lifts(group: Sequence[int]) -> Floats:
            start = np.zeros((len(group), len(self._degree)))
            start[range(len(group)), group] = 1.0
            met = start
            for _ in range(_STEPS):
                met = _RESTART * start + (1 - _RESTART) * moved(met)
            return np.asarray((met * self._degree.sum() / self._degree)[:, : len(self.episodes)])

        return lifts

    def _together(self) -> Callable[[Floats], Floats]:
        """Return a step of many walks, one a row."""
        from scipy import sparse

        move = sparse.diags_array(1 / self._degree) @ self._ties()
        return lambda met: np.asarray(met @ move)

    def _alone(self) -> Callable[[Floats], Floats]:
        """Return a step of a single walk, with the very same figures: to load SciPy takes longer than that walk."""
        move = (1 / self._degree)[self._rows] * self._weights
        return lambda met: np.asarray(
            np.bincount(self._columns, met[0, self._rows] * move, len(self._degree))[None], dtype=float
        )

    def _through_hubs(self) -> Callable[[Sequence[int]], Floats]:
        """Return the same function as `_step_by_step`, up to some thousandths, and fast for very many walks.

        All walks together are the inverse of B = D - (1 - r) A, where A holds the weights of the ties, D their sums at
        each node, and r is how often the walker returns. Block elimination of all nodes but the hubs (Golub and Van
        Loan 2013, section 3.2.6) leaves a dense matrix of the hubs' own size, and a few figures for each episode.
        """
        from scipy import sparse

        count, on, ties = len(self.episodes), 1 - _RESTART, self._ties()
        many = np.diff(ties.indptr)[count:]
        hubs = count + np.sort(np.argsort(-many, kind="stable")[:_HUBS])
        others = np.setdiff1d(np.arange(len(self._degree)), hubs)  # episodes come first
        move = (sparse.diags_array(on / self._degree[others]) @ ties[others]).tocsr()
        start = sparse.hstack([move[:, hubs], sparse.eye_array(len(others), count)], format="csr")
        met = _followed(move[:, others], start)
        enter, around = met[:, : len(hubs)], met[:count, len(hubs) :].multiply(1 / self._degree[:count]).tocsr()
        left = sparse.diags_array(self._degree[hubs]) - on * (ties[hubs][:, hubs] + ties[hubs][:, others] @ enter)
        between, enter = np.linalg.inv(left.toarray()), enter[:count]
        total = _RESTART * self._degree.sum()
        return lambda group: np.asarray(total * ((enter[group] @ between) @ enter.T + around[group].toarray()))

    def _ties(self) -> "csr_array":
        """Return the weights of the ties between any two nodes, the episodes first."""
        from scipy import sparse

        size = len(self._degree)
        return sparse.csr_array((self._weights, (self._rows, self._columns)), shape=(size, size))


def _followed(step: "csr_array", start: "csr_array") -> "csr_array":
    """Return start + step @ start + step @ step @ start + ..., up to what is too small to matter."""
    met = term = start
    while term.nnz:
        term = (step @ term).tocsr()
        term.data[np.abs(term.data) < _SMALLEST] = 0.0
        term.eliminate_zeros()
        met = met + term
    return met.tocsr()


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


def _counted_on(episodes: Sequence[Episode]) -> Floats:
    """Return the number of each episode, NaN where there is none; a season that begins anew counts on.

    A season begins anew where it has most of the numbers that it could share with those before. One wrong number does
    not make it so, and an episode without a season shifts none.

    >>> _counted_on([Episode(f"hum/{n}", "", show="Hum", season=1 + n // 3, number=1 + n % 3) for n in range(5)])
    array([1., 2., 3., 4., 5.])
    """
    numbers: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for e in episodes:
        if e.number is not None:
            numbers[e.show, e.season or 0].append(e.number)
    before: dict[tuple[str, int], int] = {}
    last: dict[str, int] = {}
    for show, season in sorted(numbers):
        found, highest = set(numbers[show, season]), last.get(show, 0)
        shared = sum(number <= highest for number in found)
        before[show, season] = highest if 2 * shared > min(highest, len(found)) else 0
        if season:
            last[show] = max(highest, before[show, season] + max(found))
    return np.array(
        [np.nan if e.number is None else before[e.show, e.season or 0] + e.number for e in episodes], dtype=float
    )


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
