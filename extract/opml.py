"""Lists of feeds, as podcast players and feed readers export them (OPML, http://opml.org/spec2.opml)."""

import re
from collections.abc import Mapping
from contextlib import suppress
from xml.parsers import expat

from torchatlas.extract.feeds import http_host
from torchatlas.extract.mend import mend
from torchatlas.extract.text import decoded
from torchatlas.graph.errors import SourceError

MOST = 5_000
_Outline = Mapping[str, str]
"""An outline's attributes by their names in lower case, those that tell of feeds."""

_FACTS = frozenset({"type", "xmlurl", "url"})
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
    listed = _outlines(document)
    if listed is None:
        return None
    found = dict.fromkeys(filter(http_host, map(_feed_address, listed)))
    if not found:
        raise SourceError(f"{name} is a list of feeds (OPML) that names no address on the web; nothing to add")
    return tuple(found)[:MOST]


def _feed_address(outline: _Outline) -> str:
    """Return the address of the feed that an outline is, "" for another outline.

    >>> _feed_address({"type": "rss", "url": "feed://example.org/1"}), _feed_address({"type": "link", "url": "/"})
    ('http://example.org/1', '')
    """
    address = outline.get("xmlurl") or (outline.get("url") if outline.get("type", "").lower() == "rss" else "") or ""
    address = re.sub(r"^(?:feed|itpc|pcast|podcast):(?://)?(?=https?:)", "", address, flags=re.I)
    return re.sub(r"^(?:feed|itpc|pcast|podcast)://", "http://", address, flags=re.I)


def _outlines(document: bytes) -> list[_Outline] | None:
    """Return the outlines of an OPML document, a parent before what is in it; None if the document is no OPML."""
    text = _ILLEGAL.sub("", decoded(document))
    root = _ROOT.search(text, 0, _HEAD)
    if not root or _OTHER.search(text, 0, root.start()):
        return None
    text = text[root.start() :]
    try:
        return _read(text, [])
    except expat.ExpatError:
        found: list[_Outline] = []
        with suppress(expat.ExpatError):
            _read(mend(text)[0], found)
        return found


def _read(text: str, found: list[_Outline]) -> list[_Outline]:
    """Add the outlines of a text to those that are found, and return them. Raises ExpatError where it is broken."""

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag.lower() == "outline":
            facts = ((key.lower(), " ".join(value.split())) for key, value in attributes.items())
            found.append({key: value for key, value in facts if key in _FACTS})

    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = start
    parser.Parse(text.encode(), True)
    return found
