"""From what a person types to concepts and episodes: names, and one index of all texts, ranked by BM25F."""

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cache, cached_property
from itertools import chain, pairwise
from statistics import fmean

from torchatlas.graph.answers import How, Reading, ReadingKind
from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.graph.names import STOP_WORDS, asked_number, fold, words

_EVERYDAY = frozenset(
    words("""
    add allow avoid appear apply arrive ask become begin behave believe bring buy care carry cause change choose
    close come compare complain confuse consider contain continue control cut deal decide define delete depend describe
    develop differ drop eat enable end expect fail fall feel figure fill find finish fix follow force forget found
    grow handle happen hear hide hit hold hope improve increase involve keep kept kill lack last lead leave left
    live look lose lost meet mention miss modify move notice obtain offer open pass pay perform pick play prefer
    prevent produce provide pull push put raise ran reach receive reduce refer refuse reject remain remember remove
    report request resolve run seem send set shrink sit skip slow speed spend stand stay stop suggest support suppose
    suspect take taken talk tend throw time took treat trigger try turn wait walk warn watch win wish wonder worry
    write written wrote
    able bad best better big certain clear common correct cheap custom different difficult direct easy entire extra
    false fast fine free full general good great hard high huge important large late less little long low main near
    new next nice normal old possible present quick rare real regular right same short similar simple small special
    strange strong sudden sure true typical usual various visible weird whole wrong
    across along already altogether away back early else far first forever inside instead later maybe now often
    once outside perhaps quite rather soon sometimes today together tomorrow twice
    amount bit day example fact idea lot part people piece place reason rest result sort trouble week word year
    """)
)  # each in one form; a stemmer finds the others
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
)  # words of asking say nothing about the subject; words of denial do: "tensor without data"
COUNTED = 50
"""Telling words that count in a text; each is compared with all words of the index."""
_READ = 20 * COUNTED
_STEMMED = 4  # letters from which a word has a stem, and an inflection begins with the same three
_HEAD = 3
_RARELY_MEANT, _UNKNOWN = 0.6, 0.2  # what an everyday word counts where the index knows it, and where it does not


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
    said, told = words(text), set[str]()
    for place, word in enumerate(said):
        told.update({word} - _ASKING)
        if len(told) == COUNTED or place == _READ:
            return text if place == len(said) - 1 else " ".join(said[: place + 1])
    return text


def slips(length: int) -> int:
    """Return how many typing slips are forgiven in a name of so many letters.

    >>> slips(4), slips(9), slips(12)
    (0, 1, 2)
    """
    return (length > 5) + (length > 9)


