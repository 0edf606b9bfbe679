"""Episodes or posts on a saved page of any of the four known shapes. Touches no network."""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import pairwise
from typing import Literal

from torchatlas.extract.feeds import day, minutes
from torchatlas.extract.text import Anchor, Text, decoded, nesting, to_text
from torchatlas.graph.errors import SourceError
from torchatlas.graph.names import visible

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


Shape = Literal["episode page", "best-of page", "numbered listing", "blog index"]

CLOCK = re.compile(r"(?:\d{1,2}:)?\d{1,3}:\d\d")
_SHORT = 40  # characters: buttons and headings are shorter, sentences longer
_OFTEN = 3
_ENDS = tuple(".?!:)…。？！؟")
_CUT = re.compile(r"\s*(?:\.{3}|…)[\s\[\]()»→]*(?:(?:show|read|see|load)\s+more|continue reading)?[\s.…\]»→]*$", re.I)


@dataclass(frozen=True, slots=True)
class PageEntry:
    """An episode or a post as a page shows it. A fact that the page does not state is None.

    `text` is plain, with printed addresses; where the page cuts a text, only the part on the page.
    """

    text: str
    title: str | None = None
    _: KW_ONLY
    show: str = ""
    published: str | None = None
    minutes: int | None = None
    url: str | None = None
    kind: Literal["episode", "post"] = "episode"


def is_prose(text: str) -> bool:
    """Return whether a line is a sentence or a part of one, not a button or a heading.

    >>> is_prose("Why is it fast?"), is_prose("Play later")
    (True, False)
    """
    return len(text) >= _SHORT or text.endswith(_ENDS) or "://" in text


def entry_text(lines: Iterable[PageLine]) -> str:
    """Return lines as one text, without the mark of a cut and the words of the button that shows the rest.

    >>> entry_text([PageLine("", "Why views share"), PageLine("", "storage ... Show more")])
    'Why views share\\nstorage'
    """
    return _CUT.sub("", "\n".join(line.full for line in lines).strip())


def repeated(lines: Iterable[PageLine]) -> frozenset[str]:
    """Return the short texts that a page repeats at least three times, digits aside: its buttons.

    >>> repeated([PageLine("Like 14:20"), PageLine("Like 9:30"), PageLine("Like")])
    frozenset({'like'})
    """
    counts = Counter(undigited(line.text) for line in lines if line.text and not is_prose(line.text))
    return frozenset(text for text, count in counts.items() if count >= _OFTEN)


def undigited(text: str) -> str:
    """Return the text of a button for comparison: in lower case, without a length.

    >>> undigited("Like 14:20")
    'like'
    """
    return re.sub(r"[\d:]+", "", text).strip().casefold()


_MANAGE = re.compile(r"[^\d:]*\d{5,}[^\d:]+\d{5,}[^\d:]*")
_COUNT = re.compile(r"[^\d:]{0,30}\d{1,3}(?:[.,]?\d{3})*[^\d:]{0,30}")
_TITLED = re.compile(rf"\d{{1,4}}\s+(\S.*?)\s+({CLOCK.pattern})")
_LENGTH = re.compile(rf"\D{{0,25}}{CLOCK.pattern}")
_NEAR_FOCUS = 10  # lines above the focus's numbers where its title may stand
_NO_TITLE = re.compile(r"[•·]|\bMP3\b")


def _directory(page: PageText) -> tuple[PageEntry, ...]:
    """Return the episodes of a directory's episode page, the one in focus first; many have no title.

        How widgets are wired                      1 How widgets are wired 14:20
        Manage episode 1234567 series 7654321      Play later
        (who publishes it)                         (the description, on one line)
        (the description)                          E
        83 episodes                                The Example Podcast

    Nothing but the digits, the one-letter avatar and the show's name tells the parts apart: buttons are in any
    language. The avatar and the show's name close an entry, as here, or open the next one.
    """
    lines = list(_whole_titles(list(_avatars_apart(page.lines))))
    avatars = _avatars(lines)
    if not avatars:
        return ()
    written = Counter(line.text for line in lines)
    show = max(avatars.values(), key=lambda name: written[name])
    focus = next((i for i, line in enumerate(lines) if _MANAGE.fullmatch(line.text)), None)
    start = _list_start(lines, avatars, focus)
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
    begins = any(is_prose(line.text) or _TITLED.fullmatch(line.text) for line in after)
    return begins and not titled and not any(is_prose(line.text) for line in before)


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


def _list_start(lines: Sequence[PageLine], avatars: Mapping[int, str], focus: int | None) -> int:
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
        for line in above[-_NEAR_FOCUS:]
        if not (_LENGTH.fullmatch(line.text) or _NO_TITLE.search(line.text))
        if len(line.text) > 1 and line.text != show and undigited(line.text) not in buttons
    ]
    named = next((line.text for line in reversed(near) if line.text in title), near[-1].text if near else None)
    clock = next((line.text for line in above[-_NEAR_FOCUS:] if CLOCK.fullmatch(line.text)), "")
    legal = next((i for i, line in enumerate(below[:4]) if "/legal" in line.full), None)
    if legal is None:
        legal = next((i for i, line in enumerate(below) if is_prose(line.text)), len(below))
    described = _described(below[legal + 1 :], buttons)
    while described and not is_prose(described[-1].text):  # the heading of the list
        described.pop()
    text = entry_text(described)
    return PageEntry(text, named, show=show, minutes=minutes(clock)) if named and text else None


