"""A reading query on the embedded engine, in a process of its own.

The engine looks at its time limit between the steps of a plan, so one long expression (`range(1, 1000000000)`) would
outlive it, take all memory and hold up Ctrl-C. A process can be ended at any moment, has a ceiling of its own, and is
kept for the next query. Both ends are this program: they exchange pickles on its standard input and output.
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
from typing import TYPE_CHECKING, Any

from torchatlas.graph.cypher.guard import Dialect, check_plan
from torchatlas.graph.stores.helper_process import environment
from torchatlas.graph.stores.values import from_ladybug
from torchatlas.graph.values.errors import QueryError

if TYPE_CHECKING:
    import ladybug

GRACE = 0.5
"""Seconds that the engine has to end by itself at the limit, before its process is ended."""
CEILING = 1024 * 1024 * 1024
"""Bytes that a query may take beside the engine's pages, where the system can be told so."""
_OPERATOR = re.compile(r"([A-Z_]+)\[\d+\]")
_FUNCTION = re.compile(r"Function: (?!READ_FTABLE\b)(\w+)")  # that one reads what the query itself has collected
_TOO_MUCH = "the query needs more memory than it may take; narrow it or add a LIMIT"


@dataclass(frozen=True, slots=True)
class Request:
    """What to ask. `memory`: bytes for the engine's pages; `rows`: how many to fetch; `seconds`: the time limit."""

    path: Path
    memory: int
    _: KW_ONLY
    cypher: str
    parameters: Mapping[str, object]
    dialect: Dialect
    rows: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Answer:
    """Columns and rows, or what went wrong: `refused` in our words, `failed` in the engine's."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[object, ...], ...] = ()
    _: KW_ONLY
    refused: str = ""
    failed: str = ""


class Asker:
    """Asks in a process that starts with the first query and ends with `close`, or when this object is forgotten."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False

    def ask(self, request: Request) -> Answer:
        """The answer. Raises QueryError where the time was over, or the process died of what it was asked."""
        process = self.start()
        assert process.stdin is not None and process.stdout is not None
        if not self._ready:
            process.stdout.readline()  # what it needs is loaded, and the time of the query begins now
            self._ready = True
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        answer: Answer | None = None
        timer = threading.Timer(request.seconds + GRACE, end)
        timer.start()
        try:
            pickle.dump(request, process.stdin)
            process.stdin.flush()
            answer = pickle.load(process.stdout)  # noqa: S301 (from our own child)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            pass
        finally:  # Ctrl-C ends the query too
            timer.cancel()
            if answer is None:
                self.close(kill=True)
        if answer is None:
            raise QueryError(too_long(request.seconds) if late.is_set() else _TOO_MUCH)
        return answer

    def close(self, kill: bool = False) -> None:
        """End the process."""
        if process := self._process:
            self._process = None
            if kill:
                process.kill()
            self._end()

    def start(self) -> subprocess.Popen[bytes]:
        """The process, which takes its while to be ready: begin before the answer is needed."""
        if self._process is None:
            self._process, self._ready = _start(), False
            self._end = weakref.finalize(self, self._process.communicate)
        return self._process


def too_long(seconds: float) -> str:
    """What to say of a query that was ended."""
    return f"the query took more than {seconds:g} seconds; narrow it or add a LIMIT"


def _start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-c", "from torchatlas.graph.stores.ladybug.process import main; main()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C in a terminal is for us, and we end it
        env=environment(),
    )


def _operators(plan: str, dialect: Dialect) -> Iterator[str]:
    """The operators in a drawn plan, the first line of each box, and the functions called that are not offered.

    What stands below may be the user's own words: they can make it look worse than it is, but no better.
    """
    for border, line in pairwise(plan.splitlines()):
        if border.lstrip().startswith("┌"):
            yield from _OPERATOR.findall(line)
    yield from (name for name in _FUNCTION.findall(plan) if name.lower() not in dialect.procedures)


def _answer(request: Request) -> Answer:
    import ladybug

    try:
        base = ladybug.Database(request.path, read_only=True, buffer_pool_size=request.memory)
        with base, ladybug.Connection(base) as connection, _limited(CEILING):
            connection.set_query_timeout(max(1, int(request.seconds * 1000)))
            plan = _run(connection, "EXPLAIN " + request.cypher, request).get_all()[0][0]
            check_plan(_operators(plan, request.dialect), request.dialect)
            result = _run(connection, request.cypher, request)
            rows = tuple(tuple(from_ladybug(value) for value in row) for row in result.get_n(request.rows))
            return Answer(tuple(result.get_column_names()), rows)
    except QueryError as e:
        return Answer(refused=str(e))
    except RuntimeError as e:  # all that the engine raises
        if "bad_alloc" in str(e):
            raise MemoryError from e
        return Answer(refused=too_long(request.seconds)) if "Interrupted" in str(e) else Answer(failed=str(e))


@contextmanager
def _limited(more: int) -> Iterator[None]:
    """Let this process take so many bytes more than it has: begin when the file is open, for which the engine reserves
    terabytes of addresses.
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
    """Let the system end this process then (0: not at all): a parent that was killed ends nobody."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _run(connection: "ladybug.Connection", text: str, request: Request) -> Any:
    return connection.execute(text, dict(request.parameters))


def main() -> None:
    """Answer until standard input ends, or a query has needed too much memory."""
    import ladybug  # noqa: F401 (before the clock starts)

    sys.stdout.buffer.write(b"ready\n")
    sys.stdout.buffer.flush()
    with suppress(EOFError, BrokenPipeError, MemoryError):
        while True:
            request = pickle.load(sys.stdin.buffer)  # noqa: S301 (from our own parent)
            _end_after(request.seconds + 2 * GRACE)
            pickle.dump(_answer(request), sys.stdout.buffer)
            sys.stdout.buffer.flush()
            _end_after(0)
