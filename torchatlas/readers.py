"""Where texts are read: in this process and others beside it, or on a Dask cluster."""

import platform
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from torchatlas.graph.errors import AtlasError
from torchatlas.inputs.inputs import code_fingerprint

if TYPE_CHECKING:
    from torchatlas.extract.pipeline import Readers


@contextmanager
def reading(jobs: int | None = None, on: str = "") -> "Iterator[Readers]":
    """Give the readers of texts: so many processes (None: as many as pay), or the cluster `on` an address.

    Raises AtlasError where both are given, and where the cluster cannot be used.

    Example: `with reading(on="tcp://localhost:8786") as readers: build(inputs, store, readers=readers)`
    """
    if not on:
        from torchatlas.extract.pipeline import Readers

        yield Readers(jobs)
        return
    if jobs is not None:
        raise AtlasError("give jobs or on, not both: a cluster has as many processes as it has")
    from torchatlas.extract.cluster import Cluster

    with Cluster(on, program) as cluster:
        yield cluster


def program() -> str:
    """Return which program runs here: equal texts find equal things. The workers of a cluster are asked for theirs.

    Example: program() == "torchatlas 0.1.0 (3f2a9c1b) on Python 3.13"
    """
    from importlib.metadata import version

    python = ".".join(platform.python_version_tuple()[:2])
    return f"torchatlas {version('torchatlas')} ({code_fingerprint()[:8]}) on Python {python}"
