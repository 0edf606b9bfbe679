"""The third stage of a plan: the order of the chosen episodes, by what the graph says of earlier and later.

Where the graph leaves the order open, episodes on near topics stand together.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from torchatlas.graph.planning.knowledge import main_subjects
from torchatlas.graph.planning.order import arrange
from torchatlas.graph.planning.scope import Scope
from torchatlas.graph.values.model import Need, Snapshot
from torchatlas.graph.values.precedence import Pair, consistent
from torchatlas.graph.values.prerequisites import closure


def in_order(scope: Scope, episodes: Sequence[str]) -> tuple[str, ...]:
    """Return the episodes in an order that breaks no precedence; the order in which they are given decides ties.

    Example: `in_order(scope, ["show/compiler", "show/tracing"])` is `("show/tracing", "show/compiler")`
    """
    return arrange(episodes, consistent(_precedence(scope, episodes)), _distances(scope.snapshot, episodes))


def _precedence(scope: Scope, episodes: Sequence[str]) -> Iterator[Pair]:
    """Yield (earlier, later) pairs, the weightiest first: declared, `hear`, goals before what deepens them, hints.

    What an episode's first subject needs outweighs what its other subjects need.
    """
    snapshot = scope.snapshot
    mains = {e: set(main_subjects(snapshot, e)) for e in episodes}
    first = {e: main_subjects(snapshot, e)[:1] for e in episodes}
    assumed = {e: {a.target for a in snapshot.assumed_by.get(e, ())} for e in episodes}
    pairs = [(a, b) for b in episodes for a in episodes if a != b]
    declared = {(r.target, r.source) for r in snapshot.listen_after}
    stages = {(r.source, r.target) for r in snapshot.concept_relations if r.kind == "RUNS_BEFORE"}
    follows = {(r.target, r.source) for r in snapshot.refers_to if r.relation in ("continues", "listen_first")}
    follows |= {(r.source, r.target) for r in snapshot.refers_to if r.relation == "announces"}
    deepened = {e: _deepened(scope, mains[e]) for e in episodes}

    def needed(subjects: Mapping[str, Iterable[str]], *needs: Need) -> Iterator[Pair]:
        below = {e: closure(snapshot.required_by, subjects[e], *needs) - mains[e] for e in episodes}
        return ((a, b) for a, b in pairs if mains[a] & below[b])

    devoted = {e: closure(snapshot.required_by, first[e], "hear").difference(first[e]) for e in episodes}

    yield from (p for p in pairs if p in declared)
    yield from ((a, b) for a, b in pairs if devoted[b].intersection(first[a]))
    yield from needed(first, "hear")
    yield from ((a, b) for a, b in pairs if a in deepened[b])
    yield from needed(first, "hear", "worth")
    yield from needed(mains, "hear")
    yield from needed(mains, "hear", "worth")
    yield from needed(mains)
    yield from ((a, b) for a, b in pairs if any((m, n) in stages for m in mains[a] for n in mains[b]))
    yield from (p for p in pairs if p in follows)
    yield from ((a, b) for a, b in pairs if mains[a] & assumed[b] and not mains[b] & assumed[a])


def _deepened(scope: Scope, mains: Iterable[str]) -> set[str]:
    """Return the own episodes of the goals that one of these concepts deepens."""
    found = (scope.deepenings[c] for c in mains if c in scope.deepenings)
    return {e for deepening in found for e in scope.goals[scope.goal_of[deepening.subject]]}


def _distances(snapshot: Snapshot, episodes: Sequence[str]) -> dict[Pair, int]:
    """Return how far apart the topics of each two episodes are, in thousandths: 1 minus their cosine."""
    topics = {e: _topics(snapshot, e) for e in episodes}
    length = {e: math.sqrt(sum(w * w for w in topics[e].values())) for e in episodes}
    return {
        (a, b): round(1000 * (1 - _dot(topics[a], topics[b]) / (length[a] * length[b] or 1.0)))
        for a in episodes
        for b in episodes
    }


def _topics(snapshot: Snapshot, episode: str) -> dict[str, float]:
    """Return the concepts that an episode teaches or assumes, and their areas, each with its weight."""
    found: dict[str, float] = {}
    for t in snapshot.taught_by.get(episode, ()):
        area = f"area: {snapshot.concept[t.target].area}"
        found[t.target] = t.weight
        found[area] = found.get(area, 0.0) + t.weight / 2
    for a in snapshot.assumed_by.get(episode, ()):
        found.setdefault(a.target, 0.25)
    return found


def _dot(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    return sum(w * b.get(c, 0.0) for c, w in a.items())
