"""A user's corrections of vocabulary and catalogue, and how they are applied."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any, ClassVar, Literal, get_args

from torchatlas.graph import model
from torchatlas.graph.errors import CycleError
from torchatlas.graph.findings import Catalogue, Vocabulary
from torchatlas.graph.model import Concept, ConceptRelationKind, Depth, Episode, Need, Snapshot, Value, key_of
from torchatlas.graph.names import asked_number, did_you_mean, fold, spelling

AddedKind = Literal["REQUIRES", "TEACHES", "ASSUMES", "LISTEN_AFTER", ConceptRelationKind]
EdgeKind = Literal["MENTIONS", "REFERS_TO", AddedKind]
Dropped = tuple[str, tuple[str, str, str], bool]
"""Place of a correction, the edge, and whether the curated edges had it."""
_FROM_EPISODES = ("TEACHES", "ASSUMES", "MENTIONS", "LISTEN_AFTER", "REFERS_TO")
_TO_EPISODES = ("LISTEN_AFTER", "REFERS_TO")
_GROUPS = ("teaches", "assumes", "listen_after", "refers_to")


class _Placed(Value):
    """A correction at a `place` in the user's file, written as its `words`."""

    words: ClassVar[str]
    place: str

    def __str__(self) -> str:
        return self.words.format(self)


class Topic(_Placed):
    """A concept of the user's own."""

    words = "a topic of yours: {0.concept.name} [{0.concept.id}]"
    concept: Concept


class Rename(_Placed):
    """Another name for a concept; the old one stays as an alias."""

    words = "{0.concept} is named {0.name}"
    concept: str
    name: str


class Realias(_Placed):
    """More aliases for a concept, and aliases that are wrong."""

    concept: str
    add: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()

    def __str__(self) -> str:
        changes = {" is also called ": self.add, " is not called ": self.drop}
        return self.concept + " and".join(verb + ", ".join(names) for verb, names in changes.items() if names)


class Merge(_Placed):
    """Two equal concepts: one goes, and the other takes its names and edges."""

    words = "{0.concept} is merged into {0.into}"
    concept: str
    into: str


class Split(_Placed):
    """These aliases, and edges to these episodes and concepts, go to `into`."""

    words = "a part of {0.concept} becomes {0.into}"
    concept: str
    into: str
    aliases: tuple[str, ...] = ()
    episodes: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()


class DroppedEdge(_Placed):
    """An edge that is wrong, whatever its source."""

    words = "no ({0.source})-[:{0.kind}]->({0.target})"
    kind: EdgeKind
    source: str
    target: str


class NewEdge(_Placed):
    """A missing edge. `need` counts for REQUIRES, `depth` for TEACHES."""

    words = "({0.source})-[:{0.kind}]->({0.target}): {0.reason}"
    kind: AddedKind
    source: str
    target: str
    reason: str
    need: Need = "bridge"
    depth: Depth = "main"
    at: int | None = None


class Dated(_Placed):
    """A note on a change since these episodes or resources explained a concept."""

    words = "{0.concept}, changed since: {0.note}"
    concept: str
    note: str
    episodes: tuple[str, ...]


Correction = Topic | Realias | Rename | Split | Merge | DroppedEdge | NewEdge | Dated
"""The kinds, in the order of application; their fields are keys of the file."""


class _Outdated(Exception):
    """The reason why a correction does not apply."""


