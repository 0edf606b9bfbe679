from pathlib import Path

import pytest

from torchatlas.graph.cypher import Parameter, Question, check_statement, parse
from torchatlas.graph.errors import DataError, QueryError, UnknownName
from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.graph.questions import Resolver
from torchatlas.graph.stores.ladybug import LADYBUG
from torchatlas.graph.stores.neo4j import NEO4J

SHIPPED = sorted((Path(__file__).parents[2] / "data" / "questions").glob("*.cypher"))
HEAD = "// title: T\n// description: D\n"


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.stem)
def test_a_shipped_question_is_whole_and_only_reads(path: Path) -> None:
    question = parse(path.read_text("utf-8"), path.stem)
    assert check_statement(question.cypher, NEO4J) == check_statement(question.cypher, LADYBUG)
    assert set(question.bind({p.name: p.example for p in question.parameters})) == {p.name for p in question.parameters}


def test_a_header_becomes_values() -> None:
    text = HEAD + "// param: n (integer, e.g. 3): how many\nMATCH (c)\nRETURN c LIMIT $n\n"
    wanted = (Parameter("n", "integer", example="3", description="how many"),)
    assert parse(text, "q") == Question(
        "q", "T", description="D", parameters=wanted, cypher="MATCH (c)\nRETURN c LIMIT $n"
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("RETURN 1", "no description"),
        ("// title: T\nRETURN 1", "no description"),
        (HEAD + "// hello\nRETURN 1", "no title:, description:, job: or param:"),
        (HEAD + "// param: n: how many\nRETURN $n", "NAME"),
        (HEAD + "RETURN $n", "n is not described"),
        (HEAD + "// param: n (string, e.g. x): a\nRETURN 1", "n is not used"),
    ],
)
def test_a_wrong_header_is_named(text: str, says: str) -> None:
    with pytest.raises(DataError, match=says):
        parse(text, "q")


def test_concepts_episodes_and_areas_go_by_their_names() -> None:
    graph = Snapshot(
        (Concept("a", "The A", area="Area One", aliases=("first",)),), (Episode("s/e", "E", show="S", number=7),)
    )
    kinds = {"c": "concept", "e": "episode", "a": "area", "s": "string"}
    question = Question(
        "q",
        "T",
        description="D",
        parameters=tuple(Parameter(n, t, example="x", description="") for n, t in kinds.items()),
        cypher="RETURN 1",
    )  # type: ignore[arg-type]
    resolver = Resolver(graph)
    said = {"c": "first", "e": "#7", "a": "area one", "s": "first"}
    assert question.resolve(said, resolver) == {"c": "a", "e": "s/e", "a": "Area One", "s": "first"}
    for name in ("c", "e", "a"):
        with pytest.raises(UnknownName):
            question.resolve(said | {name: "nothing of the kind"}, resolver)
    missing: dict[str, object] = {"c": None, "e": "", "a": " "}
    assert question.resolve(missing, resolver) == missing


@pytest.mark.parametrize(
    ("values", "says"),
    [
        *(({"n": missing}, "wants a value for n") for missing in (None, "", " ")),
        ({}, "wants a value for n"),
        ({"n": "x"}, "whole number"),
        ({"n": 1, "m": 2}, "no parameter m"),
    ],
)
def test_values_that_do_not_fit_are_named(values: dict[str, object], says: str) -> None:
    question = Question(
        "q",
        "T",
        description="D",
        parameters=(Parameter("n", "integer", example="3", description=""),),
        cypher="RETURN $n",
    )
    with pytest.raises(QueryError, match=says):
        question.bind(values)
