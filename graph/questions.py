"""Meanings of a text: of a name, a pasted error, a comparison, or a question."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from typing import Literal

from torchatlas.graph import answers
from torchatlas.graph.answers import FREE, OFFERED, Hit, How, Reading, ReadingKind, bare, understood
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.formatting import counted
from torchatlas.graph.messages import frames, is_pasted, last_error, recognised
from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.graph.names import STOP_WORDS, asked_number, excerpt, fold, suggest, words
from torchatlas.graph.search import SHORT, TextIndex, slips, telling, telling_part

_READ = 10  # readings of a question
_NEAREST = 10  # matches of which the share near the first one is its certainty
_SURE, _LIKELY = 0.6, 0.42  # of that share: enough to say what was meant, or to guess
_COVERED, _MET = 0.3, 0.1  # the least coverage and score of a match that answers
_NEARLY = 0.8  # of the score of an episode, for a concept to come before it
_FEWER = 0.25  # of a question that may be left uncovered for each word beyond the first
_APART = 0.85  # of the score, for what has no edge to a name in the question, or leads to no episode
_PROPER = re.compile(r"\b(?:(?:\w+(?:\.|::))+\w+|\w*_\w+|\w*[a-z][A-Z]\w*|[A-Z]{2,}\w*|\w+(?=\(\)))|(?<=\.)\w+(?=\()")
_CODE = re.compile(r"[\w+-]+(?:(?:\.|::|/)[\w+-]+)+(?:\(\))?")
_JOINT = re.compile(r"\.|::|/")
_NAMESPACES = {"at": ("aten", "src", "aten"), "torch": ("torch", "csrc")}
_ENDING = re.compile(r"\.(?:py|pyi|cpp|cc|c|cu|cuh|h|hpp|yaml|yml|toml|txt|cmake)$")
_COMPARISONS = (
    r".*\bdifferen(?:ce|ces|t)\s+between\s+(.+?)\s+and\s+(.+)",
    r".*\b(?:choose|decide)\s+between\s+(.+?)\s+(?:and|or)\s+(.+)",
    r".*\bcompare\s+(.+?)\s+(?:with|to|and|against)\s+(.+)",
    r"(.+?)\s+(?:vs\.?|versus|compared?\s+(?:with|to)|or|instead\s+of|rather\s+than)\s+(.+)",
    r".*\bhow\s+(?:is|are|does|do)\s+(.+?)\s+(?:differ(?:ent)?|compare)\s+(?:from|to|with)\s+(.+)",
)
Wanted = Literal["goal", "subject", "concept", "episode"]
_KINDS: Mapping[Wanted, tuple[ReadingKind, ...]] = {
    "goal": ("concept", "episode", "resource", "area", "several"),
    "subject": ("concept", "episode", "resource"),
    "concept": ("concept",),
    "episode": ("episode", "resource"),
}
_WORDS = 0.7  # the score of words met in full, beside 0.75: a slip, 0.9: a beginning, 1: a name


class Resolver:
    """Finds the meanings of words: `Resolver(graph).resolve("vmap").sentence`."""

    def __init__(self, graph: Snapshot) -> None:
        self.snapshot, self._spoken = graph, graph.without_resources

    index = cached_property(lambda self: TextIndex(self._spoken))
    resources = cached_property(lambda self: TextIndex(self.snapshot, of_resources=True))

    def resolve(self, text: str, wanted: Wanted = "goal", *, words_too: bool = True) -> answers.Understood:
        """Return what a text means: a name, a slip, or (`words_too`) a question or error message.

        Raises UnknownName, with suggestions, where none or several fit.

        >>> from torchatlas.graph.model import Concept
        >>> Resolver(Snapshot((Concept("vmap", "vmap", area="Ops"),))).resolve("VMAP").ids
        ('vmap',)
        """
        found = (named := self.named(text, wanted)) or self._asked(text, wanted)
        if found and found[0].sure and (named or words_too):
            message = recognised(text) if found[0].how == "message" else None
            return understood(text, found[0], tuple(_distinct(found)[1:]), message.meaning if message else "")
        raise self._unknown(telling_part(text), wanted, found)

    def readings(self, text: str, wanted: Wanted = "goal") -> tuple[Reading, ...]:
        """Return all readings, best first: `resolver.readings("vmap")[0].name`."""
        return tuple(_distinct([*self.named(text, wanted), *self._asked(text, wanted)]))

    def named(self, text: str, wanted: Wanted) -> list[Reading]:
        """Return readings as a name: `resolver.named("vmap", "concept")`."""
        kinds = _KINDS[wanted]
        for node in (self.snapshot.concept.get(text), self.snapshot.episode.get(text)):
            if node and (reading := self._read(node)).kind in kinds:
                return [reading]
        text = bare(telling_part(text))
        if quoted := re.fullmatch(r"(?:the\s+)?episode\s+[\"“](.+)", text, re.I | re.S):
            text, kinds = bare(quoted[1]), ("episode",) if "episode" in kinds else kinds
        if exact := self._exact(text, kinds):
            return exact
        if kinds != ("episode",) and (placed := next(filter(None, self._identifiers(text)), [])):
            return _each_once(placed)
        folded, said = fold(text), f" {' '.join(words(text))} "
        titled = any(said in f" {' '.join(words(e.title))} " for e in self.snapshot.episodes)
        is_right = titled or re.fullmatch(r"[^a-z]*[A-Z][^a-z]*", text)  # words of a title, or an abbreviation
        near = [
            ((distance, r.kind), replace(r, how="corrected", score=0.75))
            for distance, name in ([] if is_right else slips(folded, self._folded))
            if len(name) > SHORT and re.findall(r"\d+", name) == re.findall(r"\d+", folded)
            for group, _, r in self._folded[name]
            if group != "phrase" and r.kind in kinds
        ]
        least = min((rank for rank, _ in near), default=None)
        return _if_single(_each_once(r for rank, r in near if rank == least))

    def _asked(self, text: str, wanted: Wanted) -> list[Reading]:
        """Return readings of a pasted message or of free words; the first may answer if it is sure."""
        kinds, pasted = _KINDS[wanted], is_pasted(text)
        found = list[Reading]()
        if "concept" in kinds:  # what a known message, or else the stack frames, are about
            if message := recognised(text):
                known = filter(None, map(self.snapshot.concept.get, (message.concept, *message.also)))
                found += (_reading(concept, "message", message.text) for concept in known)
            found += (r for path in frames(text) for r in next(filter(None, self._identifiers(path)), [])[:1])
        text = telling_part((last_error(text) or text.strip().rsplit("\n", 1)[-1]) if pasted else text)
        subject = " ".join(telling(text))
        if not any(map(str.isalpha, subject)):
            return found
        named = [] if subject == " ".join(words(text)) else self._exact(subject, kinds)
        sure = [replace(reading, how="question", score=_WORDS) for reading in named if reading.sure]
        patterns = _COMPARISONS if "several" in kinds and not pasted else ()
        compared = filter(None, (re.fullmatch(pattern, bare(text), re.I | re.S) for pattern in patterns))
        sides = _each_once(filter(None, (self._side(side) for match in islice(compared, 1) for side in match.groups())))
        if len(sides) > 1:
            ids, names = sides[0].ids + sides[1].ids, " and ".join(side.described for side in sides)
            found.append(Reading(ids, names, kind="several", how="question", matched=text, score=_WORDS))
        return _each_once([*found, *sure, *self._written(text, kinds)])[:_READ]

    def _side(self, text: str) -> Reading | None:
        """Return the one concept or episode that a side of a comparison names."""
        for name in (bare(text), " ".join(telling(text))):
            if (found := self._exact(name, _KINDS["subject"])) and found[0].sure:
                return found[0]
        within = self._contained(text)
        return _reading(self.snapshot.concept[within[0]]) if len(within) == 1 else None

    def _contained(self, text: str) -> list[str]:
        """Return the concepts whose whole names stand in a text, the longest first."""
        said, found, taken = words(text), list[str](), set[int]()
        spans = (range(i, i + n) for n in range(min(6, len(said)), 0, -1) for i in range(len(said) - n + 1))
        texts = ((span, " ".join(said[span.start : span.stop])) for span in spans)
        for span, name in sorted(texts, key=lambda one: -len(telling(one[1]))):
            meant = telling(name) and len(fold(name)) > 1 and taken.isdisjoint(span)
            if meant and len(owners := self._called(name)) == 1:
                taken.update(span)
                found.append(owners[0].ids[0])
        return list(dict.fromkeys(found))

    def _written(self, text: str, kinds: Collection[ReadingKind]) -> list[Reading]:
        """Return the readings of what is written about the subject of a text.

        The first is sure, or a guess, where most of what is found lies near it: as in
        Diaz (SIGIR 2007), results that agree tell that a query was understood.
        """
        proper = {
            r.ids[0] for name in _PROPER.findall(text) for r in self._exact(name, _KINDS["concept"])[:1] if r.sure
        }
        episodes, teachers = self._spoken.episode, self._spoken.teachers
        told, every, coverage = telling(text), list[Reading](), dict[str, float]()
        for match in self.index.matches(text, _KINDS["subject"]):
            around = {match.id, *self._edges.get(match.id, ())}  # an episode, or what leads to one over an edge
            heard = match.id in episodes or not teachers.keys().isdisjoint(around)
            apart = sum(not self._near(match.id, id_) for id_ in proper) + (not heard)
            how: How = "guess" if apart or len(told) == 1 else "question"
            reading = _reading(self._node(match.id), how, match.best)
            score = _WORDS * min(1.0, match.score / 2) * _APART**apart
            every.append(replace(reading, score=score, sure=False))
            coverage[match.id] = match.coverage
        every.sort(key=lambda reading: -round(reading.score, 9))
        found = [reading for reading in every if reading.kind in kinds]
        for place, reading in enumerate(found):  # a concept comes before the episode on it that is about as like
            if found[0].kind == "concept" or reading.score < _NEARLY * found[0].score:
                break
            (episode,), (concept,) = found[0].ids, reading.ids
            if reading.kind == "concept" and coverage[concept] >= coverage[episode] and self._near(episode, concept):
                found.insert(0, found.pop(place))
        least = max(_COVERED, 1 - _FEWER * (len(told) - 1))
        if found and found[0].score >= _MET and coverage[found[0].ids[0]] >= least - 1e-9:
            first, *others = found[0], *(r for r in every[:_NEAREST] if r is not found[0])
            near = first.score**4 + sum(r.score**4 for r in others if self._near(first.ids[0], r.ids[0]))
            share = near / sum(reading.score**4 for reading in (first, *others))  # of the readings, by score
            found[0] = replace(found[0], how=found[0].how if share >= _SURE else "guess", sure=share >= _LIKELY)
        return found

    def _node(self, id_: str) -> Concept | Episode:
        return self.snapshot.concept.get(id_) or self.snapshot.episode[id_]

    @cached_property
    def _edges(self) -> Mapping[str, set[str]]:
        """Node -> nodes that an edge of any kind joins to it."""
        graph, found = self._spoken, defaultdict[str, set[str]](set)
        groups = (graph.requires, graph.concept_relations, graph.teaches, graph.assumes, graph.mentions)
        for edge in chain.from_iterable(groups):
            found[edge.source].add(edge.target)
            found[edge.target].add(edge.source)
        return found

    def _near(self, one: str, other: str) -> bool:
        """Return whether two nodes are one, joined, or taught by one episode."""
        both = [self._taught_in(id_) for id_ in (one, other)]
        return one == other or other in self._edges.get(one, ()) or not both[0].isdisjoint(both[1])

    def _taught_in(self, id_: str) -> set[str]:
        return {t.source for t in self._spoken.teachers.get(id_, ())} or {id_}

    def _unknown(self, text: str, wanted: Wanted, readings: Sequence[Reading]) -> UnknownName:
        """Return the error; for a wide word or number, with its meanings."""
        free = bool(readings) and readings[0].how in FREE
        called = " or ".join(_KINDS[wanted][: 1 if wanted == "episode" else 2])
        called = f"single {called}" if readings[1:] and not free else called
        numbers = bool(readings) and all(reading.how == "number" for reading in readings)  # of seasons, or shows
        wide = free and len(telling(text)) == 1 and not readings[0].sure
        near = self._suggested(text, wanted, readings, wide=wide)
        typed, meanings = [self._typed(reading, wanted) for reading in near[:OFFERED]], list[str]()
        for name, reading in zip(typed, near, strict=False):
            if episode := self.snapshot.episode.get(reading.ids[0]):
                gist = ", ".join(fact for fact in (episode.show, episode.numbered) if fact not in ("", name))
            else:
                definition = self.snapshot.concept[reading.ids[0]].definition
                gist = excerpt(re.split(r"[,;:.](?:\s|$)|\s\(", definition, maxsplit=1)[0], 70)
            meanings.append(f"{name} ({counted(len(reading.ids), 'subject') if reading.kind == 'area' else gist})")
        meanings += [f"{len(near) - OFFERED} more"] if numbers and near[OFFERED:] else []
        said = words(text)
        strange = [word for word in said if word not in STOP_WORDS and not self.index.forms.of(word)]
        without_latin = bool(text.strip()) and not re.search("[!-~]", text)
        foreign = without_latin or len(strange) > max(2, len(said) / 2 - 1)
        meanings = meanings if numbers or (wide and meanings[1:]) else []
        return UnknownName(called, text, typed, meanings=meanings, foreign=foreign)

    def _suggested(self, text: str, wanted: Wanted, readings: Sequence[Reading], *, wide: bool) -> list[Reading]:
        """Return meanings in different episodes, likely readings, or like names."""
        kinds, told = _KINDS[wanted], telling(text)
        if wide:
            stem, heard = self.index.forms.stem, set[str]()
            areas = (a for a in self.snapshot.areas if "area" in kinds and stem(fold(a)) == stem(told[0]))
            near = [reading for area in areas for reading in self._area(area)]
            for reading in readings:
                if not self._taught_in(reading.ids[0]) <= heard:
                    near.append(reading)
                    heard |= self._taught_in(reading.ids[0])
            return _each_once(near)
        likely = [r for r in readings if r.how not in FREE or r.score >= _WORDS / 8]
        if likely or not (readings or told):
            return _distinct(likely)
        taken = {fold(c.name) for c in self.snapshot.concepts if "concept" in kinds}
        every = [r for r in self.everyone(kinds) if r.kind == "concept" or fold(r.name) not in taken]
        names = suggest(bare(text), {r.matched for r in every}, limit=_READ)
        return _distinct(r for name in names for r in every if r.matched == name)

    def _typed(self, reading: Reading, wanted: Wanted) -> str:
        """Return what to type: its name, or number or id if others share it."""
        if reading.kind == "area":
            return f"area {reading.name}"
        episode = self.snapshot.episode.get(reading.ids[0])
        names = (reading.name, episode.numbered if episode else "")
        sure = (name for name in names if name and any(n.sure for n in self.named(name, wanted)))
        return next(sure, reading.ids[0])

    @cached_property
    def _folded(self) -> Mapping[str, list[tuple[str, str, Reading]]]:
        """Folded name -> its groups, the names, and their meanings."""
        found: defaultdict[str, list[tuple[str, str, Reading]]] = defaultdict(list)
        for c in self.snapshot.concepts:
            groups = {"name": (c.id, c.name), "alias": c.aliases, "phrase": (*c.in_texts, *c.phrases)}
            for group, name in ((group, name) for group, names in groups.items() for name in names):
                reading = _reading(c) if group == "name" else _reading(c, "alias", name)
                found[fold(name)].append((group, name, reading))
        for e in self.snapshot.episode.values():
            for name in (e.id, e.title):
                found[fold(name)].append(("title", name, self._read(e)))
        return found

    def _exact(self, text: str, kinds: Collection[ReadingKind]) -> list[Reading]:
        """Return what a text names, sure readings first; none sure if several."""
        concepts = _if_single(self._called(text)) if "concept" in kinds else []
        found = [*(self._area(text) if "area" in kinds else ()), *concepts]
        if concepts and concepts[0].how == "name":  # an area comes before other names only
            found = [*concepts, *found[: -len(concepts)]]
        if "episode" in kinds and not (found and found[0].sure):
            found = [*_if_single(next(filter(None, self._episodes(text)), [])), *found]
        return sorted(found, key=lambda reading: not reading.sure)

    def _called(self, text: str, groups: Sequence[str] = ("name", "alias", "phrase")) -> list[Reading]:
        """Return the concepts with the name or wording most like a text."""
        if exact := [_reading(c) for c in self.snapshot.concepts if "name" in groups and text in (c.id, c.name)]:
            return exact  # folding takes time
        typed, key = text.casefold(), fold(text)
        ranked: defaultdict[tuple[bool, int], list[Reading]] = defaultdict(list)
        for group, name, reading in self._folded.get(key, ()):
            differs = group == "phrase" or name.casefold() != typed  # in hyphens, the plural's s and the like
            if group in groups and (key or not differs):
                ranked[differs, groups.index(group)].append(reading)
        return _each_once(ranked[min(ranked, default=(True, 0))])

    def _episodes(self, text: str) -> Iterator[list[Reading]]:
        """Yield episodes by number, id, title, or show and number, in tiers."""
        everyone = self.snapshot.episodes
        if asked := asked_number(text):
            yield [_reading(e, "number", e.numbered) for e in everyone if asked in e.numbers]
        yield self._called(text, ("title",))
        for show in sorted({e.show for e in everyone}):
            rest = text[len(show) :] if text.casefold().startswith(show.casefold()) else ""
            if rest.startswith((" ", ",", ":")) and (asked := asked_number(rest.lstrip(" ,:"))):
                meant = (e for e in everyone if e.show == show and asked in e.numbers)
                yield [_reading(e, "number", f"{show} {e.numbered}") for e in meant]

    def _area(self, text: str) -> Iterator[Reading]:
        """Yield the area named, as the main subjects of its episodes."""
        asked = re.fullmatch(r"(?:the\s+)?area\s+(?:of\s+)?(.+)|(?:the\s+)?(.+)\s+area", text, re.I)
        wanted = fold((asked[1] or asked[2]) if asked else text)
        concept, taught = self.snapshot.concept, map(self._spoken.taught_by.get, self._spoken.episode)
        for area in (a for a in self.snapshot.areas if fold(a) == wanted):
            mains = dict.fromkeys(t.target for edges in taught for t in (edges or ())[:1] if t.depth == "main")
            if subjects := tuple(c for c in mains if concept[c].area == area):
                yield Reading(subjects, area, kind="area", how="area", matched=area)

    def _identifiers(self, text: str) -> Iterator[list[Reading]]:
        """Yield an identifier's concepts in tiers: by source, last part, owners.

        A file may be an end ("scheduler.py"), a module dotted ("torch.fx"). Parts
        count only under a known beginning: `torch.nn.Linear`, not `numpy.ndarray`.
        """
        code = text.removesuffix("()").strip("/")
        if not _CODE.fullmatch(code):
            return
        concepts, taught, steps = self.snapshot.concepts, self._spoken.teachers, _steps(code)
        # a concept of the file's name comes first, then those with few places and with episodes

        def place_of(c: Concept) -> tuple[object, ...]:
            called = fold(c.name).replace(" ", "") == steps[-1].replace("_", "")
            return not called, len(c.source_paths), -len(taught.get(c.id, ())), c.id

        order = sorted(concepts, key=place_of)
        places = [(_steps(path), _reading(c, "identifier", path)) for c in order for path in c.source_paths]
        yield [r for place, r in places if place == steps]
        if _ENDING.search(code):
            yield [r for place, r in places if place[-len(steps) :] == steps]
        for name in re.findall(r"(?<=::)[A-Z]\w+?(?=Base\b|\b)", code):  # a class, in the file of its name
            yield [replace(r, how="identifier", matched=name) for r in self._called(name) if len(name) > SHORT]
            held = (r for place, r in places if place[-1] == name.casefold())
            yield sorted(held, key=lambda reading: fold(name) not in fold(reading.name))
        qualified = (name for c in concepts for name in (c.name, *c.aliases) if _CODE.fullmatch(name))
        if "/" not in code and steps[0] in {_JOINT.split(name)[0].casefold() for name in qualified}:
            *owners, last = _JOINT.split(code)
            owning = [".".join(owners[:length]) for length in range(len(owners), len(steps) // 2, -1)]
            for part in (last, *owning) if len(last) > SHORT else owning:
                yield [replace(r, how="identifier", matched=part, score=1.0) for r in self._called(part)]
        root = _NAMESPACES.get(steps[0], steps[:1]) if "::" in code else steps[:1]
        steps = (*root, *steps[1:])
        for length in range(len(steps) - 1, len(root), -1):
            yield [r for place, r in places if place == steps[:length]]

    def everyone(self, kinds: Collection[str]) -> Iterator[Reading]:
        """Yield all names of concepts, then titles of episodes, of these kinds."""
        if "concept" in kinds:
            yield from (_reading(c, "name", name) for c in self.snapshot.concepts for name in (c.name, *c.aliases))
        if "episode" in kinds:
            yield from map(self._read, self.snapshot.episode.values())

    def _read(self, node: Concept | Episode) -> Reading:
        reading = _reading(node)
        return replace(reading, kind="resource") if node.id in self.snapshot.resource else reading


def _each_once(readings: Iterable[Reading]) -> list[Reading]:
    """Return readings without repeated meanings."""
    found: dict[tuple[str, ...], Reading] = {}
    for reading in readings:
        found.setdefault(reading.ids, reading)
    return list(found.values())


def _if_single(readings: Sequence[Reading]) -> list[Reading]:
    """Return equal readings, sure only if single."""
    return [replace(reading, sure=reading.sure and len(readings) == 1) for reading in readings]


def _reading(node: Concept | Episode, how: How = "name", matched: str = "") -> Reading:
    name = node.name if isinstance(node, Concept) else node.title
    return Reading((node.id,), name, "concept" if isinstance(node, Concept) else "episode", how, matched or name)


def _steps(code: str) -> tuple[str, ...]:
    """Return the folders and module of a path or dotted name, in lower case."""
    parts = tuple(part.casefold() for part in _JOINT.split(_ENDING.sub("", code)) if part)
    return parts[:-1] if parts[-1:] == ("__init__",) else parts


def _distinct(readings: Iterable[Reading]) -> list[Reading]:
    """Return readings once each, without namesakes of another kind."""
    kinds: dict[str, ReadingKind] = {}
    return [r for r in _each_once(readings) if r.kind == "area" or kinds.setdefault(fold(r.name), r.kind) == r.kind]


def search(resolver: Resolver, text: str, limit: int = 10) -> tuple[Hit, ...]:
    """Return the hits for a text, best first, each concept and episode once.

    >>> from torchatlas.graph.model import Concept, Snapshot
    >>> graph = Snapshot((Concept("dispatcher", "dispatcher", area="Core"),))
    >>> [hit.id for hit in search(Resolver(graph), "how does the dispacher work?")]
    ['dispatcher']
    """
    if not words(text):
        return ()
    begun, everyone = fold(telling_part(text)), resolver.everyone(("concept", "episode"))
    beginning = (replace(r, score=0.9, sure=False) for r in everyone if fold(r.matched).startswith(begun or "\0"))
    named = (*resolver.named(text, "concept"), *resolver.named(text, "episode"))
    met = ((resolver._read(resolver._node(m.id)), m) for m in resolver.resources.matches(text, ("episode",)))
    unheard = (replace(r, matched=m.best, score=_WORDS * min(1.0, m.score / 2)) for r, m in met)
    best: dict[str, Hit] = {}
    for r in (*named, *beginning, *resolver._asked(text, "goal"), *unheard):
        if r.kind in ("concept", "episode", "resource") and (r.ids[0] not in best or r.score > best[r.ids[0]].score):
            best[r.ids[0]] = Hit(r.kind, r.ids[0], name=r.name, matched=r.matched, score=r.score)
    return tuple(sorted(best.values(), key=lambda h: (-h.score, h.kind, len(h.name), h.name, h.id))[:limit])
