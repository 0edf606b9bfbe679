"""Values at the edges, into every engine and out of it: they arrive, or one line says why not."""

import pytest

from torchatlas.graph.errors import AtlasError, QueryError, StoreError
from torchatlas.graph.stores.base import Store, open_store


def test_a_parameter_in_backticks_has_its_value(asked: Store) -> None:
    text = "RETURN $`set` AS a, $id AS b, $`id` AS c, $`two words` AS d"
    assert asked.query(text, {"set": 2, "id": "x", "two words": [1]}).rows == ((2, "x", "x", [1]),)


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, "\ud800", ["a\udfff"], {"a": 10**5000}, object()])
def test_a_value_that_cannot_be_sent_is_one_line_and_the_next_query_runs(asked: Store, value: object) -> None:
    with pytest.raises(QueryError, match=r"\$x") as caught:
        asked.query("RETURN $x AS x", {"x": value})
    assert "\n" not in str(caught.value)
    assert asked.query("RETURN $x AS x", {"x": 2**63 - 1}).rows == ((2**63 - 1,),)


@pytest.mark.parametrize(("limit", "value"), [(name, v) for name in ("rows", "seconds") for v in (0, -1, 10**400)])
def test_a_limit_that_makes_no_sense_is_one_line(asked: Store, limit: str, value: int) -> None:
    with pytest.raises(AtlasError, match=f"the limit of {limit} must be at"):
        asked.query("RETURN 1 AS x", **{limit: value})


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), 1e300])
def test_a_time_without_an_end_is_refused(asked: Store, seconds: float) -> None:
    with pytest.raises(AtlasError, match=r"the limit of seconds must be at (most 86400|least 0.001)"):
        asked.query("RETURN 1 AS x", seconds=seconds)


def test_a_text_that_is_half_a_character_is_refused(asked: Store) -> None:
    with pytest.raises(QueryError, match="lone surrogate at character 9"):
        asked.query("RETURN '\ud83d' AS x")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (r"RETURN '\ud83d\ude00' AS x", "a lone surrogate, which cannot be shown; write the character itself"),
        ("RETURN interval('178956970 years') AS x", r"a value cannot be shown as it is .*string\(x\)"),
        ("RETURN map([[1]], ['a']) AS x", r"a value cannot be shown as it is .*string\(x\)"),
        ("RETURN timestamp('290000-01-01 00:00:00') AS x", "a date after the year 9999: return it as text"),
        ("RETURN date('290000-01-01') AS x", "a date after the year 9999: return it as text"),
    ],
)
def test_what_python_cannot_hold_is_told_and_the_next_query_runs(embedded: Store, text: str, says: str, capfd) -> None:
    with embedded, pytest.raises(QueryError, match=says) as caught:
        embedded.query(text)
    assert "\n" not in str(caught.value) and capfd.readouterr().err == ""
    with embedded:
        assert embedded.query("RETURN string(timestamp('290000-01-01 00:00:00')) AS x").rows[0][0].startswith("290000")


def test_a_list_of_two_types_is_told(embedded: Store) -> None:
    with embedded, pytest.raises(QueryError, match="whose values are all of one type"):
        embedded.query("RETURN $x AS x", {"x": [1, "a"]})


@pytest.mark.parametrize(
    "address",
    ["bolt://[", "bolt://h:99999999", "bolt://", f"neo4j://{'a' * 300}", "ladybug:a\0b", "neo4j+local:\0", "x" * 5000],
)
def test_an_address_that_cannot_be_read_is_one_short_line(address: str) -> None:
    with pytest.raises(StoreError) as caught:
        open_store(address)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300
