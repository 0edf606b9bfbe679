"""The shortest listening path to what somebody wants to understand, in five stages:

* `scope`: the demands of the goals beyond what is known and heard, and the episodes that could meet them;
* `budget`, `choice`: the fewest minutes that meet all demands, or the best that fits (`routes` finds other ways);
* `sequence`: the chosen episodes in an order in which each follows what it needs;
* `pace`, `sessions`: lengths at a speed of playing, and the division of the plan over commutes;
* `step_reasons`, `notes`, `nearby`: why each step is there, what is left out, and what comes near, in words.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from torchatlas.graph.planning.budget import Fitting, fitting, more_of, unmet_of
from torchatlas.graph.planning.certainty import least_sure
from torchatlas.graph.planning.lengths import lengths_of
from torchatlas.graph.planning.nearby import nearest_to
from torchatlas.graph.planning.notes import notes_of
from torchatlas.graph.planning.pace import at_speed, budget_of, session_notes, sessions_of
from torchatlas.graph.planning.routes import Asked, routes_of
from torchatlas.graph.planning.scope import Scope, scope_of
from torchatlas.graph.planning.sequence import in_order
from torchatlas.graph.planning.step_reasons import leaning, primers, steps_of
from torchatlas.graph.planning.successors import current_goals, successors_of
from torchatlas.graph.planning.teachers import Teachers
from torchatlas.graph.values.answers import Plan
from torchatlas.graph.values.errors import UnknownName
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.prerequisites import check_acyclic
from torchatlas.graph.values.sessions import Split
from torchatlas.graph.values.wording import PlanDepth


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
