"""Names whose words stand near each other, but not as the name has them: "it leaks, the data loader, and memory"."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from torchatlas.extract.english import STOP_WORDS
from torchatlas.extract.forms import DERIVED, forms
from torchatlas.extract.transcripts.spoken_names import SpokenMention, name_parts, sound
from torchatlas.graph.model import Concept
from torchatlas.graph.names import without_s

LIKENESS = 0.4
"""Likeness of such a mention; the name itself has 1."""

_ENOUGH = 0.75  # share of the summed rarity of a name's words
_WORDS = range(2, 7)
_ROOM = 4  # words between those of a name, beyond one for each
_LONG, _CONSONANTS = 5, 4  # longer words are compared by how they begin: "binds", "binding"


class ScatteredNames:
    """A finder of names of several words by those words alone, in any order.

    `rarity` of a word: log((1 + N) / n) where n of N concepts have the word in a name, so that a word of all concepts
    counts too. `telling`: concept id -> rarity of the rarest word of its own name.
    """

    def __init__(self, concepts: Iterable[Concept]) -> None:
        known = sorted(concepts, key=lambda c: c.id)
        stems = {c.id: list(dict.fromkeys(_names(c))) for c in known}
        used = Counter(stem for names in stems.values() for stem in {stem for name in names for stem in name})
        self.rarity = {stem: math.log((1 + len(known)) / n) for stem, n in used.items()}
        self.names = [(id_, name) for id_, names in stems.items() for name in names if len(name) in _WORDS]
        self.telling = {
            id_: max((self.rarity[stem] for stem in names[0]), default=0.0) for id_, names in stems.items() if names
        }

    def find(self, words: Sequence[str]) -> Iterator[SpokenMention]:
        """Yield the stretches that hold enough of a name, concept by concept; those of one concept may overlap.

        Example: `list(ScatteredNames(concepts).find("it leaks the data loader and memory".split()))`
        """
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, word in enumerate(words):
            if (stem := _stem(word)) in self.rarity and word.lower() not in STOP_WORDS:
                places[stem].append(place)
        for id_, name in self.names:
            yield from self._near(id_, name, places)

    def _near(self, id_: str, name: Sequence[str], places: Mapping[str, Sequence[int]]) -> Iterator[SpokenMention]:
        enough = _ENOUGH * sum(self.rarity[stem] for stem in name)
        here = [stem for stem in name if stem in places]
        if len(here) < 2 or sum(self.rarity[stem] for stem in here) < enough:
            return
        spots = sorted((place, stem) for stem in here for place in places[stem])
        reach = 2 * len(name) + _ROOM
        behind = -1
        for i, (first, _) in enumerate(spots):
            if first < behind:
                continue
            weight, seen = 0.0, set[str]()
            for place, stem in spots[i:]:
                if place >= first + reach:
                    break
                if stem not in seen:
                    seen.add(stem)
                    weight += self.rarity[stem]
                if len(seen) > 1 and weight >= enough:
                    yield SpokenMention(id_, first, last=place + 1, likeness=LIKENESS)
                    behind = first + reach
                    break


def _names(concept: Concept) -> Iterator[tuple[str, ...]]:
    for form in forms(concept.id, concept.name, concept.aliases, concept.in_texts):
        if form.rank < DERIVED:
            parts = (p for p in name_parts(form.text) if len(p) > 1 and p.lower() not in STOP_WORDS)
            yield tuple(dict.fromkeys(map(_stem, parts)))


def _stem(word: str) -> str:
    """Return a stem that the inflections of a word and its mishearings share."""
    one = without_s(word.lower())
    code = sound(one) if len(one) >= _LONG else ""
    return one[0] + code[:_CONSONANTS] if len(code) >= _CONSONANTS - 1 else one
