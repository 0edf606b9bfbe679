"""The readings of free words: of what they name, of two things that they compare, of what is written about them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain

from torchatlas.graph.answers.comparison import sides
from torchatlas.graph.answers.confidence import answerable_first, is_best_guess, is_sure, named_first, named_together
from torchatlas.graph.answers.contained import contained, names_all
from torchatlas.graph.answers.named import Names, each_once
from torchatlas.graph.answers.query_words import slips, telling, telling_part
from torchatlas.graph.answers.text_index import ScoredDocument, TextIndex
from torchatlas.graph.answers.voting import VOTERS, ranked
from torchatlas.graph.values.model import Snapshot
from torchatlas.graph.values.names import fold, words
from torchatlas.graph.values.readings import How, Reading, ReadingKind, bare

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
