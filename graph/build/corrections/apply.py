"""A user's corrections applied to vocabulary and catalogue, as pure functions.

A correction that does not apply, or no longer does, is left out and becomes a problem.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, get_args

from torchatlas.graph.build.corrections.corrected import Corrected, CuratedEdge, Dropped, Key, Outdated
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
from torchatlas.graph.build.corrections.names import ConceptNames, EpisodeNames
from torchatlas.graph.values.curated import Catalogue, Vocabulary
from torchatlas.graph.values.errors import CycleError
from torchatlas.graph.values.model import (
    EDGE_GROUPS,
    Assumes,
    Concept,
    ConceptRelation,
    ConceptRelationKind,
    Episode,
    ListenAfter,
    Requires,
    Snapshot,
    Teaches,
    key_of,
)
from torchatlas.graph.values.names import spelling
from torchatlas.graph.values.precedence import Precedence
from torchatlas.graph.values.prerequisites import check_acyclic

_FROM_EPISODES = ("TEACHES", "ASSUMES", "MENTIONS", "LISTEN_AFTER", "REFERS_TO")
_TO_EPISODES = ("LISTEN_AFTER", "REFERS_TO")


def correct(vocabulary: Vocabulary, catalogue: Catalogue, corrections: Iterable[Correction]) -> Corrected:
    """Return vocabulary and catalogue after topics, aliases, renames, splits, merges, dropped edges and new ones.

    They apply in this order. All of them call concepts as they are called without corrections; the name of a merged
    concept means the other one from then on. An edge that is both dropped and new is the new one: this turns an edge
    round, or gives it another reason. A correction that does not apply changes nothing. Edges of episodes, those that a
    split moves too, wait until all episodes are known: `with_episodes` applies them. Where an episode of a split is
    not known, names and other edges are moved, and all of its episodes stay.

    >>> vmap = Concept("vmap", "vmap", area="Functional")
    >>> renamed = correct(Vocabulary((vmap,)), Catalogue(), [Rename("f:1", "vmap", name="vectorizing map")])
    >>> renamed.vocabulary.concepts[0].name, renamed.vocabulary.concepts[0].aliases
    ('vectorizing map', ('vmap',))
    """
    kinds = get_args(Correction)
    names = ConceptNames(vocabulary.concepts)
    corrected = Corrected(vocabulary, catalogue, own=vocabulary.drafts)
    for correction in sorted(corrections, key=lambda c: kinds.index(type(c))):
        try:
            changed = _APPLY[type(correction)](corrected, correction, names)
            check_acyclic(changed.vocabulary.requires)
            corrected = changed
        except (Outdated, CycleError) as e:
            corrected = replace(corrected, problems={**corrected.problems, correction.place: str(e)})
    return corrected


def with_episodes(corrected: Corrected, episodes: Iterable[Episode]) -> Corrected:
    """Return the same with the edges of episodes that wait. `episodes`: those of the map, of every source.

    Example: `with_episodes(correct(vocabulary, catalogue, corrections), catalogue.episodes).waiting` is ().
    """
    names = EpisodeNames(episodes)
    waiting, corrected = corrected.waiting, replace(corrected, waiting=())
    for change in waiting:
        try:
            if isinstance(change, Split):
                corrected = _with_moved(corrected, change, {names.episode(name) for name in change.episodes})
                continue
            target = names.episode(change.target) if change.kind in _TO_EPISODES else change.target
            corrected = _with_edge(corrected, change, (change.kind, names.episode(change.source), target))
        except Outdated as e:
            why = f"its episodes stay where they are: {e}" if isinstance(change, Split) else str(e)
            corrected = replace(corrected, problems={**corrected.problems, change.place: why})
    return corrected


def without(graph: Snapshot, dropped: Iterable[Dropped]) -> tuple[Snapshot, Mapping[str, str]]:
    """Return the graph without these edges, and place -> problem for those that were nowhere.

    >>> without(Snapshot(), [Dropped("f:1", ("USES", "vmap", "dispatcher"), known=False)])[1]
    {'f:1': 'there is no such edge'}
    """
    problems = {}
    for drop in dropped:
        kind = drop.edge[0].lower()
        group = kind if kind in EDGE_GROUPS else "concept_relations"
        kept = tuple(e for e in getattr(graph, group) if key_of(e) != drop.edge)
        if not drop.known and len(kept) == len(getattr(graph, group)):
            problems[drop.place] = "there is no such edge"
        changes: dict[str, Any] = {group: kept}
        graph = replace(graph, **changes)
    return graph, problems


def _topic(corrected: Corrected, topic: Topic, names: ConceptNames) -> Corrected:
    concept = topic.concept
    _demand_free(corrected, (concept.id, concept.name, *concept.aliases))
    names.add(concept)
    return replace(corrected.with_concepts(concept), own=corrected.own | {concept.id})


def _realias(corrected: Corrected, change: Realias, names: ConceptNames) -> Corrected:
    concept = names.current(corrected, change.concept)
    _demand_aliases(concept, change.drop)
    _demand_free(corrected, change.add)
    aliases = (*(a for a in concept.aliases if a not in change.drop), *change.add)
    in_texts = tuple(word for word in concept.in_texts if word not in change.drop)
    return corrected.with_concepts(replace(concept, aliases=tuple(dict.fromkeys(aliases)), in_texts=in_texts))


def _rename(corrected: Corrected, rename: Rename, names: ConceptNames) -> Corrected:
    concept = names.current(corrected, rename.concept)
    _demand_free(corrected, [rename.name], but=concept.id)
    aliases = tuple(a for a in (concept.name, *concept.aliases) if spelling(a) != spelling(rename.name))
    return corrected.with_concepts(replace(concept, name=rename.name, aliases=aliases))


def _split(corrected: Corrected, split: Split, names: ConceptNames) -> Corrected:
    old, new = names.two(corrected, split.concept, split.into)
    _demand_aliases(old, split.aliases)
    if spelling(old.id) in map(spelling, split.aliases):
        raise Outdated(f"{old.id!r} is the id of {old.name}, which stays")
    others = {names.concept(name) for name in split.concepts}
    if split.episodes:
        later = replace(split, concept=old.id, into=new.id)
        corrected = replace(corrected, waiting=(*corrected.waiting, later))
    aliases = tuple(a for a in old.aliases if a not in split.aliases)
    in_texts = tuple(word for word in old.in_texts if word not in split.aliases)
    return corrected.with_concepts(
        replace(old, aliases=aliases, in_texts=in_texts),
        replace(new, aliases=(*new.aliases, *split.aliases)),
    ).rewired(lambda edge: _moved(edge, others, old.id, new.id))


def _moved(edge: Any, others: Collection[str], old: str, new: str) -> Any:
    """Return an edge between a concept and one of the others with another concept; any other edge as it is."""
    if edge.source == old and edge.target in others:
        return replace(edge, source=new)
    return replace(edge, target=new) if edge.target == old and edge.source in others else edge


def _with_moved(corrected: Corrected, split: Split, episodes: Collection[str]) -> Corrected:
    """Return the same with the edges of these episodes moved: the curated ones, and those that texts will give."""
    old, new = corrected.current(split.concept), corrected.current(split.into)
    if old == new:  # they were merged since
        return corrected
    if other := next((corrected.moved[e, old] for e in episodes if corrected.moved.get((e, old), new) != new), ""):
        raise Outdated(f"another split moves {old!r} to {other!r} in the same episode")
    moved = {**corrected.moved, **{(episode, old): new for episode in episodes}}
    return replace(corrected, moved=moved).rewired(lambda edge: _moved(edge, episodes, old, new))


def _merge(corrected: Corrected, merge: Merge, names: ConceptNames) -> Corrected:
    old, into = names.two(corrected, merge.concept, merge.into)
    aliases, phrases = (*into.aliases, old.name, *old.aliases), (*into.phrases, *old.phrases)
    in_texts = (*into.in_texts, *old.in_texts)
    corrected = corrected.with_concepts(replace(into, aliases=aliases, phrases=phrases, in_texts=in_texts))
    vocabulary = replace(
        corrected.vocabulary, concepts=tuple(c for c in corrected.vocabulary.concepts if c.id != old.id)
    )
    corrected = replace(
        corrected, vocabulary=vocabulary, own=corrected.own - {old.id}, merged={**corrected.merged, old.id: into.id}
    )

    def end(id_: str) -> str:
        return into.id if id_ == old.id else id_

    return corrected.rewired(lambda edge: replace(edge, source=end(edge.source), target=end(edge.target)))


def _changed_edge(corrected: Corrected, edge: DroppedEdge | NewEdge, names: ConceptNames) -> Corrected:
    target = edge.target if edge.kind in _TO_EPISODES else names.current(corrected, edge.target).id
    if edge.kind in _FROM_EPISODES:
        return replace(corrected, waiting=(*corrected.waiting, replace(edge, target=target)))
    return _with_edge(corrected, edge, (edge.kind, names.current(corrected, edge.source).id, target))


def _with_edge(corrected: Corrected, edge: DroppedEdge | NewEdge, key: Key) -> Corrected:
    """Return the same without the edge of this key, or with it. Raises Outdated."""
    if isinstance(edge, NewEdge):
        _demand_room(corrected, key)
        return corrected.with_edge(_edge(edge, *key[1:]))
    gone = Dropped(edge.place, key, known=key in corrected.edge_keys())
    return replace(corrected.rewired(lambda e: None if key_of(e) == key else e), dropped=(*corrected.dropped, gone))


def _edge(new: NewEdge, source: str, target: str) -> CuratedEdge:
    match new.kind:
        case "REQUIRES":
            return Requires(source, target, need=new.need, reason=new.reason)
        case "TEACHES":
            weight = 1.0 if new.depth == "main" else 0.5
            return Teaches(source, target, depth=new.depth, weight=weight, at=new.at, why=new.reason)
        case "ASSUMES":
            return Assumes(source, target, how="curated", at=new.at, why=new.reason)
        case "LISTEN_AFTER":
            return ListenAfter(source, target, origin="curated", quote=new.reason, at=new.at)
    return ConceptRelation(source, target, kind=new.kind, reason=new.reason)


def _demand_aliases(concept: Concept, aliases: Iterable[str]) -> None:
    """Raise Outdated for a name that is no alias of the concept, and by which no text means it."""
    if absent := [alias for alias in aliases if alias not in (*concept.aliases, *concept.in_texts)]:
        raise Outdated(f"{concept.name} has no alias {absent[0]!r}")


def _demand_free(corrected: Corrected, names: Iterable[str], but: str = "") -> None:
    """Raise Outdated for a name of a concept whose id is not `but`."""
    owners = {spelling(n): c for c in corrected.vocabulary.concepts for n in (c.id, c.name, *c.aliases) if c.id != but}
    for name in names:
        if owner := owners.get(spelling(name)):
            raise Outdated(f"{name!r} is a name of {owner.name} ({owner.id}) already")


def _demand_room(corrected: Corrected, edge: Key) -> None:
    """Raise Outdated for an edge that is there, or that an edge which is there speaks against."""
    kind, source, target = edge
    if source == target:
        raise Outdated("it joins a thing to itself")
    there, back = corrected.edge_keys(), (kind, target, source)
    if edge in there or (kind == "ALTERNATIVE_TO" and back in there):
        raise Outdated("the map already has this edge")
    if back in there and kind in get_args(ConceptRelationKind):
        raise Outdated("this edge is there the other way round; drop that one")
    if kind == "ASSUMES" and ("TEACHES", source, target) in there:
        raise Outdated("the episode explains it; drop the TEACHES edge first")
    listening = Precedence((e.target, e.source) for e in corrected.catalogue.listen_after)
    if kind == "LISTEN_AFTER" and listening.contradicts(target, source):
        raise Outdated("the listening orders would run in a circle")


_APPLY: Mapping[type, Callable[[Corrected, Any, ConceptNames], Corrected]] = {
    Topic: _topic, Realias: _realias, Rename: _rename, Split: _split, Merge: _merge,
    DroppedEdge: _changed_edge, NewEdge: _changed_edge,
}  # fmt: skip
