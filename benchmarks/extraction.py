"""How fast texts are read, as shares of the speed of spaCy's tokenizer alone: python -m benchmarks.extraction

The texts are the show notes of data/sample.xml and the summaries of the catalogue. Two columns, because a tokenizer
remembers the words it has split:

    first    every text once, by a pipeline that has read nothing yet: what a new feed is like
    again    the same texts over and over: the tokenizer looks every word up and does next to nothing else

The yardstick is a blank English pipeline that only tokenizes and has read as much. A figure is the best of several
rounds, since whatever else the machine does can only slow a round down.
"""

import time
from collections.abc import Callable, Mapping

import spacy

from extract.catalogue import load_catalogue
from extract.feed import Entry, parse
from extract.links import find_links
from extract.pipeline import Extractor
from extract.text import Text, to_text
from ui.bundled import SHOW, bundled, bundled_file
from ui.gather import shipped_vocabulary

ROUNDS = 5
AGAIN = 5
"""How often the texts are repeated in the second column."""

Work = Callable[[], object]


def entries() -> list[Entry]:
    """The sample feed's entries, and the catalogue's episodes with their summaries for notes."""
    _, sample = bundled_file("sample.xml")
    catalogue = load_catalogue(bundled("episodes", ".toml"), shipped_vocabulary(), SHOW)
    return [*parse(sample.encode()).entries, *(Entry(e, e.summary) for e in catalogue.episodes)]


def work(given: list[Entry]) -> Mapping[str, Work]:
    """What is measured, each with a pipeline of its own."""
    texts: list[Text] = [to_text(entry.notes) for entry in given]
    concepts, titles = shipped_vocabulary().concepts, [entry.episode.title for entry in given]
    blank, (some, more, everything) = spacy.blank("en"), (Extractor(concepts, titles) for _ in range(3))
    return {
        "tokenizer alone": lambda: [blank.make_doc(text.text) for text in texts],
        "mentions": lambda: [some.mentions(text.text) for text in texts],
        "and links": lambda: [(more.mentions(text.text), find_links(text)) for text in texts],
        "and statements": lambda: list(everything.extract(given)),
    }


def seconds(task: Work) -> float:
    """How long one round takes."""
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    given = entries()
    first = [{name: seconds(task) for name, task in work(given).items()} for _ in range(ROUNDS)]
    known = work(given * AGAIN)
    again = [{name: seconds(task) for name, task in known.items()} for _ in range(ROUNDS + 1)][1:]
    print(f"{len(given)} texts, {sum(len(to_text(entry.notes).text) for entry in given):,} characters\n")
    print(f"{'':18}{'first':>8}{'again':>8}")
    for name in known:
        shares = [min(r["tokenizer alone"] for r in rounds) / min(r[name] for r in rounds) for rounds in (first, again)]
        print(f"{name:18}" + "".join(f"{share:8.2f}" for share in shares))


if __name__ == "__main__":
    main()
