"""The plan: episodes in order with reasons, what is left out, other routes."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from torchatlas.graph.answers import Named, Plan, PlanChange, Route, Split, Successor
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.formatting import counted, length, listed
from torchatlas.graph.model import PlanDepth, RouteName, Snapshot, check_acyclic, reachable
from torchatlas.graph.planning.choice import Choice, choose, fitting, select, unmet_of
from torchatlas.graph.planning.demands import Scope, Teachers, scope_of
from torchatlas.graph.planning.order import in_order
from torchatlas.graph.planning.reasons import leaning, least_sure, nearest_to, primers, steps_of
from torchatlas.graph.planning.sessions import budget_of, sessions_of


def make_plan(
    graph: Snapshot,
    goals: Sequence[str],
    known: Collection[str] = (),
    heard: Collection[str] = (),
    budget: int | None = None,
    *,
    depth: PlanDepth = "usual",
    split: Split | None = None,
    speed: float = 1.0,
    taken: Collection[str] = (),
    only: str | None = None,
) -> Plan:
    """Return episodes in order, with reasons, for `goals` in `budget` minutes.

    `goals`: ids of concepts or episodes; `known`: of concepts; `heard`: of
    episodes. A `split` makes sessions, the budget if none; minutes at `speed`;
    `taken`: goals that were not named, but words were taken for; `only`: audio, video, text.
    Raises UnknownName for an unknown id, CycleError for circular prerequisites.
    Example: `make_plan(graph, ["vmap"], known=["dispatcher"], budget=90)`.
    """
    check_acyclic(graph.requires)
    concepts, episodes = graph.concept.keys(), graph.episode.keys()
    wanted = {"concept or episode": {*goals} - concepts - episodes}
    wanted |= {"concept": {*known} - concepts, "episode": {*heard} - episodes}
    if unknown := [(kind, min(missing)) for kind, missing in wanted.items() if missing]:
        raise UnknownName(*unknown[0])
    if split and budget is None:
        budget = budget_of(split, speed)
    teachers = Teachers(graph, speed, only, timed=budget is not None)
    scope = scope_of(teachers, goals, known, heard, depth)
    gentle = scope_of(teachers, goals, known, heard, "thorough", gently=True)
    scope.taken = gentle.taken = taken
    choice, more = fitting(scope, budget)
    free = scope_of(Teachers(graph, speed, only), goals, known, heard, depth) if budget is not None else None
    outside = select(free, None)[-1].episodes - choice.episodes if free else ()
    untimed = sorted(graph.label_of(e) for e in outside if graph.episode[e].minutes is None)
    note = [f"Outside the budget, as no length is known: {listed(untimed)}."] if untimed else []
    order = in_order(scope, choice.episodes)
    steps = steps_of(scope, order)
    sessions = tuple(sessions_of(graph, order, split, speed))
    superseded = [r for r in graph.concept_relations if r.kind == "SUPERSEDED_BY"]
    new = [_successor({r.source: r.target for r in reversed(superseded)}, goal) for goal in goals]
    current = None if {*new} <= {*goals} else scope_of(teachers, new, known, heard, depth)
    unexplained = [g for g in scope.goals if g in scope.gaps]
    return Plan(
        tuple(graph.name_of(g) for g in dict.fromkeys(goals)),
        tuple(graph.concept[c].name for c in sorted(set(known))),
        minutes=sum(step.minutes or 0 for step in steps),
        steps=steps,
        primer=primers(scope, order, leaning(scope, order)),
        gaps=primers(scope, order, scope.gaps),
        nearest=tuple(n for g in unexplained for n in nearest_to(teachers, g, {*order, *heard})),
        unmet=tuple(unmet_of(scope, choice, budget)),
        more=more,
        routes=tuple(_routes(scope, gentle, current, choice, budget)),
        successors=tuple(
            Successor(r.target, graph.name_of(r.target), goal=graph.name_of(r.source), reason=r.reason)
            for r in superseded
            if r.source in goals and r.target not in goals
        ),
        notes=(*_notes(scope, choice, goals, split, len(sessions)), *note),
        depth=depth,
        sessions=sessions,
        speed=speed,
        origin=least_sure(step.origin for step in steps),
    )


def _successor(replaced: Mapping[str, str], goal: str) -> str:
    """Return the last successor of a goal, the goal itself where none took its place."""
    seen = {goal}
    while goal in replaced and replaced[goal] not in seen:
        seen.add(goal := replaced[goal])
    return goal


def _notes(scope: Scope, choice: Choice, goals: Iterable[str], split: Split | None, sessions: int) -> Iterator[str]:
    """Yield notes on goals without steps, a choice cut short, more sessions."""
    for goal in dict.fromkeys(goals):
        name = scope.graph.name_of(goal)
        if goal in scope.heard or goal not in scope.goals:
            known = f"You have heard {name}" if goal in scope.heard else f"{name} is already known"
            yield f"{known}, so the plan has no step for {name}."
        elif not scope.goals[goal] and goal in scope.gaps:
            called = (c for c, edge in scope.needs.items() if edge.source == goal and c in choice.met)
            serves = any(choice.episodes.intersection(scope.demands[c].teachers or ()) for c in called)
            who = "Nothing within your limits" if goal in scope.graph.teachers else "No episode"
            yield f"{who} explains {name}{f'; the steps lead up to {name}' if serves else ''}."
        elif not scope.goals[goal]:
            told = any(t.source in scope.heard for t in scope.graph.teachers.get(goal, ()))
            deeper = any(scope.goal_of[of] == goal and c in choice.met for c, (of, _) in scope.deepenings.items())
            left = f"; only episodes that deepen {name} are left" if deeper else ""
            yield f"You have heard the episodes that {'explain' if told else 'build on'} {name}{left}."
        if more := scope.further.get(goal):
            yield f'The plan has the episodes that are most about {name}; the depth "thorough" adds {more:,} more.'
    if choice.gap > 0:
        yield f"The time for choosing ran out: a choice up to {choice.gap:.0%} better may exist."
    if split and sessions > split.count:
        taken = f"{counted(sessions, 'session')} of {length(split.minutes)}"
        yield f"The plan takes {taken}, {sessions - split.count} more than you asked for."


def _routes(scope: Scope, gentle: Scope, new: Scope | None, choice: Choice, budget: int | None) -> Iterator[Route]:
    """Yield the shortest, gentlest and newest unlike the `choice`; `new`: of successors."""
    if choice.gap:
        return
    name_of, label_of = scope.graph.name_of, scope.graph.label_of
    plan, every = choice.episodes, scope.demands | scope.each
    must = [*scope.goals, *(wish for wishes in scope.wishes[1:2] for wish in wishes[0])]
    wish = [d for d in must if d in choice.met]
    wanted = reachable(lambda name: every[name].needs, wish)
    demands = {name: demand for name, demand in every.items() if name in wanted}
    found: list[tuple[RouteName, Scope, frozenset[str], str]] = []
    shortest = choose(demands, [wish], scope.minutes, budget).episodes
    if scope.length(shortest) < scope.length(plan):  # other episodes that take as long are no shorter way
        found.append(("shortest", scope, shortest, ""))
    wish = [*gentle.needs, *gentle.declared]
    gentlest = choose(gentle.demands | gentle.each, [wish], scope.minutes, budget, kept=plan).episodes
    taught = {t.target for e in gentlest for t in scope.graph.taught_by.get(e, ())}
    if explained := [name_of(c) for c in leaning(scope, [*plan]) if c in taught]:
        told = f" It explains {listed(explained, 3)}, which the plan leaves to a sentence"
        found.append(("gentlest", gentle, gentlest, f"{told}{' each' if explained[1:] else ''}."))
    if new and all(new.goals.values()) and not scope.goals.keys() >= new.goals.keys():
        newest = select(new, budget)[-1]
        if newest.met.issuperset(new.goals) and newest.episodes - plan:
            sides = [[g for g in a if g not in b] for a, b in ((new.goals, scope.goals), (scope.goals, new.goals))]
            told = " in place of ".join(listed([name_of(g) for g in goals]) for goals in sides if goals)
            found.append(("newest", new, newest.episodes, f" It leads to {told}."))
    seen = [plan, frozenset[str]()]
    for name, of, episodes, told in found:
        if episodes not in seen:
            seen.append(episodes)
            extra = scope.length(episodes) - scope.length(plan)
            apart = length(abs(extra), estimated=scope.estimated(episodes ^ plan))
            how = f"{apart} {'longer' if extra > 0 else 'shorter'}" if extra else "as long"
            changes = {"adds": episodes - plan, "leaves out": plan - episodes}
            named = {verb: [label_of(e) for e in scope.minutes if e in them] for verb, them in changes.items() if them}
            how += ": " + "; ".join(f"{verb} {listed(labels)}" for verb, labels in named.items())
            yield Route(name, f"{how}.{told}", steps=steps_of(of, in_order(of, episodes)))


def paths(graph: Snapshot) -> dict[str, tuple[str, ...]]:
    """Return main subject -> ids of its plan: `paths(graph)["vmap"]`."""
    teachers, goals = Teachers(graph), sorted({t.target for t in graph.teaches if t.depth == "main"})
    scopes = ((goal, scope_of(teachers, [goal], (), ())) for goal in goals)
    return {goal: in_order(scope, select(scope, None)[-1].episodes) for goal, scope in scopes}


def plan_changes(old: Snapshot, new: Snapshot) -> tuple[tuple[PlanChange, ...], int]:
    """Return changed plans, and how many goals: `plan_changes(before, after)`."""
    before, after, found = paths(old), paths(new), []
    for goal in before.keys() | after.keys():
        was, now = before.get(goal, ()), after.get(goal, ())
        comes_in = tuple(Named(e, new.episode[e].label) for e in now if e not in was)
        goes_out = tuple(Named(e, old.episode[e].label) for e in was if e not in now)
        name = (new if goal in new.concept else old).name_of(goal)
        if was != now:
            found.append(PlanChange(goal, name, comes_in=comes_in, goes_out=goes_out))
    found.sort(key=lambda c: (-len(c.comes_in) - len(c.goes_out), c.name, c.id))
    return tuple(found), len(before.keys() | after.keys())
