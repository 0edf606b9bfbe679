"""Episodes or posts on a saved page of a known shape, or spoken in a file of captions, offline."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import dropwhile, islice, pairwise
from typing import Literal, NamedTuple

from torchatlas.extract.feeds import Chapter, chapters, day, load_json, mappings_at, minutes, text_at
from torchatlas.extract.text import Text, decoded, nesting, to_text
from torchatlas.graph.errors import SourceError
from torchatlas.graph.model import Kind, Value
from torchatlas.graph.names import visible

Shape = Literal["episode page", "best-of page", "numbered listing", "blog index", "transcript", "video"]
_LONGEST = 20_000_000  # characters; a usual page has a million
_DEEPEST = 5_000  # tags inside one another
_SHORT = 40  # characters; sentences are longer
_NEAR_FOCUS = 10  # lines above its numbers
_AFTER = frozenset({"bookmark", "plus icon", "share episode"})  # behind an episode
_FEED = re.compile(rb"(?:<\?xml[^>]*>|<!--[^>]*-->|\s)*<(?:rss|rdf:rdf|feed)[\s>]", re.I)
_CAPTIONS = re.compile(r"WEBVTT|(?:\d+\s+)?(?:\d+:)?\d\d?:\d\d[.,]\d+\s*-->|\{")
_ID = re.compile(r" \[[\w-]{11}\]$")  # of a video, as yt-dlp writes it
_OPENING = 200  # bytes
_MARKUP = re.compile(r"\s*<|.{0,10000}<(?:!doctype html|html|head|body)(?=[\s>])", re.I | re.S)
_IMAGE = re.compile(r"""<img\b[^<>]{0,2000}?\balt\s*=\s*(?:"([^"<>]{0,500})"|'([^'<>]{0,500})')[^<>]{0,2000}>""", re.I)
_ADDRESS = re.compile(r"(?:https?:)?//\w", re.I)
_CUT = re.compile(r"\s*(?:\.{3}|…)[\s\[\]()»→]*(?:(?:show|read|see|load)\s+more|continue reading)?[\s.…\]»→]*$", re.I)
_CLOCK = re.compile(r"(?:\d{1,2}:)?\d{1,3}:\d\d")
_MANAGE = re.compile(r"[^\d:]*\d{5,}[^\d:]+\d{5,}[^\d:]*")
_COUNT = re.compile(r"[^\d:]{0,30}\d{1,3}(?:[.,]?\d{3})*[^\d:]{0,30}")
_TITLED = re.compile(rf"\d{{1,4}}\s+(\S.*?)\s+({_CLOCK.pattern})")
_LENGTH = re.compile(rf"\D{{0,25}}{_CLOCK.pattern}")
_DATED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d\d)\s*[•·|–-]\s*(\S.*)")
_MORE = re.compile(r"[\[(]?\s*(?:read|continue|keep)\s+(?:more|on|reading)\b.{0,20}", re.I)
_IMAGE_LINE = re.compile(r"(?:image|img|figure|photo)\d{0,3}", re.I)


class PageEntry(Value):
    """An episode or a post on a page; `text` is plain, with printed addresses.

    `transcript`: the name of a document of cues, from what it holds.
    """

    text: str
    title: str | None = None
    show: str = ""
    published: str | None = None
    minutes: int | None = None
    url: str | None = None
    kind: Kind = "episode"
    transcript: str = ""
    chapters: tuple[Chapter, ...] = ()


class Page(NamedTuple):
    """A page that was read from the file `name`."""

    name: str
    shape: Shape
    entries: tuple[PageEntry, ...]


class _Line(NamedTuple):
    """A line of a page. `full`: with all addresses; `href`: the first one."""

    text: str
    full: str
    href: str = ""


_Lines = Sequence[_Line]


