"""Shape A: a directory's episode page. One episode in focus, then the list of the show's episodes, many without title.

    How widgets are wired                      1 How widgets are wired 14:20
    Manage episode 1234567 series 7654321      Play later
    (who publishes it)                         (the description, on one line)
    (the description)                          E
    83 episodes                                The Example Podcast

Nothing but the digits, the one-letter avatar and the show's name tells the parts apart: buttons are in any language.
The avatar and the show's name close an entry, as here, or open the next one.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
    avatars = _avatars(lines)
    if not avatars:
        return ()
    written = Counter(line.text for line in lines)
    show = max(avatars.values(), key=lambda name: written[name])
    focus = next((i for i, line in enumerate(lines) if _MANAGE.fullmatch(line.text)), None)
    start = _start(lines, avatars, focus)
    above = _stand_above(lines, avatars, start)
    bounded = focus is not None
    blocks = _opened(lines, avatars) if above else _closed(lines, avatars, start, bounded=bounded)
    buttons = repeated(lines)
    entries = [_listed(block, show, buttons) for block, name in blocks if name == show]
    if focus is not None:
        end = min(avatars) if above else start - 1
        below = lines[focus + 1 : max(end, focus + 1)]
        entries.insert(0, _focus(lines[:focus], below, show, title=page.title, buttons=buttons))
    return tuple(entry for entry in entries if entry)


def _avatars(lines: Sequence[PageLine]) -> dict[int, str]:
    """Return the line number of each one-letter avatar -> the show named on the next line."""
    return {
        i: after.text
        for i, (line, after) in enumerate(pairwise(lines))
        if len(line.text) == 1 and line.text.isalnum() and len(after.text) > 1
        if after.text[0].casefold() == line.text.casefold()
    }


def _stand_above(lines: Sequence[PageLine], avatars: Mapping[int, str], start: int) -> bool:
    """Return whether avatars stand above their entries: one follows the last avatar, and none precedes the first."""
    before, after = lines[max(start, min(avatars) - 1) : min(avatars)], lines[max(avatars) + 2 :][:1]
    titled = any(_TITLED.fullmatch(line.text) for line in lines[start : min(avatars)])
    return any(_begins(line) for line in after) and not titled and not any(is_prose(line.text) for line in before)


def _begins(line: PageLine) -> bool:
    return is_prose(line.text) or _TITLED.fullmatch(line.text) is not None


def _opened(lines: Sequence[PageLine], avatars: Mapping[int, str]) -> Iterator[tuple[Sequence[PageLine], str]]:
    """Yield the lines of each entry below its avatar, with its show. The last one ends with its first sentence or
    paragraph, since nothing tells what follows from the foot of the page."""
    last = max(avatars)
    for avatar, following in pairwise(avatars):
        yield lines[avatar + 2 : following], avatars[avatar]
    prose = (i for i in range(last + 2, len(lines)) if is_prose(lines[i].text))
    yield lines[last + 2 : next(prose, last + 1) + 1], avatars[last]


def _closed(
    lines: Sequence[PageLine], avatars: Mapping[int, str], start: int, *, bounded: bool
) -> Iterator[tuple[Sequence[PageLine], str]]:
    """Yield the lines of each entry above its avatar, with its show.

    Of a first one without a title and without a bound above, only the last line is sure.
    """
    for avatar, name in avatars.items():
        block = lines[start:avatar]
        titled = any(_TITLED.fullmatch(line.text) for line in block)
        yield block if bounded or titled else block[-1:], name
        start, bounded = avatar + 2, True


def _start(lines: Sequence[PageLine], avatars: Mapping[int, str], focus: int | None) -> int:
    """Return where the list begins: below the number of episodes, else below the numbers of the one in focus."""
    counts = (i for i in range((focus or 0) + 1, min(avatars)) if _COUNT.fullmatch(lines[i].text))
    return next(counts, focus if focus is not None else -1) + 1


def _avatars_apart(lines: Sequence[PageLine]) -> Iterator[PageLine]:
    """Yield the lines; an avatar that stands before the show's name ("TThe Example Podcast") and the sign of
    a button before an avatar ("×T") get a line of their own."""
    written = Counter(line.text for line in lines)
    for line in lines:
        letter, name = line.text[:1], line.text[1:]
        if len(name) == 1 and name.isalpha() and not letter.isalnum():
            yield PageLine(letter, letter)
            yield PageLine(name, name)
        elif letter.isalpha() and name.startswith(letter) and written[line.text] > 1 and not is_prose(line.text):
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


def _listed(block: Sequence[PageLine], show: str, buttons: frozenset[str]) -> PageEntry | None:
    """Return the episode of a block: below the last title in it, or without one."""
    titles = [(i, found) for i, line in enumerate(block) if (found := _TITLED.fullmatch(line.text))]
    place, head = titles[-1] if titles else (-1, None)
    text = entry_text(_described(block[place + 1 :], buttons))
    if head is None:
        return PageEntry(text, show=show) if text else None
    return PageEntry(text, head[1], show=show, minutes=minutes(head[2]), url=block[place].href or None)


def _described(block: Sequence[PageLine], buttons: frozenset[str]) -> list[PageLine]:
    """Return the description in a block: from the first sentence on, without buttons and lengths."""
    kept = [line for line in block if not _LENGTH.fullmatch(line.text) and undigited(line.text) not in buttons]
    first = next((i for i, line in enumerate(kept) if is_prose(line.text)), len(kept))
    return kept[first:]


def _focus(
    above: Sequence[PageLine], below: Sequence[PageLine], show: str, *, title: str, buttons: frozenset[str]
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
    described = _described(below[legal + 1 :], buttons)
    while described and not is_prose(described[-1].text):  # the heading of the list
        described.pop()
    text = entry_text(described)
    return PageEntry(text, named, show=show, minutes=minutes(clock)) if named and text else None
