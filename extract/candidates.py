"""Terms that the vocabulary lacks, ranked, and a vocabulary drafted from them.

Spelling tells code and abbreviations. Phrases get the C-value of Frantzi et al.
(2000): uses outside longer phrases, times the logarithm of the length plus one.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import log2
from typing import Any, Literal, NamedTuple

from torchatlas.extract import english
from torchatlas.extract.english import NO_NAMES, singular, words
from torchatlas.extract.forms import identifiers
from torchatlas.extract.links import url_spans
from torchatlas.extract.pipeline import blanked
from torchatlas.extract.text import masked
from torchatlas.graph.findings import Extraction, Field, Vocabulary
from torchatlas.graph.formatting import counted
from torchatlas.graph.model import Requires, Value
from torchatlas.graph.names import asked_number, concept_id, fold, spelling

_Kind = Literal["code", "acronym", "proper", "phrase"]
_WEIGHTS: dict[_Kind, float] = {"code": 2.0, "acronym": 1.2, "proper": 0.7, "phrase": 1.0}
_WHOLE = ("code", "phrase")
_TITLED, _HEADED, _CAPITAL, _ONCE = 1.5, 1.5, 1.3, 0.5
_MOST_WORDS = 4
_LONGEST_QUOTE = 200
_LONG_SENTENCE = 7  # words; shorter ones recur by chance
_REMEMBERED = 32  # sentences of a term
_LONG_LINE, _ENGLISH = 10, 0.15  # words, and the share of stop words
_HEADING, _TITLE_CASE = 3, 0.8  # longer words, and the share with capitals
_HEADS = 2  # names that end with a word, to make it a head
_LONGEST_REASON = 160  # characters
_AREA = "area"  # a key of a vocabulary, so that no concept in it has this id
_DRAFTED = """\
# Drafts by `torchatlas candidates --draft`. For each: say in a sentence of your own what it is, check what it needs
# (hear: without it an episode makes no sense; worth: good to hear first; bridge: a sentence will do), and delete
# `draft = true`. Delete what is no term. The next command builds the map with what stands here.
"""
_ACRONYM = re.compile(r"(?<![\w.:/@#$&'’+-])(?<!\d\s)[A-Z][A-Z0-9]+(?=(?:(?<=[A-Z])s)?(?![\w@&'’+]|[-/:.]\w))")
_SHOUTED = re.compile(r"\b[A-Z]{2,}(?:[^\w\n]+[A-Z]{2,}){2,}\b")
_UNREAD = re.compile(
    r"(?<![\w.+-])[\w.+-]+@[\w.-]+\w|(?<!\w)[@#]\w+"
    r"|(?<![\w.-])(?:[\w-]++\.)++(?:com|org|net|fm|tv)\b"  # possessive: linear
)
_CALLED = re.compile(r"(?:Mc|Mac|Le|La|De|Di|Du|O['’])?{0}(?:-{0})?".format(r"[^\W\d_a-z][^\W\d_A-Z]{2,}"))
_PARTICLES = words("al bin da de del den der di dos du la le ten ter van von zu")
_LETTERS = re.compile(r"[^-][^a-zA-Z]*[^\W\d_]|[^\W\d_]")  # no option of a command, no date
_TOKEN = re.compile(r"(?<![^\W_])[^\W\d_][\w+#'’]*(?:-\w[\w+#'’]*)*")
_GAP = re.compile(r"[^\S\n]?")
_OPENING = re.compile(r"(?:\A|[.!?:;…•*\"“(]|\n)[\s\d.)\"“(-]*\Z")
_DEFINES = re.compile(r"(?: \([^)]{1,40}\))? (?:is|are) (?:an?|the) ")
_ADVERB = re.compile(r"(?!assembly|family|anomaly|reply|supply|poly)[a-z]{2,}ly")
_INFLECTED = re.compile(r"[a-z][^aius\W]s\Z")
_LIST = re.compile(r",\s[^\n]*,\s")
_BREAKERS = (english.STOP_WORDS | english.COMMON) - words("call bottom empty front")


class TermCandidate(Value):
    """A term that the vocabulary may lack. `count`: occurrences in all `episodes` (ids).

    `quote`: the best sentence; `[start:end]` of `field`: in the first episode.
    """

    text: str
    count: int
    score: float
    episodes: tuple[str, ...]
    field: Field
    start: int
    end: int
    quote: str


class Draft(Value, kw_only=True):
    """A term that may become a concept. `quote`: a sentence that names it."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    quote: str
    found: str


