"""Transcripts and chapters: cues, and which concepts are explained when.

A speech recogniser may split, join, spell or mishear names. So each is compared
with the transcript as a run of sounds, whatever the word boundaries.
"""

import html
import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import dropwhile, islice, pairwise, takewhile
from operator import not_
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, NamedTuple

import jellyfish
from rapidfuzz.distance import Levenshtein

from torchatlas.extract.english import EVERYDAY, STOP_WORDS, UBIQUITOUS
from torchatlas.extract.feeds import Chapter, Entry, Transcript, chapters, load_json, mappings_at, number, text_at
from torchatlas.extract.fetch import copy_name
from torchatlas.extract.forms import DERIVED, Form, admits, forms
from torchatlas.extract.text import decoded
from torchatlas.graph.errors import SourceError
from torchatlas.graph.findings import Explained, Extraction, Mention
from torchatlas.graph.model import Concept
from torchatlas.graph.names import MEDIA, one_line, without_s

if TYPE_CHECKING:
    from torchatlas.extract.pipeline import Extractor
LONGEST = 2_000
"""Characters that are kept of a cue."""
_CLOCK = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?!\d)(?:[.,:] ?(\d{1,9}))?"
_TIMING = re.compile(rf"{_CLOCK}\s*-->\s*{_CLOCK}(?![\d.,:])", re.A)
_PACE = 220  # words a minute
_ROLLING = 0.1  # seconds for which captions that roll up show their last line alone
# Voice, class and time tags of WebVTT, font tags of SubRip, and its {\an8} placements.
_TAG = re.compile(r"</?[A-Za-z0-9][^<>]{0,200}>|\{\\[^{}]{0,50}\}")
_TIMED = ("vtt", "srt", "subrip", "json")  # the most precise format first


class Cue(NamedTuple):
    """Words on one line that are said from second `start` to second `end`."""

    start: float
    end: float
    text: str


def read_cues(document: bytes, name: str = "the transcript") -> tuple[Cue, ...]:
    """Return WebVTT, SubRip or JSON cues in order of time. Raises SourceError.

    >>> read_cues(b"WEBVTT\\n\\n00:01.000 --> 00:02.500\\nHello")
    (Cue(start=1.0, end=2.5, text='Hello'),)
    """
    text = decoded(document[:16_000_000])
    timed = _segments(text, name) if text.lstrip()[:1] in ("{", "[") else _blocks(text)
    said = ((start, end, one_line(html.unescape(_TAG.sub("", raw[:LONGEST])))) for start, end, raw in timed)
    found = [Cue(start, end, text=words) for start, end, words in islice(said, 200_000) if end >= start and words]
    if not found:
        raise SourceError(
            f"{name} holds no cue that can be read; expected WebVTT, SRT, or JSON of a podcast or of Whisper"
        )
    return tuple(sorted(found, key=lambda cue: (cue.start, cue.end)))


def _blocks(text: str) -> Iterator[tuple[float, float, str]]:
    """Yield each timing and the lines below it, without those that rolled up."""
    lines = [line.strip() for line in text.splitlines()]
    timings = [(i, found.groups()) for i, line in enumerate(lines) if (found := _TIMING.match(line))]
    shown: list[str] = []
    for (i, clocks), end in zip(timings, [*(i for i, _ in timings[1:]), len(lines) + 1], strict=False):
        start, until = _seconds(clocks[:4]), _seconds(clocks[4:])
        # The last line before a timing may be the number of its cue.
        below = lines[i + 1 : end - (end <= len(lines) and lines[end - 1].isdecimal())]
        said = [_TAG.sub("", line).strip() for line in takewhile(bool, dropwhile(not_, below))]
        if below[:1] == [""] and said[:1] and said[0].startswith("NOTE"):  # behind an empty cue
            continue
        rolled = next((n for n in range(len(shown), 0, -1) if shown[-n:] == said[:n]), 0)
        shown = said
        yield start, until, " ".join(said if rolled == len(said) and until - start > _ROLLING else said[rolled:])


def _seconds(clock: Sequence[str | None]) -> float:
    hours, minutes, seconds = (int(part or 0) for part in clock[:3])
    return 3600 * hours + 60 * minutes + seconds + float(f"0.{clock[3] or 0}")


