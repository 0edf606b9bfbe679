"""Sentences on goals that have no episode of their own in a plan."""

from collections.abc import Collection, Iterable, Iterator

from torchatlas.graph.planning.choice import Choice
from torchatlas.graph.planning.scope import Scope


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
