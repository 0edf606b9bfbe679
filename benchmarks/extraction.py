"""How fast texts are read, as shares of the speed of spaCy's tokenizer alone.

A pipeline that has read little looks slow beside its tokenizer, or fast: a tokenizer remembers the words it has split,
and 31,000 characters are too few for it to know the usual ones. So five blocks of 400 texts are read that nothing has
read before, and each block has its figure; the last tells what somebody with many episodes sees. The yardstick is a
blank English pipeline that only tokenizes and has read as much.

    and links         the concepts that a text names, and its links
    and statements    the same, and the relations that it states

All that is compared takes turns every few texts, by the processor time of the process, so that a busy machine slows
down both or neither; the median over these turns counts. The second table shows findings that are remembered, and two
processes by the clock.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median

import spacy

from benchmarks.tables import BenchmarkTable
from benchmarks.texts import made, of_folder
from torchatlas.extract.cached_extractor import CachedExtractor
from torchatlas.extract.curated.catalogue import load_catalogue
from torchatlas.extract.curated.vocabulary import load_vocabulary
from torchatlas.extract.extraction_cache import ExtractionCache
from torchatlas.extract.extractor_config import ExtractorConfig
from torchatlas.extract.feeds import Entry
from torchatlas.extract.links import find_links
from torchatlas.extract.text import to_text
from torchatlas.extract.workers import Workers
from torchatlas.graph.values.model import Episode
from torchatlas.inputs.bundled import SHOW, bundled, bundled_file

BLOCKS, SIZE, TURN = 5, 400, 20
"""Blocks, texts of a block, and texts that are read before the next takes its turn."""
ROUNDS = 5
MANY = 1_000
"""Number of entries that two processes read."""
COLUMNS = ("400 unseen texts", "mentions", "and links", "and statements")
OTHER_COLUMNS = ("reading", "ratio")

Work = Callable[[Sequence[Entry]], object]


def loaded(folder: Path | None) -> tuple[ExtractorConfig, list[Entry]]:
    """Return the shipped configuration, and the texts of a folder or made ones as entries."""
    vocabulary = load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml"))
    catalogue = load_catalogue(bundled("episodes", ".toml"), vocabulary, SHOW)
    config = ExtractorConfig(vocabulary.concepts, tuple(episode.title for episode in catalogue.episodes))
    texts = of_folder(folder) if folder else made(vocabulary, catalogue, BLOCKS * SIZE)
    return config, [Entry(Episode(f"text/{i}", "A talk", show="Show"), text) for i, text in enumerate(texts)]


def works(config: ExtractorConfig) -> Mapping[str, Work]:
    """Return what is compared, by its column, each with a pipeline of its own; the tokenizer is ""."""
    blank, (some, more, everything) = spacy.blank("en"), (config.build() for _ in range(3))
    return {
        "": lambda entries: [blank.make_doc(to_text(entry.notes).text) for entry in entries],
        "mentions": lambda entries: [some.mentions(to_text(entry.notes).text) for entry in entries],
        "and links": lambda entries: [
            (more.mentions(source.text), find_links(source)) for entry in entries for source in [to_text(entry.notes)]
        ],
        "and statements": lambda entries: list(everything.extract(entries)),
    }


def seconds(task: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Return how long a task takes, in seconds of processor time."""
    start = clock()
    task()
    return clock() - start


def block(compared: Mapping[str, Work], texts: Sequence[Entry]) -> Mapping[str, float]:
    """Read a block by turns; return the speed of each as a share of the tokenizer's, the median over the turns."""
    turns = [texts[begin : begin + TURN] for begin in range(0, len(texts), TURN)]
    spent = [{name: seconds(partial(work, turn)) for name, work in compared.items()} for turn in turns]
    return {name: median(one[""] / one[name] for one in spent) for name in compared}


def unseen(folder: Path | None) -> BenchmarkTable:
    """Measure the blocks. `folder`: of texts that the extractor was not built beside; None: made texts."""
    config, texts = loaded(folder)
    compared = works(config)
    rows = []
    for number in range(min(BLOCKS, len(texts) // SIZE)):
        shares = block(compared, texts[number * SIZE : (number + 1) * SIZE])
        rows.append((f"block {number + 1}", *(f"{shares[name]:.2f}" for name in COLUMNS[1:])))
    kind = "Real texts that no test uses." if folder else "Made texts (`TEXTS=folder` reads real ones)."
    return BenchmarkTable(COLUMNS, tuple(rows), (f"Speed divided by that of spaCy's tokenizer alone. {kind}",))


def other_ways(folder: Path | None) -> BenchmarkTable:
    """Measure findings that are remembered, and two processes."""
    config, texts = loaded(folder)
    faster = two_processes(texts[:SIZE], config)
    rows = (
        ("time of the tokenizer / of a reading with all findings cached", f"{remembered(texts[:SIZE], config):.2f}"),
        ("time of one process / of two processes, wall-clock", f"{faster:.2f}"),
    )
    return BenchmarkTable(OTHER_COLUMNS, rows)


def remembered(given: list[Entry], config: ExtractorConfig) -> float:
    """Return the share of an extractor whose cache holds all of the texts, opening its file included."""
    texts, ratios = [to_text(entry.notes).text for entry in given], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "extractions"

        def read() -> None:
            with ExtractionCache(path) as cache:
                list(CachedExtractor(config, cache, partial(Workers, jobs=1)).extract(given))

        read()
        for _ in range(ROUNDS):
            blank = spacy.blank("en")
            ratios.append(seconds(lambda nlp=blank: [nlp.make_doc(t) for t in texts]) / seconds(read))  # type: ignore[misc]
    return median(ratios)


def endless(given: list[Entry]) -> Iterator[Entry]:
    """Yield the entries over and over, each time with other words in them."""
    number = 0
    while True:
        for entry in given:
            number += 1
            yield replace(entry, notes=f"{entry.notes} word{number} {entry.notes}")


def two_processes(given: list[Entry], config: ExtractorConfig) -> float:
    """Return how many times as fast two processes are as one, by the clock, once they have started."""
    many = list(islice(endless(given), MANY))
    alone = config.build()
    with Workers(config, lambda: alone, jobs=2) as workers:
        list(workers.extract(many[:64]))
        pairs = [
            (seconds(lambda: list(alone.extract(many)), time.perf_counter),
             seconds(lambda: list(workers.extract(many)), time.perf_counter))
            for _ in range(3)
        ]  # fmt: skip
    return median(one / two for one, two in pairs)
