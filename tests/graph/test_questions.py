"""Saved questions, and values for the parameters of a query: every engine takes them, or one line says why not."""

from datetime import date, datetime, time, timedelta, timezone, tzinfo
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any
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
COUNTED = HEAD + "// param: n (integer, e.g. 3): how many\nMATCH (c)\nRETURN c LIMIT $n\n"


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.stem)
def test_a_shipped_question_is_whole_and_only_reads(path: Path) -> None:
    question = parse(path.read_text("utf-8"), path.stem)
    assert cypher.check_statement(question.cypher, NEO4J) == cypher.check_statement(question.cypher, LADYBUG)
    assert set(question.bind({p.name: p.example for p in question.parameters})) == {p.name for p in question.parameters}


def test_a_header_becomes_values() -> None:
    wanted = (Parameter("n", "integer", example="3", description="how many"),)
    statement = "MATCH (c)\nRETURN c LIMIT $n"
    assert parse(COUNTED, "q") == Question("q", "T", description="D", parameters=wanted, cypher=statement)


@pytest.mark.parametrize(
    ("text", "values", "says"),
    [
        ("RETURN 1", {}, "in its header"),
        ("// title: T\nRETURN 1", {}, "in its header"),
        (HEAD + "// hello\nRETURN 1", {}, "in its header"),
        (HEAD + "// param: n: how many\nRETURN $n", {}, "in its header"),
        (HEAD + "RETURN $n", {}, "in its header"),
        (HEAD + "// param: n (string, e.g. x): a\nRETURN 1", {}, "in its header"),
        *((COUNTED, values, "wants a value for n") for values in ({}, {"n": None}, {"n": ""}, {"n": " "})),
        (COUNTED, {"n": "x"}, "whole number"),
        (COUNTED, {"n": 1, "m": 2}, "no parameter m"),
    ],
)
def test_a_wrong_header_and_values_that_do_not_fit_are_named(text: str, values: dict[str, object], says: str) -> None:
    with pytest.raises(QueryError if text == COUNTED else DataError, match=says):
        parse(text, "q").bind(values)


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


Day, Octets, Zone = (type(of.__name__.title(), (of,), {}) for of in (date, bytes, tzinfo))  # classes of others
Colour = Enum("Colour", {"RED": "red"}, type=str)
ENDLESS: list[object] = []
ENDLESS.append(ENDLESS)
RANGE = "$x is out of the range of an engine, -9223372036854775808 to 9223372036854775807; write"
FOREIGN = (Day(2022, 1, 2), datetime(2022, 1, 2, tzinfo=Zone()), time(3, tzinfo=Zone()))
FOREIGN_TIMES: tuple[object, ...] = (*FOREIGN, pd.Timestamp("2022-01-02"), pd.Timedelta(hours=3), pd.NaT)
SURROGATE = "$x has a lone surrogate; give a text of whole characters"
TAKEN = "a number, a text, a date of Python's own"


@pytest.mark.parametrize(
    ("value", "says"),
    [
        *((number, RANGE) for number in (MOST + 1, LEAST - 1, [{"a": (1, 10**5000)}], Fraction(10**400))),
        *((text, SURROGATE) for text in ("\ud800", {"a\udfff": 1})),
        *((v, f"no engine takes the {type(v).__name__} that is given for $x; give {TAKEN}") for v in FOREIGN_TIMES),
        (object(), f"no engine takes the object that is given for $x; give {TAKEN}"),
        *((v, f"no engine takes the {type(v).__name__} that is given for $x") for v in ({1: 2}, {1, 2}, 1j)),
        (ENDLESS, "$x is nested deeper than 100 levels; give its parts as parameters of their own"),
    ],
)
def test_a_value_that_no_engine_takes_is_one_line(value: object, says: str) -> None:
    with pytest.raises(QueryError) as caught:
        chosen({"x": value}, "RETURN $x")
    assert str(caught.value).startswith(says) and "\n" not in str(caught.value)


def test_values_are_of_classes_that_any_process_knows() -> None:
    two = timezone(timedelta(hours=2))
    moments = [datetime(2022, 10, 30, 2, 30, 4, 5, ZoneInfo("Europe/Berlin"), fold=1), datetime(2022, 1, 2, tzinfo=two)]
    same = [*moments, date(2022, 1, 2), time(3, 4, 5, 6), time(3, tzinfo=two), timedelta(1, 2, 3)]
    changed: list[tuple[object, object]] = [(Octets(b"x"), b"x"), (Colour.RED, "red"), (np.int64(3), 3)]
    changed += [(np.float32(0.5), 0.5), (Fraction(1, 2), 0.5), ((True, None), [True, None])]
    taken: Any = plain_value([*same, *(value for value, _ in changed)], "x")
    assert taken == [*same, *(plain for _, plain in changed)]
    assert [type(v) for v in taken[len(same) :]] == [bytes, str, int, float, float, list]
    assert {type(v).__module__ for v in taken} == {"datetime", "builtins"}


@pytest.mark.parametrize("digits", ["9223372036854775808", "-9223372036854775809", "9" * 5000, "+" + "9" * 5000])
def test_a_typed_number_beyond_64_bits_is_one_short_line(digits: str) -> None:
    with pytest.raises(QueryError, match=r"out of the range of an engine.*as text, with quotes") as caught:
        typed_value(digits)
    assert len(str(caught.value)) < 200
    assert [typed_value(d) for d in (str(MOST), str(LEAST), "0" * 5000 + "7", "-0")] == [MOST, LEAST, 7, 0]


LEAVES = st.none() | st.integers() | st.floats() | st.text() | st.binary() | st.complex_numbers()
KEYS = st.text() | st.integers()
TYPED = st.text(max_size=30) | st.from_regex(r"[+-]?[0-9]{0,40}(\.[0-9]{0,400})?", fullmatch=True)


@given(st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=9), TYPED)
def test_whatever_a_program_gives_or_a_person_types_is_taken_or_a_query_error(value: object, text: str) -> None:
    for read in (lambda: value, lambda: typed_value(text)):
        try:
            taken = plain_value(read(), "x")
        except QueryError as e:
            assert "\n" not in str(e)
        else:
            assert isinstance(taken, int | float | str | bytes | list | dict | None)
