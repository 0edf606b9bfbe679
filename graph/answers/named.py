"""The readings of a text that is a name: of a concept or an episode, in the source, of an area, or with a slip."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial

from torchatlas.graph.answers.query_words import slips
from torchatlas.graph.values.model import Concept, Episode, Snapshot
from torchatlas.graph.values.names import fold, fold_each
from torchatlas.graph.values.numbering import asked_number
from torchatlas.graph.values.readings import How, Reading, ReadingKind

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
