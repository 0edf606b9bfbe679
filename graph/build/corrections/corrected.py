"""Vocabulary and catalogue after some corrections, as a value."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, TypeVar

from torchatlas.graph.build.corrections.kinds import DroppedEdge, NewEdge, Split
from torchatlas.graph.values.curated import Catalogue, Vocabulary
from torchatlas.graph.values.model import (
    Assumes,
    Concept,
    ConceptRelation,
    ListenAfter,
    RefersTo,
    Requires,
    Teaches,
    key_of,
)

CuratedEdge = Requires | ConceptRelation | Teaches | Assumes | ListenAfter | RefersTo
Key = tuple[str, str, str]
"""Type, source id and target id of an edge."""
Owner = TypeVar("Owner", Vocabulary, Catalogue)

_GROUPS: Mapping[type[CuratedEdge], str] = {
    Requires: "requires", ConceptRelation: "relations", Teaches: "teaches", Assumes: "assumes",
    ListenAfter: "listen_after", RefersTo: "refers_to",
}  # fmt: skip


class Outdated(Exception):
    """The reason why a correction does not apply."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """An edge that no text may bring back. `known`: the curated edges had it."""

    place: str
    edge: Key
    _: KW_ONLY
    known: bool


@dataclass(frozen=True, slots=True)
class Corrected:
    """Vocabulary and catalogue as corrected. `own`: ids of the user's own topics and drafts.

    `merged`: id of a concept that is gone -> id of the one that took its place; `waiting`: corrections of episodes,
    whose concepts are ids and whose episodes are names; `moved`: ids of an episode and of a concept -> the concept that
    the episode's texts mean instead; `problems`: place of a correction -> why it does not apply.
    """

    vocabulary: Vocabulary
    catalogue: Catalogue
    _: KW_ONLY
    own: frozenset[str] = frozenset()
    merged: Mapping[str, str] = field(default_factory=dict)
    dropped: tuple[Dropped, ...] = ()
    waiting: tuple[Split | DroppedEdge | NewEdge, ...] = ()
    moved: Mapping[tuple[str, str], str] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)

    def current(self, id_: str) -> str:
        """Return the id of a concept, or of the one that it has been merged into.

        >>> Corrected(Vocabulary(()), Catalogue(), merged={"grad-mode": "autograd"}).current("grad-mode")
        'autograd'
        """
        while id_ in self.merged:
            id_ = self.merged[id_]
        return id_

    def edge_keys(self) -> set[Key]:
        """Return the keys of all curated edges, for example `{("REQUIRES", "vmap", "autograd")}`."""
        owners = (self.vocabulary, self.catalogue)
        return {key_of(edge) for owner in owners for group in _groups(owner) for edge in getattr(owner, group)}

    def with_concepts(self, *concepts: Concept) -> "Corrected":
        """Return the same with these concepts in the place of those that have their ids, or behind the others.

        >>> vmap = Concept("vmap", "vmap", area="Functional")
        >>> Corrected(Vocabulary(()), Catalogue()).with_concepts(vmap).vocabulary.concepts == (vmap,)
        True
        """
        by_id = {c.id: c for c in (*self.vocabulary.concepts, *concepts)}
        return replace(self, vocabulary=replace(self.vocabulary, concepts=tuple(by_id.values())))

    def with_edge(self, edge: CuratedEdge) -> "Corrected":
        """Return the same with one more edge, which is not dropped any more.

        >>> uses = ConceptRelation("vmap", "dispatcher", kind="USES", reason="its rules are kernels")
        >>> Corrected(Vocabulary(()), Catalogue()).with_edge(uses).edge_keys()
        {('USES', 'vmap', 'dispatcher')}
        """
        dropped = tuple(drop for drop in self.dropped if drop.edge != key_of(edge))
        group = _GROUPS[type(edge)]
        if hasattr(self.vocabulary, group):
            return replace(self, vocabulary=_extended(self.vocabulary, group, edge), dropped=dropped)
        return replace(self, catalogue=_without_taught(_extended(self.catalogue, group, edge)), dropped=dropped)

    def rewired(self, change: Callable[[Any], Any]) -> "Corrected":
        """Return the same with `change(edge)` in the place of each edge, None for none; no loops, none twice.

        Where two become one, the edge that was there before stays; of TEACHES the heavier one. Example:
        `corrected.rewired(lambda edge: None if edge.source == "vmap" else edge)`.
        """
        vocabulary, catalogue = _rewired(self.vocabulary, change), _rewired(self.catalogue, change)
        return replace(self, vocabulary=vocabulary, catalogue=_without_taught(catalogue))


def _groups(owner: Vocabulary | Catalogue) -> list[str]:
    """Return the names of the fields that hold edges."""
    return [group for group in _GROUPS.values() if hasattr(owner, group)]


def _extended(owner: Owner, group: str, edge: CuratedEdge) -> Owner:
    changes: dict[str, Any] = {group: (*getattr(owner, group), edge)}
    return replace(owner, **changes)


def _without_taught(catalogue: Catalogue) -> Catalogue:
    """Return the catalogue without what an episode assumes although it teaches it."""
    taught = {(t.source, t.target) for t in catalogue.teaches}
    return replace(catalogue, assumes=tuple(a for a in catalogue.assumes if (a.source, a.target) not in taught))


def _rewired(owner: Owner, change: Callable[[Any], Any]) -> Owner:
    groups: dict[str, Any] = {}
    for group in _groups(owner):
        pairs = [(edge, change(edge)) for edge in getattr(owner, group)]
        pairs.sort(key=lambda pair: (-getattr(pair[0], "weight", 0.0), pair[0] != pair[1]))
        kept: dict[Key, Any] = {}
        for _, edge in pairs:
            if edge is not None and edge.source != edge.target:
                kept.setdefault(key_of(edge), edge)
        groups[group] = tuple(kept.values())
    return replace(owner, **groups)
