"""Curated files as values: the vocabulary of concepts, the catalogue of episodes, and journeys."""

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
    Show,
    Teaches,
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The concepts and the edges between them.

    `unplaced`: wording that is deliberately no concept -> the reason; `drafts`: ids of concepts that nobody has looked
    at yet.
    """

    concepts: tuple[Concept, ...]
    requires: tuple[Requires, ...] = ()
    _: KW_ONLY
    relations: tuple[ConceptRelation, ...] = ()
    unplaced: Mapping[str, str] = field(default_factory=dict)
    drafts: frozenset[str] = frozenset()

    @property
    def phrases(self) -> Mapping[str, str]:
        """Map each phrase to the id of the concept that has it."""
        return {phrase: c.id for c in self.concepts for phrase in c.phrases}


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The episodes and what a person judged of each, and the shows that they are in.

    `urls` maps an episode id to the addresses that the episode cites.
    """

    episodes: tuple[Episode, ...] = ()
    teaches: tuple[Teaches, ...] = ()
    _: KW_ONLY
    assumes: tuple[Assumes, ...] = ()
    listen_after: tuple[ListenAfter, ...] = ()
    refers_to: tuple[RefersTo, ...] = ()
    relations: tuple[ConceptRelation, ...] = ()
    urls: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shows: tuple[Show, ...] = ()


@dataclass(frozen=True, slots=True)
class Journey:
    """A list of goals that make a good whole; `about` is a paragraph, `goals` are ids of concepts or episodes.

    Example: `Journey("compile", "From eager to torch.compile", about="Follow one call.", goals=("dynamo",))`
    """

    name: str
    title: str
    _: KW_ONLY
    about: str
    goals: tuple[str, ...]

    @property
    def described(self) -> str:
        """The title with what it is, for sentences."""
        return f'the journey "{self.title}"'
