"""From typed words to concepts and episodes: names, and a BM25F text index."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from importlib.resources import files
from itertools import chain, pairwise
from statistics import fmean

from torchatlas.graph.answers import How, Reading, ReadingKind
from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.graph.names import STOP_WORDS, asked_number, fold, words

_EVERYDAY, _OF_ASKING = (  # each everyday word is in one form; a stemmer finds the others
    frozenset(words(line.partition(":")[2]))
    for line in (files("torchatlas.data") / "asking.txt").read_text("utf-8").split("\n\n")
)
_DENIAL = frozenset(("no", "not", "without"))
_ASKING = STOP_WORDS - _DENIAL | _OF_ASKING  # these say nothing about the subject; denial does: "tensor without data"
COUNTED = 50
"""Telling words that count in a text; each is compared with all words of the index."""
_READ = 20 * COUNTED
_STEMMED = 4  # letters from which a word has a stem, and an inflection begins with the same three
_HEAD = 3
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
    for place, word in enumerate(said):
        told.update({word} - _ASKING)
        if len(told) == COUNTED or place == _READ:
            return text if place == len(said) - 1 else " ".join(said[: place + 1])
    return text


def _near(text: str, known: Iterable[str]) -> list[tuple[int, str]]:
    """Return the known names one or two slips away, after the number of slips."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    allowed = (len(text) > _SHORT) + (len(text) > 9)
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

    def stem(self, word: str) -> str:
        """Return what a word shares with its inflections."""
        return str(self._stemmer.stemWord(word)) if len(word) >= _STEMMED else word

    @cached_property
    def _everyday(self) -> frozenset[str]:
        return frozenset(map(self.stem, _EVERYDAY))

    def weight(self, word: str) -> float:
        """Return a word's weight in [0, 1]; everyday words count less."""
        if any(map(str.isdigit, word)) and word not in self._known:
            return 0.0
        if self.stem(word) not in self._everyday:
            return 1.0
        return _RARELY_MEANT if self.of(word) else _UNKNOWN

    def of(self, word: str) -> tuple[str, ...]:
        """Return its inflections among known words, else those a slip away."""
        stem, head = self.stem(word), word[:_HEAD]
        inflected = [w for w in self._known if w.startswith(head) and (w == word or self.stem(w) == stem)]
        if inflected or not word.isalpha():
            return tuple(inflected)
        found = _near(word, filter(str.isalpha, self._known))
        return tuple(w for distance, w in found if distance == found[0][0])


_LENGTH, _SATURATION = 0.5, 0.8  # b and k1 of BM25
_MAIN, _TAUGHT = 1.2, 1.1  # a concept that episodes are about, or explain, is more likely meant than any other
_WEIGHTS = {  # of the fields of concepts and episodes
    "name": 4.0,
    "other names": 3.0,
    "definition": 1.5,
    "source": 0.5,
    "asked of it": 0.5,
    "title": 4.0,
    "questions": 2.0,
    "keywords": 2.0,
    "summary": 1.5,
    "subjects": 1.0,
    "guests": 1.0,
}
_CALLED = ("name", "title", "keywords", "questions", "asked of it")
_OF_OTHERS = ("subjects", "asked of it")  # no answer shows these
_BESIDE = 0.1  # of the score of a main subject for its episode, and the other way round
_NAMED = 0.3  # what each word of a whole name counts beside, in the share of what the words tell
_JOINED = 6  # letters of two words that are known as one: "data loader"


@dataclass(frozen=True, slots=True)
class Match:
    """A concept or an episode that words met, with all texts about it by field.

    `score`: about 1 where all is met best. Shares of the words, by rarity:
    `coverage` in its texts, `named` in a whole name, `called` in names, titles,
    keywords and questions. `best`: the text or sentence with most words;
    `voted`: `score` after all matches voted; `episodes`: what it stands for.
    """

    id: str
    name: str
    _: KW_ONLY
    kind: ReadingKind
    fields: Mapping[str, tuple[str, ...]]
    score: float
    coverage: float
    named: float
    called: float
    best: str
    voted: float = 0.0
    episodes: frozenset[str] = frozenset()