class _Word(NamedTuple):
    """A word of a text. `named`: name or code; `opens`: begins a sentence."""

    text: str
    start: int
    end: int
    named: bool = False
    opens: bool = False

    @property
    def is_new(self) -> bool:
        return not self.named and self.text.lower() not in english.UBIQUITOUS


class _Sighting(NamedTuple):
    """A place that may name a term of `size` words. `key`: the same for all spellings.

    `within`: keys of longer terms around it; `whole`: no word continues it.
    """

    key: str
    spelled: str
    field: Field
    start: int
    end: int
    quote: str
    shape: _Kind
    size: int = 1
    within: tuple[str, ...] = ()
    whole: bool = True
    capital: bool = False

    @property
    def telling(self) -> int:
        """How much the sentence says of the term, from a title to a definition."""
        if any(map(_DEFINES.match, self.quote.split(self.spelled)[1:])):
            return 3
        return 0 if self.field == "title" else 1 if self.quote.startswith("•") else 2


@dataclass(slots=True)
class _Term:
    """A term and its counts so far. `best`: the sighting that says most."""

    episode: str
    best: _Sighting
    spelled: Counter[str] = field(default_factory=Counter)
    episodes: dict[str, None] = field(default_factory=dict)
    within: set[str] = field(default_factory=set)
    said: dict[int, str] = field(default_factory=dict)
    whole: bool = False
    capital: bool = False
    titled: bool = False

    def add(self, sighting: _Sighting, episode: str) -> None:
        """Count a sighting, except in a sentence copied from another episode."""
        if sighting.quote.count(" ") + 1 >= _LONG_SENTENCE:
            said = hash(sighting.quote)
            if len(self.said) < _REMEMBERED:
                self.said.setdefault(said, episode)
            if self.said.get(said, episode) != episode:
                return
        self.spelled[sighting.spelled] += 1
        if sighting.telling > self.best.telling:
            self.best, self.episode = sighting, episode
        self.episodes[episode] = None
        self.within.update(sighting.within)
        self.whole |= sighting.whole
        self.capital |= sighting.capital
        self.titled |= sighting.field == "title"


