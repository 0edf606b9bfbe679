"""A query in a process of its own, which can be ended whatever its engine does.

ladybug 0.22 checks a time limit only between steps of a plan, Neo4j (5.26, 2026.09)
between rows, and a large answer fills any memory. The two ends exchange pickles.
"""

import pickle
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from torchatlas.graph.cypher import Dialect, check_statement, chosen, explained, too_long
from torchatlas.graph.errors import AtlasError, QueryError, StoreError
from torchatlas.graph.model import TABLES, NodeTable
from torchatlas.graph.stores.base import ROWS, SECONDS, Store, check_limits

if TYPE_CHECKING:
    from torchatlas.graph.answers import Table
GRACE = 1.0  # seconds for an engine to end a query by itself at the limit
_CEILING = 1024 * 1024 * 1024  # bytes that a query may take beside what the process has already
_TOO_MUCH = (
    "the query needs more memory than it may take; narrow it or add a LIMIT; "
    "or it has a value that Python cannot hold, such as a date after the year 9999: return it as text"
)
# As in multiprocessing, the child gets our import path behind its own: a signal.py
# beside a notebook must not be taken for the standard library's.
_CODE = """import sys
sys.path[:0] = [place for place in [{root!r}] if place not in sys.path]
sys.path += [place for place in {places!r} if place not in sys.path]
from {module} import main
main()"""
Answer = tuple[tuple[str, ...], tuple[tuple[object, ...], ...]]  # columns and rows


class Request(NamedTuple):
    """A query of the graph at `place`, or of its `plan`; the answer has up to `rows` + 1 rows."""

    place: Any
    cypher: str
    parameters: Mapping[str, object]
    rows: int
    seconds: float
    plan: bool = False


class CypherStore(Store):
    """A store whose module has an `answering()`, run in a process until `close`."""

    dialect: Dialect

    def __init__(self, say: Callable[[str], None] | None) -> None:
        self._say = say or (lambda _line: None)
        self._process: Any = None
        self._ended: list[QueryError] | None = None  # why the query under way is ended

    def _place(self) -> Any:
        """Return where the engine finds the graph."""

    def query(
        self, cypher: str, parameters: Mapping[str, object] | None = None, *, rows: int = ROWS, seconds: float = SECONDS
    ) -> "Table":
        from torchatlas.graph.answers import Table  # the process that asks the engine needs none

        check_statement(cypher, self.dialect)
        check_limits(rows, seconds)
        text, values = explained(cypher), chosen(parameters or {}, cypher)
        request = Request(self._place(), text or cypher, values, rows, seconds, plan=text is not None)
        answer: Answer | AtlasError | None = None
        ended = self._ended = []
        timer = threading.Timer(seconds + GRACE, self._end, [too_long(seconds), ended])
        try:
            process = self._start()
            timer.start()  # all is loaded: the time of the query begins now
            pickle.dump(request, process.stdin)
            process.stdin.flush()
            answer = pickle.load(process.stdout)  # noqa: S301 (from our own child)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError) as e:
            if not ended:
                if process.wait() == 1:  # an error that nothing caught; without memory it just ends
                    raise StoreError("the process that asks the engine broke; its error is above") from e
                raise QueryError(_TOO_MUCH) from e
        finally:  # Ctrl-C ends the query too
            timer.cancel()
            self._ended = None
            if self._process and (answer is None or ended):
                self._process.kill()
                CypherStore.close(self)
        if answer is None or isinstance(answer, AtlasError):
            raise answer or ended[0]
        columns, found = answer
        return Table(columns, found[:rows], truncated=len(found) > rows)

    def _end(self, why: QueryError, ended: list[QueryError] | None) -> None:
        if ended is not None:
            ended.append(why)
            if process := self._process:
                process.kill()

    def interrupt(self) -> None:
        self._end(QueryError("the query was interrupted"), self._ended)

    def close(self) -> None:
        process, self._process = self._process, None
        if process:
            self._finish()

    def _start(self) -> Any:
        """Return the process, started if need be. Raises EOFError if it was ended."""
        if self._process and self._process.poll() is not None:  # an end came after its answer
            CypherStore.close(self)
        if not self._process:
            run, pipe = command(__name__, type(self).__module__), subprocess.PIPE
            # Ctrl-C in a terminal is for this process, which ends that one.
            self._process = subprocess.Popen(run, stdin=pipe, stdout=pipe, start_new_session=True)
            self._finish = weakref.finalize(self, self._process.communicate)
            if not self._process.stdout.readline():
                if not self._ended:
                    raise StoreError("the process that asks the engine did not start; its error is above")
                raise EOFError
        return self._process


def reading(name: str, marker: str = "") -> str:
    """Return Cypher to read a table, `reading("CITES")`, of nodes with a `marker`."""
    table = TABLES[name]
    values = ", ".join(f"x.`{column.name}` AS `{column.name}`" for column in table.columns)
    if isinstance(table, NodeTable):
        return f"MATCH (x:`{name}`{marker}) RETURN {values}"
    source = "|".join(f"`{label}`{marker}" for label in table.source.split("|"))
    pattern = f"(a:{source})-[x:`{name}`]->(b:`{table.target}`{marker})"
    return f"MATCH {pattern} RETURN a.id AS source, b.id AS target, {values}"


def command(module: str, *arguments: str) -> list[str]:
    """Return a command for `main()` of a module: `Popen(command("a.module"))`."""
    root = str(Path(str(files("torchatlas"))).parent)  # its own path may lead through links
    places = [str(Path(place).absolute()) for place in sys.path if place]
    return [sys.executable, "-P", "-c", _CODE.format(root=root, places=places, module=module), *arguments]


def main() -> None:
    """Be the child: answer until input ends or a query needs too much memory."""
    # The Neo4j driver would load them, which is slow. None: not to be had.
    sys.modules.update(dict.fromkeys(("numpy", "pandas", "pyarrow")))  # type: ignore[arg-type]
    # The system ends this process after so long (0: never); a killed parent cannot.
    end_after = partial(signal.setitimer, signal.ITIMER_REAL) if hasattr(signal, "setitimer") else float
    with import_module(sys.argv[1]).answering() as answer, suppress(EOFError, BrokenPipeError, MemoryError):
        sys.stdout.buffer.write(b"ready\n")
        sys.stdout.buffer.flush()
        while True:
            request = pickle.load(sys.stdin.buffer)  # noqa: S301 (from our own parent)
            end_after(request.seconds + 2 * GRACE)
            try:
                outcome = answer(request)
            except AtlasError as e:
                outcome = e
            except RecursionError:
                outcome = QueryError("a value in the rows is nested too deep to be shown; return a part of it")
            pickle.dump(outcome, sys.stdout.buffer)
            sys.stdout.buffer.flush()
            end_after(0)


@contextmanager
def limited_memory() -> Iterator[None]:
    """Limit further memory, on Linux: `with limited_memory(): ask()`."""
    if sys.platform != "linux":
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    taken = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + _CEILING, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
