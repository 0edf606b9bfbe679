"""The shape of an XML document: whether it is well-formed, and the parts of its entries that feedparser loses."""

import re
from dataclasses import KW_ONLY, dataclass, field
from html import escape
from xml.parsers import expat

from torchatlas.extract.feeds.limits import ATTRIBUTES, DEPTH, ENTRIES, PEOPLE, PREFIXES, most_tokens
from torchatlas.extract.feeds.namespaces import NAMESPACES, PODCAST
from torchatlas.extract.feeds.podcast import Transcript

_ROOT = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?(?:rss|rdf|feed|channel)(?=[\s/>])", re.I | re.A)
_ENTITY = re.compile(r"""<!ENTITY\s+([A-Za-z]\w{0,30})\s+(?:"([^"&<%]{0,100})"|'([^'&<%]{0,100})')\s*>""", re.A)
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_HALVES = re.compile("([\ud800-\udbff])([\udc00-\udfff])|[\ud800-\udfff]")
_NUMBERED = re.compile(r"&#(?:[xX]([0-9a-fA-F]++)|([0-9]++));")
# feedparser collects these in a list that it searches for each of them, and nothing here needs them.
_TAGS = re.compile(r"<(/?)(?:[^\s<>/:]+:)?(?:category|keywords|subject|tags)(?=[\s/>])", re.I)
_REPLACED = 10_000  # references to a feed's own entities that are written out


@dataclass(slots=True)
class Extras:
    """The parts of an entry that feedparser loses: those of the podcast namespace, and texts as they are written.

    `texts` may have "title", "guid", "episode" and "season" (of podcast), "encoded" (content:encoded), "description"
    and "summary" (of itunes); `credits` has people of the entry and its channel that are no guests. feedparser
    completes a guid like an address, writes a media:title over the title, and one description over another:
    https://github.com/kurtmckee/feedparser/issues/195, https://github.com/kurtmckee/feedparser/issues/126.
    """

    transcripts: list[Transcript] = field(default_factory=list)
    chapters_url: str = ""
    _: KW_ONLY
    guests: list[str] = field(default_factory=list)
    credits: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)


def feed_part(text: str) -> str:
    """Return the text from the feed's first tag on, without characters that XML forbids; "" if there is no such tag.

    >>> feed_part("<?xml version='1.0'?><rss>a&#0;b</rss>")
    '<rss>ab</rss>'
    """
    root = _ROOT.search(text)
    if not root:
        return ""
    head, body = text[: root.start()], text[root.start() :]
    body = _NUMBERED.sub(_character, body)
    body = _ILLEGAL.sub("", _HALVES.sub(_letter, body))
    body = _TAGS.sub(r"<\1unread", body)
    own = {name: escape(double or single) for name, double, single in _ENTITY.findall(head)}
    if own:
        body = re.sub(r"&([A-Za-z]\w*+);", lambda m: own.get(m[1], m[0]), body, count=_REPLACED)
    return body


def extras(text: str, most: int = ENTRIES) -> list[Extras] | None:
    """Return the extras of each entry, in order; None for a document that is not well-formed or too large.

    >>> extras("<rss><item><guid>1</guid></item></rss>")[0].texts
    {'guid': '1'}
    """
    if _swallows(text):
        return None
    survey = _Survey(most)
    try:
        survey.parser.Parse(text.encode(), True)
    except (expat.ExpatError, _TooMuch):
        return None
    for found in survey.found:
        found.credits += survey.credits[:PEOPLE]
    return survey.found


class _TooMuch(Exception):
    """The document is larger than `limits` allows."""


