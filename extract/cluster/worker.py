"""The part that runs on a worker of a cluster: one extractor a process, and the shares of entries that it reads."""

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

from torchatlas.extract.feeds import Entry
from torchatlas.extract.pipeline import Extractor
from torchatlas.graph.errors import AtlasError
from torchatlas.graph.findings import Extraction


@dataclass(frozen=True, slots=True)
class Recipe:
    """The values from which a worker finds the same as the sender would.

    `key`: a hash of the extractor, `extractor`: it, pickled; `fingerprint`: the one that it has where the sender runs;
    `program`: a function that describes the program of the process that calls it, and `expected`: what it returns to
    the sender.
    """

    key: str
    extractor: bytes
    fingerprint: str
    program: Callable[[], str]
    expected: str


_made: dict[str, Extractor] = {}
# A worker may run several threads, and an extractor is not made for that: its words and caches are shared.
_turn = Lock()


def received(recipe: Recipe) -> Recipe:
    """Return the recipe: as the result of a task it reaches each worker once, and is made again where it is lost."""
    return recipe


def read_share(recipe: Recipe, entries: Sequence[Entry]) -> list[Extraction]:
    """Return the findings in some entries. Raises AtlasError where this worker would find others than the sender.

    Example: `client.submit(read_share, client.submit(received, recipe), entries).result()`
    """
    with _turn:
        return list(_extractor(recipe).read(entries))


def _extractor(recipe: Recipe) -> Extractor:
    """Return the extractor of this process; only the last one is kept, since each holds tens of megabytes."""
    if recipe.key not in _made:
        if (here := recipe.program()) != recipe.expected:
            raise AtlasError(f"a worker runs {here}, and not {recipe.expected}; install the same there")
        extractor: Extractor = pickle.loads(recipe.extractor)  # noqa: S301, of the program that started this worker's task
        if extractor.fingerprint != recipe.fingerprint:
            raise AtlasError("a worker has another version of spaCy; install the same as here")
        _made.clear()
        _made[recipe.key] = extractor
    return _made[recipe.key]
