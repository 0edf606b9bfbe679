"""What people wrote down, as values: the vocabulary of concepts and the catalogue of episodes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from graph.model import Assumes, Concept, ConceptRelation, Episode, ListenAfter, RefersTo, Requires, Teaches


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The concepts and what is curated between them.

    `phrases` leads from other wordings, which a catalogue uses, to concept ids; `unplaced` lists wordings that are
    deliberately no concept, each with the reason.
    """

    concepts: tuple[Concept, ...]
    requires: tuple[Requires, ...] = ()
    relations: tuple[ConceptRelation, ...] = ()
    phrases: Mapping[str, str] = field(default_factory=dict)
    unplaced: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Episodes with what was judged of each by reading or hearing it. `urls` maps an episode id to what it cites."""

    episodes: tuple[Episode, ...] = ()
    teaches: tuple[Teaches, ...] = ()
    assumes: tuple[Assumes, ...] = ()
    listen_after: tuple[ListenAfter, ...] = ()
    refers_to: tuple[RefersTo, ...] = ()
    relations: tuple[ConceptRelation, ...] = ()
    urls: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
