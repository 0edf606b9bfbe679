"""The episodes that teach a concept, by how well they do."""

from collections import defaultdict

from torchatlas.graph.planning.knowledge import main_subjects
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.prerequisites import closure

_AT_LENGTH = 0.4  # the weight of a part that is among the first things that an episode explains
_FEW = 3  # episodes that explain a goal piece by piece


class Teachers:
    """The teachers of concepts, without posts, which are read, and trailers, which only announce.

    >>> from torchatlas.graph.values.model import Concept, Episode, Teaches
    >>> one, two = (Episode(f"show/{n}", n, show="Show") for n in ("one", "two"))
    >>> taught = (Teaches(one.id, "views", depth="main"), Teaches(two.id, "views", depth="part"))
    >>> Teachers(Snapshot((Concept("views", "views", area="Tensors"),), (one, two), teaches=taught)).explaining("views")
    ('show/one',)
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._heard = {e.id for e in snapshot.episodes if e.kind == "episode"}
        found = {c: [t for t in ts if t.source in self._heard] for c, ts in snapshot.teachers.items()}
        self.of = {c: ts for c, ts in found.items() if ts}
        self._tied: defaultdict[str, set[str]] = defaultdict(set)
        required = [(r.source, r.target) for r in snapshot.requires]
        # what deepens a concept follows its episodes, and does not stand in for them
        self._related = [r for r in snapshot.concept_relations if r.kind != "DEEPENS"]
        for a, b in required + [(r.source, r.target) for r in self._related]:
            self._tied[a].add(b)
            self._tied[b].add(a)

    def explaining(self, concept: str) -> tuple[str, ...]:
        """Return the episodes about a concept, else the ones that explain it beside a subject close to it.

        Example: `teachers.explaining("dispatcher")`
        """
        if about := self.about(concept):
            return about
        close = closure(self.snapshot.required_by, [concept]) | self._tied[concept]
        beside = (t.source for t in self.of.get(concept, ()) if close & {*main_subjects(self.snapshot, t.source)})
        return tuple(beside)

    def on_goal(self, concept: str) -> tuple[str, ...]:
        """Return the episodes for somebody who wants to understand a concept: `teachers.on_goal("dispatcher")`.

        These are the ones that explain it and, where none is devoted to it, those devoted to a whole of it that explain
        it too; else the one that says most of it, else those that come nearest and those that explain a part at length,
        else the few that name it.
        """
        stand_ins = dict.fromkeys([] if concept in self.of else [*self.nearest(concept), *self._piecewise(concept)])
        explained = dict.fromkeys((*self.explaining(concept), *self._within_a_whole(concept)))
        return tuple(explained) or self.saying_most(concept) or tuple(stand_ins) or self._naming(concept)

    def about(self, concept: str) -> tuple[str, ...]:
        """Return the episodes with this main subject, the first or another, for example `teachers.about("views")`."""
        return tuple(t.source for t in self.of.get(concept, ()) if t.depth == "main")

    def devoted_to(self, concept: str) -> tuple[str, ...]:
        """Return the episodes whose first main subject this is, for example `teachers.devoted_to("views")`."""
        return tuple(e for e in self.about(concept) if main_subjects(self.snapshot, e)[0] == concept)

    def saying_most(self, concept: str) -> tuple[str, ...]:
        """Return the episode that says most of a concept, if any does: `teachers.saying_most("views")`."""
        edges = self.of.get(concept, ())
        return (min(edges, key=lambda t: (-t.weight, t.source)).source,) if edges else ()

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

    def _within_a_whole(self, concept: str) -> list[str]:
        """Return the episodes devoted to a whole that explain the concept, none where an episode is devoted to it."""
        edges = [] if self.devoted_to(concept) else self.snapshot.concept_relations
        wholes = (r.target for r in edges if r.kind == "PART_OF" and r.source == concept)
        told = {t.source for t in self.of.get(concept, ())}
        return [e for whole in wholes for e in self.devoted_to(whole) if e in told]

    def _piecewise(self, concept: str) -> list[str]:
        """Return the few episodes that explain most of the components which no episode is about, the best first."""
        edges = (r for r in self.snapshot.concept_relations if r.kind == "PART_OF" and r.origin == "curated")
        pieces = [r.source for r in edges if r.target == concept and not self.about(r.source)]
        weight: defaultdict[str, float] = defaultdict(float)
        for t in (t for c in pieces for t in self.of.get(c, ()) if t.weight >= _AT_LENGTH):
            weight[t.source] += t.weight
        return sorted(weight, key=lambda e: (-weight[e], e))[:_FEW]

    def _naming(self, concept: str) -> tuple[str, ...]:
        """Return the episodes whose descriptions name a concept, none where many do."""
        found = sorted({m.source for m in self.snapshot.mentions if m.target == concept} & self._heard)
        return tuple(found) if len(found) <= _FEW else ()

    def _explaining_kin(self, concept: str) -> tuple[str, ...]:
        """Return the episodes that explain what a concept is a part of, extends or implements; else on a kind of it.

        Without any, it is the episode that explains most of a subject to which another relation leads.
        """
        edges = [r for r in self._related if concept in (r.source, r.target)]
        up, down = [r for r in edges if r.source == concept], [r for r in edges if r.target == concept]
        for kin in (
            (r.target for r in up if r.kind == "PART_OF"),
            (r.target for r in up if r.kind == "EXTENDS"),
            (r.source for r in down if r.kind == "IMPLEMENTED_WITH"),
            (r.source for r in down if r.kind == "EXTENDS" and r.origin == "curated"),
        ):
            if found := next(filter(None, (self.explaining(c) or self.saying_most(c) for c in kin)), ()):
                return found
        others = {c for r in edges for c in (r.source, r.target)} - {concept}
        told = [t for c in sorted(others) for t in self.of.get(c, ()) if t.depth == "main"]
        return (min(told, key=lambda t: (-t.weight, t.source)).source,) if told else ()
