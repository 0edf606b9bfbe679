"""Shape A: a directory's episode page. One episode in focus, then the list of the show's episodes, many without title.

    How widgets are wired                      1 How widgets are wired 14:20
    Manage episode 1234567 series 7654321      Play later
    (who publishes it)                         (the description, on one line)
    (the description)                          E
    83 episodes                                The Example Podcast

Nothing but the digits, the one-letter avatar and the show's name tells the parts apart: buttons are in any language.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from torchatlas.extract.feeds.entries import minutes
from torchatlas.extract.pages.entry import CLOCK, PageEntry, entry_text, is_prose, repeated, undigited
from torchatlas.extract.pages.saved import PageLine, PageText

_MANAGE = re.compile(r"[^\d:]*\d{5,}[^\d:]+\d{5,}[^\d:]*")
_COUNT = re.compile(r"[^\d:]{0,30}\d{1,3}(?:[.,]?\d{3})*[^\d:]{0,30}")
_TITLED = re.compile(rf"\d{{1,4}}\s+(\S.*?)\s+({CLOCK.pattern})")
_LENGTH = re.compile(rf"\D{{0,25}}{CLOCK.pattern}")
_ABOVE = 10  # lines above the focus's numbers where its title may stand
_NO_TITLE = re.compile(r"[•·]|\bMP3\b")


def read_directory(page: PageText) -> tuple[PageEntry, ...]:
    """Return the episodes of such a page, the one in focus first, none where the page has another shape.

    Example: `read_directory(page_text(document, "episode.html"))`
    """
    lines = list(_whole_titles(list(_avatars_apart(page.lines))))
    closers = _closers(lines)
    focus = next((i for i, line in enumerate(lines) if _MANAGE.fullmatch(line.text)), None)
    if not closers:
        return ()
    written = Counter(line.text for line in lines)
    show = max(closers.values(), key=lambda name: written[name])
    counts = (i for i in range((focus or 0) + 1, min(closers)) if _COUNT.fullmatch(lines[i].text))
    start = next(counts, focus if focus is not None else -1) + 1
    buttons = repeated(lines)
    entries = []
    if focus is not None:
        entries.append(_focus(lines[:focus], lines[focus + 1 : max(start - 1, focus + 1)], show, page.title, buttons))
    bounded = focus is not None
    for closer, name in closers.items():
        if name == show:
            entries.append(_listed(lines[start:closer], show, buttons, bounded=bounded))
        start, bounded = closer + 2, True
    return tuple(entry for entry in entries if entry)


def _closers(lines: Sequence[PageLine]) -> dict[int, str]:
    """Return where listed episodes end: line number of the one-letter avatar -> the show named on the next line."""
    return {
        i: after.text
        for i, (line, after) in enumerate(pairwise(lines))
        if len(line.text) == 1 and line.text.isalnum() and len(after.text) > 1
        if after.text[0].casefold() == line.text.casefold()
    }


def _avatars_apart(lines: Sequence[PageLine]) -> Iterator[PageLine]:
    """Yield the lines; an avatar that stands before the show's name ("TThe Example Podcast") gets a line of its own."""
    written = Counter(line.text for line in lines)
    for line in lines:
        letter, name = line.text[:1], line.text[1:]
        if letter.isalpha() and name.startswith(letter) and written[line.text] > 1 and not is_prose(line.text):
            yield PageLine(letter, letter)
            yield PageLine(name, name, href=line.href)
        else:
            yield line


def _whole_titles(lines: Sequence[PageLine]) -> Iterator[PageLine]:
    """Yield the lines; a title that the markup splits (count, title, length on three lines) is one line again."""
    places = iter(range(len(lines)))
    for i in places:
        line, *after = lines[i : i + 3]
        if line.text.isdecimal() and len(after) == 2 and CLOCK.fullmatch(after[1].text):
            whole = f"{line.text} {after[0].text} {after[1].text}"
            line = PageLine(whole, whole, href=after[0].href)
            next(places)
            next(places)
        yield line


def _listed(block: Sequence[PageLine], show: str, buttons: frozenset[str], *, bounded: bool) -> PageEntry | None:
    """Return the episode at the end of a block. Without title and bound, only its last line is the text."""
    titles = [(i, found) for i, line in enumerate(block) if (found := _TITLED.fullmatch(line.text))]
    place, head = titles[-1] if titles else (-1, None)
    text = _described(block[place + 1 :], buttons)
    if head is None:
        text = text if bounded else text[-1:]
        return PageEntry(entry_text(text), show=show) if text and entry_text(text) else None
    return PageEntry(entry_text(text), head[1], show=show, minutes=minutes(head[2]), url=block[place].href or None)


def _described(block: Sequence[PageLine], buttons: frozenset[str]) -> list[PageLine]:
    """Return the description in a block: from the first sentence on, without buttons and lengths."""
    kept = [line for line in block if not _LENGTH.fullmatch(line.text) and undigited(line.text) not in buttons]
    first = next((i for i, line in enumerate(kept) if is_prose(line.text)), len(kept))
    return kept[first:]


def _focus(
    above: Sequence[PageLine], below: Sequence[PageLine], show: str, title: str, buttons: frozenset[str]
) -> PageEntry | None:
    """Return the episode in focus: its title is above the numbers, its text below the publisher's paragraph."""
    near = [
        line
        for line in above[-_ABOVE:]
        if not (_LENGTH.fullmatch(line.text) or _NO_TITLE.search(line.text))
        if len(line.text) > 1 and line.text != show and undigited(line.text) not in buttons
    ]
    named = next((line.text for line in reversed(near) if line.text in title), near[-1].text if near else None)
    clock = next((line.text for line in above[-_ABOVE:] if CLOCK.fullmatch(line.text)), "")
    legal = next((i for i, line in enumerate(below[:4]) if "/legal" in line.full), None)
    if legal is None:
        legal = next((i for i, line in enumerate(below) if is_prose(line.text)), len(below))
    text = entry_text(_described(below[legal + 1 :], buttons))
    return PageEntry(text, named, show=show, minutes=minutes(clock)) if named and text else None
