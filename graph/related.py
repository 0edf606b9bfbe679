"""Related episodes: a random walk with restart over the whole graph, the nearest first, with the reasons in words."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from heapq import nsmallest

import numpy as np
from numpy.typing import NDArray

from torchatlas.graph.answers import Related
from torchatlas.graph.formatting import ORDERS, REFERENCES, RELATIONS, counted
from torchatlas.graph.model import CODE, TERMS, Cites, Episode, Reference, RelatedTo, Snapshot

Floats = NDArray[np.float64]
_RESTART = 0.3  # how often the walker returns to its beginning
_STEPS = 40  # leaves out 0.7 ** 40 of the walk, less than a millionth
_ROWS = 256  # walks in one matrix
_FEW = 100  # episodes whose walks are followed step by step
_HUBS = 2_500  # the nodes with most ties, through which the walks of more episodes lead
_SMALLEST = 1e-5  # share of the walks from an episode that is not followed further between two hubs
_ARC = 35  # episodes after which a show has mostly turned to other themes
_LEAST = 1e-100  # the least average closeness, of episodes whose numbers are thousands apart
_ASSUMES, _MENTIONS, _CITES = 0.1, 0.05, 0.5  # beside TEACHES, whose own weight is 1 for the first main subject
_BETWEEN_CONCEPTS, _SAME_AREA = 1.0, 0.3
_CITED = 5  # episodes; a page that more of them cite is a sponsor's or the show's own
_REFERENCE: Mapping[Reference, float] = {
    "listen_first": 1.0,
    "continues": 1.0,
    "more_in": 0.7,
    "announces": 0.7,
    "mentions": 0.4,
}
_REASONS = 3
_DECLARED = 10.0  # a tie that a speaker names comes before all that are computed


def rarity(snapshot: Snapshot) -> dict[str, float]:
    """Return concept -> its inverse document frequency (Sparck Jones 1972): `rarity(snapshot)["vmap"]`."""
    holders = Counter(target for _, target in {(e.source, e.target) for e in (*snapshot.teaches, *snapshot.assumes)})
    return {c.id: math.log((len(snapshot.episodes) + 1) / (holders[c.id] + 0.5)) for c in snapshot.concepts}


def telling_cites(snapshot: Snapshot) -> Iterator[Cites]:
    """Yield the edges to pages that tie episodes, no accounts or sponsors: `next(telling_cites(snapshot)).target`."""
    times = Counter(c.target for c in snapshot.cites)
    accounts = {link.id for link in snapshot.links if link.type == "profile"}
    yield from (c for c in snapshot.cites if times[c.target] <= _CITED and c.target not in accounts)


def _ties(snapshot: Snapshot) -> Iterator[tuple[str, str, float]]:
    """Yield the ties that the walker may follow, in either direction, with their weights."""
    rare, listen_first = rarity(snapshot), _REFERENCE["listen_first"]
    yield from ((t.source, t.target, t.weight * rare[t.target]) for t in snapshot.teaches)
    yield from ((a.source, a.target, _ASSUMES * rare[a.target]) for a in snapshot.assumes)
    yield from ((m.source, m.target, _MENTIONS * rare[m.target]) for m in snapshot.mentions)
    yield from ((r.source, r.target, _BETWEEN_CONCEPTS) for r in (*snapshot.requires, *snapshot.concept_relations))
    yield from ((c.id, f"area: {c.area}", _SAME_AREA) for c in snapshot.concepts)
    yield from ((r.source, r.target, _REFERENCE[r.relation]) for r in snapshot.refers_to)
    yield from ((r.source, r.target, listen_first) for r in snapshot.listen_after)
    yield from ((c.source, c.target, _CITES) for c in telling_cites(snapshot))


def walked(snapshot: Snapshot) -> Iterator[str]:
    """Yield all that the nearness of episodes depends on, as text: `next(walked(snapshot))`."""
    yield from (repr((e.id, e.show, e.season, e.number)) for e in snapshot.episodes)
    yield from map(repr, _ties(snapshot))


class Nearness:
    """A random walk over episodes, concepts, links and areas: `Nearness(snapshot).scores(["show/vmap"])`."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._episodes = snapshot.episodes
        self._numbers = _counted_on(snapshot.episodes)
        self._shows = np.unique([e.show for e in snapshot.episodes], return_inverse=True)[1]
        self._place = {e.id: n for n, e in enumerate(snapshot.episodes)}
        sources, targets, weights = [*zip(*_ties(snapshot), strict=True)] or ((), (), ())
        for node in (*sources, *targets):
            self._place.setdefault(node, len(self._place))
        ends = np.sort(np.array([[self._place[n] for n in nodes] for nodes in (sources, targets)], dtype=int), axis=0)
        order = np.lexsort((weights, *ends))
        last = np.append(np.diff(ends[:, order]).any(axis=0), True)[: len(order)]  # the strongest between two nodes
        (one, other), strongest = ends[:, order[last]], np.array(weights)[order[last]]
        self._from, self._to = np.concatenate([one, other]), np.concatenate([other, one])
        self._weights, size = np.concatenate([strongest, strongest]), len(self._place)
        self._degree = np.maximum(np.bincount(self._from, self._weights, size), 1e-9)

    def scores(self, episodes: Sequence[str]) -> Iterator[tuple[str, Floats]]:
        """Yield each episode with its nearness to all episodes: 0 to itself, else up to 1; chance alone gives .5."""
        lifts = self._step_by_step() if len(episodes) <= _FEW else self._through_hubs()
        for begin in range(0, len(episodes), _ROWS):
            group = episodes[begin : begin + _ROWS]
            places = [self._place[episode] for episode in group]
            for episode, here, lift in zip(group, places, lifts(places), strict=True):
                lift *= self.closeness(here)
                yield episode, lift / (1 + lift)

    def closeness(self, here: int) -> Floats:
        """Return how close all episodes were told to the one at this place, divided by the average; 0 for itself."""
        apart = np.where(self._shows == self._shows[here], np.abs(self._numbers - self._numbers[here]), _ARC)
        close = np.exp(-np.nan_to_num(apart, nan=_ARC) / _ARC)
        close[here] = 0
        return np.asarray(close / max(close.sum() / max(1, len(close) - 1), _LEAST))

    def _step_by_step(self) -> Callable[[Sequence[int]], Floats]:
        """Return a function from places to how much more often than by chance walks from there meet each episode."""
        move = (1 - _RESTART) * self._weights / self._degree[self._from]

        def met(here: int) -> Floats:
            found = start = np.eye(1, len(self._degree), here)[0]
            for _ in range(_STEPS):
                found = _RESTART * start + np.bincount(self._to, found[self._from] * move, len(start))
            return np.asarray((found * self._degree.sum() / self._degree)[: len(self._episodes)])

        return lambda places: np.array([met(here) for here in places])

    def _through_hubs(self) -> Callable[[Sequence[int]], Floats]:
        """Return the same function as `_step_by_step`, up to some thousandths, and fast for very many walks.

        All walks together are the inverse of D - (1 - r) A: A are the weights, D their sums, r is the chance to return.
        Block elimination of all nodes but the hubs (Golub and Van Loan 2013, 3.2.6) leaves a small dense matrix.
        """
        from scipy import sparse

        count, on, size = len(self._episodes), 1 - _RESTART, len(self._degree)
        ties = sparse.csr_array((self._weights, (self._from, self._to)), shape=(size, size))
        many = np.diff(ties.indptr)[count:]  # episodes come first
        hubs = count + np.sort(np.argsort(-many, kind="stable")[:_HUBS])
        others = np.setdiff1d(np.arange(size), hubs)
        move = (sparse.diags_array(on / self._degree[others]) @ ties[others]).tocsr()
        met = term = sparse.hstack([move[:, hubs], sparse.eye_array(len(others), count)], format="csr")
        while term.nnz:
            term = (move[:, others] @ term).tocsr()
            term.data[np.abs(term.data) < _SMALLEST] = 0.0
            term.eliminate_zeros()
            met = met + term
        enter, around = met[:, : len(hubs)], met[:count, len(hubs) :].multiply(1 / self._degree[:count]).tocsr()
        left = sparse.diags_array(self._degree[hubs]) - on * (ties[hubs][:, hubs] + ties[hubs][:, others] @ enter)
        between, enter = np.linalg.inv(left.toarray()), enter[:count].tocsr()
        total = _RESTART * self._degree.sum()
        return lambda places: np.asarray(total * ((enter[places] @ between) @ enter.T + around[places].toarray()))