class CandidateFinder:
    """A finder of terms that a vocabulary lacks. `refused`: unwanted terms."""

    def __init__(self, vocabulary: Vocabulary, refused: Iterable[str] = ()) -> None:
        names = {name for c in vocabulary.concepts for name in (c.name, *c.aliases, *c.in_texts)}
        self.ids = frozenset(c.id for c in vocabulary.concepts)
        phrases = (phrase for c in vocabulary.concepts for phrase in c.phrases)
        self.known = frozenset(map(fold, (*names, *self.ids, *phrases, *vocabulary.unplaced, *refused)))
        self.plain = frozenset(word for name in names for word in name.split() if word.islower())
        heads = Counter(_head(name) for name in {name.lower() for name in names if " " in name})
        self.heads = frozenset(head for head, times in heads.items() if times >= _HEADS)

    def rank(self, extractions: Iterable[Extraction]) -> tuple[TermCandidate, ...]:
        """Return the new terms, best first: `finder.rank(found)[0].text`."""
        terms, names, people = dict[str, _Term](), set[tuple[str, ...]](), set[str]()
        plain = {*self.plain, *english.COMMON}
        for extraction in extractions:
            id_ = extraction.episode.id
            names |= {tuple(name.split()) for name in extraction.people}
            for sighting in self._sightings(extraction, plain, names):
                terms.setdefault(sighting.key, _Term(id_, sighting)).add(sighting, id_)
        for name in names:  # but of words that stand in lower case too
            last = name[-1].lower()
            halves = {half for word in name if "-" in word for half in word.lower().split("-")}
            if not {last, _head(last)} & (plain | self.heads) and not halves & plain:
                people |= {fold(" ".join(name[i:j])) for i, j in combinations(range(len(name) + 1), 2)}
        found = {}
        for key, term in terms.items():
            best, text = term.best, min(term.spelled.items(), key=lambda found: (-found[1], found[0]))[0]
            refused = key in self.known or {key, *map(fold, text.split())} & people
            if not refused and (score := self._score(term, text, terms, plain)):
                episodes = tuple(dict.fromkeys((term.episode, *term.episodes)))
                where = best.field, best.start, best.end
                found[text] = TermCandidate(text, term.spelled.total(), score, episodes, *where, best.quote)
        longer = [text for text in found if " " in text]  # Bloom of Bloom filter
        halves = {w for text in longer for w in text.split() if w in found and found[w].count <= found[text].count}
        whole = (c for c in found.values() if c.text not in halves or terms[fold(c.text)].best.shape in _WHOLE)
        return tuple(sorted(whole, key=lambda c: (-c.score, -c.count, c.text)))

    def _sightings(self, extraction: Extraction, plain: set[str], names: set[tuple[str, ...]]) -> Iterator[_Sighting]:
        """Yield the possible terms; only code and abbreviations if not English.

        Add to `plain` the words in lower case, to `names` the capitalised words in a row.
        """
        title, text = extraction.episode.title, extraction.text
        lines = (_TOKEN.findall(line.lower()) for line in masked(text, url_spans(text), "\n").split("\n"))
        said = next((line for line in lines if len(line) >= _LONG_LINE), [])
        is_english = sum(word in english.STOP_WORDS for word in said) >= _ENGLISH * len(said)
        main: Field = "summary" if text and text == extraction.episode.summary else "description"
        for passage in (_Passage("title", title), _Passage(main, text)):
            text = blanked(passage.text)
            unread = [*url_spans(text), *(m.span() for m in _UNREAD.finditer(text))]
            mentions = (m for m in extraction.mentions if m.field == passage.field and m.concept_id in self.ids)
            known = [(m.start, m.end) for m in mentions]
            readable = masked(text, [*unread, *known], "\n")
            shaped = [s for s in _shaped(text) if "\n" not in readable[s[0] : s[1]]]
            spelled = (passage.sighting(start, end, shape) for start, end, shape in shaped)
            yield from (sighting for sighting in spelled if sighting.key not in self.known)
            if not is_english:
                continue
            for run in _runs(masked(text, unread, "\n"), sorted([*known, *((a, b) for a, b, _ in shaped)])):
                plain.update(w.text for w in run if w.text.islower())
                called = [_CALLED.fullmatch(w.text) is not None for w in run]
                inner = all(c or w.text in _PARTICLES for c, w in zip(called, run, strict=True))
                if 1 < len(run) <= _MOST_WORDS and called[0] and called[-1] and inner:
                    names.add(tuple(w.text for w in run))
                yield from passage.phrases(run)

    def _score(self, term: _Term, text: str, terms: Mapping[str, _Term], plain: set[str]) -> float:
        """Return the score of a term; 0 leaves it out."""
        shape, count, head = term.best.shape, term.spelled.total(), _head(text)
        if not _LETTERS.match(text):
            return 0
        stem = text.lower().removesuffix("ing")  # Sourcing is a form of "source", and no name
        if shape == "proper" and (count < 2 or not term.capital or plain & {text.lower(), head, stem, f"{stem}e"}):
            return 0
        if shape == "phrase" and count < 2:
            first = text.lower().split(" ")[0]
            verbal = first.endswith(("ing", "ed")) and first not in self.plain
            if verbal or not (term.whole and (term.titled or term.capital or head in self.heads)):
                return 0
        longer = [terms[key].spelled.total() for key in term.within]
        own = count - (sum(longer) / len(longer) if longer else 0)
        size = term.best.size if count > 1 else min(term.best.size, 2)
        score = log2(1 + size) * own * (1 + log2(len(term.episodes))) * _WEIGHTS[shape]
        score *= _TITLED if term.titled else 1
        if shape == "phrase":
            score *= (_HEADED if head in self.heads else 1) * (_CAPITAL if term.capital else 1)
            score *= _ONCE if count < 2 else 1
        return round(score, 3)