def read_page(document: bytes, name: str) -> Page:
    """Read an HTML or text page by its likeliest shape. Raises SourceError.

    >>> read_page(b"Show\\n1) Views\\nOn storage.\\n2) Axes\\nOn axes.", "p").shape
    'numbered listing'
    """
    if _FEED.match(document.lstrip(b"\xef\xbb\xbf \t\r\n")):
        raise SourceError(f"{name} looks like a feed; use: torchatlas add {name}")
    if _CAPTIONS.match(start := decoded(document[:_OPENING]).lstrip()):
        return _spoken(document, name, is_json=start.startswith("{"))
    lines, title = _page_lines(document, name)
    found: dict[Shape, tuple[PageEntry, ...]] = {
        "episode page": tuple(_directory(lines, title)),
        "best-of page": tuple(_best_of(lines)),
        "numbered listing": tuple(_listing(lines, title)),
        "blog index": tuple(_blog(lines, title)),
    }
    shape = max(found, key=lambda s: len(found[s]))
    if not found[shape]:
        raise SourceError(
            f"{name} is no page that can be read; expected a directory's episode page (as of Player FM), "
            "a best-of page (as of Goodpods), a numbered listing, a blog's index, or captions"
        )
    wholes, entries = {entry.text for entry in found[shape] if _is_prose(entry.text)}, []
    titled = Counter(url for url, _ in {(entry.url, entry.title) for entry in found[shape]})
    for entry in found[shape]:
        parts = entry.text.split("\n")
        # Where another entry's whole text is a line of this one, what follows it.
        others = [i for i, part in enumerate(parts) if len(parts) > 1 and part in wholes]
        text = "\n".join(parts[others[-1] + 1 :] or parts[: others[0]]).strip() if others else entry.text
        # An address that several entries have is the show's.
        entries.append(replace(entry, text=text, url=entry.url if titled[entry.url] == 1 else None))
    return Page(name, shape, entries=tuple(entries))


def transcript_name(document: bytes) -> str:
    """Return the name by which an entry refers to a document of cues: `transcript_name(b"WEBVTT")`."""
    return f"{sha256(document).hexdigest()}.vtt"


def _spoken(document: bytes, name: str, *, is_json: bool) -> Page:
    """Read captions, titled by their file, or what yt-dlp tells about a video. Raises SourceError."""
    body = load_json(decoded(document), name) if is_json else {}
    if title := text_at(body, "title"):
        marks = chapters((c.get("start_time"), c.get("title")) for c in mappings_at(body, "chapters"))
        stated = re.fullmatch(r"(\d{4})(\d\d)(\d\d)", text_at(body, "upload_date"))
        text, show = visible(text_at(body, "description")), text_at(body, "channel")
        published = day(*map(int, stated.groups())) if stated else None
        length, url = minutes(str(body.get("duration")).partition(".")[0]), text_at(body, "webpage_url") or None
        entry = PageEntry(text, title, show, published, minutes=length, url=url, kind="video", chapters=marks)
        return Page(name, "video", (entry,))
    from torchatlas.extract.transcripts import read_cues

    read_cues(document, name)
    title = re.sub(r"(?:\.[a-z]{2}(?:-\w+)?)?\.\w+$", "", name.rpartition("/")[2])
    return Page(name, "transcript", (PageEntry("", _ID.sub("", title), transcript=transcript_name(document)),))


def _page_lines(document: bytes, name: str) -> tuple[list[_Line], str]:
    """Return the lines that are not empty, and the title of HTML. Raises SourceError."""
    markup = decoded(document)
    if "\0" in markup[:2_000]:
        raise SourceError(f"{name} is no text; save the page as text or HTML")
    if len(markup) > _LONGEST:
        raise SourceError(f"{name} has more than {_LONGEST:,} characters, too many for a page; save its text alone")
    if not _MARKUP.match(markup):
        lines = map(_tidy, visible(markup).split("\n"))
        return [_Line(text, text) for text in lines if text], ""
    if nesting(markup, _DEEPEST) > _DEEPEST:
        raise SourceError(f"{name}: tags are nested deeper than {_DEEPEST:,}; save the page as text and import that")
    found = re.search(r"<title[^<>]{0,200}>([^<]{0,1000})", markup, re.I)
    # A browser's text copy gives buttons and the words for images a line each.
    apart = _IMAGE.sub(r"<div>\1\2</div>", re.sub(r"<(/?)button\b", r"<\1div", markup, flags=re.I))
    source = to_text(apart, len(apart), deepest=2 * _DEEPEST)
    return [*_lines(source)], " ".join(to_text(found[1]).text.split()) if found else ""


