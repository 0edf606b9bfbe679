"""The episodes that teach a concept, by how well they do."""

from collections import defaultdict

from torchatlas.graph.planning.knowledge import main_subjects
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.prerequisites import closure


class Teachers:
    """The teachers of concepts, without posts, which are read.

    >>> from torchatlas.graph.values.model import Concept, Episode, Teaches
    >>> one, two = (Episode(f"show/{n}", n, show="Show") for n in ("one", "two"))
    >>> taught = (Teaches(one.id, "views", depth="main"), Teaches(two.id, "views", depth="part"))
    >>> Teachers(Snapshot((Concept("views", "views", area="Tensors"),), (one, two), teaches=taught)).explaining("views")
    ('show/one',)
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        posts = {e.id for e in snapshot.episodes if e.kind == "post"}
        found = {c: [t for t in ts if t.source not in posts] for c, ts in snapshot.teachers.items()}
        self.of = {c: ts for c, ts in found.items() if ts}
        self._tied: defaultdict[str, set[str]] = defaultdict(set)
        required = [(r.source, r.target) for r in snapshot.requires]
        for a, b in required + [(r.source, r.target) for r in snapshot.concept_relations]:
            self._tied[a].add(b)
            self._tied[b].add(a)

    def explaining(self, concept: str) -> tuple[str, ...]:
        """Return the episodes about a concept, for example `teachers.explaining("dispatcher")`.

        Without any, these are the ones that explain it beside a close subject, else the one that explains most of it.
        """
        edges = self.of.get(concept, [])
        if (about := self.about(concept)) or not edges:
            return about
        close = closure(self.snapshot.required_by, [concept]) | self._tied[concept]
        beside = [t.source for t in edges if close.intersection(main_subjects(self.snapshot, t.source))]
        return tuple(beside) or (min(edges, key=lambda t: (-t.weight, t.source)).source,)

    def about(self, concept: str) -> tuple[str, ...]:
        """Return the episodes with this main subject, the first or another, for example `teachers.about("views")`."""
        return tuple(t.source for t in self.of.get(concept, ()) if t.depth == "main")

    def devoted_to(self, concept: str) -> tuple[str, ...]:
        """Return the episodes whose first main subject this is, for example `teachers.devoted_to("views")`."""
        return tuple(e for e in self.about(concept) if main_subjects(self.snapshot, e)[0] == concept)

    def nearest(self, concept: str) -> tuple[str, ...]:
        """Return the episodes that come closest to a concept that no episode teaches: `teachers.nearest("views")`.

        These are the episodes devoted to a whole of the concept, unless one is devoted to a part of the concept; else
        the episode that teaches most of what is tied to the concept and not below; else those that explain its kin.
        """
        edges = [r for r in self.snapshot.concept_relations if r.kind == "PART_OF" and concept in (r.source, r.target)]
        wholes = [r.target for r in edges if r.source == concept]
        inside = any(self.devoted_to(r.source) for r in edges if r.target == concept)
        if not inside and (found := next(filter(None, map(self.devoted_to, wholes)), ())):
            return found
        tied = self._tied[concept] - closure(self.snapshot.required_by, [concept])
        weight: defaultdict[str, float] = defaultdict(float)
        for t in (t for c in sorted(tied) for t in self.of.get(c, ())):
            weight[t.source] += t.weight
        fit = [e for e in weight if tied.intersection(main_subjects(self.snapshot, e)[:1])]
        if fit:
            return (min(fit, key=lambda e: (-weight[e], e)),)
        return self._explaining_kin(concept)

    def _explaining_kin(self, concept: str) -> tuple[str, ...]:
        """Return the episodes that explain what a concept is a part of, extends or implements.

        Without any, it is the episode that explains most of a subject to which another relation leads.
        """
        edges = [r for r in self.snapshot.concept_relations if concept in (r.source, r.target)]
        for kind in ("PART_OF", "EXTENDS", "IMPLEMENTED_WITH"):
            wholes = (r.source if kind == "IMPLEMENTED_WITH" else r.target for r in edges if r.kind == kind)
            if found := next(filter(None, (self.explaining(w) for w in wholes if w != concept)), ()):
                return found
        others = {c for r in edges for c in (r.source, r.target)} - {concept}
        told = [t for c in sorted(others) for t in self.of.get(c, ()) if t.depth == "main"]
        return (min(told, key=lambda t: (-t.weight, t.source)).source,) if told else ()
