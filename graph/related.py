"""Related episodes by a random walk with restart, with reasons in words."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from heapq import nsmallest
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from torchatlas.graph.answers import Related
from torchatlas.graph.formatting import REFERENCES, RELATIONS, VERBS, counted, worded
from torchatlas.graph.model import CODE, TERMS, Cites, Episode, RelatedTo, Snapshot

Floats = NDArray[np.float64]
_RESTART = 0.3  # how often the walker returns to its beginning
_STEPS = 17  # with which less than a millionth of the walk is left out
_ROWS = 64  # walks in one matrix, which then fits the cache of a processor
_FEW = 100  # episodes whose walks take less time than SciPy's import
_ARC = 35  # episodes after which a show has other themes
_CITED = 5  # a page that more cite is a sponsor's or the show's own
_REFERENCE = {"listen_first": 1.0, "continues": 1.0, "more_in": 0.7, "announces": 0.7, "mentions": 0.4}


def rarity(graph: Snapshot) -> dict[str, float]:
    """Return concept -> inverse document frequency (Sparck Jones 1972): `rarity(graph)["vmap"]`."""
    graph = graph.without_resources
    holders = Counter(target for _, target in {(e.source, e.target) for e in (*graph.teaches, *graph.assumes)})
    return {c.id: math.log((len(graph.episodes) + 1) / (holders[c.id] + 0.5)) for c in graph.concepts}


def telling_cites(graph: Snapshot) -> Iterator[Cites]:
    """Yield citations, no accounts or sponsors: `telling_cites(graph)`."""
    times = Counter(c.target for c in graph.cites)
    accounts = {link.id for link in graph.links if link.type == "profile"}
    yield from (c for c in graph.cites if times[c.target] <= _CITED and c.target not in accounts)


def _ties(graph: Snapshot) -> Iterator[tuple[str, str, float]]:
    """Yield the ties to walk along, in either direction, with their weights."""
    graph, rare = graph.without_resources, rarity(graph)
    yield from ((t.source, t.target, t.weight * rare[t.target]) for t in graph.teaches)
    yield from ((a.source, a.target, 0.1 * rare[a.target]) for a in graph.assumes)
    yield from ((m.source, m.target, 0.05 * rare[m.target]) for m in graph.mentions)
    yield from ((r.source, r.target, 1.0) for r in (*graph.requires, *graph.concept_relations))
    yield from ((c.id, f"area: {c.area}", 0.3) for c in graph.concepts)
    yield from ((r.source, r.target, _REFERENCE[r.relation]) for r in graph.refers_to)
    yield from ((r.source, r.target, _REFERENCE["listen_first"]) for r in graph.listen_after)
    yield from ((c.source, c.target, 0.5) for c in telling_cites(graph))


class Nearness:
    """A random walk on a graph, from resources too: `Nearness(graph).scores(["show/vmap"])`."""

    def __init__(self, graph: Snapshot) -> None:
        taught, graph = {r: graph.taught_by.get(r, ()) for r in graph.resource}, graph.without_resources
        self._numbers = _counted_on(graph.episodes)
        self._shows = np.unique([e.show for e in graph.episodes], return_inverse=True)[1]
        strongest: defaultdict[tuple[str, str], float] = defaultdict(float)
        for one, other, weight in _ties(graph):
            ends = min(one, other), max(one, other)
            strongest[ends] = max(strongest[ends], weight)
        nodes = dict.fromkeys([*graph.episode, *chain(*strongest)])
        self._place = {node: place for place, node in enumerate(nodes)}
        between = np.array([self._place[node] for node in chain(*strongest)], int).reshape(-1, 2).T
        self._from, self._to = np.hstack([between, between[::-1]])
        self._weights = np.tile(list(strongest.values()), 2)
        self._begin = {r: {self._place[t.target]: t.weight for t in of} for r, of in taught.items()}
        self._degree = np.maximum(np.bincount(self._from, self._weights, len(nodes)), 1e-9)

    def scores(self, episodes: Sequence[str]) -> Iterator[tuple[str, Floats]]:
        """Yield each episode's nearness to all: 0 to itself, by chance 0.5."""
        size, stay = len(self._degree), 1 - _RESTART
        share = stay * self._weights / self._degree[self._from]
        if many := len(episodes) > _FEW:
            from scipy import sparse

            move = sparse.csr_array((share.astype(np.float32), (self._to, self._from)), shape=(size, size))
        for begin in range(0, len(episodes), _ROWS):
            group = episodes[begin : begin + _ROWS]
            places = [self._place.get(episode) for episode in group]
            start = np.zeros((size, len(group)), np.float32 if many else np.float64)
            for column, episode in enumerate(group):  # from a resource, walks begin at what it teaches
                parts = self._begin.get(episode, {self._place.get(episode, 0): 1.0})
                start[[*parts], column] = _RESTART * np.array([*parts.values()]) / sum(parts.values())
            before, found, weight = np.zeros_like(start), start, 2.0
            for _ in range(_STEPS):  # Chebyshev's semi-iteration (Golub and Varga 1961): half as many
                weight = 1 / (1 - stay**2 * weight / 4)
                if many:
                    moved = move @ found
                else:
                    moved = np.array([np.bincount(self._to, walk[self._from] * share, size) for walk in found.T]).T
                before, found = found, before + weight * (start + moved - before)
            lifts = found.T * (self._degree.sum() / self._degree)  # how much more often than by chance it is met
            for episode, here, lift in zip(group, places, lifts[:, : len(self._numbers)], strict=True):
                near = lift * (1.0 if here is None else self.closeness(here))
                yield episode, near / (1 + near)

    def closeness(self, here: int) -> Floats:
        """Return how near in number all are, 1 on average; 0 for itself."""
        apart = np.where(self._shows == self._shows[here], np.abs(self._numbers - self._numbers[here]), _ARC)
        close = np.exp(-np.nan_to_num(apart, nan=_ARC) / _ARC)
        close[here] = 0
        return np.asarray(close / max(close.sum() / max(1, len(close) - 1), 1e-100))


