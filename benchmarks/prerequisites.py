"""How well prerequisites are inferred from texts: python -m benchmarks.prerequisites [FOLDER]

FOLDER holds the concepts of metacademy (CC BY-SA 3.0, not part of this project) with prerequisites that people wrote:
`concepts.jsonl` and `edges.tsv`. Their texts are read as a user's are: their words on a concept and the
other concepts that they name.

    number      inferred edges of the concepts that have labels, and their mean confidence
    right       share of them that are prerequisites, direct or over others in between
    reversed    share of them that the labels have the other way round

The second table is for the shipped vocabulary, whose definitions are read alike and whose curated prerequisites are the
labels. These are few on purpose, so "right" is a lower bound there; watch "reversed".
"""

import argparse
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

from torchatlas.extract.catalogue import load_vocabulary
from torchatlas.extract.pipeline import Extractor
from torchatlas.graph.findings import Mention
from torchatlas.graph.inference import FIRST, LEANING, Passage, prerequisites, without_circles
from torchatlas.graph.model import Concept, reachable
from torchatlas.shipped import bundled, bundled_file

FEWEST, LEAST_RIGHT, MOST_REVERSED = 255, 0.865, 0.015

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Passages on each concept (by its id), and `labels`: the (concept, needed) pairs that people wrote.

    `closure`: these and all that follow from them.
    """

    passages: Mapping[str, Sequence[Passage]]
    labels: frozenset[Pair]
    _: KW_ONLY
    closure: frozenset[Pair]


Row = tuple[int, float, float, float]
"""A number of edges, their mean confidence, and the shares of them that are right and reversed."""


def read(folder: Path) -> Benchmark:
    """Return the benchmark in a folder. The prerequisites that people wrote are labels and never read as text."""
    entries = [json.loads(line) for line in (folder / "concepts.jsonl").read_text("utf-8").splitlines()]
    find = Extractor(Concept(e["key"], e["title"], area="", aliases=aliases(e["title"])) for e in entries).mentions
    rows = [line.split("\t") for line in (folder / "edges.tsv").read_text("utf-8").splitlines()[1:]]
    return labelled(
        {e["key"]: tuple(passages(e, find)) for e in entries}, ((target, needed) for needed, target in rows)
    )


def shipped() -> Benchmark:
    """Return the shipped vocabulary: its definitions as the texts, its curated prerequisites as the labels."""
    vocabulary = load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml"))
    find = Extractor(vocabulary.concepts).mentions
    told = {
        c.id: (Passage("definition", c.definition, mentions=find(c.definition)),)
        for c in vocabulary.concepts
        if c.definition
    }
    return labelled(told, ((r.source, r.target) for r in vocabulary.requires))


def labelled(told: Mapping[str, Sequence[Passage]], pairs: Iterable[Pair]) -> Benchmark:
    """Return the texts with the (concept, needed) pairs and all that follows from these."""
    needs: dict[str, set[str]] = {}
    for concept, needed in pairs:
        needs.setdefault(concept, set()).add(needed)
    follows = {(a, b) for a in needs for b in reachable(lambda c: needs.get(c, ()), [a]) - {a}}
    direct = frozenset((a, b) for a, group in needs.items() for b in group)
    return Benchmark(told, direct, closure=frozenset(follows))


def aliases(title: str) -> tuple[str, ...]:
    """Return the words in parentheses, and the title without them.

    >>> aliases("expectation maximization (EM) algorithm")
    ('expectation maximization algorithm', 'EM')
    """
    found = re.fullmatch(r"(.*?)\s*\(([^)]+)\)\s*(.*)", title)
    return (f"{found[1]} {found[3]}".strip(), found[2]) if found else ()


def passages(entry: Mapping[str, str], find: Callable[[str], tuple[Mention, ...]]) -> Iterator[Passage]:
    """Yield the summary as the definition, and goals and topics as further texts, all without the marks of links."""
    for name in ("summary", "goals", "topics"):
        if text := re.sub(r'"([^"]+)":\w+', r"\1", entry[name] or ""):
            yield Passage("definition" if name == "summary" else "description", text, mentions=find(text))


def measured(given: Benchmark) -> dict[str, Row]:
    """Return the rows of the table by name: of each kind of naming, and of all."""
    targets = {concept for concept, _ in given.labels}
    found = prerequisites((id_, passage) for id_, group in given.passages.items() for passage in group)
    kept, _ = without_circles(n for n in found if n.source in targets and n.target in given.passages)
    rows = {}
    for name, kinds in {"first": (FIRST,), "leaning": (LEANING,), "all edges": (FIRST, LEANING)}.items():
        if group := [((n.source, n.target), n.confidence) for n in kept if n.confidence in kinds]:
            right = sum(pair in given.closure for pair, _ in group) / len(group)
            turned = sum(pair[::-1] in given.closure for pair, _ in group) / len(group)
            rows[name] = (len(group), sum(sure for _, sure in group) / len(group), right, turned)
    return rows


def main() -> None:
    """Measure and print; the exit status is 1 where a gate is missed."""
    parser = argparse.ArgumentParser(prog="benchmarks.prerequisites", description=str(__doc__).splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("metacademy"))
    folder = parser.parse_args().folder
    if missing := [name for name in ("concepts.jsonl", "edges.tsv") if not (folder / name).is_file()]:
        parser.exit(1, f"{folder} has no {' and no '.join(missing)}; name the folder that holds the benchmark\n")
    written = read(folder)
    print(f"{len(written.passages)} concepts, {len(written.labels)} direct prerequisites, ", end="")
    print(f"{len(written.closure)} with the indirect ones")
    tables = {"metacademy": measured(written), "shipped": measured(shipped())}
    for title, rows in tables.items():
        print(f"\n{title:16}{'number':>8}{'confidence':>12}{'right':>8}{'reversed':>10}")
        for name, (number, sure, right, turned) in rows.items():
            print(f"{name:16}{number:8}{sure:12.2f}{right:8.3f}{turned:10.3f}")
    number, _, right, turned = tables["metacademy"]["all edges"]
    gates = {
        f"at least {FEWEST} edges": number >= FEWEST,
        f"at least {LEAST_RIGHT} right": right >= LEAST_RIGHT,
        f"at most {MOST_REVERSED} reversed": turned <= MOST_REVERSED,
    }
    print(f"\ngates: {', '.join(gates)}")
    if missed := [name for name, passed in gates.items() if not passed]:
        parser.exit(1, f"missed: {', '.join(missed)}\n")


if __name__ == "__main__":
    main()
