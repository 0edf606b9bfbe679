"""How well prerequisites are inferred from texts: python -m benchmarks.prerequisites [FOLDER]

FOLDER holds the concepts of metacademy (CC BY-SA 3.0, not part of this project) with prerequisites that people wrote:
`concepts.jsonl`, `edges.tsv` and `splits.json`. Their texts are read as a user's are: what they say of a concept and
which others they name. Two columns: without and with the lists of what to see also, which point forward.

    direction   of two concepts of which one is a direct prerequisite: which one (a tie counts one half); then of the
                most confident quarter, half and three quarters
    ranking     all other concepts ranked as prerequisites of each that has some: mean average precision, first is right
    order       a learning order of all: direct and indirect prerequisites that stand before what needs them
    confidence  of the inferred edges: how many are prerequisites (over others in between too), how many are reversed

The last table is also shown for the shipped vocabulary, whose definitions are read alike and whose curated
prerequisites are the labels. These are few on purpose, so "right" is a lower bound there; watch "reversed".

Beside them a seeded random guess and popularity, which is how many concepts' texts name one. The weights were chosen by
hand with all of these labels in view; `folds` shows each of the five folds of target concepts alone.
"""

import argparse
import heapq
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from torchatlas.bundled import bundled, bundled_file
from torchatlas.extract.curated.vocabulary import load_vocabulary
from torchatlas.extract.extractor import Extractor
from torchatlas.graph.build.inference.candidate_pairs import Candidate, candidates, without_circles
from torchatlas.graph.build.inference.measures import Matrix
from torchatlas.graph.build.inference.passages import Passage, Place, Subject
from torchatlas.graph.build.inference.signals import read_signals
from torchatlas.graph.values.findings import Mention
from torchatlas.graph.values.model import Concept
from torchatlas.graph.values.prerequisites import reachable

SEED = 0
GATES = {"direction": 0.80, "top 50 %": 0.925, "MAP": 0.454, "hit@1": 0.568, "direct": 0.80, "closure": 0.85}
BINS = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 1.0)

Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """`edges`, `closure`: (prerequisite, target) as indices of `subjects`; `fold` of each subject."""

    subjects: tuple[Subject, ...]
    edges: NDArray[np.int64]
    _: KW_ONLY
    closure: NDArray[np.int64]
    fold: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Prediction:
    """`vote` and `tie` as in `Signals`; `place` of each subject in a learning order."""

    vote: Matrix
    tie: Matrix
    _: KW_ONLY
    place: NDArray[np.int64]


def read(folder: Path, see_also: bool) -> Benchmark:
    """The benchmark in a folder. What people wrote of prerequisites and their reasons goes into the labels alone."""
    entries = [json.loads(line) for line in (folder / "concepts.jsonl").read_text("utf-8").splitlines()]
    find = Extractor(Concept(e["key"], e["title"], area="", aliases=aliases(e["title"])) for e in entries).mentions
    subjects = tuple(Subject(e["key"], e["title"], passages=tuple(passages(e, find, see_also))) for e in entries)
    rows = [line.split("\t") for line in (folder / "edges.tsv").read_text("utf-8").splitlines()[1:]]
    pairs = [(needed, target) for needed, target in rows]
    folds = json.loads((folder / "splits.json").read_text("utf-8"))["target_fold_of_5"]
    return labelled(subjects, pairs, [folds[s.id] for s in subjects])


def shipped() -> Benchmark:
    """The shipped vocabulary: its definitions as the texts, its curated prerequisites as the labels."""
    vocabulary = load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml"))
    find = Extractor(vocabulary.concepts).mentions
    told = ((c, Passage("definition", c.definition, mentions=find(c.definition))) for c in vocabulary.concepts)
    subjects = tuple(Subject(c.id, c.name, passages=(passage,)) for c, passage in told)
    return labelled(subjects, [(r.target, r.source) for r in vocabulary.requires], [0] * len(subjects))


