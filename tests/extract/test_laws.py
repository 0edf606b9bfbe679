"""Laws of whatever comes: spans are verbatim, what is read can be written, and no input costs more than its size."""

from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from itertools import islice, pairwise
from time import process_time
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language

from tests.extract.cases import cases, concepts, entry
from tests.fuzz import PARTS, check, inputs
from tests.pages import BEST, best_of, directory
from tests.strategies import times
from torchatlas.extract.candidates import CandidateFinder
from torchatlas.extract.catalogue import parse_corrections
from torchatlas.extract.feeds import feed_addresses, parse
from torchatlas.extract.links import find_links, link_type, normal, url_spans
from torchatlas.extract.pages import read_page
from torchatlas.extract.pipeline import Extractor, blanked, make_nlp
from torchatlas.extract.text import DEEPEST, LONGEST, Text, decoded, mend, nesting, to_text
from torchatlas.extract.transcripts import Cue, ExplanationFinder, read_chapters, read_cues
from torchatlas.graph.errors import AtlasError, DataError, SourceError
from torchatlas.graph.findings import Extraction, Vocabulary
from torchatlas.graph.model import Concept, Episode

NAMES = """vmap, torch.export = export, fusion, __torch_function__, forward graph, backward graph, ATen, CMakeLists.txt,
    AOTAutograd, strides, Dynamo, Inductor, FX graphs, autograd, c10, tensor iterator, Vec256, C++ frontend"""
KNOWN = concepts(NAMES)


@cache
def extractor() -> Extractor:
    return Extractor(KNOWN, ["How the dispatcher picks a kernel"])


FINDER, SPOKEN = CandidateFinder(Vocabulary(tuple(KNOWN))), ExplanationFinder(KNOWN)


def spans_of_addresses(text: str) -> None:
    spans = url_spans(text)
    assert spans == sorted(spans)
    assert all(a < b and not any(c.isspace() for c in text[a:b]) for a, b in spans)
    assert all(b <= c for (_, b), (c, _) in pairwise(spans))
    assert all(link.url in text for link in find_links(Text(text)))


