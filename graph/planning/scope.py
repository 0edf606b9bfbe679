"""What a plan is about: from goals and knowledge to what is demanded, and which episodes could meet it."""

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.planning.choice import Demand
from torchatlas.graph.planning.deepening import Part, parts_of
from torchatlas.graph.planning.teachers import Teachers
from torchatlas.graph.values.model import Requires, Snapshot


@dataclass(frozen=True, slots=True)
class Scope:
    """Demands by concept id (by episode id where an episode is the goal), in three groups, and who may meet them."""

    goals: Mapping[str, tuple[str, ...]]  # goal -> all its own episodes
    below: Sequence[str]  # concepts that the goals need, the nearest first
    _: KW_ONLY
    needs: Mapping[str, Requires]  # these, and those that only parts of the goals need -> the edge that calls for them
    parts: Mapping[str, Part]  # concepts worth an episode of their own, which deepen a goal
    subjects: Mapping[str, str]  # concept that a goal is about -> the goal
    gaps: Sequence[str]  # goals and needs that no episode left to hear teaches
    demands: Mapping[str, Demand]


def scope_of(snapshot: Snapshot, goals: Sequence[str], known: frozenset[str], teachers: Teachers) -> Scope:
    """The demands of these goals (ids of concepts or episodes), apart from what is known."""
    about = {g: [g] if g in snapshot.concept else teachers.mains(g) for g in goals}
    subjects = {concept: goal for goal in reversed(goals) for concept in about[goal]}
    own = {g: _own_episodes(snapshot, g, known, teachers) for g in goals}
    demands: dict[str, Demand] = {}

    first: list[Requires] = []
    for goal in goals:
        left = own[goal] or goal not in known
        edges = _hear(snapshot, about[goal], known.union(about[goal])) if left else []
        demands[goal] = _demand(own[goal], edges)
        first += edges
    below = _descend(snapshot, first, demands, known, teachers)

    every = {e for episodes in own.values() for e in episodes}
    parts = parts_of(snapshot, subjects, every, known, demands, teachers)
    first = []
    for concept, part in parts.items():
        edges = _hear(snapshot, [concept], known)
        devoted = tuple(e for e in teachers.devoted(concept) if e not in every)
        demands[concept] = _demand(devoted, edges, subjects[part.subject])
        first += edges
    needs = below | _descend(snapshot, first, demands, known, teachers)

    met = {part.edge.target for part in parts.values() if part.edge}.difference(goals)  # one hears their parts
    gaps = [c for c in demands if c in snapshot.concept and c not in known | met and not teachers.unheard.get(c)]
    return Scope(own, list(below), needs=needs, parts=parts, subjects=subjects, gaps=gaps, demands=demands)


def _own_episodes(snapshot: Snapshot, goal: str, known: Collection[str], teachers: Teachers) -> tuple[str, ...]:
    """All that is to be heard of a goal itself; of one that is known from other episodes, what is devoted to it."""
    if goal not in snapshot.concept:
        return (goal,)
    if goal in known:
        return teachers.on(goal)
    return teachers.of(goal) if goal in snapshot.teachers else teachers.around(goal)


def _hear(snapshot: Snapshot, concepts: Iterable[str], without: frozenset[str]) -> list[Requires]:
    edges = (e for c in concepts for e in snapshot.required_by.get(c, ()))
    return [e for e in edges if e.need == "hear" and e.target not in without]


def _demand(teachers: Sequence[str], edges: Iterable[Requires], *also: str, best: Sequence[str] = ()) -> Demand:
    """A demand for any of the teachers; one that no episode meets is a gap, which stands in nobody's way."""
    needs = (*dict.fromkeys(e.target for e in edges), *also)
    return Demand(tuple(teachers) or None, needs, best=tuple(best))


def _descend(
    snapshot: Snapshot, edges: Iterable[Requires], demands: dict[str, Demand], known: frozenset[str], teachers: Teachers
) -> dict[str, Requires]:
    """Demand what is below by `hear` edges, the nearest first; return the concepts that are new, each with its edge."""
    new: dict[str, Requires] = {}
    todo = deque(edges)
    while todo:
        edge = todo.popleft()
        if (concept := edge.target) not in demands:
            further = _hear(snapshot, [concept], known)
            demands[concept] = _demand(teachers.of(concept), further, best=teachers.devoted(concept))
            new[concept] = edge
            todo += further
    return new
