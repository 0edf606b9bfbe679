"""A saved page's bytes to its lines: what a reader sees, with the address of each hyperlink kept beside its words."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass

from torchatlas.extract.characters import visible
from torchatlas.extract.english import words
from torchatlas.extract.feeds.decoding import decoded
from torchatlas.extract.text import Anchor, Text, to_text
from torchatlas.graph.values.errors import SourceError

LONGEST_PAGE = 20_000_000
"""Characters. A directory's page with a hundred episodes has about a million, most of them scripts."""

_DEEPEST = 5_000  # the tree builder's time grows with the square of the depth
_MARKUP = re.compile(r"\s*<|.{0,10000}<(?:!doctype html|html|head|body)(?=[\s>])", re.I | re.S)
_TAG = re.compile(r"<(/?)([a-z][\w-]*)")
_TITLE = re.compile(r"<title[^<>]{0,200}>([^<]{0,1000})", re.I)
_BUTTON = re.compile(r"<(/?)button\b", re.I)
_IMAGE = re.compile(r"""<img\b[^<>]{0,2000}?\balt\s*=\s*(?:"([^"<>]{0,500})"|'([^'<>]{0,500})')[^<>]{0,2000}>""", re.I)
_UNNESTED = words("area base br col dd dt embed hr img input li link meta option p param source td th tr track wbr")
_RAW = words("script style svg textarea title")
_MARKS = re.compile("[\u061c\u200e\u200f]")
_ADDRESS = re.compile(r"(?:https?:)?//\w", re.I)


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it is read. `full`: the same with the address of each hyperlink in it; `href`: the first of them."""

    text: str
    full: str = ""
    _: KW_ONLY
    href: str = ""


@dataclass(frozen=True, slots=True)
class PageText:
    """A page's lines without the empty ones. `title`: HTML's, which a plain text copy does not have."""

    lines: tuple[Line, ...]
    title: str = ""


def page_text(document: bytes, name: str) -> PageText:
    """Lines of a page that was saved as HTML or as plain text, in any encoding.

    Raises SourceError, naming `name`, where it is too large, nested as no page is, or no text at all.
    """
    markup = decoded(document)
    if "\0" in markup[:2_000]:
        raise SourceError(f"{name} is no text; save the page as text or HTML")
    if len(markup) > LONGEST_PAGE:
        raise SourceError(f"{name} has more than {LONGEST_PAGE:,} characters, too many for a page; save its text alone")
    if not _MARKUP.match(markup):
        return PageText(_written(_line(line, line) for line in visible(markup).split("\n")))
    if _depth(markup) > _DEEPEST:
        raise SourceError(f"{name}: tags are nested deeper than {_DEEPEST:,}; save the page as text and import that")
    title = _TITLE.search(markup)
    # A browser's text copy gives buttons and the words for images a line each.
    apart = _IMAGE.sub(r"<div>\1\2</div>", _BUTTON.sub(r"<\1div", markup))
    source = to_text(apart, len(apart))
    return PageText(_written(_lines(source)), " ".join(to_text(title[1]).text.split()) if title else "")


def _written(lines: Iterable[Line]) -> tuple[Line, ...]:
    return tuple(line for line in lines if line.text)


def _depth(markup: str) -> int:
    """How deep the tags are nested; those that HTML closes by itself, and what stands in scripts, do not count."""
    lowered = markup.lower()
    depth = deepest = place = 0
    while found := _TAG.search(lowered, place):
        closing, tag = found.groups()
        place = found.end()
        if tag in _RAW and not closing:
            place = lowered.find(f"</{tag}", place)
            if place < 0:
                break
        elif tag not in _UNNESTED:
            depth = max(0, depth - 1) if closing else depth + 1
            deepest = max(deepest, depth)
    return deepest


def _lines(source: Text) -> Iterator[Line]:
    anchors = sorted((a for a in source.anchors if _ADDRESS.match(a.href)), key=lambda a: (a.start, a.end))
    starts = [a.start for a in anchors]
    start = 0
    for text in source.text.split("\n"):
        end = start + len(text)
        own = anchors[bisect_left(starts, start) : bisect_left(starts, end)]
        # Without the bullet of a list whose items are whole episodes.
        headline = text.strip().removeprefix("•")
        yield _line(headline, _linked(text, start, own), own[0].href if own else "")
        start = end + 1


def _linked(text: str, start: int, anchors: list[Anchor]) -> str:
    """The line with the addresses of its hyperlinks: behind their words, or in place of an address cut short."""
    pieces, last = [], 0
    for anchor in anchors:
        first, end = anchor.start - start, min(anchor.end - start, len(text))
        named = text[first:end]
        if first < last or not named.strip() or anchor.href in named:
            continue
        printed = re.match(r"\s*(?:https?://|www\.)", named, re.I)
        pieces += [text[last:first], anchor.href if printed else f"{named} ( {anchor.href} )"]
        last = end
    return "".join([*pieces, text[last:]])


def _line(text: str, full: str, href: str = "") -> Line:
    """Without the marks that turn the direction of writing: they come between words that belong together."""
    return Line(_tidy(text), _tidy(full), href=href)


def _tidy(text: str) -> str:
    return _MARKS.sub("", text).replace("\t", " ").strip(" \xa0")
