"""Lists of feeds, as podcast players and feed readers export them (OPML, http://opml.org/spec2.opml)."""

import re
from collections.abc import Mapping
from xml.parsers import expat

from torchatlas.extract.feeds import http_host
from torchatlas.extract.mend import mend
from torchatlas.extract.text import decoded
from torchatlas.graph.errors import SourceError

_MOST = 5_000  # feeds
_HEAD = 4_000  # characters in which the root stands
_ROOT = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?opml(?=[\s/>])", re.I | re.A)
_OTHER = re.compile(r"<(?:rss|feed|rdf:rdf|html)[\s>]|^\s*[{[]", re.I)
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SCHEME = re.compile(r"^(?:feed|itpc|pcast|podcast):(?://)?(https?:)?", re.I)


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
    listed = _outlines(text)
    if listed is None:
        listed = _outlines(mend(text)[0], broken=True) or []
    found = dict.fromkeys(address for outline in listed if http_host(address := _feed_address(outline)))
    if not found:
        raise SourceError(f"{name} is a list of feeds (OPML) that names no address on the web; nothing to add")
    return tuple(found)[:_MOST]


def _feed_address(outline: Mapping[str, str]) -> str:
    """Return the address of the feed that an outline is, "" for another outline."""
    facts = {key.lower(): " ".join(value.split()) for key, value in outline.items()}
    address = facts.get("xmlurl") or (facts.get("url", "") if facts.get("type", "").lower() == "rss" else "")
    return _SCHEME.sub(lambda scheme: scheme[1] or "http://", address)


def _outlines(text: str, *, broken: bool = False) -> list[dict[str, str]] | None:
    """Return the attributes of the outlines; of a broken text, which is None otherwise, those before its fault."""
    found: list[dict[str, str]] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag.lower() == "outline":
            found.append({key: attributes[key] for key in attributes if key.lower() in ("type", "xmlurl", "url")})

    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = start
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError:
        return found if broken else None
    return found