def _segments(text: str, name: str) -> Iterator[tuple[float, float, str]]:
    """Yield the segments of the podcast namespace's JSON (`startTime`) or of Whisper's."""
    for segment in mappings_at(load_json(text, name), "segments"):
        start, end = _time(segment, "start"), _time(segment, "end")
        end = start if end is None else end
        if start is not None and end is not None and 0 <= start <= end < 1_000 * 3600:
            yield start, end, text_at(segment, "body") or text_at(segment, "text")


def _time(segment: Mapping[str, Any], edge: str) -> float | None:
    stated = segment.get(f"{edge}Time", segment.get(edge))
    with suppress(ValueError):
        return number(float(stated) if isinstance(stated, str) else stated)
    return None


def read_chapters(document: bytes, name: str = "the chapters") -> tuple[Chapter, ...]:
    """Return the chapters of a JSON document by their time. Raises SourceError.

    >>> read_chapters(b'{"chapters": [{"startTime": 62.5, "title": "Strides"}]}')
    (Chapter(at=62, title='Strides'),)
    """
    body = load_json(decoded(document), name)
    if not isinstance(body, dict) or not isinstance(body.get("chapters"), list):
        raise SourceError(f"{name} holds no chapters; expected the podcast namespace's JSON chapters")
    shown = (c for c in mappings_at(body, "chapters") if c.get("toc") is not False)
    return chapters((c.get("startTime", c.get("start")), html.unescape(text_at(c, "title"))) for c in shown)


def best_transcript(offered: Iterable[Transcript]) -> Transcript | None:
    """Return the best transcript with times: English first, then by format.

    >>> best_transcript([Transcript("a.srt"), Transcript("a.vtt")]).url
    'a.vtt'
    """
    ranked = []
    for transcript in offered:
        stated, ending = transcript.type.lower(), re.split(r"[?#]", transcript.url)[0].rpartition(".")[2].lower()
        known = [place for place, word in enumerate(_TIMED) if word in stated]
        known += [_TIMED.index(ending)] if ending in _TIMED and not stated.startswith("text/html") else []
        if known:
            ranked.append((transcript.language.lower()[:2] not in ("", "en"), known[0], transcript))
    return min(ranked)[-1] if ranked else None


def readers(entry: Entry) -> dict[str, Callable[[bytes, str], object]]:
    """Return the readers by address: `readers(entry)[address](data, address)`."""
    transcript = best_transcript(entry.transcripts)
    found: dict[str, Callable[[bytes, str], object]] = {transcript.url: read_cues} if transcript else {}
    return found | ({entry.chapters_url: read_chapters} if entry.chapters_url else {})


def timed(extractor: "Extractor", documents: Mapping[str, bytes]) -> Callable[[Entry, Extraction], Extraction]:
    """Return what adds an entry's transcript, chapters and length: `timed(extractor, {})(entry, extraction)`.

    Times in notes are chapters. `documents`: by `copy_name` of the address.
    """
    finder = cache(lambda: ExplanationFinder(extractor.concepts))

    def explained(entry: Entry, read: Extraction) -> Extraction:
        found: tuple[Explained, ...] = ()
        episode, last = read.episode, 0.0
        title, transcript = episode.title, best_transcript(entry.transcripts)
        if transcript and (said := documents.get(copy_name(transcript.url))):
            content = title, sha256(said).hexdigest()
            with suppress(SourceError):
                found = extractor.cached(Explained, content, lambda: finder().explained(read_cues(said), title))
                last = 0 if episode.minutes else read_cues(said)[-1].end
        marks = entry.chapters  # unless there is a document
        if entry.chapters_url and (document := documents.get(copy_name(entry.chapters_url))):
            with suppress(SourceError):
                marks = read_chapters(document) or marks
        noted = [] if marks else [*_noted(read)]
        linked = [(t[1], link.label, link.id) for link in read.links if (t := _LINKED.search(link.url))]
        if not marks and not noted and len(linked) > 2 and len({id_ for *_, id_ in linked}) == 1:
            marks = chapters((second, label) for second, label, _ in linked)
        named = noted or [(c.at, c.title, extractor.mentions(c.title, "title")) for c in marks]
        by_id, titled = {e.concept_id: e for e in found}, {m.listed for m in read.mentions if m.field == "title"}
        for at, words, mentions in named:
            for id_ in (mention.listed for mention in mentions):
                part = Explained(id_, "part", at=at, weight=0.5, quote=words)
                by_id.setdefault(id_, replace(part, depth="main", weight=1.0) if id_ in titled else part)
        if episode.minutes is None:
            last = last or (named[-1][0] if named else 0)
            count = 0 if last or episode.kind in MEDIA else len(read.text.split())
            lasts = math.ceil(last / 60 or count / _PACE) or None
            episode = replace(episode, minutes=lasts, estimated="times" if last else "words" if lasts else "")
        return replace(read, episode=episode, explained=tuple(by_id.values()))

    return explained


