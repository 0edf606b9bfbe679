"""Broken XML to well-formed XML: common mistakes in feeds are repaired, so that one bad entry costs one entry.

The time is linear in the length of the text. Two libraries were tried on the 13 cases of `tests/extract/test_mend.py`.
lxml 6.1 with `recover=True` passes 3: it drops "&D" of "R&D" and the text after "<", and takes the rest of an entry
into a title that is not closed. feedparser 6.0's reader for broken XML makes "R&D;" of it, and loses the title and
the guid of an entry whose title or CDATA section is not closed.
"""

import re
from dataclasses import KW_ONLY, dataclass
from html.entities import html5
from xml.sax.saxutils import escape

from torchatlas.extract.fetch import ENTRIES
from torchatlas.extract.text import BLOCKS, DROPPED, INLINE

DEPTH = 100
"""Elements inside one another."""

PREFIXES = 60
"""Prefixes of namespaces, besides the known ones."""

TOKENS = 2_000_000
"""Tags and signs; ten thousand entries of marked-up notes have half as many."""

ATTRIBUTES = 50
"""Attributes of an element: media:content has fourteen. feedparser takes time for the square of their number."""

PEOPLE = 100
"""People whom a feed or an entry credits: each is looked for in the texts."""


def most_tokens(entries: int) -> int:
    """Return how many tags and signs are read where so many entries are: more only for more than the usual ones.

    >>> most_tokens(10), most_tokens(10 * ENTRIES)
    (2000000, 20000000)
    """
    return max(TOKENS, entries * TOKENS // ENTRIES)


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

# The second is the address under which the namespace was first published. Many feeds still state it.
PODCAST = {
    NAMESPACES["podcast"],
    "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
}


_NAME = r"[A-Za-z_][A-Za-z0-9_.-]*+(?::[A-Za-z_][A-Za-z0-9_.-]*+)?+"
_VALUE = r"""(?:"[^"<]*+"|'[^'<]*+'|[^\s"'<>]++)"""
_TOKEN = re.compile(
    rf"<!\[CDATA\[|<!--|<\?|<![A-Za-z][^<>]*+>|</({_NAME})[^<>]*+>"
    rf"|<({_NAME})((?:\s++{_NAME}(?:\s*+=\s*+{_VALUE})?+)*+)\s*+(/?)>|<|&(?:(#[0-9]++|#[xX][0-9a-fA-F]++|\w++);)?+"
)
_ATTRIBUTE = re.compile(rf"({_NAME})(?:\s*+=\s*+({_VALUE}))?+")
_REFERENCE = re.compile(r"&(?:(#[0-9]++|#[xX][0-9a-fA-F]++|\w++);)?+")
_VOID = {"br", "hr", "img", "input", "wbr", "col", "area", "embed"}
_XML = {"amp", "lt", "gt", "quot", "apos"}
# Elements that hold a word or a line. Another element that begins inside means that the first was never closed.
_SHORT = {"title", "link", "guid", "id", "pubdate", "published", "updated", "author", "category", "duration", "date"}
_FEED = _SHORT | {"description", "enclosure", "summary", "content", "source", "comments", "rights"}
# Tags inside an entry's elements. Any other tag there, such as vector<int>, is text.
_INSIDE = BLOCKS | DROPPED | INLINE | _VOID | _FEED | {"name", "email", "uri", "url", "subtitle", "generator"}


@dataclass(frozen=True, slots=True)
class Mended:
    """Well-formed XML. `cut`: the feed ends before its end tag; `more`: it holds more than is read."""

    text: str
    cut: bool = False
    _: KW_ONLY
    more: bool = False


def mend(text: str, most: int = ENTRIES) -> Mended:
    """Return the document from its first tag on, without DOCTYPE and comments, with all tags closed.

    No more than `most` entries are read.

    >>> mend("<rss><item><title>R&D<guid>1</item></rss>").text
    '<rss><item><title>R&amp;D</title><guid>1</guid></item></rss>'
    """
    return _Mender(text, most).run()


@dataclass(frozen=True, slots=True)
class _Open:
    """An element that has begun: its name, that in lower case, that without its prefix, and its place in the output."""

    name: str
    lower: str
    _: KW_ONLY
    local: str
    place: int


class _Mender:
    def __init__(self, text: str, most: int) -> None:
        self.text = text
        self.most, self.most_tokens = most, most_tokens(most)
        self.out: list[str] = []
        self.stack: list[_Open] = []
        self.root = ("", "")  # its name and attributes; written last, when all prefixes are known
        self.prefixes: dict[str, str] = {}
        self.entries = self.tokens = 0
        self.entry = 0  # where in the stack an entry is open
        self.marks: dict[str, int] = {}
        self.ended = self.more = False
        self.titled = False  # the title of the entry that is open is whole

    def run(self) -> Mended:
        at = 0
        while not self.more and (token := _TOKEN.search(self.text, at)):
            self.write(self.text[at : token.start()])
            at = self.take(token)
            self.tokens += 1
            self.more |= self.tokens > self.most_tokens
        if not self.more:
            self.write(self.text[at:])
        cut = bool(self.stack) and not self.ended
        if cut and not self.titled and self.entry:
            del self.out[self.stack[self.entry].place :]
            del self.stack[self.entry :]
        while len(self.stack) > 1:
            self.out.append(f"</{self.stack.pop().name}>")
        name, attributes = self.root
        spaces = "".join(
            f' xmlns:{p}="{uri or NAMESPACES.get(p, "urn:" + p)}"' for p, uri in sorted(self.prefixes.items())
        )
        body = f"<{name}{spaces}{attributes}>{''.join(self.out)}</{name}>" if name else ""
        return Mended(body, cut and not self.more, more=self.more)

    def take(self, token: re.Match[str]) -> int:
        """Write a token, and return where to go on."""
        found = token[0]
        if found == "<![CDATA[":
            return self.data(token.end())
        if found in {"<!--", "<?"}:
            end = self.find("-->" if found == "<!--" else "?>", token.end())
            if end < 0:
                self.write_safe("&lt;" + found[1:])
            return token.end() if end < 0 else end + (3 if found == "<!--" else 2)
        if token[2]:
            self.begin(token[2], token[3], empty=bool(token[4]))
        elif token[1]:
            self.close(token[1])
        elif found == "<":
            self.write_safe("&lt;")
        elif found[0] == "&":
            self.write_safe(_known(token[5]))
        return token.end()

    def data(self, start: int) -> int:
        """Write a CDATA section, and return where to go on; a section without an end is closed with its element."""
        end, next_one = self.find("]]>", start), self.find("<![CDATA[", start)
        stop, after = end, end + 3
        if end < 0 or 0 <= next_one < end:
            until = len(self.text) if next_one < 0 else next_one
            closing = self.text.find(f"</{self.stack[-1].name}", start, until) if self.stack else -1
            if closing >= 0 or end < 0:
                stop = after = closing if closing >= 0 else until
        self.write(self.text[start:stop].replace("&", "&amp;").replace("<", "&lt;"))
        return after

    def find(self, mark: str, start: int) -> int:
        """Return where the mark stands next, or -1. Each stretch of text is searched once."""
        known = self.marks.get(mark, 0)
        if 0 <= known < start or mark not in self.marks:
            known = self.marks[mark] = self.text.find(mark, start)
        return known

    def begin(self, name: str, attributes: str, *, empty: bool) -> None:
        local = name.rsplit(":", 1)[-1].lower()
        if local in {"item", "entry"}:
            if self.entry:
                self.close_to(self.entry)
            self.entries += 1
            self.titled = False
        elif self.entry and len(self.stack) > self.entry + 1:
            if ":" not in name and local not in _INSIDE:
                self.write_safe(f"&lt;{name}{escape(attributes)}&gt;")
                return
            field = self.entry + 1
            if len(self.stack) == field + 1 and self.stack[field].local in _SHORT and (":" in name or local in _FEED):
                self.close_to(field)
        self.more = self.entries > self.most
        if self.more or len(self.stack) >= DEPTH:
            return
        name = self.named(name)
        written = self.attributes(attributes)
        if not self.root[0]:
            self.root = (name, written)
            self.stack.append(_Open(name, name.lower(), local=local, place=0))
            return
        if empty or local in _VOID:
            self.out.append(f"<{name}{written}/>")
        else:
            if local in {"item", "entry"}:
                self.entry = len(self.stack)
            self.stack.append(_Open(name, name.lower(), local=local, place=len(self.out)))
            self.out.append(f"<{name}{written}>")

    def close(self, name: str) -> None:
        """Close the element of that name and what was left open in it; an end without a beginning is dropped."""
        wanted = self.named(name).lower()
        for place in range(len(self.stack) - 1, -1, -1):
            if self.stack[place].lower == wanted:
                self.ended |= place == 0
                self.titled |= wanted == "title"
                self.close_to(max(place, 1))
                return

    def close_to(self, place: int) -> None:
        while len(self.stack) > place:
            self.out.append(f"</{self.stack.pop().name}>")
        if self.entry >= len(self.stack):
            self.entry = 0

    def named(self, name: str) -> str:
        """Return the name with a prefix that the root will declare; a prefix beyond `PREFIXES` is dropped."""
        prefix, colon, local = name.partition(":")
        if not colon or prefix == "xml":
            return name
        if prefix == "xmlns" or (prefix not in self.prefixes and len(self.prefixes) >= PREFIXES):
            return local
        self.prefixes.setdefault(prefix, "")
        return name

    def attributes(self, written: str) -> str:
        kept: dict[str, str] = {}
        for name, value in _ATTRIBUTE.findall(written):
            bare = _REFERENCE.sub(lambda m: _known(m[1]), value.strip("\"'")).replace('"', "&quot;")
            if name.startswith("xmlns:"):
                if bare and name[6:] not in {"xml", "xmlns"} and self.named(f"{name[6:]}:x") != "x":
                    self.prefixes[name[6:]] = self.prefixes[name[6:]] or bare
            elif len(kept) < ATTRIBUTES:
                kept.setdefault(self.named(name), bare)
        return "".join(f' {name}="{value}"' for name, value in kept.items())

    def write(self, text: str) -> None:
        if text:
            self.write_safe(text.replace("]]>", "]]&gt;"))

    def write_safe(self, text: str) -> None:
        if self.stack:
            self.out.append(text)


def _known(reference: str | None) -> str:
    """Return a reference as XML knows it: names of HTML become their letters, others stand for themselves."""
    if not reference:
        return "&amp;"
    if reference[0] == "#" or reference in _XML:
        return f"&{reference};"
    letters = html5.get(f"{reference};")
    return escape(letters) if letters else f"&amp;{reference};"
