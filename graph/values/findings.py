"""Findings of the extractor as values. Every finding is verbatim: `text[start:end]` of its field."""

from dataclasses import KW_ONLY, dataclass
from typing import Literal

from torchatlas.graph.values.model import Depth, Episode

Field = Literal["title", "description", "summary", "definition"]
StatementRelation = Literal[
    "LISTEN_BEFORE", "LISTEN_AFTER", "RELATED_EPISODE", "PART_OF", "USES", "IMPLEMENTED_WITH", "ALTERNATIVE_TO",
    "EXTENDS", "REQUIRES_KNOWING", "PRODUCES", "RUNS_BEFORE", "RUNS_AFTER",
]  # fmt: skip
LinkType = Literal[
    "github_issue", "github_pr", "github_code", "github_repo", "github_wiki", "rfc", "docs", "blog", "forum", "paper",
    "episode", "google_doc", "video", "profile", "other",
]  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """A concept named in a text: `text` is exactly `[start:end]` of the field."""

    concept_id: str
    field: Field
    _: KW_ONLY
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, order=True)
class FoundLink:
    """A URL exactly as it stands in the text, its type, and the words around it that describe the page.

    `id` is the same for all addresses of one page (a pull request, an issue, a file).
    """

    url: str
    type: LinkType
    _: KW_ONLY
    label: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Statement:
    """A relation that the text asserts between concept names or episode titles; `quote` is verbatim."""

    relation: StatementRelation
    subject: str
    _: KW_ONLY
    object: str
    quote: str
    field: Field = "description"
    start: int = 0


@dataclass(frozen=True, slots=True, order=True)
class Explained:
    """A concept that an episode explains from second `at` of its audio on, by its transcript.

    `weight` in (0, 1], 1 for the first subject; `quote` is said there, verbatim.
    """

    concept_id: str
    depth: Depth
    _: KW_ONLY
    at: int
    weight: float
    quote: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """Everything found in the texts of one episode. `text` is the text of the field "description", for its offsets."""

    episode: Episode
    text: str
    _: KW_ONLY
    mentions: tuple[Mention, ...] = ()
    links: tuple[FoundLink, ...] = ()
    statements: tuple[Statement, ...] = ()
    explained: tuple[Explained, ...] = ()
