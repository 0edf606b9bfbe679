"""The parameters of a Cypher text: their names, and values that every engine takes."""

import datetime
from collections.abc import Mapping
from itertools import pairwise
from numbers import Integral, Real
from typing import Any
from zoneinfo import ZoneInfo

from torchatlas.graph.cypher.guard import DEEPEST, HALF, tokens
from torchatlas.graph.values.errors import MissingValue, QueryError

LEAST, MOST = -(2**63), 2**63 - 1
"""The whole numbers that an engine holds."""
_ZONES = (datetime.timezone, ZoneInfo, type(None))


def written_parameters(text: str) -> dict[str, str]:
    """Return the parameters in a text as they are written there, each with its name.

    >>> written_parameters("MATCH (c {id: $id}) RETURN $`two words`, '$no'")
    {'id': 'id', '`two words`': 'two words'}
    """
    found = tokens(text)
    written = [b for a, b in pairwise(found) if a.text == "$" and b.kind in {"word", "name", "number"}]
    return {t.text: t.text[1:-1].replace("``", "`") if t.kind == "name" else t.text for t in written}


def parameters(text: str) -> frozenset[str]:
    """Return the names of the parameters in a text.

    >>> sorted(parameters("MATCH (c {id: $id}) WHERE c.area = $area RETURN '$no'"))
    ['area', 'id']
    """
    return frozenset(written_parameters(text).values())


def chosen(given: Mapping[str, object], text: str) -> dict[str, object]:
    """Return the values of the parameters that a text names.

    Raises MissingValue where one has none, QueryError where it has a value that no engine takes.

    >>> chosen({"id": "tensor", "unused": 1}, "MATCH (c {id: $id}) RETURN c")
    {'id': 'tensor'}
    """
    named = parameters(text)
    if missing := sorted(named - set(given)):
        raise MissingValue(missing[0])
    return {name: plain_value(given[name], name, 0) for name in sorted(named)}


def whole_number(digits: str) -> int:
    """Return the whole number that somebody typed. Raises QueryError for one that no engine holds.

    >>> whole_number("-61")
    -61
    """
    amount = digits.lstrip("+-0") or "0"
    if len(amount) > len(str(MOST)):  # Python reads no more than thousands of digits
        raise _too_large("a whole number")
    return _held(-int(amount) if digits.startswith("-") else int(amount), "a whole number")


def plain_value(value: Any, name: str, depth: int = 0) -> object:
    """Return the value of the parameter `name` in types of the standard library, which every engine takes.

    `depth`: the lists and maps that it is in. Raises QueryError for a value that no engine takes.

    >>> plain_value((1, 2.5, None), "numbers")
    [1, 2.5, None]
    """
    if depth > DEEPEST:
        raise QueryError(f"${name} is nested deeper than {DEEPEST} levels; give its parts as parameters of their own")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, bytes):
        return bytes(value)
    if isinstance(value, str):
        if half := HALF.search(value):
            raise QueryError(f"${name} has a lone surrogate, U+{ord(half[0]):04X}; give a text of whole characters")
        return str.__str__(value)  # an enumeration of texts says its own name otherwise
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta)) and value == value:  # pandas.NaT is not
        return _moment(value)
    if isinstance(value, Integral):
        return _held(int(value), f"${name}")
    if isinstance(value, Real):
        return _as_float(value, name)
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {str(plain_value(key, name)): plain_value(inner, name, depth + 1) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_value(inner, name, depth + 1) for inner in value]
    remedy = "give a number, a text, a date, or a list or map of them"
    raise QueryError(f"no engine takes the {type(value).__name__} that is given for ${name}; {remedy}")


def _moment(value: datetime.date | datetime.time | datetime.timedelta) -> object:
    """Return a date, a time or a span of time as the standard library's own, which the process that asks knows."""
    if isinstance(value, datetime.timedelta):
        return datetime.timedelta(value.days, value.seconds, value.microseconds)
    if isinstance(value, datetime.time):
        return _clock(value)
    day = datetime.date(value.year, value.month, value.day)
    return datetime.datetime.combine(day, _clock(value)) if isinstance(value, datetime.datetime) else day


def _clock(value: datetime.datetime | datetime.time) -> datetime.time:
    """Return the time of the day; a zone that is not the standard library's becomes its offset."""
    zone, offset = value.tzinfo, value.utcoffset()
    if type(zone) not in _ZONES:
        zone = None if offset is None else datetime.timezone(offset)
    return datetime.time(value.hour, value.minute, value.second, value.microsecond, tzinfo=zone, fold=value.fold)


def _as_float(value: Real, name: str) -> float:
    try:
        return float(value)
    except OverflowError as e:  # a fraction may be larger than any of them
        raise _too_large(f"${name}") from e


def _held(number: int, what: str) -> int:
    if LEAST <= number <= MOST:
        return number
    raise _too_large(what)


def _too_large(what: str) -> QueryError:
    remedy = "write a longer number as text, with quotes, in the query"
    return QueryError(f"{what} is out of the range of an engine, {LEAST} to {MOST}; {remedy}")
