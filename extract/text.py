"""Bytes and HTML to the text that offsets refer to; XML mended; notes without boilerplate."""

import codecs
import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

from torchatlas.extract.english import words
from torchatlas.graph.names import visible

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from torchatlas.extract.feeds import Entry
_MARKED = {"utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE), "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)}
_NAME = r"[A-Za-z0-9][\w.:-]{0,40}"
_DECLARED = re.compile(
    rf"""<\?xml[^>]*?\sencoding\s*=\s*["'](?P<xml>{_NAME})["']|<meta\s[^>]*?charset\s*=\s*["']?(?P<html>{_NAME})""",
    re.A | re.I,
)
# Names read as supersets: https://encoding.spec.whatwg.org/#names-and-labels
_SUPERSETS = {"ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "gb2312": "gb18030", "gbk": "gb18030"}
_SUPERSETS |= {"shift_jis": "cp932", "euc_kr": "cp949", "tis-620": "cp874"}
_NOT_FOR_TEXTS = ("utf-8", "utf-16", "utf-32", "idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape")
_HALVES = re.compile(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]|\xed[\xa0-\xbf][\x80-\xbf]")
_WINDOWS = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)}


def decoded(document: bytes, stated: str = "") -> str:
    """Return the text of XML, JSON or HTML. Bad bytes cost a letter each.

    Tries a byte order mark, UTF-8, the declaration, the sender's `stated` encoding,
    then UTF-8 with the Windows-1252 bytes that many feeds contain.

    >>> decoded("<?xml encoding='koi8-r'?><a>Привет</a>".encode("koi8-r"))[-10:-4]
    'Привет'
    """
    for encoding, marks in _MARKED.items():
        if document.startswith(marks):
            return document.decode(encoding, "replace")
    even, odd = document[:64:2].count(0), document[1:64:2].count(0)
    if max(even, odd) > 0.35 * len(document[:64]):  # UTF-16 without a mark
        return document.decode("utf-16-le" if odd > even else "utf-16-be", "replace")
    text = _HALVES.sub(_joined, document.removeprefix(codecs.BOM_UTF8)).decode("utf-8", "surrogateescape")
    strays = len(re.findall("[\udc80-\udcff]", text))
    letters = len(text) - len(text.encode("ascii", "ignore")) - strays
    found = _DECLARED.search(text[:2_000])
    try:
        declared = codecs.lookup((found["xml"] or found["html"] if found else stated) or "utf-8").name
        b"<".decode(declared, "replace")  # codecs that are not for text (zlib, hex) are refused here
    except (LookupError, UnicodeError):
        declared = "utf-8"
    if document.startswith(codecs.BOM_UTF8) or declared.startswith(_NOT_FOR_TEXTS):
        declared = ""
    declared = _SUPERSETS.get(declared, declared)
    if declared and letters < max(3, 4 * strays) and (strays or declared != "cp1252"):
        return document.decode(declared, "replace")
    runs = re.findall("[\udc80-\udcff]{3,}", text) if not declared and letters < strays else []
    if runs and 2 * sum(map(len, runs)) >= strays:  # words of another script
        from charset_normalizer import from_bytes

        first = text.index(runs[0])  # a place in the text is at most that place in the document
        if best := from_bytes(document[max(0, first - 200) :][:10_000]).best():
            return document.decode(best.encoding, "replace")
    return text.translate(_WINDOWS) if strays else text


def _joined(halves: re.Match[bytes]) -> bytes:
    """Join surrogates written one by one in UTF-8, as Java does; one alone is no letter."""
    whole = halves[0].decode("utf-8", "surrogatepass")
    return whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


_ANY_TAG = re.compile(r"<(/?)([a-z][\w-]*)", re.A)
_UNNESTED = words("area base br col dd dt embed hr img input li link meta option p param source td th tr track wbr")
_RAW = words("script style svg textarea title")
_LOOSE = words("abbr cite data dfn kbd label mark q samp span time var")
_LEFT = re.compile(r"<(?:article|b|blockquote|center|code|dd|div|dl|em|h[1-6]|i|li|ol|p|pre|s|small|span|table|u|ul)\b")


