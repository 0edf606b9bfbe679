"""From a feed's bytes to its entries, without a network. One bad entry costs one entry, and a line says which."""

import re
from collections.abc import Iterator

from torchatlas.extract.feeds.boilerplate import without_boilerplate
from torchatlas.extract.feeds.decoding import decoded
from torchatlas.extract.feeds.entries import Entry, Feed, distinct, entry, web
from torchatlas.extract.feeds.jsonfeed import read_json
from torchatlas.extract.feeds.limits import ENTRIES
from torchatlas.extract.feeds.show import stated_show
from torchatlas.extract.feeds.xmlfeed import read_xml
from torchatlas.graph.values.characters import visible
from torchatlas.graph.values.errors import SourceError

_EXPECTED = "expected RSS, Atom or JSON Feed"
_HEAD = 200_000
_TOML = re.compile(r"(?:\s|#[^\n]*\n)*+(?:\[\[?[\w.\"-]+\]\]?\s*(?:#[^\n]*)?\n|[\w.-]+[^\S\n]*=[^\S\n]*[\"'\[{\w])")
_SAID = 30  # lines about single entries


def parse(document: bytes, name: str = "the feed", most: int = ENTRIES) -> Feed:
    """Read RSS 0.9 to 2.0, RDF, Atom or JSON Feed. Raises SourceError, which names `name`, if the bytes are no feed.

    No more than `most` entries are read; where there are more, the first line of `skipped` says how many are left out.
    The notes come without what many of the entries share, such as a footer.

    >>> feed = parse(b'{"title": "Show", "items": [{"title": "Strides", "date_published": "2020-05-01"}]}')
    >>> feed.entries[0].episode.id
    'show/strides'
    """
    text = decoded(document)
    json = text.lstrip()[:1] in ("{", "[") and not _TOML.match(text)
    read = read_json(text, name, most) if json else read_xml(text, name, most)
    if read is None:
        raise SourceError(f"{name} is not a feed: {_guess(text, name)}")
    show = stated_show(read, name)
    entries: list[Entry] = []
    skipped: list[str] = []
    for place, raw in enumerate(read.entries, 1):
        try:
            entries.append(entry(raw, show))
        except ValueError as e:
            skipped.append(f"{name}: entry {place} left out: {e}")
    kept, again = distinct(entries)
    skipped += [f"{name}: {title!r} stands twice with the same guid" for title in again]
    if len(skipped) > _SAID:
        skipped[_SAID:] = [f"{name}: {len(skipped) - _SAID:,} more entries are left out or stand twice"]
    if read.note:
        skipped.insert(0, f"{name}: {read.note}")
    return Feed(show, without_boilerplate(kept), skipped=tuple(skipped), cut=read.cut)


def _guess(text: str, name: str) -> str:
    """Say what the text seems to be, for the error."""
    head = text[:_HEAD].lstrip().lower()
    if not head:
        return f"it is empty; {_EXPECTED}"
    if "<html" in head or head.startswith("<!doctype html"):
        feeds = list(dict.fromkeys(_announced(text[:_HEAD], name)))[:3]
        return "it is a web page" + (f"; its feed is {' or '.join(feeds)}" if feeds else f"; {_EXPECTED}")
    if "<opml" in head:
        return "it is a list of feeds (OPML); torchatlas add takes it"
    if _TOML.match(text):
        return "it is TOML; a vocabulary stands under `vocabularies` in your sources.toml"
    return f"there is no channel in it; {_EXPECTED}"


def _announced(page: str, name: str) -> Iterator[str]:
    """Yield the feeds that a page names in its head."""
    from selectolax.lexbor import LexborHTMLParser

    for link in LexborHTMLParser(page).css("link[rel~=alternate i][type][href]"):
        href, kind = link.attributes["href"] or "", link.attributes["type"] or ""
        if re.search(r"rss|atom|feed\+json", kind, re.I) and (address := web(href.strip(), name) or href.strip()):
            yield " ".join(visible(address).split())[:200]