def _near(text: str, known: Iterable[str], allowed: int) -> Iterator[tuple[int, str]]:
    """Yield the known names that are so many slips away at most, each with the number of slips."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    for name, distance, _ in process.extract_iter(text, list(known), scorer=OSA.distance, score_cutoff=allowed):
        yield int(distance), name


class WordForms:
    """The words of an index, by what a person may type for them.

    >>> WordForms(["leaks", "leaking", "lead"]).of("leaked"), WordForms(["dispatcher"]).of("dispacher")
    (('leaks', 'leaking'), ('dispatcher',))
    """

    def __init__(self, known: Collection[str]) -> None:
        from snowballstemmer.english_stemmer import EnglishStemmer  # Porter's second algorithm for English

        self._known, self._stemmer = known, EnglishStemmer()
        self._by_head: defaultdict[str, list[str]] = defaultdict(list)
        for word in known:
            self._by_head[word[:_HEAD]].append(word)

    def __contains__(self, word: str) -> bool:
        return word in self._known

    def stem(self, word: str) -> str:
        """Return what a word shares with its inflections."""
        return str(self._stemmer.stemWord(word)) if len(word) >= _STEMMED else word

    @cached_property
    def _everyday(self) -> frozenset[str]:
        return frozenset(map(self.stem, _EVERYDAY))

    def weight(self, word: str) -> float:
        """Return how much a word of a question counts beside the others, in [0, 1]: everyday words count less."""
        if any(map(str.isdigit, word)) and word not in self._known:
            return 0.0
        if self.stem(word) not in self._everyday:
            return 1.0
        return _RARELY_MEANT if self.of(word) else _UNKNOWN

    def of(self, word: str) -> tuple[str, ...]:
        """Return the known words that a word means: itself and its inflections, else those that are a slip away."""
        stem = self.stem(word)
        inflected = [w for w in self._by_head.get(word[:_HEAD], ()) if w == word or self.stem(w) == stem]
        allowed = slips(len(word)) if word.isalpha() else 0
        if inflected or not allowed:
            return tuple(inflected)
        found = sorted(_near(word, filter(str.isalpha, self._known), allowed))
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
_BESIDE = 0.1  # of the score of a main subject for its episode, and the other way round
_NAMED = 0.3  # what each word of a whole name counts beside, in the share of what the words tell
_JOINED = 6  # letters of two words that are known as one: "data loader"
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+")


@dataclass(frozen=True, slots=True)
class Match:
    """A concept or an episode that words met, with all texts about it by field.

    `score` in (0, 1], or a little above: 1 where every word could not be met better. Of what the words tell (by their
    rarity), `coverage` is the share that its texts hold, `named` the share that is a whole name, and `called` the share
    in its names, titles, keywords and questions. `best`: the text, or the sentence of its summary, that holds most of
    the words; `voted`: the score after a vote of all matches; `episodes`: those that it stands for.
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
    >>> [match.id for match in TextIndex(graph).matches("how are calls dispatched?", ["concept"], 1)]
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

    @cached_property
    def forms(self) -> WordForms:
        """The words of the index."""
        return WordForms(dict.fromkeys(word for *_, column in self._columns for said in column for word in said))

    def matches(
        self, text: str, kinds: Collection[str], limit: int, *, named: Mapping[str, Collection[str]] | None = None
    ) -> tuple[Match, ...]:
        """Return what the telling words of a text met of these kinds, best first, ties by kind and id.

        `named`: id -> the words of the text that are a whole name; they count once more.
        """
        asked = {word: self.forms.of(word) for word in telling(text)}
        joined = (a + b for a, b in pairwise(words(text)))
        asked |= {word: (word,) for word in joined if len(word) >= _JOINED and word in self.forms}
        met, snapshot = self._met(asked), self._snapshot
        number = len(snapshot.concepts) + len(snapshot.episodes)
        rarity = {  # inverse document frequency
            word: self.forms.weight(word) * math.log(1 + (number - len(counts) + 0.5) / (len(counts) + 0.5))
            for word, counts in met.items()
        }
        total = sum(rarity.values())
        if not total or not any(met.values()):
            return ()
        own, covered = defaultdict[str, float](float), defaultdict[str, float](float)
        for word, counts in met.items():
            for id_, count in counts.items():
                own[id_] += rarity[word] * count / (_SATURATION + count)
                covered[id_] += rarity[word]
        likely = {id_: score * self._prior(id_) for id_, score in own.items()}
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

        kind: dict[str, ReadingKind] = {id_: "concept" if id_ in snapshot.concept else "episode" for id_ in scores}
        wanted = [id_ for id_ in scores if kind[id_] in kinds]
        found = []
        for id_ in sorted(wanted, key=lambda id_: (-round(scores[id_], 9), kind[id_], id_))[:limit]:
            name, fields = snapshot.name_of(id_), self._fields(snapshot.concept.get(id_) or snapshot.episode[id_])
            match = Match(
                id_,
                name,
                kind=kind[id_],
                fields=fields,
                score=scores[id_] / total,
                coverage=covered[id_] / total,
                named=exact.get(id_, 0.0) / total,
                called=told(text for field in _CALLED for text in fields.get(field, ())) / total,
                best=max(_shown(fields), key=lambda text: round(told([text]), 9), default=name),
            )
            found.append(match)
        return tuple(found)

    def _prior(self, id_: str) -> float:
        """Return how likely a concept or an episode is meant before any word is read."""
        taught = self._snapshot.teachers.get(id_, ())
        return _MAIN if any(t.depth == "main" for t in taught) else _TAUGHT if taught else 1.0

    @cached_property
    def _columns(self) -> list[tuple[float, float, Sequence[Concept | Episode], list[list[str]]]]:
        """For each field its weight, its usual length, the nodes that have it, and the words of each."""
        found = []
        groups: tuple[Sequence[Concept | Episode], ...] = (self._snapshot.concepts, self._snapshot.episodes)
        for nodes in groups:
            fields = [self._fields(node) for node in nodes]
            for name in fields[0] if fields else ():
                column = [words("\n".join(of[name])) for of in fields]  # no word goes beyond a line
                usual = fmean([len(said) for said in column if said] or [1])
                found.append((_WEIGHTS[name], usual, nodes, column))
        return found

    def _met(self, asked: Mapping[str, Sequence[str]]) -> dict[str, dict[str, float]]:
        """Return word -> id -> the weighted counts of its forms in the fields, each by its usual length."""
        wanted = frozenset(chain.from_iterable(asked.values()))
        counts: dict[str, dict[str, float]] = {form: defaultdict(float) for form in wanted}
        for weight, usual, nodes, column in self._columns:
            for node, said in zip(nodes, column, strict=True):
                if not wanted.isdisjoint(said):
                    each = weight / (1 - _LENGTH + _LENGTH * len(said) / usual)
                    for form in wanted.intersection(said):
                        counts[form][node.id] += each * said.count(form)
        met: dict[str, dict[str, float]] = {word: defaultdict(float) for word in asked}
        for word, forms in asked.items():
            for id_, count in chain.from_iterable(counts[form].items() for form in forms):
                met[word][id_] += count
        return met

    def _fields(self, node: Concept | Episode) -> dict[str, tuple[str, ...]]:
        if isinstance(node, Concept):
            return {
                "name": (node.name,),
                "other names": (*node.aliases, *node.in_texts, *node.phrases),
                "definition": (node.definition,),
                "source": node.source_paths,
                "asked of it": tuple(self._asked.get(node.id, ())),
            }
        return {
            "title": (node.title,),
            "questions": node.questions,
            "keywords": node.keywords,
            "summary": (node.summary,),
            "subjects": tuple(self._snapshot.name_of(t.target) for t in self._snapshot.taught_by.get(node.id, ())),
            "guests": node.guests,
        }


