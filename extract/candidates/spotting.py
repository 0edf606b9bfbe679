"""Places of a text that name something which the vocabulary does not know."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from itertools import takewhile
from typing import Any, Literal

from torchatlas.extract.candidates import people
from torchatlas.extract.candidates.people import CALENDAR
from torchatlas.extract.candidates.phrases import MOST_WORDS, Word, is_compound, is_english, runs
from torchatlas.extract.candidates.surroundings import Apart, Standing, Surroundings
from torchatlas.extract.english import COMMON, EMPTY_HEADS, NO_ABBREVIATIONS, QUALIFIERS, UBIQUITOUS, words
from torchatlas.extract.identifiers import identifiers
from torchatlas.extract.links import url_spans
from torchatlas.extract.stop_words import STOP_WORDS
from torchatlas.extract.text import masked
from torchatlas.graph.findings import Extraction, Field
from torchatlas.graph.names import asked_number, fold

TermKind = Literal["code", "acronym", "proper", "phrase"]

_ACRONYM = re.compile(r"(?<![\w.:/@#$&'’+-])(?<!\d\s)[A-Z][A-Z0-9]*[A-Z0-9](?=(?:(?<=[A-Z])s)?(?![\w@&'’+]|[-/:.]\w))")
_SHOUTED = re.compile(r"\b[A-Z]{2,}(?:[^\w\n]+[A-Z]{2,}){2,}\b")
_UNREAD = re.compile(
    r"(?<![\w.+-])[\w.+-]+@[\w.-]+\w|(?<!\w)[@#]\w+|\*\.\w+"
    r"|(?<![\w.-])(?:[\w-]++\.)++(?:com|org|net|fm|tv)\b"  # possessive, for time that grows with the length
)
_OPEN = re.compile(r"\b[Oo]pen[- ]\Z")  # source, which the word before parts from it
_NAME = re.compile(r"[A-Z][^\W\d_A-Z]{2,}")
_CALLED = re.compile(r"(?:Mc|Mac|Le|La|De|Di|Du|O['’])?{0}(?:-{0})?".format(r"[^\W\d_a-z][^\W\d_A-Z]{2,}"))
_PARTICLES = words("al bin da de del den der di dos du la le ten ter van von zu")
_ACTS = re.compile(r"s\s+(?:an?|the|its?|their|your|our|them|this|these|each|every|how|what|whether)\b")
_NO_NAMES = UBIQUITOUS | COMMON | STOP_WORDS
_OF_SHOWS = words(
    """interviews clips giveaway newsletter conferences keynote keynotes meetup meetups audience mailbag career careers
    background companion headlines sponsors swag recaps announcements livestream broadcast ceo cto founder company
    companies startup startups inc"""
)
"""Last words of what shows speak of around their subjects."""
_BREAK = re.compile(r"\n|(?<=[.!?…])\s")
_LONGEST_QUOTE = 200


@dataclass(frozen=True, slots=True)
class Sighting:
    """A place, `[start:end]` of a field, that may name a term of `size` words.

    `key`: the same for all spellings; `within`: the keys of longer terms around it; `whole`: no word continues it;
    `capital`: written as names are; `standing`: whether it is beside other words with capitals; `apart`: what the place
    is called that has no terms, a label or a source; `possessor`: whose it is, for a phrase.
    """

    key: str
    spelled: str
    _: KW_ONLY
    field: Field
    start: int
    end: int
    quote: str
    shape: TermKind
    size: int = 1
    within: tuple[str, ...] = ()
    whole: bool = True
    capital: bool = False
    standing: Standing = "alone"
    apart: Apart = ""
    possessor: str = ""


@dataclass(slots=True)
class WordUses:
    """Uses of words in the texts so far.

    `plain`: words that are written in lower case somewhere; `names`: capitalised words in a row; `people`: how often a
    word stands where a person's or a sponsor's name does, by its key.
    """

    plain: set[str] = field(default_factory=set)
    names: set[tuple[str, ...]] = field(default_factory=set)
    _: KW_ONLY
    people: Counter[str] = field(default_factory=Counter)


def sightings(
    extraction: Extraction, names: Collection[str], ids: Collection[str], uses: WordUses
) -> Iterator[Sighting]:
    """Yield the possible terms in title and text, without addresses, handles and patterns; add to `uses` from both.

    `names` (folded) and `ids`: those of the vocabulary. Texts in other languages than English have code and
    abbreviations only.

    Example: `[s.spelled for s in sightings(extraction, names, ids, WordUses())]`
    """
    summarised = extraction.text and extraction.text == extraction.episode.summary
    texts: tuple[tuple[Field, str], ...] = (
        ("title", extraction.episode.title),
        ("summary" if summarised else "description", extraction.text),
    )
    english = is_english(masked(extraction.text, url_spans(extraction.text), "\n"))
    for place, text in texts:
        passage = _Passage(place, text)
        known = [(m.start, m.end) for m in extraction.mentions if m.field == place and m.concept_id in ids]
        unread = [*url_spans(text), *(m.span() for m in _UNREAD.finditer(text))]
        taken = bytearray(len(text))
        for start, end in (*unread, *known):
            taken[start:end] = b"\1" * (end - start)
        shaped = [s for s in _shaped(text) if 1 not in taken[s[0] : s[1]]]
        spelled = (passage.sighting(start, end, shape) for start, end, shape in shaped)
        yield from (sighting for sighting in spelled if sighting.key not in names)
        if not english:
            continue
        # An empty line in place of what is not read, because no phrase crosses one.
        for run in runs(masked(text, unread, "\n"), sorted([*known, *((a, b) for a, b, _ in shaped)])):
            _learn(run, text, uses)
            yield from _phrases(run, passage)


class _Passage:
    def __init__(self, field: Field, text: str) -> None:
        self.field = field
        self.text = text
        self.around = Surroundings(text)
        self.breaks = [0, *(m.end() for m in _BREAK.finditer(text)), len(text) + 1]

    def sighting(self, start: int, end: int, shape: TermKind, **marks: Any) -> Sighting:
        key, spelled = _spelled(self.text, start, end)
        place: dict[str, Any] = {"field": self.field, "start": start, "end": end, "quote": self.quote(start, end)}
        around: dict[str, Any] = {"apart": self.around.apart(start, end)}
        if shape == "phrase":
            around["possessor"] = self.around.possessor(start)
        else:
            around["standing"] = self.around.standing(start, end)
        return Sighting(key, spelled, shape=shape, **place, **around, **marks)

    def quote(self, start: int, end: int) -> str:
        """Return the sentence or line around text[start:end], verbatim; of a long one the part around the place."""
        place = bisect_right(self.breaks, start)
        begin, stop = self.breaks[place - 1], self.breaks[bisect_left(self.breaks, end, place)] - 1
        if stop - begin > _LONGEST_QUOTE:
            if start - begin > _LONGEST_QUOTE // 2:
                begin = self.text.find(" ", start - _LONGEST_QUOTE // 2, start) + 1 or start
            if stop - end > _LONGEST_QUOTE // 2:
                stop = max(end, self.text.rfind(" ", end, end + _LONGEST_QUOTE // 2))
        return self.text[begin:stop].strip()


def _shaped(text: str) -> Iterator[tuple[int, int, TermKind]]:
    """Yield (start, end, kind) of code and abbreviations, recognised by their spelling."""
    taken = bytearray(len(text))
    for m in _SHOUTED.finditer(text):
        taken[m.start() : m.end()] = b"\1" * len(m[0])
    for start, end in identifiers(text):
        taken[start:end] = b"\1" * (end - start)
        yield start, end, "code"
    for m in _ACRONYM.finditer(text):
        known = m[0] in NO_ABBREVIATIONS or m[0].lower() in _NO_NAMES or asked_number(m[0])  # S1E5
        if not known and 1 not in taken[m.start() : m.end()]:
            yield *m.span(), "acronym"


def _phrases(run: list[Word], passage: _Passage) -> Iterator[Sighting]:
    """Yield the possible terms of a run: two to four words, or a single name."""
    heading = passage.field == "title" and all(w.capital for w in run)
    heading = heading or passage.around.in_title_case(run[0].start)
    keys = {
        (i, j): _spelled(passage.text, run[i].start, run[j - 1].end)[0]
        for i in range(len(run))
        for j in range(i + 1, min(len(run), i + MOST_WORDS) + 1)
        if _may_be_term(run[i:j])
        and not (run[i].text.lower() == "source" and _OPEN.search(passage.text, max(0, run[i].start - 5), run[i].start))
        and not _ACTS.match(passage.text, run[j - 1].end - 1)
    }
    for i, j in keys:
        around = ((a, b) for a in range(max(0, j - MOST_WORDS), i + 1) for b in range(j, a + MOST_WORDS + 1))
        yield passage.sighting(
            run[i].start,
            run[j - 1].end,
            "proper" if j - i == 1 else "phrase",
            size=j - i,
            within=tuple(keys[a, b] for a, b in around if (a, b) in keys and b - a > j - i > 1),
            whole=j - i == len(run),
            capital=not heading and any(w.capital and not w.opens and _is_new(w) for w in run[i:j]),
        )


def _may_be_term(part: list[Word]) -> bool:
    """Return whether one of these words is new, and neither end is a word that adds nothing."""
    if len(part) == 1:
        return _is_name(part[0])
    lower = [w.text.lower() for w in part]
    if lower[0] in QUALIFIERS or lower[-1] in EMPTY_HEADS or lower[-1] in _OF_SHOWS or not is_compound(part):
        return False
    return any(_is_new(w) for w in part)


def _is_new(word: Word) -> bool:
    return not word.named and word.text.lower() not in UBIQUITOUS


def _learn(run: list[Word], text: str, uses: WordUses) -> None:
    """Add what a run tells of its words."""
    uses.plain.update(w.text for w in run if w.text.islower())
    if 1 < len(run) <= MOST_WORDS and _is_of_people(run):
        uses.names.add(tuple(w.text for w in run))
    if people.BEFORE.search(text, max(0, run[0].start - 30), run[0].start):
        uses.people.update(_name_of(takewhile(_is_name, run)))
    if people.SPONSOR.search(text, max(0, run[0].start - 30), run[0].start):
        uses.people[fold(run[0].text)] += 1
    for after in range(1, len(run) + 1):
        if _is_name(run[after - 1]) and people.AFTER.match(text, run[after - 1].end):
            uses.people.update(_name_of(takewhile(_is_name, reversed(run[:after]))))


def _is_of_people(run: Sequence[Word]) -> bool:
    """Return whether words may be a person's name: "Marie-Claire McBride", "Ana van der Berg"."""
    called = [_CALLED.fullmatch(w.text) is not None for w in run]
    return called[0] and called[-1] and all(c or w.text in _PARTICLES for c, w in zip(called, run, strict=True))


def _is_name(word: Word) -> bool:
    return not word.named and word.text.lower() not in CALENDAR and _NAME.fullmatch(word.text) is not None


def _name_of(parts: Iterable[Word]) -> set[str]:
    """Return the keys of a person's name and of each of its parts."""
    spelled = [w.text for w in sorted(parts, key=lambda w: w.start)]
    return {fold(" ".join(spelled)), *map(fold, spelled)}


def _spelled(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the key that all spellings of a name share, and this spelling on one line."""
    spelled = " ".join(text[start:end].split())
    return fold(spelled), spelled
