"""A user's corrections of vocabulary and catalogue: their kinds, and how they are applied, as pure functions."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, Literal, TypeVar, get_args

from torchatlas.graph.errors import CycleError
from torchatlas.graph.findings import Catalogue, Vocabulary
from torchatlas.graph.model import (
    EDGE_GROUPS,
    Assumes,
    Concept,
    ConceptRelation,
    ConceptRelationKind,
    Depth,
    Episode,
    ListenAfter,
    Need,
    Precedence,
    RefersTo,
    Requires,
    Snapshot,
    Teaches,
    check_acyclic,
    key_of,
)
from torchatlas.graph.names import asked_number, did_you_mean, fold, spelling

AddedKind = Literal["REQUIRES", "TEACHES", "ASSUMES", "LISTEN_AFTER", ConceptRelationKind]
EdgeKind = Literal["MENTIONS", "REFERS_TO", AddedKind]


@dataclass(frozen=True, slots=True)
class OfConcept:
    """A correction that calls a concept by a name."""

    place: str
    concept: str


@dataclass(frozen=True, slots=True)
class Topic:
    """A concept of the user's own."""

    place: str
    concept: Concept


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename(OfConcept):
    """Another name for a concept; the old one stays as an alias."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Realias(OfConcept):
    """More aliases for a concept, and aliases that are wrong."""

    add: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge(OfConcept):
    """Two concepts that are one: the first goes, and the other takes its names and edges."""

    into: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Split(OfConcept):
    """One concept that is two: these aliases, and the edges to these episodes and concepts, go to `into`."""

    into: str
    aliases: tuple[str, ...] = ()
    episodes: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NewEdge:
    """An edge that was missing, with its reason. `need` counts for REQUIRES, `depth` and `at` (seconds) for TEACHES."""

    place: str
    kind: AddedKind
    _: KW_ONLY
    source: str
    target: str
    reason: str
    need: Need = "bridge"
    depth: Depth = "main"
    at: int | None = None


@dataclass(frozen=True, slots=True)
class DroppedEdge:
    """An edge that is wrong, whatever its source."""

    place: str
    kind: EdgeKind
    _: KW_ONLY
    source: str
    target: str


Correction = Topic | Realias | Rename | Split | Merge | DroppedEdge | NewEdge
"""The kinds in the order in which they are applied."""


def describe(correction: Correction) -> str:
    """Return a correction as a line of words.

    >>> describe(Merge("corrections.toml:3", "vmap", into="functorch"))
    'vmap is merged into functorch'
    """
    match correction:
        case Topic(concept=concept):
            return f"a topic of yours: {concept.name} [{concept.id}]"
        case Realias(concept=name, add=add, drop=drop):
            more = f" is also called {', '.join(add)}" if add else ""
            less = f" is not called {', '.join(drop)}" if drop else ""
            return f"{name}{more}{' and' if more and less else ''}{less}"
        case Rename(concept=old, name=name):
            return f"{old} is named {name}"
        case Merge(concept=name, into=into):
            return f"{name} is merged into {into}"
        case Split(concept=name, into=into):
            return f"a part of {name} becomes {into}"
        case NewEdge(kind=kind, source=source, target=target, reason=reason):
            return f"({source})-[:{kind}]->({target}): {reason}"
        case DroppedEdge(kind=kind, source=source, target=target):
            return f"no ({source})-[:{kind}]->({target})"


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


_TOLD = 3  # episodes of one name


class EpisodeNames:
    """Id, title and number of an episode -> its id.

    >>> names = EpisodeNames([Episode("show/two", "On vmap", show="Show", number=2)])
    >>> names.episode("2"), names.episode("on vmap")
    ('show/two', 'show/two')
    """

    def __init__(self, episodes: Iterable[Episode]) -> None:
        self._ids: set[str] = set()
        self._named: defaultdict[str, list[str]] = defaultdict(list)
        self._numbered: defaultdict[int, list[Episode]] = defaultdict(list)
        for e in episodes:
            self._ids.add(e.id)
            self._named[fold(e.title)].append(e.id)
            if e.number is not None:
                self._numbered[e.number].append(e)

    def episode(self, name: str) -> str:
        """Return the id of an episode, for example `names.episode("2")`.

        Raises Outdated for an unknown name, and for one of several episodes.
        """
        if name in self._ids:
            return name
        asked = asked_number(name)
        alike = self._numbered.get(asked.number, ()) if asked else ()
        meant = [e.id for e in alike if asked and asked.means(e.number, e.season)]
        found = list(dict.fromkeys(self._named.get(fold(name), []) + meant))  # the title may be "Episode 12"
        if not found:
            raise Outdated(f"no episode is called {name!r}{did_you_mean(fold(name), (*self._named, *self._ids))}")
        if len(found) > 1:
            raise Outdated(f"{name!r} may be {' or '.join(found[:_TOLD])}; name one by its id")
        return found[0]


class ConceptNames:
    """Names without corrections -> ids: id, name and aliases of a concept.

    >>> names = ConceptNames([Concept("vmap", "vmap", area="Functional", aliases=("torch.vmap",))])
    >>> names.concept("Torch.vmap")
    'vmap'
    """

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._concepts: dict[str, str] = {}
        for concept in concepts:
            self.add(concept)

    def add(self, concept: Concept) -> None:
        """Add the names of a concept of the user's own, for example `names.add(concept)`."""
        self._concepts |= {spelling(name): concept.id for name in (concept.id, concept.name, *concept.aliases)}

    def concept(self, name: str) -> str:
        """Return the id of a concept, for example `names.concept("vmap")`. Raises Outdated for an unknown name."""
        if found := self._concepts.get(spelling(name)):
            return found
        raise Outdated(f"no concept is called {name!r}{did_you_mean(spelling(name), self._concepts)}")

    def current(self, corrected: Corrected, name: str) -> Concept:
        """Return the concept of this name, or the one that it has been merged into.

        Raises Outdated for an unknown name. Example: `names.current(corrected, "torch.vmap").area`.
        """
        id_ = corrected.current(self.concept(name))
        return next(c for c in corrected.vocabulary.concepts if c.id == id_)

    def two(self, corrected: Corrected, one: str, other: str) -> tuple[Concept, Concept]:
        """Return two concepts, for example `names.two(corrected, "vmap", "autograd")`.

        Raises Outdated where one is unknown, or both are the same.
        """
        first, second = self.current(corrected, one), self.current(corrected, other)
        if first == second:
            raise Outdated(f"{one!r} and {other!r} are one concept already")
        return first, second


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
