"""The shortest listening path to what one wants to understand."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from graph.answers import Plan, Unmet
from graph.choice import Choice, Demand, choose
from graph.errors import UnknownName
from graph.explain import Explainer
from graph.model import Snapshot
from graph.order import arrange, consistent
from graph.prerequisites import check_acyclic, closure
from graph.scope import Scope, Teachers, known_concepts, minutes_of, scope_of

_ROUTES = 2
_AS_LONG = 1.1  # another teacher is as good if it takes no more than a tenth longer


def make_plan(
    snapshot: Snapshot,
    goals: Sequence[str],
    known: Collection[str] = (),
    heard: Collection[str] = (),
    budget: int | None = None,
) -> Plan:
    """What to hear, in which order and why, to reach `goals` (ids of concepts or episodes) within `budget` minutes.

    `known` are ids of concepts, `heard` of episodes. The same for the same graph, however its parts are ordered.
    Raises UnknownName for an id that is not in the graph, CycleError where prerequisites run in a circle.
    """
    check_acyclic(snapshot.requires)
    _refuse_unknown(snapshot, goals, known, heard)
    said = known_concepts(snapshot, known, ())
    wanted = [g for g in dict.fromkeys(goals) if g not in said and g not in heard]
    knowledge = known_concepts(snapshot, known, heard)
    teachers = Teachers(snapshot, heard)
    scope = scope_of(snapshot, wanted, knowledge, teachers)
    minutes = minutes_of(snapshot)
    explainer = Explainer(snapshot, scope, knowledge, minutes)
    chosen = _choose(scope, minutes, budget)
    order = _ordered(snapshot, scope, teachers, chosen.episodes, minutes)
    routes = (
        _ordered(snapshot, scope, teachers, other, minutes)
        for other in _as_good(snapshot, scope, chosen.episodes, minutes)
        if budget is None or sum(minutes[e] for e in other) <= budget
    )
    return Plan(
        tuple(explainer.name(g) for g in dict.fromkeys(goals)),
        tuple(snapshot.concept[c].name for c in sorted(set(known))),
        sum(minutes[e] for e in order),
        explainer.steps(order),
        explainer.primer(order),
        tuple(explainer.line(c) for c in scope.gaps if c in snapshot.concept),
        tuple(_unmet(scope, minutes, budget, chosen, explainer)),
        tuple(explainer.steps(route) for route, _ in zip(routes, range(_ROUTES), strict=False)),
        tuple(_notes(goals, wanted, scope, chosen, explainer)),
    )


def _refuse_unknown(snapshot: Snapshot, goals: Iterable[str], known: Iterable[str], heard: Iterable[str]) -> None:
    for kind, ids, there in (
        ("concept or episode", goals, snapshot.concept.keys() | snapshot.episode.keys()),
        ("concept", known, snapshot.concept.keys()),
        ("episode", heard, snapshot.episode.keys()),
    ):
        for missing in sorted(set(ids) - there):
            raise UnknownName(kind, missing)


def _choose(scope: Scope, minutes: Mapping[str, int], budget: int | None) -> Choice:
    """Reach the goals, then hear all of their own episodes, then what is below them, then what deepens them."""
    demands = dict(scope.demands)
    own: list[str] = []
    for goal, episodes in scope.goals.items():
        for episode in episodes:
            own.append(f"{goal} by {episode}")
            demands[own[-1]] = Demand((episode,), (goal,))
    chosen = choose(demands, [list(scope.goals), own, scope.below, list(scope.parts)], minutes, budget)
    return chosen or Choice(frozenset(), frozenset())


def _unmet(
    scope: Scope, minutes: Mapping[str, int], budget: int | None, chosen: Choice, explainer: Explainer
) -> Iterator[Unmet]:
    """Each goal that is not reached, with the fewest minutes beyond the budget that reach it beside the others."""
    reached = [g for g in scope.goals if g in chosen.had]
    for goal in scope.goals:
        if goal not in chosen.had and budget is not None:
            cheapest = choose(scope.demands, [], minutes, must=[*reached, goal])
            if cheapest is not None:
                yield Unmet(explainer.name(goal), max(1, sum(minutes[e] for e in cheapest.episodes) - budget))


def _as_good(
    snapshot: Snapshot, scope: Scope, chosen: frozenset[str], minutes: Mapping[str, int]
) -> Iterator[frozenset[str]]:
    """Other choices: one episode before the goals exchanged for another that teaches the same as well and as fast."""
    weight = {(t.source, t.target): t.weight for t in snapshot.teaches}
    teachers = {name: set(d.teachers or ()) for name, d in scope.demands.items()}
    own = {e for episodes in scope.goals.values() for e in episodes}
    for episode in (e for e in minutes if e in chosen and e not in own):
        only = [name for name, them in teachers.items() if them & chosen == {episode}]
        for other in (e for e in minutes if e not in chosen and all(e in teachers[name] for name in only)):
            as_well = all(weight[other, name] >= weight[episode, name] for name in only)
            if only and as_well and minutes[other] <= _AS_LONG * minutes[episode]:
                yield chosen - {episode} | {other}


def _ordered(
    snapshot: Snapshot, scope: Scope, teachers: Teachers, chosen: frozenset[str], minutes: Mapping[str, int]
) -> tuple[str, ...]:
    items = [e for e in minutes if e in chosen]
    return arrange(items, consistent(_precedence(snapshot, scope, teachers, items)), _jumps(snapshot, items))


def _precedence(
    snapshot: Snapshot, scope: Scope, teachers: Teachers, items: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """(earlier, later) pairs, what weighs most first: declared, `hear`, a whole before its parts, `bridge`, hints."""
    mains = {e: set(teachers.mains(e)) for e in items}
    pairs = [(a, b) for b in items for a in items if a != b]
    declared = {(r.target, r.source) for r in snapshot.listen_after}
    yield from (p for p in pairs if p in declared)
    for need in ("hear", None):
        below = {e: closure(snapshot.requires, mains[e], need) - mains[e] for e in items}
        yield from ((a, b) for a, b in pairs if mains[a] & below[b])
        if need == "hear":
            parts = scope.parts.items()
            yield from ((a, b) for a, b in pairs for part, goal in parts if a in scope.goals[goal] and part in mains[b])
    stages = {(r.source, r.target) for r in snapshot.concept_relations if r.kind == "RUNS_BEFORE"}
    yield from ((a, b) for a, b in pairs if any((m, n) in stages for m in mains[a] for n in mains[b]))
    follows = {(r.target, r.source) for r in snapshot.refers_to if r.relation in ("continues", "listen_first")}
    follows |= {(r.source, r.target) for r in snapshot.refers_to if r.relation == "announces"}
    yield from (p for p in pairs if p in follows)
    assumed = {e: {a.target for a in snapshot.assumed_by.get(e, ())} for e in items}
    yield from ((a, b) for a, b in pairs if mains[a] & assumed[b] and not mains[b] & assumed[a])


def _jumps(snapshot: Snapshot, items: Iterable[str]) -> dict[tuple[str, str], int]:
    """How far apart the topics of two episodes are, in thousandths: one less the cosine of concepts and areas."""
    topics = {e: _topics(snapshot, e) for e in items}
    return {(a, b): round(1000 * (1 - _cosine(topics[a], topics[b]))) for a in topics for b in topics}


def _topics(snapshot: Snapshot, episode: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for t in snapshot.taught_by.get(episode, ()):
        area = f"area: {snapshot.concept[t.target].area}"
        found[t.target] = t.weight
        found[area] = found.get(area, 0.0) + t.weight / 2
    for a in snapshot.assumed_by.get(episode, ()):
        found.setdefault(a.target, 0.25)
    return found


def _cosine(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    length = math.sqrt(sum(w * w for w in a.values()) * sum(w * w for w in b.values()))
    return sum(w * b.get(c, 0.0) for c, w in a.items()) / length if length else 0.0


def _notes(
    goals: Sequence[str], wanted: Sequence[str], scope: Scope, chosen: Choice, explainer: Explainer
) -> Iterator[str]:
    for goal in dict.fromkeys(goals):
        if goal not in wanted:
            yield f"{explainer.name(goal)} is already known: nothing is planned for it."
    for goal, episodes in scope.goals.items():
        if not episodes and goal in scope.gaps:
            yield f"No episode left to hear explains {explainer.name(goal)}; the steps lead up to it."
        elif not episodes:
            yield f"You have heard what explains {explainer.name(goal)}; only what deepens it is left."
    if chosen.gap > 0:
        yield f"The time for choosing ran out: a choice up to {chosen.gap:.0%} better may exist."