def _lines(source: Text) -> Iterator[_Line]:
    """Yield the lines with the addresses of their hyperlinks written out."""
    anchors = sorted((a for a in source.anchors if _ADDRESS.match(a.href)), key=lambda a: (a.start, a.end))
    starts = [a.start for a in anchors]
    start = 0
    for text in source.text.split("\n"):
        own = anchors[bisect_left(starts, start) : bisect_left(starts, start + len(text))]
        full, last = "", 0
        for anchor in own:
            first, end = anchor.start - start, min(anchor.end - start, len(text))
            named = text[first:end]
            if first >= last and named.strip() and anchor.href not in named:
                printed = re.match(r"\s*(?:https?://|www\.)", named, re.I)
                full += text[last:first] + (anchor.href if printed else f"{named} ( {anchor.href} )")
                last = end
        # In some lists an item is a whole episode: its bullet is not part of the title.
        if headline := _tidy(text.strip().removeprefix("•")):
            yield _Line(headline, _tidy(full + text[last:]), own[0].href if own else "")
        start += len(text) + 1


def _tidy(text: str) -> str:
    return re.sub("[\u061c\u200e\u200f]", "", text).replace("\t", " ").strip(" \xa0")


def _is_prose(text: str) -> bool:
    """Return whether a line is a sentence or a part of one, not a button or a heading."""
    return len(text) >= _SHORT or text.endswith((*".?!:)…。？！؟",)) or "://" in text


def _entry_text(lines: Iterable[_Line]) -> str:
    """Return lines as one text, without cut marks and the "more" button."""
    return _CUT.sub("", "\n".join(line.full for line in lines).strip())


def _undigited(text: str) -> str:
    return re.sub(r"[\d:]+", "", text).strip().casefold()


def _directory(page: _Lines, title: str) -> Iterator[PageEntry]:
    """Yield a directory's episodes, the one in focus first; many lack a title.

        How widgets are wired                      1 How widgets are wired 14:20
        Manage episode 1234567 series 7654321      Play later
        (who publishes it, the description)        (the description, on one line)
        83 episodes                                E, and below: The Example Podcast

    Buttons are in any language; digits, avatar and show name tell parts apart.
    The last two close an entry, as here, or open the next one.
    """
    lines = list(_whole_titles(list(_avatars_apart(page))))
    avatars = {  # line -> the show
        i: after.text
        for i, (line, after) in enumerate(pairwise(lines))
        if len(line.text) == 1 and line.text.isalnum() and len(after.text) > 1
        if after.text[0].casefold() == line.text.casefold()
    }
    if not avatars:
        return
    written = Counter(line.text for line in lines)
    show = max(avatars.values(), key=lambda name: written[name])
    focus = next((i for i, line in enumerate(lines) if _MANAGE.fullmatch(line.text)), None)
    counts = (i for i in range((focus or 0) + 1, min(avatars)) if _COUNT.fullmatch(lines[i].text))
    start = next(counts, -1 if focus is None else focus) + 1
    short = Counter(_undigited(line.text) for line in lines if line.text and not _is_prose(line.text))
    buttons = {text for text, count in short.items() if count >= 3}
    above, blocks = _parted(lines, list(avatars), start, focus is not None)
    if focus is not None:
        end = min(avatars) if above else start - 1
        yield from _focus(lines[:focus], lines[focus + 1 : max(end, focus + 1)], show, title, buttons)
    for block in (block for block, name in zip(blocks, avatars.values(), strict=True) if name == show):
        heads = [(i, found) for i, line in enumerate(block) if (found := _TITLED.fullmatch(line.text))]
        text = _entry_text(_described(block[heads[-1][0] + 1 if heads else 0 :], buttons))
        if heads:
            place, head = heads[-1]
            yield PageEntry(text, head[1], show=show, minutes=minutes(head[2]), url=block[place].href or None)
        elif text:
            yield PageEntry(text, show=show)


