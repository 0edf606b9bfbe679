"""Lists of feeds, as podcast players and feed readers export them (OPML, http://opml.org/spec2.opml)."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import ParseError, fromstring

from torchatlas.extract.feeds import http_host
from torchatlas.extract.mend import mend
from torchatlas.extract.text import decoded
from torchatlas.graph.errors import SourceError

_ROOT = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?opml(?=[\s/>])", re.I | re.A)
_OTHER = re.compile(r"<(?:rss|feed|rdf:rdf|html)[\s>]|^\s*[{[]", re.I)
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SCHEME = re.compile(r"^(?:feed|itpc|pcast|podcast):(?://)?(https?:)?", re.I)


def feed_addresses(document: bytes, name: str = "the list") -> tuple[str, ...] | None:
    """Return the addresses on the web in an OPML document; None for another. Raises SourceError if it has none.

    >>> feed_addresses(b'<opml><body><outline xmlUrl="https://example.org/feed.xml"/></body></opml>')
    ('https://example.org/feed.xml',)
    """
    text = _ILLEGAL.sub("", decoded(document))
    root = _ROOT.search(text, 0, 4_000)
    if not root or _OTHER.search(text, 0, root.start()):
        return None
    try:
        listed = [*_addresses(text[root.start() :])]
    except ParseError:
        listed = [*_addresses(mend(text[root.start() :])[0])]
    if not (found := dict.fromkeys(filter(http_host, listed))):
        raise SourceError(f"{name} is a list of feeds (OPML) that names no address on the web; nothing to add")
    return tuple(found)[:5_000]


def _addresses(text: str) -> Iterator[str]:
    """Yield the addresses of the outlines. Raises ParseError."""
    for part in fromstring(text.encode()).iter():  # noqa: S314
        facts = {key.lower(): " ".join(value.split()) for key, value in part.attrib.items()}
        address = facts.get("xmlurl") or (facts.get("url", "") if facts.get("type", "").lower() == "rss" else "")
        if part.tag.rpartition("}")[2].lower() == "outline":
            yield _SCHEME.sub(lambda scheme: scheme[1] or "http://", address)
