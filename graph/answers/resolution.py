"""From what a person types to concepts and episodes: the one way for the command line, the pages and the library."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Literal

from torchatlas.graph.answers.named import Names, each_once, first, if_single
from torchatlas.graph.answers.query_words import telling, telling_part
from torchatlas.graph.answers.questions import WORDS, Questions
from torchatlas.graph.answers.text_index import TextIndex
from torchatlas.graph.values.errors import UnknownName
from torchatlas.graph.values.formatting import counted, first_clause
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.names import fold, suggest
from torchatlas.graph.values.readings import (
    FREE,
    OFFERED,
    Reading,
    ReadingKind,
    Understood,
    bare,
    titled_episode,
    understood,
)

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

        >>> from torchatlas.graph.values.model import Concept
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
