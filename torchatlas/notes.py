"""Notes to the person at the terminal: what takes long, what was left out, what changed by itself.

They go to the logger "torchatlas" as warnings. Without any set-up, Python prints these to standard error, as a notebook
shows; a program may handle the logger as it likes.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from torchatlas.graph.errors import SourceError
from torchatlas.graph.names import visible

S = TypeVar("S")
T = TypeVar("T")
_LOGGER = logging.getLogger("torchatlas")


def note(line: str) -> None:
    """Tell one line; control characters of names and feeds are made harmless.

    Example: note("set aside: a quote that is not in its text")
    """
    _LOGGER.warning("%s", visible(line))


def attempt(sources: Iterable[S], read: Callable[[S], T]) -> tuple[list[T], list[SourceError]]:
    """Return what `read` makes of each source, and the errors of the sources that it cannot read.

    Example: attempt(["playerfm.html"], open_page)
    """
    done: list[T] = []
    failures: list[SourceError] = []
    for source in sources:
        try:
            done.append(read(source))
        except SourceError as e:
            failures.append(e)
    return done, failures


def note_failures(failures: Sequence[SourceError], total: int) -> str:
    """Note each of the failures among so many sources and return how many there are, in words; "" for none.

    Raises SourceError where no source is left.

    >>> note_failures([], 3)
    ''
    """
    if failures and total == 1:
        raise failures[0]
    for failure in failures:
        note(str(failure))
    if failures and len(failures) == total:
        raise SourceError(f"none of the {total} could be read")
    return f"{len(failures)} of {total} could not be read" if failures else ""