def _parted(lines: _Lines, avatars: list[int], start: int, bounded: bool) -> tuple[bool, list[_Lines]]:
    """Return whether avatars stand above their entries, and the lines of each entry.

    They do if an entry follows the last avatar and none precedes the first. An
    entry without bounds, at either end, has one line that is sure.
    """
    first, last = avatars[0], avatars[-1]
    titled = any(_TITLED.fullmatch(line.text) for line in lines[start:first])
    preceded = titled or any(_is_prose(line.text) for line in lines[max(start, first - 1) : first])
    if not preceded and any(_is_prose(line.text) or _TITLED.fullmatch(line.text) for line in lines[last + 2 :][:1]):
        prose = (i for i in range(last + 2, len(lines)) if _is_prose(lines[i].text))
        ends = [*avatars[1:], next(prose, last + 1) + 1]
        return True, [lines[avatar + 2 : end] for avatar, end in zip(avatars, ends, strict=True)]
    begins = [start, *(avatar + 2 for avatar in avatars[:-1])]
    blocks = [lines[begin:avatar] for begin, avatar in zip(begins, avatars, strict=True)]
    return False, blocks if bounded or titled else [blocks[0][-1:], *blocks[1:]]


def _avatars_apart(lines: _Lines) -> Iterator[_Line]:
    """Yield the lines; an avatar ("TThe Show") or sign ("×T") gets its own."""
    written = Counter(line.text for line in lines)
    for line in lines:
        letter, name = line.text[:1], line.text[1:]
        sign = len(name) == 1 and name.isalpha() and not letter.isalnum()
        avatar = letter.isalpha() and name.startswith(letter) and written[line.text] > 1 and not _is_prose(line.text)
        if sign or avatar:
            yield _Line(letter, letter)
            yield _Line(name, name, "" if sign else line.href)
        else:
            yield line


def _whole_titles(lines: _Lines) -> Iterator[_Line]:
    """Yield the lines; a title split into three lines is joined again."""
    places = iter(range(len(lines)))
    for i in places:
        line, *after = lines[i : i + 3]
        if line.text.isdecimal() and len(after) == 2 and _CLOCK.fullmatch(after[1].text):
            whole = f"{line.text} {after[0].text} {after[1].text}"
            line = _Line(whole, whole, after[0].href)
            next(islice(places, 1, 2))
        yield line


def _described(block: _Lines, buttons: set[str]) -> list[_Line]:
    """Return a block from the first sentence on, without buttons and lengths."""
    kept = (line for line in block if not _LENGTH.fullmatch(line.text) and _undigited(line.text) not in buttons)
    return list(dropwhile(lambda line: not _is_prose(line.text), kept))


def _focus(above: _Lines, below: _Lines, show: str, title: str, buttons: set[str]) -> Iterator[PageEntry]:
    """Yield the episode in focus: title above the numbers, text below."""
    near = [
        line
        for line in above[-_NEAR_FOCUS:]
        if not (_LENGTH.fullmatch(line.text) or re.search(r"[•·]|\bMP3\b", line.text))
        if len(line.text) > 1 and line.text != show and _undigited(line.text) not in buttons
    ]
    named = next((line.text for line in reversed(near) if line.text in title), near[-1].text if near else None)
    clock = next((line.text for line in above[-_NEAR_FOCUS:] if _CLOCK.fullmatch(line.text)), "")
    prose = next((i for i, line in enumerate(below) if _is_prose(line.text)), len(below))
    legal = next((i for i, line in enumerate(below[:4]) if "/legal" in line.full), prose)
    described = _described(below[legal + 1 :], buttons)
    while described and not _is_prose(described[-1].text):  # the heading of the list
        described.pop()
    if named and (text := _entry_text(described)):
        yield PageEntry(text, named, show=show, minutes=minutes(clock))