def _shown(fields: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the texts about a node that an answer may show, without the texts of others."""
    for name, texts in fields.items():
        if name == "summary":
            yield from (sentence for text in texts for sentence in _SENTENCE_END.split(text))
        elif name not in ("subjects", "asked of it"):
            yield from texts


_AREA = re.compile(r"(?:the\s+)?area\s+(?:of\s+)?(.+)|(?:the\s+)?(.+)\s+area", re.I)
_CODE = re.compile(r"[\w+-]+(?:(?:\.|::|/)[\w+-]+)+(?:\(\))?")
_JOINT = re.compile(r"\.|::|/")
_ENDING = re.compile(r"\.(?:py|pyi|cpp|cc|c|cu|cuh|h|hpp|yaml|yml|toml|txt|cmake)$")
_DIGITS = re.compile(r"\d+")
_ABBREVIATION = re.compile(r"[^a-z]*[A-Z][^a-z]*")
_SLIP = 0.75  # the score of a name that is a slip away
_SHORT = 5  # letters of a name that is too short to be corrected, or to stand for a longer one


def first(tiers: Iterable[list[Reading]]) -> list[Reading]:
    """Return the first tier that is not empty: `first([[], []])` is []."""
    return next(filter(None, tiers), [])


def each_once(readings: Iterable[Reading]) -> list[Reading]:
    """Return readings without those that mean the same as one before them: `each_once([])` is []."""
    found: dict[tuple[str, ...], Reading] = {}
    for reading in readings:
        found.setdefault(reading.ids, reading)
    return list(found.values())


def if_single(readings: Sequence[Reading]) -> list[Reading]:
    """Return readings that are as good as one another, sure only where there is one: `if_single([])` is []."""
    return [replace(reading, sure=reading.sure and len(readings) == 1) for reading in readings]


class Names:
    """The names of a graph, for example `Names(snapshot).exact("torch.compile", ["concept"])[0].how` is "alias".

    Nothing is folded before a text needs it.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._folded = cache(self._fold)

    def by_id(self, id_: str) -> Reading | None:
        """Return the concept or episode that has an id."""
        node = self._snapshot.concept.get(id_) or self._snapshot.episode.get(id_)
        return _reading(node) if node else None

    def exact(self, text: str, kinds: Collection[ReadingKind]) -> list[Reading]:
        """Return what a text names of these kinds, the sure readings first; none is sure where several are as good."""
        concepts = if_single(first(self._concepts(text))) if "concept" in kinds else []
        areas = list(self.area(text)) if "area" in kinds else []
        named = concepts and concepts[0].how == "name"  # an area comes before a concept's other name only
        found = [*concepts, *areas] if named else [*areas, *concepts]
        if "episode" in kinds and not (found and found[0].sure):
            found = [*if_single(first(self._episodes(text))), *found]
        return sorted(found, key=lambda reading: not reading.sure)

    def _concepts(self, text: str) -> Iterator[list[Reading]]:
        """Yield the concepts that a text names, in tiers: the first that is not empty counts."""
        typed, everyone = text.casefold(), self._snapshot.concepts
        yield [_reading(c) for c in everyone if text in (c.id, c.name)]
        yield [_reading(c) for c in everyone if typed in (c.id.casefold(), c.name.casefold())]
        yield [_reading(c, "alias", text) for c in everyone if typed in map(str.casefold, c.aliases)]
        yield self.folded(text)

    def folded(self, text: str) -> list[Reading]:
        """Return the concepts that bear a name, another name or a wording, but for case, hyphens and the plural's s."""
        return first(self._bearers(group, fold(text)) for group in ("name", "alias", "phrase"))

    def _episodes(self, text: str) -> Iterator[list[Reading]]:
        """Yield the episodes whose number, id or title a text is, in tiers; a number may stand behind its show."""
        typed, everyone = text.casefold(), self._snapshot.episodes
        if asked := asked_number(text):
            yield [_reading(e, "number", e.numbered) for e in everyone if asked.means(e.number, e.season)]
        yield [_reading(e) for e in everyone if typed in (e.id.casefold(), e.title.casefold())]
        yield self._bearers("title", fold(text))
        for show in sorted({e.show for e in everyone}):
            rest = text[len(show) :] if typed.startswith(show.casefold()) else ""
            if rest.startswith((" ", ",", ":")) and (asked := asked_number(rest.lstrip(" ,:"))):
                meant = (e for e in everyone if e.show == show and asked.means(e.number, e.season))
                yield [_reading(e, "number", f"{show} {e.numbered}") for e in meant]

    def area(self, text: str) -> Iterator[Reading]:
        """Yield the area that a text names; it stands for the main subjects of the episodes that are about it."""
        asked = _AREA.fullmatch(text)
        wanted = fold((asked[1] or asked[2]) if asked else text)
        concept, taught = self._snapshot.concept, self._snapshot.taught_by
        for area in (a for a in self._snapshot.areas if fold(a) == wanted):
            mains = (t for e in self._snapshot.episodes for t in taught.get(e.id, ())[:1] if t.depth == "main")
            if subjects := tuple(dict.fromkeys(t.target for t in mains if concept[t.target].area == area)):
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
            *owners, last = _JOINT.split(code)
            owning = [".".join(owners[:length]) for length in range(len(owners), 1, -1)]
            for part in (last, *owning) if len(last) > _SHORT else owning:
                yield [replace(r, how="identifier", matched=part, score=1.0) for r in first(self._concepts(part))]
        for length in range(len(steps) - 1, 1, -1):
            yield [r for place, r in self._places if place == steps[:length]]

    def nearest(self, text: str, kinds: Collection[str]) -> list[Reading]:
        """Return the concepts and episodes that are the fewest slips away; none for short names and abbreviations."""
        folded = fold(text)
        if not (allowed := slips(len(folded))) or _ABBREVIATION.fullmatch(text):
            return []
        near = [
            ((distance, r.kind), r)
            for group in ("name", "alias", "title")
            for distance, name in _near(folded, self._folded(group), allowed)
            if len(name) > _SHORT and _DIGITS.findall(name) == _DIGITS.findall(folded)
            for r in self._bearers(group, name)
            if r.kind in kinds
        ]
        least = min((rank for rank, _ in near), default=None)
        return each_once(replace(r, how="corrected", score=_SLIP) for rank, r in near if rank == least)

    def everyone(self, kinds: Collection[str]) -> Iterator[Reading]:
        """Yield every name of the concepts, then the titles of the episodes, where these kinds are wanted."""
        if "concept" in kinds:
            yield from (_reading(c, "name", name) for c in self._snapshot.concepts for name in (c.name, *c.aliases))
        if "episode" in kinds:
            yield from map(_reading, self._snapshot.episodes)

    def begun(self, text: str) -> Iterator[Reading]:
        """Yield every name of the concepts, then every title of the episodes, that begins with a text."""
        if begun := fold(text):
            readings = self.everyone(("concept", "episode"))
            yield from (reading for reading in readings if fold(reading.matched).startswith(begun))

    @cached_property
    def _places(self) -> list[tuple[tuple[str, ...], Reading]]:
        """The places in the source: those of concepts with few places and with episodes first."""
        taught = self._snapshot.teachers
        order = sorted(self._snapshot.concepts, key=lambda c: (len(c.source_paths), -len(taught.get(c.id, ())), c.id))
        return [(_steps(path), _reading(c, "identifier", path)) for c in order for path in c.source_paths]

    @cached_property
    def _heads(self) -> frozenset[str]:
        """The first parts of the qualified names that the map knows."""
        names = (name for c in self._snapshot.concepts for name in (c.name, *c.aliases))
        return frozenset(_JOINT.split(name)[0].casefold() for name in names if _CODE.fullmatch(name))

    def _fold(self, group: str) -> dict[str, list[tuple[Concept | Episode, How, str]]]:
        """Map what folding leaves of the names of a group to what `_reading` takes: few of thousands are asked for."""
        concepts, episodes = self._snapshot.concepts, self._snapshot.episodes
        groups: dict[str, Iterator[tuple[str, Concept | Episode, How, str]]] = {
            "name": ((name, c, "name", c.name) for c in concepts for name in (c.id, c.name)),
            "alias": ((name, c, "alias", name) for c in concepts for name in c.aliases),
            "phrase": ((name, c, "alias", name) for c in concepts for name in (*c.in_texts, *c.phrases)),
            "title": ((name, e, "name", e.title) for e in episodes for name in (e.id, e.title)),
        }
        found: defaultdict[str, list[tuple[Concept | Episode, How, str]]] = defaultdict(list)
        for written, node, how, name in groups[group]:
            found[fold(written)].append((node, how, name))
        found.pop("", None)
        return found

    def _bearers(self, group: str, key: str) -> list[Reading]:
        """Return the readings of the names of a group of which this is left, each once."""
        return each_once(_reading(*bearer) for bearer in self._folded(group).get(key, ()))


def _reading(node: Concept | Episode, how: How = "name", matched: str | None = None) -> Reading:
    kind: ReadingKind = "concept" if isinstance(node, Concept) else "episode"
    name = node.name if isinstance(node, Concept) else node.title
    return Reading((node.id,), name, kind=kind, how=how, matched=name if matched is None else matched)


def _steps(code: str) -> tuple[str, ...]:
    """Return the folders and the module of a path or of a qualified name, in lower case."""
    parts = tuple(part.casefold() for part in _JOINT.split(_ENDING.sub("", code)) if part)
    return parts[:-1] if parts[-1:] == ("__init__",) else parts
