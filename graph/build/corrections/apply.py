"""A user's corrections applied to vocabulary and catalogue: pure, and what no longer applies is told and left out."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, cast, get_args

from torchatlas.graph.build.corrections.kinds import (
    Correction,
    DroppedEdge,
    Merge,
    NewEdge,
    Realias,
    Rename,
    Split,
    Topic,
)
from torchatlas.graph.build.corrections.state import (
    Corrected,
    Dropped,
    Names,
    Outdated,
    changed,
    demand_free,
    demand_room,
    ends_of,
    key_of,
    keys_of,
    named,
    rewired,
    two_named,
)
from torchatlas.graph.values.curated import Catalogue, Vocabulary
from torchatlas.graph.values.errors import CycleError
from torchatlas.graph.values.model import (
    Assumes,
    ConceptRelation,
    ConceptRelationKind,
    Edge,
    ListenAfter,
    Requires,
    Snapshot,
    Teaches,
)
from torchatlas.graph.values.names import spelling
from torchatlas.graph.values.prerequisites import check_acyclic


def correct(vocabulary: Vocabulary, catalogue: Catalogue, corrections: Iterable[Correction]) -> Corrected:
    """Apply topics, aliases, renames, splits, merges, dropped edges and new ones, in this order.

    All of them call concepts as they are called without corrections; one that was merged is the other one from then on.
    An edge that is dropped and new is the new one: so it is turned round, or given another reason. A correction that
    does not apply changes nothing.
    """
    kinds = get_args(Correction)
    ordered = sorted(corrections, key=lambda c: kinds.index(type(c)))
    state = Corrected(vocabulary, catalogue)
    names = Names(vocabulary.concepts, catalogue.episodes)
    for correction in ordered:
        try:
            corrected = _APPLY[type(correction)](state, correction, names)
            check_acyclic(corrected.vocabulary.requires)
            state = corrected
        except (Outdated, CycleError) as e:
            state = replace(state, problems={**state.problems, correction.place: str(e)})
    return state


def without(graph: Snapshot, dropped: Iterable[Dropped]) -> tuple[Snapshot, Mapping[str, str]]:
    """The graph without these edges, and place -> problem for those that were nowhere."""
    problems = {}
    for drop in dropped:
        name = drop.edge[0].lower() if hasattr(graph, drop.edge[0].lower()) else "concept_relations"
        kept = tuple(e for e in getattr(graph, name) if key_of(e) != drop.edge)
        if not drop.known and len(kept) == len(getattr(graph, name)):
            problems[drop.place] = "there is no such edge"
        edges: dict[str, Any] = {name: kept}
        graph = replace(graph, **edges)
    return graph, problems


def _topic(state: Corrected, topic: Topic, names: Names) -> Corrected:
    concept = topic.concept
    demand_free(state, (concept.id, concept.name, *concept.aliases))
    names.add(concept)
    vocabulary = replace(state.vocabulary, concepts=(*state.vocabulary.concepts, concept))
    return replace(state, vocabulary=vocabulary, own=state.own | {concept.id})


def _realias(state: Corrected, change: Realias, names: Names) -> Corrected:
    concept = named(state, names, change.concept)
    if absent := [alias for alias in change.drop if alias not in concept.aliases]:
        raise Outdated(f"{concept.name} has no alias {absent[0]!r}")
    demand_free(state, change.add)
    aliases = (*(a for a in concept.aliases if a not in change.drop), *change.add)
    return changed(state, replace(concept, aliases=tuple(dict.fromkeys(aliases))))


def _rename(state: Corrected, rename: Rename, names: Names) -> Corrected:
    concept = named(state, names, rename.concept)
    demand_free(state, [rename.name], but=concept.id)
    aliases = tuple(a for a in (concept.name, *concept.aliases) if spelling(a) != spelling(rename.name))
    return changed(state, replace(concept, name=rename.name, aliases=aliases))


def _split(state: Corrected, split: Split, names: Names) -> Corrected:
    old, new = two_named(state, names, split.concept, split.into)
    if absent := [alias for alias in split.aliases if alias not in old.aliases]:
        raise Outdated(f"{old.name} has no alias {absent[0]!r}")
    others = {*map(names.episode, split.episodes), *map(names.concept, split.concepts)}
    state = changed(state, replace(old, aliases=tuple(a for a in old.aliases if a not in split.aliases)))
    state = changed(state, replace(new, aliases=(*new.aliases, *split.aliases)))

    def ends(edge: Edge) -> Edge:
        if edge.source == old.id and edge.target in others:
            return replace(edge, source=new.id)
        return replace(edge, target=new.id) if edge.target == old.id and edge.source in others else edge

    return rewired(state, ends)


def _merge(state: Corrected, merge: Merge, names: Names) -> Corrected:
    old, into = two_named(state, names, merge.concept, merge.into)
    aliases, phrases = (*into.aliases, old.name, *old.aliases), (*into.phrases, *old.phrases)
    state = changed(state, replace(into, aliases=aliases, phrases=phrases))
    vocabulary = replace(state.vocabulary, concepts=tuple(c for c in state.vocabulary.concepts if c.id != old.id))

    def end(id_: str) -> str:
        return into.id if id_ == old.id else id_

    return rewired(
        replace(state, vocabulary=vocabulary, own=state.own - {old.id}, merged={**state.merged, old.id: into.id}),
        lambda edge: replace(edge, source=end(edge.source), target=end(edge.target)),
    )


def _dropped_edge(state: Corrected, drop: DroppedEdge, names: Names) -> Corrected:
    key = ends_of(state, names, drop)
    gone = Dropped(drop.place, key, known=key in keys_of(state))
    return replace(rewired(state, lambda e: None if key_of(e) == key else e), dropped=(*state.dropped, gone))


def _new_edge(state: Corrected, new: NewEdge, names: Names) -> Corrected:
    kind, source, target = key = ends_of(state, names, new)
    demand_room(state, key)
    vocabulary, catalogue = state.vocabulary, state.catalogue
    state = replace(state, dropped=tuple(drop for drop in state.dropped if drop.edge != key))
    if kind == "REQUIRES":
        requires = (*vocabulary.requires, Requires(source, target, need=new.need, reason=new.reason))
        return replace(state, vocabulary=replace(vocabulary, requires=requires))
    if kind == "TEACHES":
        teaches = Teaches(
            source, target, depth=new.depth, weight=1.0 if new.depth == "main" else 0.5, at=new.at, why=new.reason
        )
        assumes = tuple(a for a in catalogue.assumes if (a.source, a.target) != (source, target))
        return replace(state, catalogue=replace(catalogue, teaches=(*catalogue.teaches, teaches), assumes=assumes))
    if kind == "ASSUMES":
        assumed = Assumes(source, target, how="curated", at=new.at, why=new.reason)
        return replace(state, catalogue=replace(catalogue, assumes=(*catalogue.assumes, assumed)))
    if kind == "LISTEN_AFTER":
        after = ListenAfter(source, target, origin="curated", quote=new.reason, at=new.at)
        return replace(state, catalogue=replace(catalogue, listen_after=(*catalogue.listen_after, after)))
    relation = ConceptRelation(source, target, kind=cast(ConceptRelationKind, kind), reason=new.reason)
    return replace(state, vocabulary=replace(vocabulary, relations=(*vocabulary.relations, relation)))


_APPLY: Mapping[type, Callable[[Corrected, Any, Names], Corrected]] = {
    Topic: _topic, Realias: _realias, Rename: _rename, Split: _split, Merge: _merge,
    DroppedEdge: _dropped_edge, NewEdge: _new_edge,
}  # fmt: skip