def _best_of(lines: _Lines) -> Iterator[PageEntry]:
    """Yield the episodes of a directory's best-of page.

    Lines: `SHOW - TITLE`, `TITLE`, `SHOW`, `play`, `05/11/21 • 14 min`, text.
    """
    heads = []
    for i, found in enumerate(_DATED.fullmatch(line.text) for line in lines):
        for above in range(i - 3, max(-1, i - 6), -1) if found else ():
            whole, title, show = (line.text for line in lines[above : above + 3])
            if found and whole.split() == f"{show} - {title}".split():
                heads.append((i, found, above))
                break
    buttons = [i for i, line in enumerate(lines) if line.text.casefold() in _AFTER]
    # Without buttons, only one line after the last head is the episode's.
    last = len(lines) if buttons or not heads else heads[-1][0] + 2
    for (i, found, head), end in zip(heads, [*(head for *_, head in heads[1:]), last], strict=False):
        month, number, year = (int(part) for part in found.groups()[:3])
        yield PageEntry(
            _entry_text(lines[i + 1 : min([end, *buttons[bisect_left(buttons, i) :][:1]])]),
            lines[head + 1].text,
            show=lines[head + 2].text,
            published=day(year + 2000 if year < 100 else year, month, number),
            minutes=minutes(found[4]),
            url=lines[head + 1].href or lines[head].href or None,
        )


def _listing(lines: _Lines, title: str) -> Iterator[PageEntry]:
    """Yield the episodes of a listing: `1) TITLE`, then a description line."""
    places: list[tuple[int, str]] = []
    expected = None
    for i, line in enumerate(lines):
        found = re.fullmatch(r"(\d{1,5})[).]\s+(\S.*)", line.text)
        if found and expected in (None, int(found[1])):
            places.append((i, found[2]))
            expected = int(found[1]) + 1
    if len(places) < 2:
        return
    names = [line.text for line in lines[: places[0][0]] if not _is_prose(line.text)]
    show = next((n for n in names if len(n) > 1 and n in title), names[-1] if names else "")
    for (i, name), (end, _) in pairwise([*places, (places[-1][0] + 2, "")]):
        yield PageEntry(_entry_text(lines[i + 1 : end]), name, show=show, url=lines[i].href or None)


def _blog(lines: _Lines, title: str) -> Iterator[PageEntry]:
    """Yield the posts of a blog's index, each ending in "Read more..."."""
    ends = [i for i, line in enumerate(lines) if _MORE.fullmatch(line.text)]
    if not (above := [line.text for line in lines[: [*ends, 0][0]] if len(line.text) > 1]):
        return
    blog, start = next((text for text in above if text in title), above[0]), ends[0]
    # The first post begins one line above its sentences, at its title.
    while start > 1 and (_is_prose(lines[start - 1].text) or _IMAGE_LINE.fullmatch(lines[start - 1].text)):
        start -= 1
    start = max(0, start - 1)
    if start < 3 and ends[0] > start + 2 and len(lines[start + 1].text) <= 120:  # a long title
        start += not lines[start + 1].text.endswith((".", ":"))
    for end in ends:
        block, page = lines[start:end], lines[end].href.partition("#")[0]
        place = next((i for i, line in enumerate(block) if page and line.href.partition("#")[0] == page), 0)
        head, *rest = block[place:] or [_Line("", "")]
        if head.text and len(head.text) <= 200:
            text = _entry_text(line for line in rest if not _IMAGE_LINE.fullmatch(line.text))
            yield PageEntry(text, head.text, show=blog, url=page or head.href or None, kind="post")
        start = end + 1
