"""The one index of all texts about concepts and episodes, ranked by BM25F.

BM25F is BM25 over texts with fields: the counts of a word in the fields of a text, each weighted and brought to the
field's usual length, are added up before they are saturated (Robertson, Zaragoza and Taylor, "Simple BM25 extension to
multiple weighted fields", 2004).
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from torchatlas.graph.answers.query_words import WordForms, telling
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.names import words

_SATURATION, _LENGTH = 0.8, 0.5  # k1 and b of BM25
_WEIGHTS = {  # of the fields of concepts and episodes
    "name": 4.0, "other names": 3.0, "definition": 1.5, "source": 0.5, "asked of it": 0.5,
    "title": 4.0, "questions": 2.0, "keywords": 2.0, "summary": 1.5, "subjects": 1.0, "guests": 1.0,
}  # fmt: skip
_CALLED = ("name", "title", "keywords", "questions", "asked of it")
_MAIN, _TAUGHT = 1.2, 1.1  # a concept that episodes are about, or explain, is more likely meant than any other
_BESIDE = 0.1  # of the score of a main subject for its episode, and the other way round
_NAMED = 0.3  # what each word of a whole name counts beside, in the share of what the words tell
_NONE: Mapping[str, Collection[str]] = {}
_JOINED = 6  # letters of two words that are known as one: "data loader"
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+")
Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """All texts about a concept or an episode, by field; `prior`: how likely it is meant before any word is read."""

    id: str
    name: str
    _: KW_ONLY
    kind: Literal["concept", "episode"]
    fields: Mapping[str, Texts]
    prior: float = 1.0


@dataclass(frozen=True, slots=True)
class Match:
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
    """The index of a graph. Its first question takes some 0.1 s for 1,700 documents, a further one some 0.01 s."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    @cached_property
    def documents(self) -> Sequence[Document]:
        """The concepts and then the episodes, each by id."""
        return (*_concepts(self._snapshot), *_episodes(self._snapshot))

    @cached_property
    def forms(self) -> WordForms:
        """The words of the index."""
        return WordForms(self._counts)

    def matches(
        self, text: str, kinds: Collection[str], limit: int, *, named: Mapping[str, Collection[str]] = _NONE
    ) -> tuple[Match, ...]:
        """Return the documents of these kinds that the telling words of a text met, best first, ties by kind and id.

        `named`: document -> the words of the text that are a whole name of it; they count once more.

        >>> from torchatlas.graph.values.model import Concept
        >>> graph = Snapshot((Concept("dispatcher", "dispatcher", area="Core"),))
        >>> [match.document.id for match in TextIndex(graph).matches("how are calls dispatched?", ["concept"], 1)]
        ['dispatcher']
        """
        asked = {word: self.forms.of(word) for word in telling(text)}
        asked |= {a + b: (a + b,) for a, b in pairwise(words(text)) if len(a + b) >= _JOINED and a + b in self._counts}
        met = {word: self._met(forms) for word, forms in asked.items()}
        rarity = {word: self.forms.weight(word) * self._rarity(len(counts)) for word, counts in met.items()}
        total = sum(rarity.values())
        if not total or not any(met.values()):
            return ()
        scores, covered = self._scores(met, rarity)
        exact = self._exact(named, rarity)
        for n, share in exact.items():
            scores[n] = scores.get(n, 0.0) + _NAMED * share
        wanted = [n for n in scores if self.documents[n].kind in kinds]
        best = sorted(wanted, key=lambda n: (-round(scores[n], 9), self.documents[n].kind, self.documents[n].id))
        return tuple(
            Match(self.documents[n], scores[n] / total, coverage=covered.get(n, 0.0) / total,
                  named=exact.get(n, 0.0) / total, called=self._called(self.documents[n], asked, rarity) / total,
                  best=self._best_text(self.documents[n], asked, rarity))
            for n in best[:limit]
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
        likely = {n: score * self.documents[n].prior for n, score in own.items()}
        beside = {n: max((likely.get(m, 0.0) for m in self._beside.get(n, ())), default=0.0) for n in likely}
        return {n: score + _BESIDE * beside[n] for n, score in likely.items()}, dict(covered)

    def _met(self, forms: Iterable[str]) -> dict[int, float]:
        """Return document -> weighted count of all forms of a word."""
        counts: defaultdict[int, float] = defaultdict(float)
        for form in forms:
            for n, count in self._counts[form].items():
                counts[n] += count
        return dict(counts)

    def _rarity(self, found: int) -> float:
        """Return the inverse document frequency of a word that so many documents hold."""
        return math.log(1 + (len(self.documents) - found + 0.5) / (found + 0.5))

    @cached_property
    def _counts(self) -> dict[str, dict[int, float]]:
        """Word -> document -> its counts in the fields, weighted, each brought to the usual length of the field."""
        split = [dict(_words_by_field(d)) for d in self.documents]
        lengths: defaultdict[str, list[int]] = defaultdict(list)
        for fields in split:
            for name, found in fields.items():
                lengths[name].append(len(found))
        usual = {name: sum(all_) / len(all_) for name, all_ in lengths.items()}
        counts: defaultdict[str, dict[int, float]] = defaultdict(dict)
        for n, fields in enumerate(split):
            for name, found in fields.items():
                weight = _WEIGHTS[name] / (1 - _LENGTH + _LENGTH * len(found) / usual[name])
                for word, times in Counter(found).items():
                    held = counts[word]
                    held[n] = held.get(n, 0.0) + weight * times
        return dict(counts)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {d.id: n for n, d in enumerate(self.documents)}

    @cached_property
    def _beside(self) -> dict[int, list[int]]:
        """Episode -> the concepts that it is about, and concept -> the episodes that are about it."""
        place = self._place
        found: defaultdict[int, list[int]] = defaultdict(list)
        for source, target in ((place[t.source], place[t.target]) for t in self._snapshot.teaches if t.depth == "main"):
            found[source].append(target)
            found[target].append(source)
        return dict(found)

    def _called(self, document: Document, asked: Mapping[str, Texts], rarity: Mapping[str, float]) -> float:
        """Return the rarity of the words that stand in what a document is called."""
        there = {word for field in _CALLED for text in document.fields.get(field, ()) for word in words(text)}
        return sum(rarity[word] for word, forms in asked.items() if there.intersection(forms))

    def _best_text(self, document: Document, asked: Mapping[str, Texts], rarity: Mapping[str, float]) -> str:
        def held(text: str) -> float:
            there = set(words(text))
            return round(sum(rarity[word] for word, forms in asked.items() if there.intersection(forms)), 9)

        fields = {**document.fields, "subjects": (), "asked of it": ()}  # texts of others
        fields["summary"] = tuple(s for text in fields.get("summary", ()) for s in _SENTENCE_END.split(text))
        texts = [text for texts in fields.values() for text in texts]
        return max(texts, key=held, default=document.name)


def _concepts(snapshot: Snapshot) -> Iterator[Document]:
    about = {e: ts[0].target for e, ts in snapshot.taught_by.items() if ts[0].depth == "main"}
    asked: defaultdict[str, list[str]] = defaultdict(list)
    for e in snapshot.episodes:
        asked[about.get(e.id, "")] += (e.title, *e.questions)
    for c in snapshot.concepts:
        depths = {t.depth for t in snapshot.teachers.get(c.id, ())}
        fields = {
            "name": (c.name,), "other names": (*c.aliases, *c.in_texts, *c.phrases), "definition": (c.definition,),
            "source": c.source_paths, "asked of it": tuple(asked[c.id]),
        }  # fmt: skip
        prior = _MAIN if "main" in depths else _TAUGHT if depths else 1.0
        yield Document(c.id, c.name, kind="concept", fields=fields, prior=prior)


def _episodes(snapshot: Snapshot) -> Iterator[Document]:
    for e in snapshot.episodes:
        subjects = tuple(snapshot.concept[t.target].name for t in snapshot.taught_by.get(e.id, ()))
        fields = {
            "title": (e.title,), "questions": e.questions, "keywords": e.keywords, "summary": (e.summary,),
            "subjects": subjects, "guests": e.guests,
        }  # fmt: skip
        yield Document(e.id, e.title, kind="episode", fields=fields)


def _words_by_field(document: Document) -> Iterator[tuple[str, list[str]]]:
    for name, texts in document.fields.items():
        if found := words("\n".join(texts)):  # no word goes beyond a line
            yield name, found