class TextIndex:
    """The texts about the concepts and episodes of a graph.

    >>> graph = Snapshot((Concept("dispatcher", "dispatcher", area="Core"),))
    >>> [m.id for m in TextIndex(graph).matches("are calls dispatched?", ["concept"], 1)]
    ['dispatcher']
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._asked: defaultdict[str, list[str]] = defaultdict(list)  # the titles and the questions on a concept
        self._beside: defaultdict[str, list[str]] = defaultdict(list)  # main subjects of episodes, and the reverse
        for e in snapshot.episodes:
            for place, t in enumerate(snapshot.taught_by.get(e.id, ())):
                if t.depth == "main":
                    self._beside[t.source].append(t.target)
                    self._beside[t.target].append(t.source)
                    self._asked[t.target] += () if place else (e.title, *e.questions)
        self._fields: dict[str, dict[str, tuple[str, ...]]] = {
            c.id: {
                "name": (c.name,),
                "other names": (*c.aliases, *c.in_texts, *c.phrases),
                "definition": (c.definition,),
                "source": c.source_paths,
                "asked of it": tuple(self._asked.get(c.id, ())),
            }
            for c in snapshot.concepts
        }
        self._fields |= {
            e.id: {
                "title": (e.title,),
                "questions": e.questions,
                "keywords": e.keywords,
                "summary": (e.summary,),
                "subjects": tuple(snapshot.name_of(t.target) for t in snapshot.taught_by.get(e.id, ())),
                "guests": e.guests,
            }
            for e in snapshot.episodes
        }

    @cached_property
    def forms(self) -> WordForms:
        """The words of the index."""
        return WordForms(self._counts)

    def matches(
        self, text: str, kinds: Collection[str], limit: int, *, named: Mapping[str, Collection[str]] | None = None
    ) -> tuple[Match, ...]:
        """Return the best matches first; `named`: id -> words that name it."""
        asked = {word: self.forms.of(word) for word in telling(text)}
        joined = (a + b for a, b in pairwise(words(text)))
        asked |= {word: (word,) for word in joined if len(word) >= _JOINED and word in self._counts}
        number, rarity = len(self._fields), dict[str, float]()
        own, covered = defaultdict[str, float](float), defaultdict[str, float](float)
        for word, forms in asked.items():
            met = defaultdict[str, float](float)
            for id_, count in chain.from_iterable(self._counts[form].items() for form in forms):
                met[id_] += count
            inverse = math.log(1 + (number - len(met) + 0.5) / (len(met) + 0.5))  # document frequency
            rarity[word] = self.forms.weight(word) * inverse
            for id_, count in met.items():
                own[id_] += rarity[word] * count / (_SATURATION + count)
                covered[id_] += rarity[word]
        total = sum(rarity.values())
        if not total or not own:
            return ()
        prior = {concept: _MAIN if concept in self._beside else _TAUGHT for concept in self._snapshot.teachers}
        likely = {id_: score * prior.get(id_, 1.0) for id_, score in own.items()}
        scores = {
            id_: score + _BESIDE * max((likely.get(other, 0.0) for other in self._beside.get(id_, ())), default=0.0)
            for id_, score in likely.items()
        }
        exact = {id_: sum(rarity.get(word, 0.0) for word in said) for id_, said in (named or {}).items()}
        for id_, share in exact.items():
            scores[id_] = scores.get(id_, 0.0) + _NAMED * share

        def told(texts: Iterable[str]) -> float:
            there = {word for text in texts for word in words(text)}
            return sum(rarity[word] for word, forms in asked.items() if there.intersection(forms))

        kind: dict[str, ReadingKind] = {
            id_: "concept" if id_ in self._snapshot.concept else "episode" for id_ in scores
        }
        wanted = [id_ for id_ in scores if kind[id_] in kinds]
        found = []
        for id_ in sorted(wanted, key=lambda id_: (-round(scores[id_], 9), kind[id_], id_))[:limit]:
            name, fields = self._snapshot.name_of(id_), self._fields[id_]
            texts = fields | {"summary": tuple(re.split(r"(?<=[.?!])\s+", " ".join(fields.get("summary", ()))))}
            match = Match(
                id_,
                name,
                kind=kind[id_],
                fields=fields,
                score=scores[id_] / total,
                coverage=covered[id_] / total,
                named=exact.get(id_, 0.0) / total,
                called=told(text for field in _CALLED for text in fields.get(field, ())) / total,
                best=max(
                    (text for field in texts if field not in _OF_OTHERS for text in texts[field]),
                    key=lambda text: round(told([text]), 9),
                ),
            )
            found.append(match)
        return tuple(found)

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


_AREA = re.compile(r"(?:the\s+)?area\s+(?:of\s+)?(.+)|(?:the\s+)?(.+)\s+area", re.I)
_CODE = re.compile(r"[\w+-]+(?:(?:\.|::|/)[\w+-]+)+(?:\(\))?")
_JOINT = re.compile(r"\.|::|/")
_ENDING = re.compile(r"\.(?:py|pyi|cpp|cc|c|cu|cuh|h|hpp|yaml|yml|toml|txt|cmake)$")
_DIGITS = re.compile(r"\d+")
_ABBREVIATION = re.compile(r"[^a-z]*[A-Z][^a-z]*")
_SLIP = 0.75  # the score of a name that is a slip away
_SHORT = 5  # letters of a name that is too short to be corrected, or to stand for a longer one


def each_once(readings: Iterable[Reading]) -> list[Reading]:
    """Return readings without repeated meanings: `each_once([])` is []."""
    found: dict[tuple[str, ...], Reading] = {}
    for reading in readings:
        found.setdefault(reading.ids, reading)
    return list(found.values())


def if_single(readings: Sequence[Reading]) -> list[Reading]:
    """Return equal readings, sure only if single: `if_single([])` is []."""
    return [replace(reading, sure=reading.sure and len(readings) == 1) for reading in readings]


class Names:
    """Names of a graph: `Names(snapshot).exact("vmap", ["concept"])[0].how`."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    @cached_property
    def _folded(self) -> Mapping[str, list[tuple[str, str, Reading]]]:
        """What folding leaves of a name -> its group, the name, and what it means."""
        found: defaultdict[str, list[tuple[str, str, Reading]]] = defaultdict(list)
        for c in self._snapshot.concepts:
            for name in (c.id, c.name):
                found[fold(name)].append(("name", name, _reading(c)))
            for group, names in (("alias", c.aliases), ("phrase", (*c.in_texts, *c.phrases))):
                for name in names:
                    found[fold(name)].append((group, name, _reading(c, "alias", name)))
        for e in self._snapshot.episodes:
            for name in (e.id, e.title):
                found[fold(name)].append(("title", name, _reading(e)))
        return found

    def by_id(self, id_: str) -> Reading | None:
        """Return the concept or episode that has an id."""
        node = self._snapshot.concept.get(id_) or self._snapshot.episode.get(id_)
        return _reading(node) if node else None

    def exact(self, text: str, kinds: Collection[ReadingKind]) -> list[Reading]:
        """Return what a text names, sure readings first; none sure if several."""
        concepts = if_single(self.called(text)) if "concept" in kinds else []
        areas = list(self.area(text)) if "area" in kinds else []
        named = concepts and concepts[0].how == "name"  # an area comes before a concept's other name only
        found = [*concepts, *areas] if named else [*areas, *concepts]
        if "episode" in kinds and not (found and found[0].sure):
            found = [*if_single(next(filter(None, self._episodes(text)), [])), *found]
        return sorted(found, key=lambda reading: not reading.sure)

    def called(self, text: str, groups: Sequence[str] = ("name", "alias", "phrase")) -> list[Reading]:
        """Return the concepts with the name or wording most like a text."""
        if exact := [_reading(c) for c in self._snapshot.concepts if "name" in groups and text in (c.id, c.name)]:
            return exact  # before any name is folded, which takes time
        typed, key = text.casefold(), fold(text)
        ranked: defaultdict[tuple[bool, int], list[Reading]] = defaultdict(list)
        for group, name, reading in self._folded.get(key, ()):
            differs = group == "phrase" or name.casefold() != typed  # in hyphens, the plural's s and the like
            if group in groups and (key or not differs):
                ranked[differs, groups.index(group)].append(reading)
        return each_once(ranked[min(ranked)]) if ranked else []

    def _episodes(self, text: str) -> Iterator[list[Reading]]:
        """Yield episodes by number, id, title, or show and number, in tiers."""
        typed, everyone = text.casefold(), self._snapshot.episodes
        if asked := asked_number(text):
            yield [_reading(e, "number", e.numbered) for e in everyone if asked.means(e.number, e.season)]
        yield self.called(text, ("title",))
        for show in sorted({e.show for e in everyone}):
            rest = text[len(show) :] if typed.startswith(show.casefold()) else ""
            if rest.startswith((" ", ",", ":")) and (asked := asked_number(rest.lstrip(" ,:"))):
                meant = (e for e in everyone if e.show == show and asked.means(e.number, e.season))
                yield [_reading(e, "number", f"{show} {e.numbered}") for e in meant]

    def area(self, text: str) -> Iterator[Reading]:
        """Yield the area named, as the main subjects of its episodes."""
        asked = _AREA.fullmatch(text)
        wanted = fold((asked[1] or asked[2]) if asked else text)
        concept, taught = self._snapshot.concept, self._snapshot.taught_by
        for area in (a for a in self._snapshot.areas if fold(a) == wanted):
            mains = (t for e in self._snapshot.episodes for t in taught.get(e.id, ())[:1] if t.depth == "main")
            if subjects := tuple(dict.fromkeys(t.target for t in mains if concept[t.target].area == area)):
                yield Reading(subjects, area, kind="area", how="area", matched=area)

    def identifiers(self, text: str) -> Iterator[list[Reading]]:
        """Yield an identifier's concepts in tiers: by source, last part, owners.

        A file may be an end ("scheduler.py"), a module dotted ("torch.fx"). Parts
        count only under a known beginning: `torch.nn.Linear`, not `numpy.ndarray`.
        """
        code = text.removesuffix("()").strip("/")
        if not _CODE.fullmatch(code):
            return
        concepts, taught, steps = self._snapshot.concepts, self._snapshot.teachers, _steps(code)
        # concepts with few places and with episodes come first
        order = sorted(concepts, key=lambda c: (len(c.source_paths), -len(taught.get(c.id, ())), c.id))
        places = [(_steps(path), _reading(c, "identifier", path)) for c in order for path in c.source_paths]
        yield [r for place, r in places if place == steps]
        if _ENDING.search(code):
            yield [r for place, r in places if place[-len(steps) :] == steps]
        qualified = (name for c in concepts for name in (c.name, *c.aliases) if _CODE.fullmatch(name))
        if "/" not in code and steps[0] in {_JOINT.split(name)[0].casefold() for name in qualified}:
            *owners, last = _JOINT.split(code)
            owning = [".".join(owners[:length]) for length in range(len(owners), 1, -1)]
            for part in (last, *owning) if len(last) > _SHORT else owning:
                yield [replace(r, how="identifier", matched=part, score=1.0) for r in self.called(part)]
        for length in range(len(steps) - 1, 1, -1):
            yield [r for place, r in places if place == steps[:length]]

    def nearest(self, text: str, kinds: Collection[str]) -> list[Reading]:
        """Return readings the fewest slips away; none for short names."""
        folded = fold(text)
        near = [
            ((distance, r.kind), r)
            for distance, name in ([] if _ABBREVIATION.fullmatch(text) else _near(folded, self._folded))
            if len(name) > _SHORT and _DIGITS.findall(name) == _DIGITS.findall(folded)
            for group, _, r in self._folded[name]
            if group != "phrase" and r.kind in kinds
        ]
        least = min((rank for rank, _ in near), default=None)
        return each_once(replace(r, how="corrected", score=_SLIP) for rank, r in near if rank == least)

    def everyone(self, kinds: Collection[str]) -> Iterator[Reading]:
        """Yield all names of concepts, then titles of episodes, of these kinds."""
        if "concept" in kinds:
            yield from (_reading(c, "name", name) for c in self._snapshot.concepts for name in (c.name, *c.aliases))
        if "episode" in kinds:
            yield from map(_reading, self._snapshot.episodes)


def _reading(node: Concept | Episode, how: How = "name", matched: str | None = None) -> Reading:
    kind: ReadingKind = "concept" if isinstance(node, Concept) else "episode"
    name = node.name if isinstance(node, Concept) else node.title
    return Reading((node.id,), name, kind=kind, how=how, matched=name if matched is None else matched)


def _steps(code: str) -> tuple[str, ...]:
    """Return the folders and module of a path or dotted name, in lower case."""
    parts = tuple(part.casefold() for part in _JOINT.split(_ENDING.sub("", code)) if part)
    return parts[:-1] if parts[-1:] == ("__init__",) else parts
