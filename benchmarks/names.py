"""How well the names in texts are found: texts of our own writing in six fields, labelled while they were written.

The files in `labelled_texts` hold pull requests (a), documentation (b) and abstracts and show notes (c) as engineers
write them: `=== a | title`, then the text; [[ ]] stand round what a glossary of the text's field would have. Rules and
lists were read off these texts, so that texts of other authors tell more; but nobody can tune one field here without
seeing what that does to the others.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.tables import BenchmarkTable
from torchatlas.extract.curated.vocabulary import load_vocabulary
from torchatlas.extract.extractor import Extractor
from torchatlas.inputs.bundled import bundled, bundled_file

FOLDER = Path(__file__).parent / "labelled_texts"
COLUMNS = ("field", "texts", "names", "precision", "recall", "F1")
_HEADING = re.compile(r"^=== [abc] \| ", re.M)
_MARK = re.compile(r"\[\[(.+?)\]\](?!\])", re.S)

Labels = set[tuple[int, int]]


class Score(NamedTuple):
    """Counts of names: found and labelled with the same borders, found, and labelled."""

    right: int
    found: int
    labelled: int

    @property
    def precision(self) -> float:
        """The share of what is found that is labelled."""
        return self.right / self.found

    @property
    def recall(self) -> float:
        """The share of what is labelled that is found."""
        return self.right / self.labelled

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / (self.found + self.labelled)


def names(_: Path | None = None) -> BenchmarkTable:
    """Return how many of the labelled names are found, and how many of the found ones are labelled."""
    extractor = Extractor(load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml")).concepts)
    fields = {file.stem.replace("_", " "): list(texts(file)) for file in sorted(FOLDER.glob("*.txt"))}
    scores = {field: score(extractor, labelled) for field, labelled in fields.items()}
    fields["all"] = [text for labelled in fields.values() for text in labelled]
    scores["all"] = Score(*(sum(counts) for counts in zip(*scores.values(), strict=True)))
    return BenchmarkTable(COLUMNS, tuple(_row(field, len(fields[field]) // 2, scores[field]) for field in fields))


def texts(file: Path) -> Iterator[tuple[str, Labels]]:
    """Yield each title and each text of a file without its marks, with the places of the labelled names."""
    for entry in _HEADING.split(file.read_text("utf-8"))[1:]:
        title, _, text = entry.partition("\n")
        yield unmarked(title)
        yield unmarked(text.strip())


def unmarked(marked: str) -> tuple[str, Labels]:
    """Return a text without its marks, and the places of what they enclose.

    >>> unmarked("a [[span]] of a [[trace]]")
    ('a span of a trace', {(2, 6), (12, 17)})
    """
    pieces = _MARK.split(marked)
    text, labels = "", set()
    for i, piece in enumerate(pieces):
        if i % 2:
            labels.add((len(text), len(text) + len(piece)))
        text += piece
    return text, labels


def score(extractor: Extractor, labelled: list[tuple[str, Labels]]) -> Score:
    """Return the counts over some texts. A name counts where it has the borders of a label."""
    right = found = wanted = 0
    for text, labels in labelled:
        places = {(mention.start, mention.end) for mention in extractor.mentions(text)}
        right += len(places & labels)
        found += len(places)
        wanted += len(labels)
    return Score(right, found, wanted)


def _row(field: str, count: int, counts: Score) -> tuple[str, ...]:
    shares = (f"{share:.2f}" for share in (counts.precision, counts.recall, counts.f1))
    return (field, str(count), f"{counts.labelled:,}", *shares)
