"""A BM25F index of the texts about concepts and episodes."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from itertools import chain, pairwise
from statistics import fmean

from torchatlas.graph.model import Snapshot, Value
from torchatlas.graph.names import STOP_WORDS, words

_EVERYDAY, _OF_ASKING = (  # each everyday word is in one form; a stemmer finds the others
    frozenset(words(line.partition(":")[2]))
    for line in re.split(r"\n(?=[a-z]+: )", (files("torchatlas.data") / "asking.txt").read_text("utf-8"))
)
_DENIAL = frozenset(("no", "not", "without"))
_ASKING = STOP_WORDS - _DENIAL | _OF_ASKING  # denial tells: "tensor without data"
COUNTED = 50  # telling words that count in a text
_READ = 20 * COUNTED
SHORT = 5  # letters of a name that is too short to be corrected
_RARELY_MEANT, _UNKNOWN = 0.6, 0.2  # what an everyday word counts if the index knows it, and if not


def telling(text: str) -> tuple[str, ...]:
    """Return the words on a text's subject, each once; none if it only asks.

    >>> telling("How does the dispatcher work internally?"), telling("no such thing")
    (('dispatcher',), ())
    """
    told = tuple(word for word in dict.fromkeys(words(text)) if word not in _ASKING)
    return () if _DENIAL.issuperset(told) else told


def telling_part(text: str) -> str:
    """Return a text up to the last word that counts, with single blanks.

    >>> telling_part(" ".join(f"w{n}" for n in range(90)))[-7:], telling_part(" bf16  x")
    ('w48 w49', 'bf16 x')
    """
    text = " ".join(text.split())
    said, told = words(text), set[str]()
    for place, word in enumerate(said[:-1]):
        told.update({word} - _ASKING)
        if len(told) == COUNTED or place == _READ:
            return " ".join(said[: place + 1])
    return text


def slips(text: str, known: Iterable[str]) -> list[tuple[int, str]]:
    """Return the slips and names one or two away: `slips("tennsor", ["tensor"])`."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    allowed = (len(text) > SHORT) + (len(text) > 9)
    names = list(known) if allowed else []
    found = process.extract(text, names, scorer=OSA.distance, score_cutoff=allowed, limit=None)
    return sorted((int(distance), name) for name, distance, _ in found)


class WordForms:
    """The words of an index, by what a person may type for them.

    >>> WordForms(["leaks", "lead"]).of("leaked"), WordForms(["tensor"]).of("tennsor")
    (('leaks',), ('tensor',))
    """

    def __init__(self, known: Collection[str]) -> None:
        from snowballstemmer.english_stemmer import EnglishStemmer  # Porter's second algorithm for English

        self._known, self._stemmer = known, EnglishStemmer()
        self._everyday = frozenset(map(self.stem, _EVERYDAY))

    def stem(self, word: str) -> str:
        """Return what a word of four letters or more shares with its inflections."""
        return str(self._stemmer.stemWord(word)) if len(word) > 3 else word

    def weight(self, word: str) -> float:
        """Return a word's weight in [0, 1]; everyday words count less."""
        if any(map(str.isdigit, word)) and word not in self._known:
            return 0.0
        if self.stem(word) not in self._everyday:
            return 1.0
        return _RARELY_MEANT if self.of(word) else _UNKNOWN

    def of(self, word: str) -> tuple[str, ...]:
        """Return its inflections among known words, else those a slip away."""
        stem = self.stem(word)
        inflected = [w for w in self._known if w.startswith(word[:3]) and (w == word or self.stem(w) == stem)]
        found = [] if inflected or not word.isalpha() else slips(word, filter(str.isalpha, self._known))
        return (*inflected, *(w for distance, w in found if distance == found[0][0]))


_LENGTH, _SATURATION = 0.5, 1.0  # b and k1 of BM25
_WEIGHTS = {"name": 4.0, "title": 4.0, "other names": 3.0, "questions": 2.0, "asked": 2.0, "keywords": 2.0}
_WEIGHTS |= {"definition": 1.5, "summary": 1.5, "subjects": 1.0, "guests": 1.0, "source": 0.5, "episodes": 0.5}
_OF_OTHERS = ("subjects", "episodes")  # fields whose texts are about something else
_CLOSEST = {"definition": 0.8, "summary": 0.7, "episodes": 0.6}  # of a text's similarity, otherwise 1
_COMPARED = 40  # matches whose texts are compared with the question one by one
_TEXT = 0.4  # what the closest text adds to the score
_BESIDE = 0.2  # of the score of its episode, or of its main subject
_MAIN, _TAUGHT = 1.1, 1.05  # a concept with episodes is likelier meant
Forms = Mapping[str, Collection[str]]  # word -> what it may be in a text


class Match(Value, kw_only=True):
    """A concept or episode that words met.

    `score`: about 1 where all is met well; `coverage`: the share of the words that its
    texts hold, by rarity; `best`: the text most like the question.
    """

    id: str
    score: float
    coverage: float
    best: str


