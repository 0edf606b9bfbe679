"""Concepts that an episode explains, and from which second on, read out of its transcript."""

import math
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass

from torchatlas.extract.transcripts import Cue
from torchatlas.extract.transcripts.scattered_names import ScatteredNames
from torchatlas.extract.transcripts.spoken_names import WORD, SpokenMention, SpokenNames
from torchatlas.graph.findings import Explained
from torchatlas.graph.model import Concept, Depth

MOST_WORDS = 100_000
"""Words that are read of a transcript: about ten hours of talk."""

_TITLE = 4.0  # what a place in the title adds to a score
_TITLE_WORDS = 100
_PIECES = 8  # of an episode: a subject that comes back in many is what it is about
_MAIN, _MAINS = 0.6, 3  # share of the best score, and how many subjects an episode has at most
_PART, _PARTS = 0.25, 12
_EARLY = 120.0  # seconds; being named in them counts as much as being named at all
_LEAST = 1.2  # sum of the likeness of mentions; below it only a concept of the title counts as explained
_FADES = 120.0  # seconds after which a mention weighs 1/e
_BEFORE = 0.5  # how much earlier mentions speak against a beginning
_BEGINS = 0.5  # the first beginning that reaches this share of the best one is taken
_OPENING = 20.0  # seconds that say what the episode will be about
_SOON = 80.0
_QUOTE = 40  # characters; some transcripts have a cue for each word

# What a speaker says before, and after, a name when the explanation begins.
_ASKED = re.compile(
    r"(?:\b(?:what|how|why|what's) (?:\w+ ){0,3}|\bcalled (?:\w+ )?|\bso (?:the |an? )?"
    r"|\b(?:concept|notion|idea|definition|meaning|purpose|point) (?:of|behind) (?:\w+ ){0,2}"
    r"|\b(?:explain|introduc)\w* (?:\w+ ){0,3}|\b(?:ha[sd]|have|there's|there is|is) (?:this|an?|these) (?:\w+ ){0,2})$"
)
_SAID = re.compile(
    r"(?:is|are|was|were|says|means|refers|works?|which (?:is|are|says)|basically|essentially|lets|allows|stands)\b"
)
_NEAR = 6


@dataclass(frozen=True, slots=True)
class _Named:
    """A mention at second `at`. `begins`: how much the words around it sound like a definition, 0 to 2."""

    at: float
    likeness: float
    _: KW_ONLY
    begins: int


class ExplanationFinder:
    """A reader of transcripts that finds the concepts of a vocabulary which they explain."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        known = tuple(concepts)
        self.spoken = SpokenNames(known)
        self.scattered = ScatteredNames(known)
        self.rarest = math.log(1 + max(1, len(known)))

    def explained(self, cues: Sequence[Cue], title: str = "") -> tuple[Explained, ...]:
        """Return the concepts that are explained, most important first; `weight` is the share of the best score.

        A concept scores by how often it is named, in how many parts of the episode, how early, and how rare the words
        of its name are in the vocabulary (inverse document frequency); and by standing in the title. Its explanation
        begins where mentions become dense, preferably at a definition, and after the opening that only announces it.

        Example: `ExplanationFinder(concepts).explained(read_cues(document), "Inference mode")`
        """
        words, times = _timed_words(cues)
        if not words:
            return ()
        named = self._named(words, times)
        titled = {m.concept_id for m in self.spoken.find(WORD.findall(title)[:_TITLE_WORDS])}
        piece = max(1.0, times[-1] - times[0]) / _PIECES
        scores: list[tuple[float, str]] = []
        for id_, mentions in named.items():
            weight = sum(m.likeness for m in mentions)
            if weight < _LEAST and id_ not in titled:
                continue
            spread = len({int((m.at - times[0]) / piece) for m in mentions}) / _PIECES
            early = sum(m.likeness for m in mentions if m.at < times[0] + _EARLY)
            often = math.log1p(weight) * (1 + spread) + math.log1p(early)
            telling = self.scattered.telling.get(id_, 0.0) / self.rarest
            if (score := telling * often + _TITLE * (id_ in titled)) > 0:  # a name of stop words alone tells nothing
                scores.append((score, id_))
        scores.sort(key=lambda s: (-s[0], s[1]))
        starts = [cue.start for cue in cues]
        found = []
        for place, (score, id_) in enumerate(scores[:_PARTS]):
            share = score / scores[0][0]
            if share < _PART:
                break
            at = _beginning(named[id_])
            quote = _quote(cues, max(0, bisect_right(starts, at) - 1))
            depth: Depth = "main" if place < _MAINS and share >= _MAIN else "part"
            found.append(Explained(id_, depth, at=int(at), weight=round(share, 3), quote=quote))
        return tuple(found)

    def _named(self, words: Sequence[str], times: Sequence[float]) -> dict[str, list[_Named]]:
        lowered = [w.lower() for w in words]
        exact = self.spoken.find(words)
        taken = {(m.concept_id, place) for m in exact for place in range(m.first, m.last)}
        near = self.scattered.find(words)
        scattered = (m for m in near if not any((m.concept_id, i) in taken for i in range(m.first, m.last)))
        named: defaultdict[str, list[_Named]] = defaultdict(list)
        for m in (*exact, *scattered):
            named[m.concept_id].append(_Named(times[m.first], m.likeness, begins=_begins(lowered, m)))
        for mentions in named.values():
            mentions.sort(key=lambda n: (n.at, n.likeness))
        return named


def _timed_words(cues: Iterable[Cue]) -> tuple[list[str], list[float]]:
    """Return the words and the second of each; those of a cue are spread evenly over its time."""
    words: list[str] = []
    times: list[float] = []
    for cue in cues:
        said = WORD.findall(cue.text)[: MOST_WORDS - len(words)]
        words += said
        times += [cue.start + (cue.end - cue.start) * i / len(said) for i in range(len(said))]
    return words, times


def _begins(words: Sequence[str], mention: SpokenMention) -> int:
    before = " ".join(words[max(0, mention.first - _NEAR) : mention.first]) + " "
    after = " ".join(words[mention.last : mention.last + _NEAR])
    return bool(_ASKED.search(before)) + bool(_SAID.match(after))


def _beginning(mentions: Sequence[_Named]) -> float:
    """Return the second at which an explanation begins, by the mentions of its concept in the order of time."""
    after = _density(mentions[::-1])[::-1]
    before = _density(mentions)
    fit = [
        later - _BEFORE * (earlier - m.likeness) + m.likeness * m.begins
        for m, later, earlier in zip(mentions, after, before, strict=True)
    ]
    at = next(m.at for m, f in zip(mentions, fit, strict=True) if f >= _BEGINS * max(fit))
    if at >= _OPENING:
        return at
    return next((m.at for m in mentions if _OPENING <= m.at <= _SOON), at)


def _density(mentions: Sequence[_Named]) -> list[float]:
    """Return for each mention its likeness plus the faded weight of those before it in this order."""
    sums: list[float] = []
    for i, m in enumerate(mentions):
        kept = sums[-1] * math.exp(-abs(m.at - mentions[i - 1].at) / _FADES) if sums else 0.0
        sums.append(m.likeness + kept)
    return sums


def _quote(cues: Sequence[Cue], place: int) -> str:
    text = cues[place].text
    while len(text) < _QUOTE and (place := place + 1) < len(cues):
        text += f" {cues[place].text}"
    return text
