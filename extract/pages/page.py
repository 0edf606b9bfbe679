"""Episodes or posts on a saved page of any of the four known shapes. Touches no network."""

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace

from torchatlas.extract.pages.best_of import read_best_of
from torchatlas.extract.pages.blog import read_blog
from torchatlas.extract.pages.directory import read_directory
from torchatlas.extract.pages.entry import PageEntry, Shape, is_prose
from torchatlas.extract.pages.listing import read_listing
from torchatlas.extract.pages.saved import PageText, page_text
from torchatlas.graph.values.errors import SourceError

_FEED = re.compile(rb"(?:<\?xml[^>]*>|<!--[^>]*-->|\s)*<(?:rss|rdf:rdf|feed)[\s>]", re.I)
READERS: dict[Shape, Callable[[PageText], tuple[PageEntry, ...]]] = {
    "episode page": read_directory,
    "best-of page": read_best_of,
    "numbered listing": read_listing,
    "blog index": read_blog,
}


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
    found = {shape: reader(text) for shape, reader in READERS.items()}
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
