"""Corrections of the vocabulary and the catalogue, as values. `apply` applies them.

`place` says where a correction stands ("corrections.toml:12"). Concepts and episodes are called as in that file: by
id, name or alias; by id, title or number.
"""

from dataclasses import KW_ONLY, dataclass
from typing import Literal

from torchatlas.graph.values.model import Concept, ConceptRelationKind, Depth, Need

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
