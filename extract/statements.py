"""Relations that a text asserts in words. Precision before recall: no questions, no negations, no guesses."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from spacy.attrs import IDX  # type: ignore[import-not-found]
from spacy.language import Language
from spacy.matcher import Matcher, PhraseMatcher
from spacy.tokens import Doc
from spacy.util import filter_spans

from extract.concepts import SPANS
from extract.english import words
from extract.links import url_spans
from extract.linktypes import link_type
from extract.patterns import EPISODES, PRONOUNS, TABLE, Row, compiled, gate, keys, spaced
from extract.sentences import Placed, Sentence, Thing, sentences
from graph.evidence import Mention, Statement

_UNSURE = words(
    """not n't never no nothing neither nor without cannot maybe perhaps probably possibly might could would if whether
    why"""
)
_EPISODE_WORDS = re.compile(
    r"\b(?:episodes?|podcasts?|listen\w*|hear|follow-?\s?up|sequel|continu\w+|talk|post)\b", re.I
)
_JOINS = frozenset({",", "and", "or", "/", "&", "as", "well", "both", "the", "a", "an", "for"})
_LIST = frozenset({",", "and", "or", "/", "&"})
_FINITE = words(
    "is are was were has have had does do can will uses use produces lets allows runs works provides means takes"
)
_AFTER = words(
    ". , ; : ! ) ( - – — … and or / & as for in on to with from by of via using which that when while because without"
)
LONGEST_SENTENCE = 120


class StatementFinder:
    """`names`: concept id -> name. `titles`: episodes that may be named."""

    def __init__(self, nlp: Language, names: Mapping[str, str], titles: Iterable[str]) -> None:
        self.vocab = nlp.vocab
        self.names = names
        self.slugs = {fold(title): title for title in sorted(titles, reverse=True)}
        self.title_matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
        for title in sorted(self.slugs.values()):
            if len(doc := nlp.make_doc(title)):
                self.title_matcher.add(title, [doc])
        self.rows: dict[str, list[tuple[Row, Matcher, re.Pattern[str]]]] = defaultdict(list)
        for row in (*TABLE, *EPISODES):
            matcher = Matcher(nlp.vocab)
            matcher.add(row[2], [compiled(row[2])])
            for word in set(keys(row[2])):
                self.rows[word].append((row, matcher, gate(row[2])))

    def find(self, doc: Doc, text: str, mentions: Sequence[Mention], title: str) -> tuple[Statement, ...]:
        """The statements of one entry, each once, in the order of the text. `doc`: the text with its concept spans."""
        about_episodes = bool(_EPISODE_WORDS.search(text))
        if len(mentions) < 2 and not about_episodes:
            return ()
        things = self._things(doc, text, about_episodes)
        starts = [start for start, _, _ in things]
        found: dict[tuple[str, str, str], Statement] = {}
        before: Thing | None = None
        for first, last, cited in sentences(doc, text):
            inside = things[bisect_left(starts, first) : bisect_left(starts, last)]
            enough = len(inside) > 1 or (inside and (about_episodes or before))
            if enough and last - first <= LONGEST_SENTENCE:
                sentence = Sentence.of(doc, first, last, inside, cited)
                for s in self._stated(sentence, text, before, title):
                    if fold(s.subject) != fold(s.object):
                        found.setdefault((_family(s), fold(s.subject), fold(s.object)), s)
            before = inside[0][2] if inside and inside[0][0] - first <= 2 else None
        for _, _, page in things:
            if (
                page.page
                and not any(fold(page.name) == fold(s.object) for s in found.values())
                and fold(page.name) != fold(title)
            ):
                start = text.rfind("\n", 0, page.start) + 1
                start = max(start, text.rfind(". ", 0, page.start) + 2 if ". " in text[start : page.start] else start)
                s = Statement("RELATED_EPISODE", title, page.name, text[start : page.end], "description", start)
                found.setdefault(("RELATED_EPISODE", fold(title), fold(page.name)), s)
        return tuple(sorted(found.values(), key=lambda s: (s.start, s.relation, s.subject, s.object)))

    def _things(self, doc: Doc, text: str, with_titles: bool) -> list[Placed]:
        """What is named, in order, no overlaps: concepts first, then titles, then addresses of episodes."""
        spans = [
            (s.start, s.end, Thing(s.start_char, s.end_char, self.names[s.label_]))
            for s in doc.spans[SPANS]
            if s.label_ in self.names
        ]
        if not with_titles:
            return spans
        for s in filter_spans(self.title_matcher(doc, as_spans=True)):
            # A title as it is written is the episode even where it holds a concept's name, but not where it is one.
            meets = [span for span in spans if span[0] < s.end and s.start < span[1]]
            within = all(end - start < len(s) for start, end, _ in meets)
            if s.text[:1].isupper() and within and (not meets or s.text == s.label_):
                spans = [span for span in spans if span not in meets]
                spans.append((s.start, s.end, Thing(s.start_char, s.end_char, s.label_, title=True)))
        taken = {i for start, end, _ in spans for i in range(start, end)}
        pages = [(a, b) for a, b in url_spans(text) if link_type(text[a:b]) == "episode"]
        if pages:
            idx = doc.to_array(IDX).tolist()
            for start, end in pages:
                place = bisect_left(idx, start - 1)
                if (
                    place < len(doc)
                    and doc[place].is_space
                    and place not in taken
                    and (name := self._page(text[start:end]))
                ):
                    spans.append((place, place + 1, Thing(start, end, name, title=True, page=True)))
        return sorted(spans, key=lambda s: s[0])

    def _page(self, url: str) -> str:
        """The title that the address of an episode's page spells: ".../episodes/zero-one-specialization"."""
        words = re.sub(r"[^\w]+", " ", urlsplit(url).path.rstrip("/").rpartition("/")[2]).strip()
        return self.slugs.get(fold(words)) or words.capitalize()

    def _matches(self, words: list[str]) -> Iterator[tuple[Row, int, int]]:
        """The rows of the table that match, and where."""
        doc: Doc | None = None
        line = spaced(words)
        for word in sorted(self.rows.keys() & words):
            for row, matcher, possible in self.rows[word]:
                if possible.search(line):
                    doc = doc or Doc(self.vocab, words=words)
                    yield from ((row, start, end) for _, start, end in matcher(doc))

    def _stated(self, sentence: Sentence, text: str, before: Thing | None, title: str) -> Iterator[Statement]:
        if "?" in sentence.words[-3:]:
            return
        best: dict[tuple[str, int, int], tuple[int, tuple[Statement, ...]]] = {}
        for variant in sentence.variants():
            words = variant.words
            for row, start, end in self._matches(words):
                ends = [i for i in range(start, end) if i in variant.at]
                if not ends or (sentence.cited and " in|inside B" in row[2]):
                    continue
                if not _UNSURE.isdisjoint(words[max(0, start - 2) : end]):
                    continue
                slot = (row[2], variant.at[ends[0]].start, variant.at[ends[-1]].start)
                if slot not in best or end - start < best[slot][0]:
                    best[slot] = (
                        end - start,
                        tuple(_read(row, variant, (start, end, ends[0], ends[-1]), before, title, text)),
                    )
        for _, (_, statements) in sorted(best.items(), key=lambda item: item[0][1:] + item[0][:1]):
            for s in statements:
                named = self.slugs.get(fold(s.object)) if s.subject == title else None
                yield replace(s, object=named) if named else s


