"""Broken XML to well-formed XML: common mistakes in feeds are mended, so that one bad entry costs one entry."""

import re
from html.entities import html5
from xml.sax.saxutils import escape

from torchatlas.extract.text import BLOCKS, DROPPED, INLINE

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
_TOKEN = re.compile(
    rf"<!\[CDATA\[|<!--|<\?|<![A-Za-z][^<>]*+>|</(?P<end>{_NAME})[^<>]*+>"
    rf"|<(?P<start>{_NAME})(?P<rest>(?:\s++{_ATTRIBUTE})*+)\s*+(?P<empty>/?)>|<"
)
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_REFERENCE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#[0-9]++|#[xX][0-9a-fA-F]++);)(?:\w++;)?+")
_VOID = {"br", "hr", "img", "input", "wbr", "col", "area", "embed"}
# Elements that hold a word or a line. Another element that begins inside means that the first was never closed.
_SHORT = {"title", "link", "guid", "id", "pubdate", "published", "updated", "author", "category", "duration", "date"}
_FIELDS = _SHORT | {"description", "enclosure", "summary", "content", "source", "comments", "rights"}
# Tags inside an entry's elements. Any other tag there, such as vector<int>, is text.
_INSIDE = BLOCKS | DROPPED | INLINE | _VOID | _FIELDS | {"name", "email", "uri", "url", "subtitle", "generator"}


def mend(text: str) -> tuple[str, bool]:
    """Return the document with all tags closed, and whether its end is missing; `text` begins with a tag.

    DOCTYPE and comments are left out. The time is linear in the length of the text.

    >>> mend("<rss><item><title>R&D<guid>1</item></rss>")[0]
    '<rss><item><title>R&amp;D</title><guid>1</guid></item></rss>'
    """
    root = re.match(f"<({_NAME})", text)
    cut = bool(root and not re.search(rf"</{re.escape(root[1])}\b", text, re.I))
    if cut:  # an entry whose title breaks off is none
        before, begun, last = text.rpartition("<item" if "<item" in text else "<entry")
        text = before if begun and not re.search(r"</(?:title|item|entry)\b", last, re.I) else text
    mender, at = _Mender(text), 0
    while token := _TOKEN.search(text, at):
        mender.write(text[at : token.start()])
        at = mender.take(token)
    mender.write(text[at:])
    return mender.whole(), cut


class _Mender:
    def __init__(self, text: str) -> None:
        self.text = text
        self.last = {mark: text.rfind(mark) for mark in ("-->", "?>")}
        self.out: list[str] = []
        self.stack: list[str] = []  # the names of what is open
        self.entry = 0  # where in the stack an entry is open
        self.root = ""  # its attributes; written last, when all prefixes are known
        self.prefixes: dict[str, str] = {}

    def take(self, token: re.Match[str]) -> int:
        """Write a token, and return where to go on."""
        found, at = token[0], token.end()
        mark = {"<!--": "-->", "<?": "?>"}.get(found, "")
        if found == "<![CDATA[":
            return self.data(at)
        if mark and at <= self.last[mark]:
            return self.text.find(mark, at) + len(mark)
        if token["start"]:
            self.begin(token, token["start"].rpartition(":")[2].lower())
        elif token["end"]:
            wanted = self.named(token["end"]).lower()
            self.close(max((i or 1 for i, name in enumerate(self.stack) if name.lower() == wanted), default=DEPTH))
        elif mark or found == "<":
            self.write(found)
        return at

    def data(self, start: int) -> int:
        """Write a CDATA section, and return where to go on; a section without an end is closed with its element."""
        following = self.text.find("<![CDATA[", start)
        until = following if following >= 0 else len(self.text)
        if (end := self.text.find("]]>", start, until)) < 0:
            closing = self.text.find(f"</{self.stack[-1]}", start, until) if self.stack else -1
            end = closing if closing >= 0 else until
        self.out.append(escape(self.text[start:end]))
        return end + 3 * self.text.startswith("]]>", end)

    def begin(self, token: re.Match[str], local: str) -> None:
        prefixed, field, is_entry = ":" in token["start"], self.entry + 1, local in {"item", "entry"}
        if self.entry and is_entry:
            self.close(self.entry)
        elif self.entry and len(self.stack) > field:
            if not prefixed and local not in _INSIDE:
                return self.write(token[0])
            if len(self.stack) == field + 1 and (prefixed or local in _FIELDS) and _is_short(self.stack[field]):
                self.close(field)
        if len(self.stack) >= DEPTH:
            return None
        name, attributes, empty = self.named(token["start"]), self.attributes(token["rest"]), token["empty"]
        if not self.stack:
            self.root, empty = attributes, ""
        else:
            empty = empty or "/" * (local in _VOID)
            self.out.append(f"<{name}{attributes}{empty}>")
        if not empty:
            self.entry = len(self.stack) if is_entry else self.entry
            self.stack.append(name)
        return None

    def close(self, place: int) -> None:
        """Close what is open from this place in the stack on."""
        self.out += [f"</{name}>" for name in reversed(self.stack[place:])]
        del self.stack[place:]
        self.entry = self.entry if self.entry < len(self.stack) else 0

    def named(self, name: str) -> str:
        """Return the name with a prefix that the root will declare; a prefix beyond `PREFIXES` is dropped."""
        prefix, _, local = name.rpartition(":")
        if prefix == "xmlns" or (prefix not in self.prefixes and len(self.prefixes) >= PREFIXES):
            return local
        if prefix not in {"", "xml"}:
            self.prefixes.setdefault(prefix, "")
        return name

    def attributes(self, written: str) -> str:
        kept: dict[str, str] = {}
        for name, value in _ATTRIBUTES.findall(written):
            bare = _REFERENCE.sub(_known, value.strip("\"'")).replace('"', "&quot;")
            prefix, colon, space = name.partition(":")
            if prefix == "xmlns" and colon:
                if bare and space not in {"xml", "xmlns"} and self.named(f"{space}:x") != "x":
                    self.prefixes[space] = self.prefixes[space] or bare
            elif len(kept) < ATTRIBUTES:
                kept.setdefault(self.named(name), bare)
        return "".join(f' {name}="{value}"' for name, value in kept.items())

    def write(self, text: str) -> None:
        self.out.append(_REFERENCE.sub(_known, text).replace("<", "&lt;").replace(">", "&gt;"))

    def whole(self) -> str:
        known = ((p, uri or NAMESPACES.get(p, f"urn:{p}")) for p, uri in sorted(self.prefixes.items()))
        spaces = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in known)
        root = f"<{self.stack[0]}{spaces}{self.root}>" if self.stack else ""
        self.close(0)
        return root + "".join(self.out) if root else ""


def _is_short(name: str) -> bool:
    return name.rpartition(":")[2].lower() in _SHORT


def _known(reference: re.Match[str]) -> str:
    """Return a reference as XML knows it: names of HTML become their letters, others stand for themselves."""
    return escape(html5.get(reference[0][1:], reference[0]))
