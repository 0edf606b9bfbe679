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
_RARELY_MEANT, _UNKNOWN = 0.6, 0.2  # what an everyday word counts where the index knows it, and where it does not


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
    """Return the slips and names one or two away.

    Example: `slips("tennsor", ["tensor"])`
    """
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


_LENGTH, _SATURATION = 0.5, 0.8  # b and k1 of BM25
_MAIN, _TAUGHT = 1.2, 1.1  # a concept with episodes is likelier meant
_WEIGHTS = {"name": 4.0, "title": 4.0, "other names": 3.0, "questions": 2.0, "keywords": 2.0, "definition": 1.5}
_WEIGHTS |= {"summary": 1.5, "subjects": 1.0, "guests": 1.0, "source": 0.5, "asked of it": 0.5}
_CALLED = ("name", "title", "keywords", "questions", "asked of it")
_OF_OTHERS = ("subjects", "asked of it")
_BESIDE = 0.1  # of the score of its main subject or episode
_NAMED = 0.3  # for each word of a whole name


class Match(Value, kw_only=True):
    """A concept or an episode that words met, with all texts about it by field.

    `score`: about 1 where all is met best. Shares of the words, by rarity:
    `coverage` in its texts, `named` in a whole name, `called` in names, titles,
    keywords and questions. `best`: the text with most words; `voted`: `score` after
    the vote; `episodes`: what it stands for.
    """

    id: str
    fields: Mapping[str, tuple[str, ...]]
    score: float
    coverage: float
    named: float
    called: float
    best: str
    voted: float
    episodes: frozenset[str]


class TextIndex:
    """The texts about the concepts and episodes of a graph.

    >>> from torchatlas.graph.model import Concept
    >>> graph = Snapshot((Concept("dispatcher", "dispatcher", area="Core"),))
    >>> [m.id for m in TextIndex(graph).matches("are calls dispatched?", ["concept"], 1)]
    ['dispatcher']
    """

    def __init__(self, graph: Snapshot) -> None:
        self._graph = graph
        asked: defaultdict[str, list[str]] = defaultdict(list)  # the titles and the questions on a concept
        self._beside: defaultdict[str, list[str]] = defaultdict(list)  # main subjects of episodes, and the reverse
        self._fields = dict[str, dict[str, tuple[str, ...]]]()
        for e in graph.episodes:
            taught = graph.taught_by.get(e.id, ())
            for place, t in enumerate(taught):
                if t.depth == "main":
                    self._beside[t.source].append(t.target)
                    self._beside[t.target].append(t.source)
                    asked[t.target] += () if place else (e.title, *e.questions)
            told = {"title": (e.title,), "questions": e.questions, "keywords": e.keywords, "summary": (e.summary,)}
            subjects = tuple(graph.name_of(t.target) for t in taught)
            self._fields[e.id] = told | {"subjects": subjects, "guests": e.guests}
        for c in graph.concepts:
            told = {"name": (c.name,), "other names": (*c.aliases, *c.in_texts, *c.phrases)}
            told |= {"definition": (c.definition,), "source": c.source_paths, "asked of it": tuple(asked[c.id])}
            self._fields[c.id] = told

    forms = cached_property(lambda self: WordForms(self._counts))

    def matches(
        self, text: str, kinds: Collection[str], limit: int, *, named: Mapping[str, Collection[str]] | None = None
    ) -> list[Match]:
        """Return the best, ranked by a vote on episodes; `named`: id -> words that name it."""
        asked = {word: self.forms.of(word) for word in telling(text)}
        joined = (a + b for a, b in pairwise(words(text)))  # "data loader"
        asked |= {word: (word,) for word in joined if len(word) > SHORT and word in self._counts}
        rarity, scores, covered = self._scores(asked)
        total = sum(rarity.values())
        if not total or not scores:
            return []
        exact = {id_: sum(rarity.get(word, 0.0) for word in said) for id_, said in (named or {}).items()}
        scores |= {id_: scores.get(id_, 0.0) + _NAMED * share for id_, share in exact.items()}

        def told(texts: Iterable[str]) -> float:
            there = {word for text in texts for word in words(text)}
            return sum(rarity[word] for word, forms in asked.items() if there.intersection(forms))

        concepts, found = self._graph.concept, list[Match]()
        wanted = (id_ for id_ in scores if ("concept" if id_ in concepts else "episode") in kinds)
        best = sorted(wanted, key=lambda id_: (-round(scores[id_], 9), id_ not in concepts, id_))[:limit]
        for id_, (voted, episodes) in self._votes({id_: scores[id_] / total for id_ in best}).items():
            fields = self._fields[id_]
            texts = fields | {"summary": tuple(re.split(r"(?<=[.?!])\s+", " ".join(fields.get("summary", ()))))}
            shown = (text for field in texts if field not in _OF_OTHERS for text in texts[field])
            match = Match(
                id=id_,
                fields=fields,
                score=scores[id_] / total,
                coverage=covered[id_] / total,
                named=exact.get(id_, 0.0) / total,
                called=told(text for field in _CALLED for text in fields.get(field, ())) / total,
                best=max(shown, key=lambda text: round(told([text]), 9)),
                voted=voted,
                episodes=episodes,
            )
            found.append(match)
        return sorted(found, key=lambda match: -round(match.voted, 9))

    def _scores(self, asked: Mapping[str, Collection[str]]) -> Sequence[dict[str, float]]:
        """Return word -> rarity, id -> score and id -> rarity of the words met."""
        number, rarity = len(self._fields), dict[str, float]()
        own, covered = defaultdict[str, float](float), defaultdict[str, float](float)
        for word, forms in asked.items():
            met = defaultdict[str, float](float)
            for id_, count in chain.from_iterable(self._counts[form].items() for form in forms):
                met[id_] += count
            inverse = math.log(1 + (number - len(met) + 0.5) / (len(met) + 0.5))
            rarity[word] = self.forms.weight(word) * inverse
            for id_, count in met.items():
                own[id_] += rarity[word] * count / (_SATURATION + count)
                covered[id_] += rarity[word]
        prior = {concept: _MAIN if concept in self._beside else _TAUGHT for concept in self._graph.teachers}
        likely = {id_: score * prior.get(id_, 1.0) for id_, score in own.items()}
        beside = {id_: max((likely.get(i, 0.0) for i in self._beside.get(id_, ())), default=0.0) for id_ in likely}
        return rarity, {id_: score + _BESIDE * beside[id_] for id_, score in likely.items()}, covered

    def _votes(self, scores: Mapping[str, float]) -> dict[str, tuple[float, frozenset[str]]]:
        """Return id -> score after all voted on their episodes, and these."""
        votes, parts = defaultdict[str, float](float), dict[str, dict[str, float]]()
        for id_, score in scores.items():
            taught = {t.source: 1.0 if t.depth == "main" else 0.5 for t in self._graph.teachers.get(id_, ())}
            parts[id_] = taught if id_ in self._graph.concept else {id_: 1.0}
            for episode, part in parts[id_].items():
                votes[episode] += part * score**2
        most = max(votes.values(), default=1.0)
        mine = {id_: max((part * votes[e] for e, part in of.items()), default=0.0) for id_, of in parts.items()}
        return {i: (score * (1 + 0.4 * mine[i] / most), frozenset(parts[i])) for i, score in scores.items()}

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
