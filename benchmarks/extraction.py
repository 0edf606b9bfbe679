"""How fast texts are read, as shares of the speed of spaCy's tokenizer alone: python -m benchmarks.extraction

The texts are the show notes of data/sample.xml and the summaries of the catalogue. Two columns, because a tokenizer
remembers the words it has split:

    first    every text once, by a pipeline that has read nothing yet: what a new feed is like
    again    the same texts over and over: the tokenizer looks every word up and does next to nothing else

The yardstick is a blank English pipeline that only tokenizes and has read as much. A share is the median over rounds in
which everything that is compared runs in turn, by the processor time of the process, so that a busy machine slows down
both or neither. Below stand the same for findings that are remembered, and for two processes by the clock, with what it
costs to start them. GLiNER, a neural extractor, is measured too where it is installed and GLINER_MODEL names a model.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from statistics import median

import spacy

from torchatlas.extract.cached_extractor import CachedExtractor
from torchatlas.extract.curated.catalogue import load_catalogue
from torchatlas.extract.curated.vocabulary import load_vocabulary
from torchatlas.extract.extraction_cache import ExtractionCache
from torchatlas.extract.extractor_config import ExtractorConfig
from torchatlas.extract.feeds.entries import Entry
from torchatlas.extract.feeds.feed import parse
from torchatlas.extract.links import find_links
from torchatlas.extract.text import Text, to_text
from torchatlas.extract.workers import Workers
from torchatlas.graph.values.curated import Vocabulary
from torchatlas.inputs.bundled import SHOW, bundled, bundled_file

ROUNDS = 5
AGAIN = 5
"""How often the texts are repeated in the second column."""
TARGETS = {"and links": 0.70, "and statements": 0.50}
"""Least shares for texts that are read for the first time."""
MANY = 1_000
"""Number of entries that two processes read."""

Work = Callable[[], object]


def entries(vocabulary: Vocabulary) -> list[Entry]:
    """Return the sample feed's entries, and the catalogue's episodes with their summaries as notes."""
    _, sample = bundled_file("sample.xml")
    catalogue = load_catalogue(bundled("episodes", ".toml"), vocabulary, SHOW)
    return [*parse(sample.encode()).entries, *(Entry(e, e.summary) for e in catalogue.episodes)]


def work(given: list[Entry], config: ExtractorConfig) -> Mapping[str, Work]:
    """Return the tasks to measure by name, each with a pipeline of its own."""
    texts: list[Text] = [to_text(entry.notes) for entry in given]
    blank, (some, more, everything) = spacy.blank("en"), (config.build() for _ in range(3))
    return {
        "tokenizer alone": lambda: [blank.make_doc(text.text) for text in texts],
        "mentions": lambda: [some.mentions(text.text) for text in texts],
        "and links": lambda: [(more.mentions(text.text), find_links(text)) for text in texts],
        "and statements": lambda: list(everything.extract(given)),
    }


def seconds(task: Work, clock: Callable[[], float] = time.process_time) -> float:
    """Return how long one round of a task takes, in seconds of processor time."""
    start = clock()
    task()
    return clock() - start


def shares(rounds: Sequence[Mapping[str, float]], name: str) -> float:
    """Return the speed of a task over that of the tokenizer, the median over the rounds."""
    return median(r["tokenizer alone"] / r[name] for r in rounds)


def remembered(given: list[Entry], config: ExtractorConfig) -> float:
    """Return the share of an extractor whose cache holds all of the texts, opening its file included."""
    texts, ratios = [to_text(entry.notes).text for entry in given], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "extractions"

        def read() -> None:
            with ExtractionCache(path) as cache:
                list(CachedExtractor(config, cache, jobs=1).extract(given))

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


def two_processes(given: list[Entry], config: ExtractorConfig) -> tuple[float, float]:
    """Return how many times as fast two processes are as one, by the clock, and the seconds to start them."""
    many = list(islice(endless(given), MANY))
    alone = config.build()
    with Workers(config, lambda: alone, jobs=2) as workers:
        start = seconds(lambda: list(workers.extract(many[:64])), time.perf_counter)
        pairs = [
            (seconds(lambda: list(alone.extract(many)), time.perf_counter),
             seconds(lambda: list(workers.extract(many)), time.perf_counter))
            for _ in range(3)
        ]  # fmt: skip
    return median(one / two for one, two in pairs), start


def gliner(given: list[Entry], tokenizer: float) -> str:
    """Return a line about GLiNER: its share, or why it is left out. Nothing is downloaded."""
    model = os.environ.get("GLINER_MODEL")
    if not find_spec("gliner") or not model:
        return "GLiNER left out: install gliner, and let GLINER_MODEL name the folder of a model, to see it"
    from gliner import GLiNER

    loaded = GLiNER.from_pretrained(model, local_files_only=True)
    labels = ["software component", "data structure", "compiler technique"]
    texts = [to_text(entry.notes).text for entry in given]
    spent = seconds(lambda: [loaded.predict_entities(text, labels) for text in texts])
    return f"{'GLiNER, ' + Path(model).name:32}{tokenizer / spent:.5f}"


def main() -> None:
    """Measure and print."""
    vocabulary = load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml"))
    given = entries(vocabulary)
    config = ExtractorConfig(vocabulary.concepts, tuple(entry.episode.title for entry in given))
    first = [{name: seconds(task) for name, task in work(given, config).items()} for _ in range(ROUNDS)]
    known = work(given * AGAIN, config)
    again = [{name: seconds(task) for name, task in known.items()} for _ in range(ROUNDS + 1)][1:]
    print(f"{len(given)} texts, {sum(len(to_text(entry.notes).text) for entry in given):,} characters\n")
    print(f"{'':18}{'first':>8}{'again':>8}")
    for name in known:
        target = f"   (first: {TARGETS[name]:.2f} or more)" if name in TARGETS else ""
        print(f"{name:18}{shares(first, name):8.2f}{shares(again, name):8.2f}{target}")
    print(f"\n{'with all of it remembered':32}{remembered(given, config):.2f} of the tokenizer's speed")
    faster, start = two_processes(given, config)
    print(f"{'two processes':32}{faster:.2f} times as fast as one by the clock, {start:.1f} s to start")
    print(gliner(given, median(r["tokenizer alone"] for r in first)))


if __name__ == "__main__":
    main()
