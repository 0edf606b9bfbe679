"""Workers: processes that extract, each with an Extractor of its own; results come in the order of the input."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from torchatlas.extract.extractor_config import ExtractorConfig
from torchatlas.extract.feeds import Entry
from torchatlas.graph.values.errors import SourceError
from torchatlas.graph.values.findings import Extraction

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

    from torchatlas.extract.extractor import Extractor

PAYS = 4_000_000
"""How many characters one process reads before others are started; a worker takes as long to start."""
_SHARE = 32
"""How many entries a worker gets at a time."""

_extractor: "Extractor"


class Readers(AbstractContextManager["Readers"], Protocol):
    """The place where texts are read: this process, several, or a cluster."""

    @property
    def ahead(self) -> int:
        """How many batches are begun before the findings of the first one are asked for."""

    def extract(self, entries: Sequence[Entry]) -> Iterator[Extraction]:
        """Return an iterator over an Extraction for each entry, in order; it raises AtlasError.

        Example: `list(readers.extract(feed.entries))`
        """


OpenReaders = Callable[[ExtractorConfig, Callable[[], "Extractor"]], Readers]
"""Opens the readers for a config; the second argument gives this process's own Extractor."""


class Workers(AbstractContextManager["Workers"]):
    """A context manager over the processes. `here`: gives this process's own Extractor. `jobs`: None: as many as pay.

    Example: `with Workers(config, config.build, 2) as workers: list(workers.extract(entries))`
    """

    ahead = 0

    def __init__(self, config: ExtractorConfig, here: "Callable[[], Extractor]", jobs: int | None = None) -> None:
        self.config = config
        self.here = here
        self.jobs = cores() if jobs is None else jobs
        self.until = PAYS if jobs is None else 0
        self.read = 0
        self.pool: ProcessPoolExecutor | None = None

    def __exit__(self, *_: object) -> None:
        if self.pool:
            self.pool.shutdown(cancel_futures=True)

    def extract(self, entries: Sequence[Entry]) -> Iterator[Extraction]:
        """Return an Extraction for each entry, in order. Raises SourceError where a process was ended from outside.

        Example: `list(workers.extract(feed.entries))`
        """
        alone = self.jobs < 2 or self.read < self.until
        self.read += sum(len(entry.notes) for entry in entries)
        if not entries:
            return iter(())
        return self.here().extract(entries) if alone else self._shared(entries)

    def _shared(self, entries: Sequence[Entry]) -> Iterator[Extraction]:
        from concurrent.futures import ProcessPoolExecutor
        from concurrent.futures.process import BrokenProcessPool
        from multiprocessing import get_context

        if self.pool is None:
            # A fresh interpreter on every system: a fork would copy the locks of the threads that databases run.
            context = get_context("spawn")
            self.pool = ProcessPoolExecutor(self.jobs, context, initializer=_start, initargs=(self.config,))
        shares = [entries[i : i + _SHARE] for i in range(0, len(entries), _SHARE)]
        try:
            yield from chain.from_iterable(self.pool.map(_extracted, shares))
        except BrokenProcessPool as e:
            raise SourceError(
                "a reading process was killed, perhaps because memory ran out; read in one process (jobs: 1)"
            ) from e


def cores() -> int:
    """Return how many processors this process may use.

    >>> cores() > 0
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _start(config: ExtractorConfig) -> None:
    global _extractor
    _extractor = config.build()


def _extracted(entries: Iterable[Entry]) -> list[Extraction]:
    return list(_extractor.extract(entries))