_NOTED = re.compile(
    r"(?im)^[^\S\n]*(?:[^\w\s(\[]{1,3}\s*){0,2}(?:\d{1,3}[.)]\s+)?[\[(]*@?(?:(\d\d?):)?(\d{1,3}):(\d\d)"
    r"(?:\.\d+)?(?!\d|:\d| ?[ap]\.?m\b)(?:\s?[-–—]\s?[\d:]{4,8})?[\s\])*:|–—-]*(?P<title>\S[^\n]*)"
)
_LINKED = re.compile(r"[?&#]t=(\d{1,6})s?\b")


def _noted(read: Extraction) -> Iterator[tuple[int, str, tuple[Mention, ...]]]:
    """Yield times that begin lines of notes, three or more that rise, with the concepts named there."""
    lines = islice(_NOTED.finditer(read.text), 1_000) if read.text.count(":") > 2 else ()
    found = [(int(_seconds((*line.groups()[:3], None))), line) for line in lines]
    falls = (i for i in range(1, len(found)) if found[i][0] <= found[i - 1][0])
    best = max((found[a:b] for a, b in pairwise((0, *falls, len(found)))), key=len)
    fits = len(best) > 2 and best[-1][0] < 60 * (read.episode.minutes or 24 * 60) + 90
    for at, line in best if fits and read.episode.kind in MEDIA else ():
        start, end = line.span("title")
        yield at, line["title"], tuple(m for m in read.mentions if m.field != "title" and start <= m.start < end)


_ALOUD = """a bee see dee e eff gee aitch eye jay kay ell em en o pee cue ar ess tee you vee doubleyou ex why zee
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"""
_READ = _ALOUD.split()
_LETTERS, _UNITS, _TENS = dict(zip(ascii_lowercase, _READ, strict=False)), _READ[26:46], _READ[46:]
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|\+")
_PART = re.compile(r"[A-Z]{2,}s?(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+|\+")
# How an English syllable may begin; others are spelled: v map, g h stack.
_ONSET = re.compile(
    r"(?:[b-df-hj-np-tv-z]|[bcfgp][lr]|[dt]r|[cgpstw]h|s[cklmnpqtw]|s[cpt]r|spl|[cst]hr|s?qu|[dst]w|kn|wr)?[aeiouy]"
)
_CONSONANTS = 4  # that a name needs to be found misheard; shorter ones sound like many words
_ALIKE = 0.76  # share of the letters that must agree
_EVERYWHERE = UBIQUITOUS | EVERYDAY
_FUNCTION = STOP_WORDS - {*_READ}  # "a ten" is ATen, but "as an" no ASan
_PIECES = 8  # of an episode; its subject is in many
_MAIN, _MAINS, _SHARE, _PARTS = 0.6, 3, 0.25, 12  # shares of the best score, and most of an episode
_FULL = 3.0  # the least score that counts in full
_STRETCH, _RICH, _LARGEST = 500, 0.009, 1_400  # words; names per word in a talk on the field, of so many concepts
_PASSING, _PASSED = 2, 1.6  # how often a concept may be named in passing, and the likeness that is more
_OPENING, _SOON = 20.0, 80.0  # seconds that only announce, and those after
_NEAR = 6  # words that tell whether an explanation begins
_ASKED = re.compile(  # before it
    r"(?:\b(?:what|how|why|what's) (?:\w+ ){0,3}|\bcalled (?:\w+ )?|\bso (?:the |an? )?"
    r"|\b(?:concept|notion|idea|definition|meaning|purpose|point) (?:of|behind) (?:\w+ ){0,2}"
    r"|\b(?:explain|introduc)\w* (?:\w+ ){0,3}|\b(?:ha[sd]|have|there's|there is|is) (?:this|an?|these) (?:\w+ ){0,2})$"
)
_SAID = re.compile(  # after it
    r"(?:is|are|was|were|says|means|refers|works?|which (?:is|are|says)|basically|essentially|lets|allows|stands)\b"
)
_Named = list[tuple[float, float, int]]  # second, likeness, signs of a definition


class SpokenMention(NamedTuple):
    """A concept at `words[first:last]`. `likeness`: 1 if spelled as the name."""

    concept_id: str
    first: int
    last: int
    likeness: float