def labelled(subjects: tuple[Subject, ...], pairs: Sequence[tuple[str, str]], folds: Sequence[int]) -> Benchmark:
    """With the (prerequisite, target) pairs and all that follows from them."""
    index = {s.id: i for i, s in enumerate(subjects)}
    needs: dict[str, set[str]] = {}
    for needed, target in pairs:
        needs.setdefault(target, set()).add(needed)
    follows = [(b, a) for a in needs for b in sorted(reachable(lambda c: needs.get(c, ()), [a]) - {a})]
    direct, all_ = (np.array([(index[b], index[a]) for b, a in group]) for group in (pairs, follows))
    return Benchmark(subjects, direct, closure=all_, fold=np.array(folds))


def aliases(title: str) -> tuple[str, ...]:
    """What stands in parentheses, and the title without it."""
    found = re.fullmatch(r"(.*?)\s*\(([^)]+)\)\s*(.*)", title)
    return (f"{found[1]} {found[3]}".strip(), found[2]) if found else ()


def passages(entry: Mapping[str, str], find: Callable[[str], tuple[Mention, ...]], see_also: bool) -> Iterator[Passage]:
    """The summary as the definition, goals and topics as further texts; what to see also line by line."""
    for name in ("summary", "goals", "topics"):
        if text := unlinked(entry[name]):
            yield Passage("definition" if name == "summary" else "description", text, mentions=find(text))
    for line in unlinked(entry["see_also"]).splitlines() if see_also else ():
        yield Passage("description", f"See also {line}", mentions=find(f"See also {line}"))


def unlinked(text: str | None) -> str:
    """The text without the marks of its links."""
    return re.sub(r'"([^"]+)":\w+', r"\1", text or "")


def predicted(given: Benchmark) -> Prediction:
    """By the texts."""
    signals = read_signals(given.subjects)
    kept, _ = without_circles(candidates(given.subjects))
    return Prediction(signals.vote, signals.tie, place=learning_order(given.subjects, kept, signals.generality))


