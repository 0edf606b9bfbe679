"""The readings of free words: of what they name, of two things that they compare, of what is written about them."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Literal

from torchatlas.graph.answers import (
    FREE,
    OFFERED,
    Hit,
    How,
    Reading,
    ReadingKind,
    Understood,
    bare,
    titled_episode,
    understood,
)
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.formatting import counted, first_clause
from torchatlas.graph.model import Snapshot
from torchatlas.graph.names import fold, suggest, words
from torchatlas.graph.search import (
    Names,
    ScoredDocument,
    TextIndex,
    each_once,
    first,
    if_single,
    slips,
    telling,
    telling_part,
)

_PART = 0.5  # the vote of a concept for an episode that explains it beside its main subjects
_SHARE = 0.4  # of its own score, which a match gains whose episode has the most votes
VOTERS = 25
"""How many matches vote."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A match with its score after the vote, and the episodes that it stands for: itself, or those that explain it."""

    match: ScoredDocument
    _: KW_ONLY
    score: float
    episodes: frozenset[str]


def ranked(snapshot: Snapshot, matches: Sequence[ScoredDocument]) -> list[Candidate]:
    """Return matches as candidates, best first; of equal ones the order stays.

    >>> ranked(Snapshot(), [])
    []
    """
    voted = [(match, _episodes(snapshot, match)) for match in matches]
    votes: defaultdict[str, float] = defaultdict(float)
    for match, episodes in voted:
        for episode, weight in episodes.items():
            votes[episode] += weight * match.score**2
    most = max(votes.values(), default=1.0)
    found = [
        Candidate(match, score=match.score * (1 + _SHARE * _best(episodes, votes) / most), episodes=frozenset(episodes))
        for match, episodes in voted
    ]
    return sorted(found, key=lambda candidate: -round(candidate.score, 9))


def _best(episodes: Mapping[str, float], votes: Mapping[str, float]) -> float:
    return max((weight * votes[episode] for episode, weight in episodes.items()), default=0.0)


def _episodes(snapshot: Snapshot, match: ScoredDocument) -> dict[str, float]:
    """Return the episodes of a match, each with the weight of its vote."""
    if match.document.kind == "episode":
        return {match.document.id: 1.0}
    taught = snapshot.teachers.get(match.document.id, ())
    return {t.source: 1.0 if t.depth == "main" else _PART for t in taught}


_SURE = 0.58  # score, and
_COVERED = 0.6  # share of what the words tell, from which a match may be the answer
_FEW = 2  # words that are too few to be met by a definition or a summary, and
_ALL = 0.75  # the share of them that a match holds, and
_CALLED = 0.5  # the share that stands in its name, title, keywords or questions
_LIKELY = 0.38  # score,
_HINTED = 0.25  # share that stands in what it is called, and
_AHEAD = 1.2  # times the score of the next subject, from which a match is the best guess
_TOGETHER = 0.6  # of the share that the longer name has, from which the words are about both
_EQUAL, _NEARLY = 0.85, 0.7  # of a score, from which another is about as good, or nearly


def is_sure(match: ScoredDocument, told: int) -> bool:
    """Return whether a question of so many telling words, two or more, may be answered by a match.

    Example: `is_sure(index.matches("operating system", ["concept"], 1)[0], 2)` is False.
    """
    if told <= _FEW and match.named < _ALL and (match.coverage < _ALL or match.called < _CALLED):
        return False
    return match.score >= _SURE and match.coverage >= _COVERED


def is_best_guess(candidates: Sequence[Candidate], told: int) -> bool:
    """Return whether the first candidate may be answered as a guess: it is far ahead of the next subject.

    Two candidates that share an episode are one subject. A nearest neighbour is trusted by the distance to the next one
    that is another thing (Lowe, "Distinctive image features from scale-invariant keypoints", IJCV 2004).

    >>> is_best_guess([], 3)
    False
    """
    if not candidates or told <= _FEW:
        return False
    best = candidates[0]
    hinted = max(best.match.called, best.match.named) >= _HINTED
    if not best.episodes or best.match.score < _LIKELY or not hinted:
        return False
    rivals = (c.score for c in candidates[1:] if c.episodes and not c.episodes & best.episodes)
    return best.score >= _AHEAD * max(rivals, default=0.0)


