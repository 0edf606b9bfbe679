"""Show notes without what stands in many episodes of a show: footers, sponsors, social links, headings.

A block that recurs from page to page is a template and says nothing about any of them (Bar-Yossef and Rajagopalan,
"Template detection via data mining and its applications", 2002). Here a block is a line or a sentence of the notes.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from torchatlas.extract.feeds.entries import Entry
from torchatlas.extract.text import BLOCKS

_FEWEST = 5  # episodes; fewer may share a line by chance
_SHARE = 5  # one in five episodes of the show
_LONG = 8  # words; nobody writes a sentence of that length five times by chance

_BREAK = re.compile(rf"(</?(?:{'|'.join(sorted(BLOCKS))})(?:[\s/][^<>]*)?>|\n|[.!?…]\s+)", re.I)
_MARKS = " .!?…"
_TAG = re.compile(r"<[^<>]*>")
_HREF = re.compile(r"""\bhref\s*=\s*["']?([^"'\s<>]+)""", re.I)
_ADDRESS = re.compile(r"https?://[^\s<>\"')\]]+[^\s<>\"')\].,;:!?]", re.I)
_CLOCK = re.compile(r"[(\[]?\b\d{1,3}(?::\d\d){1,2}\b[)\]]?")


def without_boilerplate(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the entries of one show; their notes lack the lines, sentences and addresses that many of them share.

    Shared by many: by five entries and a fifth of them all; a sentence of eight words: by five.

    Example: `without_boilerplate(feed.entries)[0].notes`
    """
    if len(entries) < _FEWEST:
        return tuple(entries)
    parts = [_BREAK.split(entry.notes) for entry in entries]
    keys = [[*map(_key, part[::2])] for part in parts]
    lines = _shared(keys, len(entries))
    kept = ["".join(_without(lines, part, own)) for part, own in zip(parts, keys, strict=True)]
    addresses = _shared(map(_ADDRESS.findall, kept), len(entries))
    if addresses:
        kept = [_ADDRESS.sub(lambda m: "" if m[0] in addresses else m[0], text) for text in kept]
    return tuple(replace(entry, notes=text) for entry, text in zip(entries, kept, strict=True))


def _without(lines: set[str], part: Sequence[str], keys: Sequence[str]) -> Iterator[str]:
    """Yield the blocks of an entry and what parts them; a sentence that is left out takes its mark with it."""
    for block, parted, key in zip(part[::2], [*part[1::2], ""], keys, strict=True):
        shared = key in lines
        yield "" if shared else block
        yield "" if shared and parted[:1] in _MARKS else parted


def _key(block: str) -> str:
    """Return what blocks that say the same share: their words and addresses, without a time before them."""
    if "<" in block:
        block = f"{_TAG.sub(' ', block)} {' '.join(_HREF.findall(block))}"
    if ":" in block:
        block = _CLOCK.sub(" ", block)
    return " ".join(block.casefold().split()).rstrip(_MARKS)


def _shared(found: Iterable[Iterable[str]], episodes: int) -> set[str]:
    """Return the texts that stand in many of the episodes; `found`: those of each."""
    counts = Counter(text for texts in found for text in {*texts} if text)
    often = ((text, count) for text, count in counts.items() if count >= _FEWEST)
    return {text for text, count in often if count * _SHARE >= episodes or text.count(" ") + 1 >= _LONG}
