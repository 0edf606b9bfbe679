"""A Dask cluster finds what this process finds, byte for byte, also where workers die; what is wrong is one line."""

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import dask
import distributed
import pytest
from distributed import LocalCluster

from tests.application.test_build import Wanted
from tests.extract.cases import cases
from torchatlas.build import build, program, reading
from torchatlas.extract import cluster as clusters
from torchatlas.extract import pipeline
from torchatlas.extract.cluster import Cluster, connect
from torchatlas.extract.feeds import Entry
from torchatlas.extract.pipeline import Extractor
from torchatlas.graph.errors import AtlasError, SourceError
from torchatlas.graph.export import csv_files
from torchatlas.graph.model import Concept, Episode

pytestmark = pytest.mark.slow
SAID = ("owl cache uses the lantern pass", "tide table needs the foghorn", "foghorn is heard")
NIGHTS = ((n, f"On night {n} the {SAID[n % 3]}. Listen to Night {n // 2} first.") for n in range(300))
MANY = Wanted(tuple((n, f"Night {n}", notes) for n, notes in NIGHTS))


@contextmanager
def running(workers: int) -> Iterator[Any]:
    """A cluster on this computer, each of its workers a process of its own; one that dies is started again."""
    local: Any = {"n_workers": workers, "threads_per_worker": 1, "host": "127.0.0.1"}
    at_once = dask.config.set({"distributed.comm.timeouts.connect": "5s"})  # to one that was killed; 30 by default
    with at_once, LocalCluster(dashboard_address="127.0.0.1:0", silence_logs="CRITICAL", **local) as made:
        yield made


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with running(2) as made:
        yield made


@pytest.fixture
def idle() -> Iterator[str]:
    """The address of a scheduler without workers."""
    with running(0) as made:
        yield made.scheduler_address


def test_a_worker_is_killed_in_the_middle_and_the_graph_is_the_same_byte_for_byte(cluster: Any) -> None:
    killed: list[int] = []
    with Cluster(cluster.scheduler_address, program) as connected:
        workers = connected.client.run(os.getpid)

        def kill(what: str, done: int, _total: int) -> None:
            if what == "Reading episodes" and done == 1:
                killed.append(next(iter(workers.values())))
                os.kill(killed[0], signal.SIGKILL)

        graph = build(MANY.inputs(None), progress=kill, readers=connected)[0]
        assert killed[0] not in connected.client.run(os.getpid).values()
    assert graph.mentions and graph.listen_after
    assert csv_files(graph) == csv_files(build(MANY.inputs(None))[0])


def test_a_worker_with_another_spacy_or_program_is_refused_in_one_line(cluster: Any, monkeypatch) -> None:
    entries = [Entry(Episode("s/0", "The vmap", show="s"), "vmap")]
    extractor = Extractor((Concept("vmap", "vmap", area="x"),))
    with pytest.raises(SourceError, match=r"the worker at tcp://127.* runs \d+; install \d+ there"):
        Cluster(cluster.scheduler_address, lambda: str(os.getpid()))
    with pytest.raises(SourceError, match=r"runs no such program \(ZeroDivisionError"):
        Cluster(cluster.scheduler_address, lambda: "here" if "pytest" in sys.modules else str(1 / 0))
    monkeypatch.setattr(pipeline, "spacy_version", lambda: "of the workers is another")
    with reading(on=cluster.scheduler_address) as readers:
        with pytest.raises(AtlasError, match="another version of spaCy; install the same as here"):
            list(readers.extract(extractor, entries))
        assert list(readers.extract(extractor, [])) == []


def test_what_is_wrong_with_a_scheduler_is_one_line(cluster: Any, idle: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SourceError, match="a worker of a Dask cluster answers at"):
        connect(next(iter(cluster.scheduler_info["workers"])))
    monkeypatch.setattr(clusters, "JOINING", 0.2)
    with pytest.raises(SourceError, match=f"has no worker; start one: dask worker {idle}"):
        Cluster(idle, program)
    monkeypatch.setattr(distributed, "__version__", "2020.1.0")
    with pytest.raises(SourceError, match=r"has distributed 20\d\d\.\S+, here it is 2020\.1\.0; install the same"):
        connect(idle)
    monkeypatch.setattr(clusters, "CONNECTING", 0.5)
    for address in ("tcp://127.0.0.1:9", "tcp://no-such-host.invalid:8786"):
        with pytest.raises(SourceError, match=f"no Dask scheduler answers at {address}; start one"):
            connect(address)


@pytest.mark.parametrize("said", [None, b"HTTP/1.1 400 Bad Request\r\n\r\n" * 9, b"x"])
def test_what_is_no_scheduler_is_one_line(said: bytes | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "CONNECTING", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_answer, args=(server, said), daemon=True).start()
        with pytest.raises(SourceError, match="Dask scheduler") as caught:
            connect(f"tcp://127.0.0.1:{server.getsockname()[1]}")
    assert "\n" not in str(caught.value)


def _answer(server: socket.socket, said: bytes | None) -> None:
    heard = []
    with suppress(OSError):
        while True:
            heard.append(server.accept()[0])
            if said:
                heard[-1].sendall(said)
                heard[-1].close()


NO_SCHEDULERS = cases("""localhost:8786 | http://a.org:1 | inproc://1/2/3 | tcp://host | tcp://:1 | tcp://u:p@h:1 | tcp://h:x
    tcp://h:1/path | ucx://h:1 | tcp://[::1:8 | \0 | tcp://h:99999999""")


@pytest.mark.parametrize("address", [*NO_SCHEDULERS, "tls://127.0.0.1:9"])
def test_only_addresses_of_schedulers_are_taken_and_encrypted_ones_want_certificates(address: str) -> None:
    said = "is not the address of a Dask scheduler; write tcp://HOST:8786"
    with pytest.raises(SourceError, match=said if address in NO_SCHEDULERS else r"tls:// needs certificates.*CA_FILE"):
        connect(address)


def test_the_missing_extra_and_two_places_at_once_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SourceError, match=r"needs an extra; remedy: \.ci/install dask in a clone"):
        connect("tcp://127.0.0.1:8786")
    with pytest.raises(AtlasError, match="give jobs or on, not both"), reading(2, "tcp://127.0.0.1:8786"):
        pass
