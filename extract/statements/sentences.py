"""Sentences as the rules read them: each entity is one word, and so is "this mechanism"."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import dropwhile
from typing import NamedTuple

from torchatlas.extract.english import words
from torchatlas.extract.links import link_type, url_spans
from torchatlas.extract.statements.closed_classes import PREPOSITIONS
from torchatlas.extract.statements.entities import Entity
from torchatlas.extract.statements.patterns import ANAPHOR, ENTITY, TITLE
from torchatlas.extract.tokens import Tokens

_CUT = re.compile(r"(?:[.!?…]+[\"'”’)]*(?=\s+[A-Z\"“‘'(_0-9•-])|\n\s*(?=\n|[•*-]\s|\*\*|#+\s|[A-Z])|(?=\s-\s[A-Z]))")
_JOINING = words(
    """and or nor but that which who is are was were be been being has have had will can may must to not
    a an the its their our"""
)
_WRAPPED = re.compile(
    r"(?:,|[^\n]{{40}}\n[^\n]{{59,119}}[\w)`\"'*]|\b(?:{}))[ \t]*\Z".format(
        "|".join(map(re.escape, sorted(_JOINING | PREPOSITIONS)))
    )
)
"""The end of a line that its paragraph goes on after: a comma, a word that needs another, or a full line.

The first line of a paragraph may as well be a heading."""
_WIDEST = 120
"""The longest line of a wrapped paragraph: what stands above a longer one is a heading."""
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|vs|etc|cf|Dr|Mr|approx|incl|[Ee]p)\.$")
_GOES_ON = re.compile(r"\)?,?\s*(?:and|or|&)\b|\),")
_MARKS = frozenset({":", ".", "-", "–", "…", "...", "•", "*"})
_BREAKING_OFF = words("on upon of by with from via using uses use include includes contain contains as into")
ARROW = "->"
_QUOTES = "\"'“”‘’`"
_HEADS = words(
    """file files code mechanism machinery system engine engines api apis pass passes compiler library class classes
    object objects tool package project format design architecture process semantics pipeline
    framework program programs module modules project toolkit infrastructure tree trees phase phases step steps stage
    stages algorithm algorithms technique techniques representation representations toolchain ops operators operation
    operations"""
)
_EASE = words("easy easier simple simpler hard harder difficult ready")
_POINTING = words("this that these those such")
_NOTIONS = words(  # "this design", "this approach" stand for all that was said
    """mechanism technique feature process pass tool machinery concept algorithm abstraction component system
    optimization"""
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence or an item of a list: the tokens `first` to `last`, the characters `start` to `stop`.

    `cited`: an address ends the unit. `depth`: the indentation of an item in characters, None for a sentence. `opens`:
    the unit begins a line.
    """

    first: int
    last: int
    _: KW_ONLY
    start: int
    stop: int
    cited: bool
    depth: int | None
    opens: bool


class Word(NamedTuple):
    """A word of a sentence in lower case, where it begins and ends in the text, and the entity that it stands for."""

    text: str
    begin: int
    end: int
    entity: Entity | None = None