def fold(name: str) -> str:
    """Names are compared without case and marks: "Zero-one specialization" is "zero one specialization"."""
    return re.sub(r"[\W_]+", " ", name.casefold()).strip()


def _family(s: Statement) -> str:
    """An episode that is to be heard first is not also listed as related."""
    return "episode" if s.relation in {"LISTEN_AFTER", "LISTEN_BEFORE", "RELATED_EPISODE"} else s.relation


def _read(
    row: Row, sentence: Sentence, match: tuple[int, int, int, int], before: Thing | None, title: str, text: str
) -> Iterator[Statement]:
    """The statements of one match: its object and those coordinated with it."""
    relation, order, pattern = row
    start, end, a, b = match
    words, at = sentence.words, sentence.at
    last_is_object = pattern.rstrip().endswith("B") or order == "eB"
    objects = [b, *_right(words, at, b)] if last_is_object and not _finite(words, b + 1) else [b]
    first: Thing | None = at[a]
    if order != "eB" and a == b:  # a pronoun is the subject
        first = before if start == 0 and words[0] in PRONOUNS and before and _agrees(words[0], text, before) else None
    for other in objects:
        begin = sentence.chars[start][0]
        quote = text[begin : max(sentence.chars[end - 1][1], at[other].end)]
        if order == "eB":
            yield Statement(relation, title, at[other].name, quote, "description", begin)
        elif first and not first.title and not at[other].title:
            pair = (first.name, at[other].name) if order == "AB" else (at[other].name, first.name)
            yield Statement(relation, *pair, quote, "description", begin)


def _right(words: list[str], at: Mapping[int, Thing], index: int) -> list[int]:
    """The things coordinated with the one at `index`: "DTensor, FP8 and nested tensors"."""
    found = []
    gap, listed = 0, False
    for place in range(index + 1, len(words)):
        if place in at:
            if not listed or (place + 1 < len(words) and words[place + 1] not in _AFTER):
                break  # something else goes on here: "..., and Inductor lowers it"
            found.append(place)
            gap, listed = 0, False
        elif words[place] in _JOINS and gap < 5:
            listed = listed or words[place] in _LIST or words[place] == "well"
            gap += 1
        else:
            break
    return found


def _finite(words: list[str], place: int) -> bool:
    """Whether a verb follows, so that the thing before it is the subject of the next clause."""
    return place < len(words) and words[place] in _FINITE


def _agrees(pronoun: str, text: str, thing: Thing) -> bool:
    """They for a plural, it for a singular."""
    return text[thing.start : thing.end].endswith("s") == (pronoun in {"they", "these"})