def named_first(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates with those first whose names are most of the words; of about equal ones, those with episodes.

    A candidate that holds all of the words and is far ahead of them stays the first.

    >>> named_first([])
    []
    """
    most = max((c.match.named for c in candidates), default=0.0)
    met = max((c.score for c in candidates if c.match.named), default=0.0)
    return sorted(
        candidates,
        key=lambda c: (
            c.match.coverage < 1 or c.score < _AHEAD * met,
            not c.match.named,
            0 < c.match.named < _EQUAL * most,
            c.match.named > 0 and not c.episodes,
        ),
    )


def named_together(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the two candidates that the words name about equally and that are explained apart, or [].

    >>> named_together([])
    []
    """
    named = sorted((c for c in candidates if c.match.named), key=lambda c: -c.match.named)[:2]
    if len(named) < 2 or candidates[0] not in named or named[0].episodes & named[1].episodes:
        return []
    return named if named[1].match.named >= _TOGETHER * named[0].match.named else []


def answerable_first(candidates: Sequence[Candidate], told: int) -> list[Candidate]:
    """Return candidates with the one first that makes the best answer.

    A concept that the words do not name and no episode explains gives way to a candidate nearly as good with an
    episode, and a candidate that is not sure to one about as good that is. The others follow as they were before the
    vote, which brings like ones together: a person who was misunderstood wants something else.

    >>> answerable_first([], 3)
    []
    """
    if not candidates or candidates[0].match.named >= _ALL:
        return list(candidates)
    best = candidates[0]
    heard = (c for c in candidates if c.episodes and c.score >= _NEARLY * best.score)
    chosen = best if best.episodes or best.match.named else next(heard, best)
    if not is_sure(chosen.match, told):
        equal = (c for c in candidates if c.episodes and c.score >= _EQUAL * chosen.score)
        chosen = next((c for c in equal if is_sure(c.match, told)), chosen)
    return [chosen, *sorted((c for c in candidates if c is not chosen), key=lambda c: -round(c.match.score, 9))]


_LONGEST = 6  # words of a name
_SHORTEST = 2  # letters of a name

Contained = dict[str, frozenset[str]]
"""Concepts by id, with the telling words of a text that are a whole name of them."""


def contained(names: Names, text: str) -> Contained:
    """Return the concepts whose whole names a text holds; a name within a longer one does not count.

    Nor does a name that several concepts bear.

    >>> from torchatlas.graph.model import Concept, Snapshot
    >>> graph = Snapshot(tuple(Concept(name, name, area="A") for name in ("CUDA", "CUDA graph", "view")))
    >>> sorted(contained(Names(graph), "how do CUDA graphs use a view"))
    ['CUDA graph', 'view']
    """
    found: dict[str, set[str]] = {}
    taken: set[int] = set()
    for places, said in _spans(words(text)):
        told = telling(said)
        if not told or len(fold(said)) < _SHORTEST or taken.intersection(places):
            continue
        if len(bearers := names.folded(said)) == 1:
            taken.update(places)
            found.setdefault(bearers[0].ids[0], set()).update(told)
    return {id_: frozenset(told) for id_, told in found.items()}


def names_all(found: Contained, told: Collection[str]) -> bool:
    """Return whether telling words are nothing but names of concepts.

    >>> names_all({"bfloat16": frozenset({"bf16"}), "half": frozenset({"fp16"})}, ("bf16", "fp16"))
    True
    """
    return frozenset(told) <= frozenset().union(*found.values())


def _spans(said: list[str]) -> Iterator[tuple[range, str]]:
    """Yield the places and the words of all spans of a text: those that tell most first, of these the longest."""
    lengths = range(min(_LONGEST, len(said)), 0, -1)
    spans = [range(start, start + length) for length in lengths for start in range(len(said) - length + 1)]
    texts = ((places, " ".join(said[places.start : places.stop])) for places in spans)
    yield from sorted(texts, key=lambda span: -len(telling(span[1])))


_PATTERNS = tuple(
    re.compile(pattern, re.I | re.S)
    for pattern in (
        r".*\bdifferen(?:ce|ces|t)\s+between\s+(?P<one>.+?)\s+and\s+(?P<other>.+)",
        r".*\b(?:choose|decide)\s+between\s+(?P<one>.+?)\s+(?:and|or)\s+(?P<other>.+)",
        r".*\bcompare\s+(?P<one>.+?)\s+(?:with|to|and|against)\s+(?P<other>.+)",
        r"(?P<one>.+?)\s+(?:vs\.?|versus|compared?\s+(?:with|to)|or|instead\s+of|rather\s+than)\s+(?P<other>.+)",
        r".*\bhow\s+(?:is|are|does|do)\s+(?P<one>.+?)\s+(?:differ(?:ent)?|compare)\s+(?:from|to|with)\s+(?P<other>.+)",
    )
)


def sides(text: str) -> tuple[str, str] | None:
    """Return the two sides of a comparison, as typed, and None for a text that compares nothing.

    >>> sides("what is the difference between a view and a copy?"), sides("bf16 vs. fp16"), sides("how do views work")
    (('a view', 'a copy?'), ('bf16', 'fp16'), None)
    """
    for pattern in _PATTERNS:
        if found := pattern.fullmatch(text.strip()):
            return found["one"], found["other"]
    return None


WORDS = 0.7
"""The score of words that are met in full, beside 1 for a name."""


class Questions:
    """Reads free words on a graph.

    Example: `Questions(snapshot, Names(snapshot)).readings("how does backward work", ["concept"], 3)`
    """

    def __init__(self, snapshot: Snapshot, names: Names) -> None:
        self._snapshot = snapshot
        self._names = names

    @cached_property
    def index(self) -> TextIndex:
        """All texts about concepts and episodes."""
        return TextIndex(self._snapshot)

    def readings(self, text: str, kinds: Sequence[ReadingKind], limit: int) -> list[Reading]:
        """Return the readings of free words of these kinds, best first; the first may be answered where it is sure."""
        text = telling_part(text)
        told = telling(text)
        if not any(map(str.isalpha, "".join(told))):
            return []  # nothing but numbers
        subject = " ".join(told)
        named = [] if subject == " ".join(words(text)) else self._names.exact(subject, kinds)
        asked = (replace(reading, how="question", score=WORDS) for reading in named if reading.sure)
        compared = list(self._compared(text)) if "several" in kinds else []
        written = (r for r in self._written(text, kinds, limit) if not compared or r.kind != "several")
        return each_once(chain(compared, asked, written))[:limit]

    def choices(self, word: str, kinds: Sequence[ReadingKind]) -> list[Reading]:
        """Return what a single word may mean, each in other episodes than those before.

        An area that is called like the word comes first, then the names that hold the word, the most explained before
        the others: the area Compilation and torch.compile for "compiler".
        """
        candidates = ranked(self._snapshot, self.index.matches(word, kinds, VOTERS))
        forms = set(self.index.forms.of(word))
        named = [c for c in candidates if forms.intersection(words(c.match.document.name))]
        explained = sorted((c for c in named if c.episodes), key=lambda c: -len(c.episodes))
        found: list[Reading] = list(self._areas(word)) if "area" in kinds else []
        heard: set[str] = set()
        for candidate in (*explained, *candidates):
            if candidate.episodes - heard:
                heard |= candidate.episodes
                found.append(self._reading(candidate.match, word, sure=False))
        return each_once(found)

    def _areas(self, word: str) -> Iterator[Reading]:
        """Yield the area whose name is a form of a word."""
        stem = self.index.forms.stem
        for area in (a for a in self._snapshot.areas if stem(fold(a)) == stem(fold(word))):
            yield from self._names.area(area)

    def _compared(self, text: str) -> Iterator[Reading]:
        """Yield the two things that a question compares as one reading, where each side names a single one."""
        found = (self._side(side) for side in sides(bare(text)) or ())
        yield from self._joined([reading for reading in found if reading], text)

    def _side(self, text: str) -> Reading | None:
        """Return the single concept or episode that a side of a comparison names, alone or among other words."""
        kinds: tuple[ReadingKind, ...] = ("concept", "episode")
        for name in dict.fromkeys((bare(text), " ".join(telling(text)))):
            if (found := self._names.exact(name, kinds)) and found[0].sure:
                return found[0]
        within = contained(self._names, text)
        return self._names.by_id(next(iter(within))) if len(within) == 1 else None

    def _written(self, text: str, kinds: Sequence[ReadingKind], limit: int) -> list[Reading]:
        """Return the readings of what is written about the subject of a text."""
        told = telling(text)
        within = contained(self._names, text)
        candidates = ranked(self._snapshot, self.index.matches(text, kinds, max(limit, VOTERS), named=within))
        if names_all(within, self._weighty(told)):
            candidates = named_first(candidates)
            found = [
                self._reading(c.match, text, sure=c.match.named > 0 or self._is_sure(c.match, told)) for c in candidates
            ]
            both = named_together(candidates) if "several" in kinds else []
            return [*self._joined([self._reading(c.match, text, sure=True) for c in both], text), *found]
        candidates = answerable_first(candidates, len(told))
        found = [self._reading(c.match, text, sure=self._is_sure(c.match, told)) for c in candidates]
        if is_best_guess(candidates, len(told)) and not found[0].sure:
            found[0] = replace(found[0], how="guess", sure=True)
        return found if len(told) > 1 else sorted(found, key=lambda reading: not reading.sure)

    def _weighty(self, told: Sequence[str]) -> tuple[str, ...]:
        """Return the telling words that are no everyday words; all where there are no others."""
        return tuple(word for word in told if self.index.forms.weight(word) == 1) or tuple(told)

    def _joined(self, found: Sequence[Reading], text: str) -> Iterator[Reading]:
        """Yield two readings as one that means both."""
        if len({reading.ids for reading in found}) == 2:
            ids = tuple(id_ for reading in found for id_ in reading.ids)
            names = " and ".join(reading.described for reading in found)
            yield Reading(ids, names, kind="several", how="question", matched=text, score=WORDS)

    def _reading(self, match: ScoredDocument, text: str, *, sure: bool) -> Reading:
        document = match.document
        whole = next((t for texts in document.fields.values() for t in texts if fold(t) == fold(text)), "")
        in_title = document.kind == "episode" and match.best == document.name and match.coverage == 1
        how: How = "title" if in_title and not whole else "question"
        score = round(WORDS * min(1.0, match.score), 4)
        return Reading(
            (document.id,), document.name, kind=document.kind, how=how, matched=whole or match.best, score=score,
            sure=bool(whole) or sure,
        )  # fmt: skip

    def _is_sure(self, match: ScoredDocument, told: Sequence[str]) -> bool:
        """Return whether words may be answered by a match: most of what they tell is met; one word is its name."""
        if len(told) > 1:
            return is_sure(match, len(told))
        names = (match.document.name, *match.document.fields.get("other names", ()))
        stem = self.index.forms.stem
        return bool(slips(len(told[0]))) and stem(told[0]) in {stem(fold(name)) for name in names}


Wanted = Literal["goal", "subject", "concept", "episode"]
"""What a text should mean; a subject is a concept or an episode, and a goal may also be an area."""

_KINDS: dict[Wanted, tuple[ReadingKind, ...]] = {
    "goal": ("concept", "episode", "area", "several"), "subject": ("concept", "episode"), "concept": ("concept",),
    "episode": ("episode",),
}  # fmt: skip
_NEAR = 0.25  # score of a match from which it is worth suggesting
_READ = 10  # readings of a question
_GIST = 70  # letters that tell what a suggestion is about
_BEGUN = 0.9  # the score of a name that is begun, beside 1 for a name


class Resolver:
    """All that words may mean on a graph.

    Example: `Resolver(snapshot).resolve("how does backward work").sentence`
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._names = Names(snapshot)
        self._questions = Questions(snapshot, self._names)

    @property
    def index(self) -> TextIndex:
        """All texts about concepts and episodes."""
        return self._questions.index

    def resolve(self, text: str, wanted: Wanted = "goal", *, words_too: bool = True) -> Understood:
        """Return what a text means: a name of any kind, a typing slip of one, or (`words_too`) a question.

        Raises UnknownName, with up to three suggestions, where nothing or several things fit.

        >>> from torchatlas.graph.model import Concept
        >>> Resolver(Snapshot((Concept("vmap", "vmap", area="Transforms"),))).resolve("VMAP").ids
        ('vmap',)
        """
        text = telling_part(text)
        named = self.named(text, wanted)
        readings = named or self.asked(text, wanted)
        if readings and readings[0].sure and (named or words_too):
            return understood(text, readings[0], tuple(_distinct(readings)[1:]))
        raise self._unknown(text, wanted, readings)

    def _unknown(self, text: str, wanted: Wanted, readings: Sequence[Reading]) -> UnknownName:
        """Return the error with what to choose from; a wide word or a number comes with what each choice is about."""
        if readings and all(reading.how == "number" for reading in readings):
            return self._shared_number(text, wanted, readings)
        told = telling(text)
        wide = len(told) == 1 and bool(readings) and readings[0].how in FREE and not readings[0].sure
        near = self._questions.choices(told[0], _KINDS[wanted]) if wide else self._near(bare(text), wanted, readings)
        typed = [self._typed(reading, wanted) for reading in near[:OFFERED]]
        meanings = [f"{name} ({self._gist(r)})" for name, r in zip(typed, near, strict=False)] if wide else []
        return UnknownName(_called(wanted, readings), text, typed, meanings=meanings if meanings[1:] else ())

    def _shared_number(self, text: str, wanted: Wanted, readings: Sequence[Reading]) -> UnknownName:
        """Return the error for a number that several episodes have: of several seasons, or of several shows."""
        typed = [self._typed(reading, wanted) for reading in readings[:OFFERED]]
        told = (self.snapshot.episode[reading.ids[0]] for reading in readings)
        meanings = [
            f"{name} ({', '.join(fact for fact in (e.show, e.numbered) if fact != name)})"
            for name, e in zip(typed, told, strict=False)
        ]
        if more := readings[OFFERED:]:
            meanings.append(f"{len(more)} more")
        return UnknownName(_called(wanted, readings), text, typed, meanings=meanings)

    def readings(self, text: str, wanted: Wanted = "goal") -> tuple[Reading, ...]:
        """Return all readings of a text, best first, each concept and episode once; `sure` ones may be answered.

        Example: `[reading.name for reading in Resolver(snapshot).readings("how does backward work")]`
        """
        return tuple(_distinct(chain(self.named(text, wanted), self.asked(text, wanted))))

    def named(self, text: str, wanted: Wanted) -> list[Reading]:
        """Return the readings of a text as a name, none of them sure where several are as good; an id comes first.

        Example: `resolver.named("torch.compile", "concept")[0].name` is "PyTorch 2".
        """
        if by_id := self._names.by_id(text):
            return [by_id] if by_id.kind in _KINDS[wanted] else []
        text = bare(telling_part(text))
        if titled := titled_episode(text):
            text, wanted = titled, "episode" if "episode" in _KINDS[wanted] else wanted
        if exact := self._names.exact(text, _KINDS[wanted]):
            return exact
        if wanted != "episode" and (placed := first(self._names.identifiers(text))):
            return each_once(placed)
        return if_single(self._names.nearest(text, _KINDS[wanted]))

    def begun(self, text: str) -> Iterator[Reading]:
        """Yield the concepts and episodes with a name that begins with a text.

        Example: `[reading.name for reading in resolver.begun("func")]`
        """
        for reading in self._names.begun(telling_part(text)):
            yield replace(reading, score=_BEGUN, sure=False)

    def asked(self, text: str, wanted: Wanted, limit: int = _READ) -> list[Reading]:
        """Return the readings of a text as free words: what its telling words name, then what is written about them.

        Example: `resolver.asked("why is my dataloader leaking", "episode")[0].matched`
        """
        return self._questions.readings(text, _KINDS[wanted], limit)

    def _near(self, text: str, wanted: Wanted, readings: Sequence[Reading]) -> list[Reading]:
        """Return what to choose from, of the readings or of names written alike.

        There is nothing for words that only ask: "where do I start" is no misspelt name.
        """
        if not readings and not telling(text):
            return []
        near = [r for r in readings if r.how not in FREE or r.score >= WORDS * _NEAR]
        return _distinct(near or self._alike(text, wanted))

    def _typed(self, reading: Reading, wanted: Wanted) -> str:
        """Return what to type for a reading: its name, or its number or id where others share the name."""
        if reading.kind == "area":
            return f"area {reading.name}"
        names = [reading.name]
        if (episode := self.snapshot.episode.get(reading.ids[0])) and episode.numbered:
            names.append(episode.numbered)
        return next((name for name in names if any(n.sure for n in self.named(name, wanted))), reading.ids[0])

    def _gist(self, reading: Reading) -> str:
        """Return in a few words what a reading is about."""
        if reading.kind == "area":
            return counted(len(reading.ids), "subject")
        concept = self.snapshot.concept.get(reading.ids[0])
        return first_clause(concept.definition, _GIST) if concept else "an episode"

    def _alike(self, text: str, wanted: Wanted) -> Iterator[Reading]:
        """Yield the concepts and episodes whose names are most like a text; a title that is a concept's name, not."""
        owners: dict[str, list[Reading]] = {}
        for reading in self._names.everyone(_KINDS[wanted]):
            owners.setdefault(reading.matched, []).append(reading)
        for name in suggest(text, owners, limit=None):
            yield from owners[name]


def _distinct(readings: Iterable[Reading]) -> list[Reading]:
    """Return readings, each once, without an episode that is called like a concept before it, or the reverse."""
    kinds: dict[str, ReadingKind] = {}
    return [r for r in each_once(readings) if r.kind == "area" or kinds.setdefault(fold(r.name), r.kind) == r.kind]


def _called(wanted: Wanted, readings: Sequence[Reading]) -> str:
    kind = " or ".join(_KINDS[wanted][:2])
    return f"single {kind}" if len(readings) > 1 and readings[0].how not in FREE else kind


def search(resolver: Resolver, text: str, limit: int = 10) -> tuple[Hit, ...]:
    """Return the hits for a text, best first, each concept and episode once; none for a text without words.

    >>> from torchatlas.graph.model import Concept, Snapshot
    >>> graph = Snapshot((Concept("dispatcher", "dispatcher", area="Core"),))
    >>> [hit.id for hit in search(Resolver(graph), "how does the dispacher work?")]
    ['dispatcher']
    """
    if not words(text):
        return ()
    found = chain(
        resolver.named(text, "concept"), resolver.named(text, "episode"), resolver.begun(text),
        resolver.asked(text, "goal", limit),
    )  # fmt: skip
    best: dict[str, Hit] = {}
    for reading in found:
        if reading.kind in ("concept", "episode") and (
            reading.ids[0] not in best or reading.score > best[reading.ids[0]].score
        ):
            best[reading.ids[0]] = Hit(
                reading.kind, reading.ids[0], name=reading.name, matched=reading.matched, score=reading.score
            )
    return tuple(sorted(best.values(), key=lambda h: (-h.score, h.kind, len(h.name), h.name, h.id))[:limit])
