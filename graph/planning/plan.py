"""PLACEHOLDER"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from torchatlas.graph.answers import Named, Plan, PlanChange, Split, Successor
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.model import PlanDepth, Snapshot, by_source, check_acyclic
from torchatlas.graph.planning.budget import Fitting, fitting, more_of, unmet_of
from torchatlas.graph.planning.choice import Choice
from torchatlas.graph.planning.demands import Scope, Teachers, scope_of
from torchatlas.graph.planning.order import in_order
from torchatlas.graph.planning.reasons import leaning, least_sure, nearest_to, primers, steps_of
from torchatlas.graph.planning.routes import Asked, routes_of
from torchatlas.graph.planning.sessions import at_speed, budget_of, lengths_of, session_notes, sessions_of


def successors_of(snapshot: Snapshot, goals: Iterable[str]) -> Iterator[Successor]:
    """Yield each concept that replaced a goal, unless the concept is a goal too.

    >>> from torchatlas.graph.model import Concept, ConceptRelation
    >>> old, new = (Concept(c, c, area="Area") for c in ("TH", "ATen"))
    >>> edge = ConceptRelation("TH", "ATen", kind="SUPERSEDED_BY", reason="its kernels were ported")
    >>> [str(s) for s in successors_of(Snapshot((old, new), concept_relations=(edge,)), ["TH"])]
    ['TH was superseded by ATen: its kernels were ported.']
    """
    wanted = dict.fromkeys(goals)
    for edge in snapshot.concept_relations:
        if edge.kind == "SUPERSEDED_BY" and edge.source in wanted and edge.target not in wanted:
            goal, name = snapshot.name_of(edge.source), snapshot.name_of(edge.target)
            yield Successor(edge.target, name, goal=goal, reason=edge.reason)


def current_goals(snapshot: Snapshot, goals: Iterable[str]) -> list[str]:
    """Return the goals, each that was superseded replaced by what took its place in the end.

    >>> from torchatlas.graph.model import Concept, ConceptRelation
    >>> concepts = tuple(Concept(c, c, area="Area") for c in ("Caffe", "Caffe2", "PyTorch"))
    >>> pairs = (("Caffe", "Caffe2"), ("Caffe2", "PyTorch"))
    >>> chain = tuple(ConceptRelation(*pair, kind="SUPERSEDED_BY") for pair in pairs)
    >>> current_goals(Snapshot(concepts, concept_relations=chain), ["Caffe"])
    ['PyTorch']
    """
    replaced = by_source(r for r in snapshot.concept_relations if r.kind == "SUPERSEDED_BY")
    found = dict[str, None]()
    for goal in goals:
        seen = {goal}
        while goal in replaced and (new := replaced[goal][0].target) not in seen:
            seen.add(goal := new)
        found[goal] = None
    return list(found)


def notes_of(scope: Scope, choice: Choice, goals: Iterable[str], heard: Collection[str]) -> Iterator[str]:
    """Yield a sentence for each goal that has no episode of its own in the plan, and one for a choice cut short.

    Example: `next(notes_of(scope, choice, ["autograd"], heard=[]))`
    """
    for goal in dict.fromkeys(goals):
        name = scope.snapshot.name_of(goal)
        if goal in heard or goal not in scope.goals:
            known = f"You have heard {name}" if goal in heard else f"{name} is already known"
            yield f"{known}, so the plan has no step for {name}."
        elif scope.goals[goal]:
            continue
        elif goal in scope.gaps:
            leads = f"; the steps lead up to {name}" if _serves(scope, choice, goal) else ""
            yield f"No episode explains {name}{leads}."
        else:
            told = any(t.source in heard for t in scope.snapshot.teachers.get(goal, ()))
            deeper = f"; only episodes that deepen {name} are left" if _deepened(scope, choice, goal) else ""
            yield f"You have heard the episodes that {'explain' if told else 'build on'} {name}{deeper}."
    if choice.gap > 0:
        yield f"The time for choosing ran out: a choice up to {choice.gap:.0%} better may exist."


def _serves(scope: Scope, choice: Choice, goal: str) -> bool:
    """Return whether an episode is chosen for the sake of what a goal needs."""
    called = (c for c, edge in scope.needs.items() if edge.source == goal and c in choice.met)
    return any(choice.episodes.intersection(scope.demands[c].teachers or ()) for c in called)


def _deepened(scope: Scope, choice: Choice, goal: str) -> bool:
    return any(scope.goal_of[d.subject] == goal and c in choice.met for c, d in scope.deepenings.items())


def make_plan(
    snapshot: Snapshot,
    goals: Sequence[str],
    known: Collection[str] = (),
    heard: Collection[str] = (),
    budget: int | None = None,
    *,
    depth: PlanDepth = "usual",
    split: Split | None = None,
    speed: float = 1.0,
) -> Plan:
    """Return the episodes to hear, in order and with reasons, to reach `goals` within `budget` minutes.

    A plan holds the episodes of all briefer ones. `goals` are ids of concepts or episodes, `known` of concepts, `heard`
    of episodes. A `split` divides the plan over sessions, which are the budget where there is none. All minutes are
    counted at `speed`. The same graph gives the same plan, whatever the order of its nodes and edges was. Raises
    UnknownName for an id that is not in the graph, CycleError where prerequisites run in a circle.

    Example: `make_plan(snapshot, ["aotautograd"], known=["dispatcher"], budget=90).steps[0].title`.
    """
    _check(snapshot, goals, known, heard)
    audio = lengths_of(snapshot)
    minutes = at_speed(audio, speed)
    if split and budget is None:
        budget = budget_of(split, speed)

    teachers = Teachers(snapshot)
    scope = scope_of(snapshot, goals, known, heard, depth, teachers=teachers)
    gentle = scope_of(snapshot, goals, known, heard, "thorough", gently=True, teachers=teachers)
    new = current_goals(snapshot, goals)
    current = scope_of(snapshot, new, known, heard, depth, teachers=teachers) if set(new).difference(goals) else None
    found = fitting(scope, minutes, budget)
    asked = Asked(scope, gentle, current, choice=found.choice, minutes=minutes, budget=budget)
    plan = _in_words(asked, found, goals, known=known, heard=heard, teachers=teachers)
    sessions = tuple(sessions_of(snapshot, [s.episode_id for s in plan.steps], audio, split=split, speed=speed))
    notes = (*plan.notes, *session_notes(split, sessions))
    return replace(plan, sessions=sessions, notes=notes, depth=depth, speed=speed)


def _in_words(
    asked: Asked,
    found: Fitting,
    goals: Sequence[str],
    *,
    known: Collection[str],
    heard: Collection[str],
    teachers: Teachers,
) -> Plan:
    """Put the chosen episodes in order, and say why each is there, what is left out, and what comes near."""
    scope, minutes, snapshot = asked.scope, asked.minutes, asked.scope.snapshot
    order = in_order(scope, [e for e in minutes if e in asked.choice.episodes])
    steps = steps_of(scope, minutes, order)
    return Plan(
        tuple(snapshot.name_of(g) for g in dict.fromkeys(goals)),
        tuple(snapshot.concept[c].name for c in sorted(set(known))),
        minutes=sum(minutes[e] for e in order),
        steps=steps,
        primer=primers(scope, order, leaning(scope, order)),
        gaps=primers(scope, order, scope.gaps),
        nearest=tuple(n for g in _lost(scope) for n in nearest_to(snapshot, g, {*order, *heard}, teachers=teachers)),
        unmet=tuple(unmet_of(scope, asked.choice, minutes, asked.budget)),
        more=more_of(scope, minutes, found),
        routes=tuple(routes_of(asked)),
        successors=tuple(successors_of(snapshot, goals)),
        notes=tuple(notes_of(scope, asked.choice, goals, heard)),
        origin=least_sure(step.origin for step in steps),
    )


def _lost(scope: Scope) -> list[str]:
    """Return the goals that no episode explains and none comes near."""
    return [g for g, own in scope.goals.items() if g in scope.gaps and not own]


def _check(snapshot: Snapshot, goals: Iterable[str], known: Iterable[str], heard: Iterable[str]) -> None:
    check_acyclic(snapshot.requires)
    concepts, episodes = snapshot.concept.keys(), snapshot.episode.keys()
    asked = (
        ("concept or episode", goals, concepts | episodes),
        ("concept", known, concepts),
        ("episode", heard, episodes),
    )
    for kind, ids, there in asked:
        for missing in sorted(set(ids) - there):
            raise UnknownName(kind, missing)


Paths = Mapping[str, tuple[str, ...]]
"""Goal -> the episodes of its plan in order."""


def paths(graph: Snapshot) -> Paths:
    """Return the plan for each concept that an episode is about, as ids of episodes.

    >>> paths(Snapshot())
    {}
    """
    minutes, teachers = lengths_of(graph), Teachers(graph)
    found = {}
    for goal in sorted({t.target for t in graph.teaches if t.depth == "main"}):
        scope = scope_of(graph, [goal], (), (), teachers=teachers)
        chosen = fitting(scope, minutes, None).choice.episodes
        found[goal] = in_order(scope, [e for e in minutes if e in chosen])
    return found


def plan_changes(old: Snapshot, new: Snapshot) -> tuple[tuple[PlanChange, ...], int]:
    """Return the goals whose plans differ, those with most episodes that come and go first, and how many there are.

    >>> plan_changes(Snapshot(), Snapshot())
    ((), 0)
    """
    before, after = paths(old), paths(new)
    goals = before.keys() | after.keys()
    found = _differing(old, new, before, after)
    return tuple(sorted(found, key=lambda c: (-len(c.comes_in) - len(c.goes_out), c.name, c.id))), len(goals)


def _differing(old: Snapshot, new: Snapshot, before: Paths, after: Paths) -> Iterator[PlanChange]:
    for goal in before.keys() | after.keys():
        was, now = before.get(goal, ()), after.get(goal, ())
        if was != now:
            yield PlanChange(
                goal,
                (new if goal in new.concept else old).name_of(goal),
                comes_in=tuple(Named(e, new.episode[e].label) for e in now if e not in was),
                goes_out=tuple(Named(e, old.episode[e].label) for e in was if e not in now),
            )
