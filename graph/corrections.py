"""A user's corrections of vocabulary and catalogue: their kinds, and how they are applied."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import KW_ONLY, dataclass, field, fields, replace
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
CuratedEdge = Requires | ConceptRelation | Teaches | Assumes | ListenAfter | RefersTo
Key = tuple[str, str, str]
"""Type, source id and target id of an edge."""
Dropped = tuple[str, Key, bool]
_Owner = TypeVar("_Owner", Vocabulary, Catalogue)
_GROUPS = {"requires", "relations", "teaches", "assumes", "listen_after", "refers_to"}
_FROM_EPISODES = ("TEACHES", "ASSUMES", "MENTIONS", "LISTEN_AFTER", "REFERS_TO")
_TO_EPISODES = ("LISTEN_AFTER", "REFERS_TO")
_TOLD = 3  # episodes of one name


@dataclass(frozen=True, slots=True)
class Topic:
    """A concept of the user's own."""

    place: str
    concept: Concept


@dataclass(frozen=True, slots=True)
class OfConcept:
    """A correction that calls a concept by a name."""

    place: str
    concept: str


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
class DroppedEdge:
    """An edge that is wrong, whatever its source."""

    place: str
    kind: EdgeKind
    _: KW_ONLY
    source: str
    target: str


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


Correction = Topic | Realias | Rename | Split | Merge | DroppedEdge | NewEdge
"""The kinds in the order in which they are applied."""


_WORDS: Mapping[type, str] = {
    Topic: "a topic of yours: {0.concept.name} [{0.concept.id}]",
    Rename: "{0.concept} is named {0.name}",
    Merge: "{0.concept} is merged into {0.into}",
    Split: "a part of {0.concept} becomes {0.into}",
    NewEdge: "({0.source})-[:{0.kind}]->({0.target}): {0.reason}",
    DroppedEdge: "no ({0.source})-[:{0.kind}]->({0.target})",
}


def describe(correction: Correction) -> str:
    """Return a correction as a line of words.

    >>> describe(Merge("corrections.toml:3", "vmap", into="functorch"))
    'vmap is merged into functorch'
    """
    if isinstance(correction, Realias):
        changes = {" is also called ": correction.add, " is not called ": correction.drop}
        return correction.concept + " and".join(verb + ", ".join(names) for verb, names in changes.items() if names)
    return _WORDS[type(correction)].format(correction)


class _Outdated(Exception):
    """The reason why a correction does not apply."""


