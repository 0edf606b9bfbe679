"""Broken XML to well-formed XML, so that a bad entry costs only itself."""

import re
from collections.abc import Mapping
from html import escape, unescape

from torchatlas.extract.english import words
from torchatlas.extract.text import BLOCKS, INLINE

DEPTH, PREFIXES, ATTRIBUTES = 100, 60, 50  # feedparser takes time for the square of the number of attributes

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
_BARE = re.compile(r"&(?![\w#]++;)")
_SHORT = words("title link guid id pubdate published updated author category duration date")
# Elements of one line, and all in an entry. Other tags there, as <b>, are text.
_FIELDS = _SHORT | words("description enclosure summary content source comments rights name email uri url")


def mend(text: str, namespaces: Mapping[str, str] | None = None) -> tuple[str, bool]:
    """Return the document with tags closed, and whether its end is missing.

    >>> mend("<rss><item><title>R&D<guid>1</item></rss>")[0].partition("<item>")[2]
    '<title>R&amp;D</title><guid>1</guid></item></rss>'
    """
    root = re.match(f"<({_NAME})", text)
    cut = bool(root and not re.search(rf"</{re.escape(root[1])}\b", text, re.I))
    before, begun, last = text.rpartition("<item" if "<item" in text else "<entry")
    if cut and begun and not re.search(r"</(?:title|item|entry)\b", last, re.I):
        text = before  # an entry whose title breaks off is none
    spaces = {prefix: uri for prefix, uri in (namespaces or {}).items() if f"{prefix}:" in text}
    spaces |= dict(_DECLARED.findall(text)[:PREFIXES])
    out, stack, entry, raw = list[str](), list[str](), 0, False  # `entry`: where in the stack of open tags one stands
    for token in _TOKEN.finditer(text):
        start, end = (_named(token[tag] or "", spaces) for tag in ("start", "end"))
        local, place = (start or end).rpartition(":")[2].lower(), DEPTH
        data, written = token["data"], token["text"] or token["sign"]
        in_field = entry and len(stack) > entry + 1
        in_text = in_field and not (":" in start + end or local in _FIELDS)
        if start and entry and local in {"item", "entry"}:
            place = entry
        elif start and in_text:
            start, written = "", token[0]
        elif start and in_field and len(stack) == entry + 2 and stack[-1].rpartition(":")[2].lower() in _SHORT:
            place = entry + 1
        elif end:
            place = max((i or 1 for i, name in enumerate(stack) if name.lower() == end.lower()), default=DEPTH)
            written = token[0] if in_text and place == DEPTH and local in BLOCKS | INLINE else None
        raw = place >= len(stack) and (raw or token[0] == "<![CDATA[")  # no end: up to that of its tag
        out += [f"</{name}>" for name in reversed(stack[place:])]
        del stack[place:]
        entry = entry if entry < len(stack) else 0
        if start and len(stack) < DEPTH:
            empty = "/" if token["empty"] and stack else ""
            declared = "" if stack else "".join(f' xmlns:{p}="{uri}"' for p, uri in sorted(spaces.items()))
            out.append(f"<{start}{declared}{_attributes(token['rest'], spaces)}{empty}>")
            entry = len(stack) if local in {"item", "entry"} and not empty else entry
            stack += [] if empty else [start]
        elif stack and (data or written):
            out.append(escape(data or (written if raw else unescape(_BARE.sub("&amp;", written)))))
    return "".join(out + [f"</{name}>" for name in reversed(stack)]), cut


def _named(name: str, spaces: Mapping[str, str]) -> str:
    return name if name.partition(":")[0] in {name, "xml", *spaces} else name.replace(":", "_")


def _attributes(written: str, spaces: Mapping[str, str]) -> str:
    pairs = [(_named(name, spaces), v) for name, v in _ATTRIBUTES.findall(written) if not name.startswith("xmlns:")]
    kept = {name: escape(unescape(_BARE.sub("&amp;", v.strip("\"'")))) for name, v in pairs[:ATTRIBUTES][::-1]}
    written = "".join(f' {name}="{value}"' for name, value in reversed(kept.items()))
    return written.replace(' type="xhtml"', ' type="html"')
