"""The shortest listening path to what one wants to understand."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from statistics import median_low

from torchatlas.graph.planning.choice import Choice, Demand, choose, fewest_minutes
from torchatlas.graph.planning.scope import Scope, scope_of
from torchatlas.graph.planning.sequence import Sequencer
from torchatlas.graph.planning.step_reasons import Explainer
from torchatlas.graph.planning.teachers import Teachers, known_concepts
from torchatlas.graph.values.answers import Plan, Unmet
from torchatlas.graph.values.errors import UnknownName
from torchatlas.graph.values.model import Episode, Snapshot
from torchatlas.graph.values.prerequisites import check_acyclic

_MINUTES = 15  # where a whole show says nothing of its lengths
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
    sequencer = Sequencer(snapshot, scope, teachers)

    chosen = _choose(scope, minutes, budget)
    order = sequencer.order([e for e in minutes if e in chosen.episodes])
    others = (
        [e for e in minutes if e in other]
        for other in _as_good(snapshot, scope, chosen.episodes, minutes)
        if budget is None or sum(minutes[e] for e in other) <= budget
    )
    return Plan(
        tuple(explainer.name(g) for g in dict.fromkeys(goals)),
        tuple(snapshot.concept[c].name for c in sorted(set(known))),
        minutes=sum(minutes[e] for e in order),
        steps=explainer.steps(order),
        primer=explainer.primer(order),
        gaps=tuple(explainer.line(c) for c in scope.gaps),
        unmet=tuple(_unmet(scope, minutes, budget, chosen, explainer)),
        routes=tuple(explainer.steps(sequencer.order(other)) for other in islice(others, _ROUTES)),
        notes=tuple(_notes(goals, wanted, teachers, scope, chosen, explainer)),
    )


def minutes_of(snapshot: Snapshot) -> dict[str, int]:
    """Episode id -> its length, that of an unknown one the median of its show; by number, then id."""
    known: dict[str, list[int]] = {}
    for e in snapshot.episodes:
        if e.minutes is not None:
            known.setdefault(e.show, []).append(e.minutes)
    usual = {show: median_low(lengths) for show, lengths in known.items()}
    by_number = sorted(snapshot.episodes, key=_place)
    return {e.id: usual.get(e.show, _MINUTES) if e.minutes is None else e.minutes for e in by_number}


def _place(episode: Episode) -> tuple[bool, int, str]:
    return episode.number is None, episode.number or 0, episode.id


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
    return choose(demands, [list(scope.goals), own, scope.below, list(scope.parts)], minutes, budget)


def _unmet(
    scope: Scope, minutes: Mapping[str, int], budget: int | None, chosen: Choice, explainer: Explainer
) -> Iterator[Unmet]:
    """Each goal that is not reached, with the fewest minutes beyond the budget that reach it beside the others."""
    reached = [g for g in scope.goals if g in chosen.had]
    for goal in scope.goals:
        if goal not in chosen.had and budget is not None:
            least = fewest_minutes(scope.demands, [*reached, goal], minutes)
            if least is not None:
                yield Unmet(explainer.name(goal), max(1, least - budget))


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


def _notes(
    goals: Sequence[str],
    wanted: Sequence[str],
    teachers: Teachers,
    scope: Scope,
    chosen: Choice,
    explainer: Explainer,
) -> Iterator[str]:
    for goal in dict.fromkeys(goals):
        name = explainer.name(goal)
        if goal in teachers.heard:
            yield f"You have heard {name}: nothing is planned for it."
        elif goal not in wanted:
            yield f"{name} is already known: nothing is planned for it."
        elif scope.goals[goal]:
            continue
        elif goal in scope.gaps:
            leads = "; the steps lead up to it" if chosen.episodes else ""
            yield f"No episode left to hear explains {name}{leads}."
        elif teachers.have_told(goal):
            yield f"You have heard what explains {name}; only what deepens it is left."
        else:
            yield f"You have heard what builds on {name}; only what deepens it is left."
    if chosen.gap > 0:
        yield f"The time for choosing ran out: a choice up to {chosen.gap:.0%} better may exist."
