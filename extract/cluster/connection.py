"""The connection to the scheduler of a Dask cluster, and its failures as one line each."""

import asyncio
import logging
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from torchatlas.graph.errors import SourceError, shortened

if TYPE_CHECKING:
    from distributed import Client

CONNECTING = 10.0
"""Seconds in which a scheduler has to answer."""
JOINING = 15.0
"""Seconds in which the first worker has to join."""
_TLS = "DASK_DISTRIBUTED__COMM__TLS__"


def checked_address(address: str) -> str:
    """Return the address of a scheduler. Raises SourceError for any other text.

    >>> checked_address("tcp://localhost:8786")
    'tcp://localhost:8786'
    """
    with suppress(ValueError):
        parts = urlsplit(address)
        bare = parts.scheme in {"tcp", "tls"} and address == f"{parts.scheme}://{parts.netloc}"
        if bare and parts.hostname and parts.port and "@" not in parts.netloc:
            return address
    form = "write tcp://HOST:8786 or tls://HOST:8786"
    raise SourceError(f"{shortened(address)!r} is not the address of a Dask scheduler; {form}")


def connect(address: str) -> "Client":
    """Return a client of the cluster. Raises SourceError where there is no scheduler, or none of this version of Dask.

    Example: `connect("tcp://localhost:8786").nthreads()`
    """
    checked_address(address)
    try:
        from distributed import Client
        from distributed.versions import VersionMismatchWarning
    except ModuleNotFoundError as e:
        raise SourceError('a Dask cluster needs an extra; remedy: pip install "torchatlas[dask]"') from e
    for name in ("distributed", "distributed.client"):  # they log on stderr what is one line here: what was lost
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        # In a thread of its own, for a notebook runs an event loop in the thread that asks.
        with ThreadPoolExecutor(1) as thread:
            who, version = thread.submit(asyncio.run, _described(address)).result()
        _check_scheduler(address, who, version)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VersionMismatchWarning)  # of packages that decide nothing here
            return Client(address, timeout=CONNECTING, set_as_default=False)
    except TypeError as e:  # what Dask raises without certificates
        names = f"{_TLS}CA_FILE, {_TLS}CLIENT__CERT and {_TLS}CLIENT__KEY"
        raise SourceError(f"tls:// needs certificates, which Dask finds by {names}") from e
    except (MemoryError, ValueError) as e:  # the length of a message, read from what is none
        raise SourceError(_no_scheduler(address)) from e
    except OSError as e:  # a TimeoutError too
        raise SourceError(f"no Dask scheduler answers at {address}; start one there: dask scheduler") from e


async def _described(address: str) -> tuple[str, str]:
    """Return what stands at an address ("Scheduler", "Worker") and its version of `distributed`.

    A `Client` would wait for ever where something accepts the connection and says nothing.
    """
    from distributed.core import rpc
    from distributed.security import Security

    options: Any = {"timeout": CONNECTING, "connection_args": Security().get_connection_args("client")}
    async with asyncio.timeout(CONNECTING + 1), rpc(address, **options) as remote:
        who = await remote.identity()
        if who["type"] != "Scheduler":
            return who["type"], ""
        return who["type"], (await remote.versions())["packages"]["distributed"]


def _check_scheduler(address: str, who: str, version: str) -> None:
    import distributed

    if who == "Worker":
        raise SourceError(f"a worker of a Dask cluster answers at {address}; give the address of its scheduler")
    if who != "Scheduler":
        raise SourceError(_no_scheduler(address))
    if version != distributed.__version__:
        here = f"here it is {distributed.__version__}; install the same version"
        raise SourceError(f"the Dask scheduler at {address} has distributed {version}, {here}")


def _no_scheduler(address: str) -> str:
    return f"what answers at {address} is not a Dask scheduler; start one: dask scheduler"