def _counted_on(episodes: Sequence[Episode]) -> Floats:
    """Return episode numbers, NaN if unknown; a season that restarts counts on.

    It restarts where it has most of the numbers that it could share with those before.
    """
    numbers: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    for e in episodes:
        if e.number is not None:
            numbers[e.show, e.season or 0].add(e.number)
    before, last = dict[tuple[str, int], int](), Counter[str]()
    for (show, season), found in sorted(numbers.items()):
        shared = sum(number <= last[show] for number in found)
        before[show, season] = last[show] if 2 * shared > min(last[show], len(found)) else 0
        if season:
            last[show] = max(last[show], before[show, season] + max(found))
    return np.array([np.nan if e.number is None else before[e.show, e.season or 0] + e.number for e in episodes])


NEAREST = 5  # how many nearest episodes of each are stored
_DECLARED = 10.0  # before all that are computed
Ranked = Sequence[tuple[str, float]]  # episodes with their scores, best first


def related(graph: Snapshot, episode_id: str, limit: int = 10) -> tuple[Related, ...]:
    """Return the nearest; chance scores 0.5: `related(graph, "show/vmap")`."""
    reasons, best = _Reasons(graph), ranked(graph, limit, [episode_id])[episode_id]
    near = ((other, score, reasons.between(episode_id, other)) for other, score in best)
    return tuple(Related(e, graph.episode[e].title, score, reasons=why) for e, score, why in near)


def ranked(graph: Snapshot, n: int = NEAREST, ids: Sequence[str] | None = None) -> dict[str, Ranked]:
    """Return the `n` nearest episodes of each: `ranked(graph, 5)["show/vmap"]`."""
    others, found = [e.id for e in graph.episodes], dict[str, Ranked]()
    for episode, scores in Nearness(graph).scores(others if ids is None else ids):
        least = np.partition(scores, -n)[-n] if n < len(scores) else 0
        near = np.flatnonzero(scores > least - 0.001)  # others may round to as good
        rounded = ((-round(float(scores[i]), 4), others[i]) for i in near.tolist() if others[i] != episode)
        found[episode] = [(other, -score) for score, other in nsmallest(n, rounded)]
    return found