@dataclass(slots=True)
class Corrected:
    """Vocabulary and catalogue as corrected. `own`: ids of the user's own topics and drafts.

    `merged`: id of a concept that is gone -> id of the one that took its place; `waiting`: corrections of episodes,
    whose concepts are ids and whose episodes are names; `moved`: ids of an episode and of a concept -> the concept that
    the episode's texts mean instead; `dropped`: place of a correction, the edge that no text may bring back, and
    whether the curated edges had it; `problems`: place of a correction -> why it does not apply.
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
    names = {spelling(name): c.id for c in vocabulary.concepts for name in _names_of(c)}
    corrected = Corrected(vocabulary, catalogue, own=vocabulary.drafts)
    for correction in sorted(corrections, key=lambda c: kinds.index(type(c))):
        changed = copy(corrected)
        try:
            _APPLY[type(correction)](changed, correction, names)
            check_acyclic(changed.vocabulary.requires)
            corrected = changed
        except (_Outdated, CycleError) as e:
            corrected.problems = {**corrected.problems, correction.place: str(e)}
    return corrected


def with_episodes(corrected: Corrected, episodes: Iterable[Episode]) -> Corrected:
    """Return the same with the edges of episodes that wait. `episodes`: those of the map, of every source.

    Example: `with_episodes(correct(vocabulary, catalogue, corrections), catalogue.episodes).waiting` is ().
    """
    names = _EpisodeNames(episodes)
    waiting, corrected = corrected.waiting, replace(corrected, waiting=())
    for change in waiting:
        try:
            if isinstance(change, Split):
                _move(corrected, change, {names.id_of(name) for name in change.episodes})
            else:
                target = names.id_of(change.target) if change.kind in _TO_EPISODES else change.target
                _edit(corrected, change, (change.kind, names.id_of(change.source), target))
        except _Outdated as e:
            why = f"its episodes stay where they are: {e}" if isinstance(change, Split) else str(e)
            corrected.problems = {**corrected.problems, change.place: why}
    return corrected


def without(graph: Snapshot, dropped: Iterable[Dropped]) -> tuple[Snapshot, Mapping[str, str]]:
    """Return the graph without these edges, and place -> problem for those that were nowhere.

    >>> without(Snapshot(), [("f:1", ("USES", "vmap", "dispatcher"), False)])[1]
    {'f:1': 'there is no such edge'}
    """
    problems = {}
    for place, key, known in dropped:
        group = key[0].lower() if key[0].lower() in EDGE_GROUPS else "concept_relations"
        edges = getattr(graph, group)
        kept: Any = tuple(e for e in edges if key_of(e) != key)
        if not known and len(kept) == len(edges):
            problems[place] = "there is no such edge"
        graph = replace(graph, **{group: kept})
    return graph, problems


class _EpisodeNames:
    """Id, title and number of an episode -> its id."""

    def __init__(self, episodes: Iterable[Episode]) -> None:
        self._episodes = tuple(episodes)
        self._titled: defaultdict[str, list[str]] = defaultdict(list)
        for e in self._episodes:
            self._titled[fold(e.title)].append(e.id)
        self._ids = {e.id for e in self._episodes}

    def id_of(self, name: str) -> str:
        if name in self._ids:
            return name
        asked = asked_number(name)
        numbered = [e.id for e in self._episodes if asked and asked.means(e.number, e.season)]
        found = list(dict.fromkeys(self._titled.get(fold(name), []) + numbered))  # the title may be "Episode 12"
        if not found:
            raise _Outdated(f"no episode is called {name!r}{did_you_mean(fold(name), (*self._titled, *self._ids))}")
        if len(found) > 1:
            raise _Outdated(f"{name!r} may be {' or '.join(found[:_TOLD])}; name one by its id")
        return found[0]


Names = dict[str, str]
"""Names without corrections, as `spelling` writes them -> ids: id, name and aliases of each concept."""


def _names_of(concept: Concept) -> tuple[str, ...]:
    return concept.id, concept.name, *concept.aliases


def _id_of(names: Names, name: str) -> str:
    if found := names.get(spelling(name)):
        return found
    raise _Outdated(f"no concept is called {name!r}{did_you_mean(spelling(name), names)}")


def _current(corrected: Corrected, id_: str) -> str:
    """Return the id of a concept, or of the one that it has been merged into."""
    while id_ in corrected.merged:
        id_ = corrected.merged[id_]
    return id_


def _concept(corrected: Corrected, names: Names, name: str) -> Concept:
    id_ = _current(corrected, _id_of(names, name))
    return next(c for c in corrected.vocabulary.concepts if c.id == id_)


def _two(corrected: Corrected, names: Names, one: str, other: str) -> tuple[Concept, Concept]:
    first, second = _concept(corrected, names, one), _concept(corrected, names, other)
    if first == second:
        raise _Outdated(f"{one!r} and {other!r} are one concept already")
    return first, second


def _topic(corrected: Corrected, topic: Topic, names: Names) -> None:
    concept = topic.concept
    _demand_free(corrected, _names_of(concept))
    names |= {spelling(name): concept.id for name in _names_of(concept)}
    _put(corrected, concept)
    corrected.own |= {concept.id}


def _realias(corrected: Corrected, change: Realias, names: Names) -> None:
    concept = _without_aliases(_concept(corrected, names, change.concept), change.drop)
    _demand_free(corrected, change.add)
    _put(corrected, replace(concept, aliases=tuple(dict.fromkeys((*concept.aliases, *change.add)))))


def _rename(corrected: Corrected, rename: Rename, names: Names) -> None:
    concept = _concept(corrected, names, rename.concept)
    _demand_free(corrected, [rename.name], but=concept.id)
    aliases = tuple(a for a in (concept.name, *concept.aliases) if spelling(a) != spelling(rename.name))
    _put(corrected, replace(concept, name=rename.name, aliases=aliases))


def _split(corrected: Corrected, split: Split, names: Names) -> None:
    old, new = _two(corrected, names, split.concept, split.into)
    rest = _without_aliases(old, split.aliases)
    if spelling(old.id) in map(spelling, split.aliases):
        raise _Outdated(f"{old.id!r} is the id of {old.name}, which stays")
    others = {_id_of(names, name) for name in split.concepts}
    if split.episodes:
        corrected.waiting += (replace(split, concept=old.id, into=new.id),)
    _put(corrected, rest, replace(new, aliases=(*new.aliases, *split.aliases)))
    _rewire(corrected, lambda edge: _moved(edge, others, old.id, new.id))


def _moved(edge: Any, others: Collection[str], old: str, new: str) -> Any:
    """Return an edge between a concept and one of the others with another concept; any other edge as it is."""
    if edge.source == old and edge.target in others:
        return replace(edge, source=new)
    return replace(edge, target=new) if edge.target == old and edge.source in others else edge


def _move(corrected: Corrected, split: Split, episodes: Collection[str]) -> None:
    """Move the edges of these episodes: the curated ones, and those that texts will give."""
    old, new = _current(corrected, split.concept), _current(corrected, split.into)
    if old == new:  # they were merged since
        return
    if other := next((corrected.moved[e, old] for e in episodes if corrected.moved.get((e, old), new) != new), ""):
        raise _Outdated(f"another split moves {old!r} to {other!r} in the same episode")
    corrected.moved = {**corrected.moved, **{(episode, old): new for episode in episodes}}
    _rewire(corrected, lambda edge: _moved(edge, episodes, old, new))


def _merge(corrected: Corrected, merge: Merge, names: Names) -> None:
    old, into = _two(corrected, names, merge.concept, merge.into)
    phrases, in_texts = (*into.phrases, *old.phrases), (*into.in_texts, *old.in_texts)
    aliases, ends = (*into.aliases, old.name, *old.aliases), {old.id: into.id}
    _put(corrected, replace(into, aliases=aliases, phrases=phrases, in_texts=in_texts), gone=old.id)
    corrected.own -= {old.id}
    corrected.merged = {**corrected.merged, **ends}
    _rewire(corrected, lambda e: replace(e, source=ends.get(e.source, e.source), target=ends.get(e.target, e.target)))


def _change_edge(corrected: Corrected, edge: DroppedEdge | NewEdge, names: Names) -> None:
    target = edge.target if edge.kind in _TO_EPISODES else _concept(corrected, names, edge.target).id
    if edge.kind in _FROM_EPISODES:
        corrected.waiting += (replace(edge, target=target),)
    else:
        _edit(corrected, edge, (edge.kind, _concept(corrected, names, edge.source).id, target))


def _edit(corrected: Corrected, edge: DroppedEdge | NewEdge, key: Key) -> None:
    """Drop the edge of this key, or add it, which is not dropped any more. Raises _Outdated."""
    if isinstance(edge, DroppedEdge):
        corrected.dropped += ((edge.place, key, key in _edge_keys(corrected)),)
        _rewire(corrected, lambda e: None if key_of(e) == key else e)
        return
    _demand_room(corrected, key)
    group, new = _new_edge(edge, *key[1:])
    owner = "vocabulary" if hasattr(corrected.vocabulary, group) else "catalogue"
    facts: Any = getattr(corrected, owner)
    setattr(corrected, owner, replace(facts, **{group: (*getattr(facts, group), new)}))
    corrected.dropped = tuple(drop for drop in corrected.dropped if drop[1] != key)
    _forget_taught(corrected)


def _new_edge(new: NewEdge, source: str, target: str) -> tuple[str, CuratedEdge]:
    """Return the edge, and the field that it belongs to."""
    match new.kind:
        case "REQUIRES":
            return "requires", Requires(source, target, need=new.need, reason=new.reason)
        case "TEACHES":
            weight = 1.0 if new.depth == "main" else 0.5
            return "teaches", Teaches(source, target, depth=new.depth, weight=weight, at=new.at, why=new.reason)
        case "ASSUMES":
            return "assumes", Assumes(source, target, how="curated", at=new.at, why=new.reason)
        case "LISTEN_AFTER":
            return "listen_after", ListenAfter(source, target, origin="curated", quote=new.reason, at=new.at)
    return "relations", ConceptRelation(source, target, kind=new.kind, reason=new.reason)


def _put(corrected: Corrected, *concepts: Concept, gone: str = "") -> None:
    """Put these concepts in the place of those that have their ids, or behind the others; `gone`: an id that goes."""
    by_id = {c.id: c for c in (*corrected.vocabulary.concepts, *concepts) if c.id != gone}
    corrected.vocabulary = replace(corrected.vocabulary, concepts=tuple(by_id.values()))


def _edge_keys(corrected: Corrected) -> set[Key]:
    return {key_of(e) for owner in (corrected.vocabulary, corrected.catalogue) for _, es in _groups(owner) for e in es}


def _groups(owner: Vocabulary | Catalogue) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the fields that hold edges, with these."""
    yield from ((f.name, getattr(owner, f.name)) for f in fields(owner) if f.name in _GROUPS)


