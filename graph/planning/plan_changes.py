"""The plans that differ between two graphs, for a listener who knows nothing and has all the time that it takes."""

from collections.abc import Iterator, Mapping

from torchatlas.graph.planning.budget import fitting
from torchatlas.graph.planning.lengths import lengths_of
from torchatlas.graph.planning.scope import scope_of
from torchatlas.graph.planning.sequence import in_order
from torchatlas.graph.planning.teachers import Teachers
from torchatlas.graph.values.answers import Named
from torchatlas.graph.values.differences import PlanChange
from torchatlas.graph.values.model import Snapshot

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