def nesting(markup: str, most: int) -> int:
    """Return how deep tags may be nested at most, but no more than `most` + 1.

    Omits scripts and tags that HTML closes. An end tag closes loose ones (span).

    >>> nesting("<div><p>a<p>b</div><div><span></div><ul><b></ul></i>", 10)
    2
    """
    lowered, stack, deepest, place = markup.lower(), list[str](), 0, 0
    while deepest <= most and (found := _ANY_TAG.search(lowered, place)):
        closing, tag = found.groups()
        place = found.end()
        if closing:
            for at in range(len(stack) - 1, max(-1, len(stack) - 20), -1):
                if stack[at] == tag:
                    del stack[at:]
                elif stack[at] in _LOOSE:
                    continue
                break
        elif tag in _RAW:
            end = lowered.find(f"</{tag}", place)
            # HTML ends a picture at once that has tags of a page in it.
            if tag == "svg" and (end < 0 or _LEFT.search(lowered, place, end)):
                stack.append(tag)
            else:
                place = end if end >= 0 else len(lowered)
        elif tag not in _UNNESTED:
            stack.append(tag)
        deepest = max(deepest, len(stack))
    return deepest


LONGEST = 200_000  # characters of an entry; notes have some thousands
DEEPEST = 512  # tags inside one another, as in browsers: the tree builder takes time for their square
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
_CLOSED_TAG = re.compile(r"</(?:p|a|li|div)\s*>|<br\s*/?>", re.I)
_ATTRIBUTE_ALONE = r"""\b(?:alt|class|href|rel|src|style|target|title)="[^"]*"\s*"""
_TORN = re.compile(f"(?:{_ATTRIBUTE_ALONE}){{2,}}/?>?|{_ATTRIBUTE_ALONE}/?>")  # a tag without its beginning
# A sign that begins no tag would take the text after it with it: "a<b and more".
_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]+);")


class Anchor(NamedTuple):
    """A hyperlink of the HTML: its words are `text[start:end]` of the whole text."""

    href: str
    start: int
    end: int


class Text(NamedTuple):
    """A text and its hyperlinks."""

    text: str
    anchors: tuple[Anchor, ...] = ()


def to_text(markup: str, longest: int = LONGEST, base: str = "", *, deepest: int = DEEPEST) -> Text:
    """Return plain text; of HTML, a line per block and "• " for list items.

    `base`: for relative links. HTML deeper than `deepest` only loses its tags.

    >>> to_text("<p>See <a href='/a'>the guide</a>.</p><ul><li>one</ul>").text
    'See the guide.\\n  • one'
    """
    markup = markup[:longest]
    if _TAG.search(markup):
        if nesting(markup, deepest) > deepest:
            return Text(visible(html.unescape(re.sub(r"<[^<>]*>", " ", markup))).strip())
        return _written(re.sub(r"<(?=[^<>\"'!]*(?:<|\Z))", "&lt;", markup), base)
    plain = html.unescape(markup) if _ENTITY.search(markup) else markup
    if plain != markup and _CLOSED_TAG.search(plain):  # escaped twice
        return to_text(plain, longest, base, deepest=deepest)
    return Text(visible(plain).strip())


def masked(text: str, spans: Iterable[tuple[int, int]], sign: str) -> str:
    """Return the text with a sign for each letter in (start, end) spans: `masked("See a.org", [(4, 9)], " ")`."""
    letters = list(text)
    for start, end in spans:
        letters[start:end] = sign * (end - start)
    return "".join(letters)


