"""What deepens a goal once it is reached: concepts worth an episode of their own after the goal's."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from torchatlas.graph.planning.teachers import Teachers
from torchatlas.graph.values.model import ConceptRelation, Snapshot
from torchatlas.graph.values.prerequisites import closure, reachable


@dataclass(frozen=True, slots=True)
class Part:
    """Why a concept deepens a goal: as `edge` says, or because it builds on `subject`, whose episode tells of it."""

    subject: str  # what the goal is about: the goal itself, or a main subject of the episode that is the goal
    edge: ConceptRelation | None = None


def parts_of(
    snapshot: Snapshot,
    subjects: Collection[str],
    own: Collection[str],
    known: Collection[str],
    demanded: Collection[str],
    teachers: Teachers,
) -> dict[str, Part]:
    """What deepens `subjects`, whose own episodes are `own`, beyond the concepts that are known or demanded anyhow.

    These are the subjects' components with all that they need; of what is inside a component that nobody teaches, and
    of what the own episodes explain and rests on a subject, only what calls for no further episode, lest a plan
    recites the show. A component is not lost, though: where all inside it calls for more, the least demanding is taken.
    """
    search = _Search(snapshot, frozenset(own), frozenset(known), {*known, *demanded, *subjects}, teachers)
    for subject in sorted(subjects):
        search.components(subject)
        search.inside_of_untaught_components(subject)
        search.resting_on(subject)
    return search.found


class _Search:
    """`at_hand`: the concepts that call for no episode beyond those of the plan so far."""

    def __init__(
        self, snapshot: Snapshot, own: frozenset[str], known: frozenset[str], at_hand: set[str], teachers: Teachers
    ) -> None:
        self.snapshot, self.own, self.known, self.at_hand, self.teachers = snapshot, own, known, at_hand, teachers
        self.found: dict[str, Part] = {}
        self.inner: defaultdict[str, dict[str, ConceptRelation]] = defaultdict(dict)  # whole -> its parts
        for r in snapshot.concept_relations:
            if r.kind == "PART_OF" and r.origin == "curated":
                self.inner[r.target][r.source] = r

    def components(self, subject: str) -> None:
        direct = self.inner[subject]
        self.found |= {c: Part(subject, edge) for c, edge in direct.items() if self._worth(c)}
        self.at_hand |= closure(self.snapshot.required_by, direct.keys() & self.found.keys(), "hear")

    def inside_of_untaught_components(self, subject: str) -> None:
        untaught = (c for c in self.inner[subject] if c not in self.known and not self.teachers.unheard.get(c))
        for component in untaught:
            within = sorted(reachable(lambda c: self.inner.get(c, ()), [component]))
            edges = {c: edge for whole in within for c, edge in self.inner.get(whole, {}).items()}
            missing = {c: self._missing(c) for c in within if self._worth(c)}
            easiest = min(missing, key=lambda c: (missing[c], c), default=None)
            self.found |= {c: Part(subject, edges[c]) for c, n in missing.items() if n == 0 or c == easiest}

    def resting_on(self, subject: str) -> None:
        told = {
            t.target
            for e in self.own | self.teachers.heard
            if subject in self.teachers.mains(e)
            for t in self.snapshot.taught_by[e]
        }
        resting = (c for c in sorted(told) if subject in closure(self.snapshot.required_by, [c]))
        self.found |= {c: Part(subject) for c in resting if self._worth(c) and self._missing(c) == 0}

    def _worth(self, concept: str) -> bool:
        """Whether an episode beside the own ones is devoted to a concept that is not at hand."""
        new = concept not in self.at_hand and concept not in self.found
        return new and not self.own.issuperset(self.teachers.devoted(concept))

    def _missing(self, concept: str) -> int:
        """How many concepts below it only further episodes teach."""
        below = closure(self.snapshot.required_by, [concept], "hear") - self.at_hand - {concept}
        mine = self.own.union(self.teachers.devoted(concept))
        return sum(bool(them) and mine.isdisjoint(them) for them in map(self.teachers.of, below))
