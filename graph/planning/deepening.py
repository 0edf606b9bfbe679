"""The concepts that deepen a goal once it is reached: each is worth an episode of its own after the goal's."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from torchatlas.graph.planning.goals import Goals
from torchatlas.graph.planning.knowledge import components, main_subjects
from torchatlas.graph.planning.teachers import Teachers
from torchatlas.graph.values.model import ConceptRelation, Requires
from torchatlas.graph.values.prerequisites import closure, reachable


@dataclass(frozen=True, slots=True)
class Deepening:
    """The reason why a concept deepens a goal.

    `subject`: the goal, or a main subject of the episode that is the goal; `edge`: the concept is inside of another, or
    needs, extends or deepens the subject. An edge that is missing means that the concept builds on the subject, whose
    episode touches on the concept.
    """

    subject: str
    edge: ConceptRelation | Requires | None = None

    @property
    def judged(self) -> bool:
        """Whether a person judged that the concept deepens the subject, whatever else the concept needs."""
        return self.edge is not None and self.edge.kind == "DEEPENS"


def deepenings(teachers: Teachers, goals: Goals, *, thorough: bool = False) -> dict[str, Deepening]:
    """Return the concepts that deepen goals, whatever the listener knows; what the goals need is left out.

    For each subject of a goal these are its components, with all that they need; what is inside of a component that no
    episode teaches; what its own episodes touch on that builds on the subject; what needs the goal and is the subject
    of an episode that takes the goal up again; and, where no episode is devoted to the goal, all that needs the goal
    and its kinds. All but the components must call for no further episode unless the plan is `thorough`; but at least
    the least demanding thing inside is taken. What a person judged to deepen the first subject of a goal always does.

    Example: `deepenings(teachers, goals)` is `{"partitioner": Deepening("compiler")}`
    """
    search = _Search(teachers, goals, thorough=thorough)
    for subject in sorted(goals.goal_of):
        search.components(subject)
        search.touched(subject)
        if goals.goal_of[subject] == subject:
            search.needing(subject)
    for subject in sorted(set(goals.leading.values())):
        search.judged(subject)
    return search.found


class _Search:
    """The search for what deepens goals: `found` so far, and `at_hand`, what calls for no further episode."""

    def __init__(self, teachers: Teachers, goals: Goals, *, thorough: bool) -> None:
        self.teachers, self.goals, self.thorough = teachers, goals, thorough
        self.required_by = teachers.snapshot.required_by
        self.inside = components(teachers.snapshot)
        self.at_hand = _needed(teachers, goals)
        self.found: dict[str, Deepening] = {}

    def components(self, subject: str) -> None:
        """Find the components of a subject, and what is inside of those that no episode teaches."""
        direct = self.inside.get(subject, {})
        self.at_hand -= self._elsewhere(direct)
        taught = {c: Deepening(subject, edge) for c, edge in direct.items() if self._new(c)}
        self.found |= taught
        self.at_hand |= closure(self.required_by, taught, "hear")
        for component in (c for c in direct if c not in self.teachers.of):
            edges = _edges_inside(self.inside, component)
            missing = {c: self._missing(c) for c in sorted(edges) if self._new(c)}
            easiest = min(missing, key=lambda c: (missing[c], c), default=None)
            taken = (c for c, n in missing.items() if self.thorough or n == 0 or c == easiest)
            self.found |= {c: Deepening(subject, edges[c]) for c in taken}

    def _elsewhere(self, components: Iterable[str]) -> frozenset[str]:
        """Return the components that an episode of the goal is about, while others are devoted to them."""
        beside = self.goals.goal_of.keys() - self.goals.leading.values()
        devoted = ((c, self.teachers.devoted_to(c)) for c in beside.intersection(components))
        return frozenset(c for c, episodes in devoted if episodes and self.goals.episodes.isdisjoint(episodes))

    def touched(self, subject: str) -> None:
        """Find what builds on a subject among the concepts that the own episodes on the subject teach."""
        snapshot = self.teachers.snapshot
        episodes = (e for e in self.goals.episodes if subject in main_subjects(snapshot, e))
        for concept in sorted({t.target for e in episodes for t in snapshot.taught_by[e]}):
            if subject in closure(self.required_by, [concept]) and self._new(concept) and self._easy(concept):
                self.found[concept] = Deepening(subject)

    def judged(self, subject: str) -> None:
        """Find what a person judged to deepen a subject."""
        edges = (r for r in self.teachers.snapshot.concept_relations if r.kind == "DEEPENS" and r.target == subject)
        self.found |= {edge.source: Deepening(subject, edge) for edge in edges if self._new(edge.source)}

    def needing(self, subject: str) -> None:
        """Find the main subjects of other episodes that need a subject.

        Where an episode is devoted to the subject, only what is heard after it counts, and only if the episode on that
        takes the subject up again. Where none is, kinds of the subject count too, if an episode is devoted to them.
        """
        snapshot = self.teachers.snapshot
        needs = [r for r in snapshot.requires if r.target == subject and r.need != "bridge"]
        kinds: list[ConceptRelation] = []
        if self.teachers.devoted_to(subject):
            again = {t.source for t in self.teachers.of[subject]}
            needs = [r for r in needs if r.need == "hear" and again.intersection(self.teachers.devoted_to(r.source))]
        else:
            extending = (r for r in snapshot.concept_relations if r.kind == "EXTENDS" and r.target == subject)
            kinds = [r for r in extending if r.origin == "curated" and self.teachers.devoted_to(r.source)]
        edges: tuple[ConceptRelation | Requires, ...] = (*needs, *kinds)
        for edge in edges:
            about = self.teachers.about(edge.source)
            new = edge.source not in self.at_hand | self.found.keys() and not self.goals.episodes.issuperset(about)
            if new and self._easy(edge.source):
                self.found[edge.source] = Deepening(subject, edge)

    def _new(self, concept: str) -> bool:
        """Return whether the concept is new and an episode beside the own ones is devoted to it."""
        devoted = self.teachers.devoted_to(concept)
        return not (concept in self.at_hand or concept in self.found or self.goals.episodes.issuperset(devoted))

    def _easy(self, concept: str) -> bool:
        return self.thorough or not self._missing(concept)

    def _missing(self, concept: str) -> int:
        """Count the concepts below a concept that only further episodes teach."""
        below = closure(self.required_by, [concept], "hear") - self.at_hand - {concept}
        mine = self.goals.episodes.union(self.teachers.about(concept))
        return sum(bool(them) and mine.isdisjoint(them) for them in map(self.teachers.explaining, below))


def _needed(teachers: Teachers, goals: Goals) -> frozenset[str]:
    """Return the subjects of the goals and what is heard before them: no episode beyond these is needed for it."""
    required_by = teachers.snapshot.required_by
    worth = (e.target for c in goals.leading.values() for e in required_by.get(c, ()) if e.need == "worth")
    return closure(required_by, {*goals.goal_of, *filter(teachers.explaining, worth)}, "hear")


def _edges_inside(inside: Mapping[str, Mapping[str, ConceptRelation]], whole: str) -> Mapping[str, ConceptRelation]:
    """Return all that a whole is made of, level by level -> the edge that says so."""
    wholes = sorted(reachable(lambda c: inside.get(c, ()), [whole]))
    return {c: edge for w in wholes for c, edge in inside.get(w, {}).items()}