def _rewire(corrected: Corrected, change: Callable[[Any], Any]) -> None:
    """Put `change(edge)` in the place of each edge, None for none; no loops, none twice.

    Where two become one, the edge that was there before stays; of TEACHES the heavier one.
    """

    def whole(owner: _Owner) -> _Owner:
        groups: dict[str, Any] = {}
        for group, edges in _groups(owner):
            pairs = [(edge, change(edge)) for edge in edges]
            pairs.sort(key=lambda pair: (-getattr(pair[0], "weight", 0.0), pair[0] != pair[1]))
            kept: dict[Key, Any] = {}
            for edge in (edge for _, edge in pairs if edge is not None and edge.source != edge.target):
                kept.setdefault(key_of(edge), edge)
            groups[group] = tuple(kept.values())
        return replace(owner, **groups)

    corrected.vocabulary, corrected.catalogue = whole(corrected.vocabulary), whole(corrected.catalogue)
    _forget_taught(corrected)


def _forget_taught(corrected: Corrected) -> None:
    """Drop what an episode assumes although it teaches it."""
    taught = {(t.source, t.target) for t in corrected.catalogue.teaches}
    assumes = tuple(a for a in corrected.catalogue.assumes if (a.source, a.target) not in taught)
    corrected.catalogue = replace(corrected.catalogue, assumes=assumes)


