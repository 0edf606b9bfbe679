"""What people wrote down, as values: the vocabulary of concepts and the catalogue of episodes."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field

from torchatlas.graph.values.model import (
    Assumes,
    Concept,
    ConceptRelation,
    Episode,
    ListenAfter,
    RefersTo,
    Requires,
    Teaches,
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The concepts and what is curated between them. `unplaced`: wordings that are deliberately no concept, and why."""

    concepts: tuple[Concept, ...]
    requires: tuple[Requires, ...] = ()
    _: KW_ONLY
    relations: tuple[ConceptRelation, ...] = ()
    unplaced: Mapping[str, str] = field(default_factory=dict)

    @property
    def phrases(self) -> Mapping[str, str]:
        """Wording -> the id of the concept that has it among its phrases."""
        return {phrase: c.id for c in self.concepts for phrase in c.phrases}


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Episodes with what was judged of each by reading or hearing it. `urls` maps an episode id to what it cites."""

    episodes: tuple[Episode, ...] = ()
    teaches: tuple[Teaches, ...] = ()
    _: KW_ONLY
    assumes: tuple[Assumes, ...] = ()
    listen_after: tuple[ListenAfter, ...] = ()
    refers_to: tuple[RefersTo, ...] = ()
    relations: tuple[ConceptRelation, ...] = ()
    urls: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