@dataclass(slots=True)
class Corrected:
    """Vocabulary and catalogue as corrected. `own`: ids of own topics and drafts.

    `names`: original name -> id after merges; `waiting`: corrections of episodes;
    `moved`: (episode id, concept id) -> the concept that the episode's texts mean;
    `dated`: (episode id, what has changed since); `problems`: place -> why not.
    """

    given: tuple[Vocabulary, Catalogue]
    concepts: dict[str, Concept]
    names: dict[str, str] = field(compare=False)
    edges: tuple[Any, ...]
    own: frozenset[str]
    dropped: tuple[Dropped, ...] = ()
    waiting: tuple[Split | DroppedEdge | NewEdge | Dated, ...] = ()
    moved: Mapping[tuple[str, str], str] = field(default_factory=dict)
    dated: tuple[tuple[str, str], ...] = ()
    problems: Mapping[str, str] = field(default_factory=dict)

    @property
    def vocabulary(self) -> Vocabulary:
        """The concepts and the edges between them that no episode states."""
        relations = tuple(e for e in self._edges(model.ConceptRelation) if not e.episode)
        requires = self._edges(model.Requires)
        return replace(self.given[0], concepts=tuple(self.concepts.values()), requires=requires, relations=relations)

    @property
    def catalogue(self) -> Catalogue:
        """The episodes and their edges."""
        relations = tuple(e for e in self._edges(model.ConceptRelation) if e.episode)
        edges: dict[str, Any] = {group: tuple(e for e in self.edges if e.kind == group.upper()) for group in _GROUPS}
        return replace(self.given[1], relations=relations, **edges)

    def _edges(self, kind: type) -> tuple[Any, ...]:
        return tuple(e for e in self.edges if isinstance(e, kind))

    def _apply(self, change: Correction) -> None:
        """Make a change; one of episodes waits. May raise _Outdated half-way."""
        match change:
            case Topic(concept=concept):
                names = concept.id, concept.name, *concept.aliases
                self._demand_free(names)
                self.names = self.names | {spelling(name): concept.id for name in names}
                self.concepts[concept.id] = concept
                self.own |= {concept.id}
            case Realias():
                concept = _without_aliases(self._concept(change.concept), change.drop)
                self._demand_free(change.add)
                aliases = tuple(dict.fromkeys((*concept.aliases, *change.add)))
                self.concepts[concept.id] = replace(concept, aliases=aliases)
            case Rename():
                concept = self._concept(change.concept)
                self._demand_free([change.name], but=concept.id)
                aliases = tuple(a for a in (concept.name, *concept.aliases) if spelling(a) != spelling(change.name))
                self.concepts[concept.id] = replace(concept, name=change.name, aliases=aliases)
            case Split() | Merge():
                old, into = self._concept(change.concept), self._concept(change.into)
                if old == into:
                    raise _Outdated(f"{change.concept!r} and {change.into!r} are one concept already")
                if isinstance(change, Split):
                    self._split(change, old, into)
                    return
                del self.concepts[old.id]
                said = {name: getattr(into, name) + getattr(old, name) for name in ("phrases", "in_texts", "asked")}
                self.concepts[into.id] = replace(into, aliases=(*into.aliases, old.name, *old.aliases), **said)
                self.own -= {old.id}
                self.names = {name: into.id if id_ == old.id else id_ for name, id_ in self.names.items()}
                self._rewire(old.id, into.id)
            case Dated():
                self.waiting += (replace(change, concept=self._concept(change.concept).id),)
            case DroppedEdge() | NewEdge():
                target = change.target if change.kind in _TO_EPISODES else self._concept(change.target).id
                if change.kind in _FROM_EPISODES:
                    self.waiting += (replace(change, target=target),)
                else:
                    self._edit(change, self._concept(change.source).id, target)

    def _split(self, change: Split, old: Concept, into: Concept) -> None:
        self.concepts[old.id] = _without_aliases(old, change.aliases)
        for what, stays in (("id", old.id), ("name", old.name)):
            if spelling(stays) in map(spelling, change.aliases):
                raise _Outdated(f"{stays!r} is the {what} of {old.name}, which stays")
        self.concepts[into.id] = replace(into, aliases=(*into.aliases, *change.aliases))
        self._rewire(old.id, into.id, {self._concept(name).id for name in change.concepts})
        if change.episodes:
            self.waiting += (replace(change, concept=old.id, into=into.id),)

    def _edit(self, edge: DroppedEdge | NewEdge, source: str, target: str) -> None:
        """Drop the edge, or add it. Raises _Outdated where another forbids it."""
        kind, there, key = edge.kind, {key_of(e) for e in self.edges}, (edge.kind, source, target)
        if isinstance(edge, DroppedEdge):
            self.dropped += ((edge.place, key, key in there),)
            self.edges = tuple(e for e in self.edges if key_of(e) != key)
            return
        turned, taught = (kind, target, source) in there, ("TEACHES", source, target) in there
        order = model.Precedence((e.target, e.source) for e in self._edges(model.ListenAfter))
        reasons = {
            "it joins a thing to itself": source == target,
            "the map already has this edge": key in there or (kind == "ALTERNATIVE_TO" and turned),
            "this edge is there the other way round; drop that one": turned and kind in get_args(ConceptRelationKind),
            "the episode explains it; drop the TEACHES edge first": kind == "ASSUMES" and taught,
            "the listening orders would run in a circle": kind == "LISTEN_AFTER" and not order.accept(target, source),
        }
        if wrong := [reason for reason, holds in reasons.items() if holds]:
            raise _Outdated(wrong[0])
        weight, why = 1.0 if edge.depth == "main" else 0.5, edge.reason
        kinds: dict[str, tuple[Any, dict[str, Any]]] = {
            "REQUIRES": (model.Requires, {"need": edge.need, "reason": why}),
            "TEACHES": (model.Teaches, {"depth": edge.depth, "weight": weight, "at": edge.at, "why": why}),
            "ASSUMES": (model.Assumes, {"how": "curated", "at": edge.at, "why": why}),
            "LISTEN_AFTER": (model.ListenAfter, {"origin": "curated", "at": edge.at, "quote": why}),
        }
        of, facts = kinds.get(kind, (model.ConceptRelation, {"kind": kind, "reason": why}))
        self.edges = _unless_taught((*self.edges, of(source, target, **facts)))
        self.dropped = tuple(drop for drop in self.dropped if drop[1] != key)

    def _rewire(self, old: str, new: str, others: Collection[str] | None = None) -> None:
        """Move edges, all or with `others`, to `new`; drop loops and doubles.

        Of two edges that become one, the older stays; of TEACHES the heavier.
        """

        def end(this: str, other: str) -> str:
            return new if this == old and (others is None or other in others) else this

        pairs = [(e, replace(e, source=end(e.source, e.target), target=end(e.target, e.source))) for e in self.edges]
        pairs.sort(key=lambda pair: (-getattr(pair[0], "weight", 0.0), pair[0] != pair[1]))
        kept: dict[object, Any] = {}
        for _, edge in pairs:
            if edge.source != edge.target:
                kept.setdefault((key_of(edge), getattr(edge, "episode", None) is None), edge)
        self.edges = _unless_taught(kept.values())

    def _concept(self, name: str) -> Concept:
        if (key := spelling(name)) not in self.names:
            raise _Outdated(f"no concept is called {name!r}{did_you_mean(key, self.names)}")
        return self.concepts[self.names[key]]

    def _demand_free(self, names: Iterable[str], but: str = "") -> None:
        owners = {spelling(n): c for c in self.concepts.values() for n in (c.id, c.name, *c.aliases) if c.id != but}
        for name in names:
            if owner := owners.get(spelling(name)):
                raise _Outdated(f"{name!r} is a name of {owner.name} ({owner.id}) already")