def _counted_on(episodes: Sequence[Episode]) -> Floats:
    """Return the number of each episode, NaN where there is none; a season that begins anew counts on.

    It begins anew where it has most of the numbers that it could share with those before.
    """
    numbers: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    for e in episodes:
        if e.number is not None:
            numbers[e.show, e.season or 0].add(e.number)
    before: dict[tuple[str, int], int] = {}
    last: Counter[str] = Counter()
    for (show, season), found in sorted(numbers.items()):
        shared = sum(number <= last[show] for number in found)
        before[show, season] = last[show] if 2 * shared > min(last[show], len(found)) else 0
        if season:
            last[show] = max(last[show], before[show, season] + max(found))
    return np.array([np.nan if e.number is None else before[e.show, e.season or 0] + e.number for e in episodes])


NEAREST = 5
"""How many nearest episodes of each are stored."""
Ranked = Sequence[tuple[str, float]]
"""Episodes with their scores, best first."""


def related(snapshot: Snapshot, episode_id: str, limit: int = 10) -> tuple[Related, ...]:
    """Return the episodes that are nearest to one, best first; chance scores 0.5: `related(snapshot, "show/vmap")`."""
    reasons = _Reasons(snapshot)
    ((_, best),) = _best(snapshot, [episode_id], limit)
    return tuple(
        Related(other, snapshot.episode[other].title, score=score, reasons=reasons.between(episode_id, other))
        for other, score in best
    )


