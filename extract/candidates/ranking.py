"""New terms, ranked: those that texts name and the vocabulary does not know, each with a verbatim quote.

Names of code are told by their spelling. Phrases are weighed by the C-value of Frantzi, Ananiadou and Mima,
"Automatic recognition of multi-word terms" (2000): how often a phrase stands for itself and not within a longer one,
times the logarithm of its length, here with one added so that single names have a value too.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, field
from math import log2
from typing import Any
from zlib import crc32

from torchatlas.extract.candidates.people import GIVEN_NAMES
from torchatlas.extract.candidates.spotting import Sighting, TermKind, WordUses, sightings
from torchatlas.extract.english import COMMON
from torchatlas.extract.inflection import singular
from torchatlas.graph.findings import Extraction, Field, Vocabulary
from torchatlas.graph.names import fold, is_series

_IS = re.compile(r"(?: \([^)]{1,40}\))? (?:is|are) (?:an?|the) ")
_WEIGHTS: dict[TermKind, float] = {"code": 2.0, "acronym": 1.2, "proper": 0.7, "phrase": 1.0}
_TITLED = 1.5
_HEADED = 1.5
_CAPITAL = 1.3
_ONCE = 0.5
_LETTERS = re.compile(r"[^-][^a-zA-Z]*[^\W\d_]|[^\W\d_]")  # no option of a command, no date
_OF_SHOW = re.compile(r"^the\s+|\s+(?:podcast|show)$", re.I)
_WORDS = re.compile(r"\w+")  # of code: no path, no call
_LABELLED = 3  # episodes in which a label is one of the show's own
_POSSESSORS = 3  # whose a thing is that is of people: "Ada's garden"
_EVENT = re.compile(r"(?:\b|\w)(?:Fest|Meetup|Hackathon)s?\b|\w ?Summits?\b|[a-z]Con\b|(?<!\S)Confs?\b")
"""Summit is a computer, and SparkConf holds settings."""
_LONG = 7  # words; nobody writes a sentence of that length twice by chance
_REMEMBERED = 32  # sentences of a term, so that memory does not grow with the texts
_HEADS = 2
"""Names of the vocabulary that must end with a word before that word counts as the end of a term."""


@dataclass(frozen=True, slots=True)
class TermCandidate:
    """A term that the vocabulary may lack. `count`: occurrences in all `episodes` (ids).

    `quote` is the sentence that says most of it: one that defines it, else the first outside of titles, else the first.
    There it stands at `[start:end]` of `field` of the first of the `episodes`.
    """

    text: str
    count: int
    _: KW_ONLY
    score: float
    episodes: tuple[str, ...]
    field: Field
    start: int
    end: int
    quote: str


@dataclass(slots=True)
class _Term:
    """A term and its counts so far. `best`: the sighting with the most telling sentence, in `episode`."""

    episode: str
    best: Sighting
    _: KW_ONLY
    spelled: Counter[str] = field(default_factory=Counter)
    episodes: dict[str, None] = field(default_factory=dict)
    within: set[str] = field(default_factory=set)
    whole: bool = False
    capital: bool = False
    titled: bool = False
    titles: Counter[str] = field(default_factory=Counter)
    standing: Counter[str] = field(default_factory=Counter)
    apart: Counter[str] = field(default_factory=Counter)
    possessors: Counter[str] = field(default_factory=Counter)
    said: dict[int, str] = field(default_factory=dict)

    def add(self, sighting: Sighting, episode: str, show: str) -> None:
        """Count a sighting, but for one in a sentence that another episode has word for word."""
        if self._is_repeated(sighting.quote, episode):
            return
        self.spelled[sighting.spelled] += 1
        if _telling(sighting) > _telling(self.best):
            self.best, self.episode = sighting, episode
        self.episodes[episode] = None
        self.within.update(sighting.within)
        self.whole |= sighting.whole
        self.capital |= sighting.capital
        self.titled |= sighting.field == "title"
        self.titles[show] += sighting.field == "title"
        self.standing[sighting.standing] += 1
        self.apart[sighting.apart] += 1
        self.possessors[sighting.possessor] += 1

    @property
    def is_part(self) -> bool:
        """Whether a single word mostly stands beside another one with a capital, as parts of longer names do.

        An abbreviation must always do so, since it often tells the kind of what follows: "SSL Certificate".
        """
        alone, beside = self.standing["alone"], self.standing["beside"]
        if self.best.shape == "acronym":
            return beside > 1 and not alone
        return 2 * alone < beside or (self.best.shape == "proper" and not alone)

    @property
    def is_apart(self) -> bool:
        """Whether it is mostly a label of the show's notes, who has published a page, or what several people have."""
        labels, sources = self.apart["label"], self.apart["source"]
        owned = self.count - self.possessors[""]
        often = len(self.episodes) >= _LABELLED or self.count >= 2 * _LABELLED
        return (
            (often and 5 * labels >= 4 * self.count)
            or 2 * sources > self.count
            or (len(self.possessors) > _POSSESSORS and 2 * owned > self.count)
        )

    def _is_repeated(self, quote: str, episode: str) -> bool:
        if quote.count(" ") + 1 < _LONG:
            return False
        said = crc32(quote.encode())
        if len(self.said) < _REMEMBERED:
            self.said.setdefault(said, episode)
        return self.said.get(said, episode) != episode

    @property
    def count(self) -> int:
        return self.spelled.total()

    @property
    def text(self) -> str:
        return min(self.spelled, key=lambda s: (-self.spelled[s], s))

    def candidate(self, score: float) -> TermCandidate:
        place: dict[str, Any] = {name: getattr(self.best, name) for name in ("field", "start", "end", "quote")}
        return TermCandidate(
            self.text, self.count, score=score, episodes=tuple(dict.fromkeys((self.episode, *self.episodes))), **place
        )