class TextIndex:
    """The texts about the concepts and episodes of a graph.

    Ranks by BM25F (Robertson and Zaragoza 2009) over fields, which hold questions that
    each answers (Nogueira et al. 2019, document expansion), and by the closest text.

    >>> from torchatlas.graph.model import Concept
    >>> graph = Snapshot((Concept("dispatcher", "dispatcher", area="Core"),))
    >>> [m.id for m in TextIndex(graph).matches("are calls dispatched?", ["concept"])]
    ['dispatcher']
    """

    def __init__(self, graph: Snapshot, *, of_resources: bool = False) -> None:
        self._graph = graph
        episodes: defaultdict[str, list[str]] = defaultdict(list)  # titles of and questions to those on a concept
        self._beside: defaultdict[str, list[str]] = defaultdict(list)  # main subjects of episodes, and the reverse
        self._fields = dict[str, dict[str, tuple[str, ...]]]()
        for e in graph.resources if of_resources else graph.episodes:
            taught = graph.taught_by.get(e.id, ())
            for place, t in enumerate(taught):
                if t.depth == "main":
                    self._beside[t.source].append(t.target)
                    self._beside[t.target].append(t.source)
                    episodes[t.target] += () if place else (e.title, *e.questions)
            told = {"title": (e.title,), "questions": e.questions, "keywords": e.keywords, "guests": e.guests}
            subjects = tuple(graph.name_of(t.target) for t in taught)
            self._fields[e.id] = told | {"subjects": subjects, "summary": tuple(re.split(r"(?<=[.?!])\s+", e.summary))}
        for c in () if of_resources else graph.concepts:
            told = {"name": (c.name,), "other names": (*c.aliases, *c.in_texts, *c.phrases), "asked": c.asked}
            told |= {"definition": (c.definition,), "source": c.source_paths, "episodes": tuple(episodes[c.id])}
            self._fields[c.id] = told

    forms = cached_property(lambda self: WordForms(self._counts))

    def matches(self, text: str, kinds: Collection[str]) -> list[Match]:
        """Return the best matches of a text, best first, as "concept" or "episode"."""
        asked = {word: self.forms.of(word) for word in telling(text)}
        joined = (a + b for a, b in pairwise(words(text)))  # "data loader"
        asked |= {word: (word,) for word in joined if len(word) > SHORT and word in self._counts}
        rarity, scores, covered = self._scores(asked)
        if not (total := sum(rarity.values())):
            return []
        concepts = self._graph.concept
        first = sorted(scores, key=lambda id_: (-round(scores[id_], 9), id_ not in concepts, id_))[:_COMPARED]
        closest = {id_: self._closest(id_, asked, rarity) for id_ in first}
        likely = {id_: _MAIN if id_ in self._beside else _TAUGHT for id_ in self._graph.teachers}
        own = {id_: likely.get(id_, 1.0) * (scores[id_] / total + _TEXT * closest[id_][0]) for id_ in first}
        beside = {id_: max((own.get(other, 0.0) for other in self._beside.get(id_, ())), default=0.0) for id_ in first}
        found = [
            Match(id=id_, score=own[id_] + _BESIDE * beside[id_], coverage=covered[id_] / total, best=closest[id_][1])
            for id_ in first
            if ("concept" if id_ in concepts else "episode") in kinds
        ]
        return sorted(found, key=lambda match: -round(match.score, 9))

    def _closest(self, id_: str, asked: Forms, rarity: Mapping[str, float]) -> tuple[float, str]:
        """Return the text most like the question, after its cosine similarity."""
        meant = {form: word for word, forms in asked.items() for form in forms}
        length, best = math.hypot(*rarity.values()), (0.0, "")
        for field, text in ((f, text) for f, of in self._fields[id_].items() if f not in _OF_OTHERS for text in of):
            said = telling(text)
            if met := {meant[word] for word in said if word in meant}:
                others = (self._rarity(len(self._counts[word])) for word in said if word not in meant)
                norm = math.hypot(*(rarity[word] for word in met), *others)
                alike = sum(rarity[word] ** 2 for word in met) / (length * norm or 1.0)
                best = max(best, (round(_CLOSEST.get(field, 1.0) * alike, 9), text))
        return best

    def _rarity(self, holders: int) -> float:
        return math.log(1 + (len(self._fields) - holders + 0.5) / (holders + 0.5))

    def _scores(self, asked: Mapping[str, Collection[str]]) -> Sequence[dict[str, float]]:
        """Return word -> rarity, id -> score and id -> rarity of the words met."""
        rarity = dict[str, float]()
        scores, covered = defaultdict[str, float](float), defaultdict[str, float](float)
        for word, forms in asked.items():
            met = defaultdict[str, float](float)
            for id_, count in chain.from_iterable(self._counts[form].items() for form in forms):
                met[id_] += count
            rarity[word] = self.forms.weight(word) * self._rarity(len(met))
            for id_, count in met.items():
                scores[id_] += rarity[word] * count / (_SATURATION + count)
                covered[id_] += rarity[word]
        return rarity, scores, covered

    @cached_property
    def _counts(self) -> Mapping[str, Mapping[str, float]]:
        """Word -> id -> how often fields hold it, by their weight and length."""
        counts: defaultdict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for name, weight in _WEIGHTS.items():
            held = {id_: words("\n".join(of[name])) for id_, of in self._fields.items() if name in of}
            usual = fmean([len(said) for said in held.values() if said] or [1])  # no word goes beyond a line
            for id_, said in held.items():
                each = weight / (1 - _LENGTH + _LENGTH * len(said) / usual)
                for word, times in Counter(said).items():
                    counts[word][id_] += each * times
        return counts