def correct(vocabulary: Vocabulary, catalogue: Catalogue, corrections: Iterable[Correction]) -> Corrected:
    """Apply topics, aliases, renames, splits, merges, drops and new edges in turn.

    All use the original names. One that fails changes nothing, but of a split
    with an unknown episode the names move. `with_episodes` applies what waits.

    >>> vmap = Concept("vmap", "vmap", area="Functional")
    >>> new = correct(Vocabulary((vmap,)), Catalogue(), [Rename("f:1", "vmap", "map")])
    >>> new.vocabulary.concepts[0].name, new.vocabulary.concepts[0].aliases
    ('map', ('vmap',))
    """
    kinds, v = get_args(Correction), vocabulary
    stated = (getattr(catalogue, name) for name in (*_GROUPS, "relations"))
    corrected = Corrected(
        (vocabulary, catalogue),
        concepts={concept.id: concept for concept in v.concepts},
        names={spelling(name): c.id for c in v.concepts for name in (c.id, c.name, *c.aliases)},
        edges=(*v.requires, *v.relations, *chain.from_iterable(stated)),
        own=v.drafts,
    )
    for correction in sorted(corrections, key=lambda correction: kinds.index(type(correction))):
        changed = replace(corrected, concepts=dict(corrected.concepts))
        try:
            changed._apply(correction)
            model.check_acyclic(changed._edges(model.Requires))
            corrected = changed
        except (_Outdated, CycleError) as e:
            corrected.problems = {**corrected.problems, correction.place: str(e)}
    return corrected