class CandidateFinder:
    """A finder of terms that a vocabulary lacks. `refused`: terms that a person has looked at and does not want."""

    def __init__(self, vocabulary: Vocabulary, refused: Iterable[str] = ()) -> None:
        names = {name for c in vocabulary.concepts for name in (c.name, *c.aliases, *c.in_texts)}
        self.ids = frozenset(c.id for c in vocabulary.concepts)
        self.known = frozenset(map(fold, (*names, *self.ids, *vocabulary.phrases, *vocabulary.unplaced, *refused)))
        self.plain = frozenset(word for name in names for word in name.split() if word.islower())
        heads = Counter(_head(name) for name in {name.lower() for name in names if " " in name})
        self.heads = frozenset(head for head, times in heads.items() if times >= _HEADS)

    def rank(self, extractions: Iterable[Extraction]) -> tuple[TermCandidate, ...]:
        """Return the new terms of these entries, the best first. Memory grows with the number of terms, not of texts.

        Example: `CandidateFinder(vocabulary).rank(extractions)[0].text`
        """
        words, terms, noted, accounts = WordUses(), dict[str, _Term](), set[str](), Counter[str]()
        own, stated = set[str](), set[str]()
        for extraction in extractions:
            id_ = extraction.episode.id
            noted |= {extraction.episode.show} if extraction.text else set()
            own |= {fold(name) for name in _names_of(extraction.episode.show)}
            stated.update(extraction.people)
            accounts.update({fold(link.label) for link in extraction.links if link.type == "profile"})
            for sighting in sightings(extraction, self.known, self.ids, words):
                terms.setdefault(sighting.key, _Term(id_, sighting)).add(sighting, id_, extraction.episode.show)
        words.plain |= self.plain | COMMON
        people = {label for label, episodes in accounts.items() if episodes > 1}
        people |= {key for key, times in words.people.items() if key not in terms or 2 * times >= terms[key].count}
        people |= set(map(fold, stated))
        words.names.update(tuple(name.split()) for name in stated)
        people = people.union(*(self._person(name, words.plain) for name in words.names))
        found = [
            (term, term.candidate(score))
            for key, term in terms.items()
            if key not in self.known
            and key not in own
            and not {key, *map(fold, term.text.split())} & people
            and not is_series(titles := sum(term.titles[show] for show in noted), term.count - titles)
            and (score := self._score(term, terms, words.plain))
        ]
        halves = _halves(term for term, _ in found)
        whole = (c for term, c in found if term.best.shape not in ("acronym", "proper") or term.text not in halves)
        return tuple(sorted(whole, key=lambda c: (-c.score, -c.count, c.text)))

    def _person(self, name: tuple[str, ...], plain: set[str]) -> set[str]:
        """Return the keys of a person's or a place's name: words with capitals that never stand in lower case."""
        last = name[-1].lower()
        halves = {half for word in name if "-" in word for half in word.lower().split("-")}  # "Write-Ahead Log"
        if {last, _head(last)} & (plain | self.heads) or halves & plain:
            return set()
        return {fold(" ".join(name[i:j])) for i in range(len(name)) for j in range(i + 1, len(name) + 1)}

    def _score(self, term: _Term, terms: dict[str, _Term], plain: set[str]) -> float:
        """Return the score of a term; 0 leaves it out, as a phrase that stands once and looks like any other."""
        text, shape, head = term.text, term.best.shape, _head(term.text)
        if (
            not _LETTERS.match(text)
            or _EVENT.search(text)
            or _is_person(text)
            or (term.is_apart and (shape != "code" or _WORDS.fullmatch(text)))
        ):
            return 0
        if shape != "phrase" and text.isalpha() and term.is_part:
            return 0
        if shape == "proper" and (term.count < 2 or not term.capital or {text.lower(), head, *_verbs(text)} & plain):
            return 0
        marked = term.titled or term.capital or head in self.heads
        if shape == "phrase" and term.count < 2 and not (term.whole and marked and not self._verbal(text)):
            return 0
        longer = [terms[key].count for key in term.within]
        own = term.count - (sum(longer) / len(longer) if longer else 0)
        size = term.best.size if term.count > 1 else min(term.best.size, 2)
        score = log2(1 + size) * own * (1 + log2(len(term.episodes))) * _WEIGHTS[shape]
        score *= (_TITLED if term.titled else 1) * (_ONCE if shape == "phrase" and term.count < 2 else 1)
        if shape == "phrase":
            score *= (_HEADED if head in self.heads else 1) * (_CAPITAL if term.capital else 1)
        return round(score, 3)

    def _verbal(self, text: str) -> bool:
        """Return whether a phrase begins like a clause, "parsing schemas", or goes on like one, "the engine hums", in
        words that begin or end no name of the vocabulary."""
        first, *_, last = text.lower().split(" ")
        plural = last.endswith("s") and not last.endswith("ss")
        begins = first.endswith(("ing", "ed")) and first not in self.plain
        return begins or (plural and not {last, _head(last)} & (self.plain | self.heads))


