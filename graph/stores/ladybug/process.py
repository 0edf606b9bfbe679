"""The process that asks the embedded engine."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from torchatlas.graph.cypher import check_plan, too_long
from torchatlas.graph.errors import QueryError
from torchatlas.graph.stores.ladybug.dialect import LADYBUG
from torchatlas.graph.stores.ladybug.hints import explain
from torchatlas.graph.stores.ladybug.values import from_ladybug
from torchatlas.graph.stores.query_process import Answer, Request, limited_memory, serve

if TYPE_CHECKING:
    import ladybug

T = TypeVar("T")
_OPERATOR = re.compile(r"([A-Z_]+)\[\d+\]")
_FUNCTION = re.compile(r"Function: (?!READ_FTABLE\b)(\w+)")  # READ_FTABLE reads what the query itself has collected


@dataclass(frozen=True, slots=True)
class DatabaseFile:
    """The file of the graph, and the bytes for the engine's pages."""

    path: Path
    memory: int


def main() -> None:
    """Answer until standard input ends.

    Example: `subprocess.Popen(command("torchatlas.graph.stores.ladybug.process"))`
    """
    import ladybug  # noqa: F401 (before the clock starts)

    serve(_answer)


def _answer(request: Request) -> Answer:
    import ladybug

    place: DatabaseFile = request.place
    base = ladybug.Database(place.path, read_only=True, buffer_pool_size=place.memory)
    # The file must be open by then: the engine reserves terabytes of addresses to open it
    # (https://github.com/kuzudb/kuzu/issues/2959).
    with base, ladybug.Connection(base) as connection, limited_memory():
        connection.set_query_timeout(max(1, int(request.seconds * 1000)))
        try:
            return _asked(connection, request)
        except RuntimeError as e:
            if "bad_alloc" in str(e):
                raise MemoryError from e
            if "Interrupted" in str(e):
                raise too_long(request.seconds) from e
            raise QueryError(explain(str(e), request.cypher)) from e


def _asked(connection: "ladybug.Connection", request: Request) -> Answer:
    ask: Any = connection.execute  # one result for one statement, a list of them for several
    given = dict(request.parameters)
    try:
        explained = ask("EXPLAIN " + request.cypher, given)
    except (ValueError, OverflowError, TypeError) as e:
        remedy = "give a list whose values are all of one type"
        raise QueryError(f"a parameter has a value that the engine does not take ({e}); {remedy}") from e
    plan = _held(lambda: explained.get_all()[0][0])
    check_plan(_operators(plan), LADYBUG)
    result = ask(request.cypher, given)
    rows = _held(lambda: result.get_n(request.rows + 1))
    return tuple(result.get_column_names()), tuple(tuple(from_ladybug(value) for value in row) for row in rows)


def _held(read: Callable[[], T]) -> T:
    """Return what `read` does. Raises QueryError where Python cannot hold one of the engine's values."""
    try:
        return read()
    except UnicodeDecodeError as e:
        remedy = "write the character itself instead of its two halves, \\ud83d\\ude00"
        raise QueryError(f"a text has a lone surrogate, which cannot be shown; {remedy}") from e
    except (ValueError, OverflowError, TypeError) as e:
        raise QueryError(f"a value cannot be shown as it is ({e}); return it as text: string(x)") from e


def _operators(plan: str) -> Iterator[str]:
    """Yield the operators in a drawn plan, which are in the first line of each box, and the functions not offered.

    The other lines may hold words of the query itself: those can make a plan look worse than it is, but no better.
    """
    for border, line in pairwise(plan.splitlines()):
        if border.lstrip().startswith("┌"):
            yield from _OPERATOR.findall(line)
    yield from (name for name in _FUNCTION.findall(plan) if name.lower() not in LADYBUG.procedures)
