"""The tools of an assistant. Each asks the atlas once; an assistant reads their docstrings and descriptions."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from torchatlas.atlas import Atlas
from torchatlas.graph.stores.contract import MIN_SECONDS, ROWS, SECONDS
from torchatlas.graph.values.wording import PlanDepth
from torchatlas.ui.assistant import answers, translation
from torchatlas.ui.assistant.current_atlas import CurrentAtlas
from torchatlas.ui.assistant.links import Links
from torchatlas.ui.assistant.translation import MOST_ROWS
from torchatlas.understanding import as_text

MOST_SECONDS = 60.0
"""The seconds that a query of an assistant may take at the most."""
_Text = Annotated[str, Field(max_length=1000)]
_Number = Annotated[int, Field(strict=True)]
Name = Annotated[_Text | _Number, Field(description="Id, name, number of an episode, or other words for it.")]
NameList = Annotated[
    tuple[_Text | _Number, ...],
    BeforeValidator(lambda given: (given,) if isinstance(given, str | int) else given),  # assistants forget the list
    Field(max_length=100),
]
Limit = Annotated[int, Field(ge=1, le=MOST_ROWS, description="How many to return at the most.")]


class Tools:
    """The questions that an assistant may ask. Every method raises AtlasError for a question without an answer.

    Example: Tools(CurrentAtlas(settings, progress), Links(8501)).gaps()
    """

    def __init__(self, current: CurrentAtlas, links: Links) -> None:
        self._current = current
        self._links = links

    @property
    def atlas(self) -> Atlas:
        """The atlas with the graph that is stored now."""
        return self._current.now()

    def plan(
        self,
        goals: Annotated[NameList, Field(min_length=1, description="What to understand: names or questions.")],
        known: Annotated[NameList, Field(description="Concepts that the listener knows.")] = (),
        heard: Annotated[NameList, Field(description="Episodes that the listener has heard.")] = (),
        budget_minutes: Annotated[int | None, Field(ge=1, description="Minutes at the most.")] = None,
        depth: Annotated[PlanDepth, Field(description="brief, usual or thorough.")] = "usual",
        split: Annotated[_Text | None, Field(description="Sessions, such as 3x30m.")] = None,
        speed: Annotated[float, Field(ge=0.5, le=4, description="Speed of playing.")] = 1.0,
    ) -> answers.PlanAnswer:
        """Plan which episodes to hear, in which order and why, to understand the goals.

        The plan leaves out what the listener knows and has heard, according to their own profile.
        """
        plan = self.atlas.plan(
            *goals, known=[str(name) for name in known], heard=heard, budget=budget_minutes, depth=depth, split=split,
            speed=speed,
        )  # fmt: skip
        return translation.plan_answer(self._links, plan)

    def related(self, episode: Name, limit: Limit = 8) -> answers.RelatedAnswer:
        """List the episodes nearest to an episode, each with the reasons."""
        atlas = self.atlas
        meant = atlas.meaning(as_text(episode), "episode")
        rows = atlas.related(meant.ids[0], limit + 1)
        return translation.related_answer(atlas.graph, self._links, meant, rows, limit)

    def search(
        self, text: Annotated[_Text, Field(description="What to look for, in any words.")], limit: Limit = 8
    ) -> answers.SearchAnswer:
        """Find concepts and episodes by their names, the questions that they answer, or other words."""
        atlas = self.atlas
        return translation.search_answer(atlas.graph, self._links, atlas.search(text, limit + 1), limit)

    def concept(self, name: Name) -> answers.ConceptAnswer:
        """Say what a concept is, which episodes explain it and at which second, what it needs and leads to."""
        atlas = self.atlas
        meant = atlas.meaning(as_text(name), "concept")
        return translation.concept_answer(atlas.graph, self._links, meant, atlas.concept(meant.ids[0]))

    def explain(self, earlier: Name, later: Name) -> answers.ExplainAnswer:
        """Say why one thing (concept or episode) comes before another: the chain of edges between them."""
        atlas = self.atlas
        meant = [atlas.meaning(as_text(name), "subject") for name in (earlier, later)]
        return translation.explain_answer(atlas.explain(*(each.ids[0] for each in meant)), *meant)

    def gaps(self, limit: Limit = 5) -> answers.GapsAnswer:
        """List what the map lacks: concepts that no episode teaches, thin evidence, superseded subjects."""
        atlas = self.atlas
        return translation.gaps_answer(atlas.graph, self._links, atlas.gaps(), limit)

    def schema(self) -> answers.SchemaAnswer:
        """Describe the graph for Cypher: labels, relationship types, properties, counts and examples."""
        return translation.schema_answer(self.atlas.schema())

    def query(
        self,
        cypher: Annotated[str, Field(description="One statement that only reads.")],
        parameters: Annotated[dict[str, Any] | None, Field(description="A value for each $name.")] = None,
        rows: Annotated[int, Field(ge=1, le=ROWS, description="Rows at the most.")] = 100,
        seconds: Annotated[float, Field(ge=MIN_SECONDS, le=MOST_SECONDS, description="Time limit.")] = SECONDS,
    ) -> answers.QueryAnswer:
        """Ask the graph in Cypher; look at the schema first. Statements that write, read files or call out are refused.

        Example: MATCH (c:Concept {id: $id})-[:REQUIRES]->(p) RETURN p.id, p.name
        """
        table = self.atlas.query(cypher, parameters, rows=rows, seconds=seconds)
        return translation.query_answer(table, more=rows < ROWS)