def _names_of(show: str) -> tuple[str, str]:
    """Return the names of a show: "The Owl Nest Podcast" is the Owl Nest, but "The Rust Podcast" is not Rust.

    >>> _names_of("The Owl Nest Podcast"), _names_of("Rust Podcast")
    (('The Owl Nest Podcast', 'Owl Nest'), ('Rust Podcast', 'Rust Podcast'))
    """
    bare = _OF_SHOW.sub("", show)
    return show, bare if " " in bare else show


def _is_person(text: str) -> bool:
    """Return whether a name begins like one of a person: "Ada", "Ada Finch"."""
    first, *others = text.split()
    return first.lower() in GIVEN_NAMES and all(word.istitle() for word in (first, *others))


def _halves(terms: Iterable[_Term]) -> set[str]:
    """Return the words that stand nowhere but in one longer term: "Bloom" of "Bloom filter"."""
    counts = {term.text: term.count for term in terms}
    longer = (text for text in counts if " " in text)
    return {word for text in longer for word in text.split() if 0 < counts.get(word, 0) <= counts[text]}


def _verbs(name: str) -> set[str]:
    """Return the verbs that a word may be a form of: "Sourcing" is a form of "source", and no name.

    >>> sorted(_verbs("Sourcing")), _verbs("Kong")
    (['sourc', 'source'], set())
    """
    stem = name.lower().removesuffix("ing")
    return {stem, f"{stem}e"} if len(stem) > 2 and stem != name.lower() else set()


def _telling(sighting: Sighting) -> int:
    """Return how much a sentence says of the term in it: most if it says what the term is, least if it is a title.

    An item of a list is often the title of a page.
    """
    if re.search(rf"{re.escape(sighting.spelled)}{_IS.pattern}", sighting.quote):
        return 3
    return 0 if sighting.field == "title" else 1 if sighting.quote.startswith("•") else 2


def _head(name: str) -> str:
    last = name.lower().split(" ")[-1]
    return singular(last) or last
