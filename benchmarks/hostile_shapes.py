"""Hostile inputs that grow: what is repeated, what stands around it, and the reader that it attacks."""

import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial

from torchatlas.extract.curated.corrections import parse_corrections
from torchatlas.extract.feeds import parse
from torchatlas.extract.links import find_links
from torchatlas.extract.mentions.noun_phrases import Span
from torchatlas.extract.mentions.own_names import own_names
from torchatlas.extract.mentions.text_terms import TermWords, text_terms
from torchatlas.extract.opml import feed_addresses
from torchatlas.extract.pages import read_page
from torchatlas.extract.text import to_text
from torchatlas.extract.transcripts import read_chapters, read_cues
from torchatlas.graph.values.ids import concept_id

Read = Callable[[bytes], object]


@dataclass(frozen=True, slots=True)
class Shape:
    """A hostile document: `around` says where its growing `part` stands, `{}` in a part is a counter."""

    name: str
    read: Read
    _: KW_ONLY
    around: str = "{}"
    part: str

    def document(self, size: int) -> bytes:
        """Return the document of about so many bytes.

        >>> Shape("a", bytes, around="<{}>", part="x{}").document(6)
        b'<x0x1>'
        """
        before, after = self.around.split("{}")
        count = max(1, size // len(self.part.encode()))
        return (before + "".join(self.part.replace("{}", str(n)) for n in range(count)) + after).encode()


RSS = "<rss version='2.0'><channel><title>S</title>{}</channel></rss>"
ITEM = f"<rss version='2.0'><channel><title>S</title><item><title>T</title>{'{}'}</item></channel></rss>"
NOTES = ITEM.replace("{}", "<description><![CDATA[{}]]></description>")
ATOM = "<feed xmlns='http://www.w3.org/2005/Atom'><title>S</title>{}</feed>"
OPML = "<opml><body>{}</body></opml>"
HTML = "<!DOCTYPE html><html><head><title>P</title></head><body>{}</body></html>"
CUE = "00:00:01.000 --> 00:00:02.000\n"

FEEDS: Mapping[str, tuple[str, str]] = {
    "entries": (RSS, "<item><title>t{}</title><guid>g{}</guid></item>"),
    "entries with one title": (RSS, "<item><title>t</title><guid>g{}</guid></item>"),
    "entries of Atom": (ATOM, "<entry><title>t{}</title><id>g{}</id></entry>"),
    "entries in entries": (RSS, "<item><title>t{}</title>"),
    "attributes of the root": ("<rss {}><channel><item><title>T</title></item></channel></rss>", ' a{}="x"'),
    "attributes without value": ("<rss {}><channel><item><title>T</title></item></channel></rss>", " a{}"),
    "attributes, fifty each": (RSS, "<p " + " ".join(f"a{n}=''" for n in range(50)) + "/>"),
    "namespaces of the root": ("<rss {}><channel><item><title>T</title></item></channel></rss>", ' xmlns:a{}="u{}"'),
    "namespaces of items": (RSS, '<item xmlns:a{}="u{}"><a{}:b/><title>T</title></item>'),
    "one namespace again": (RSS, '<item xmlns:a="u{}"><title>T</title></item>'),
    "tags that do not end": (ITEM, "<a>"),
    "tags of an unknown kind": (ITEM, "<x{}>"),
    "short tags that do not end": (ITEM, "<title>"),
    "ends without a beginning": (ITEM, "</x>"),
    "signs": (ITEM, "<"),
    "ampersands": (ITEM, "&"),
    "entities": (ITEM, "&lt;"),
    "unknown entities": (ITEM, "&x{};"),
    "numbered characters": (ITEM, "&#1;"),
    "declared entities": ("<!DOCTYPE rss [{}]>" + ITEM.replace("{}", "&a1;"), '<!ENTITY a{} "x">'),
    "comments that do not end": (ITEM, "<!--"),
    "comments": (ITEM, "<!-- x -->"),
    "sections that do not end": (ITEM, "<![CDATA["),
    "sections": (ITEM, "<description><![CDATA[x]]></description>"),
    "sections over entries": (RSS, "<item><title><![CDATA[t{}</title></item>"),
    "instructions": (ITEM, "<?a"),
    "declarations": (ITEM, "<!A "),
    "links": (ITEM, "<link>http://a.org/{}</link>"),
    "links of Atom": (ATOM.replace("{}", "<entry><title>T</title>{}</entry>"), "<link href='http://a.org/{}'/>"),
    "categories": (ITEM, "<category>c{}</category>"),
    "one category": (ITEM, "<category>c</category>"),
    "enclosures": (ITEM, "<enclosure url='http://a.org/{}.mp3' type='audio/mpeg'/>"),
    "authors": (ITEM, "<author>a{}@b.org (c)</author>"),
    "persons of Atom": (ATOM.replace("{}", "<entry><title>T</title>{}</entry>"), "<author><name>a{}</name></author>"),
    "media": (ITEM, "<media:content xmlns:media='http://search.yahoo.com/mrss/' url='http://a.org/{}'/>"),
    "dates": (ITEM, "<pubDate>Mon, 1 Jan 2020 00:00:00 GMT</pubDate>"),
    "a long date": (ITEM.replace("{}", "<pubDate>{}</pubDate>"), "1 "),
    "a date of digits": (ITEM.replace("{}", "<pubDate>{}</pubDate>"), "1"),
    "a long duration": (
        ITEM.replace("{}", "<x:duration xmlns:x='http://www.itunes.com/dtds/podcast-1.0.dtd'>{}</x:duration>"),
        "1:",
    ),
    "a long title": (ITEM.replace("<title>T</title>{}", "<title>{}</title>"), "ab "),
    "a title of one word": (ITEM.replace("<title>T</title>{}", "<title>{}</title>"), "a"),
    "a long guid": (ITEM.replace("{}", "<guid>{}</guid>"), "a "),
    "a long author": (ITEM.replace("{}", "<author>{}</author>"), "a@"),
    "an author in brackets": (ITEM.replace("{}", "<author>{}</author>"), "("),
    "a long base": (ITEM.replace("{}", "<description xml:base='http://a.org/{}'>x</description>"), "../"),
    "base in base": (RSS, "<item xml:base='a/'>"),
    "languages": (ITEM, "<description xml:lang='l{}'>x</description>"),
    "spaces": (ITEM, " "),
    "spaces in a tag": (ITEM.replace("{}", "<description {}"), " "),
    "a long name": (ITEM.replace("{}", "<{}/>"), "a"),
    "colons in a name": (ITEM.replace("{}", "<{}/>"), "a:"),
    "transcripts": (
        ITEM,
        "<p:transcript xmlns:p='https://podcastindex.org/namespace/1.0' url='http://a.org/{}' type='text/vtt'/>",
    ),
    "chapters of Podlove": (
        ITEM.replace("{}", "<c:chapters xmlns:c='http://podlove.org/simple-chapters'>{}</c:chapters>"),
        "<c:chapter start='1' title='t{}'/>",
    ),
    "tags in notes": (NOTES, "<b>"),
    "links in notes": (NOTES, "<a href='/{}'>a"),
    "lists in notes": (NOTES, "<ul><li>"),
    "JSON entries": ('{"title":"S","items":[{}{"id":"a"}]}', '{"id":"{}","title":"t{}"},'),
    "JSON in JSON": ("{}", "["),
    "JSON objects in JSON": ("{}", '{"items":'),
    "JSON keys": ('{"title":"S","items":[{}],"z":1}'.replace("{}", '{{}"id":1}'), '"k{}":1,'),
    "JSON numbers": ('{"title":"S","items":[{"id":{}}]}', "1"),
    "JSON escapes": ('{"title":"S","items":[{"id":"a","content_html":"{}"}]}', "\\ud83d"),
    "JSON attachments": ('{"title":"S","items":[{"id":"a","attachments":[{}1]}]}', '{"url":"http://a.org/{}"},'),
    "no feed": ("{}", "<rs "),
    "a page that names feeds": ("<html>{}", "<link rel=alternate type=rss href=a{}>"),
    "letters of an old encoding": ("<rss><channel><title>\u20ac</title>{}</channel></rss>", "\u0080"),
}
NOTE_PARTS: Mapping[str, str] = {
    "tags": "<b>",
    "links": "<a href=http://a.org/{}>a",
    "lists": "<ul><li>",
    "signs": "<",
    "signs and letters": "<a ",
    "quotes": "<a href='",
    "entities": "&lt;p&gt;",
    "lines": "\n",
    "addresses": "http://a.org/{} ",
    "dots": "a.",
    "brackets": "[a](",
    "closing brackets": "http://a.org/)",
    "slashes": "/",
    "words with at": "a@",
    "tables": "<table>",
    "items": "<li>a",
    "spaces": " ",
    "spaces and breaks": " \n",
    "numbers": "1:",
    "bullets": "\u2022 ",
    "underscores": "_",
    "parentheses": "(",
    "names with dots": "torch.a",
    "hyphens": "-",
    "formatting": "<b><i><p>",
    "fonts": "<font><p>",
}
NAMES: Mapping[str, tuple[str, str]] = {
    "introduced": ("{}", "Xaa{} is a compiler. "),
    "one that is introduced": ("{}", "Xaaa is a compiler. "),
    "capitals": ("{}x", "A"),
    "letters": ("a compiler called A{}@", "a"),
    "digits": ("{}x", "A1"),
    "words joined by plus": ("NumPy, JAX {}", "a+"),
    "lists": ("{}", "NumPy, JAX and Quill. "),
    "a long list": ("{}1", "NumPy, Quill and "),
    "loud words": ("{}", "AAA BBB. "),
    "abbreviations": ("{}", "NumPy (NP) "),
    "brackets": ("{}", "a b (AB) "),
    "kinds": ("{}", "the a compiler "),
    "names again": ("{}", "a Xaa b, "),
    "called": ("{}", 'called "a '),
    "spelled out": ("{}", "AB (a b-"),
}  # fmt: skip
TERMS: Mapping[str, tuple[str, str]] = {
    "a phrase again": ("{}", "log cache, "),
    "one run": ("{}", "cache "),
    "known words": ("{}", "fusion cache, "),
    "classes in words": ("{}", "a RunQueue{} and a run queue{}, "),
    "lines": ("{}", "log\ncache "),
}  # fmt: skip
PAGE_PARTS: Mapping[str, str] = {
    "tags that do not end": "<b>",
    "paragraphs": "<p>a",
    "items": "<li>a{}",
    "blocks": "<div>",
    "links": "<a href=http://a.org/{}>a</a>",
    "links on one line": "<a href=http://a.org/{}>a</a> b ",
    "scripts": "<script>",
    "buttons": "<button>",
    "images": "<img alt='a",
    "whole images": "<img alt='a'>",
    "images and spaces": "<img  ",
    "titles": "<title",
    "formatting": "<b><p>",
    "tables": "<table><tr><td>",
    "signs": "<",
    "breaks": "a<br>",
    "spaces": " ",
    "numbered": "<p>1) A<p>b",
    "read more": "<p>Read more",
    "avatars": "<p>A<p>Ab{}",
    "dates": "<p>01/02/20 \u2022 1 min<p>a",
    "numbers": "<p>1234567 series 7654321",
    "prose": "<p>This is a sentence {}. ",
    "a line of digits": "1",
    "clocks": "<p>1<p>a<p>1:00",
    "titled": "<p>1 a 1:00 ",
    "nested lists": "<ul><li>a</li>",
    "select": "<select><option>",
    "templates": "<template>",
    "svg": "<svg><a>",
    "forms": "<form>",
    "comments": "<!--",
}
CUE_PARTS: Mapping[str, str] = {
    "cues": f"{CUE}word{{}}\n\n",
    "cues without words": CUE,
    "lines of a cue": "word\n",
    "clocks": "00:",
    "arrows": "-->",
    "spaces before the arrow": " ",
    "tags": "<a ",
    "braces": "{\\",
    "entities": "&",
    "digits": "1",
    "numbers": "1\n",
}
OPML_PARTS: Mapping[str, str] = {
    "outlines": "<outline xmlUrl='http://a.org/{}'/>",
    "outlines in outlines": "<outline text='a'>",
    "attributes": "<outline b='' a='x'/>",
    "schemes": "<outline xmlUrl='feed:feed:feed:http://a.org/{}'/>",
    "signs": "<",
    "broken": "<outline xmlUrl=http://a.org/{} &>",
}
TOML_PARTS: Mapping[str, str] = {
    "topics": '[topic.t{}]\nname = "n{}"\n',
    "aliases": '[[alias]]\nconcept = "c{}"\nadd = ["a"]\n',
    "tables in tables": "[a.a{}]\n",
    "keys": "a{} = 1\n",
    "aliases that are wrong": "[[alias]]\nconcept = 1\n",
    "arrays": "a{} = [\n]\n",
    "spaces": " ",
    "lines": "\n",
    "comments": "# a\n",
    "edges": '[[edge]]\nfrom = "a"\nto = "b"\ntype = "USES"\nreason = "r"\n',
}
_LINE = {
    "dotted key": ("{}a = 1", "a."),
    "arrays in arrays": ("a = {}", "["),
    "tables in a table": ("a = {}", "{a="),
    "a long text": ('a = "{}"', "x"),
    "a long text of lines": ('a = """{}"""', "x\n"),
    "a long number": ("a = {}", "1"),
    "escapes": ('a = "{}"', "\\u0041"),
    "an inline table": ("a = {{}b=1}", "k{}=1,"),
    "names of one alias": ('[[alias]]\nconcept="a"\nadd=[{}]', '"a{}",'),
}


def shapes() -> tuple[Shape, ...]:
    """Return every shape, with the reader that it attacks."""
    page = partial(read_page, name="page.html")
    return (
        *(Shape(f"feed: {name}", parse, around=around, part=part) for name, (around, part) in FEEDS.items()),
        *(Shape(f"notes: {name}", _notes, part=part) for name, part in NOTE_PARTS.items()),
        *(Shape(f"names: {name}", _names, around=around, part=part) for name, (around, part) in NAMES.items()),
        *(Shape(f"names: {name}", _terms, around=around, part=part) for name, (around, part) in TERMS.items()),
        *(Shape(f"page: {name}", page, around=HTML, part=part) for name, part in PAGE_PARTS.items()),
        *(Shape(f"page of text: {name}", page, part=part) for name, part in NOTE_PARTS.items()),
        *(Shape(f"transcript: {n}", read_cues, around=f"WEBVTT\n\n{CUE}a{{}}", part=p) for n, p in CUE_PARTS.items()),
        Shape(
            "transcript: JSON", read_cues, around='{"segments":[{}1]}', part='{"startTime":{},"endTime":{},"body":"a"},'
        ),
        Shape("chapters: JSON", read_chapters, around='{"chapters":[{}1]}', part='{"startTime":{},"title":"a"},'),
        *(Shape(f"OPML: {name}", feed_addresses, around=OPML, part=part) for name, part in OPML_PARTS.items()),
        *(Shape(f"TOML: {name}", _corrections, part=part) for name, part in TOML_PARTS.items()),
        *(Shape(f"TOML: {name}", _corrections, around=around, part=part) for name, (around, part) in _LINE.items()),
    )


def _notes(document: bytes) -> object:
    return find_links(to_text(document.decode()))


def _names(document: bytes) -> object:
    text = document.decode()
    return own_names(text, [(*m.span(), m[0].lower()) for m in re.finditer("NumPy|JAX", text)])


def _terms(document: bytes) -> object:
    text = document.decode()
    known = [Span(*m.span(), concept_id(m[0])) for m in re.finditer(r"fusion|RunQueue\d*", text)]
    return text_terms(text, known, TermWords({"cache"}, ids={"fusion"}, systems=set()))


def _corrections(document: bytes) -> object:
    return parse_corrections("corrections.toml", document.decode())
