"""Show notes without what many episodes of a show repeat, such as footers.

What recurs from page to page is a template (Bar-Yossef and Rajagopalan, "Template
detection via data mining and its applications", 2002).
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from torchatlas.extract.text import BLOCKS

if TYPE_CHECKING:
    from torchatlas.extract.feeds import Entry

_FEWEST = 5  # episodes; fewer may share a line by chance

_BREAK = re.compile(rf"(</?(?:{'|'.join(sorted(BLOCKS))})(?:[\s/][^<>]*)?>|\n|[.!?…]\s+)", re.I)
_MARKS = " .!?…"
_HREF = re.compile(r"""\bhref\s*=\s*["']?([^"'\s<>]+)""", re.I)
_ADDRESS = re.compile(r"https?://[^\s<>\"')\]]+[^\s<>\"')\].,;:!?]", re.I)


def without_boilerplate(entries: "Sequence[Entry]") -> "tuple[Entry, ...]":
    """Return the entries of one show without what many of them repeat.

    Example: `without_boilerplate(feed.entries)[0].notes`
    """
    if len(entries) < _FEWEST:
        return tuple(entries)
    parts = [_BREAK.split(entry.notes) for entry in entries]
    keys = [[*map(_key, part[::2])] for part in parts]
    times = _times(keys)
    lines = _shared(times, len(entries))
    kept = []
    for part, own in zip(parts, keys, strict=True):
        said = (i for i, key in enumerate(own) if key)
        runs = (list(run) for often, run in groupby(said, lambda i: times[own[i]] >= _FEWEST) if often)  # noqa: B023
        row = {i for run in runs if len(run) >= _FEWEST for i in run}
        out = (key in lines or i in row for i, key in enumerate(own))
        # A sentence that is left out takes its mark with it.
        blocks = (
            "" if gone and parted[:1] in _MARKS else parted if gone else block + parted
            for block, parted, gone in zip(part[::2], [*part[1::2], ""], out, strict=True)
        )
        kept.append(re.sub(r"<li\b[^<>]*>\s*</li>\s*", "", "".join(blocks), flags=re.I))
    if addresses := _shared(_times(map(_ADDRESS.findall, kept)), len(entries)):
        kept = [_ADDRESS.sub(lambda m: "" if m[0] in addresses else m[0], text) for text in kept]
    return tuple(replace(entry, notes=text) for entry, text in zip(entries, kept, strict=True))


def _key(block: str) -> str:
    """Return the words and addresses of a block, without times."""
    if "<" in block:
        block = re.sub(r"<[^<>]*>", " ", block) + " " + " ".join(_HREF.findall(block))
    if ":" in block:
        block = re.sub(r"[(\[]?\b\d{1,3}(?::\d\d){1,2}\b[)\]]?", " ", block)
    return " ".join(block.casefold().split()).rstrip(_MARKS)


def _times(found: Iterable[Iterable[str]]) -> Counter[str]:
    """Return how many of the episodes have each text."""
    return Counter(text for texts in found for text in {*texts} if text)


def _shared(times: Counter[str], episodes: int) -> set[str]:
    often = {text for text, count in times.items() if count >= _FEWEST}
    return {text for text in often if times[text] * 5 >= episodes or text.count(" ") + 1 >= 8}