def learning_order(
    subjects: Sequence[Subject], edges: Sequence[Candidate], generality: NDArray[np.float64]
) -> NDArray[np.int64]:
    """The place of each subject where all edges point back and, beyond that, the more general comes first."""
    index = {s.id: i for i, s in enumerate(subjects)}
    left: dict[int, set[int]] = {i: set() for i in range(len(subjects))}
    for edge in edges:
        left[index[edge.concept]].add(index[edge.needed])
    ready = [(-generality[i], i) for i, needs in left.items() if not needs]
    heapq.heapify(ready)
    order: list[int] = []
    while ready:
        _, done = heapq.heappop(ready)
        order.append(done)
        for i, needs in left.items():
            if done in needs:
                needs.remove(done)
                if not needs:
                    heapq.heappush(ready, (-generality[i], i))
    place = np.empty(len(subjects), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place


def by_score(score: NDArray[np.float64]) -> Prediction:
    """The higher the score of a concept, the earlier it is to be learnt."""
    vote = score[None, :] - score[:, None]
    return Prediction(vote, np.tile(score, (len(score), 1)), place=np.argsort(np.argsort(-score, kind="stable")))


def popularity(given: Benchmark) -> NDArray[np.float64]:
    """How many texts name a concept."""
    return np.bincount([b for _, b in read_signals(given.subjects).best], minlength=len(given.subjects)).astype(float)


def figures(given: Benchmark, by: Prediction, fold: int | None = None) -> Figures:
    """The figures over all targets, or over those of one fold."""
    edges, closure = (e if fold is None else e[given.fold[e[:, 1]] == fold] for e in (given.edges, given.closure))
    needed, target = edges.T
    votes = by.vote[target, needed]
    right = (votes > 0) + 0.5 * (votes == 0)
    surest = right[np.argsort(-np.abs(votes), kind="stable")]
    found: Figures = {"direction": float(right.mean())}
    found |= {f"top {q} %": float(surest[: len(surest) * q // 100].mean()) for q in (25, 50, 75)}
    precisions, hits = [], []
    for t in sorted(set(target.tolist())):
        wanted = set(needed[target == t].tolist())
        ranked = [c for c in np.argsort(-by.tie[t], kind="stable").tolist() if c != t]
        places = [i for i, c in enumerate(ranked, 1) if c in wanted]
        precisions.append(float(np.mean([k / place for k, place in enumerate(places, 1)])))
        hits.append(places[0] == 1)
    found |= {"MAP": float(np.mean(precisions)), "hit@1": float(np.mean(hits))}
    for name, (first, then) in (("direct", edges.T), ("closure", closure.T)):
        found[name] = float((by.place[first] < by.place[then]).mean())
    return found


def calibration(given: Benchmark) -> Iterator[tuple[str, int, float, float, float]]:
    """Inferred edges of the concepts that have labels by confidence, then by what they rest on: number, mean
    confidence, share right, share reversed.
    """
    index = {s.id: i for i, s in enumerate(given.subjects)}
    real = set(map(tuple, given.closure.tolist()))
    targets = {given.subjects[i].id for i in given.edges[:, 1].tolist()}
    kept, _ = without_circles(candidates(given.subjects, targets))

    def row(name: str, group: list[Candidate]) -> tuple[str, int, float, float, float]:
        ends = [(index[c.needed], index[c.concept]) for c in group]
        confidence = float(np.mean([c.confidence for c in group]))
        right, reverse = (np.mean([pair[::step] in real for pair in ends]) for step in (1, -1))
        return name, len(group), confidence, float(right), float(reverse)

    rests = {place: place.name.lower() for place in reversed(Place)}
    groups = {f"{a:.2f} to {b:.2f}": [c for c in kept if a < c.confidence <= b] for a, b in pairwise(BINS)}
    groups |= {tier: [c for c in kept if c.tier == tier] for tier in ("strong", "weak")}
    groups |= {name: [c for c in kept if c.naming and c.naming.place is place] for place, name in rests.items()}
    groups["not named"] = [c for c in kept if c.naming is None]
    return (row(name, group) for name, group in groups.items() if group)


def main() -> None:
    """Measure and print; the exit status is 1 where a gate is missed."""
    parser = argparse.ArgumentParser(prog="benchmarks.prerequisites", description=str(__doc__).splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("metacademy"))
    folder = parser.parse_args().folder
    if missing := [name for name in ("concepts.jsonl", "edges.tsv", "splits.json") if not (folder / name).is_file()]:
        parser.exit(1, f"{folder} has no {' and no '.join(missing)}; name the folder that holds the benchmark\n")
    plain, more = read(folder, False), read(folder, True)
    random = by_score(np.random.default_rng(SEED).random(len(plain.subjects)))
    mine = predicted(plain)
    columns = {
        "texts": figures(plain, mine),
        "+ see also": figures(more, predicted(more)),
        "popularity": figures(plain, by_score(popularity(plain))),
        "random": figures(plain, random),
    }
    folds = [figures(plain, mine, fold) for fold in sorted(set(plain.fold.tolist()))]
    sizes = (len(plain.subjects), len(plain.edges), len(plain.closure))
    print("{} concepts, {} direct prerequisites, {} with the indirect ones\n".format(*sizes))
    print(f"{'':12}" + "".join(f"{name:>12}" for name in columns) + f"{'folds':>15}{'gate':>8}")
    for name in columns["texts"]:
        spread = f"{min(f[name] for f in folds):.3f}-{max(f[name] for f in folds):.3f}"
        gate = f"{GATES[name]:8.3f}" if name in GATES else ""
        print(f"{name:12}" + "".join(f"{column[name]:12.3f}" for column in columns.values()) + f"{spread:>15}{gate}")
    for title, given in (("inferred edges", plain), ("shipped", shipped())):
        print(f"\n{title:16}{'number':>8}{'confidence':>12}{'right':>8}{'reversed':>10}")
        for name, number, confidence, right, reverse in calibration(given):
            print(f"{name:16}{number:8}{confidence:12.2f}{right:8.2f}{reverse:10.3f}")
    if missed := [name for name, gate in GATES.items() if columns["texts"][name] < gate]:
        parser.exit(1, f"\nbelow the gate: {', '.join(missed)}\n")


if __name__ == "__main__":
    main()
