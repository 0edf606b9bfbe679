"""Related episodes: a random walk with restart over the whole graph, the nearest first, with the reasons in words."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from heapq import nsmallest
from itertools import repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from torchatlas.graph.answers import Related
from torchatlas.graph.formatting import ORDERS, REFERENCES, RELATIONS, counted
from torchatlas.graph.model import CODE, TERMS, Cites, Episode, Link, Reference, RelatedTo, Snapshot

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

    >>> from torchatlas.graph.model import Episode
    >>> list(walked(Snapshot((), (Episode("e", "E", show="S", number=1),))))
    ["('e', 'S', None, 1)"]
    """
    yield from (repr((e.id, e.show, e.season, e.number)) for e in snapshot.episodes)
    yield from map(repr, Ties(snapshot))


def rarity(snapshot: Snapshot) -> dict[str, float]:
    """Map each concept id to the inverse document frequency of the concept (Sparck Jones 1972).

    A document is an episode that teaches or assumes the concept; the rarer the concept, the higher its value.

    >>> from torchatlas.graph.model import Concept, Episode
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


_REASONS = 3
_DECLARED = 10.0  # a tie that a speaker names comes before all that are computed


Ranked = Sequence[tuple[str, float]]
"""Episodes with their scores, best first."""
FindRanked = Callable[[Snapshot, int], Mapping[str, Ranked]]
"""A function from a graph to so many nearest episodes of each."""


def related(snapshot: Snapshot, episode_id: str, limit: int = 10) -> tuple[Related, ...]:
    """Return the `limit` episodes that are nearest to an episode, best first, ties by id; chance alone scores 0.5.

    Example: `[r.title for r in related(snapshot, "show/vmap", limit=3)]`
    """
    reasons = _Reasons(snapshot)
    ((_, best),) = _best(snapshot, [episode_id], limit)
    return tuple(
        Related(other, snapshot.episode[other].title, score=score, reasons=reasons.between(episode_id, other))
        for other, score in best
    )


def ranked(snapshot: Snapshot, n: int) -> dict[str, Ranked]:
    """Return the `n` nearest episodes of each. Graphs with equal `walked` facts have the same.

    >>> ranked(Snapshot(), 5)
    {}
    """
    return dict(_best(snapshot, [e.id for e in snapshot.episodes], n))


def nearest(snapshot: Snapshot, n: int = 5, find: FindRanked = ranked) -> tuple[RelatedTo, ...]:
    """Return the edges from every episode to those of the `n` nearest ones with which it has a tie, as they are stored.

    A single page that both cite is no tie: too often it is an advertisement. `find`: finds the nearest ones.

    >>> nearest(Snapshot())
    ()
    """
    reasons = _Reasons(snapshot)
    edges = (
        RelatedTo(episode, other, score=score, reasons=reasons.between(episode, other))
        for episode, best in find(snapshot, n).items()
        for other, score in best
        if not reasons.is_one_page(episode, other)
    )
    return tuple(edge for edge in edges if edge.reasons)


def cited_as(link: Link) -> str:
    """Return how a reason names a page: by its label, else by its kind, never by the bare address.

    >>> cited_as(Link("l", "https://github.com/pytorch/pytorch/issues/1", type="github_issue"))
    'the same GitHub issue'
    """
    if link.label and link.label != link.url:
        return link.label
    kind = link.type.replace("_", " ").replace("github", "GitHub")
    return f"the same {'page' if kind == 'other' else kind}"


def _best(snapshot: Snapshot, ids: Sequence[str], limit: int) -> Iterator[tuple[str, Ranked]]:
    """Yield each of these episodes with the nearest ones of all."""
    others = [e.id for e in snapshot.episodes]
    for episode, scores in Nearness(snapshot).scores(ids):
        least = np.partition(scores, -limit)[-limit] if limit < len(scores) else 0
        near = np.flatnonzero(scores > least - 0.001)  # rounded to four digits, others may still be as good
        found = ((-round(float(scores[i]), 4), others[i]) for i in near.tolist() if others[i] != episode)
        yield episode, [(other, -score) for score, other in nsmallest(limit, found)]


class _Reasons:
    """The direct ties between two episodes, looked up in indices that are made once for a graph."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.rare = rarity(snapshot)
        areas = {c.area for c in snapshot.concepts} - {CODE, TERMS}
        self.areas = areas if len(areas) > 1 else set()
        self.teaches = cache(lambda e: {t.target: t.weight for t in snapshot.taught_by.get(e, ())})
        self.assumes = cache(lambda e: {a.target for a in snapshot.assumed_by.get(e, ())})
        self.cites: defaultdict[str, set[str]] = defaultdict(set)
        for cites in telling_cites(snapshot):
            self.cites[cites.source].add(cites.target)
        self.cited = {link.id: cited_as(link) for link in snapshot.links}
        self.refers: dict[tuple[str, str], Reference] = {(r.source, r.target): r.relation for r in snapshot.refers_to}
        self.refers |= {(r.source, r.target): "listen_first" for r in snapshot.listen_after}
        self.said = {(r.source, r.target): ORDERS[r.kind] for r in snapshot.requires}
        self.said |= {(r.source, r.target): RELATIONS[r.kind].verb for r in reversed(snapshot.concept_relations)}
        self.next_to: defaultdict[str, set[str]] = defaultdict(set)
        for a, b in self.said:
            self.next_to[a].add(b)
            self.next_to[b].add(a)

    def between(self, this: str, other: str) -> tuple[str, ...]:
        """Return up to three reasons, the strongest first; none where no direct tie makes the two episodes near."""
        found = sorted(self._all(this, other), key=lambda reason: (-reason[0], reason[1]))
        return tuple(text for _, text in found[:_REASONS])

    def is_one_page(self, this: str, other: str) -> bool:
        """Return whether a single page that both cite is all that ties two episodes."""
        return len(self.cites[this] & self.cites[other]) == 1 == len(self.between(this, other))

    def _all(self, this: str, other: str) -> Iterator[tuple[float, str]]:
        if relation := self.refers.get((this, other)):
            yield _DECLARED, REFERENCES[relation].speaking
        if relation := self.refers.get((other, this)):
            yield _DECLARED, REFERENCES[relation].spoken_of
        here, there = self.teaches(this), self.teaches(other)
        needs_here, needs_there = self.assumes(this), self.assumes(other)
        for weights, sentence in (
            ({c: min(here[c], there[c]) for c in here.keys() & there.keys()}, "both explain {}"),
            ({c: there[c] / 2 for c in needs_here & there.keys()}, "explains {}, which this episode takes for granted"),
            ({c: here[c] / 2 for c in needs_there & here.keys()}, "takes {} for granted, which this episode explains"),
            (dict.fromkeys(needs_here & needs_there, 0.1), "both take {} for granted"),
        ):
            if weights:
                yield self._named(weights, sentence)
        yield from self._relations(this, other)
        pages = sorted(self.cites[this] & self.cites[other])
        for link in pages[:1]:
            more = f" and {counted(len(pages) - 1, 'more page')}" if len(pages) > 1 else ""
            yield 0.5, f"both cite {self.cited[link]}{more}"
        area_here, area_there = self._area(this), self._area(other)
        if area_here and area_here == area_there:
            yield 0.05, f"both are about {area_here}"

    def _named(self, weights: dict[str, float], sentence: str) -> tuple[float, str]:
        """Return one reason, as strong as all the concepts together, that names the two most telling ones."""
        strength = {c: w * self.rare[c] for c, w in weights.items()}
        best = sorted(strength, key=lambda c: (-strength[c], c))[:2]
        return sum(strength.values()), sentence.format(self._names(best))

    def _relations(self, this: str, other: str) -> Iterator[tuple[float, str]]:
        """Yield the weightiest relation between what one episode explains and what the other explains.

        A main subject weighs most, so two of them tie episodes with a weight of nearly 1.
        """
        here, there = self.teaches(this), self.teaches(other)
        found = []
        for a in here:
            for b in self.next_to[a] & there.keys():
                found += [(-here[a] * there[b], pair) for pair in ((a, b), (b, a)) if pair in self.said]
        for weight, (a, b) in sorted(found)[:1]:
            yield -weight, f"{self._names([a])} {self.said[a, b]} {self._names([b])}"

    def _names(self, concepts: Iterable[str]) -> str:
        return " and ".join(self.snapshot.concept[c].name for c in concepts)

    def _area(self, episode: str) -> str:
        """Return the area of the first main subject; "" where none is known, and where the area tells nothing apart."""
        mains = (t.target for t in self.snapshot.taught_by.get(episode, ()) if t.depth == "main")
        area = next((self.snapshot.concept[c].area for c in mains), "")
        return area if area in self.areas else ""
