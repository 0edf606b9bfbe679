"""From what a person types to concepts and episodes: names, and one index of all texts, ranked by BM25F."""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property, partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Literal

from torchatlas.graph.answers import How, Reading, ReadingKind
from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.graph.names import STOP_WORDS, asked_number, fold, fold_each, words, words_of_each

if TYPE_CHECKING:
    from snowballstemmer.english_stemmer import EnglishStemmer


Columns = Mapping[str, Sequence[Sequence[str]]]
"""Field -> the words in that field of each document, in the order of the documents."""
_LENGTH = 0.5  # b of BM25


class WordCounts:
    """The words of documents. `parts`: documents with the same fields, one part after the other.

    `weights`: what a word counts in each field; a field is of one part only.

    >>> WordCounts([{"name": [["view"], ["base", "view"]]}], {"name": 3.0}).of(["base"])
    {'base': {1: 2.5714285714285716}}
    """

    def __init__(self, parts: Sequence[Columns], weights: Mapping[str, float]) -> None:
        self._parts = parts
        self._weights = weights
        self._counted: dict[str, dict[int, float]] = {}

    @cached_property
    def words(self) -> Mapping[str, None]:
        """All words, as the documents name them first."""
        documents = chain.from_iterable(zip(*part.values(), strict=True) for part in self._parts)
        return dict.fromkeys(chain.from_iterable(chain.from_iterable(documents)))

    def of(self, words: Iterable[str]) -> dict[str, dict[int, float]]:
        """Return word -> document -> its counts in the fields, weighted, each brought to the field's usual length."""
        wanted = frozenset(words)
        if new := wanted - self._counted.keys():
            self._counted |= self._count(new)
        return {word: self._counted[word] for word in wanted}

    def _count(self, wanted: frozenset[str]) -> dict[str, dict[int, float]]:
        counts: dict[str, dict[int, float]] = defaultdict(dict)
        first = 0
        for part in self._parts:
            for name, column in part.items():
                for n, found in enumerate(column, first):
                    if not wanted.isdisjoint(found):
                        weight = self._weights[name] / (1 - _LENGTH + _LENGTH * len(found) / self._usual[name])
                        for word in wanted.intersection(found):
                            counts[word][n] = counts[word].get(n, 0.0) + weight * found.count(word)
            first += len(next(iter(part.values()), ()))
        return {word: counts[word] for word in wanted}

    @cached_property
    def _usual(self) -> dict[str, float]:
        """The usual length of each field, where it is not empty."""
        lengths = {name: [len(found) for found in column if found] for p in self._parts for name, column in p.items()}
        return {name: sum(all_) / len(all_) for name, all_ in lengths.items() if all_}


_VERBS = """
    add allow avoid appear apply arrive ask become begin behave believe bring buy care carry cause change choose
    close come compare complain confuse consider contain continue control cut deal decide define delete depend describe
    develop differ drop eat enable end expect fail fall feel figure fill find finish fix follow force forget found
    grow handle happen hear hide hit hold hope improve increase involve keep kept kill lack last lead leave left
    live look lose lost meet mention miss modify move notice obtain offer open pass pay perform pick play prefer
    prevent produce provide pull push put raise ran reach receive reduce refer refuse reject remain remember remove
    report request resolve run seem send set shrink sit skip slow speed spend stand stay stop suggest support suppose
    suspect take taken talk tend throw time took treat trigger try turn wait walk warn watch win wish wonder worry
    write written wrote
"""
_QUALITIES = """
    able bad best better big certain clear common correct cheap custom different difficult direct easy entire extra
    false fast fine free full general good great hard high huge important large late less little long low main near
    new next nice normal old possible present quick rare real regular right same short similar simple small special
    strange strong sudden sure true typical usual various visible weird whole wrong
"""
_ADVERBS = """
    across along already altogether away back early else far first forever inside instead later maybe now often
    once outside perhaps quite rather soon sometimes today together tomorrow twice
"""
_MEASURES = (
    "amount bit day example fact idea lot part people piece place reason rest result sort trouble week word year"
)

EVERYDAY = frozenset(words(_VERBS + _QUALITIES + _ADVERBS + _MEASURES))
"""Each in one form; a stemmer finds the others."""