def with_episodes(corrected: Corrected, episodes: Iterable[Episode]) -> Corrected:
    """Apply corrections of episodes: `with_episodes(corrected, graph.episodes)`."""
    id_of, waiting = partial(_episode_id, episodes=tuple(episodes)), corrected.waiting
    corrected = replace(corrected, waiting=())
    for change in waiting:
        try:
            if isinstance(change, Dated):
                corrected.dated += tuple((id_of(name), change.note) for name in change.episodes)
                continue
            if not isinstance(change, Split):
                target = id_of(change.target) if change.kind in _TO_EPISODES else change.target
                corrected._edit(change, id_of(change.source), target)
                continue
            moving = {id_of(name) for name in change.episodes}
            old, new = corrected._concept(change.concept).id, corrected._concept(change.into).id
            if old != new:  # else they were merged since
                if other := {corrected.moved.get((episode, old), new) for episode in moving} - {new}:
                    raise _Outdated(f"another split moves {old!r} to {min(other)!r} in the same episode")
                corrected.moved = {**corrected.moved, **{(episode, old): new for episode in moving}}
                corrected._rewire(old, new, moving)
        except _Outdated as e:
            why = f"its episodes stay where they are: {e}" if isinstance(change, Split) else str(e)
            corrected.problems = {**corrected.problems, change.place: why}
    return corrected


def without(graph: Snapshot, dropped: Iterable[Dropped]) -> tuple[Snapshot, Mapping[str, str]]:
    """Drop edges; return place -> problem of unknown ones: `without(graph, [])`."""
    problems = {}
    for place, key, known in dropped:
        group = model.group_of(key[0])
        kept: Any = tuple(e for e in getattr(graph, group) if key_of(e) != key)
        if not known and len(kept) == len(getattr(graph, group)):
            problems[place] = "there is no such edge"
        graph = replace(graph, **{group: kept})
    return graph, problems


def with_notes(graph: Snapshot, dated: Collection[tuple[str, str]]) -> Snapshot:
    """Say what has changed since: `with_notes(graph, [("show/views", "2.9: gone")])`."""

    def said(episodes: tuple[Episode, ...]) -> tuple[Episode, ...]:
        return tuple(replace(e, dated=(*e.dated, *(note for id_, note in dated if id_ == e.id))) for e in episodes)

    return replace(graph, episodes=said(graph.episodes), resources=said(graph.resources)) if dated else graph


def _episode_id(name: str, episodes: Collection[Episode]) -> str:
    """Return the id of the episode with this id, title or number, or raise _Outdated."""
    titles, asked = {e.id: fold(e.title) for e in episodes}, asked_number(name)  # the title may be "Episode 12"
    titled = [id_ for id_, title in titles.items() if title == fold(name)]
    numbered = [e.id for e in episodes if asked in e.numbers]
    found = [name] if name in titles else list(dict.fromkeys(titled + numbered))
    if not found:
        raise _Outdated(f"no episode is called {name!r}{did_you_mean(fold(name), (*titles.values(), *titles))}")
    if len(found) > 1:
        raise _Outdated(f"{name!r} may be {' or '.join(found[:3])}; name one by its id")
    return found[0]


def _unless_taught(edges: Collection[Any]) -> tuple[Any, ...]:
    """Return the edges without what an episode assumes although it teaches it."""
    taught = {(e.source, e.target) for e in edges if e.kind == "TEACHES"}
    return tuple(e for e in edges if e.kind != "ASSUMES" or (e.source, e.target) not in taught)


def _without_aliases(concept: Concept, gone: Collection[str]) -> Concept:
    if absent := [alias for alias in gone if alias not in (*concept.aliases, *concept.in_texts)]:
        raise _Outdated(f"{concept.name} has no alias {absent[0]!r}")
    aliases, in_texts = (tuple(n for n in names if n not in gone) for names in (concept.aliases, concept.in_texts))
    return replace(concept, aliases=aliases, in_texts=in_texts)
