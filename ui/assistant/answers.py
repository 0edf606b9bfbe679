"""The answers of the tools, and so their output schemas."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from torchatlas.graph.values.answers import Role
from torchatlas.graph.values.model import Origin
from torchatlas.ui.assistant.quoted import QUOTED, Answer, Id, MapPage, Quoted, QuotedName, WebPage

Second = Annotated[int | None, Field(description="Second of the audio at which it is explained.")]
Sureness = Annotated[Origin | None, Field(description="Who says that it belongs here; null where it was asked for.")]
Heard = Annotated[list[Quoted], Field(description="How words that are no exact name were understood.")]


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True)


class Moment(_Row):
    """A concept that an episode explains."""

    id: Id
    name: QuotedName
    at: Second


class PlannedEpisode(_Row):
    """A step of a plan, in listening order."""

    id: Id
    number: int | None
    season: int | None
    title: QuotedName
    minutes: int
    role: Role
    origin: Sureness
    why: Quoted
    explains: list[Moment]
    notes: list[Quoted]
    episode: WebPage
    page: MapPage


class Sentence(_Row):
    """A concept for which a sentence is enough."""

    id: Id
    name: QuotedName
    definition: Quoted
    read: WebPage


class PlanAnswer(Answer):
    """A listening order with its reasons."""

    understood: Heard
    heading: Quoted
    minutes: int
    steps: list[PlannedEpisode]
    sentences: Annotated[list[Sentence], Field(description="Concepts for which a sentence is enough.")]
    sessions: list[Quoted]
    remarks: list[Quoted]
    other_routes: list[Quoted]
    page: MapPage


class EpisodeNear(_Row):
    """An episode near another one; `score` is in (0, 1), higher is nearer."""

    id: Id
    title: QuotedName
    score: float
    why: Quoted
    episode: WebPage
    page: MapPage


class RelatedAnswer(Answer):
    """The episodes nearest to an episode."""

    understood: Heard
    id: Id
    title: QuotedName
    related: list[EpisodeNear]
    page: MapPage


class Found(_Row):
    """A concept or an episode that a search found; `matched` is the text that matched."""

    kind: Literal["concept", "episode"]
    id: Id
    name: QuotedName
    matched: Quoted
    episode: WebPage
    page: MapPage


class SearchAnswer(Answer):
    """Concepts and episodes that a search found, the best first."""

    found: list[Found]


class Lesson(_Row):
    """An episode that explains a concept."""

    id: Id
    title: QuotedName
    why: Quoted
    at: Second
    episode: WebPage
    page: MapPage


class Neighbour(_Row):
    """A concept near another one, and in words why."""

    id: Id
    name: QuotedName
    why: Quoted


class ConceptAnswer(Answer):
    """A concept: its definition, where it is explained, what it needs and leads to."""

    understood: Heard
    id: Id
    name: QuotedName
    area: QuotedName
    definition: Quoted
    aliases: list[QuotedName]
    source_files: list[QuotedName]
    explained_in: list[Lesson]
    needs: list[Neighbour]
    leads_to: list[Neighbour]
    others: list[Neighbour]
    read: WebPage
    page: MapPage


class Reason(_Row):
    """An edge of a chain: `source` `verb` `target`, because of `why`."""

    source: Id
    source_name: QuotedName
    verb: str
    target: Id
    target_name: QuotedName
    why: Quoted
    evidence: Quoted


class ExplainAnswer(Answer):
    """Which of two things comes before the other, and the edges that say so."""

    understood: Heard
    verdict: Quoted
    chain: list[Reason]


class Lack(_Row):
    """A place where the map lacks something, and a page that helps."""

    id: Id
    name: QuotedName
    why: Quoted
    read: WebPage
    page: MapPage


class Lacks(_Row):
    """Gaps of one kind; `total` counts those that are left out too."""

    kind: str
    total: int
    gaps: list[Lack]


class GapsAnswer(Answer):
    """Gaps of the map, by kind."""

    kinds: list[Lacks]


class Kind(_Row):
    """A label or a relationship type, in the form of Cypher; not all of its properties are filled everywhere."""

    pattern: str
    count: int
    properties: list[str]
    example: Annotated[Quoted | None, Field(description=QUOTED)]


class SchemaAnswer(Answer):
    """The labels, relationship types and properties that Cypher can ask for."""

    nodes: list[Kind]
    relationships: list[Kind]


class QueryAnswer(Answer):
    """The rows of a Cypher statement; nodes and paths are objects, and a long value is a text that ends in …"""

    columns: list[QuotedName]
    rows: Annotated[list[list[Any]], Field(description=QUOTED)]
