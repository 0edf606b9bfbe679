"""Who teaches what of those that are left to hear, and what has been learnt from those that were heard."""

from collections import defaultdict
from collections.abc import Collection, Iterable

from torchatlas.graph.values.grouping import by_source
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.prerequisites import closure, reachable


class Teachers:
    """The teachers of concepts, without the episodes that were heard."""

    def __init__(self, snapshot: Snapshot, heard: Collection[str]) -> None:
        self.snapshot = snapshot
        self.heard = frozenset(heard)
        over = self.heard | {e.id for e in snapshot.episodes if e.kind == "post"}  # a post is read, not listened to
        self.unheard = {c: [t for t in ts if t.source not in over] for c, ts in snapshot.teachers.items()}
        self.tied: defaultdict[str, set[str]] = defaultdict(set)
        pairs = [(r.source, r.target) for r in snapshot.requires]
        for a, b in pairs + [(r.source, r.target) for r in snapshot.concept_relations]:
            self.tied[a].add(b)
            self.tied[b].add(a)

    def of(self, concept: str) -> tuple[str, ...]:
        """The episodes with this main subject. Where there is none, those that explain it beside a subject close to it;
        where there is none either, the one that makes most of it.
        """
        edges = self.unheard.get(concept, [])
        if (on_it := self.on(concept)) or not edges:
            return on_it
        close = closure(self.snapshot.required_by, [concept]) | self.tied[concept]
        beside = [t.source for t in edges if close.intersection(self.mains(t.source))]
        return tuple(beside) or (min(edges, key=lambda t: (-t.weight, t.source)).source,)

    def on(self, concept: str) -> tuple[str, ...]:
        """The episodes with this main subject, the first or another."""
        return tuple(t.source for t in self.unheard.get(concept, ()) if t.depth == "main")

    def devoted(self, concept: str) -> tuple[str, ...]:
        """The episodes whose first main subject this is."""
        return tuple(e for e in self.on(concept) if self.mains(e)[0] == concept)

    def around(self, concept: str) -> tuple[str, ...]:
        """For a concept that nobody teaches: the episodes on what it is a part of, unless one has a part of it as its
        subject; else the episode that teaches most of what is tied to it and not below it; else what explains its kin.
        """
        joints = [r for r in self.snapshot.concept_relations if r.kind == "PART_OF" and concept in (r.source, r.target)]
        wholes = [r.target for r in joints if r.source == concept]
        inside = any(self.devoted(r.source) for r in joints if r.target == concept)
        if not inside and (found := next(filter(None, map(self.devoted, wholes)), ())):
            return found
        tied = self.tied[concept] - closure(self.snapshot.required_by, [concept])
        weight: defaultdict[str, float] = defaultdict(float)
        for t in (t for c in sorted(tied) for t in self.unheard.get(c, ())):
            weight[t.source] += t.weight
        fit = [e for e in weight if tied.intersection(self.mains(e)[:1])]
        if fit:
            return (min(fit, key=lambda e: (-weight[e], e)),)
        return self._explaining_kin(concept)

    def _explaining_kin(self, concept: str) -> tuple[str, ...]:
        """The episodes that explain what a concept is a part of, a kind of, or what it implements; else the one that
        makes most of a subject to which another relation leads.
        """
        joints = [r for r in self.snapshot.concept_relations if concept in (r.source, r.target)]
        for kind in ("PART_OF", "EXTENDS", "IMPLEMENTED_WITH"):
            ends = ((r.source, r.target) for r in joints if r.kind == kind)
            wholes = (b if kind != "IMPLEMENTED_WITH" else a for a, b in ends)
            if found := next(filter(None, (self.of(w) for w in wholes if w != concept)), ()):
                return found
        others = {c for r in joints for c in (r.source, r.target)} - {concept}
        told = [t for c in sorted(others) for t in self.unheard.get(c, ()) if t.depth == "main"]
        return (min(told, key=lambda t: (-t.weight, t.source)).source,) if told else ()

    def have_told(self, concept: str) -> bool:
        """Whether an episode that was heard explains it."""
        return any(t.source in self.heard for t in self.snapshot.teachers.get(concept, ()))

    def mains(self, episode: str) -> list[str]:
        """The main subjects of an episode, heard or not, the first one first."""
        return [t.target for t in self.snapshot.taught_by.get(episode, ()) if t.depth == "main"]


def known_concepts(snapshot: Snapshot, known: Iterable[str], heard: Iterable[str]) -> frozenset[str]:
    """What is known: the concepts named with their parts, the main subjects of the episodes heard, and all below."""
    parts: defaultdict[str, list[str]] = defaultdict(list)
    for r in snapshot.concept_relations:
        if r.kind == "PART_OF" and r.origin == "curated":
            parts[r.target].append(r.source)
    told = {t.target for e in heard for t in snapshot.taught_by.get(e, ()) if t.depth == "main"}
    certain = by_source(r for r in snapshot.requires if r.origin != "inferred")
    return closure(certain, told | reachable(lambda c: parts.get(c, ()), known))
