"""Readers on a Dask cluster: they find what one process finds, in the same order, whichever workers are lost."""

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, ExitStack
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING

from torchatlas.extract.cluster.connection import JOINING, connect
from torchatlas.extract.feeds import Entry
from torchatlas.graph.errors import SourceError
from torchatlas.graph.findings import Extraction

if TYPE_CHECKING:
    from distributed import Client, Future

    from torchatlas.extract.pipeline import Extractor

PATIENCE = 30.0
"""Seconds without a result, after which the scheduler is asked whether it has workers."""
RETRIES = 3
"""How often a share is read again after an error; a share of a lost worker is read again as often as workers die."""
_SHARE = 32
"""How many entries a task has."""


class Cluster(AbstractContextManager["Cluster"]):
    """A connection to a Dask cluster. `program`: describes the program, in words, of the process that calls it.

    Raises SourceError where there is no scheduler, no worker, or a worker with another program.

    Example: `with Cluster("tcp://localhost:8786", describe) as cluster: cluster.extract(extractor, entries)`
    """

    ahead = 16
    """How many batches are sent before the first one is awaited: enough for some hundred workers."""

    def __init__(self, address: str, program: Callable[[], str]) -> None:
        self.address = address
        self.program = program
        self.sent: dict[str, Future] = {}
        with ExitStack() as undone:
            self.client: Client = undone.enter_context(connect(address))
            self._check_workers()
            undone.pop_all()  # all is well: the client stays open

    def __exit__(self, *_: object) -> None:
        self.sent = {}
        self.client.close()

    def extract(self, extractor: "Extractor", entries: Sequence[Entry]) -> Iterator[Extraction]:
        """Send the entries to the workers, and return an iterator over an Extraction for each, in order.

        The iterator raises AtlasError where the cluster cannot read them.

        Example: `list(cluster.extract(extractor, feed.entries))`
        """
        from torchatlas.extract.cluster.worker import read_share

        shares = [entries[i : i + _SHARE] for i in range(0, len(entries), _SHARE)]
        recipe = self._sent(extractor) if shares else None
        # pure=False: a key of its own for each task, for to hash the texts would take as long as to send them
        options = {"retries": RETRIES, "pure": False}
        tasks = [self.client.submit(read_share, recipe, share, **options) for share in shares]
        return chain.from_iterable(map(self._awaited, tasks))

    def _sent(self, extractor: "Extractor") -> "Future":
        """Return the recipe as the result of a task: unlike scattered data it outlives the workers that hold it."""
        from torchatlas.extract.cluster.worker import Recipe, received

        data = pickle.dumps(extractor)
        key = sha256(data).hexdigest()
        if key not in self.sent:
            recipe = Recipe(key, data, extractor.fingerprint, self.program, self.program())
            self.sent = {key: self.client.submit(received, recipe, pure=False)}  # Dask forgets what nobody refers to
        return self.sent[key]

    def _check_workers(self) -> None:
        """Raise SourceError where there is no worker, or one that would find other things than this process."""
        try:
            self.client.wait_for_workers(1, timeout=JOINING)
        except TimeoutError as e:
            raise SourceError(self._no_worker()) from e
        expected = self.program()
        for worker, found in sorted(self.client.run(self.program, on_error="return").items()):
            if isinstance(found, Exception):
                found = f"no such program ({type(found).__name__}: {found})"
            if found != expected:
                raise SourceError(f"the worker at {worker} runs {found}; install {expected} there")

    def check_alive(self) -> None:
        """Raise SourceError where the scheduler says nothing, or has no workers any more.

        Example: `cluster.check_alive()`
        """
        client = self.client
        try:
            found = client.sync(client.scheduler.identity, callback_timeout=PATIENCE)
        except (TimeoutError, OSError) as e:
            raise SourceError(f"the Dask scheduler at {self.address} has fallen silent; try again") from e
        if not found["workers"]:
            raise SourceError(self._no_worker())

    def _no_worker(self) -> str:
        return f"the Dask cluster at {self.address} has no worker; start one: dask worker {self.address}"

    def _awaited(self, task: "Future") -> list[Extraction]:
        from distributed.comm import CommClosedError
        from distributed.scheduler import KilledWorker

        where = f"the Dask cluster at {self.address}"
        try:
            while True:
                try:
                    found: list[Extraction] = task.result(timeout=PATIENCE)
                    return found
                except TimeoutError:
                    self.check_alive()
        except KilledWorker as e:
            raise SourceError(f"{where} lost worker after worker to one text, perhaps because memory ran out") from e
        except ImportError as e:  # of a worker that has joined since the others were asked
            raise SourceError(f"{where} has a worker without this torchatlas ({e}); install it there") from e
        except (CancelledError, CommClosedError) as e:
            raise SourceError(f"{where} is lost; see whether its scheduler runs, then try again") from e