def _without_aliases(concept: Concept, gone: Collection[str]) -> Concept:
    """Return a concept without these names. Raises _Outdated for one by which no text means it."""
    if absent := [alias for alias in gone if alias not in (*concept.aliases, *concept.in_texts)]:
        raise _Outdated(f"{concept.name} has no alias {absent[0]!r}")
    aliases, in_texts = (tuple(n for n in names if n not in gone) for names in (concept.aliases, concept.in_texts))
    return replace(concept, aliases=aliases, in_texts=in_texts)


def _demand_free(corrected: Corrected, names: Iterable[str], but: str = "") -> None:
    """Raise _Outdated for a name of a concept whose id is not `but`."""
    owners = {spelling(n): c for c in corrected.vocabulary.concepts for n in _names_of(c) if c.id != but}
    for name in names:
        if owner := owners.get(spelling(name)):
            raise _Outdated(f"{name!r} is a name of {owner.name} ({owner.id}) already")


def _demand_room(corrected: Corrected, edge: Key) -> None:
    """Raise _Outdated for an edge that is there, or that an edge which is there speaks against."""
    kind, source, target = edge
    if source == target:
        raise _Outdated("it joins a thing to itself")
    there, back = _edge_keys(corrected), (kind, target, source)
    if edge in there or (kind == "ALTERNATIVE_TO" and back in there):
        raise _Outdated("the map already has this edge")
    if back in there and kind in get_args(ConceptRelationKind):
        raise _Outdated("this edge is there the other way round; drop that one")
    if kind == "ASSUMES" and ("TEACHES", source, target) in there:
        raise _Outdated("the episode explains it; drop the TEACHES edge first")
    listening = Precedence((e.target, e.source) for e in corrected.catalogue.listen_after)
    if kind == "LISTEN_AFTER" and listening.contradicts(target, source):
        raise _Outdated("the listening orders would run in a circle")


_APPLY: Mapping[type, Callable[[Corrected, Any, Names], None]] = {
    Topic: _topic,
    Realias: _realias,
    Rename: _rename,
    Split: _split,
    Merge: _merge,
    DroppedEdge: _change_edge,
    NewEdge: _change_edge,
}
