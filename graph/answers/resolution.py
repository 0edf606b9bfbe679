"""From what a person types to concepts and episodes: the one way for the command line, the pages and the library."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Literal

from torchatlas.graph.answers.confidence import is_sure, named_first, with_episodes_first
from torchatlas.graph.answers.contained import contained, names_all
from torchatlas.graph.answers.named import Names, each_once, first
from torchatlas.graph.answers.query_words import beginning, slips, telling
from torchatlas.graph.answers.text_index import Match, TextIndex
from torchatlas.graph.values.errors import UnknownName
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.names import fold, suggest, words
from torchatlas.graph.values.readings import OFFERED, Kind, Reading, Understood, bare, titled_episode, understood

Wanted = Literal["goal", "subject", "concept", "episode"]
"""What a text should mean; a subject is a concept or an episode, and a goal may also be an area."""

_KINDS: dict[Wanted, tuple[Kind, ...]] = {
    "goal": ("concept", "episode", "area"), "subject": ("concept", "episode"), "concept": ("concept",),
    "episode": ("episode",),
}  # fmt: skip
_NEAR = 0.25  # score of a match from which it is worth suggesting
_READ = 10  # readings of a question
_BEGUN, _WORDS = 0.9, 0.7  # the scores of a name that is begun, and of words at the most, beside 1 for a name


class Resolver:
    """All that words may mean on a graph.

    Example: `Resolver(snapshot).resolve("how does backward work").sentence`
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._names = Names(snapshot)

    @cached_property
    def index(self) -> TextIndex:
        """All texts about concepts and episodes."""
        return TextIndex(self.snapshot)

    def resolve(self, text: str, wanted: Wanted = "goal", *, words_too: bool = True) -> Understood:
        """Return what a text means: a name of any kind, a typing slip of one, or (`words_too`) a question.

        Raises UnknownName, with up to three suggestions, where nothing or several things fit.

        >>> from torchatlas.graph.values.model import Concept
        >>> Resolver(Snapshot((Concept("vmap", "vmap", area="Transforms"),))).resolve("VMAP").ids
        ('vmap',)
        """
        text = beginning(text)
        named = self.named(text, wanted)
        readings = named or self.asked(text, wanted)
        if readings and readings[0].sure and (named or words_too):
            return understood(text, readings[0], tuple(_distinct(readings)[1:]))
        raise UnknownName(_called(wanted, readings), text, self._suggestions(bare(text), wanted, readings))

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
        text = bare(beginning(text))
        if titled := titled_episode(text):
            text, wanted = titled, "episode" if "episode" in _KINDS[wanted] else wanted
        exact = self._exact(text, wanted)
        if exact:
            return exact
        if wanted != "episode" and (placed := first(self._names.identifiers(text))):
            return each_once(placed)
        return _if_single(self._names.nearest(text, _KINDS[wanted]))

    def begun(self, text: str) -> Iterator[Reading]:
        """Yield the concepts and episodes with a name that begins with a text.

        Example: `[reading.name for reading in resolver.begun("func")]`
        """
        begun = fold(beginning(text))
        for reading in chain(self._names.everyone(["concept"]), self._names.everyone(["episode"])):
            if begun and fold(reading.matched).startswith(begun):
                yield replace(reading, score=_BEGUN, sure=False)

    def _exact(self, text: str, wanted: Wanted) -> list[Reading]:
        kinds = _KINDS[wanted]
        concepts = _if_single(first(self._names.concepts(text))) if "concept" in kinds else []
        areas = list(self._names.area(text)) if "area" in kinds else []
        named = concepts and concepts[0].how == "name"  # an area comes before a concept's other name only
        found = [*concepts, *areas] if named else [*areas, *concepts]
        if "episode" in kinds and not (found and found[0].sure):
            found = [*_if_single(first(self._names.episodes(text))), *found]
        return sorted(found, key=lambda reading: not reading.sure)

    def asked(self, text: str, wanted: Wanted, limit: int = _READ) -> list[Reading]:
        """Return the readings of a text as free words: what its telling words name, then what is written about them.

        Example: `resolver.asked("why is my dataloader leaking", "episode")[0].matched`
        """
        text = beginning(text)
        subject = " ".join(telling(text))
        if not subject:
            return []
        named = [] if subject == " ".join(words(text)) else self._exact(subject, wanted)
        within = contained(self._names, text)
        matches = self.index.matches(text, _KINDS[wanted], limit, named=within)
        names_only = names_all(within, telling(text))
        ranked = named_first(matches) if names_only else with_episodes_first(matches)
        written = [self._reading(m, text, subject, named=names_only and m.named > 0) for m in ranked]
        if " " not in subject:
            written.sort(key=lambda reading: not reading.sure)
        asked = (replace(r, how="question", score=_WORDS) for r in named if r.sure)
        return each_once(chain(asked, written))[:limit]

    def _reading(self, match: Match, text: str, subject: str, *, named: bool) -> Reading:
        document = match.document
        whole = next((t for texts in document.fields.values() for t in texts if fold(t) == fold(text)), "")
        in_title = document.kind == "episode" and match.best == document.name and match.coverage == 1
        return Reading(
            (document.id,), document.name, kind=document.kind, how="title" if in_title and not whole else "question",
            matched=whole or match.best, score=round(_WORDS * min(1.0, match.score), 4),
            sure=bool(whole) or named or self._is_sure(match, subject),
        )  # fmt: skip

    def _is_sure(self, match: Match, subject: str) -> bool:
        """Return whether words may be answered by a match: most of what they tell is met; one word is its name."""
        if " " in subject:
            return is_sure(match, len(subject.split()))
        names = (match.document.name, *match.document.fields.get("other names", ()))
        stem = self.index.forms.stem
        return bool(slips(len(subject))) and stem(subject) in {stem(fold(name)) for name in names}

    def _suggestions(self, text: str, wanted: Wanted, readings: Sequence[Reading]) -> list[str]:
        """Return three names to choose from, of the readings or of names written alike; ids where names are shared.

        There are none for words that only ask: "where do I start" is no misspelt name.
        """
        if not readings and not telling(text):
            return []
        near = [r for r in readings if r.how not in ("question", "title") or r.score >= _WORDS * _NEAR]
        best = _distinct(near or self._alike(text, wanted))[:OFFERED]
        return [r.name if any(n.sure for n in self.named(r.name, wanted)) else r.ids[0] for r in best]

    def _alike(self, text: str, wanted: Wanted) -> Iterator[Reading]:
        """Yield the concepts and episodes whose names are most like a text; a title that is a concept's name, not."""
        owners: dict[str, list[Reading]] = {}
        for reading in self._names.everyone(_KINDS[wanted]):
            owners.setdefault(reading.matched, []).append(reading)
        for name in suggest(text, owners, limit=None):
            yield from owners[name]