class _Name(NamedTuple):
    form: Form
    key: str
    words: tuple[str, ...]
    size: int  # words, and letters read alone


class ExplanationFinder:
    """A reader of transcripts that finds which concepts they explain.

    `rarity`: word -> log((1 + N) / n) if n of N concepts have it; `telling`: id ->
    rarity of the rarest word, as a share of the highest.
    """

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self.exact: defaultdict[str, list[_Name]] = defaultdict(list)
        self.sounds: defaultdict[str, list[_Name]] = defaultdict(list)
        self.known, self.in_full = set[str](), set[tuple[str, str]]()
        self.longest = 1
        stems: dict[str, list[tuple[str, ...]]] = {}
        for concept in sorted(concepts, key=lambda c: c.id):
            spelled = list(forms(concept.id, concept.name, concept.aliases, concept.in_texts))
            for form in spelled:
                self._add(form)
            names = (_PART.findall(form.text) for form in spelled if form.rank < DERIVED)
            named = ([_stem(p) for p in parts if len(p) > 1 and p.lower() not in STOP_WORDS] for parts in names)
            stems[concept.id] = list(dict.fromkeys(tuple(dict.fromkeys(name)) for name in named))
        for group in self.exact.values():
            group.sort(key=lambda n: (n.form.rank, n.form.concept_id))
        used = Counter(stem for names in stems.values() for stem in {stem for name in names for stem in name})
        self.rarity = {stem: math.log((1 + len(stems)) / n) for stem, n in used.items()}
        self.scattered = [(id_, name) for id_, names in stems.items() for name in names if 2 <= len(name) <= 6]
        rarest = math.log(1 + max(1, len(stems)))
        own = ((id_, names[0]) for id_, names in stems.items() if names)
        self.telling = {id_: max((self.rarity[s] for s in name), default=0.0) / rarest for id_, name in own}

    def _add(self, form: Form) -> None:
        parts, said = _PART.findall(form.text), WORD.findall(form.text.lower())
        if said[1:] and not STOP_WORDS & {said[0], said[-1]}:
            self.in_full.add((form.concept_id, " ".join(said)))
        elif len(form.text) > 3 and re.search("[A-Z].*[A-Z]", form.text):  # Go has a GC too, and a feed is RSS
            self.in_full.add((form.concept_id, form.text))
        size = sum(len(p) if _is_spelled(p) else 1 for p in parts)
        if not 1 <= size <= 8 or (len(parts) == 1 and form.text.strip("_") != form.text):
            return
        words = tuple(map(aloud, parts))
        keys = {_run(map(str.lower, parts))} | (set() if all(map(_is_spelled, parts)) else {_run(words)})
        self.known.update(without_s(w) for w in words if len(w) > 3)
        for key in sorted(key for key in keys - UBIQUITOUS - {*_UNITS} if len(key) > 1):
            name = _Name(form, key, words, size)
            self.exact[key].append(name)
            self.longest = max(self.longest, size + 2)  # a recogniser may split words
            # Misheard, inflected forms sound like everyday words: "forking", "working".
            if form.rank < DERIVED and len(code := jellyfish.metaphone(key)) >= _CONSONANTS:
                for near in _neighbours(code):
                    self.sounds[near].append(name)

    def find(self, words: Sequence[str]) -> list[SpokenMention]:
        """Return the mentions in order; of overlaps the surer, then the longer."""
        written, spoken = [_plain(w) for w in words], [aloud(w) for w in words]
        found = [
            (-match[1], first - last, first, last, match[0])
            for first in range(len(words))
            for last in range(first + 1, min(first + self.longest, len(words)) + 1)
            if (match := self._match(words[first:last], written[first:last], spoken[first:last]))
        ]
        taken, kept = bytearray(len(words)), []
        for likeness, _, first, last, concept in sorted(found):
            if 1 not in taken[first:last]:
                taken[first:last] = b"\1" * (last - first)
                kept.append(SpokenMention(concept, first, last, -likeness))
        return sorted(kept, key=lambda h: h.first)

    def _match(self, words: Sequence[str], written: Sequence[str], spoken: Sequence[str]) -> tuple[str, float] | None:
        run = _run(spoken)
        if len(run) > 60 or _FUNCTION.issuperset(written):
            return None
        if len(words) == 2 and written[0] in ("a", "an", "the") and written[1] in _EVERYWHERE:
            return None
        exact = self.exact.get(_run(written)) or self.exact.get(run) or ()
        if same := next((n for n in exact if len(words) > 1 or admits(n.form.text, words[0])), None):
            return same.form.concept_id, 1.0
        if written[0] in STOP_WORDS or written[-1] in STOP_WORDS:
            return None
        code = jellyfish.metaphone(run)
        best, choice = _ALIKE, None
        for name in (name for near in _neighbours(code) for name in self.sounds.get(near, ())):
            if len(words) <= name.size + 2 and (len(name.words) > 1 or code[:1] == jellyfish.metaphone(name.key)[:1]):
                likeness = Levenshtein.normalized_similarity(run, name.key, score_cutoff=best)
                if likeness <= best:
                    continue
                there, here = set(map(without_s, name.words)), set(map(without_s, spoken))
                rest = [(w, s) for w, s in zip(written, spoken, strict=True) if without_s(s) not in there]
                misheard = not any(w in UBIQUITOUS or without_s(s) in self.known for w, s in rest)
                missing = (w for w in name.words if without_s(w) not in here)
                if misheard and Levenshtein.normalized_similarity(_run(s for _, s in rest), _run(missing)) >= _ALIKE:
                    best, choice = likeness, name
        return (choice.form.concept_id, round(best, 3)) if choice else None

    def _find_scattered(self, words: Sequence[str]) -> Iterator[SpokenMention]:
        """Yield stretches with enough of a name's words; they may overlap."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, word in enumerate(words):
            if (stem := _stem(word)) in self.rarity and word.lower() not in STOP_WORDS:
                places[stem].append(place)
        for id_, name in self.scattered:
            enough = 0.75 * sum(self.rarity[stem] for stem in name)
            here = [stem for stem in name if stem in places]
            if len(here) < 2 or sum(self.rarity[stem] for stem in here) < enough:
                continue
            spots = sorted((place, stem) for stem in here for place in places[stem])
            reach, behind = 2 * len(name) + 4, -1
            for i, (first, _) in enumerate(spots):
                if first < behind:
                    continue
                weight, seen = 0.0, set[str]()
                for place, stem in takewhile(lambda spot: spot[0] < first + reach, spots[i:]):  # noqa: B023
                    weight += 0.0 if stem in seen else self.rarity[stem]
                    seen.add(stem)
                    if len(seen) > 1 and weight >= enough:
                        yield SpokenMention(id_, first, place + 1, 0.4)
                        behind = first + reach
                        break

    def explained(self, cues: Sequence[Cue], title: str = "") -> tuple[Explained, ...]:
        """Return what is explained, best first; `weight`: share of the top score.

        Scores count how often, widely and early a concept is named, how rare its
        words are, and the title. An explanation begins where mentions get dense,
        preferably at a definition, and after the opening that only announces it.

        Example: `ExplanationFinder(concepts).explained(read_cues(document))`
        """
        words: list[str] = []
        times: list[float] = []
        for cue in cues:  # its words take equal times
            said = WORD.findall(cue.text)[: 100_000 - len(words)]
            words += said
            times += [cue.start + (cue.end - cue.start) * i / len(said) for i in range(len(said))]
        named = self._named(words, times)
        titled = {m.concept_id for m in self.find(WORD.findall(title)[:100])}
        scores: list[tuple[float, str]] = []
        for id_, mentions in named.items():
            weight, piece = sum(likeness for _, likeness, _ in mentions), max(1.0, times[-1] - times[0]) / _PIECES
            spread = len({int((at - times[0]) / piece) for at, *_ in mentions}) / _PIECES
            early = sum(likeness for at, likeness, _ in mentions if at < times[0] + 120.0)
            often = math.log1p(weight) * (1 + spread) + math.log1p(early)
            score = self.telling.get(id_, 0.0) * often + 4.0 * (id_ in titled)
            if score > 0 and (weight >= _PASSED or id_ in titled):  # a name of stop words alone tells nothing
                scores.append((-score, id_))
        found = []
        for place, (score, id_) in enumerate(sorted(scores)[:_PARTS]):
            share = score / min(min(scores)[0], -_FULL)
            if share < _SHARE:
                break
            at = _beginning(named[id_])
            said_at = max(0, bisect_right(cues, at, key=lambda cue: cue.start) - 1)
            quote = cues[said_at].text
            while len(quote) < 40 and (said_at := said_at + 1) < len(cues):
                quote += f" {cues[said_at].text}"
            is_main = place < _MAINS and share >= _MAIN
            found.append(Explained(id_, "main" if is_main else "part", at=int(at), weight=round(share, 3), quote=quote))
        return tuple(found)

    def _named(self, words: Sequence[str], times: Sequence[float]) -> dict[str, _Named]:
        """Return concept id -> its mentions by time; of another field, only names in full, not said in passing."""
        lowered, exact = [w.lower() for w in words], self.find(words)
        stretches = {(m.concept_id, m.first // _STRETCH) for m in exact}
        scattered: Iterable[SpokenMention] = ()
        if len(stretches) >= _RICH * min(1, len(self.telling) / _LARGEST) * max(_STRETCH, len(words)):
            scattered = self._find_scattered(words)
        else:
            spelled = ((m, " ".join(words[m.first : m.last])) for m in exact)
            exact = [m for m, said in spelled if {(m.concept_id, said), (m.concept_id, said.lower())} & self.in_full]
            often = Counter(m.concept_id for m in exact)
            exact = [m for m in exact if often[m.concept_id] > _PASSING]
        taken = {(m.concept_id, place) for m in exact for place in range(m.first, m.last)}
        others = (m for m in scattered if not any((m.concept_id, i) in taken for i in range(m.first, m.last)))
        named: defaultdict[str, _Named] = defaultdict(list)
        for m in (*exact, *others):
            before = " ".join(lowered[max(0, m.first - _NEAR) : m.first]) + " "
            begins = bool(_ASKED.search(before)) + bool(_SAID.match(" ".join(lowered[m.last : m.last + _NEAR])))
            named[m.concept_id].append((times[m.first], m.likeness, begins))
        return {id_: sorted(mentions) for id_, mentions in named.items()}


def _beginning(mentions: _Named) -> float:
    """Return the second at which a concept's explanation begins."""
    rows = zip(mentions, _density(mentions[::-1])[::-1], _density(mentions), strict=True)
    fit = [later - 0.5 * (earlier - alike) + alike * begins for (_, alike, begins), later, earlier in rows]
    at = next(at for (at, *_), f in zip(mentions, fit, strict=True) if f >= 0.5 * max(fit))
    return at if at >= _OPENING else next((soon for soon, *_ in mentions if _OPENING <= soon <= _SOON), at)


