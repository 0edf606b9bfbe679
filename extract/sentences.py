"""Sentences as the statement patterns read them: whatever the text names is one word."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from spacy.attrs import IDX  # type: ignore[import-not-found]
from spacy.tokens import Doc

from extract.english import words
from extract.links import url_spans
from extract.patterns import THING, TITLE

_SENTENCE = re.compile(r"(?:[.!?…]+[\"'”’)]*(?=\s+[A-Z\"“‘'(_0-9•-])|\n\s*(?=\n|[•*-]\s|[A-Z])|(?=\s-\s[A-Z]))")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|vs|etc|cf|Dr|Mr|approx|incl)\.$")
_QUOTES = "\"'“”‘’`"
_DESCRIBING = words("which who a an the our my its")
_ENABLING = words("lets let allows allow permits permit enables enable helps help")


@dataclass(frozen=True, slots=True)
class Thing:
    """Something named in a sentence: its characters in the text, its name, and whether it is a title only."""

    start: int
    end: int
    name: str
    title: bool = False
    page: bool = False


Placed = tuple[int, int, Thing]
"""First token, token after the last, thing."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words, each thing one word (THING or TITLE). `chars`: where they stand; `cited`: an address follows."""

    words: list[str]
    chars: list[tuple[int, int]]
    at: dict[int, Thing]
    cited: bool = False

    @classmethod
    def of(cls, doc: Doc, first: int, last: int, inside: Sequence[Placed], cited: bool) -> "Sentence":
        words: list[str] = []
        chars: list[tuple[int, int]] = []
        at: dict[int, Thing] = {}
        begins = {start: (end, thing) for start, end, thing in inside}
        token = first
        while token < last:
            if token in begins:
                token, thing = begins[token]
                at[len(words)] = thing
                words.append(TITLE if thing.title else THING)
                chars.append((thing.start, thing.end))
                continue
            piece = doc[token]
            word, start = piece.text, piece.idx
            if not word.isspace() and word not in _QUOTES:
                words.append(word.lower())
                chars.append((start, start + len(word)))
            token += 1
        return cls(words, chars, at, cited)

    def without(self, spans: Sequence[tuple[int, int]]) -> "Sentence":
        """The same sentence with some words left out."""
        if not spans:
            return self
        out = {i for a, b in spans for i in range(a, b)}
        keep = [i for i in range(len(self.words)) if i not in out]
        at = {new: self.at[old] for new, old in enumerate(keep) if old in self.at}
        return Sentence([self.words[i] for i in keep], [self.chars[i] for i in keep], at, self.cited)

    def variants(self) -> Iterator["Sentence"]:
        """The sentence, and its shorter readings: without what stands in parentheses, "A, which uses B" and
        "A is a tool that uses B" as "A uses B", "A lets you export B" as "A export B"."""
        yield self
        short = self.without(_parentheses(self.words))
        if len(short.words) < len(self.words):
            yield short
        aside = short.without(_asides(short.words, short.at))
        if len(aside.words) < len(short.words):
            yield aside
        relative = short.without(_relatives(short.words, short.at))
        if len(relative.words) < len(short.words):
            yield relative


def sentences(doc: Doc, text: str) -> Iterator[tuple[int, int, bool]]:
    """(first token, token after the last, whether it ends in an address): what follows an address is the next item."""
    idx = doc.to_array(IDX).tolist()
    urls = {end for _, end in url_spans(text)}
    cuts = {m.end() for m in _SENTENCE.finditer(text) if not _ABBREVIATION.search(text[max(0, m.end() - 8) : m.end()])}
    first = 0
    for cut in [*sorted(cuts | urls), len(text)]:
        last = bisect_left(idx, cut)
        if last > first:
            yield first, last, cut in urls
            first = last


def _parentheses(words: list[str]) -> list[tuple[int, int]]:
    spans, opened = [], None
    for i, word in enumerate(words):
        if word == "(" and opened is None:
            opened = i
        elif word == ")" and opened is not None:
            spans.append((opened, i + 1))
            opened = None
    return spans


def _asides(words: list[str], at: Mapping[int, Thing]) -> list[tuple[int, int]]:
    """What stands between two commas after a thing and describes it: "Dynamo, the front end of it all, uses ..."."""
    spans = []
    for i in at:
        if words[i + 1 : i + 2] == [","] and words[i + 2 : i + 3] and words[i + 2] in _DESCRIBING:
            window = words[i + 3 : i + 15]
            if "," in window and not {".", ";", ":"} & set(window[: window.index(",")]):
                spans.append((i + 1, i + 4 + window.index(",")))
    return spans


def _relatives(words: list[str], at: Mapping[int, Thing]) -> list[tuple[int, int]]:
    """What stands between a thing and the verb of its relative clause, and "lets you" after that."""
    spans = []
    for i in at:
        start = end = i + 1
        window = words[start : start + 12]
        relative = next((n for n, word in enumerate(window) if word in {"that", "which"}), None)
        if relative is not None and not {".", ";", ":", "and", "but"} & set(window[:relative]):
            copula = window[0] in {"is", "are"} and window[1:2] and window[1] in {"a", "an", "the", "one"}
            if copula or window[:relative] in ([], [","]):
                end = start + relative + 1
        if words[end : end + 1] and words[end] in _ENABLING:
            stop = end + 1 + (words[end + 1 : end + 2] in (["you"], ["us"], ["users"], ["one"], ["them"]))
            end = stop + (words[stop : stop + 1] == ["to"])
        if end > start:
            spans.append((start, end))
    return spans
