"""A whole graph as one value."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from threading import Lock
from typing import TYPE_CHECKING, Any, Self

from torchatlas.graph.values.edges import (
    Assumes,
    Cites,
    ConceptRelation,
    InShow,
    ListenAfter,
    Mentions,
    RefersTo,
    RelatedTo,
    Requires,
    Teaches,
    key_of,
)
from torchatlas.graph.values.formatting import counted
from torchatlas.graph.values.grouping import by_source, by_target
from torchatlas.graph.values.markdown import Shown, table
from torchatlas.graph.values.nodes import Concept, Episode, Link, Show


@dataclass(frozen=True, repr=False)
class Snapshot(Shown):
    """A whole graph. Its tuples are sorted on creation, so equal graphs are equal values whatever their order was.

    Raises ValueError where two nodes have one id, an edge lacks an end, or two edges of a kind join the same nodes.
    A snapshot that was `stored` makes a group of nodes or edges when it is first asked for.
    """

    concepts: tuple[Concept, ...] = field(default_factory=tuple)
    episodes: tuple[Episode, ...] = field(default_factory=tuple)
    _: KW_ONLY
    shows: tuple[Show, ...] = field(default_factory=tuple)
    links: tuple[Link, ...] = field(default_factory=tuple)
    teaches: tuple[Teaches, ...] = field(default_factory=tuple)
    assumes: tuple[Assumes, ...] = field(default_factory=tuple)
    mentions: tuple[Mentions, ...] = field(default_factory=tuple)
    requires: tuple[Requires, ...] = field(default_factory=tuple)
    listen_after: tuple[ListenAfter, ...] = field(default_factory=tuple)
    refers_to: tuple[RefersTo, ...] = field(default_factory=tuple)
    related_to: tuple[RelatedTo, ...] = field(default_factory=tuple)
    in_show: tuple[InShow, ...] = field(default_factory=tuple)
    cites: tuple[Cites, ...] = field(default_factory=tuple)
    concept_relations: tuple[ConceptRelation, ...] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        for name in (f.name for f in fields(self)):
            object.__setattr__(self, name, _in_order(name, getattr(self, name)))
        ids = {*self.concept, *self.episode, *self.show, *(link.id for link in self.links)}
        for name in EDGE_GROUPS:
            edges = getattr(self, name)
            if not (ids.issuperset(map(_SOURCE, edges)) and ids.issuperset(map(_TARGET, edges))):
                edge = next(edge for edge in edges if not ids.issuperset((edge.source, edge.target)))
                missing = sorted({edge.source, edge.target} - ids)
                raise ValueError(f"{name}: {key_of(edge)} points to nothing: {missing}")

    @classmethod
    def stored(cls, groups: Mapping[str, Callable[[], tuple[Any, ...]]]) -> Self:
        """Return a snapshot whose groups are made when they are first asked for. `groups`: field -> what makes it.

        Nothing is checked: the groups are those of a snapshot, as it was stored.

        >>> Snapshot.stored({"concepts": lambda: (Concept("vmap", "vmap", area="Transforms"),)}).concept["vmap"].name
        'vmap'
        """
        snapshot = object.__new__(cls)
        snapshot.__dict__["_unmade"] = {f.name: groups.get(f.name, tuple) for f in fields(cls)}
        return snapshot

    if not TYPE_CHECKING:  # a type checker would take any attribute to be there

        def __getattr__(self, name):  # called where the instance has no such attribute yet
            with _MAKING:
                unmade = self.__dict__.get("_unmade", {})
                if name in unmade:
                    self.__dict__[name] = unmade[name]()
                    self.__dict__["_unmade"] = {other: make for other, make in unmade.items() if other != name}
            return object.__getattribute__(self, name)

    @cached_property
    def concept(self) -> dict[str, Concept]:
        """Map the id of each concept to the concept."""
        return {c.id: c for c in self.concepts}

    @cached_property
    def episode(self) -> dict[str, Episode]:
        """Map the id of each episode to the episode."""
        return {e.id: e for e in self.episodes}

    @cached_property
    def show(self) -> dict[str, Show]:
        """Map the id of each show to the show."""
        return {s.id: s for s in self.shows}

    @cached_property
    def shows_of(self) -> dict[str, tuple[InShow, ...]]:
        """Map the id of each episode to its IN_SHOW edges: two feeds of different shows may carry one episode."""
        return by_source(self.in_show)

    @cached_property
    def teachers(self) -> dict[str, tuple[Teaches, ...]]:
        """Map the id of each concept that is taught to the TEACHES edges that end there."""
        return by_target(self.teaches)

    @cached_property
    def taught_by(self) -> dict[str, tuple[Teaches, ...]]:
        """Map the id of each episode to its TEACHES edges, the heaviest first."""
        found = by_source(self.teaches)
        return {
            e: tuple(sorted(ts, key=lambda t: (-t.weight, t.target))) if len(ts) > 1 else ts for e, ts in found.items()
        }

    @cached_property
    def assumed_by(self) -> dict[str, tuple[Assumes, ...]]:
        """Map the id of each episode to its ASSUMES edges."""
        return by_source(self.assumes)

    @cached_property
    def required_by(self) -> dict[str, tuple[Requires, ...]]:
        """Map the id of each concept to the REQUIRES edges that start there: to its prerequisites."""
        return by_source(self.requires)

    @cached_property
    def areas(self) -> tuple[str, ...]:
        """List the areas that concepts have, by name.

        >>> Snapshot((Concept("vmap", "vmap", area="Transforms"), Concept("view", "view", area="Tensors"))).areas
        ('Tensors', 'Transforms')
        """
        return tuple(sorted({c.area for c in self.concepts}))

    def __repr__(self) -> str:
        return f"<Snapshot: {self.size}>"

    def _repr_markdown_(self) -> str:
        return table(("in the graph", "count"), ((f.name, len(getattr(self, f.name))) for f in fields(self)))

    @property
    def size(self) -> str:
        """Tell how large the graph is: "83 episodes, 1611 concepts, 2180 prerequisites, 459 links"."""
        counts = {"episode": self.episodes, "concept": self.concepts, "prerequisite": self.requires, "link": self.links}
        return ", ".join(counted(len(rows), noun) for noun, rows in counts.items())

    def name_of(self, id_: str) -> str:
        """Return the name of a concept or the title of an episode, for example `snapshot.name_of("vmap")`."""
        return self.concept[id_].name if id_ in self.concept else self.episode[id_].title

    def label_of(self, id_: str) -> str:
        """Return the name of a concept, or number and title of an episode: two may have one title.

        >>> Snapshot(episodes=(Episode("s/e", "Introduction", show="S", number=1, season=2),)).label_of("s/e")
        'S2 E1 Introduction'
        """
        return self.concept[id_].name if id_ in self.concept else self.episode[id_].label


EDGE_GROUPS = tuple(f.name for f in fields(Snapshot) if f.name not in ("concepts", "episodes", "shows", "links"))
"""The fields of a snapshot that hold edges."""

_MAKING = Lock()
"""Held while a group is made: two threads get the same one."""

# A graph may have a million edges: these read them faster than functions of our own, `key_of` among them.
_ID, _SOURCE, _TARGET = map(attrgetter, ("id", "source", "target"))
_KEY = attrgetter("kind", "source", "target")


def _in_order(group: str, values: Sequence[Any]) -> tuple[Any, ...]:
    """Return the nodes or edges of a group, sorted. Raises ValueError where two of them are the same."""
    keys = list(map(_KEY if group in EDGE_GROUPS else _ID, values))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    for a, b in pairwise(order):
        if keys[a] == keys[b]:
            raise ValueError(f"{group}: twice {keys[a]!r}")
    return tuple(map(values.__getitem__, order))
