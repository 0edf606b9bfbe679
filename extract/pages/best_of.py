"""Shape B: a directory's best-of page.

The Example Podcast - How widgets are wired
How widgets are wired
The Example Podcast
play
05/11/21 • 14 min
(the description, in paragraphs)
bookmark
plus icon
share episode
"""

import re
from collections.abc import Iterator, Sequence

from torchatlas.extract.feeds.entries import minutes
from torchatlas.extract.pages.entry import PageEntry, entry_text
from torchatlas.extract.pages.saved import PageLine, PageText
from torchatlas.extract.times import day

_DATED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d\d)\s*[•·|–-]\s*(\S.*)")
_AFTER = frozenset({"bookmark", "plus icon", "share episode"})
_ABOVE = 6  # lines above the date


def read_best_of(page: PageText) -> tuple[PageEntry, ...]:
    """Return the episodes of such a page, none where the page has another shape.

    Example: `read_best_of(page_text(document, "best.html"))`
    """
    lines = page.lines
    dated = [(i, found) for i, line in enumerate(lines) if (found := _DATED.fullmatch(line.text))]
    heads = [(i, found, head) for i, found in dated if (head := _head(lines, i)) is not None]
    if not heads:
        return ()
    ended = any(line.text.casefold() in _AFTER for line in lines)
    ends = [head for _, _, head in heads[1:]] + [len(lines)]
    return tuple(
        PageEntry(
            entry_text(_description(lines[i + 1 : end], endless=not ended and end == len(lines))),
            lines[head + 1].text,
            show=lines[head + 2].text,
            published=_day(found),
            minutes=minutes(found[4]),
            url=lines[head + 1].href or lines[head].href or None,
        )
        for (i, found, head), end in zip(heads, ends, strict=True)
    )


def _head(lines: Sequence[PageLine], dated: int) -> int | None:
    """Return the line where the episode of a date begins: it is made of the two after it."""
    for i in range(dated - 3, max(-1, dated - _ABOVE), -1):
        if lines[i].text.split() == f"{lines[i + 2].text} - {lines[i + 1].text}".split():
            return i
    return None


def _description(block: Sequence[PageLine], *, endless: bool) -> Iterator[PageLine]:
    """Yield the lines up to the buttons. Without buttons only the first: the others are the page's own."""
    for place, line in enumerate(block):
        if line.text.casefold() in _AFTER or (endless and place):
            return
        yield line


def _day(found: re.Match[str]) -> str | None:
    month, number, year = int(found[1]), int(found[2]), int(found[3])
    return day(year + 2000 if year < 100 else year, month, number)
