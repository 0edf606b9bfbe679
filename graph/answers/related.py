"""Related episodes: the nearest ones first, with the reasons in words."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from heapq import nsmallest

import numpy as np

from torchatlas.graph.answers.nearness import Nearness, rarity, telling_cites
from torchatlas.graph.values.answers import Related
from torchatlas.graph.values.formatting import counted
from torchatlas.graph.values.model import Link, Reference, RelatedTo, Snapshot
from torchatlas.graph.values.nodes import CODE, TERMS
from torchatlas.graph.values.wording import ORDERS, REFERENCES, RELATIONS

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
