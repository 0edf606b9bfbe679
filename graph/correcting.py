"""A user's corrections applied to vocabulary and catalogue: pure, and what no longer applies is told and left out."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast, get_args

from graph.corrections import Correction, DroppedEdge, EdgeKind, Merge, NewEdge, Realias, Rename, Split, Topic
from graph.curated import Catalogue, Vocabulary
from graph.errors import CycleError
from graph.model import (
    Assumes,
    Concept,
    ConceptRelation,
    ConceptRelationKind,
    Episode,
    ListenAfter,
    RefersTo,
    Requires,
    Snapshot,
    Teaches,
)
from graph.prerequisites import check_acyclic
from graph.words import fold, spelling

_VOCABULARY = ("requires", "relations")
_CATALOGUE = ("teaches", "assumes", "listen_after", "refers_to", "relations")
_EPISODES = {"LISTEN_AFTER": (True, True), "REFERS_TO": (True, True)}
_EPISODES |= dict.fromkeys(("TEACHES", "ASSUMES", "MENTIONS"), (True, False))
Edge = TypeVar("Edge", Requires, ConceptRelation, Teaches, Assumes, ListenAfter, RefersTo)
Key = tuple[str, str, str]


class _Outdated(Exception):
    """Why a correction does not apply."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """An edge (type, source id, target id) that no text may bring back; `known`: the curated ones had it."""

    place: str
    edge: Key
    known: bool


@dataclass(frozen=True, slots=True)
class Corrected:
    """What became of vocabulary and catalogue. `own`: ids of the user's own concepts; `problems`: place -> why the
    correction that stands there does not apply (any more)."""

    vocabulary: Vocabulary
    catalogue: Catalogue
    own: frozenset[str] = frozenset()
    dropped: tuple[Dropped, ...] = ()
    problems: Mapping[str, str] = field(default_factory=dict)


def correct(vocabulary: Vocabulary, catalogue: Catalogue, corrections: Iterable[Correction]) -> Corrected:
    """Apply topics, aliases, renames, splits, merges, new edges and dropped ones, in this order.

    All of them call concepts as they are called without corrections. One that does not apply changes nothing.
    """
    kinds = get_args(Correction)
    ordered = sorted(corrections, key=lambda c: kinds.index(type(c)))
    state = Corrected(vocabulary, catalogue)
    names = _Names(vocabulary.concepts, catalogue.episodes)
    for correction in ordered:
        try:
            corrected = _APPLY[type(correction)](state, correction, names)
            check_acyclic(corrected.vocabulary.requires)
            state = corrected
        except (_Outdated, CycleError) as e:
            state = replace(state, problems={**state.problems, correction.place: str(e)})
    return state


def without(graph: Snapshot, dropped: Iterable[Dropped]) -> tuple[Snapshot, Mapping[str, str]]:
    """The graph without these edges, and place -> problem for those that were nowhere."""
    problems = {}
    for drop in dropped:
        name = drop.edge[0].lower() if hasattr(graph, drop.edge[0].lower()) else "concept_relations"
        kept = tuple(e for e in getattr(graph, name) if _key(e) != drop.edge)
        if not drop.known and len(kept) == len(getattr(graph, name)):
            problems[drop.place] = "there is no such edge"
        graph = replace(graph, **{name: kept})
    return graph, problems


class _Names:
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
        raise _Outdated(f"no concept is called {name!r}")

    def episode(self, name: str) -> str:
        if found := self.episodes.get(name) or self.episodes.get(fold(name)):
            return found
        raise _Outdated(f"no episode is called {name!r}")

    def key(self, kind: EdgeKind, source: str, target: str) -> Key:
        first, second = _EPISODES.get(kind, (False, False))
        return (
            kind,
            self.episode(source) if first else self.concept(source),
            self.episode(target) if second else self.concept(target),
        )


def _topic(state: Corrected, topic: Topic, names: _Names) -> Corrected:
    concept = topic.concept
    _demand_free(state, (concept.id, concept.name, *concept.aliases))
    names.add(concept)
    vocabulary = replace(state.vocabulary, concepts=(*state.vocabulary.concepts, concept))
    return replace(state, vocabulary=vocabulary, own=state.own | {concept.id})


def _realias(state: Corrected, change: Realias, names: _Names) -> Corrected:
    concept = _concept(state, names.concept(change.concept))
    if absent := [alias for alias in change.drop if alias not in concept.aliases]:
        raise _Outdated(f"{concept.name} has no alias {absent[0]!r}")
    _demand_free(state, change.add)
    aliases = (*(a for a in concept.aliases if a not in change.drop), *change.add)
    return _changed(state, replace(concept, aliases=aliases))


def _rename(state: Corrected, rename: Rename, names: _Names) -> Corrected:
    concept = _concept(state, names.concept(rename.concept))
    _demand_free(state, [rename.name], but=concept.id)
    aliases = tuple(a for a in (concept.name, *concept.aliases) if spelling(a) != spelling(rename.name))
    return _changed(state, replace(concept, name=rename.name, aliases=aliases))


def _split(state: Corrected, split: Split, names: _Names) -> Corrected:
    old, new = _concept(state, names.concept(split.concept)), _concept(state, names.concept(split.into))
    if absent := [alias for alias in split.aliases if alias not in old.aliases]:
        raise _Outdated(f"{old.name} has no alias {absent[0]!r}")
    others = {*map(names.episode, split.episodes), *map(names.concept, split.concepts)}
    state = _changed(state, replace(old, aliases=tuple(a for a in old.aliases if a not in split.aliases)))
    state = _changed(state, replace(new, aliases=(*new.aliases, *split.aliases)))

    def ends(edge: Edge) -> Edge:
        if edge.source == old.id and edge.target in others:
            return replace(edge, source=new.id)
        return replace(edge, target=new.id) if edge.target == old.id and edge.source in others else edge

    return _rewired(state, ends)


def _merge(state: Corrected, merge: Merge, names: _Names) -> Corrected:
    old, into = _concept(state, names.concept(merge.concept)), _concept(state, names.concept(merge.into))
    if old == into:
        raise _Outdated(f"{merge.concept!r} and {merge.into!r} are one concept already")
    state = _changed(state, replace(into, aliases=(*into.aliases, old.name, *old.aliases)))
    vocabulary = replace(state.vocabulary, concepts=tuple(c for c in state.vocabulary.concepts if c.id != old.id))

    def end(id_: str) -> str:
        return into.id if id_ == old.id else id_

    return _rewired(
        replace(state, vocabulary=vocabulary, own=state.own - {old.id}),
        lambda edge: replace(edge, source=end(edge.source), target=end(edge.target)),
    )


def _new_edge(state: Corrected, new: NewEdge, names: _Names) -> Corrected:
    kind, source, target = key = names.key(new.kind, new.source, new.target)
    vocabulary, catalogue = state.vocabulary, state.catalogue
    if source == target:
        raise _Outdated("it joins a thing to itself")
    known = (*vocabulary.requires, *vocabulary.relations, *catalogue.teaches, *catalogue.assumes)
    if key in map(_key, (*known, *catalogue.listen_after)):
        raise _Outdated("this edge is there without it")
    if kind == "REQUIRES":
        requires = (*vocabulary.requires, Requires(source, target, new.need, new.reason))
        return replace(state, vocabulary=replace(vocabulary, requires=requires))
    if kind == "TEACHES":
        teaches = Teaches(source, target, new.depth, 1.0 if new.depth == "main" else 0.5, new.at, why=new.reason)
        assumes = tuple(a for a in catalogue.assumes if (a.source, a.target) != (source, target))
        return replace(state, catalogue=replace(catalogue, teaches=(*catalogue.teaches, teaches), assumes=assumes))
    if kind == "ASSUMES":
        assumed = Assumes(source, target, "curated", new.at, new.reason)
        return replace(state, catalogue=replace(catalogue, assumes=(*catalogue.assumes, assumed)))
    if kind == "LISTEN_AFTER":
        after = ListenAfter(source, target, "curated", new.reason, new.at)
        return replace(state, catalogue=replace(catalogue, listen_after=(*catalogue.listen_after, after)))
    relation = ConceptRelation(cast(ConceptRelationKind, kind), source, target, reason=new.reason)
    return replace(state, vocabulary=replace(vocabulary, relations=(*vocabulary.relations, relation)))


def _dropped_edge(state: Corrected, drop: DroppedEdge, names: _Names) -> Corrected:
    key = names.key(drop.kind, drop.source, drop.target)
    before = (*state.vocabulary.requires, *state.vocabulary.relations, *_catalogued(state.catalogue))
    gone = Dropped(drop.place, key, key in map(_key, before))
    return replace(_rewired(state, lambda e: None if _key(e) == key else e), dropped=(*state.dropped, gone))


_APPLY: Mapping[type, Callable[[Corrected, Any, _Names], Corrected]] = {
    Topic: _topic, Realias: _realias, Rename: _rename, Split: _split, Merge: _merge, NewEdge: _new_edge,
    DroppedEdge: _dropped_edge,
}  # fmt: skip


def _key(edge: Any) -> Key:
    return getattr(edge, "kind", None) or edge.KIND, edge.source, edge.target


def _catalogued(catalogue: Catalogue) -> Iterable[Any]:
    return (edge for name in _CATALOGUE for edge in getattr(catalogue, name))


def _concept(state: Corrected, id_: str) -> Concept:
    found = next((c for c in state.vocabulary.concepts if c.id == id_), None)
    if found is None:
        raise _Outdated(f"{id_} has been merged into another concept")
    return found


def _changed(state: Corrected, concept: Concept) -> Corrected:
    concepts = tuple(concept if c.id == concept.id else c for c in state.vocabulary.concepts)
    return replace(state, vocabulary=replace(state.vocabulary, concepts=concepts))


def _demand_free(state: Corrected, names: Iterable[str], but: str = "") -> None:
    owners = {spelling(n): c for c in state.vocabulary.concepts for n in (c.id, c.name, *c.aliases) if c.id != but}
    for name in names:
        if owner := owners.get(spelling(name)):
            raise _Outdated(f"{name!r} is a name of {owner.name} ({owner.id}) already")


def _rewired(state: Corrected, change: Callable[[Any], Any]) -> Corrected:
    """Every edge with other ends, or without those that `change` turns into None; no loops, none twice.

    Where two become one, the edge that was there before stays; of TEACHES the heavier one.
    """

    def edges(of: Vocabulary | Catalogue, name: str) -> tuple[Any, ...]:
        pairs = [(edge, change(edge)) for edge in getattr(of, name)]
        pairs.sort(key=lambda pair: (-getattr(pair[0], "weight", 0.0), pair[0] != pair[1]))
        kept: dict[Key, Any] = {}
        for _, edge in pairs:
            if edge is not None and edge.source != edge.target:
                kept.setdefault(_key(edge), edge)
        return tuple(kept.values())

    curated: dict[str, Any] = {name: edges(state.vocabulary, name) for name in _VOCABULARY}
    judged: dict[str, Any] = {name: edges(state.catalogue, name) for name in _CATALOGUE}
    vocabulary, catalogue = replace(state.vocabulary, **curated), replace(state.catalogue, **judged)
    taught = {(t.source, t.target) for t in catalogue.teaches}
    assumes = tuple(a for a in catalogue.assumes if (a.source, a.target) not in taught)
    return replace(state, vocabulary=vocabulary, catalogue=replace(catalogue, assumes=assumes))