def nearest(graph: Snapshot, n: int = NEAREST) -> tuple[RelatedTo, ...]:
    """Return the edges to the `n` nearest episodes with a tie, as stored.

    One page cited by both is no tie: often an advert.
    Example: `nearest(graph)[0].reasons`
    """
    reasons, edges = _Reasons(graph), list[RelatedTo]()
    for episode, near in ranked(graph, n).items():
        for other, score in near:
            found, pages = reasons.between(episode, other), reasons.cites[episode] & reasons.cites[other]
            if found and not len(pages) == len(found) == 1:
                edges.append(RelatedTo(episode, other, score=score, reasons=found))
    return tuple(edges)


class _Reasons:
    """The direct ties between episodes, from indices made once for a graph."""

    def __init__(self, graph: Snapshot) -> None:
        self._graph, self._rare = graph, rarity(graph)
        areas = {c.area for c in graph.concepts} - {CODE, TERMS}
        self._areas = areas if len(areas) > 1 else set()
        self.cites: defaultdict[str, set[str]] = defaultdict(set)
        for cites in telling_cites(graph):
            self.cites[cites.source].add(cites.target)
        self._labels = {link.id: link.label for link in graph.links if link.label != link.url}
        self._refers = {(r.source, r.target): REFERENCES[r.relation] for r in graph.refers_to}
        self._refers |= {(r.source, r.target): REFERENCES["listen_first"] for r in graph.listen_after}
        self._verbs = {(r.source, r.target): VERBS[r.kind] for r in graph.requires}
        self._verbs |= {(r.source, r.target): RELATIONS[r.kind].verb for r in reversed(graph.concept_relations)}

    def between(self, this: str, other: str) -> tuple[str, ...]:
        """Return up to three direct ties in words, the strongest first."""
        graph, name_of = self._graph, self._graph.name_of
        referring = ((self._refers.get((this, other)), 1), (self._refers.get((other, this)), 2))
        found = [(_DECLARED, words[side]) for words, side in referring if words]
        taught = [graph.taught_by.get(e, ()) for e in (this, other)]
        here, there = ({t.target: t.weight for t in edges} for edges in taught)
        needs_here, needs_there = ({a.target for a in graph.assumed_by.get(e, ())} for e in (this, other))
        for weights, sentence in (
            ({c: min(here[c], there[c]) for c in here.keys() & there.keys()}, "both explain {}"),
            ({c: there[c] / 2 for c in needs_here & there.keys()}, "explains {}, which this episode takes for granted"),
            ({c: here[c] / 2 for c in needs_there & here.keys()}, "takes {} for granted, which this episode explains"),
            (dict.fromkeys(needs_here & needs_there, 0.1), "both take {} for granted"),
        ):
            if weights:  # all concepts together make it strong; the two most telling are named
                strength = {c: w * self._rare[c] for c, w in weights.items()}
                best = sorted(strength, key=lambda c: (-strength[c], c))[:2]
                found.append((sum(strength.values()), sentence.format(" and ".join(map(name_of, best)))))
        pairs = ((weight * there[b], pair) for a, weight in here.items() for b in there for pair in ((a, b), (b, a)))
        joined = ((-weight, *pair) for weight, pair in pairs if pair in self._verbs)
        for weight, a, b in nsmallest(1, joined):
            found.append((-weight, f"{name_of(a)} {self._verbs[a, b]} {name_of(b)}"))
        if pages := sorted(self.cites[this] & self.cites[other]):
            more = f" and {counted(len(pages) - 1, 'more page')}" if len(pages) > 1 else ""
            found.append((0.5, f"both cite {self._labels.get(pages[0]) or 'the same page'}{more}"))
        mains = [next((graph.concept[t.target].area for t in edges if t.depth == "main"), "") for edges in taught]
        found += [(0.05, f"both are about {area}") for area in self._areas.intersection(mains) if mains == [area, area]]
        texts = [worded(text, graph.episode[this].kind) for _, text in sorted(found, key=lambda r: (-r[0], r[1]))]
        return tuple(texts[:3])
