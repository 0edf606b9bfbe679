"""Readers on a Dask cluster: the same findings, even if workers are lost."""

import asyncio
import logging
import pickle
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, suppress
from functools import partial
from hashlib import sha256
from itertools import chain
from threading import Lock
from typing import TYPE_CHECKING, Any

from torchatlas.extract.feeds import Entry
from torchatlas.extract.pipeline import Extractor, Readers
from torchatlas.graph.errors import AtlasError, SourceError, shortened, without_extra
from torchatlas.graph.findings import Extraction

if TYPE_CHECKING:
    from distributed import Client, Future
CONNECTING = 10.0  # seconds for a scheduler to answer
JOINING = 15.0  # seconds for the first worker to join
_PATIENCE = 30.0  # seconds without a result until the scheduler is asked whether it has workers
_RETRIES = 3  # after an error; a share of a lost worker is read again as often as workers die
_SHARE = 32  # entries of a task
_ADDRESS = re.compile(r"(?:tcp|tls)://(?:\[[\da-fA-F:.]+\]|[^\s/:@?#\[\]]+):([1-9]\d{0,4})")
_NO_WORKER = "the Dask cluster at {0} has no worker; start one: dask worker {0}"
_TLS = "DASK_DISTRIBUTED__COMM__TLS__"
_made: dict[bytes, Extractor] = {}
_turn = Lock()  # a worker may run several threads, and an extractor shares words and caches


class Cluster(Readers, AbstractContextManager["Cluster"]):
    """A connection to a Dask cluster. `program` describes the calling program.

    Raises SourceError. Example: `Cluster("tcp://localhost:8786", describe)`
    """

    ahead = 16  # batches: enough for some hundred workers

    def __init__(self, address: str, program: Callable[[], str]) -> None:
        self.address, self.program = address, program
        self.sent: dict[bytes, Future] = {}
        self.client = connect(address)
        with ExitStack() as undone:
            undone.callback(self.client.close)
            try:
                self.client.wait_for_workers(1, timeout=JOINING)
            except TimeoutError as e:
                raise SourceError(_NO_WORKER.format(address)) from e
            expected = program()
            for worker, found in sorted(self.client.run(program, on_error="return").items()):
                if isinstance(found, Exception):
                    found = f"no such program ({type(found).__name__}: {found})"
                if found != expected:
                    raise SourceError(f"the worker at {worker} runs {found}; install {expected} there")
            undone.pop_all()

    def __exit__(self, *_: object) -> None:
        self.sent = {}
        self.client.close()

    def extract(self, extractor: Extractor, entries: Sequence[Entry]) -> Iterator[Extraction]:
        """Send the entries to the workers; return the Extractions in order."""
        data = pickle.dumps(extractor)
        key = sha256(data).digest()
        if key not in self.sent:  # a task's result outlives its worker
            recipe = data, extractor.fingerprint, self.program, self.program()
            self.sent = {key: self.client.submit(tuple, recipe, pure=False)}  # referred to, or Dask forgets it
        # pure=False: a key for each task; hashing takes as long as sending
        submit = partial(self.client.submit, _read_share, self.sent[key], retries=_RETRIES, pure=False)
        tasks = [submit(entries[i : i + _SHARE]) for i in range(0, len(entries), _SHARE)]
        return chain.from_iterable(map(self._awaited, tasks))

    def _awaited(self, task: "Future") -> list[Extraction]:
        from distributed.scheduler import KilledWorker

        where = f"the Dask cluster at {self.address}"
        try:
            while True:
                with suppress(TimeoutError):
                    found: list[Extraction] = task.result(timeout=_PATIENCE)
                    return found
                if not self.client.sync(self.client.scheduler.identity, callback_timeout=_PATIENCE)["workers"]:
                    raise SourceError(_NO_WORKER.format(self.address))
        except KilledWorker as e:
            raise SourceError(f"{where} lost worker after worker to one text, perhaps because memory ran out") from e
        except ImportError as e:  # of a worker that joined later
            raise SourceError(f"{where} has a worker without this torchatlas ({e}); install it there") from e
        except (CancelledError, OSError) as e:
            raise SourceError(f"{where} is lost; see whether its scheduler runs, then try again") from e


def _read_share(recipe: tuple[bytes, str, Callable[[], str], str], entries: Sequence[Entry]) -> list[Extraction]:
    """Return a worker's findings. Raises AtlasError where programs differ.

    `recipe`: pickled extractor, fingerprint, program and what it must return.
    """
    data, fingerprint, program, expected = recipe
    with _turn:
        if data not in _made:
            if (here := program()) != expected:
                raise AtlasError(f"a worker runs {here}, and not {expected}; install the same there")
            extractor: Extractor = pickle.loads(data)  # noqa: S301, of the program that started this worker's task
            if extractor.fingerprint != fingerprint:
                raise AtlasError("a worker has another version of spaCy; install the same as here")
            _made.clear()  # each holds tens of megabytes
            _made[data] = extractor
        return list(_made[data].read(entries))


def connect(address: str) -> "Client":
    """Connect, or raise SourceError: `connect("tcp://localhost:8786")`."""
    form = "write tcp://HOST:8786 or tls://HOST:8786"
    if not (said := _ADDRESS.fullmatch(address)) or int(said[1]) > 65535:
        raise SourceError(f"{shortened(address)!r} is not the address of a Dask scheduler; {form}")
    try:
        import distributed
        from distributed.versions import VersionMismatchWarning
    except ModuleNotFoundError as e:
        raise SourceError(without_extra("a Dask cluster", "dask")) from e
    for name in ("distributed", "distributed.client"):  # they log losses, one line here
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    unknown = f"what answers at {address} is not a Dask scheduler; start one: dask scheduler"
    try:
        with ThreadPoolExecutor(1) as thread:  # a notebook runs a loop in this one
            who, version = thread.submit(asyncio.run, _described(address)).result()
        if who == "Worker":
            raise SourceError(f"a worker of a Dask cluster answers at {address}; give the address of its scheduler")
        if who != "Scheduler":
            raise SourceError(unknown)
        if version != (here := distributed.__version__):
            raise SourceError(f"{address} has distributed {version}, here it is {here}; install the same version")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VersionMismatchWarning)
            return distributed.Client(address, timeout=CONNECTING, set_as_default=False)
    except TypeError as e:  # without certificates
        names = f"{_TLS}CA_FILE, {_TLS}CLIENT__CERT and {_TLS}CLIENT__KEY"
        raise SourceError(f"tls:// needs certificates, which Dask finds by {names}") from e
    except (MemoryError, ValueError) as e:  # of what is no message
        raise SourceError(unknown) from e
    except OSError as e:  # a TimeoutError too
        raise SourceError(f"no Dask scheduler answers at {address}; start one there: dask scheduler") from e


async def _described(address: str) -> tuple[str, str]:
    """Return what answers and its Dask version; a `Client` would wait on."""
    from distributed.core import rpc
    from distributed.security import Security

    options: Any = {"timeout": CONNECTING, "connection_args": Security().get_connection_args("client")}
    async with asyncio.timeout(CONNECTING + 1), rpc(address, **options) as remote:
        who = await remote.identity()
        known = who["type"] == "Scheduler"
        return who["type"], (await remote.versions())["packages"]["distributed"] if known else ""
