"""Lines of a saved page as a reader sees them, with the address of each hyperlink kept beside its words."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass

from torchatlas.extract.feeds.decoding import decoded
from torchatlas.extract.nesting import nesting
from torchatlas.extract.text import Anchor, Text, to_text
from torchatlas.graph.values.characters import visible
from torchatlas.graph.values.errors import SourceError

LONGEST_PAGE = 20_000_000
"""Characters; a directory's page with a hundred episodes has about a million, mostly scripts."""

_DEEPEST = 5_000  # tags inside one another
_MARKUP = re.compile(r"\s*<|.{0,10000}<(?:!doctype html|html|head|body)(?=[\s>])", re.I | re.S)
_TITLE = re.compile(r"<title[^<>]{0,200}>([^<]{0,1000})", re.I)
_BUTTON = re.compile(r"<(/?)button\b", re.I)
_IMAGE = re.compile(r"""<img\b[^<>]{0,2000}?\balt\s*=\s*(?:"([^"<>]{0,500})"|'([^'<>]{0,500})')[^<>]{0,2000}>""", re.I)
_MARKS = re.compile("[\u061c\u200e\u200f]")
_ADDRESS = re.compile(r"(?:https?:)?//\w", re.I)


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line as a reader sees it. `full`: with the address of each of its hyperlinks; `href`: the first address."""

    text: str
    full: str = ""
    _: KW_ONLY
    href: str = ""


@dataclass(frozen=True, slots=True)
class PageText:
    """A page's lines without the empty ones. `title`: that of HTML, empty for a plain text copy."""

    lines: tuple[PageLine, ...]
    title: str = ""


def page_text(document: bytes, name: str) -> PageText:
    """Return the lines of a page that was saved as HTML or as plain text, in any encoding.

    Raises SourceError, naming `name`, where the page is too large, too deeply nested, or no text at all.

    >>> page_text(b"<title>T</title><p>See <a href='https://example.org'>this</a>.", "p.html").lines[0].full
    'See this ( https://example.org ).'
    """
    markup = decoded(document)
    if "\0" in markup[:2_000]:
        raise SourceError(f"{name} is no text; save the page as text or HTML")
    if len(markup) > LONGEST_PAGE:
        raise SourceError(f"{name} has more than {LONGEST_PAGE:,} characters, too many for a page; save its text alone")
    if not _MARKUP.match(markup):
        return PageText(_written(_line(line, line) for line in visible(markup).split("\n")))
    if nesting(markup, _DEEPEST) > _DEEPEST:
        raise SourceError(f"{name}: tags are nested deeper than {_DEEPEST:,}; save the page as text and import that")
    title = _TITLE.search(markup)
    # A browser's text copy gives buttons and the words for images a line each.
    apart = _IMAGE.sub(r"<div>\1\2</div>", _BUTTON.sub(r"<\1div", markup))
    source = to_text(apart, len(apart), deepest=2 * _DEEPEST)  # in buttons' place are blocks
    return PageText(_written(_lines(source)), " ".join(to_text(title[1]).text.split()) if title else "")


def _written(lines: Iterable[PageLine]) -> tuple[PageLine, ...]:
    return tuple(line for line in lines if line.text)


def _lines(source: Text) -> Iterator[PageLine]:
    anchors = sorted((a for a in source.anchors if _ADDRESS.match(a.href)), key=lambda a: (a.start, a.end))
    starts = [a.start for a in anchors]
    start = 0
    for text in source.text.split("\n"):
        end = start + len(text)
        own = anchors[bisect_left(starts, start) : bisect_left(starts, end)]
        # In some lists an item is a whole episode: its bullet is not part of the title.
        headline = text.strip().removeprefix("•")
        yield _line(headline, _linked(text, start, own), own[0].href if own else "")
        start = end + 1


def _linked(text: str, start: int, anchors: list[Anchor]) -> str:
    """Return the line with the addresses of its hyperlinks: after their words, or in place of a shortened address."""
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


def _line(text: str, full: str, href: str = "") -> PageLine:
    """Return a line without the marks that turn the direction of writing: they separate words that belong together."""
    return PageLine(_tidy(text), _tidy(full), href=href)


def _tidy(text: str) -> str:
    return _MARKS.sub("", text).replace("\t", " ").strip(" \xa0")
