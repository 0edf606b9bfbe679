"""Shape C: a numbered listing: the show's name, then `1) TITLE` and a line of description, cut by "...Show More"."""

import re
from collections.abc import Sequence

from torchatlas.extract.pages.entry import PageEntry, is_prose, joined
from torchatlas.extract.pages.saved import Line, PageText

_NUMBERED = re.compile(r"(\d{1,5})[).]\s+(\S.*)")
_FEWEST = 2


def read_listing(page: PageText) -> tuple[PageEntry, ...]:
    """The episodes of such a page; nothing where the page has another shape. The numbers are the listing's own."""
    lines = page.lines
    places: list[tuple[int, str]] = []
    expected = None
    for i, line in enumerate(lines):
        found = _NUMBERED.fullmatch(line.text)
        if found and expected in (None, int(found[1])):
            places.append((i, found[2]))
            expected = int(found[1]) + 1
    if len(places) < _FEWEST:
        return ()
    show = _show(lines[: places[0][0]], page.title)
    ends = [i for i, _ in places[1:]] + [places[-1][0] + 2]
    return tuple(
        PageEntry(joined(lines[i + 1 : end]), title, show=show, url=lines[i].href or None)
        for (i, title), end in zip(places, ends, strict=True)
    )


def _show(above: Sequence[Line], title: str) -> str:
    """The name above the first episode: the one that the page's own title has, else the nearest."""
    names = [line.text for line in above if not is_prose(line.text)]
    return next((n for n in names if len(n) > 1 and n in title), names[-1] if names else "")
