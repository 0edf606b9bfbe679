"""How fast texts are read, as shares of the speed of spaCy's tokenizer alone.

Five blocks of 400 texts are read that nothing has read before: a tokenizer remembers words, so the last block tells
what somebody with many episodes sees. The yardstick is a blank English pipeline that only tokenizes and has read as
much. All that is compared takes turns every few texts, by the processor time of the process, so that a busy machine
slows down both or neither; the median over these turns counts.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median

import spacy

from benchmarks.made import feeds
from benchmarks.tables import BenchmarkTable
from torchatlas.extract.catalogue import load_catalogue, load_vocabulary
from torchatlas.extract.feeds import Entry, parse
from torchatlas.extract.links import find_links
from torchatlas.extract.pipeline import Extractor
from torchatlas.extract.text import to_text
from torchatlas.extract.transcripts import read_cues
from torchatlas.graph.model import Episode
from torchatlas.shipped import SHOW, bundled, bundled_file

BLOCKS, SIZE, TURN = 5, 400, 20
"""Blocks, texts of a block, and texts that are read before the next takes its turn."""
LENGTH = 450
"""Characters of a piece, as short show notes have them."""
COLUMNS = ("400 unseen texts", "mentions", "and links", "and references")

Work = Callable[[Sequence[Entry]], object]


def loaded(folder: Path | None) -> tuple[Extractor, list[Entry]]:
    """Return an extractor of the shipped concepts, and the texts of a folder or made ones as entries."""
    vocabulary = load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml"))
    catalogue = load_catalogue(bundled("episodes", ".toml"), vocabulary, SHOW)
    extractor = Extractor(vocabulary.concepts, (episode.title for episode in catalogue.episodes))
    made = feeds(BLOCKS * SIZE, vocabulary.concepts)
    texts = of_folder(folder) if folder else [entry.notes for feed in made for entry in parse(feed[1]).entries]
    return extractor, [Entry(Episode(f"text/{i}", "A talk", show="Show"), text) for i, text in enumerate(texts)]


def works(extractor: Extractor) -> Mapping[str, Work]:
    """Return what is compared, by its column, each with a pipeline of its own; the tokenizer is ""."""
    blank, (some, more, everything) = (
        spacy.blank("en"),
        (Extractor(extractor.concepts, extractor.titles) for _ in range(3)),
    )
    return {
        "": lambda entries: [blank.make_doc(to_text(entry.notes).text) for entry in entries],
        "mentions": lambda entries: [some.mentions(to_text(entry.notes).text) for entry in entries],
        "and links": lambda entries: [
            (more.mentions(source.text), find_links(source)) for entry in entries for source in [to_text(entry.notes)]
        ],
        "and references": lambda entries: list(everything.read(entries)),
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
    extractor, texts = loaded(folder)
    compared = works(extractor)
    rows = []
    for number in range(min(BLOCKS, len(texts) // SIZE)):
        shares = block(compared, texts[number * SIZE : (number + 1) * SIZE])
        rows.append((f"block {number + 1}", *(f"{shares[name]:.2f}" for name in COLUMNS[1:])))
    kind = "Real texts that no test uses." if folder else "Made texts (`TEXTS=folder` reads real ones)."
    return BenchmarkTable(COLUMNS, tuple(rows), (f"Speed divided by that of spaCy's tokenizer alone. {kind}",))


def pieces(words: list[str]) -> Iterator[str]:
    """Yield the words as texts of about LENGTH characters.

    >>> [len(text) for text in pieces(["word"] * 180)]
    [449, 449]
    """
    piece: list[str] = []
    length = 0
    for word in words:
        if length + len(word) > LENGTH:
            yield " ".join(piece)
            piece, length = [], 0
        piece.append(word)
        length += len(word) + 1
    yield " ".join(piece)


def of_folder(folder: Path) -> list[str]:
    """Return the pieces of all text files, web pages and captions (.txt, .md, .html, .vtt, .srt) of a folder.

    Example: of_folder(Path("transcripts"))
    """
    found: list[str] = []
    for file in sorted(folder.rglob("*")):
        if file.suffix in {".vtt", ".srt"}:
            found += pieces(" ".join(cue.text for cue in read_cues(file.read_bytes(), file.name)).split())
        elif file.suffix in {".txt", ".md", ".html"}:
            found += pieces(to_text(file.read_text("utf-8", "replace"), longest=10_000_000).text.split())
    return found
