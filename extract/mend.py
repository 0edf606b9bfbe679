"""Broken XML to well-formed XML: common mistakes in feeds are mended, so that one bad entry costs one entry."""

import re
from html.entities import html5
from itertools import islice
from xml.sax.saxutils import escape

from torchatlas.extract.english import words
from torchatlas.extract.text import BLOCKS, INLINE

NAMESPACES = {
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "podcast": "https://podcastindex.org/namespace/1.0",
    "dc": "http://purl.org/dc/elements/1.1/",
    "media": "http://search.yahoo.com/mrss/",
    "atom": "http://www.w3.org/2005/Atom",
    "psc": "http://podlove.org/simple-chapters",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
}
"""The XML namespaces that podcasts use, by the prefixes that they are usually given."""

DEPTH = 100  # elements inside one another
PREFIXES = 60  # prefixes of namespaces, besides the known ones
ATTRIBUTES = 50  # of an element: media:content has fourteen. feedparser takes time for the square of their number.

_NAME = r"[A-Za-z_][A-Za-z0-9_.-]*+(?::[A-Za-z_][A-Za-z0-9_.-]*+)?+"
_ATTRIBUTE = rf"""({_NAME})(?:\s*+=\s*+("[^"<]*+"|'[^'<]*+'|[^\s"'<>]++))?+"""
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_TOKEN = re.compile(
    rf"(?P<text>[^<]++)|</(?P<end>{_NAME})[^<>]*+>"
    rf"|<(?P<start>{_NAME})(?P<rest>(?:\s++{_ATTRIBUTE})*+)\s*+(?P<empty>/?)>"
    r"|<!\[CDATA\[(?:(?P<data>(?:[^]<]++|](?!]>)|<(?!!\[CDATA\[))*+)]]>)?"
    r"|<!--(?:[^-<]++|-(?!->)|<(?!!--))*+-->|<\?(?:[^?<]++|\?(?!>)|<(?!\?))*+\?>|<![A-Za-z][^<>]*+>|(?P<sign><)"
)
_DECLARED = re.compile(r"""\sxmlns:(?!xml)([A-Za-z_][\w.-]{0,60})\s*+=\s*+["']([^"'<>&\s]{1,200})["']""", re.A)
_REFERENCE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#[0-9]++|#[xX][0-9a-fA-F]++);)(?:\w++;)?+")
# Elements that hold a word or a line. Another element that begins inside means that the first was never closed.
_SHORT = words("title link guid id pubdate published updated author category duration date")
# Elements inside those of an entry. Any other tag there, such as <b> or vector<int>, is a part of the text.
_FIELDS = _SHORT | words("description enclosure summary content source comments rights name email uri url")


def mend(text: str) -> tuple[str, bool]:
    """Return the document with all tags closed, and whether its end is missing; `text` begins with a tag.

    DOCTYPE and comments are left out. The time is linear in the length of the text.

    >>> mend("<rss><item><title>R&D<guid>1</item></rss>")[0].partition("<item>")[2]
    '<title>R&amp;D</title><guid>1</guid></item></rss>'
    """
    root = re.match(f"<({_NAME})", text)
    cut = bool(root and not re.search(rf"</{re.escape(root[1])}\b", text, re.I))
    if cut:  # an entry whose title breaks off is none
        before, begun, last = text.rpartition("<item" if "<item" in text else "<entry")
        text = before if begun and not re.search(r"</(?:title|item|entry)\b", last, re.I) else text
    spaces = {prefix: uri for prefix, uri in NAMESPACES.items() if f"{prefix}:" in text}
    spaces |= {found[1]: found[2] for found in islice(_DECLARED.finditer(text), PREFIXES)}
    out: list[str] = []
    stack: list[str] = []  # the names of what is open
    entry = 0  # where in the stack an entry is open
    raw = False  # in a CDATA section without an end, which ends with its element
    for token in _TOKEN.finditer(text):
        start, end, data = _named(token["start"] or "", spaces), _named(token["end"] or "", spaces), token["data"]
        local, place = (start or end).rpartition(":")[2].lower(), DEPTH  # the place in the stack from which on to close
        in_field, written = entry and len(stack) > entry + 1, token["text"] or token["sign"]
        in_text = in_field and not (":" in start or ":" in end or local in _FIELDS)
        if start and entry and local in {"item", "entry"}:
            place = entry
        elif start and in_text:
            start, written = "", token[0]
        elif start and in_field and len(stack) == entry + 2 and stack[-1].rpartition(":")[2].lower() in _SHORT:
            place = entry + 1
        elif end:
            place = max((i or 1 for i, name in enumerate(stack) if name.lower() == end.lower()), default=DEPTH)
            written = token[0] if in_text and place == DEPTH and local in BLOCKS | INLINE else None
        raw = place >= len(stack) and (raw or token[0] == "<![CDATA[")
        out += [f"</{name}>" for name in reversed(stack[place:])]
        del stack[place:]
        entry = entry if entry < len(stack) else 0
        if start and len(stack) < DEPTH:
            attributes = _attributes(token["rest"], spaces).replace(' type="xhtml"', ' type="html"')  # now it is text
            if not stack:
                attributes = "".join(f' xmlns:{p}="{uri}"' for p, uri in sorted(spaces.items())) + attributes
            empty = token["empty"] if stack else ""
            out.append(f"<{start}{attributes}{empty}>")
            entry = len(stack) if local in {"item", "entry"} and not empty else entry
            stack += [] if empty else [start]
        elif stack and (data or written):
            whole = escape(data or written) if data or raw else _REFERENCE.sub(_known, written)
            out.append(whole.replace("<", "&lt;").replace(">", "&gt;"))
    out += [f"</{name}>" for name in reversed(stack)]
    return "".join(out), cut


def _named(name: str, spaces: dict[str, str]) -> str:
    """Return a name whose prefix is declared; a colon behind another prefix becomes an underscore."""
    return name if name.partition(":")[0] in {name, "xml", *spaces} else name.replace(":", "_")


def _attributes(written: str, spaces: dict[str, str]) -> str:
    kept: dict[str, str] = {}
    for name, value in _ATTRIBUTES.findall(written):
        if len(kept) < ATTRIBUTES and not name.startswith("xmlns:"):
            kept.setdefault(_named(name, spaces), _REFERENCE.sub(_known, value.strip("\"'")).replace('"', "&quot;"))
    return "".join(f' {name}="{value}"' for name, value in kept.items())


def _known(reference: re.Match[str]) -> str:
    """Return a reference as XML knows it: names of HTML become their letters, others stand for themselves."""
    return escape(html5.get(reference[0][1:], reference[0]))
