"""The search for concepts and episodes by names, identifiers, titles and questions; typos are forgiven."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Literal

from rapidfuzz import process
from rapidfuzz.distance import OSA

from torchatlas.graph.values.answers import Hit
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.names import STOP_WORDS, without_s, words

_PREFIX, _INSIDE, _TYPO, _COVERED = 0.9, 0.8, 0.75, 0.7  # beside 1 for the whole name
_ALIKE = 0.75  # share of equal letters below which two words are different ones
_NAME, _NAMED = 0.98, 0.71  # a name or an alias that the question speaks of
_PROSE = 0.5  # a definition or a summary that speaks of it, beside 1 for a name
_ENOUGH = 0.6  # of what the words of a question weigh


@dataclass(frozen=True, slots=True)
class _Text:
    """A text that may match, and how much a match is worth."""

    kind: Literal["concept", "episode"]
    id: str
    _: KW_ONLY
    name: str
    text: str
    worth: float
    words: tuple[str, ...]

    @property
    def folded(self) -> str:
        return "".join(self.words)


def search(snapshot: Snapshot, text: str, limit: int = 10) -> tuple[Hit, ...]:
    """Return the hits for a text, best first, each concept and episode once; none for a text without words.

    >>> from torchatlas.graph.values.model import Concept
    >>> graph = Snapshot((Concept("dispatcher", "dispatcher", area="Core"),))
    >>> [hit.id for hit in search(graph, "how does the dispacher work?")]
    ['dispatcher']
    """
    asked = _words(text)
    telling = tuple(w for w in asked if w not in STOP_WORDS) or asked
    if not asked:
        return ()
    forms = {asked, telling}
    texts = list(_texts(snapshot))
    frequency = Counter(w for t in texts for w in set(t.words))
    # A word that stands nowhere, not even nearly, says nothing: the others decide.
    known = [
        w for w in telling if frequency[w] or process.extractOne(w, list(frequency), scorer=_alike, score_cutoff=_ALIKE)
    ]
    rare = {w: math.log(1 + len(texts) / (1 + frequency[w])) for w in known}
    best: dict[tuple[str, str], Hit] = {}
    for t in texts:
        score = round(t.worth * max(_score(some, t, rare) for some in forms), 4)
        if score > 0 and ((t.kind, t.id) not in best or score > best[t.kind, t.id].score):
            best[t.kind, t.id] = Hit(t.kind, t.id, name=t.name, matched=t.text, score=score)
    return tuple(sorted(best.values(), key=lambda h: (-h.score, h.kind, len(h.name), h.name, h.id))[:limit])


def _texts(snapshot: Snapshot) -> Iterator[_Text]:
    worths: tuple[tuple[tuple[str, ...], float], ...]
    for c in snapshot.concepts:
        worths = (((c.name, c.id), 1.0), (c.aliases, 0.98), (c.phrases, 0.9), (c.source_paths, 0.85))
        yield from _texts_of("concept", c.id, c.name, (*worths, ((c.definition,), _PROSE)))
    for e in snapshot.episodes:
        worths = (((e.title,), 1.0), (e.keywords, 0.85), (e.questions, 0.95), (e.guests, 0.85))
        yield from _texts_of("episode", e.id, e.title, (*worths, ((e.summary,), _PROSE)))


def _texts_of(
    kind: Literal["concept", "episode"], id_: str, name: str, worths: Iterable[tuple[tuple[str, ...], float]]
) -> Iterator[_Text]:
    for text, worth in ((text, worth) for texts, worth in worths for text in texts):
        yield _Text(kind, id_, name=name, text=text, worth=worth, words=_words(text))


def _words(text: str) -> tuple[str, ...]:
    return tuple(map(without_s, words(text)))


def _score(asked: Sequence[str], text: _Text, rare: Mapping[str, float]) -> float:
    """Score a text: whole, beginning, every word begun, a typo away, named by the question, enough telling words."""
    joined = "".join(asked)
    if joined == text.folded:
        return 1.0
    if text.folded.startswith(joined):
        return _PREFIX
    if all(any(word.startswith(w) for word in text.words) for w in asked):
        return _INSIDE
    if (alike := OSA.normalized_similarity(joined, text.folded, score_cutoff=_ALIKE)) and len(joined) > 3:
        return _TYPO * alike
    if text.worth >= _NAME and text.words and set(text.words) <= set(asked):
        return _NAMED
    weight = {w: rare.get(w, 0.0) for w in asked}
    covered = sum(weight[w] * max((_alike(w, word) for word in text.words), default=0.0) for w in weight)
    share = covered / sum(weight.values()) if any(weight.values()) else 0.0
    return _COVERED * share if share >= _ENOUGH else 0.0


def _alike(a: str, b: str, score_cutoff: float | None = None) -> float:
    """Return 1 for the same word, less for a word with a typo, 0 for another word."""
    if a == b or min(len(a), len(b)) <= 3:
        return float(a == b)
    return float(OSA.normalized_similarity(a, b, score_cutoff=_ALIKE))
