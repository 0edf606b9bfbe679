"""From HTML or plain text to the text that offsets refer to."""

import html
import re
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from torchatlas.extract.english import words
from torchatlas.extract.nesting import nesting
from torchatlas.graph.values.characters import visible

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

LONGEST = 200_000
"""Characters that are read of one entry. Show notes have a few thousand."""

DEEPEST = 512
"""Tags inside one another, as in browsers: the time of the tree builder grows with the square of the depth."""

BLOCKS = words(
    """address article aside blockquote body br dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr html
    li main nav ol p pre section table td th tr ul"""
)
DROPPED = words("script style template noscript iframe object embed svg math head title select textarea")
INLINE = words(
    """a abbr audio b big button center cite code del em font form i img ins kbd label mark q s samp small source span
    strong sub sup tt u var video"""
)
_TAG = re.compile(rf"</?(?:{'|'.join(sorted(BLOCKS | DROPPED | INLINE))})(?:[\s/][^<>]*)?>|<!--", re.I)
_CLOSED = re.compile(r"</(?:p|a|li|div)\s*>|<br\s*/?>", re.I)
# A sign that begins no tag would take the text after it with it: "a<b and more".
_BARE = re.compile(r"<(?=[^<>\"'!]*(?:<|\Z))")
_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]+);")
_ANY = re.compile(r"<[^<>]*>")
_SPACES = re.compile(r"[ \t\n\r\f\xa0]+")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A hyperlink of the HTML: its words are `text[start:end]` of the whole text."""

    href: str
    start: int
    _: KW_ONLY
    end: int


@dataclass(frozen=True, slots=True)
class Text:
    """The text of an entry, and the hyperlinks in it."""

    text: str
    anchors: tuple[Anchor, ...] = ()


def to_text(markup: str, longest: int = LONGEST, base: str = "", *, deepest: int = DEEPEST) -> Text:
    """Return plain text without unseen characters; HTML with a line for each block and "• " before list items.

    `longest`: characters that are read. `base`: the address to which links are relative. HTML with more than `deepest`
    tags inside one another is read without its tags.

    >>> to_text("<p>See <a href='/a'>the guide</a>.</p><ul><li>one</ul>", base="https://example.org/")
    Text(text='See the guide.\\n  • one', anchors=(Anchor(href='https://example.org/a', start=4, end=13),))
    """
    markup = markup[:longest]
    if _TAG.search(markup):
        if nesting(markup, deepest) > deepest:
            return Text(visible(html.unescape(_ANY.sub(" ", markup))).strip())
        return _Writer(base).read(_BARE.sub("&lt;", markup))
    plain = html.unescape(markup) if _ENTITY.search(markup) else markup
    if plain != markup and _CLOSED.search(plain):  # escaped twice on its way into the feed
        return to_text(plain, longest, base, deepest=deepest)
    return Text(visible(plain).strip())


def masked(text: str, spans: Iterable[tuple[int, int]], sign: str) -> str:
    """Return the text with a sign in place of each letter in these (start, end) spans, so that offsets stay the same.

    >>> masked("See https://a.org now", [(4, 17)], " ")
    'See               now'
    """
    letters: list[str] = []
    for start, end in spans:
        letters = letters or list(text)
        letters[start:end] = sign * (end - start)
    return "".join(letters) if letters else text


def _completed(href: str, base: str) -> str:
    """Return a relative link as an address; a link within the page or with a scheme as it is."""
    if not base or href.startswith("#") or re.match(r"[a-z][a-z0-9+.-]*:", href, re.I):
        return href
    try:
        return urljoin(base, href)
    except ValueError:
        return href


class _Writer:
    """Collects the text of a tree, with white space collapsed as a browser does, and the place of each hyperlink."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.pieces: list[str] = []
        self.length = 0
        self.fresh = True  # at the start of a line: no break, no space is due
        self.spaced = True  # the last character is white space
        self.anchors: list[Anchor] = []
        self.opened: list[tuple[str, int]] = []
        self.inside = {"ul": 0, "ol": 0, "pre": 0}  # how many of them are open

    def read(self, markup: str) -> Text:
        from selectolax.lexbor import LexborHTMLParser

        root = LexborHTMLParser(markup).body
        if root is None:
            return Text("")
        node, end = root, root.mem_id
        while True:  # a loop, not recursion: a hostile page nests deeper than Python's stack
            if self.enter(node) and node.child is not None:
                node = node.child
                continue
            self.leave(node)
            while node.mem_id != end and node.next is None and node.parent is not None:
                node = node.parent
                self.leave(node)
            if node.mem_id == end or node.next is None:
                break
            node = node.next
        return Text("".join(self.pieces).rstrip(), tuple(self.anchors))

    def enter(self, node: "LexborNode") -> bool:
        """Write the text before the children; return False if the children are not to be read."""
        tag = node.tag or ""
        if tag == "-text":
            self.words(visible(node.text_content or ""))
            return False
        if tag in self.inside:
            self.inside[tag] += 1
        if tag == "iframe" and (source := (node.attributes.get("src") or "").strip()):
            self.anchors.append(Anchor(_completed(source, self.base), self.length, end=self.length))
        if tag in DROPPED or tag.startswith("-"):
            return False
        if tag in BLOCKS:
            self.line()
        if tag == "a":
            self.opened.append(((node.attributes.get("href") or "").strip(), self.length))
        elif tag == "li":
            self.put("  " * min(self.inside["ul"] + self.inside["ol"], 8) + "• ")
            self.fresh = self.spaced = True
        return True

    def leave(self, node: "LexborNode") -> None:
        tag = node.tag or ""
        if tag in self.inside:
            self.inside[tag] -= 1
        if tag == "a" and self.opened:
            href, start = self.opened.pop()
            if href:
                self.anchors.append(Anchor(_completed(href, self.base), start, end=self.length))
        if tag in BLOCKS:
            self.line()

    def words(self, text: str) -> None:
        if not self.inside["pre"]:
            # Feeds made from plain notes indent their lists with spaces inside <p>: the depth is worth keeping.
            item = bool(self.pieces) and self.pieces[-1].endswith("• ")
            indent = text[: len(text) - len(text.lstrip(" \xa0"))] if self.fresh and not item else ""
            text = _SPACES.sub(" ", text)
            if self.spaced:
                text = text.lstrip(" ")
            if text and 2 <= len(indent) <= 16:
                text = " " * len(indent) + text
        if text:
            self.put(text)
            self.spaced = text[-1].isspace()
            self.fresh = self.spaced and self.fresh and not text.strip()

    def line(self) -> None:
        """End the line, unless it has just begun."""
        if not self.fresh:
            self.put("\n")
        self.fresh = self.spaced = True

    def put(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)