class _Survey:
    def __init__(self, most: int) -> None:
        self.most, self.most_tokens = most, most_tokens(most)
        self.parser = expat.ParserCreate("utf-8", " ")
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.StartNamespaceDeclHandler = self.declared
        self.parser.buffer_text = True
        self.found: list[Extras] = []
        self.credits: list[str] = []  # of the channel
        self.depth = self.elements = 0
        self.prefixes: set[str | None] = set()
        self.entry = 0  # the depth of the entry that is open
        self.space = ""  # its namespace
        self.key = ""  # of the text that is being kept
        self.kept: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        self.elements += 1
        space, _, local = name.rpartition(" ")
        if local in {"item", "entry"} and not self.entry:
            self.entry, self.space = self.depth, space
            self.found.append(Extras())
        too_many = self.elements > self.most_tokens or len(self.found) > self.most
        if too_many or self.depth > DEPTH or len(attributes) > ATTRIBUTES:
            raise _TooMuch
        if self.key:  # tags inside a text, which feedparser puts together
            self.keep("")
        if self.entry and self.depth == self.entry + 1:
            if space in PODCAST and (url := attributes.get("url", "").strip()):
                self.podcast(local, url, attributes)
            self.keep(self.text_of(space, local, attributes))
        elif not self.entry and space in PODCAST and local == "person":
            self.keep("person")

    def podcast(self, local: str, url: str, attributes: dict[str, str]) -> None:
        if local == "chapters":
            self.found[-1].chapters_url = url
        elif local == "transcript":
            kind, language = attributes.get("type", ""), attributes.get("language", "")
            self.found[-1].transcripts.append(Transcript(url, kind.strip(), language=language.strip()))

    def text_of(self, space: str, local: str, attributes: dict[str, str]) -> str:
        """Return the key under which an element's text is kept; "" for an element whose text is not needed."""
        if space in PODCAST:
            guest = local == "person" and attributes.get("role", "").strip().casefold() == "guest"
            return "guest" if guest else local if local in {"episode", "person", "season"} else ""
        if space == self.space and local in {"title", "guid", "id", "description"}:
            return "guid" if local == "id" else local
        if (space, local) == (NAMESPACES["content"], "encoded"):
            return "encoded"
        return "summary" if (space.lower(), local) == (NAMESPACES["itunes"], "summary") else ""

    def keep(self, key: str) -> None:
        """Keep the characters that follow as this text; "" keeps none."""
        self.key = key
        self.kept = []
        self.parser.CharacterDataHandler = self.kept.append if key else None

    def end(self, _name: str) -> None:
        if self.key:
            text = "".join(self.kept)
            if self.key == "guest":
                self.found[-1].guests.append(text)
            elif self.key == "person":
                (self.found[-1] if self.entry else self).credits.append(text)
            else:
                self.found[-1].texts.setdefault(self.key, text)
            self.keep("")
        if self.depth == self.entry:
            self.entry = 0
        self.depth -= 1

    def declared(self, prefix: str | None, _uri: str) -> None:
        self.prefixes.add(prefix)
        if len(self.prefixes) > PREFIXES + len(NAMESPACES):
            raise _TooMuch


def _swallows(text: str) -> bool:
    """Return whether a CDATA section without an end runs into the next entry: well-formed XML that nobody meant."""
    start, end = text.find("<![CDATA["), 0
    while start >= 0:
        if end < start and (end := text.find("]]>", start)) < 0:
            return False
        following = text.find("<![CDATA[", start + 9)
        if 0 <= following < end and re.search(r"</(?:item|entry)\s*>", text[start:following]):
            return True
        start = following
    return False


def _character(reference: re.Match[str]) -> str:
    """Return the character for a reference that XML forbids, U+FFFD for a number beyond Unicode."""
    hexadecimal, decimal = reference.groups()
    digits = (hexadecimal or decimal).lstrip("0")[:9] or "0"
    code = int(digits, 16 if hexadecimal else 10)
    if code > 0x10FFFF:
        return "\ufffd"
    letter = chr(code) if not 0x80 <= code <= 0x9F else bytes([code]).decode("cp1252", "replace")
    return letter if letter != chr(code) or _ILLEGAL.match(letter) or _HALVES.match(letter) else reference[0]


def _letter(halves: re.Match[str]) -> str:
    high, low = halves.groups()
    return chr(0x10000 + ((ord(high) - 0xD800) << 10) + (ord(low) - 0xDC00)) if low else "\ufffd"
