"""Shape C: a numbered listing: the show's name, then `1) TITLE` and a line of description, cut by "...Show More"."""

import re
from collections.abc import Sequence

from torchatlas.extract.pages.entry import PageEntry, entry_text, is_prose
from torchatlas.extract.pages.saved import PageLine, PageText

_NUMBERED = re.compile(r"(\d{1,5})[).]\s+(\S.*)")
_FEWEST = 2


def read_listing(page: PageText) -> tuple[PageEntry, ...]:
    """Return the episodes of such a page, none where the page has another shape. Its numbers are not the show's.

    Example: `read_listing(page_text(document, "listing.txt"))`
    """
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
        PageEntry(entry_text(lines[i + 1 : end]), title, show=show, url=lines[i].href or None)
        for (i, title), end in zip(places, ends, strict=True)
    )


def _show(above: Sequence[PageLine], title: str) -> str:
    """Return the name above the first episode: the one that is in the page's own title, else the nearest."""
    names = [line.text for line in above if not is_prose(line.text)]
    return next((n for n in names if len(n) > 1 and n in title), names[-1] if names else "")
