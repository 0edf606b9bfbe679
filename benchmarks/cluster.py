"""How fast texts are read by one process, by two, and by a Dask cluster of two workers on this computer.

Each reads the same seeded show notes, made of names and definitions of the shipped concepts, with a fresh extractor and
no cache. A busy machine distorts seconds by the clock; compare the seconds of the processor.
"""

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks.tables import BenchmarkTable
from torchatlas.extract.cached_extractor import CachedExtractor
from torchatlas.extract.curated.vocabulary import load_vocabulary
from torchatlas.extract.extractor_config import ExtractorConfig
from torchatlas.extract.feeds import Entry
from torchatlas.extract.workers import OpenReaders, Workers
from torchatlas.graph.values.findings import Extraction
from torchatlas.graph.values.model import Concept, Episode
from torchatlas.inputs.bundled import bundled, bundled_file
from torchatlas.readers import reading

COLUMNS = ("readers", "first texts, wall-clock s", "next texts, wall-clock s", "both, CPU s", "CPU / 1 process")
TEXTS = 1_000
SEED = 1
Used = Callable[[], float]
"""Gives the CPU seconds that the processes which read have used so far."""


def readers(_folder: Path | None, texts: int = TEXTS) -> BenchmarkTable:
    """Measure each way to read so many texts, and then as many others. Raises AssertionError if findings differ.

    Example: print(readers(None).markdown())
    """
    concepts = load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml")).concepts
    config = ExtractorConfig(concepts)
    entries = [entry for seed in (SEED, SEED + 1) for entry in _notes(concepts, texts, seed)]
    found: list[list[Extraction]] = []
    rows: list[tuple[str, float, float, float]] = []
    for name, place in (
        ("1 process", _here(1)),
        ("2 processes (`--jobs 2`)", _here(2)),
        ("2 Dask workers", _on_dask()),
    ):
        with place as (opened, used):
            begun, cpu, moments = time.perf_counter(), used(), list[float]()
            found.append([])
            # One extraction over both, so that processes and extractors are made once.
            for extraction in CachedExtractor(config, None, opened).extract(entries):
                found[-1].append(extraction)
                moments.append(time.perf_counter() - begun)
            rows.append((name, moments[texts - 1], moments[-1] - moments[texts - 1], used() - cpu))
    if any(one != found[0] for one in found):
        raise AssertionError("the findings differ")
    length = round(sum(len(entry.notes) for entry in entries) / len(entries))
    return BenchmarkTable(
        COLUMNS,
        tuple(
            (name, f"{first:.0f}", f"{later:.0f}", f"{cpu:.0f}", f"{cpu / rows[0][3]:.1f}")
            for name, first, later, cpu in rows
        ),
        (f"{texts:,} made show notes of about {length} characters, then as many others; the findings were equal.",),
    )


def _notes(concepts: tuple[Concept, ...], texts: int, seed: int) -> Iterator[Entry]:
    chance = random.Random(seed)
    for number in range(texts):
        notes = " ".join(f"{c.name}: {c.definition}" for c in chance.sample(concepts, 4))
        yield Entry(Episode(f"s/{seed}-{number}", f"Part {number}", show="s"), notes)


def _own() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


@contextmanager
def _here(jobs: int) -> Iterator[tuple[OpenReaders, Used]]:
    yield partial(Workers, jobs=jobs), _own


@contextmanager
def _on_dask() -> Iterator[tuple[OpenReaders, Used]]:
    """Give readers on a new cluster of this computer. Its workers have imported Dask already."""
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", host="127.0.0.1")
    with cluster, Client(cluster, set_as_default=False) as client, reading(on=cluster.scheduler_address) as readers:
        yield readers, lambda: _own() + sum(client.run(time.process_time).values())
