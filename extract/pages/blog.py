"""Shape D: a blog's index: its name and motto, a category, then posts that each end in "Read more..."."""

import re
from collections.abc import Sequence

from torchatlas.extract.pages.entry import PageEntry, entry_text, is_prose
from torchatlas.extract.pages.saved import PageLine, PageText

_MORE = re.compile(r"[\[(]?\s*(?:read|continue|keep)\s+(?:more|on|reading)\b.{0,20}", re.I)
_IMAGE = re.compile(r"(?:image|img|figure|photo)\d{0,3}", re.I)
_LONGEST_TITLE = 200
_LONG_TITLE = 120
_OWN_LINES = 3  # name, motto, category


def read_blog(page: PageText) -> tuple[PageEntry, ...]:
    """Return the posts of such a page, none where the page has another shape.

    Example: `read_blog(page_text(document, "blog.html"))`
    """
    lines = page.lines
    ends = [i for i, line in enumerate(lines) if _MORE.fullmatch(line.text)]
    above = [line.text for line in lines[: ends[0]] if len(line.text) > 1] if ends else []
    if not above:
        return ()
    blog = next((text for text in above if text in page.title), above[0])
    entries = []
    start = _first_title(lines[: ends[0]])
    for end in ends:
        entries.append(_post(lines[start:end], blog, lines[end].href))
        start = end + 1
    return tuple(entry for entry in entries if entry)


def _first_title(block: Sequence[PageLine]) -> int:
    """Return the line of the first post's title: its text is sentences, the title and the blog's own lines are not.

    A long title looks like a sentence; then the category above is found, and the title is the next line.
    """
    place = len(block)
    while place > 1 and (is_prose(block[place - 1].text) or _IMAGE.fullmatch(block[place - 1].text)):
        place -= 1
    title = max(0, place - 1)
    long = title < _OWN_LINES and len(block) > title + 2 and len(block[title + 1].text) <= _LONG_TITLE
    return title + 1 if long and not block[title + 1].text.endswith((".", ":")) else title


def _post(block: Sequence[PageLine], blog: str, more: str) -> PageEntry | None:
    page = more.partition("#")[0]
    title = next((i for i, line in enumerate(block) if page and line.href.partition("#")[0] == page), 0)
    block = block[title:]
    if not block or len(block[0].text) > _LONGEST_TITLE:
        return None
    text = entry_text(line for line in block[1:] if not _IMAGE.fullmatch(line.text))
    return PageEntry(text, block[0].text, show=blog, url=page or block[0].href or None, kind="post")
