"""Lists of feeds, as podcast players and feed readers export them (OPML, http://opml.org/spec2.opml)."""

import re
from contextlib import suppress
from xml.parsers import expat

from torchatlas.extract.feeds.decoding import decoded
from torchatlas.extract.feeds.entries import http_host
from torchatlas.extract.feeds.mend import mend
from torchatlas.graph.values.errors import SourceError

MOST = 5_000
_ROOT = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?opml(?=[\s/>])", re.I | re.A)
_OTHER = re.compile(r"<(?:rss|feed|rdf:rdf|html)[\s>]|^\s*[{[]", re.I)
_HEAD = 4_000  # characters in which the root stands
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def feed_addresses(document: bytes, name: str = "the list") -> tuple[str, ...] | None:
    """Return the feeds of an OPML document, each once, in its order; None if the document is no OPML.

    Only addresses on the web count, because a list from somewhere else must not name files of this machine.
    Raises SourceError, which names `name`, if the list has no such address.

    >>> feed_addresses(b'<opml><body><outline xmlUrl="https://example.org/feed.xml"/></body></opml>')
    ('https://example.org/feed.xml',)
    """
    text = _ILLEGAL.sub("", decoded(document))
    root = _ROOT.search(text, 0, _HEAD)
    if not root or _OTHER.search(text, 0, root.start()):
        return None
    text = text[root.start() :]
    found: dict[str, None] = {}

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag.lower() == "outline" and len(found) < MOST:
            facts = {key.lower(): " ".join(value.split()) for key, value in attributes.items()}
            address = facts.get("xmlurl") or (facts.get("url") if facts.get("type", "").lower() == "rss" else "") or ""
            address = re.sub(r"^(?:feed|itpc|pcast|podcast):(?://)?(?=https?:)", "", address, flags=re.I)
            address = re.sub(r"^(?:feed|itpc|pcast|podcast)://", "http://", address, flags=re.I)
            if http_host(address):
                found[address] = None

    for version in (text, mend(text).text):
        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = start
        with suppress(expat.ExpatError):
            parser.Parse(version.encode(), True)
            break
    if not found:
        raise SourceError(f"{name} is a list of feeds (OPML) that names no address on the web; nothing to add")
    return tuple(found)