def mentions(text: str) -> None:
    found = extractor().mentions(text)
    assert all(text[m.start : m.end] == m.text and m.text for m in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


def findings(text: str) -> None:
    title, notes = text[: len(text) // 4], text[len(text) // 4 :]
    (found,) = extractor().extract([entry(notes, title)])
    for m in found.mentions:
        assert (title if m.field == "title" else found.text)[m.start : m.end] == m.text
    for s in found.statements:
        assert found.text[s.start : s.start + len(s.quote)] == s.quote and s.quote and s.subject != s.object


def candidates(text: str) -> None:
    texts = text.split(".")
    for c in FINDER.rank([Extraction(Episode(f"s/{i}", "x", show="s"), part) for i, part in enumerate(texts)]):
        whole = texts[int(c.episodes[0][2:])]
        assert c.score > 0 and c.count >= len(c.episodes) >= 1 and c.field == "description"
        assert whole[c.start : c.end] in c.quote and c.quote in whole
        assert c.text.split() == whole[c.start : c.end].split() or c.count > 1


def anchors(text: str) -> None:
    source = to_text(text)
    source.text.encode()
    assert "\r" not in source.text and "\x00" not in source.text
    assert all(0 <= anchor.start <= anchor.end for anchor in source.anchors)


def mended(text: str) -> None:
    if xml := mend("<rss>" + "".join(filter(str.isprintable, text)))[0]:  # controls go before
        fromstring(xml)


def cues(document: bytes) -> None:
    with suppress(SourceError):
        found = read_cues(document)
        assert found and all(0 <= c.start <= c.end and c.text for c in found)
        assert list(found) == sorted(found, key=lambda c: (c.start, c.end))


def explained(text: str) -> None:
    words = text.split()
    heard = SPOKEN.find(words)
    assert all(0 <= h.first < h.last <= len(words) and 0 < h.likeness <= 1 for h in heard)
    assert all(a.last <= b.first for a, b in pairwise(heard))


def page(text: str) -> None:
    with suppress(SourceError):
        entries = read_page(text.encode(), "page.txt").entries
        assert entries and all(e.title or e.text for e in entries)


ADDRESSES = cases("https:// | www. | x | . | ( | ) | / | … | ' | ] | [ | http://[ | :99 | ?a=b | #c | github.com/a/b/")
WORDS = cases("exported | forward | and | 👍🏽 | é | _ | \u200d | https://x.y/vmap | ( | . | …")
WORDS += [name.name for name in KNOWN]
STATED = """it | They | this mechanism | uses | is | built on | and | which | , | : | ; | ) | ? | 's | lets you | by
    into | before | after | between | first | listen to | the episode about | Prerequisites: | \u200f | <p> | <li> | '
    https://a.simplecast.com/episodes/vmap"""
MARKUP = cases("<p> | </p> | <li> | <a href=u> | </a> | x | <pre> | &amp; | <br>")
TAGS = """<item> | </item> | <title> | </title> | <a:b | c='d' | xmlns:a='b' | > | <b> | </b> | <![CDATA[ | ]]> | <!--
    --> | <? | ?> | & | &amp; | &x; | &#60; | < | = | ' | " | </rss> | <rss> | /> | <!D>"""
LINES = [f"{line}\n" for line in (*directory().split("\n"), *best_of(BEST).split("\n"), "<p>", "1) x", "Read more...")]
HEARD = cases("a | ten | auto | grad | see | c10 | the | V | map | 256 | + | x’s | tensor | iterator | mode | ß | Ⅷ")
CUES = [b"00:0", b"1", b":", b".5", b" --> ", b"\n", b"\r", b"<", b"&", b";", b"{", b"WEBVTT"]
LAWS: dict[str, tuple[Callable[[Any], object], list[Any]]] = {  # what must not raise, or be False; and pieces of texts
    "spans of addresses are ordered and verbatim": (spans_of_addresses, ADDRESSES),
    "an address has a type": (lambda text: bool(link_type(f"https://{text}")), ADDRESSES),
    "an address has a form": (lambda text: isinstance(normal(f"https://{text}"), str), ADDRESSES),
    "blanking keeps every offset": (
        lambda text: all(a in (b, " ") for a, b in zip(blanked(text), text, strict=True)),
        [*ADDRESSES, "x" * 3000],
    ),
    "mentions are verbatim and apart": (mentions, [*WORDS, "\n", "\n\n", "  "]),
    "findings are verbatim": (findings, [*WORDS, *cases(STATED), "\n", "\n\n", "\n  • ", "\n    • "]),
    "candidates are verbatim": (candidates, [*cases("Owl | owl_Q | a::b | (c) | the | . | Dr. | x"), "\n"]),
    "anchors lie in a text that can be written": (anchors, [*MARKUP, "\n"]),
    "what is mended is well-formed": (mended, cases(TAGS)),
    "UTF-8 reads back": (lambda text: decoded(f"<t>Größe Ünö {text}".encode()) == f"<t>Größe Ünö {text}", MARKUP),
    "bytes are a text": (lambda d: decoded(d).encode() is not None, [b"\xff\xfe", b"\xef\xbb\xbf", b"<\0", b"\0<"]),
    "bytes are read or refused": (check, PARTS),
    "bytes are ordered cues or refused": (cues, CUES),
    "explained names are spans in order without overlap": (explained, HEARD),
    "lines of a page are read or refused": (page, LINES),
}


def made_of(pieces: list[Any]) -> st.SearchStrategy[Any]:
    """Any text or bytes, and the pieces in any order, joined by nothing or by spaces."""
    if isinstance(pieces[0], bytes):
        return st.binary(max_size=400) | st.lists(st.sampled_from(pieces) | st.binary(max_size=4)).map(b"".join)
    some = st.lists(st.sampled_from(pieces) | st.text(max_size=3), max_size=30)
    return st.text(max_size=300) | some.map("".join) | some.map(" ".join)


@pytest.mark.parametrize("of", LAWS)
@settings(max_examples=times(150), deadline=None)
@given(data=st.data())
def test_a_law_of_any_text(of: str, data: st.DataObject) -> None:
    law, pieces = LAWS[of]
    assert law(data.draw(made_of(pieces))) is not False


HARD = [
    b"<rss><channel><item><title>&#%s;</title></item></channel></rss>" % number for number in (b"xD800", b"9" * 5000)
]
HARD += [b'{"items": [{"id": %s, "title": "x"}]}' % (b"9" * 400)]


@pytest.mark.slow
def test_the_first_damaged_documents_break_no_law() -> None:
    names = [Concept("vmap", "vmap", area="a"), Concept("tensor", "tensor", area="a", aliases=("strides",))]
    reader = Extractor(names)
    documents = enumerate((*HARD, *islice(inputs(seed=7), 300)))
    assert {check(document, None if n % 4 else reader) for n, document in documents} == {"read", "empty", "refused"}
    assert list(islice(inputs(3), 20)) == list(islice(inputs(3), 20)) != list(islice(inputs(4), 20))


RSS = "<rss version='2.0'><channel><title>S</title><item><title>T</title>{}</item></channel></rss>"
NOTES = RSS.replace("{}", "<description><![CDATA[{}]]></description>")
ROOT = "<rss {}><channel><item><title>T</title></item></channel></rss>"


def read_notes(document: bytes) -> object:
    return find_links(to_text(document.decode()))


@cache
def nlp() -> Language:
    return make_nlp([Concept("numpy", "NumPy", area="Libraries"), Concept("jax", "JAX", area="Libraries")], ["Quill"])


def find_names(document: bytes) -> object:
    return nlp()(blanked(document.decode()))


def rank(document: bytes) -> object:
    return FINDER.rank([Extraction(Episode("s/1", "x", show="s"), document.decode())])


SHAPES: dict[str, tuple[Callable[..., object], str, str]] = {
    # What once grew with the square, and one more of each reader: what stands around the part, and the part that is
    # repeated with a counter.
    "attributes of the root": (parse, ROOT, ' a{}="x"'),
    "categories": (parse, RSS, "<category>c{}</category>"),
    "lists in notes of a feed": (parse, NOTES, "<ul><li>"),
    "tags that do not end": (parse, RSS, "<a>"),
    "lists in notes": (read_notes, "{}", "<ul><li>"),
    "abbreviations": (find_names, "{}", "NumPy (NP) "),
    "capitals": (find_names, "{}x", "A"),
    "introduced": (find_names, "{}", "Xaa{} is a compiler. "),
    "letters": (find_names, "a compiler called A{}@", "a"),
    "lists of names": (find_names, "{}", "NumPy, JAX and Quill. "),
    "loud words": (find_names, "{}", "AAA BBB. "),
    "words joined by plus": (find_names, "NumPy, JAX {}", "a+"),
    "numbers of episodes": (find_names, "{}", "episode 12, "),
    "titles of episodes": (find_names, "{}", "Quill, episode 12, "),
    "links to episodes": (find_names, "{}", "See https://a-show.simplecast.com/episodes/quill "),
    "talks": (lambda d: SPOKEN.explained((Cue(0, 36_000, text=d.decode()),)), "{}", "strides "),
    "brackets": (find_names, "{} vmap", "("),
    "dotted key": (lambda d: parse_corrections("c.toml", d.decode()), "{}a = 1", "a."),
    "outlines in outlines": (feed_addresses, "<opml><body>{}</body></opml>", "<outline text='a'>"),
    "clocks of a page": (partial(read_page, name="page.html"), "<html>{}</html>", "<p>1<p>a<p>1:00"),
    "cues": (read_cues, "WEBVTT\n\n{}", "00:00:01.000 --> 00:00:02.000\nword{}\n\n"),
    "chapters": (read_chapters, '{"chapters":[{}1]}', '{"startTime":{},"title":"a"},'),
    "brackets behind an address": (read_notes, "https://x.invalid/{}", ")"),
    **{f"terms {p}": (rank, "{}", p) for p in ("amber reef ", "Amber Reef ", "a_b ", "ABC ", "x", "@", "a.", "owl\n")},
}


def grown(around: str, part: str, size: int) -> bytes:
    before, after = around.split("{}", 1)
    return (before + "".join(part.replace("{}", str(n)) for n in range(size // len(part))) + after).encode()


def seconds(read: Callable[[bytes], object], document: bytes) -> float:
    begun = process_time()
    with suppress(AtlasError):
        read(document)
    return max(process_time() - begun, 1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("of", SHAPES)
def test_what_a_hostile_input_costs_grows_with_its_size(of: str) -> None:
    read, around, part = SHAPES[of]
    seconds(read, grown(around, part, 1_000))  # imports are not counted
    large = seconds(read, grown(around, part, 200_000))
    if large > 0.1:  # 4 is linear, 16 is the square
        small = min(seconds(read, grown(around, part, 50_000)) for _ in range(2))
        assert large < 10 * small or seconds(read, grown(around, part, 200_000)) < 10 * small


UNCLOSED = cases("<div> | <b> | <a href=x>y | <ul><li> | <table> | < | & | <p>&# | <svg><desc> | <font x=1><p>")


@pytest.mark.slow
@pytest.mark.parametrize("part", UNCLOSED)
def test_hostile_markup_is_bounded(part: str) -> None:
    assert len(to_text(part * (LONGEST // len(part) + 10)).text) <= 4 * LONGEST


def test_notes_that_are_nested_too_deeply_are_read_without_their_tags() -> None:
    assert to_text("<ul><li>a" * 3 + "&amp;").text.count("\u2022") == 3
    text = to_text("<ul><li>a" * (DEEPEST + 1) + "&amp;").text
    assert "\u2022" not in text and text.count("a") == DEEPEST + 1 and text.endswith("&")


DEEP = cases("<div></b> | <b><div></b> | <span><div></span> | <div><table><td></div> | <svg><div> | <x/><div>")
FLAT = "<div><span></div> | <p>a | <ul><li>a</ul> | <svg><g><path/></svg> | <script><div></script> | <br/>"


@pytest.mark.parametrize("markup", [*DEEP, *cases(FLAT)])
def test_no_trick_hides_how_deep_tags_are_nested_and_what_pages_write_every_day_is_not_deep(markup: str) -> None:
    depth = nesting(markup * 600, DEEPEST)
    assert depth > DEEPEST if markup in DEEP else depth <= 2


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 50_000, "a = " + "{a=" * 50_000, "a = " + "1" * 5_000, "a." * 101 + "a=1"]
)
def test_a_hostile_corrections_file_is_told_in_one_line(text: str) -> None:
    with pytest.raises(DataError, match=r"^mine.toml:1: not valid TOML: [^\n]{10,100}$"):
        parse_corrections("mine.toml", text)