def _if_single(readings: Iterable[Reading]) -> list[Reading]:
    """Return readings that are as good as one another: sure only where there is a single one."""
    found = list(readings)
    return found if len(found) == 1 else [replace(r, sure=False) for r in found]


def _distinct(readings: Iterable[Reading]) -> list[Reading]:
    """Return readings, each once, without an episode that is called like a concept before it, or the reverse."""
    kinds: dict[str, Kind] = {}
    return [r for r in each_once(readings) if r.kind == "area" or kinds.setdefault(fold(r.name), r.kind) == r.kind]


def _called(wanted: Wanted, readings: Sequence[Reading]) -> str:
    kind = " or ".join(_KINDS[wanted][:2])
    return f"single {kind}" if len(readings) > 1 and readings[0].how not in ("question", "title") else kind


def resolve(snapshot: Snapshot, text: str, wanted: Wanted = "goal") -> Understood:
    """Return the concept, episode or area that a name means on a graph. Raises UnknownName, with suggestions.

    Free words are no name here; a `Resolver` understands them too.

    >>> from torchatlas.graph.values.model import Episode
    >>> resolve(Snapshot(episodes=(Episode("show/why", "Why autograd", show="Show", number=7),)), "#7").ids
    ('show/why',)
    """
    return Resolver(snapshot).resolve(text, wanted, words_too=False)
