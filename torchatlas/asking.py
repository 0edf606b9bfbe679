"""Questions in Cypher: statements, saved questions, and the nodes in what they answer."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from torchatlas.graph.cards import Rows
from torchatlas.graph.errors import QueryError, UnknownName
from torchatlas.graph.formatting import counted
from torchatlas.graph.markdown import Table
from torchatlas.graph.stores.base import ROWS, SECONDS, check_limits
from torchatlas.map_reader import areas, concept_names, episode_names
from torchatlas.open_map import OpenMap
from torchatlas.understanding import concept_id, episode_id

if TYPE_CHECKING:
    from torchatlas.graph.cypher import Parameter, Question
    from torchatlas.graph.views import Census
    from torchatlas.queries import Completion


def query(
    atlas: OpenMap,
    cypher: str,
    parameters: Mapping[str, object] | None = None,
    *,
    rows: int = ROWS,
    seconds: float = SECONDS,
) -> Table:
    """Ask the stored graph in Cypher: reading statements only, for so many rows and seconds at the most.

    Raises QueryError for what is refused, wrong or takes too long, AtlasError for a limit that lets nothing pass.

    Example: atlas.query("MATCH (c:Concept {id: $id})-[:REQUIRES]->(p) RETURN p.name", {"id": "vmap"}).rows
    """
    check_limits(rows, seconds)
    atlas.ensure_fresh()
    return atlas.store.query(cypher, parameters, rows=rows, seconds=seconds)


def ask(
    atlas: OpenMap, name: str, values: Mapping[str, object] | None = None, *, rows: int = ROWS, seconds: float = SECONDS
) -> Table:
    """Ask a saved question by its name; its values name concepts and episodes as people do.

    Raises UnknownName for a question, a concept or an episode that is not there, QueryError for a missing value.

    Example: atlas.ask("before", {"concept": "AOTAutograd"}).rows
    """
    from torchatlas.shipped import find_question

    question = _fitting(atlas, find_question(name))[0]
    given: Mapping[str, object] = values or {}
    if any(p.type in ("concept", "episode", "area") for p in question.parameters):
        given = question.resolve(given, atlas.resolver)
    return query(atlas, question.cypher, question.bind(given), rows=rows, seconds=seconds)


def questions(atlas: OpenMap) -> "Rows[Question]":
    """List the saved questions, with the values that each wants, and examples from this map.

    Example: [question.title for question in atlas.questions()]
    """
    from torchatlas.shipped import load_questions

    return Rows(_fitting(atlas, *load_questions()))


def nodes(atlas: OpenMap, table: Table) -> tuple[str, ...]:
    """Return the ids of the concepts and episodes in the rows of a query. Raises QueryError where there are none.

    Example: atlas.plan(*atlas.nodes(atlas.query("MATCH (c:Concept {area: 'Autograd'}) RETURN c")))
    """
    if not (found := nodes_in(atlas, table)):
        rows = counted(len(table.rows), "row")
        raise QueryError(f"no concept and no episode{atlas.of_chosen} in {rows}: RETURN nodes, or their ids")
    return found


def nodes_in(atlas: OpenMap, table: Table) -> tuple[str, ...]:
    """Return the same ids as `nodes`, and () where there are none.

    Example: atlas.nodes_in(atlas.query("RETURN 1"))
    """
    from torchatlas.queries import nodes_in

    return nodes_in(table, atlas.graph)


def nodes_by_row(atlas: OpenMap, table: Table) -> tuple[tuple[str, ...], ...]:
    """Return the ids of the concepts and episodes in each row of a query.

    Example: atlas.nodes_by_row(atlas.query("MATCH (c:Concept) RETURN c LIMIT 2"))[1]
    """
    from torchatlas.queries import nodes_by_row

    return nodes_by_row(table, atlas.graph)


def choices(atlas: OpenMap, parameter: "Parameter") -> dict[str, str]:
    """Return value -> name of what a saved question may be asked about, its example first; {}: any text will do.

    Example: atlas.choices(atlas.questions()[0].parameters[0])
    """
    if parameter.type not in ("concept", "episode", "area"):
        return {}
    if parameter.type == "area":
        found = {area: area for area in areas(atlas)}
    else:
        found = concept_names(atlas) if parameter.type == "concept" else episode_names(atlas)
    example = parameter.example
    with suppress(UnknownName):
        example = concept_id(atlas, example) if parameter.type == "concept" else episode_id(atlas, example)
    return {id_: found[id_] for id_ in (example, *found) if id_ in found}


def complete(atlas: OpenMap, before: str) -> "Rows[Completion]":
    """List the ways to go on with a Cypher text that ends at the cursor.

    Example: [completion.text for completion in atlas.complete("MATCH (c:Con")]
    """
    from torchatlas.queries import complete

    return Rows(complete(before, atlas.graph))


def schema(atlas: OpenMap) -> "Census":
    """Count what there is to ask in Cypher: labels, relationship types and properties, with examples.

    Example: atlas.schema().nodes[0].pattern
    """
    from torchatlas.graph.views import census

    return census(atlas.whole_graph)


def _fitting(atlas: OpenMap, *questions: "Question") -> "Sequence[Question]":
    """Return saved questions with examples from this map."""
    from torchatlas.queries import fitting

    return fitting(questions, atlas.settings, lambda: atlas.graph)
