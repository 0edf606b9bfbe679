"""The first stage of a plan: what goals demand of somebody who knows this much, and which episodes could meet it."""

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import chain

from torchatlas.graph.planning.choice import Demand
from torchatlas.graph.planning.deepening import Deepening, deepenings
from torchatlas.graph.planning.knowledge import known_concepts, main_subjects
from torchatlas.graph.planning.teachers import Teachers
from torchatlas.graph.values.model import Requires, Snapshot


@dataclass(frozen=True, slots=True)
class Scope:
    """The demands of goals on a graph, by concept id (by episode id where an episode is the goal), and who meets them.

    `goals`: goal -> its own episodes, without the goals that are known or heard; `below`: concepts that the goals need,
    the nearest first; `deepenings`: concepts worth an episode of their own, which deepen a goal; `needs`: concepts
    below goals and deepenings -> the edge that calls for each; `subjects`: concept that a goal is about -> the goal;
    `gaps`: goals and needs that no episode left to hear teaches; `known`: all that the listener knows.
    """

    snapshot: Snapshot
    goals: Mapping[str, tuple[str, ...]]
    _: KW_ONLY
    below: Sequence[str]
    needs: Mapping[str, Requires]
    deepenings: Mapping[str, Deepening]
    subjects: Mapping[str, str]
    gaps: Sequence[str]
    demands: Mapping[str, Demand]
    known: frozenset[str]


def scope_of(snapshot: Snapshot, goals: Iterable[str], known: Collection[str], heard: Collection[str]) -> Scope:
    """Return the demands of these goals: ids of concepts or episodes. `known` are ids of concepts, `heard` of episodes.

    Example: `scope_of(snapshot, ["compiler"], known=["dispatcher"], heard=[]).below` is `["tracing", "views"]`.
    """
    said, knowledge = (known_concepts(snapshot, known, episodes) for episodes in ((), heard))
    wanted = [g for g in dict.fromkeys(goals) if g not in said and g not in heard]
    teachers = Teachers(snapshot, heard)
    about = {g: [g] if g in snapshot.concept else main_subjects(snapshot, g) for g in wanted}
    subjects = {concept: goal for goal in reversed(wanted) for concept in about[goal]}
    episodes = {g: _own_episodes(teachers, g, knowledge) for g in wanted}
    own = frozenset(chain.from_iterable(episodes.values()))

    # the goals and all that is below them
    left = [g for g in wanted if episodes[g] or g not in knowledge]
    edges = {g: _hear(snapshot, about[g], knowledge.union(about[g])) for g in left}
    demands = {g: _demand(episodes[g], edges.get(g, ())) for g in wanted}
    below = _descend(teachers, edges.values(), knowledge, demands)

    # the concepts that deepen them and all that is below these
    deeper = deepenings(teachers, subjects, own, knowledge, demands)
    edges = {c: _hear(snapshot, [c], knowledge) for c in deeper}
    devoted = {c: [e for e in teachers.devoted_to(c) if e not in own] for c in deeper}
    demands |= {c: _demand(devoted[c], edges[c], subjects[d.subject]) for c, d in deeper.items()}
    further = _descend(teachers, edges.values(), knowledge, demands)

    inside = {d.edge.target for d in deeper.values() if d.edge}.difference(wanted)  # their components are heard instead
    settled = knowledge | inside
    return Scope(
        snapshot, episodes, below=list(below), needs=below | further, deepenings=deeper, subjects=subjects,
        gaps=[c for c in demands if c in snapshot.concept and c not in settled and not teachers.unheard.get(c)],
        demands=demands, known=knowledge,
    )  # fmt: skip


def _own_episodes(teachers: Teachers, goal: str, known: frozenset[str]) -> tuple[str, ...]:
    """Return the episodes on a goal; of a goal that is known from other episodes, those about the goal only."""
    if goal not in teachers.snapshot.concept:
        return (goal,)
    if goal in known:
        return teachers.about(goal)
    return teachers.explaining(goal) if goal in teachers.snapshot.teachers else teachers.nearest(goal)


def _hear(snapshot: Snapshot, concepts: Iterable[str], without: frozenset[str]) -> list[Requires]:
    edges = (e for c in concepts for e in snapshot.required_by.get(c, ()))
    return [e for e in edges if e.need == "hear" and e.target not in without]


def _demand(teachers: Iterable[str], edges: Iterable[Requires], *also: str, best: Sequence[str] = ()) -> Demand:
    """Return a demand for any of the teachers; where there is none, it is a gap, which blocks nothing."""
    needs = (*dict.fromkeys(e.target for e in edges), *also)
    return Demand(tuple(teachers) or None, needs, best=tuple(best))


def _descend(
    teachers: Teachers, edges: Iterable[Iterable[Requires]], known: frozenset[str], demands: dict[str, Demand]
) -> dict[str, Requires]:
    """Add the demands for all concepts below; return the new ones, the nearest first -> the edge that leads to each."""
    found: dict[str, Requires] = {}
    todo = deque(chain.from_iterable(edges))
    while todo:
        edge = todo.popleft()
        if (concept := edge.target) not in demands:
            found[concept] = edge
            needed = _hear(teachers.snapshot, [concept], known)
            demands[concept] = _demand(teachers.explaining(concept), needed, best=teachers.devoted_to(concept))
            todo += needed
    return found
