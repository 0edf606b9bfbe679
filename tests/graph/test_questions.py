"""Saved questions, and values for the parameters of a query: every engine takes them, or one line says why not."""

import datetime
from enum import Enum
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.graph import cypher
from torchatlas.graph.cypher import LEAST, MOST, Parameter, Question, chosen, parse, plain_value
from torchatlas.graph.errors import DataError, QueryError, UnknownName
from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.graph.questions import Resolver
from torchatlas.graph.stores.ladybug import LADYBUG
from torchatlas.graph.stores.neo4j import NEO4J
from torchatlas.queries import typed_value

SHIPPED = sorted((Path(__file__).parents[2] / "data" / "questions").glob("*.cypher"))
HEAD = "// title: T\n// description: D\n"


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.stem)
def test_a_shipped_question_is_whole_and_only_reads(path: Path) -> None:
    question = parse(path.read_text("utf-8"), path.stem)
    assert cypher.check_statement(question.cypher, NEO4J) == cypher.check_statement(question.cypher, LADYBUG)
    assert set(question.bind({p.name: p.example for p in question.parameters})) == {p.name for p in question.parameters}


def test_a_header_becomes_values() -> None:
    text = HEAD + "// param: n (integer, e.g. 3): how many\nMATCH (c)\nRETURN c LIMIT $n\n"
    wanted = (Parameter("n", "integer", example="3", description="how many"),)
    statement = "MATCH (c)\nRETURN c LIMIT $n"
    assert parse(text, "q") == Question("q", "T", description="D", parameters=wanted, cypher=statement)


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
    concept = Concept("a", "The A", area="Area One", aliases=("first",))
    resolver = Resolver(Snapshot((concept,), (Episode("s/e", "E", show="S", number=7),)))
    kinds = {"c": "concept", "e": "episode", "a": "area", "s": "string"}
    told = "".join(f"// param: {name} ({kind}, e.g. x): it\n" for name, kind in kinds.items())
    question = parse(f"{HEAD}{told}RETURN $c, $e, $a, $s", "q")
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
    question = parse(HEAD + "// param: n (integer, e.g. 3): how many\nRETURN $n", "q")
    with pytest.raises(QueryError, match=says):
        question.bind(values)


ENDLESS: list[object] = []
ENDLESS.append(ENDLESS)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (MOST + 1, "$x is out of the range of an engine, -9223372036854775808 to 9223372036854775807; write"),
        (LEAST - 1, "$x is out of the range"),
        ([{"a": (1, 10**5000)}], "$x is out of the range"),
        (Fraction(10**400), "$x is out of the range"),
        ("\ud800", "$x has a lone surrogate; give a text of whole characters"),
        ({"a\udfff": 1}, "$x has a lone surrogate"),
        (object(), "no engine takes the object that is given for $x; give a number, a text, a date of"),
        ({1: 2}, "no engine takes the dict that is given for $x"),
        ({1, 2}, "no engine takes the set that is given for $x"),
        (1j, "no engine takes the complex that is given for $x"),
        (ENDLESS, "$x is nested deeper than 100 levels; give its parts as parameters of their own"),
    ],
)
def test_a_value_that_no_engine_takes_is_one_line(value: object, says: str) -> None:
    with pytest.raises(QueryError) as caught:
        chosen({"x": value}, "RETURN $x")
    assert str(caught.value).startswith(says) and "\n" not in str(caught.value)


def test_numbers_of_other_libraries_become_plain_ones() -> None:
    given_values = [np.int64(3), np.float32(0.5), Fraction(1, 2), (True, None), datetime.date(2022, 1, 1)]
    taken = plain_value(given_values, "x")
    assert taken == [3, 0.5, 0.5, [True, None], datetime.date(2022, 1, 1)]
    assert isinstance(taken, list) and [type(v) for v in taken[:3]] == [int, float, float]


class Day(datetime.date): ...


class Octets(bytes): ...


class Colour(str, Enum):  # noqa: UP042 (its str() is not its value)
    RED = "red"


class Zone(datetime.tzinfo): ...


def test_values_are_of_classes_that_any_process_knows() -> None:
    berlin, two = ZoneInfo("Europe/Berlin"), datetime.timezone(datetime.timedelta(hours=2))
    standard = [
        datetime.date(2022, 1, 2), datetime.datetime(2022, 10, 30, 2, 30, 4, 5, berlin, fold=1),
        datetime.datetime(2022, 1, 2, tzinfo=two), datetime.time(3, 4, 5, 6), datetime.time(3, tzinfo=two),
        datetime.timedelta(1, 2, 3),
    ]  # fmt: skip
    taken = plain_value([*standard, Octets(b"x"), Colour.RED], "x")
    assert taken == [*standard, b"x", "red"]
    assert isinstance(taken, list) and {type(v).__module__ for v in taken} == {"datetime", "builtins"}


@pytest.mark.parametrize(
    "value",
    [Day(2022, 1, 2), datetime.datetime(2022, 1, 2, tzinfo=Zone()), datetime.time(3, tzinfo=Zone()),
     pd.Timestamp("2022-01-02"), pd.Timedelta(hours=3), pd.NaT],
)  # fmt: skip
def test_a_time_of_another_library_is_refused(value: object) -> None:
    with pytest.raises(QueryError, match=f"no engine takes the {type(value).__name__} .* date of Python's own"):
        plain_value(value, "x")


def test_a_parameter_is_known_by_its_name_and_as_it_is_written() -> None:
    assert cypher.written_parameters("RETURN $`set`, $set, $`a``b`, $1") == {
        "`set`": "set", "set": "set", "`a``b`": "a`b", "1": "1",
    }  # fmt: skip


@pytest.mark.parametrize("digits", ["9223372036854775808", "-9223372036854775809", "9" * 5000, "+" + "9" * 5000])
def test_a_typed_number_beyond_64_bits_is_one_short_line(digits: str) -> None:
    with pytest.raises(QueryError, match=r"out of the range of an engine.*as text, with quotes") as caught:
        typed_value(digits)
    assert len(str(caught.value)) < 200


def test_typed_numbers_up_to_64_bits_are_numbers() -> None:
    assert [typed_value(d) for d in (str(MOST), str(LEAST), "0" * 5000 + "7")] == [MOST, LEAST, 7]
    assert cypher.whole_number("-0") == 0


@given(st.text(max_size=30) | st.from_regex(r"[+-]?[0-9]{0,40}(\.[0-9]{0,400})?", fullmatch=True))
def test_whatever_is_typed_is_a_value_or_a_query_error(text: str) -> None:
    try:
        value = plain_value(typed_value(text), "x")
    except QueryError as e:
        assert "\n" not in str(e)
        return
    assert isinstance(value, int | float | str)


LEAVES = st.none() | st.integers() | st.floats() | st.text() | st.binary() | st.complex_numbers()
KEYS = st.text() | st.integers()


@given(st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=9))
def test_whatever_a_program_gives_is_taken_or_a_query_error(value: object) -> None:
    try:
        plain_value(value, "x")
    except QueryError as e:
        assert "\n" not in str(e)
