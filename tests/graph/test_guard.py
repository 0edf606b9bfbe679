"""What a query may do, and the remedies for slips in it; those of each dialect: tests/stores/test_queries."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cypher_texts import texts
from torchatlas.graph import cypher
from torchatlas.graph.cypher import Dialect, check_statement, chosen, split_statements, tokens
from torchatlas.graph.errors import QueryError
from torchatlas.graph.stores.ladybug import LADYBUG
from torchatlas.graph.stores.neo4j import NEO4J

WRITING = "CREATE MERGE SET DELETE DETACH NODETACH REMOVE INSERT FOREACH LOAD COPY DROP ALTER USE TERMINATE"


def nested(depth: int, opening: str) -> str:
    """A reading statement with so many brackets in one another: "([{" in turn, or "{a: " each time."""
    text = "".join(opening if len(opening) != 3 else opening[i % 3] for i in range(depth))
    closing = str.maketrans("([{", ")]}", "a: ")
    return f"RETURN {text}1{text[::-1].translate(closing)} AS x"


OPENINGS, MANY = ("([{", "(", "[", "{a: "), "[" * 500
READ = (
    "RETURN some.library.remove([1], 0) AS x",  # the name of a function is no clause
    *(nested(100, opening) for opening in OPENINGS),
    # brackets in strings, names and comments do not count, and a closed one makes room
    f"RETURN '{MANY}' AS `{MANY}` // {MANY}",
    "RETURN " + "[1] + " * 500 + "[1] AS x",
    "RETURN 1 AS x //".ljust(100_000, "x"),
    r"RETURN '\ud83d\ude00' AS x",  # two halves of a character are one
)


@pytest.mark.parametrize("dialect", [NEO4J, LADYBUG])
def test_a_reading_statement_within_the_bounds_passes_and_all_else_is_refused_in_one_line(dialect: Dialect) -> None:
    for text in (*texts("read", dialect.engine), *READ):
        assert check_statement(text, dialect), text
    for text in texts("refused", dialect.engine):
        with pytest.raises(QueryError) as caught:
            assert not check_statement(text, dialect), text
        assert "\n" not in str(caught.value)


ONLY_READ = "queries may only read: begin with MATCH, RETURN or WITH, not"
TOO_DEEP = "brackets are nested deeper than 100 levels; take the query apart with WITH"
LONG = "the query is longer than 100,000 characters; give long lists as parameters"
OFFERED = "is not offered; ladybug may be asked: db_version, show_connection, show_functions, show_tables, table_info"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        *((f"RETURN {q}a", f"the quote {q[0]} at character 8 is never closed") for q in ("'", '"\\"', "`")),
        ("RETURN 1 /* a", "the comment at character 10 is never closed"),
        ("RETURN\u200b1", "remove the invisible character U+200B at character 7"),
        (" ;", "the query is empty; try: MATCH (c:Concept) RETURN c.name LIMIT 5"),
        ("RETURN 1; RETURN 2", "one statement at a time: remove what follows the first semicolon"),
        *((f"{word} x", f"{ONLY_READ} '{word}'") for word in ("profile", "SHOW")),
        ("MTCH (n) RETURN n", "no query begins with 'MTCH'; did you mean MATCH?"),
        ("MATCH (n) SET n.x = 1 RETURN n", "queries may only read: remove SET"),
        ("CALL a.`b`.c() YIELD x RETURN x", f"the procedure a.b.c {OFFERED}"),
        ("CALL drop_all RETURN x", f"the procedure drop_all {OFFERED}"),
        ("RETURN 1 AS x //".ljust(100_001, "x"), LONG),
        ("RETURN '\ud83d' AS x", "write the whole character of the lone surrogate at character 9"),
        *((nested(101, opening), TOO_DEEP) for opening in OPENINGS),
        ("RETURN " + "\\u005b" * 101 + "1" + "\\u005d" * 101 + " AS x", TOO_DEEP),  # which the server reads as brackets
    ],
)
def test_a_refusal_says_where_and_what_to_do(text: str, says: str) -> None:
    with pytest.raises(QueryError) as caught:
        check_statement(text, NEO4J if "\\u005b" in text else LADYBUG)
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize("hidden", ["\u180e", "\u200b", "\ufeff", "\x00", "\u2060", "\xad"])
def test_an_invisible_character_is_named_but_not_in_a_string(hidden: str) -> None:
    with pytest.raises(QueryError, match=rf"U[+]{ord(hidden):04X} at character 9"):
        tokens(f"RETURN 1{hidden}AS x")
    assert tokens(f"RETURN '{hidden}' AS `{hidden}` // {hidden}")


@pytest.mark.parametrize("word", WRITING.split())
def test_each_writing_word_is_refused_within_a_statement_and_may_be_a_name(word: str) -> None:
    for after in ("x", "(x)", "`x`", "'x'", "$x"):
        with pytest.raises(QueryError, match=f"queries may only read: remove {word}"):
            check_statement(f"MATCH (x) WITH x AS as {word} {after} RETURN x", NEO4J)
    assert check_statement(f"MATCH ({word}:{word}) WHERE {word}.{word} = ${word} RETURN {word} AS {word}", NEO4J)


@given(st.text(max_size=60) | st.text("'\"`/*;\\ aRETURN1\n", max_size=30))
def test_tokens_hold_every_character_but_spaces_and_comments(text: str) -> None:
    try:
        found = tokens(text)
    except QueryError as e:
        assert "never closed" in str(e) or "invisible" in str(e)
        return
    place = 0
    for token in found:
        place = text.index(token.text, place) + len(token.text)


def test_a_text_is_taken_apart_where_quotes_comments_numbers_and_statements_end() -> None:
    for text in ("'a\\'; DROP'", '"a;b"', "`a``;b`"):
        assert [t.text for t in tokens(f"RETURN {text}// ;x")] == ["RETURN", text]
    numbers = ["1", "LOAD", "1.5e3", "0xFF", "1", ".", ".", "2"]  # one ends where a word begins
    assert [t.text for t in tokens("1LOAD 1.5e3 0xFF 1..2")] == numbers
    text = "RETURN ';' ; MATCH (a;b) // c;\n RETURN `;`;\n RETURN 3 "
    assert list(split_statements(text)) == ["RETURN ';' ;", "MATCH (a;", "b) // c;\n RETURN `;`;", "RETURN 3"]
    assert list(split_statements("RETURN 1; // no more")) == ["RETURN 1;"]
    with pytest.raises(QueryError, match="never closed"):
        list(split_statements("RETURN 1; RETURN 'a"))


def test_parameters_are_those_of_the_text_known_by_name_and_as_they_are_written() -> None:
    text = "MATCH (n {id: $id}) WHERE n.x = '$no' // $nor\nRETURN n.y, $`two words`"
    assert cypher.written_parameters(text) == {"id": "id", "`two words`": "two words"}
    found = cypher.written_parameters("RETURN $`set`, $set, $`a``b`, $1, $ x, $'y'")
    assert found == {"`set`": "set", "set": "set", "`a``b`": "a`b", "1": "1", "x": "x"}
    assert chosen({"id": 1, "two words": 2, "more": 3}, text) == {"id": 1, "two words": 2}
    for given_values, asked, name in (({"id": 1}, text, "two words"), ({}, "RETURN $b, $a", "a")):
        with pytest.raises(QueryError) as caught:
            chosen(given_values, asked)
        assert str(caught.value) == f"the query wants a value for ${name}"


@pytest.mark.parametrize(("step", "dialect"), [("LoadCSV", NEO4J), ("COPY_TO", LADYBUG)])
def test_a_step_of_a_plan_that_is_not_known_to_read_is_named_with_its_engine(step: str, dialect: Dialect) -> None:
    cypher.check_plan(["ProduceResults", "NodeByLabelScan"], NEO4J)
    with pytest.raises(QueryError) as caught:
        cypher.check_plan([step], dialect)
    assert str(caught.value) == f"queries may only read, and {dialect.engine} would do {step} here"


def test_a_slip_is_named_only_where_something_is_near_and_a_form_is_seen_without_what_a_text_says() -> None:
    written = tokens("MATCH (n:Concpt) RETURN n.somewhere")
    assert cypher.misspelt(["Concpt"], written) == "there is no Concpt in this graph; did you mean Concept?"
    assert cypher.misspelt(["somewhere", "REQUIRES"], written) is None
    text = "MATCH ()-[:EXPLAINS]->() RETURN 1"
    there = cypher.with_remedy("Binder exception: Table EXPLAINS does not exist.", text, LADYBUG)
    assert there.startswith("there is no EXPLAINS in this graph; there are ") and " TEACHES," in there
    toy = replace(LADYBUG, lines=(), forms=[("type", "type(r)", "label(r)")])
    assert cypher.with_remedy("odd", "RETURN 'type(r)' /* type(r) */ AS `a b`//type", toy) == "odd"
    assert cypher.with_remedy("odd", "RETURN 'a' + type(r)", toy) == "odd; ladybug has no type(r): write label(r)"