def ranked(snapshot: Snapshot, n: int = NEAREST) -> dict[str, Ranked]:
    """Return the `n` nearest episodes of each, equal for equal `walked` facts: `ranked(snapshot, 5)["show/vmap"]`."""
    return dict(_best(snapshot, [e.id for e in snapshot.episodes], n))


def nearest(snapshot: Snapshot, n: int = NEAREST, best: Mapping[str, Ranked] | None = None) -> tuple[RelatedTo, ...]:
    """Return the edges from every episode to those of the `n` nearest ones with which it has a tie, as they are stored.

    A single page that both cite is no tie: too often it is an advertisement. `best`: what `ranked` found, if known.
    Example: `nearest(snapshot)[0].reasons`
    """
    reasons = _Reasons(snapshot)
    edges = (
        RelatedTo(episode, other, score=score, reasons=reasons.between(episode, other))
        for episode, near in (ranked(snapshot, n) if best is None else best).items()
        for other, score in near
    )
    pages = ((e, reasons.cites[e.source] & reasons.cites[e.target]) for e in edges if e.reasons)
    return tuple(e for e, shared in pages if not len(shared) == len(e.reasons) == 1)


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
        self._snapshot = snapshot
        self._rare = rarity(snapshot)
        areas = {c.area for c in snapshot.concepts} - {CODE, TERMS}
        self._areas = areas if len(areas) > 1 else set()
        self._teaches = cache(lambda e: {t.target: t.weight for t in snapshot.taught_by.get(e, ())})
        self._assumes = cache(lambda e: {a.target for a in snapshot.assumed_by.get(e, ())})
        self.cites: defaultdict[str, set[str]] = defaultdict(set)
        for cites in telling_cites(snapshot):
            self.cites[cites.source].add(cites.target)
        self._links = {link.id: link for link in snapshot.links}
        self._refers: dict[tuple[str, str], Reference] = {(r.source, r.target): r.relation for r in snapshot.refers_to}
        self._refers |= {(r.source, r.target): "listen_first" for r in snapshot.listen_after}
        self._said = {(r.source, r.target): ORDERS[r.kind] for r in snapshot.requires}
        self._said |= {(r.source, r.target): RELATIONS[r.kind].verb for r in reversed(snapshot.concept_relations)}
        self._next_to: defaultdict[str, set[str]] = defaultdict(set)
        for a, b in self._said:
            self._next_to[a].add(b)
            self._next_to[b].add(a)

    def between(self, this: str, other: str) -> tuple[str, ...]:
        """Return up to three reasons, the strongest first; none where no direct tie makes the two episodes near."""
        found = sorted(self._all(this, other), key=lambda reason: (-reason[0], reason[1]))
        return tuple(text for _, text in found[:_REASONS])

    def _all(self, this: str, other: str) -> Iterator[tuple[float, str]]:
        if relation := self._refers.get((this, other)):
            yield _DECLARED, REFERENCES[relation].forward
        if relation := self._refers.get((other, this)):
            yield _DECLARED, REFERENCES[relation].backward
        here, there = self._teaches(this), self._teaches(other)
        needs_here, needs_there = self._assumes(this), self._assumes(other)
        for weights, sentence in (
            ({c: min(here[c], there[c]) for c in here.keys() & there.keys()}, "both explain {}"),
            ({c: there[c] / 2 for c in needs_here & there.keys()}, "explains {}, which this episode takes for granted"),
            ({c: here[c] / 2 for c in needs_there & here.keys()}, "takes {} for granted, which this episode explains"),
            (dict.fromkeys(needs_here & needs_there, 0.1), "both take {} for granted"),
        ):
            if weights:  # all the concepts together make it strong, and the two most telling ones are named
                strength = {c: w * self._rare[c] for c, w in weights.items()}
                best = sorted(strength, key=lambda c: (-strength[c], c))[:2]
                yield sum(strength.values()), sentence.format(" and ".join(map(self._snapshot.name_of, best)))
        if found := [  # the weightiest relation between what they explain: nearly 1 between two main subjects
            (-here[a] * there[b], pair)
            for a in here
            for b in self._next_to[a] & there.keys()
            for pair in ((a, b), (b, a))
            if pair in self._said
        ]:
            weight, (a, b) = min(found)
            yield -weight, f"{self._snapshot.name_of(a)} {self._said[a, b]} {self._snapshot.name_of(b)}"
        if pages := sorted(self.cites[this] & self.cites[other]):
            more = f" and {counted(len(pages) - 1, 'more page')}" if len(pages) > 1 else ""
            link = self._links[pages[0]]
            kind = "page" if link.type == "other" else link.type.replace("_", " ").replace("github", "GitHub")
            told = link.label if link.label and link.label != link.url else f"the same {kind}"
            yield 0.5, f"both cite {told}{more}"
        taught = (self._snapshot.taught_by.get(e, ()) for e in (this, other))
        mains = [next((t.target for t in edges if t.depth == "main"), "") for edges in taught]
        areas = {self._snapshot.concept[c].area for c in mains if c}
        if all(mains) and len(areas) == 1 and areas <= self._areas:
            yield 0.05, f"both are about {areas.pop()}"
