"""A query in a process of its own, which can always be ended, whatever its engine does.

No engine keeps a time limit by itself. ladybug 0.22 looks at its limit between the steps of a plan only, Neo4j (5.26
and 2026.09) between rows only, and not at all where a text overflows its parser: one long expression would outlive the
limit and hold up Ctrl-C. An answer of 30 million numbers would also fill the memory of the program that asks. The two
ends exchange pickles on the standard input and output of the process.
"""

import pickle
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from torchatlas.graph.cypher import too_long
from torchatlas.graph.errors import AtlasError, QueryError, StoreError
from torchatlas.graph.markdown import Table
from torchatlas.graph.stores.base import check_limits

# As in multiprocessing's "spawn", the child gets the parent's import path, but behind its own: a file signal.py beside
# a notebook must not be taken for the standard library's.
_CODE = """import sys
sys.path[:0] = [place for place in [{root!r}] if place not in sys.path]
sys.path += [place for place in {places!r} if place not in sys.path]
from {module} import main
main()"""


def command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs `main()` of `module` in a process of its own, in any working directory.

    Example: `subprocess.Popen(command("torchatlas.graph.stores.ladybug"))`
    """
    root = str(Path(str(files("torchatlas"))).parent)  # a module's own path would lead through a checkout's links
    places = [str(Path(place).absolute()) for place in sys.path if place]
    return [sys.executable, "-P", "-c", _CODE.format(root=root, places=places, module=module), *arguments]


GRACE = 1.0  # seconds that an engine has to end a query by itself at the limit, before its process is ended
_CEILING = 1024 * 1024 * 1024  # bytes that a query may take beside what the process has when it begins
_TOO_MUCH = "the query needs more memory than it may take; narrow it or add a LIMIT"
_BROKE = (
    "the engine broke while it answered; a value may be beyond what can be shown, such as a date after the year 9999: "
    "return it as text, or narrow the query"
)
_FAULTS = {-11, 0xC0000005}  # how the end of a process tells an access to memory that is not there: Unix, Windows
_RAISED = 1  # how Python ends after an error that nothing caught; for want of memory `serve` just ends

Answer = tuple[tuple[str, ...], tuple[tuple[object, ...], ...]]  # columns and rows


@dataclass(frozen=True, slots=True)
class Request:
    """A query and its limits: `rows` to show, `seconds` to take. The `place` says where its engine finds the graph.

    An engine answers with one row more than `rows`, where there is one, so that it can be told. Raises AtlasError for
    limits that make no sense.
    """

    place: Any
    cypher: str
    _: KW_ONLY
    parameters: Mapping[str, object]
    rows: int
    seconds: float

    def __post_init__(self) -> None:
        check_limits(self.rows, self.seconds)


class _Question:
    """A question under way. `ended`: why it was ended from here, None where it was not."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self.ended: QueryError | None = None

    def is_asked_of(self, process: subprocess.Popen[bytes]) -> None:
        """Let an end kill this process, and raise the reason where the question has ended before."""
        self._process = process
        self.raise_if_ended()

    def end(self, why: QueryError) -> None:
        self.ended = self.ended or why
        if self._process:
            self._process.kill()

    def raise_if_ended(self) -> None:
        if self.ended is not None:
            raise self.ended


class Asker:
    """The parent's end. The process starts with the first query and ends with `close` or with this object.

    `module` has a `main()` that calls `serve`.

    Example: `Asker("torchatlas.graph.stores.ladybug").ask(request).rows`
    """

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        self._asked: _Question | None = None

    def ask(self, request: Request) -> Table:
        """Return the rows. Raises QueryError for a query that is refused, wrong, or at a limit, and StoreError."""
        answer: Answer | AtlasError | None = None
        question = self._asked = _Question()
        try:
            answer = self._answer(request, question)
        finally:  # Ctrl-C ends the query too
            self._asked = None
            if answer is None or question.ended is not None:
                self.close(kill=True)
        if isinstance(answer, AtlasError):
            raise answer
        columns, rows = answer
        return Table(columns, rows[: request.rows], truncated=len(rows) > request.rows)

    def _answer(self, request: Request, question: _Question) -> Answer | AtlasError:
        process = self.start()
        assert process.stdin is not None and process.stdout is not None
        question.is_asked_of(process)
        if not self._ready:
            self._ready = bool(process.stdout.readline())  # all is loaded: the time of the query begins now
        question.raise_if_ended()
        if not self._ready:
            raise StoreError("the process that asks the engine did not start; its error is above")
        timer = threading.Timer(request.seconds + GRACE, question.end, [too_long(request.seconds)])
        timer.start()
        try:
            pickle.dump(request, process.stdin)
            process.stdin.flush()
            answer: Answer | AtlasError = pickle.load(process.stdout)  # noqa: S301 (from our own child)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError) as e:
            if question.ended is not None:
                raise question.ended from e
            code = process.wait()
            if code == _RAISED:
                raise StoreError("the process that asks the engine broke; its error is above") from e
            raise QueryError(_BROKE if code in _FAULTS else _TOO_MUCH) from e
        finally:
            timer.cancel()
        return answer

    def interrupt(self) -> None:
        """End the query under way, from another thread; `ask` raises QueryError then. Without one, do nothing."""
        if question := self._asked:
            question.end(QueryError("the query was interrupted"))

    def close(self, *, kill: bool = False) -> None:
        """End the process, at once where it is to `kill`."""
        if process := self._process:
            self._process = None
            if kill:
                process.kill()
            self._end()

    def start(self) -> subprocess.Popen[bytes]:
        """Start the process, which needs a moment to be ready, and return it."""
        if self._process is not None and self._process.poll() is not None:  # an end came after its answer
            self.close()
        if self._process is None:
            self._process = subprocess.Popen(
                command(self._module),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C in a terminal is for the parent, which ends this process
            )
            self._ready = False
            self._end = weakref.finalize(self, self._process.communicate)
        return self._process


def serve(answer: Callable[[Request], Answer]) -> None:
    """Be the child's end: answer until standard input ends, or a query has needed too much memory.

    What `answer` raises as an AtlasError is told to the parent.

    Example: `serve(lambda request: (("x",), ((1,),)))`
    """
    sys.stdout.buffer.write(b"ready\n")
    sys.stdout.buffer.flush()
    with suppress(EOFError, BrokenPipeError, MemoryError):
        while True:
            request = pickle.load(sys.stdin.buffer)  # noqa: S301 (from our own parent)
            _end_after(request.seconds + 2 * GRACE)
            pickle.dump(_outcome(answer, request), sys.stdout.buffer)
            sys.stdout.buffer.flush()
            _end_after(0)


def _outcome(answer: Callable[[Request], Answer], request: Request) -> Answer | AtlasError:
    try:
        return answer(request)
    except AtlasError as e:
        return e
    except RecursionError:
        return QueryError("a value in the rows is nested too deep to be shown; return a part of it")


@contextmanager
def limited_memory() -> Iterator[None]:
    """Let this process take so many bytes more than it has now. What was mapped before does not count.

    Example: `with limited_memory(): rows = ask()`
    """
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


def _end_after(seconds: float) -> None:
    """Let the system end this process after so long (0: never), since a parent that was killed cannot."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