_DENIAL = frozenset(("no", "not", "without"))
_ASKING = STOP_WORDS - _DENIAL | frozenset(
    words(
        "about actual actually after again all also always am another any anything basically because before beginner"
        " beginners both call called deal deep depth detail details don each even ever every everything exact exactly"
        " explain get gets give gives go goes going happening help here hood im inside internal internally internals"
        " just know learn let like ll made make makes making many may mean means might more most much must need needed"
        " needs never only other out over own please problem properly pytorch question re really s safely same say see"
        " show simply some someone something start started starting still teach tell thing things think though through"
        " too under understand understanding ve versus very vs want wants way ways well whats whether yet"
    )
)
"""Words of asking, which say nothing about the subject; words of denial do: "tensor without data"."""
COUNTED = 50
"""Telling words that count in a text; each is compared with all words of the index."""
_READ = 20 * COUNTED
_STEMMED = 4  # letters from which a word has a stem, and an inflection begins with the same three
_HEAD = 3
_EVERYDAY, _UNKNOWN = 0.6, 0.2  # of the weight of another word, where the index knows an everyday word or does not


def telling(text: str) -> tuple[str, ...]:
    """Return the words of a text that tell its subject, each once; none where it only asks, or denies.

    >>> telling("How does the dispatcher work internally?"), telling("PyTorch internals"), telling("no such thing")
    (('dispatcher',), (), ())
    """
    told = tuple(word for word in dict.fromkeys(words(text)) if word not in _ASKING)
    return () if _DENIAL.issuperset(told) else told


def telling_part(text: str) -> str:
    """Return a text up to the last telling word that counts, with single blanks: patterns take long over many of them.

    >>> telling_part("why " * 3 + " ".join(f"word{n}" for n in range(90)))[-13:], telling_part(" bf16  vs. fp16")
    ('word48 word49', 'bf16 vs. fp16')
    """
    text = " ".join(text.split())
    said = words(text)
    told: set[str] = set()
    for place, word in enumerate(said):
        if word not in _ASKING:
            told.add(word)
        if len(told) == COUNTED or place == _READ:
            return text if place == len(said) - 1 else " ".join(said[: place + 1])
    return text


def slips(length: int) -> int:
    """Return how many typing slips are forgiven in a name of so many letters: none in a short one.

    >>> slips(4), slips(9), slips(12)
    (0, 1, 2)
    """
    return (length > 5) + (length > 9)


class WordForms:
    """The words of an index, by what a person may type for them."""

    def __init__(self, known: Collection[str]) -> None:
        self._known = known

    @cached_property
    def _by_head(self) -> dict[str, list[str]]:
        heads: dict[str, list[str]] = {}
        for word in self._known:
            heads.setdefault(word[:_HEAD], []).append(word)
        return heads

    @cached_property
    def _stemmer(self) -> "EnglishStemmer":
        from snowballstemmer.english_stemmer import EnglishStemmer  # Porter's second algorithm for English

        return EnglishStemmer()

    def stem(self, word: str) -> str:
        """Return what a word shares with its inflections.

        >>> WordForms(()).stem("recompile") == WordForms(()).stem("recompilation")
        True
        """
        return str(self._stemmer.stemWord(word)) if len(word) >= _STEMMED else word

    @cached_property
    def _everyday(self) -> frozenset[str]:
        return frozenset(map(self.stem, EVERYDAY))

    def weight(self, word: str) -> float:
        """Return how much a word of a question counts beside the others, in [0, 1]: everyday words count less.

        >>> WordForms(["view"]).weight("fails") < WordForms(["view"]).weight("view")
        True
        """
        if any(map(str.isdigit, word)) and word not in self._known:
            return 0.0
        if self.stem(word) not in self._everyday:
            return 1.0
        return _EVERYDAY if self.of(word) else _UNKNOWN

    def of(self, word: str) -> tuple[str, ...]:
        """Return the known words that a word means: itself and its inflections, else those that are a slip away.

        >>> WordForms(["leaks", "leaking", "lead"]).of("leaked")
        ('leaks', 'leaking')
        >>> WordForms(["dispatcher"]).of("dispacher")
        ('dispatcher',)
        """
        stem = self.stem(word)
        inflected = [w for w in self._by_head.get(word[:_HEAD], ()) if w == word or self.stem(w) == stem]
        return tuple(inflected) or self._near(word)

    def _near(self, word: str) -> tuple[str, ...]:
        from rapidfuzz.distance import OSA

        allowed = slips(len(word)) if word.isalpha() else 0
        if not allowed:
            return ()
        near = ((OSA.distance(word, w, score_cutoff=allowed), w) for w in self._known if w.isalpha())
        found = sorted((distance, w) for distance, w in near if distance <= allowed)
        return tuple(w for distance, w in found if distance == found[0][0])


