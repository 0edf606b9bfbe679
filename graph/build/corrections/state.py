"""Vocabulary and catalogue as they are corrected step by step: what is called how, what is there, what has room."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, get_args

from torchatlas.graph.build.corrections.kinds import DroppedEdge, NewEdge
from torchatlas.graph.values.curated import Catalogue, Vocabulary
from torchatlas.graph.values.model import (
    Concept,
    ConceptRelationKind,
    Edge,
    Episode,
    edge_kind,
)
from torchatlas.graph.values.names import did_you_mean, fold, spelling
from torchatlas.graph.values.prerequisites import would_close_a_cycle

_VOCABULARY = ("requires", "relations")
_CATALOGUE = ("teaches", "assumes", "listen_after", "refers_to", "relations")
_EPISODES = {"LISTEN_AFTER": (True, True), "REFERS_TO": (True, True)}
_EPISODES |= dict.fromkeys(("TEACHES", "ASSUMES", "MENTIONS"), (True, False))
Key = tuple[str, str, str]


class Outdated(Exception):
    """Why a correction does not apply."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """An edge (type, source id, target id) that no text may bring back; `known`: the curated ones had it."""

    place: str
    edge: Key
    _: KW_ONLY
    known: bool


@dataclass(frozen=True, slots=True)
class Corrected:
    """What became of vocabulary and catalogue. `own`: ids of the user's own concepts; `merged`: id of a concept that is
    no more -> id of the one that it is now; `problems`: place -> why the correction there does not apply (any more)."""

    vocabulary: Vocabulary
    catalogue: Catalogue
    _: KW_ONLY
    own: frozenset[str] = frozenset()
    merged: Mapping[str, str] = field(default_factory=dict)
    dropped: tuple[Dropped, ...] = ()
    problems: Mapping[str, str] = field(default_factory=dict)


class Names:
    """From the words of a correction to ids."""

    def __init__(self, concepts: Iterable[Concept], episodes: Iterable[Episode]) -> None:
        self.concepts: dict[str, str] = {}
        for concept in concepts:
            self.add(concept)
        self.episodes = {word: e.id for e in episodes for word in (str(e.number or ""), fold(e.title), e.id) if word}

    def add(self, concept: Concept) -> None:
        self.concepts |= {spelling(name): concept.id for name in (concept.id, concept.name, *concept.aliases)}

    def concept(self, name: str) -> str:
        if found := self.concepts.get(spelling(name)):
            return found
        raise Outdated(f"no concept is called {name!r}{did_you_mean(spelling(name), self.concepts)}")

    def episode(self, name: str) -> str:
        if found := self.episodes.get(name) or self.episodes.get(fold(name)):
            return found
        raise Outdated(f"no episode is called {name!r}{did_you_mean(spelling(name), self.episodes)}")


def key_of(edge: Edge) -> Key:
    """Type, source id and target id of an edge of the model."""
    return edge_kind(edge), edge.source, edge.target


def keys_of(state: Corrected) -> set[Key]:
    """All edges of vocabulary and catalogue."""
    held = [getattr(state.vocabulary, name) for name in _VOCABULARY]
    held += [getattr(state.catalogue, name) for name in _CATALOGUE]
    return {key_of(edge) for edges in held for edge in edges}


def ends_of(state: Corrected, names: Names, edge: NewEdge | DroppedEdge) -> Key:
    """The edge of the model that a correction means. Raises Outdated where an end is unknown."""
    first, second = _EPISODES.get(edge.kind, (False, False))
    return (
        edge.kind,
        names.episode(edge.source) if first else named(state, names, edge.source).id,
        names.episode(edge.target) if second else named(state, names, edge.target).id,
    )


def named(state: Corrected, names: Names, name: str) -> Concept:
    """The concept that a correction calls so, or the one that it has been merged into. Raises Outdated."""
    id_ = names.concept(name)
    while id_ in state.merged:
        id_ = state.merged[id_]
    return next(c for c in state.vocabulary.concepts if c.id == id_)


def two_named(state: Corrected, names: Names, one: str, other: str) -> tuple[Concept, Concept]:
    """Two concepts. Raises Outdated where one is unknown, or both are the same."""
    first, second = named(state, names, one), named(state, names, other)
    if first == second:
        raise Outdated(f"{one!r} and {other!r} are one concept already")
    return first, second


def demand_room(state: Corrected, edge: Key) -> None:
    """Raises Outdated for an edge that is there, or that an edge which is there speaks against."""
    kind, source, target = edge
    if source == target:
        raise Outdated("it joins a thing to itself")
    there, back = keys_of(state), (kind, target, source)
    if edge in there or (kind == "ALTERNATIVE_TO" and back in there):
        raise Outdated("this edge is there without it")
    if back in there and kind in get_args(ConceptRelationKind):
        raise Outdated("this edge is there the other way round; drop that one")
    if kind == "ASSUMES" and ("TEACHES", source, target) in there:
        raise Outdated("the episode explains it; drop that edge")
    if kind == "LISTEN_AFTER" and would_close_a_cycle(state.catalogue.listen_after, source, target):
        raise Outdated("the orders in which to listen would run in a circle")


def changed(state: Corrected, concept: Concept) -> Corrected:
    """With this concept in the place of the one that has its id."""
    concepts = tuple(concept if c.id == concept.id else c for c in state.vocabulary.concepts)
    return replace(state, vocabulary=replace(state.vocabulary, concepts=concepts))


def demand_free(state: Corrected, names: Iterable[str], but: str = "") -> None:
    """Raises Outdated for a name of a concept whose id is not `but`."""
    owners = {spelling(n): c for c in state.vocabulary.concepts for n in (c.id, c.name, *c.aliases) if c.id != but}
    for name in names:
        if owner := owners.get(spelling(name)):
            raise Outdated(f"{name!r} is a name of {owner.name} ({owner.id}) already")


def rewired(state: Corrected, change: Callable[[Any], Any]) -> Corrected:
    """Every edge with other ends, or without those that `change` turns into None; no loops, none twice.

    Where two become one, the edge that was there before stays; of TEACHES the heavier one.
    """

    def edges(of: Vocabulary | Catalogue, name: str) -> tuple[Any, ...]:
        pairs = [(edge, change(edge)) for edge in getattr(of, name)]
        pairs.sort(key=lambda pair: (-getattr(pair[0], "weight", 0.0), pair[0] != pair[1]))
        kept: dict[Key, Any] = {}
        for _, edge in pairs:
            if edge is not None and edge.source != edge.target:
                kept.setdefault(key_of(edge), edge)
        return tuple(kept.values())

    curated: dict[str, Any] = {name: edges(state.vocabulary, name) for name in _VOCABULARY}
    judged: dict[str, Any] = {name: edges(state.catalogue, name) for name in _CATALOGUE}
    vocabulary, catalogue = replace(state.vocabulary, **curated), replace(state.catalogue, **judged)
    taught = {(t.source, t.target) for t in catalogue.teaches}
    assumes = tuple(a for a in catalogue.assumes if (a.source, a.target) not in taught)
    return replace(state, vocabulary=vocabulary, catalogue=replace(catalogue, assumes=assumes))