_DATED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d\d)\s*[•·|–-]\s*(\S.*)")
_AFTER = frozenset({"bookmark", "plus icon", "share episode"})
_ABOVE_DATE = 6  # lines above the date


def _best_of(page: PageText) -> tuple[PageEntry, ...]:
    """Return the episodes of a directory's best-of page.

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
            published=_dated_day(found),
            minutes=minutes(found[4]),
            url=lines[head + 1].href or lines[head].href or None,
        )
        for (i, found, head), end in zip(heads, ends, strict=True)
    )


def _head(lines: Sequence[PageLine], dated: int) -> int | None:
    """Return the line where the episode of a date begins: it is made of the two after it."""
    for i in range(dated - 3, max(-1, dated - _ABOVE_DATE), -1):
        if lines[i].text.split() == f"{lines[i + 2].text} - {lines[i + 1].text}".split():
            return i
    return None


def _description(block: Sequence[PageLine], *, endless: bool) -> Iterator[PageLine]:
    """Yield the lines up to the buttons. Without buttons only the first: the others are the page's own."""
    for place, line in enumerate(block):
        if line.text.casefold() in _AFTER or (endless and place):
            return
        yield line


def _dated_day(found: re.Match[str]) -> str | None:
    month, number, year = int(found[1]), int(found[2]), int(found[3])
    return day(year + 2000 if year < 100 else year, month, number)


_NUMBERED = re.compile(r"(\d{1,5})[).]\s+(\S.*)")
_FEWEST = 2


def _listing(page: PageText) -> tuple[PageEntry, ...]:
    """Return the episodes of a numbered listing, whose numbers are not the show's.

    It has the show's name, then `1) TITLE` and a line of description, cut by "...Show More".
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


_MORE = re.compile(r"[\[(]?\s*(?:read|continue|keep)\s+(?:more|on|reading)\b.{0,20}", re.I)
_IMAGE_LINE = re.compile(r"(?:image|img|figure|photo)\d{0,3}", re.I)
_LONGEST_TITLE = 200
_LONG_TITLE = 120
_OWN_LINES = 3  # name, motto, category


def _blog(page: PageText) -> tuple[PageEntry, ...]:
    """Return the posts of a blog's index: its name and motto, a category, then posts that end in "Read more..."."""
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
    while place > 1 and (is_prose(block[place - 1].text) or _IMAGE_LINE.fullmatch(block[place - 1].text)):
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
    text = entry_text(line for line in block[1:] if not _IMAGE_LINE.fullmatch(line.text))
    return PageEntry(text, block[0].text, show=blog, url=page or block[0].href or None, kind="post")


_FEED = re.compile(rb"(?:<\?xml[^>]*>|<!--[^>]*-->|\s)*<(?:rss|rdf:rdf|feed)[\s>]", re.I)
_READERS: dict[Shape, Callable[[PageText], tuple[PageEntry, ...]]] = {
    "episode page": _directory,
    "best-of page": _best_of,
    "numbered listing": _listing,
    "blog index": _blog,
}
"""Each returns the entries of a page of its shape, none where the page has another one."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page that was read. `name`: the file it was saved in."""

    name: str
    shape: Shape
    _: KW_ONLY
    entries: tuple[PageEntry, ...]


def read_page(document: bytes, name: str) -> Page:
    """Read a page by the shape in which most entries are found. Raises SourceError where no shape has any.

    >>> read_page(b"A Show\\n1) Views\\nWhy they share storage.\\n2) Strides\\nA number for each axis.", "p.txt").shape
    'numbered listing'
    """
    if _FEED.match(document.lstrip(b"\xef\xbb\xbf \t\r\n")):
        raise SourceError(f"{name} looks like a feed; use: torchatlas add {name}")
    text = page_text(document, name)
    found = {shape: reader(text) for shape, reader in _READERS.items()}
    shape = max(found, key=lambda s: len(found[s]))
    if not found[shape]:
        raise SourceError(
            f"{name} is no page that can be read; expected a directory's episode page (as of Player FM), "
            "a best-of page (as of Goodpods), a numbered listing, or a blog's index"
        )
    return Page(name, shape, entries=_addressed(_apart(found[shape])))


def _apart(entries: tuple[PageEntry, ...]) -> tuple[PageEntry, ...]:
    """Return the entries; of a text that holds the whole text of another entry as a line, what follows that line."""
    wholes = {entry.text for entry in entries if is_prose(entry.text)}

    def own(entry: PageEntry) -> PageEntry:
        lines = entry.text.split("\n")
        others = [i for i, line in enumerate(lines) if len(lines) > 1 and line in wholes]
        if not others:
            return entry
        return replace(entry, text="\n".join(lines[others[-1] + 1 :] or lines[: others[0]]).strip())

    return tuple(map(own, entries))


def _addressed(entries: tuple[PageEntry, ...]) -> tuple[PageEntry, ...]:
    """Return the entries without addresses that several of them have: these are the show's."""
    titles: defaultdict[str | None, set[str | None]] = defaultdict(set)
    for entry in entries:
        titles[entry.url].add(entry.title)
    return tuple(replace(e, url=None) if len(titles[e.url]) > 1 else e for e in entries)
