"""The one index of all texts about concepts and episodes, ranked by BM25F.

BM25F is BM25 over texts with fields: the counts of a word in the fields of a text, each weighted and brought to the
field's usual length, are added up before they are saturated (Robertson, Zaragoza and Taylor, "Simple BM25 extension to
multiple weighted fields", 2004).
"""

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import chain, pairwise

from torchatlas.graph.answers.documents import Document, Documents
from torchatlas.graph.answers.query_words import WordForms, telling
from torchatlas.graph.answers.word_counts import WordCounts
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.names import words

_SATURATION = 0.8  # k1 of BM25
_WEIGHTS = {  # of the fields of concepts and episodes
    "name": 4.0, "other names": 3.0, "definition": 1.5, "source": 0.5, "asked of it": 0.5,
    "title": 4.0, "questions": 2.0, "keywords": 2.0, "summary": 1.5, "subjects": 1.0, "guests": 1.0,
}  # fmt: skip
_CALLED = ("name", "title", "keywords", "questions", "asked of it")
_BESIDE = 0.1  # of the score of a main subject for its episode, and the other way round
_NAMED = 0.3  # what each word of a whole name counts beside, in the share of what the words tell
_NONE: Mapping[str, Collection[str]] = {}
_JOINED = 6  # letters of two words that are known as one: "data loader"
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+")


@dataclass(frozen=True, slots=True)
class ScoredDocument:
    """A document that words met.

    `score` in (0, 1], or a little above: 1 where every word could not be met better; `coverage`: the share of what the
    words tell (by their rarity) that the document holds; `named`: the share of it that is a whole name of the document;
    `called`: the share of it that stands in its names, titles, keywords and questions, beside what is written of it;
    `best`: the text of the document, or the sentence of its summary, that holds most of the words.
    """

    document: Document
    score: float
    _: KW_ONLY
    coverage: float
    named: float
    called: float
    best: str


class TextIndex:
    """The index of a graph."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._documents = Documents(snapshot)

    @cached_property
    def _counts(self) -> WordCounts:
        return WordCounts(self._documents.parts, _WEIGHTS)

    @cached_property
    def forms(self) -> WordForms:
        """The words of the index."""
        return WordForms(self._counts.words)

    def matches(
        self, text: str, kinds: Collection[str], limit: int, *, named: Mapping[str, Collection[str]] = _NONE
    ) -> tuple[ScoredDocument, ...]:
        """Return the documents of these kinds that the telling words of a text met, best first, ties by kind and id.

        `named`: document -> the words of the text that are a whole name of it; they count once more.

        >>> from torchatlas.graph.values.model import Concept
        >>> graph = Snapshot((Concept("dispatcher", "dispatcher", area="Core"),))
        >>> [match.document.id for match in TextIndex(graph).matches("how are calls dispatched?", ["concept"], 1)]
        ['dispatcher']
        """
        known = self._counts.words
        asked = {word: self.forms.of(word) for word in telling(text)}
        asked |= {a + b: (a + b,) for a, b in pairwise(words(text)) if len(a + b) >= _JOINED and a + b in known}
        counts = self._counts.of(chain.from_iterable(asked.values()))
        met = {word: _met([counts[form] for form in forms]) for word, forms in asked.items()}
        rarity = {word: self.forms.weight(word) * self._rarity(len(counts)) for word, counts in met.items()}
        total = sum(rarity.values())
        if not total or not any(met.values()):
            return ()
        scores, covered = self._scores(met, rarity)
        exact = self._exact(named, rarity)
        for n, share in exact.items():
            scores[n] = scores.get(n, 0.0) + _NAMED * share
        all_ = self._documents
        wanted = [n for n in scores if all_.kind(n) in kinds]
        best = sorted(wanted, key=lambda n: (-round(scores[n], 9), all_.kind(n), all_.ids[n]))[:limit]
        return tuple(
            ScoredDocument(document, scores[n] / total, coverage=covered.get(n, 0.0) / total,
                  named=exact.get(n, 0.0) / total, called=_called(document, asked, rarity) / total,
                  best=_best_text(document, asked, rarity))
            for n, document in ((n, all_[n]) for n in best)
        )  # fmt: skip

    def _exact(self, named: Mapping[str, Collection[str]], rarity: Mapping[str, float]) -> dict[int, float]:
        """Return document -> rarity of the words that are a whole name of it."""
        return {self._place[id_]: sum(rarity.get(word, 0.0) for word in said) for id_, said in named.items()}

    def _scores(
        self, met: Mapping[str, Mapping[int, float]], rarity: Mapping[str, float]
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Return document -> score, and document -> rarity of the words that it holds."""
        own: defaultdict[int, float] = defaultdict(float)
        covered: defaultdict[int, float] = defaultdict(float)
        for word, counts in met.items():
            for n, count in counts.items():
                own[n] += rarity[word] * count / (_SATURATION + count)
                covered[n] += rarity[word]
        likely = {n: score * self._documents.prior(n) for n, score in own.items()}
        beside = {n: max((likely.get(m, 0.0) for m in self._beside.get(n, ())), default=0.0) for n in likely}
        return {n: score + _BESIDE * beside[n] for n, score in likely.items()}, dict(covered)

    def _rarity(self, found: int) -> float:
        """Return the inverse document frequency of a word that so many documents hold."""
        return math.log(1 + (len(self._documents) - found + 0.5) / (found + 0.5))

    @cached_property
    def _place(self) -> dict[str, int]:
        return {id_: n for n, id_ in enumerate(self._documents.ids)}

    @cached_property
    def _beside(self) -> dict[int, list[int]]:
        """Episode -> the concepts that it is about, and concept -> the episodes that are about it."""
        place = self._place
        found: defaultdict[int, list[int]] = defaultdict(list)
        for source, target in ((place[t.source], place[t.target]) for t in self._snapshot.teaches if t.depth == "main"):
            found[source].append(target)
            found[target].append(source)
        return dict(found)


def _met(counts: Iterable[Mapping[int, float]]) -> dict[int, float]:
    """Return document -> the counts of all forms of a word."""
    met: defaultdict[int, float] = defaultdict(float)
    for of_form in counts:
        for n, count in of_form.items():
            met[n] += count
    return dict(met)


def _called(document: Document, asked: Mapping[str, tuple[str, ...]], rarity: Mapping[str, float]) -> float:
    """Return the rarity of the words that stand in what a document is called."""
    there = {word for field in _CALLED for text in document.fields.get(field, ()) for word in words(text)}
    return sum(rarity[word] for word, forms in asked.items() if there.intersection(forms))


def _best_text(document: Document, asked: Mapping[str, tuple[str, ...]], rarity: Mapping[str, float]) -> str:
    def held(text: str) -> float:
        there = set(words(text))
        return round(sum(rarity[word] for word, forms in asked.items() if there.intersection(forms)), 9)

    fields = {**document.fields, "subjects": (), "asked of it": ()}  # texts of others
    fields["summary"] = tuple(s for text in fields.get("summary", ()) for s in _SENTENCE_END.split(text))
    texts = [text for texts in fields.values() for text in texts]
    return max(texts, key=held, default=document.name)