_MAIN, _TAUGHT = 1.2, 1.1  # a concept that episodes are about, or explain, is more likely meant than any other
Kind = Literal["concept", "episode"]


@dataclass(frozen=True, slots=True)
class Document:
    """All texts about a concept or an episode, by field; `prior`: how likely it is meant before any word is read."""

    id: str
    name: str
    _: KW_ONLY
    kind: Kind
    fields: Mapping[str, tuple[str, ...]]
    prior: float = 1.0


class Documents:
    """The documents of a graph; each is made when it is asked for.

    >>> graph = Snapshot((Concept("vmap", "vmap", area="Transforms"),), (Episode("a/one", "One", show="A"),))
    >>> [Documents(graph)[n].name for n in range(2)]
    ['vmap', 'One']
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    @cached_property
    def ids(self) -> Sequence[str]:
        """The id of each document."""
        return [*(c.id for c in self._snapshot.concepts), *(e.id for e in self._snapshot.episodes)]

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, n: int) -> Document:
        if self.kind(n) == "concept":
            c = self._snapshot.concepts[n]
            return Document(c.id, c.name, kind="concept", fields=self._concept(c), prior=self.prior(n))
        e = self._snapshot.episodes[n - len(self._snapshot.concepts)]
        return Document(e.id, e.title, kind="episode", fields=self._episode(e))

    def kind(self, n: int) -> Kind:
        """Return what the document with a number is about."""
        return "concept" if n < len(self._snapshot.concepts) else "episode"

    def prior(self, n: int) -> float:
        """Return how likely the document with a number is meant before any word is read."""
        depths = {t.depth for t in self._snapshot.teachers.get(self.ids[n], ())} if self.kind(n) == "concept" else ()
        return _MAIN if "main" in depths else _TAUGHT if depths else 1.0

    @cached_property
    def parts(self) -> Sequence[Columns]:
        """The words of the concepts, and those of the episodes."""
        concepts = [self._concept(c) for c in self._snapshot.concepts]
        episodes = self._snapshot.episodes
        named = {c.id: words(c.name) for c in self._snapshot.concepts}
        taught = self._snapshot.taught_by
        of_episodes = {
            "title": words_of_each([e.title for e in episodes]),
            "questions": words_of_each(["\n".join(e.questions) for e in episodes]),  # no word goes beyond a line
            "keywords": words_of_each(["\n".join(e.keywords) for e in episodes]),
            "summary": words_of_each([e.summary for e in episodes]),
            "subjects": [list(chain.from_iterable(named[t.target] for t in taught.get(e.id, ()))) for e in episodes],
            "guests": words_of_each(["\n".join(e.guests) for e in episodes]),
        }
        fields = concepts[0] if concepts else ()
        return {name: words_of_each(["\n".join(of[name]) for of in concepts]) for name in fields}, of_episodes

    @cached_property
    def _asked(self) -> Mapping[str, tuple[str, ...]]:
        """Concept -> the titles and the questions of the episodes that are about it."""
        about = {e: ts[0].target for e, ts in self._snapshot.taught_by.items() if ts[0].depth == "main"}
        asked: defaultdict[str, list[str]] = defaultdict(list)
        for e in self._snapshot.episodes:
            if e.id in about:
                asked[about[e.id]] += (e.title, *e.questions)
        return {id_: tuple(texts) for id_, texts in asked.items()}

    def _concept(self, c: Concept) -> dict[str, tuple[str, ...]]:
        return {
            "name": (c.name,), "other names": (*c.aliases, *c.in_texts, *c.phrases), "definition": (c.definition,),
            "source": c.source_paths, "asked of it": self._asked.get(c.id, ()),
        }  # fmt: skip

    def _episode(self, e: Episode) -> dict[str, tuple[str, ...]]:
        subjects = tuple(self._snapshot.concept[t.target].name for t in self._snapshot.taught_by.get(e.id, ()))
        return {
            "title": (e.title,), "questions": e.questions, "keywords": e.keywords, "summary": (e.summary,),
            "subjects": subjects, "guests": e.guests,
        }  # fmt: skip


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

        >>> from torchatlas.graph.model import Concept
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


_AREA = re.compile(r"(?:the\s+)?area\s+(?:of\s+)?(.+)|(?:the\s+)?(.+)\s+area", re.I)
_CODE = re.compile(r"[\w+-]+(?:(?:\.|::|/)[\w+-]+)+(?:\(\))?")
_JOINT = re.compile(r"\.|::|/")
_ENDING = re.compile(r"\.(?:py|pyi|cpp|cc|c|cu|cuh|h|hpp|yaml|yml|toml|txt|cmake)$")
_DIGITS = re.compile(r"\d+")
_ABBREVIATION = re.compile(r"[^a-z]*[A-Z][^a-z]*")
_SLIP = 0.75  # the score of a name that is a slip away
_SHORT = 5  # letters of a name that is too short to be corrected, or to stand for a longer one

Folded = dict[str, list[Callable[[], Reading]]]
"""What makes the readings of names, by what is left of those: few of thousands are asked for."""


def first(tiers: Iterable[list[Reading]]) -> list[Reading]:
    """Return the first tier that is not empty, and [] where all are.

    >>> first([[], []])
    []
    """
    return next(filter(None, tiers), [])


def each_once(readings: Iterable[Reading]) -> list[Reading]:
    """Return readings without those that mean the same as one before them.

    >>> each_once([])
    []
    """
    found: dict[tuple[str, ...], Reading] = {}
    for reading in readings:
        found.setdefault(reading.ids, reading)
    return list(found.values())


def if_single(readings: Iterable[Reading]) -> list[Reading]:
    """Return readings that are as good as one another: sure only where there is a single one.

    >>> if_single([])
    []
    """
    found = list(readings)
    return found if len(found) == 1 else [replace(reading, sure=False) for reading in found]


class Names:
    """The names of a graph. Nothing is folded before a text needs it."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def by_id(self, id_: str) -> Reading | None:
        """Return the concept or episode that has an id.

        Example: `names.by_id("vmap").name` is "vmap".
        """
        if concept := self._snapshot.concept.get(id_):
            return _concept(concept, "name", concept.name)
        episode = self._snapshot.episode.get(id_)
        return _episode(episode, "name", episode.title) if episode else None

    def exact(self, text: str, kinds: Collection[ReadingKind]) -> list[Reading]:
        """Return what a text names of these kinds, the sure readings first; none is sure where several are as good.

        Example: `names.exact("torch.compile", ["concept"])[0].how` is "alias".
        """
        concepts = if_single(first(self.concepts(text))) if "concept" in kinds else []
        areas = list(self.area(text)) if "area" in kinds else []
        named = concepts and concepts[0].how == "name"  # an area comes before a concept's other name only
        found = [*concepts, *areas] if named else [*areas, *concepts]
        if "episode" in kinds and not (found and found[0].sure):
            found = [*if_single(first(self.episodes(text))), *found]
        return sorted(found, key=lambda reading: not reading.sure)

    def concepts(self, text: str) -> Iterator[list[Reading]]:
        """Yield the concepts that a text names, in tiers: the first that is not empty counts.

        Example: `next(filter(None, names.concepts("torch.compile")))[0].how` is "alias".
        """
        typed, everyone = text.casefold(), self._snapshot.concepts
        yield [_concept(c, "name", c.name) for c in everyone if text in (c.id, c.name)]
        yield [_concept(c, "name", c.name) for c in everyone if typed in (c.id.casefold(), c.name.casefold())]
        yield [_concept(c, "alias", text) for c in everyone if typed in map(str.casefold, c.aliases)]
        for table in (self._folded_names, self._folded_aliases, self._folded_phrases):
            yield _bearers(table, fold(text))

    def folded(self, text: str) -> list[Reading]:
        """Return the concepts that bear a name, another name or a wording, but for case, hyphens and the plural's s."""
        key = fold(text)
        return first(_bearers(t, key) for t in (self._folded_names, self._folded_aliases, self._folded_phrases))

    def episodes(self, text: str) -> Iterator[list[Reading]]:
        """Yield the episodes whose number, id or whole title a text is, in tiers; a number may stand behind its show.

        Example: `next(filter(None, names.episodes("#61")))[0].name` is "AOTAutograd".
        """
        typed, everyone = text.casefold(), self._snapshot.episodes
        if asked := asked_number(text):
            yield [_episode(e, "number", e.numbered) for e in everyone if asked.means(e.number, e.season)]
        yield [_episode(e, "name", e.title) for e in everyone if typed in (e.id.casefold(), e.title.casefold())]
        yield _bearers(self._folded_titles, fold(text))
        for show in sorted({e.show for e in everyone}):
            rest = text[len(show) :] if typed.startswith(show.casefold()) else ""
            if rest.startswith((" ", ",", ":")) and (asked := asked_number(rest.lstrip(" ,:"))):
                meant = (e for e in everyone if e.show == show and asked.means(e.number, e.season))
                yield [_episode(e, "number", f"{show} {e.numbered}") for e in meant]

    def area(self, text: str) -> Iterator[Reading]:
        """Yield the area that a text names; it stands for the main subjects of the episodes that are about it."""
        asked = _AREA.fullmatch(text)
        wanted = fold((asked[1] or asked[2]) if asked else text)
        for area in (a for a in self._snapshot.areas if fold(a) == wanted):
            if subjects := self._subjects(area):
                yield Reading(subjects, area, kind="area", how="area", matched=area)

    def identifiers(self, text: str) -> Iterator[list[Reading]]:
        """Yield the concepts of an identifier, in tiers: of its place in the source, of its last part, of its owners.

        A file may be named by its end ("scheduler.py"), a module as Python does ("torch._inductor.scheduler"). A part
        counts only where the map knows a name that begins alike: `torch.utils.data.DataLoader`, not `numpy.ndarray`.
        """
        code = text.removesuffix("()").strip("/")
        if not _CODE.fullmatch(code):
            return
        steps = _steps(code)
        yield [r for place, r in self._places if place == steps]
        if _ENDING.search(code):
            yield [r for place, r in self._places if place[-len(steps) :] == steps]
        if "/" not in code and steps[0] in self._heads:
            yield from self._parts(_JOINT.split(code))
        for length in range(len(steps) - 1, 1, -1):
            yield [r for place, r in self._places if place == steps[:length]]

    def _parts(self, parts: Sequence[str]) -> Iterator[list[Reading]]:
        *owners, last = parts
        if len(last) > _SHORT:
            yield [_again(r, "identifier", last) for r in first(self.concepts(last))]
        for length in range(len(owners), 1, -1):
            owner = ".".join(owners[:length])
            yield [_again(r, "identifier", owner) for r in first(self.concepts(owner))]

    def nearest(self, text: str, kinds: Sequence[str]) -> list[Reading]:
        """Return the concepts and episodes that are the fewest slips away; none for short names and abbreviations."""
        from rapidfuzz.distance import OSA

        folded = fold(text)
        if not (allowed := slips(len(folded))) or _ABBREVIATION.fullmatch(text):
            return []
        near: list[tuple[int, str, Reading]] = []
        for table in (self._folded_names, self._folded_aliases, self._folded_titles):
            for name, owners in table.items():
                if not -allowed <= len(name) - len(folded) <= allowed:
                    continue
                distance = OSA.distance(folded, name, score_cutoff=allowed)
                if distance <= allowed and len(name) > _SHORT and _DIGITS.findall(name) == _DIGITS.findall(folded):
                    near += [(distance, r.kind, r) for r in (make() for make in owners) if r.kind in kinds]
        least = min((n[:2] for n in near), default=None)
        return each_once(_again(r, "corrected", r.matched, _SLIP) for *n, r in near if (n[0], n[1]) == least)

    def everyone(self, kinds: Sequence[str]) -> Iterator[Reading]:
        """Yield every name of the concepts and the titles of the episodes, where these kinds are wanted.

        An episode that is called like a concept is left out: its title means the concept.
        """
        concepts, episodes = self._snapshot.concepts, self._snapshot.episodes
        if "concept" in kinds:
            yield from (_concept(c, "name", name) for c in concepts for name in (c.name, *c.aliases))
        if "episode" in kinds:
            taken = {fold(c.name) for c in concepts} if "concept" in kinds else set()
            yield from (_episode(e, "name", e.title) for e in episodes if not taken or fold(e.title) not in taken)

    def begun(self, text: str) -> Iterator[Reading]:
        """Yield every name of the concepts, then every title of the episodes, that begins with a text.

        Example: `[reading.name for reading in names.begun("func")]`
        """
        begun = fold(text)
        if not begun:
            return
        named = [(name, c) for c in self._snapshot.concepts for name in (c.name, *c.aliases)]
        for (name, c), folded in zip(named, fold_each([name for name, _ in named]), strict=True):
            if folded.startswith(begun):
                yield _concept(c, "name", name)
        for e, folded in zip(self._snapshot.episodes, self._titles, strict=True):
            if folded.startswith(begun):
                yield _episode(e, "name", e.title)

    def _subjects(self, area: str) -> tuple[str, ...]:
        concept, taught = self._snapshot.concept, self._snapshot.taught_by
        first = (taught[e.id][0] for e in self._snapshot.episodes if taught.get(e.id))
        return tuple(dict.fromkeys(t.target for t in first if t.depth == "main" and concept[t.target].area == area))

    @cached_property
    def _places(self) -> list[tuple[tuple[str, ...], Reading]]:
        """The places in the source: those of concepts with few places and with episodes first."""
        taught = self._snapshot.teachers
        order = sorted(self._snapshot.concepts, key=lambda c: (len(c.source_paths), -len(taught.get(c.id, ())), c.id))
        return [(_steps(path), _concept(c, "identifier", path)) for c in order for path in c.source_paths]

    @cached_property
    def _heads(self) -> frozenset[str]:
        """The first parts of the qualified names that the map knows."""
        names = (name for c in self._snapshot.concepts for name in (c.name, *c.aliases))
        return frozenset(_JOINT.split(name)[0].casefold() for name in names if _CODE.fullmatch(name))

    @cached_property
    def _folded_names(self) -> Folded:
        concepts = self._snapshot.concepts
        return _folded((n, partial(_concept, c, "name", c.name)) for c in concepts for n in (c.id, c.name))

    @cached_property
    def _folded_aliases(self) -> Folded:
        return _folded((a, partial(_concept, c, "alias", a)) for c in self._snapshot.concepts for a in c.aliases)

    @cached_property
    def _folded_phrases(self) -> Folded:
        concepts = self._snapshot.concepts
        return _folded((p, partial(_concept, c, "alias", p)) for c in concepts for p in (*c.in_texts, *c.phrases))

    @cached_property
    def _folded_titles(self) -> Folded:
        found: Folded = {}
        episodes = self._snapshot.episodes
        ids = fold_each([e.id for e in episodes])
        for e, *keys in zip(episodes, ids, self._titles, strict=True):
            for key in filter(None, keys):
                found.setdefault(key, []).append(partial(_episode, e, "name", e.title))
        return found

    @cached_property
    def _titles(self) -> list[str]:
        """The title of each episode, folded."""
        return fold_each([e.title for e in self._snapshot.episodes])


def _concept(concept: Concept, how: How, matched: str) -> Reading:
    return Reading((concept.id,), concept.name, kind="concept", how=how, matched=matched)


def _episode(episode: Episode, how: How, matched: str) -> Reading:
    return Reading((episode.id,), episode.title, kind="episode", how=how, matched=matched)


def _again(reading: Reading, how: How, matched: str, score: float = 1.0) -> Reading:
    return replace(reading, how=how, matched=matched, score=score)


def _folded(named: Iterable[tuple[str, Callable[[], Reading]]]) -> Folded:
    found: Folded = {}
    for name, make in named:
        if key := fold(name):
            found.setdefault(key, []).append(make)
    return found


def _bearers(table: Folded, key: str) -> list[Reading]:
    """Return the readings of the names of which this is left, each once."""
    return each_once(make() for make in table.get(key, ()))


def _steps(code: str) -> tuple[str, ...]:
    """Return the folders and the module of a path or of a qualified name, in lower case."""
    parts = tuple(part.casefold() for part in _JOINT.split(_ENDING.sub("", code)) if part)
    return parts[:-1] if parts[-1:] == ("__init__",) else parts