class Sentence:
    """A sentence in which each entity is one word, ENTITY or TITLE. `at`: the entities by the index of their word."""

    def __init__(self, parts: Sequence[Word]) -> None:
        self.parts = parts
        self.words = [part.text for part in parts]
        self.at = {i: part.entity for i, part in enumerate(parts) if part.entity}

    @classmethod
    def of(cls, tokens: Tokens, unit: Unit, inside: Sequence[Entity]) -> "Sentence":
        """Return the sentence of a unit. `inside`: the entities in the unit.

        Addresses were blanked before the text was tokenized, so the address of an episode stands in white space.
        Example: `Sentence.of(tokens, unit, entities).words`
        """
        parts: list[Word] = []
        token, following = unit.first, 0
        # One white space may stand for the end of a line and the address after it, so entities may outlast the tokens.
        while token < unit.last or following < len(inside):
            if following < len(inside) and (token >= unit.last or inside[following].start < tokens.ends[token]):
                entity = inside[following]
                following += 1
                parts.append(Word(TITLE if entity.title else ENTITY, entity.start, entity.end, entity))
                while not entity.page and token < unit.last and tokens.starts[token] < entity.end:
                    token += 1
                continue
            start, end, word = tokens.starts[token], tokens.ends[token], tokens.words[token]
            token += 1
            before = parts[-1].text if parts else ""
            # "the [IR](address) is *new*", but "[label] Add it"
            marked = parts and (word.strip("*_") == "" or (word in "[]" and parts[0].text != "["))
            if word.isspace() or word in _QUOTES or marked or (word in _HEADS and before == ENTITY):
                continue  # "the Triton compiler" is Triton
            if word == ")" and before == "(":  # an address stood there
                parts.pop()
            elif word == "→" or (word == ">" and before in {"-", "="} and parts[-1].end == start):
                begin = parts.pop().begin if word == ">" else start
                parts.append(Word(ARROW, begin, end))
            elif word == "turn" and before == "in":  # "which in turn uses"
                parts.pop()
            elif before == "to" and len(parts) > 1 and parts[-2].text in _EASE:  # "an easy to use library"
                parts[-2:] = [Word(parts[-2].text, parts[-2].begin, end)]
            elif word in _NOTIONS and before in _POINTING:
                parts[-1] = Word(ANAPHOR, parts[-1].begin, end)
            else:
                parts.append(Word(word, start, end))
        return cls(parts)

    def without_parentheses(self) -> "Sentence":
        """Return the sentence without what stands in parentheses; itself where there are none.

        Example: `sentence.without_parentheses().words`
        """
        out: set[int] = set()
        opened: int | None = None
        for i, word in enumerate(self.words):
            if word == "(" and opened is None:
                opened = i
            elif word == ")" and opened is not None:
                out |= set(range(opened, i + 1))
                opened = None
        return Sentence([part for i, part in enumerate(self.parts) if i not in out]) if out else self

    def under(self, heading: "Sentence") -> tuple["Sentence", int]:
        """Return this list item as the end of its heading, "heading: item", and the index of the word that joins them.

        A heading that breaks off ("it depends on:") goes on without the colon.
        Example: `joined, joint = item.under(heading)`
        """
        item = list(dropwhile(lambda part: part.text in _MARKS, self.parts))
        body = list(heading.parts)
        while body and body[-1].text in _MARKS:
            body.pop()
        if not body or body[-1].text not in _BREAKING_OFF:
            place = body[-1].end if body else self.parts[0].begin
            body.append(Word(":", place, place))
        return Sentence([*body, *item]), len(body) - 1


def units(tokens: Tokens, text: str) -> Iterator[Unit]:
    """Yield the sentences and list items of a text.

    An address ends an item of a reading list, unless an episode's address follows another or the sentence goes on.
    Example: `list(units(tokenize(text), text))`
    """
    cuts = {m.end() for m in _CUT.finditer(text) if not _goes_on(text, m)}
    spans = url_spans(text)
    urls = {end for _, end in spans}
    for (a, b), (c, d) in zip(spans, [*spans[1:], (len(text), len(text))], strict=False):
        if link_type(text[a:b]) == "episode":
            if _GOES_ON.match(text, b):
                urls.discard(b)
            elif link_type(text[c:d]) == "episode" and not text[b:c].strip("\n ,&;"):
                urls.discard(b)
                cuts -= set(range(b, c + 1))
    first, begin = 0, 0
    for cut in [*sorted(cuts | urls), len(text)]:
        last = bisect_left(tokens.starts, cut)
        if last > first or text[begin:cut].strip():
            depth, opens = _layout(text, begin)
            yield Unit(first, last, start=begin, stop=cut, cited=cut in urls, depth=depth, opens=opens)
            first, begin = last, cut


def _goes_on(text: str, cut: re.Match[str]) -> bool:
    """Return whether a sentence goes on after what looks like its end: an abbreviation, or the end of a line."""
    if _ABBREVIATION.search(text, max(0, cut.end() - 8), cut.end()):
        return True
    wrapped = cut[0].startswith("\n") and cut[0].count("\n") == 1 and text[cut.end() : cut.end() + 1].isupper()
    narrow = text.find("\n", cut.end(), cut.end() + _WIDEST) >= 0 or len(text) <= cut.end() + _WIDEST
    return wrapped and narrow and bool(_WRAPPED.search(text, max(0, cut.start() - 200), cut.start()))


def _layout(text: str, begin: int) -> tuple[int | None, bool]:
    """Return how far the list item that begins here is indented, None for a sentence, and whether it begins a line."""
    place = next((i for i in range(begin, len(text)) if not text[i].isspace()), len(text))
    line = text.rfind("\n", 0, place) + 1
    opens = not text[line:place].strip()
    item = opens and text[place : place + 1] in set("•*-") and text[place + 1 : place + 2].isspace()
    return (place - line if item else None), opens
