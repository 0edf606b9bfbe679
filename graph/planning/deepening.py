"""The concepts that deepen a goal once it is reached: each is worth an episode of its own after the goal's."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

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


def deepenings(
    teachers: Teachers, subjects: Collection[str], own: frozenset[str], known: frozenset[str], demanded: Collection[str]
) -> dict[str, Deepening]:
    """Return the concepts that deepen `subjects`, whose own episodes are `own`; known and demanded ones are left out.

    For each subject these are its components, with all that they need; what is inside of a component that no episode
    teaches; and what its own episodes touch on that builds on the subject. The last two must call for no further
    episode, so that a plan does not list the whole show; but at least the least demanding thing inside is taken.

    Example: `deepenings(teachers, ["compiler"], frozenset({"show/goal"}), frozenset(), ["compiler"])`
    """
    inside = components(teachers.snapshot)
    required_by = teachers.snapshot.required_by
    at_hand = frozenset((*known, *demanded, *subjects))  # what calls for no episode beyond those of the plan so far
    found: dict[str, Deepening] = {}

    def worth(concept: str) -> bool:
        """Return whether the concept is new and an episode beside the own ones is devoted to it."""
        return not (concept in at_hand or concept in found or own.issuperset(teachers.devoted_to(concept)))

    for subject in sorted(subjects):
        direct = inside.get(subject, {})
        found |= {c: Deepening(subject, edge) for c, edge in direct.items() if worth(c)}
        at_hand |= closure(required_by, direct.keys() & found.keys(), "hear")
        for component in (c for c in direct if c not in known and not teachers.unheard.get(c)):
            edges = _edges_inside(inside, component)
            missing = {c: _missing(teachers, own, at_hand, c) for c in sorted(edges) if worth(c)}
            easiest = min(missing, key=lambda c: (missing[c], c), default=None)
            found |= {c: Deepening(subject, edges[c]) for c, n in missing.items() if n == 0 or c == easiest}
        building = (c for c in _touched(teachers, own, subject) if subject in closure(required_by, [c]))
        found |= {c: Deepening(subject) for c in building if worth(c) and not _missing(teachers, own, at_hand, c)}
    return found


def _edges_inside(inside: Mapping[str, Mapping[str, ConceptRelation]], whole: str) -> Mapping[str, ConceptRelation]:
    """Return all that a whole is made of, level by level -> the edge that says so."""
    wholes = sorted(reachable(lambda c: inside.get(c, ()), [whole]))
    return {c: edge for w in wholes for c, edge in inside.get(w, {}).items()}


def _touched(teachers: Teachers, own: frozenset[str], subject: str) -> list[str]:
    """Return what the episodes on a subject teach, own ones or heard ones."""
    snapshot = teachers.snapshot
    episodes = (e for e in own | teachers.heard if subject in main_subjects(snapshot, e))
    return sorted({t.target for e in episodes for t in snapshot.taught_by[e]})


def _missing(teachers: Teachers, own: frozenset[str], at_hand: frozenset[str], concept: str) -> int:
    """Count the concepts below a concept that only further episodes teach."""
    below = closure(teachers.snapshot.required_by, [concept], "hear") - at_hand - {concept}
    mine = own.union(teachers.devoted_to(concept))
    return sum(bool(them) and mine.isdisjoint(them) for them in map(teachers.explaining, below))
