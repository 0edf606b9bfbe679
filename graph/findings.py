"""Values read from files and texts: vocabulary, catalogue, findings.

Every finding is verbatim: `text[start:end]` of its field.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Literal

from torchatlas.graph import model
from torchatlas.graph.model import ConceptRelation, Depth, Episode, Show, Value


class Vocabulary(Value):
    """Concepts and edges. `unplaced`: other wording -> why; `drafts`: unchecked."""

    concepts: tuple[model.Concept, ...]
    requires: tuple[model.Requires, ...] = ()
    relations: tuple[ConceptRelation, ...] = ()
    unplaced: Mapping[str, str] = field(default_factory=dict)
    drafts: frozenset[str] = frozenset()


class Catalogue(Value):
    """Episodes, resources and judgements on each; `urls`: episode id -> addresses cited."""

    episodes: tuple[Episode, ...] = ()
    teaches: tuple[model.Teaches, ...] = ()
    assumes: tuple[model.Assumes, ...] = ()
    listen_after: tuple[model.ListenAfter, ...] = ()
    refers_to: tuple[model.RefersTo, ...] = ()
    relations: tuple[ConceptRelation, ...] = ()
    urls: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shows: tuple[Show, ...] = ()
    resources: tuple[Episode, ...] = ()


class Journey(Value):
    """Goals (ids of concepts or episodes) that make a good whole."""

    name: str
    title: str
    about: str
    goals: tuple[str, ...]


Field = Literal["title", "description", "summary", "definition"]
_BetweenEpisodes = Literal["LISTEN_BEFORE", "LISTEN_AFTER", "RELATED_EPISODE"]
_BetweenConcepts = Literal["PART_OF", "USES", "IMPLEMENTED_WITH", "ALTERNATIVE_TO", "EXTENDS", "SUPERSEDED_BY"]
StatementRelation = Literal[_BetweenEpisodes, _BetweenConcepts]
_GitHub = Literal["github_issue", "github_pr", "github_code", "github_repo", "github_wiki"]
_Page = Literal["rfc", "docs", "blog", "forum", "paper", "episode", "google_doc", "video", "profile"]
LinkType = Literal[_GitHub, _Page, "other"]


class Mention(Value, order=True):
    """A concept named in a text; `part`: the concept within a longer term."""

    concept_id: str
    field: Field
    start: int
    end: int
    text: str
    part: str = ""

    @property
    def listed(self) -> str:
        return self.part or self.concept_id


class FoundLink(Value, order=True):
    """A URL of a text and its words; `id`: one for all addresses of a page."""

    url: str
    type: LinkType
    label: str = ""
    id: str = ""


class Statement(Value, order=True):
    """A relation that a text asserts between concept names or episode titles."""

    relation: StatementRelation
    subject: str
    object: str
    quote: str
    field: Field = "description"
    start: int = 0


class Explained(Value, order=True):
    """A concept that a transcript explains from second `at` on."""

    concept_id: str
    depth: Depth
    at: int
    weight: float
    quote: str


class Extraction(Value):
    """All found in a `text` on an episode; `show`: if known beyond its name."""

    episode: Episode
    text: str
    mentions: tuple[Mention, ...] = ()
    links: tuple[FoundLink, ...] = ()
    statements: tuple[Statement, ...] = ()
    explained: tuple[Explained, ...] = ()
    show: Show | None = None
    people: tuple[str, ...] = ()


Findings = Sequence[tuple[str, Extraction]]
"""Pairs of an episode id and what was found in a text, by id: several sources may have the episode."""
TextsRead = Mapping[tuple[str, str], Sequence[str]]
"""(Id of an episode or a concept, field) -> its texts: several sources may have several."""
