"""Findings of the extractor as values. Every finding is verbatim: `text[start:end]` of its field."""

from dataclasses import KW_ONLY, dataclass
from typing import Literal

from torchatlas.graph.values.model import Depth, Episode, Show

Field = Literal["title", "description", "summary", "definition"]
StatementRelation = Literal[
    "LISTEN_BEFORE", "LISTEN_AFTER", "RELATED_EPISODE",
    "PART_OF", "USES", "IMPLEMENTED_WITH", "ALTERNATIVE_TO", "EXTENDS", "SUPERSEDED_BY",
]  # fmt: skip
LinkType = Literal[
    "github_issue", "github_pr", "github_code", "github_repo", "github_wiki", "rfc", "docs", "blog", "forum", "paper",
    "episode", "google_doc", "video", "profile", "other",
]  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """A concept named in a text: `text` is exactly `[start:end]` of the field.

    `part`: the concept of the vocabulary that a longer term of the text's own holds: "fusion" in "fusion pattern".
    """

    concept_id: str
    field: Field
    _: KW_ONLY
    start: int
    end: int
    text: str
    part: str = ""

    @property
    def listed(self) -> str:
        """Return the id of the vocabulary's concept, where a longer term holds one.

        >>> Mention("fusion-pattern", "title", start=0, end=14, text="Fusion pattern", part="fusion").listed
        'fusion'
        """
        return self.part or self.concept_id


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
    """Everything found in the texts of one episode. `text` is the text of the field "description", for its offsets.

    `show`: the facts of the show where its source states more than the name. `people`: whom the source names.
    """

    episode: Episode
    text: str
    _: KW_ONLY
    mentions: tuple[Mention, ...] = ()
    links: tuple[FoundLink, ...] = ()
    statements: tuple[Statement, ...] = ()
    explained: tuple[Explained, ...] = ()
    show: Show | None = None
    people: tuple[str, ...] = ()
