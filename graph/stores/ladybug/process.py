"""A reading query on the embedded engine, in a process of its own, which is kept for the next query.

The engine (ladybug 0.22) looks at its time limit between the steps of a plan only. One long expression such as
`range(1, 1000000000)` would outlive the limit, take all memory and hold up Ctrl-C. A process can always be ended.
The two ends exchange pickles on its standard input and output.
"""

import pickle
import re
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from torchatlas.graph.cypher.guard import check_plan, too_long
from torchatlas.graph.stores.helper_process import command
from torchatlas.graph.stores.ladybug.dialect import LADYBUG
from torchatlas.graph.stores.ladybug.values import from_ladybug
from torchatlas.graph.values.errors import QueryError, StoreError

_GRACE = 0.5  # seconds that the engine has to end by itself at the limit, before its process is ended
_CEILING = 1024 * 1024 * 1024  # bytes that a query may take beside the engine's pages
_OPERATOR = re.compile(r"([A-Z_]+)\[\d+\]")
_FUNCTION = re.compile(r"Function: (?!READ_FTABLE\b)(\w+)")  # READ_FTABLE reads what the query itself has collected
_TOO_MUCH = "the query needs more memory than it may take; narrow it or add a LIMIT"


Answer = tuple[tuple[str, ...], tuple[tuple[object, ...], ...]]  # columns and rows


@dataclass(frozen=True, slots=True)
class Request:
    """A query and its limits: bytes for the engine's pages (`memory`), `rows` to fetch, `seconds` to take."""

    path: Path
    memory: int
    _: KW_ONLY
    cypher: str
    parameters: Mapping[str, object]
    rows: int
    seconds: float


class Asker:
    """The parent's end. The process starts with the first query and ends with `close` or with this object.

    Example: `columns, rows = Asker().ask(request)`
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False

    def ask(self, request: Request) -> Answer:
        """Return the answer. Raises QueryError for a refused plan and at a limit, RuntimeError as the engine does."""
        process = self.start()
        assert process.stdin is not None and process.stdout is not None
        if not self._ready:
            self._ready = bool(process.stdout.readline())  # all is loaded: the time of the query begins now
        if not self._ready:
            self.close(kill=True)
            raise StoreError("the process that asks the embedded engine did not start; its error is above")
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        answer: Answer | Exception | None = None
        timer = threading.Timer(request.seconds + _GRACE, end)
        timer.start()
        try:
            pickle.dump(request, process.stdin)
            process.stdin.flush()
            answer = pickle.load(process.stdout)  # noqa: S301 (from our own child)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError) as e:
            raise too_long(request.seconds) if late.is_set() else QueryError(_TOO_MUCH) from e
        finally:  # Ctrl-C ends the query too
            timer.cancel()
            if answer is None:
                self.close(kill=True)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self, *, kill: bool = False) -> None:
        """End the process, at once where it is to `kill`."""
        if process := self._process:
            self._process = None
            if kill:
                process.kill()
            self._end()

    def start(self) -> subprocess.Popen[bytes]:
        """Start the process, which needs a moment to be ready, and return it."""
        if self._process is None:
            self._process = subprocess.Popen(
                command("torchatlas.graph.stores.ladybug.process"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C in a terminal is for the parent, which ends this process
            )
            self._ready = False
            self._end = weakref.finalize(self, self._process.communicate)
        return self._process


def _operators(plan: str) -> Iterator[str]:
    """Return the operators in a drawn plan, which are in the first line of each box, and the functions not offered.

    The other lines may hold words of the query itself: those can make a plan look worse than it is, but no better.
    """
    for border, line in pairwise(plan.splitlines()):
        if border.lstrip().startswith("┌"):
            yield from _OPERATOR.findall(line)
    yield from (name for name in _FUNCTION.findall(plan) if name.lower() not in LADYBUG.procedures)


def _answer(request: Request) -> Answer | Exception:
    import ladybug

    try:
        base = ladybug.Database(request.path, read_only=True, buffer_pool_size=request.memory)
        with base, ladybug.Connection(base) as connection, _limited(_CEILING):
            connection.set_query_timeout(max(1, int(request.seconds * 1000)))
            ask: Any = connection.execute  # one result for one statement, a list of them for several
            plan = ask("EXPLAIN " + request.cypher, dict(request.parameters)).get_all()[0][0]
            check_plan(_operators(plan), LADYBUG)
            result = ask(request.cypher, dict(request.parameters))
            rows = tuple(tuple(from_ladybug(value) for value in row) for row in result.get_n(request.rows))
            return tuple(result.get_column_names()), rows
    except QueryError as e:
        return e
    except RuntimeError as e:  # the engine raises nothing else
        if "bad_alloc" in str(e):
            raise MemoryError from e
        return too_long(request.seconds) if "Interrupted" in str(e) else e


@contextmanager
def _limited(more: int) -> Iterator[None]:
    """Let this process take so many bytes more than it has now.

    The file must be open by then: the engine reserves terabytes of addresses to open it
    (https://github.com/kuzudb/kuzu/issues/2959).
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    taken = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + more, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _end_after(seconds: float) -> None:
    """Let the system end this process after so long (0: never), since a parent that was killed cannot."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def main() -> None:
    """Answer until standard input ends, or a query has needed too much memory.

    Example: `subprocess.Popen(command("torchatlas.graph.stores.ladybug.process"))`
    """
    import ladybug  # noqa: F401 (before the clock starts)

    sys.stdout.buffer.write(b"ready\n")
    sys.stdout.buffer.flush()
    with suppress(EOFError, BrokenPipeError, MemoryError):
        while True:
            request = pickle.load(sys.stdin.buffer)  # noqa: S301 (from our own parent)
            _end_after(request.seconds + 2 * _GRACE)
            pickle.dump(_answer(request), sys.stdout.buffer)
            sys.stdout.buffer.flush()
            _end_after(0)