def _written(markup: str, base: str) -> Text:
    """Return the text of HTML, with spaces collapsed, and its hyperlinks."""
    from selectolax.lexbor import LexborHTMLParser

    pieces, anchors, opened, inside = list[str](), list[Anchor](), list[tuple[str | None, int]](), Counter[str]()
    length, fresh, spaced = 0, True, True  # `fresh`: a new line; `spaced`: after a space
    for node, entering in _walked(LexborHTMLParser(markup).body):
        tag, piece, link = node.tag or "", "", None
        inside[tag] += 1 if entering else -1
        if tag in BLOCKS:
            piece, fresh, spaced = "" if fresh else "\n", True, True
        if tag == "-text" and entering:
            piece = visible(node.text_content or "")
            if not inside["pre"]:
                piece = _TORN.sub("", piece) if '="' in piece and "<" not in piece and not inside["code"] else piece
                # Feeds made from plain notes indent lists in <p>: keep the depth.
                item = "".join(pieces[-1:]).endswith("• ")
                indent = len(piece) - len(piece.lstrip(" \xa0")) if fresh and not item else 0
                piece = re.sub(r"[ \t\n\r\f\xa0]+", " ", piece).lstrip(" " if spaced else "")
                piece = " " * indent + piece if piece and 2 <= indent <= 16 else piece
            if piece:
                spaced = piece[-1].isspace()
                fresh = spaced and fresh and not piece.strip()
        elif tag == "li" and entering:
            piece += "  " * min(inside["ul"] + inside["ol"], 8) + "• "
        elif tag == "a" and entering:
            opened.append((node.attributes.get("href"), length))
        elif tag == "a" and opened:
            link = opened.pop()
        elif tag == "iframe" and entering:
            link = node.attributes.get("src"), length
        if link and (href := (link[0] or "").strip()):
            if base and not re.match(r"#|[a-z][a-z0-9+.-]*:", href, re.I):
                with suppress(ValueError):
                    href = urljoin(base, href)
            anchors.append(Anchor(href, link[1], length))
        pieces += [piece] if piece else []
        length += len(piece)
    return Text("".join(pieces).rstrip(), tuple(anchors))


def _walked(root: "LexborNode | None") -> Iterator[tuple["LexborNode", bool]]:
    """Yield each node before and after its children, without recursion."""
    stack = [(root, True)] if root else []
    while stack:
        node, entering = stack.pop()
        yield node, entering
        if entering:
            stack.append((node, False))
            if node.tag not in DROPPED:
                stack += [(child, True) for child in node.iter(include_text=True)][::-1]


DEPTH, PREFIXES, ATTRIBUTES = 100, 60, 50  # feedparser takes time for the square of the attributes
_XML_NAME = r"[A-Za-z_][A-Za-z0-9_.-]*+(?::[A-Za-z_][A-Za-z0-9_.-]*+)?+"
_ATTRIBUTE = rf"""({_XML_NAME})(?:\s*+=\s*+("[^"<]*+"|'[^'<]*+'|[^\s"'<>]++))?+"""
_XML_TOKEN = re.compile(
    rf"(?P<text>[^<]++)|</(?P<end>{_XML_NAME})[^<>]*+>"
    rf"|<(?P<start>{_XML_NAME})(?P<rest>(?:\s++{_ATTRIBUTE})*+)\s*+(?P<empty>/?)>"
    r"|<!\[CDATA\[(?:(?P<data>(?:[^]<]++|](?!]>)|<(?!!\[CDATA\[))*+)]]>)?"
    r"|<!--(?:[^-<]++|-(?!->)|<(?!!--))*+-->|<\?(?:[^?<]++|\?(?!>)|<(?!\?))*+\?>|<![A-Za-z][^<>]*+>|(?P<sign><)"
)
_XMLNS = re.compile(r"""\sxmlns:(?!xml)([A-Za-z_][\w.-]{0,60})\s*+=\s*+["']([^"'<>&\s]{1,200})["']""", re.A)
_BARE = re.compile(r"&(?![\w#]++;)")
_SHORT = words("title link guid id pubdate published updated author category duration date")
# Elements of one line, and all in an entry. Other tags there, as <b>, are text.
_FIELDS = _SHORT | words("description enclosure summary content source comments rights name email uri url")


def mend(text: str, namespaces: Mapping[str, str] | None = None) -> tuple[str, bool]:
    """Return the document with tags closed, and whether its end is missing.

    >>> mend("<rss><item><title>R&D<guid>1</item></rss>")[0].partition("<item>")[2]
    '<title>R&amp;D</title><guid>1</guid></item></rss>'
    """
    root = re.match(f"<({_XML_NAME})", text)
    cut = bool(root and not re.search(rf"</{re.escape(root[1])}\b", text, re.I))
    before, begun, last = text.rpartition("<item" if "<item" in text else "<entry")
    if cut and begun and not re.search(r"</(?:title|item|entry)\b", last, re.I):
        text = before  # an entry whose title breaks off is none
    spaces = {prefix: uri for prefix, uri in (namespaces or {}).items() if f"{prefix}:" in text}
    spaces |= dict(_XMLNS.findall(text)[:PREFIXES])
    out, stack, entry, raw = list[str](), list[str](), 0, False  # `entry`: its place in the stack
    for token in _XML_TOKEN.finditer(text):
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
            out.append(html.escape(data or (written if raw else html.unescape(_BARE.sub("&amp;", written)))))
    return "".join(out + [f"</{name}>" for name in reversed(stack)]), cut


