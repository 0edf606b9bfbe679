"""How fast texts are read by one process, by two, and by a Dask cluster of two workers: python -m benchmarks.cluster

Each reads the same seeded show notes (TEXTS of them, 3,000 by default; made of names and definitions of the shipped
concepts) with a fresh extractor and no cache, in turns. The table is Markdown:

    first s   by the clock, from nothing: processes and extractors are made, or the cluster's extractors are
    again s   by the clock, of other texts read at once after the first ones
    CPU s     seconds of all processors for both readings, of this process and of those that read

A busy machine distorts seconds by the clock; compare the seconds of the processor.
"""

import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from torchatlas.extract.cached_extractor import CachedExtractor
from torchatlas.extract.curated.vocabulary import load_vocabulary
from torchatlas.extract.extractor_config import ExtractorConfig
from torchatlas.extract.feeds.entries import Entry
from torchatlas.extract.workers import OpenReaders, Workers
from torchatlas.graph.values.findings import Extraction
from torchatlas.graph.values.model import Concept, Episode
from torchatlas.inputs.bundled import bundled, bundled_file
from torchatlas.readers import reading

SEED = 1
Used = Callable[[], float]
"""Gives the CPU seconds that the processes which read have used so far."""


def main(texts: int) -> None:
    """Measure and print."""
    concepts = load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml")).concepts
    config = ExtractorConfig(concepts)
    first, again = (tuple(_notes(concepts, texts, seed)) for seed in (SEED, SEED + 1))
    print(f"{texts} texts, {sum(len(entry.notes) for entry in first):,} characters, read twice\n")
    print("| | first s | again s | CPU s |\n| --- | --- | --- | --- |")
    found = []
    for name, place in (("1 process", _here(1)), ("2 processes", _here(2)), ("2 Dask workers", _on_dask())):
        with place as (readers, used):
            begun, cpu = time.perf_counter(), used()
            times: list[float] = []
            results: list[Extraction] = []
            # One extraction over both, so that processes and extractors are made once.
            for extraction in CachedExtractor(config, None, readers).extract([*first, *again]):
                results.append(extraction)
                if len(results) % texts == 0:
                    times.append(time.perf_counter() - begun - sum(times))
            print(f"| {name} | {times[0]:.1f} | {times[1]:.1f} | {used() - cpu:.1f} |", flush=True)
        found.append(results)
    print("\nall found the same" if all(results == found[0] for results in found) else "\nTHE FINDINGS DIFFER")


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


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3000)