class _Passage:
    def __init__(self, field: Field, text: str) -> None:
        self.field, self.text = field, text
        self.breaks = [0, *(m.end() for m in re.finditer(r"\n|(?<=[.!?…])\s", text)), len(text) + 1]
        self.headings = set[int]()
        for line in re.finditer(r"[^\n]+", text):
            longer = re.findall(r"[^\W\d_][\w'’]{3,}", line[0])
            capitals = sum(word[0].isupper() for word in longer)
            if len(longer) >= _HEADING and capitals >= _TITLE_CASE * len(longer) and not _LIST.search(line[0]):
                self.headings.add(line.start())

    def sighting(self, start: int, end: int, shape: _Kind, **marks: Any) -> _Sighting:
        spelled = " ".join(self.text[start:end].split())
        return _Sighting(fold(spelled), spelled, self.field, start, end, self.quote(start, end), shape, **marks)

    def phrases(self, run: Sequence[_Word]) -> Iterator[_Sighting]:
        """Yield the possible terms of a run: two to four words, or a single name."""
        heading = self.field == "title" and all(w.text[:1].isupper() for w in run)
        heading = heading or self.text.rfind("\n", 0, run[0].start) + 1 in self.headings
        keys = {
            (i, j): fold(" ".join(self.text[run[i].start : run[j - 1].end].split()))
            for i in range(len(run))
            for j in range(i + 1, min(len(run), i + _MOST_WORDS) + 1)
            if _may_be_term(run[i:j])
        }
        for i, j in keys:
            around = ((a, b) for a in range(max(0, j - _MOST_WORDS), i + 1) for b in range(j, a + _MOST_WORDS + 1))
            yield self.sighting(
                run[i].start,
                run[j - 1].end,
                "proper" if j - i == 1 else "phrase",
                size=j - i,
                within=tuple(keys[a, b] for a, b in around if (a, b) in keys and b - a > j - i > 1),
                whole=j - i == len(run),
                capital=not heading and any(w.text[:1].isupper() and not w.opens and w.is_new for w in run[i:j]),
            )

    def quote(self, start: int, end: int) -> str:
        """Return the sentence or line around text[start:end], cut if long."""
        place = bisect_right(self.breaks, start)
        begin, stop = self.breaks[place - 1], self.breaks[bisect_left(self.breaks, end, place)] - 1
        if stop - begin > _LONGEST_QUOTE:
            if start - begin > _LONGEST_QUOTE // 2:
                begin = self.text.find(" ", start - _LONGEST_QUOTE // 2, start) + 1 or start
            if stop - end > _LONGEST_QUOTE // 2:
                stop = max(end, self.text.rfind(" ", end, end + _LONGEST_QUOTE // 2))
        return self.text[begin:stop].strip()


def drafts(candidates: Iterable[TermCandidate], taken: Iterable[str], limit: int) -> tuple[Draft, ...]:
    """Return the best candidates as drafts; an abbreviation becomes an alias.

    Example: `drafts(atlas.candidates(), graph.concept, 40)[0].name`
    """
    kept: dict[str, Draft] = {}
    known = {*map(spelling, taken)}
    for candidate in candidates:
        id_, name = concept_id(candidate.text), candidate.text
        if id_ == _AREA:
            id_ = f"{_AREA}-term"
        if not id_ or {spelling(id_), spelling(name)} & known:
            continue
        if twin := next((d for d in kept.values() if _same(name, d.name)), None):
            longer, shorter = sorted((twin.name, name), key=lambda text: (" " not in text, text.endswith("s"), text))
            aliases = tuple(dict.fromkeys(a for a in (*twin.aliases, shorter) if a != longer))
            kept[twin.id] = replace(twin, name=longer, aliases=aliases)
        elif len(kept) < limit and not any(d.name.startswith(f"{name} ") for d in kept.values()):
            found = f"{counted(candidate.count, 'time')} in {counted(len(candidate.episodes), 'episode')}"
            quote = " ".join(candidate.quote.split()).lstrip("•*· ")
            kept[id_] = Draft(id=id_, name=name, quote=quote, found=f"{found}, first in {candidate.episodes[0]}")
        known |= {spelling(id_), spelling(name)}
    return tuple(kept.values())


def written(area: str, found: Sequence[Draft], needs: Mapping[str, Sequence[Requires]] | None = None) -> str:
    """Return drafts as a file of a vocabulary. `needs`: id -> probable prerequisites.

    >>> draft = Draft(id="wal", name="WAL", quote="The WAL comes first.", found="once")
    >>> print(written("Databases", [draft]).split("\\n\\n")[1])
    area = "Databases"
    """
    import tomlkit

    document = tomlkit.document()
    document.add(_AREA, tomlkit.item(area))
    for draft in found:
        section = tomlkit.table().add(tomlkit.comment(draft.found)).add("name", draft.name)
        if draft.aliases:
            section.add("aliases", list(draft.aliases))
        section.add("draft", value=True)
        section.add("definition", draft.quote)
        for need in (needs or {}).get(draft.id, ()):
            cut = f"{need.quote[:_LONGEST_REASON].rsplit(' ', 1)[0]} ..."
            quote = need.quote if len(need.quote) <= _LONGEST_REASON else cut
            reason = f"draft: {need.reason.removeprefix('inferred: ')}: {quote}"
            section.add(tomlkit.key([need.need, need.target]), reason)
        document.add(tomlkit.nl()).add(draft.id, section)
    return f"{_DRAFTED}\n{tomlkit.dumps(document)}"


def _same(one: str, other: str) -> bool:
    """Return whether a term is the plural or the abbreviation of another."""
    short, long = sorted((one, other), key=len)
    initials = "".join(word[:1] for word in long.replace("-", " ").split())
    plural = short.casefold() == (singular(long.casefold()) or long.casefold())
    return plural or (len(short) > 1 and short.isupper() and initials.casefold() == short.casefold())


def _shaped(text: str) -> Iterator[tuple[int, int, _Kind]]:
    """Yield (start, end, kind) of code and abbreviations by their spelling."""
    code = list(identifiers(text))
    yield from ((start, end, "code") for start, end in code)
    rest = masked(text, [*code, *(m.span() for m in _SHOUTED.finditer(text))], "\n")
    for m in _ACRONYM.finditer(text):
        known = m[0] in english.NO_ABBREVIATIONS or m[0].lower() in NO_NAMES or asked_number(m[0])
        if not known and "\n" not in rest[m.start() : m.end()]:
            yield *m.span(), "acronym"


def _runs(text: str, names: Sequence[tuple[int, int]]) -> Iterator[list[_Word]]:
    """Yield the longest runs that may be names. `names`: sorted (start, end)."""
    found, run, place = list[_Word](), list[_Word](), 0
    for start, end in [*names, (len(text), len(text))]:
        for m in _TOKEN.finditer(text, place, start):
            opens = _OPENING.search(text, max(0, m.start() - 12), m.start()) is not None
            found.append(_Word(m[0], *m.span(), opens=opens))
        if start < end:
            found.append(_Word(text[start:end], start, end, named=True))
        place = end
    for word in found:
        lower = word.text.lower()
        everyday = lower in _BREAKERS or _ADVERB.fullmatch(lower) or "'" in lower or "’" in lower or len(lower) < 2
        breaks = everyday and not word.named
        if run and (breaks or not _GAP.fullmatch(text, run[-1].end, word.start)):
            yield run
            run = []
        if not breaks:
            run.append(word)
    if run:
        yield run


def _may_be_term(part: Sequence[_Word]) -> bool:
    """Return whether words are one noun with a new word, or a single name."""
    *before, head = part
    if not before:
        return not head.named and re.fullmatch(r"[A-Z][^\W\d_A-Z]{2,}", head.text) is not None
    if part[0].text.lower() in english.QUALIFIERS or head.text.lower() in english.EMPTY_HEADS:
        return False
    is_noun = head.named or not re.search(r"[^e]ed\Z", head.text)
    return is_noun and any(w.is_new for w in part) and not any(_INFLECTED.search(w.text) for w in before if not w.named)


def _head(name: str) -> str:
    last = name.lower().split(" ")[-1]
    return singular(last) or last