def _named(name: str, spaces: Mapping[str, str]) -> str:
    return name if name.partition(":")[0] in {name, "xml", *spaces} else name.replace(":", "_")


def _attributes(written: str, spaces: Mapping[str, str]) -> str:
    pairs = [(_named(name, spaces), v) for name, v in re.findall(_ATTRIBUTE, written) if not name.startswith("xmlns:")]
    kept = {
        name: html.escape(html.unescape(_BARE.sub("&amp;", v.strip("\"'")))) for name, v in pairs[:ATTRIBUTES][::-1]
    }
    written = "".join(f' {name}="{value}"' for name, value in reversed(kept.items()))
    return written.replace(' type="xhtml"', ' type="html"')


_FEWEST = 5  # episodes; fewer may share a line by chance
_BREAK = re.compile(rf"(</?(?:{'|'.join(sorted(BLOCKS))})(?:[\s/][^<>]*)?>|\n|[.!?…]\s+)", re.I)
_MARKS = " .!?…"
_HREF = re.compile(r"""\bhref\s*=\s*["']?([^"'\s<>]+)""", re.I)
_ADDRESS = re.compile(r"https?://[^\s<>\"')\]]+[^\s<>\"')\].,;:!?]", re.I)


def without_boilerplate(entries: "Sequence[Entry]") -> "tuple[Entry, ...]":
    """Return the entries of one show without what many of them repeat.

    What recurs from page to page is a template (Bar-Yossef and Rajagopalan, "Template
    detection via data mining and its applications", 2002). Example: `without_boilerplate(feed.entries)[0].notes`
    """
    if len(entries) < _FEWEST:
        return tuple(entries)
    parts = [_BREAK.split(entry.notes) for entry in entries]
    keys = [[*map(_key, part[::2])] for part in parts]
    times = _times(keys)
    lines = _shared(times, len(entries))
    kept = []
    for part, own in zip(parts, keys, strict=True):
        said = (i for i, key in enumerate(own) if key)
        runs = (list(run) for often, run in groupby(said, lambda i: times[own[i]] >= _FEWEST) if often)  # noqa: B023
        row = {i for run in runs if len(run) >= _FEWEST for i in run}
        out = (key in lines or i in row for i, key in enumerate(own))
        blocks = (
            "" if gone and parted[:1] in _MARKS else parted if gone else block + parted
            for block, parted, gone in zip(part[::2], [*part[1::2], ""], out, strict=True)
        )
        kept.append(re.sub(r"<li\b[^<>]*>\s*</li>\s*", "", "".join(blocks), flags=re.I))
    if addresses := _shared(_times(map(_ADDRESS.findall, kept)), len(entries)):
        kept = [_ADDRESS.sub(lambda m: "" if m[0] in addresses else m[0], text) for text in kept]
    return tuple(replace(entry, notes=text) for entry, text in zip(entries, kept, strict=True))


def _key(block: str) -> str:
    """Return the words and addresses of a block, without times."""
    if "<" in block:
        block = re.sub(r"<[^<>]*>", " ", block) + " " + " ".join(_HREF.findall(block))
    if ":" in block:
        block = re.sub(r"[(\[]?\b\d{1,3}(?::\d\d){1,2}\b[)\]]?", " ", block)
    return " ".join(block.casefold().split()).rstrip(_MARKS)


def _times(found: Iterable[Iterable[str]]) -> Counter[str]:
    """Return how many of the episodes have each text."""
    return Counter(text for texts in found for text in {*texts} if text)


def _shared(times: Counter[str], episodes: int) -> set[str]:
    often = {text for text, count in times.items() if count >= _FEWEST}
    return {text for text in often if times[text] * 5 >= episodes or text.count(" ") + 1 >= 8}