def _density(mentions: _Named) -> list[float]:
    """Return the likeness of each mention, plus those before it, faded."""
    sums: list[float] = []
    for i, (at, likeness, _) in enumerate(mentions):
        sums.append(likeness + (sums[-1] * math.exp(-abs(at - mentions[i - 1][0]) / 120.0) if sums else 0.0))
    return sums


def _stem(word: str) -> str:
    """Return what inflections and mishearings share: "binds", "binding"."""
    one = without_s(word.lower())
    code = jellyfish.metaphone(one) if len(one) >= 5 else ""
    return one[0] + code[:_CONSONANTS] if len(code) >= _CONSONANTS - 1 else one


def _run(words: Iterable[str]) -> str:
    """Join words; a letter that ends one and begins the next is said once."""
    run = ""
    for word in words:
        run += word[1:] if len(word) > 1 and run[-1:] == word[0] else word
    return run


def _plain(word: str) -> str:
    return re.sub("['’]", "", word.lower()).replace("+", "plus")


def aloud(part: str) -> str:
    """Return a word as it is said: letters by name, 256 as two fifty six.

    >>> aloud("TLS"), aloud("10"), aloud("vmap")
    ('teeelless', 'ten', 'veemap')
    """
    if part.isdecimal():
        pairs = [int(part[max(0, end - 2) : end]) for end in range(len(part), 0, -2)]
        said = [_UNITS[n] if n < 20 else _TENS[n // 10 - 2] + (_UNITS[n % 10] if n % 10 else "") for n in pairs]
        return "".join(reversed(said))
    low = _plain(part)
    if _is_spelled(part) and part != "+":
        return "".join(_LETTERS.get(letter, letter) for letter in low)
    spelled = ""
    while len(low) > 1 and not _ONSET.match(low) and low[0] in _LETTERS:
        spelled, low = spelled + _LETTERS[low[0]], low[1:]
    return spelled + (_LETTERS.get(low, low))


def _is_spelled(part: str) -> bool:
    return len(part) == 1 or (part.isupper() and len(part) <= 3)


def _neighbours(code: str) -> list[str]:
    """Return the code; a long one also without each of its consonants."""
    return list(dict.fromkeys([code, *(code[:i] + code[i + 1 :] for i in range(len(code)) if len(code) > 4)]))
