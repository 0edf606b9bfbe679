"""In which order to hear what was chosen: what the graph says of earlier and later, and of topics near and far."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from torchatlas.graph.planning.order import arrange
from torchatlas.graph.planning.scope import Scope
from torchatlas.graph.planning.teachers import Teachers
from torchatlas.graph.values.model import Need, Snapshot
from torchatlas.graph.values.precedence import consistent
from torchatlas.graph.values.prerequisites import closure

Pair = tuple[str, str]


class Sequencer:
    """Orders episodes within a scope."""

    def __init__(self, snapshot: Snapshot, scope: Scope, teachers: Teachers) -> None:
        self.snapshot, self.scope, self.teachers = snapshot, scope, teachers

    def order(self, episodes: Sequence[str]) -> tuple[str, ...]:
        """The episodes, given in the order that decides ties: no one before what must precede it, topics together."""
        return arrange(episodes, consistent(self._precedence(episodes)), self._jumps(episodes))

    def _precedence(self, episodes: Sequence[str]) -> Iterator[Pair]:
        """(earlier, later) pairs, the weightiest first: declared, `hear`, a whole before its parts, `bridge`, hints."""
        snapshot = self.snapshot
        mains = {e: set(self.teachers.mains(e)) for e in episodes}
        assumed = {e: {a.target for a in snapshot.assumed_by.get(e, ())} for e in episodes}
        pairs = [(a, b) for b in episodes for a in episodes if a != b]
        declared = {(r.target, r.source) for r in snapshot.listen_after}
        stages = {(r.source, r.target) for r in snapshot.concept_relations if r.kind == "RUNS_BEFORE"}
        follows = {(r.target, r.source) for r in snapshot.refers_to if r.relation in ("continues", "listen_first")}
        follows |= {(r.source, r.target) for r in snapshot.refers_to if r.relation == "announces"}

        deepened = {e: self._deepened(mains[e]) for e in episodes}

        def needed(need: Need | None) -> Iterator[Pair]:
            below = {e: closure(snapshot.required_by, mains[e], need) - mains[e] for e in episodes}
            return ((a, b) for a, b in pairs if mains[a] & below[b])

        yield from (p for p in pairs if p in declared)
        yield from needed("hear")
        yield from ((a, b) for a, b in pairs if a in deepened[b])
        yield from needed(None)
        yield from ((a, b) for a, b in pairs if any((m, n) in stages for m in mains[a] for n in mains[b]))
        yield from (p for p in pairs if p in follows)
        yield from ((a, b) for a, b in pairs if mains[a] & assumed[b] and not mains[b] & assumed[a])

    def _deepened(self, mains: Iterable[str]) -> set[str]:
        """The own episodes of the goals of which one of these concepts is a part."""
        parts = (self.scope.parts[c] for c in mains if c in self.scope.parts)
        return {e for part in parts for e in self.scope.goals[self.scope.subjects[part.subject]]}

    def _jumps(self, episodes: Sequence[str]) -> dict[Pair, int]:
        """How far apart the topics of two episodes are, in thousandths: one less the cosine of concepts and areas."""
        topics = {e: self._topics(e) for e in episodes}
        length = {e: math.sqrt(sum(w * w for w in topics[e].values())) for e in episodes}
        return {
            (a, b): round(1000 * (1 - _dot(topics[a], topics[b]) / (length[a] * length[b] or 1.0)))
            for a in episodes
            for b in episodes
        }

    def _topics(self, episode: str) -> dict[str, float]:
        found: dict[str, float] = {}
        for t in self.snapshot.taught_by.get(episode, ()):
            area = f"area: {self.snapshot.concept[t.target].area}"
            found[t.target] = t.weight
            found[area] = found.get(area, 0.0) + t.weight / 2
        for a in self.snapshot.assumed_by.get(episode, ()):
            found.setdefault(a.target, 0.25)
        return found


def _dot(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    return sum(w * b.get(c, 0.0) for c, w in a.items())
