"""How well explanations are found in transcripts: python -m benchmarks.transcripts FOLDER CATALOGUE

FOLDER holds a transcript for each episode, NN.vtt; CATALOGUE is a JSON list of episodes with `number`, `title` and
`teaches` [{`concept`, `at` (seconds), `depth`}], made by people. Neither is part of this project.

    found    a main concept of the catalogue is among the first three
    second   ... and the second of the first such concept is within a minute of the catalogue's
    of those share of the episodes found whose second is right

Beside it: the three concepts that are named most often, and those that the title names, from their first mention on.
The finder's constants were chosen on the odd-numbered episodes.
"""

import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

from torchatlas.extract.curated.vocabulary import load_vocabulary
from torchatlas.extract.transcripts import Cue, read_cues
from torchatlas.extract.transcripts.explanations import ExplanationFinder
from torchatlas.extract.transcripts.spoken_names import WORD
from torchatlas.graph.values.curated import Vocabulary
from torchatlas.graph.values.names import spelling
from torchatlas.inputs.bundled import bundled, bundled_file

FIRST = 3
CLOSE = 60

Answers = Sequence[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Judged:
    """An episode with its transcript. `mains`: main concept -> the seconds that people gave."""

    number: int
    title: str
    _: KW_ONLY
    cues: tuple[Cue, ...]
    mains: Mapping[str, Sequence[float]]


def judged(folder: Path, catalogue: Path, vocabulary: Vocabulary) -> Iterator[Judged]:
    """Yield the episodes that have a transcript and a main concept in the vocabulary."""
    ids = {spelling(wording): id_ for wording, id_ in vocabulary.phrases.items()}
    for concept in vocabulary.concepts:
        ids |= dict.fromkeys(map(spelling, (concept.name, *concept.aliases, *concept.in_texts, concept.id)), concept.id)
    for episode in json.loads(catalogue.read_text("utf-8")):
        path = folder / f"{episode['number']:02}.vtt"
        mains: defaultdict[str, list[float]] = defaultdict(list)
        for taught in episode["teaches"]:
            id_ = ids.get(spelling(taught["concept"]))
            if id_ and taught["depth"] == "main" and taught["at"] is not None:
                mains[id_].append(taught["at"])
        if path.exists() and mains:
            yield Judged(episode["number"], episode["title"], cues=read_cues(path.read_bytes(), path.name), mains=mains)


def score(episodes: Sequence[Judged], answers: Mapping[int, Answers]) -> str:
    """Return the three figures as a row."""
    found = close = 0
    for episode in episodes:
        hits = [(id_, at) for id_, at in answers[episode.number][:FIRST] if id_ in episode.mains]
        if hits:
            found += 1
            id_, at = hits[0]
            close += min(abs(at - other) for other in episode.mains[id_]) <= CLOSE
    return f"{found / len(episodes):8.2f}{close / len(episodes):8.2f}{close / max(found, 1):10.2f}"


def ways(finder: ExplanationFinder) -> dict[str, Callable[[Judged], Answers]]:
    """Return the finder and the simpler ways that it must beat, by name."""

    def named(episode: Judged) -> tuple[Counter[str], dict[str, float]]:
        counts: Counter[str] = Counter()
        first: dict[str, float] = {}
        spoken = [(word, cue.start) for cue in episode.cues for word in WORD.findall(cue.text)]
        for m in finder.spoken.find([word for word, _ in spoken]):
            counts[m.concept_id] += 1
            first.setdefault(m.concept_id, spoken[m.first][1])
        return counts, first

    def explained(episode: Judged) -> Answers:
        return [(e.concept_id, e.at) for e in finder.explained(episode.cues, episode.title)]

    def without_title(episode: Judged) -> Answers:
        return [(e.concept_id, e.at) for e in finder.explained(episode.cues)]

    def most_frequent(episode: Judged) -> Answers:
        counts, first = named(episode)
        return [(id_, first[id_]) for id_, _ in counts.most_common(FIRST)]

    def title_only(episode: Judged) -> Answers:
        _, first = named(episode)
        titled = finder.spoken.find(WORD.findall(episode.title))
        return [(m.concept_id, first.get(m.concept_id, 0.0)) for m in titled]

    return {
        "explained": explained,
        "without the title": without_title,
        "most frequent": most_frequent,
        "title only": title_only,
    }


def main(arguments: Sequence[str]) -> str:
    """Measure and print. Returns a line about the mistake in the arguments, or ""."""
    if len(arguments) != 2 or not all(arguments):
        return "name both: make bench-transcripts TRANSCRIPTS=folder CATALOGUE=episodes.json"
    folder, catalogue = map(Path, arguments)
    if missing := [str(p) for p, there in ((folder, folder.is_dir()), (catalogue, catalogue.is_file())) if not there]:
        return f"there is no {' and no '.join(missing)}; the transcripts and the catalogue are no part of this project"
    vocabulary = load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml"))
    episodes = list(judged(folder, catalogue, vocabulary))
    if not episodes:
        return f"no episode of {catalogue} has a transcript NN.vtt in {folder}"
    began = time.perf_counter()
    finder = ExplanationFinder(vocabulary.concepts)
    ready = time.perf_counter() - began
    print(f"{len(episodes)} episodes, {len(vocabulary.concepts)} concepts, made ready in {ready:.1f} s\n")
    print(f"{'':30}{'found':>8}{'second':>8}{'of those':>10}")
    for name, way in ways(finder).items():
        began = time.perf_counter()
        answers = {episode.number: way(episode) for episode in episodes}
        each = (time.perf_counter() - began) / len(episodes)
        for which, rest in (("all", {0, 1}), ("odd", {1}), ("even", {0})):
            if chosen := [e for e in episodes if e.number % 2 in rest]:
                print(
                    f"{name:20}{which:10}{score(chosen, answers)}" + (f"{each:9.2f} s each" if which == "all" else "")
                )
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) or None)
