import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.cypher import check_plan, check_statement, chosen, parameters, tokens
from graph.dialects import LADYBUG, NEO4J, explain_ladybug, misspelt
from graph.errors import QueryError
from tests.cypher_texts import ALLOWED, REFUSED


@pytest.mark.parametrize("text", ALLOWED)
@pytest.mark.parametrize("dialect", [NEO4J, LADYBUG], ids=lambda d: d.engine)
def test_a_reading_statement_passes(text: str, dialect) -> None:
    assert check_statement(text, dialect)


@pytest.mark.parametrize("text", REFUSED)
@pytest.mark.parametrize("dialect", [NEO4J, LADYBUG], ids=lambda d: d.engine)
def test_anything_else_is_refused_in_one_line(text: str, dialect) -> None:
    with pytest.raises(QueryError) as caught:
        check_statement(text, dialect)
    assert "\n" not in str(caught.value)


def test_the_name_of_a_function_is_no_clause() -> None:
    assert check_statement("RETURN some.library.remove([1], 0) AS x", NEO4J)


@given(st.text(max_size=60) | st.text("'\"`/*;\\ aRETURN1\n", max_size=30))
def test_tokens_hold_every_character_but_spaces_and_comments(text: str) -> None:
    try:
        found = tokens(text)
    except QueryError as e:
        assert "never closed" in str(e)
        return
    place = 0
    for token in found:
        place = text.index(token.text, place) + len(token.text)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("RETURN 'a\\'; DROP'", "'a\\'; DROP'"),
        ('RETURN "a;b"', '"a;b"'),
        ("RETURN `a``;b`", "`a``;b`"),
        ("a // ;x", "a"),
    ],
)
def test_quotes_and_comments_hide_what_is_in_them(text: str, last: str) -> None:
    assert tokens(text)[-1].text == last


@pytest.mark.parametrize("text", ["RETURN 'a", 'RETURN "a\\"', "RETURN `a", "RETURN 1 /* a"])
def test_what_is_never_closed_is_named(text: str) -> None:
    with pytest.raises(QueryError, match="never closed"):
        tokens(text)


def test_parameters_are_those_of_the_text() -> None:
    text = "MATCH (n {id: $id}) WHERE n.x = '$no' // $nor\nRETURN n.y, $`two words`"
    assert parameters(text) == {"id", "two words"}
    assert chosen({"id": 1, "two words": 2, "more": 3}, text) == {"id": 1, "two words": 2}
    with pytest.raises(QueryError, match=r"\$two words"):
        chosen({"id": 1}, text)


def test_a_plan_with_an_unknown_step_is_refused() -> None:
    check_plan(["ProduceResults", "NodeByLabelScan"], NEO4J)
    with pytest.raises(QueryError, match="LoadCSV"):
        check_plan(["ProduceResults", "LoadCSV"], NEO4J)


def test_a_slip_is_named_only_where_something_is_near() -> None:
    written = tokens("MATCH (n:Concpt) RETURN n.somewhere")
    assert misspelt(["Concpt"], written) == "there is no Concpt in this graph; did you mean Concept?"
    assert misspelt(["somewhere", "REQUIRES"], written) is None


def test_what_the_embedded_engine_lacks_comes_with_a_remedy() -> None:
    assert "label(r)" in explain_ladybug("Catalog exception: function TYPE does not exist.", "RETURN type(r)")
    assert "did you mean name" in explain_ladybug("Binder exception: Cannot find property nam for n.", "")
