"""The concepts that deepen a goal once it is reached: each is worth an episode of its own after the goal's."""

from collections.abc import Mapping
from dataclasses import dataclass

from torchatlas.graph.planning.goals import Goals
from torchatlas.graph.planning.knowledge import components, main_subjects
from torchatlas.graph.planning.teachers import Teachers
from torchatlas.graph.values.model import ConceptRelation
from torchatlas.graph.values.prerequisites import closure, reachable


@dataclass(frozen=True, slots=True)
class Deepening:
    """The reason why a concept deepens a goal.

    `subject`: the goal, or a main subject of the episode that is the goal; `edge`: the concept is inside of another. An
    edge that is missing means that the concept builds on the subject, whose episode touches on the concept.
    """

    subject: str
    edge: ConceptRelation | None = None


def deepenings(teachers: Teachers, goals: Goals, *, thorough: bool = False) -> dict[str, Deepening]:
    """Return the concepts that deepen goals, whatever the listener knows; what the goals need is left out.

    For each subject of a goal these are its components, with all that they need; what is inside of a component that no
    episode teaches; and what its own episodes touch on that builds on the subject. The last two must call for no
    further episode unless the plan is `thorough`; but at least the least demanding thing inside is taken.

    Example: `deepenings(teachers, goals)` is `{"partitioner": Deepening("compiler")}`
    """
    inside = components(teachers.snapshot)
    required_by = teachers.snapshot.required_by
    at_hand = _needed(teachers, goals)  # what calls for no episode beyond those of the plan so far
    found: dict[str, Deepening] = {}

    def fresh(concept: str) -> bool:
        """Return whether the concept is new and an episode beside the own ones is devoted to it."""
        return not (concept in at_hand or concept in found or goals.episodes.issuperset(teachers.devoted_to(concept)))

    for subject in sorted(goals.goal_of):
        direct = inside.get(subject, {})
        found |= {c: Deepening(subject, edge) for c, edge in direct.items() if fresh(c)}
        at_hand |= closure(required_by, direct.keys() & found.keys(), "hear")
        for component in (c for c in direct if c not in teachers.of):
            edges = _edges_inside(inside, component)
            missing = {c: _missing(teachers, goals, at_hand, c) for c in sorted(edges) if fresh(c)}
            easiest = min(missing, key=lambda c: (missing[c], c), default=None)
            taken = (c for c, n in missing.items() if thorough or n == 0 or c == easiest)
            found |= {c: Deepening(subject, edges[c]) for c in taken}
        building = (c for c in _touched(teachers, goals, subject) if subject in closure(required_by, [c]))
        taken = (c for c in building if fresh(c) and (thorough or not _missing(teachers, goals, at_hand, c)))
        found |= {c: Deepening(subject) for c in taken}
    return found


def _needed(teachers: Teachers, goals: Goals) -> frozenset[str]:
    """Return the subjects of the goals and what is heard before them."""
    required_by = teachers.snapshot.required_by
    worth = (e.target for c in goals.goal_of for e in required_by.get(c, ()) if e.need == "worth")
    return closure(required_by, {*goals.goal_of, *(c for c in worth if c in teachers.of)}, "hear")


def _edges_inside(inside: Mapping[str, Mapping[str, ConceptRelation]], whole: str) -> Mapping[str, ConceptRelation]:
    """Return all that a whole is made of, level by level -> the edge that says so."""
    wholes = sorted(reachable(lambda c: inside.get(c, ()), [whole]))
    return {c: edge for w in wholes for c, edge in inside.get(w, {}).items()}


def _touched(teachers: Teachers, goals: Goals, subject: str) -> list[str]:
    """Return what the own episodes on a subject teach."""
    snapshot = teachers.snapshot
    episodes = (e for e in goals.episodes if subject in main_subjects(snapshot, e))
    return sorted({t.target for e in episodes for t in snapshot.taught_by[e]})


def _missing(teachers: Teachers, goals: Goals, at_hand: frozenset[str], concept: str) -> int:
    """Count the concepts below a concept that only further episodes teach."""
    below = closure(teachers.snapshot.required_by, [concept], "hear") - at_hand - {concept}
    mine = goals.episodes.union(teachers.devoted_to(concept))
    return sum(bool(them) and mine.isdisjoint(them) for them in map(teachers.explaining, below))
