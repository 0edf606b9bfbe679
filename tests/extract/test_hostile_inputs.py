"""What hostile inputs cost must not grow faster than they do."""

from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from time import process_time

import pytest
from spacy.language import Language

from tests.extract.cases import cases
from torchatlas.extract.catalogue import parse_corrections
from torchatlas.extract.feeds import feed_addresses, parse
from torchatlas.extract.links import find_links
from torchatlas.extract.pages import read_page
from torchatlas.extract.pipeline import blanked, make_nlp
from torchatlas.extract.text import DEEPEST, nesting, to_text
from torchatlas.extract.transcripts import read_chapters, read_cues
from torchatlas.graph.errors import AtlasError, DataError
from torchatlas.graph.model import Concept

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


def read_corrections(document: bytes) -> object:
    return parse_corrections("corrections.toml", document.decode())


SHAPES = [  # the reader, what stands around the part, and the part that is repeated with a counter
    pytest.param(parse, ROOT, ' a{}="x"', id="attributes of the root"),
    pytest.param(parse, RSS, "<category>c{}</category>", id="categories"),
    pytest.param(parse, NOTES, "<ul><li>", id="lists in notes of a feed"),
    pytest.param(parse, RSS, "<a>", id="tags that do not end"),
    pytest.param(read_notes, "{}", "<ul><li>", id="lists in notes"),
    pytest.param(find_names, "{}", "NumPy (NP) ", id="abbreviations"),
    pytest.param(find_names, "{}x", "A", id="capitals"),
    pytest.param(find_names, "{}", "Xaa{} is a compiler. ", id="introduced"),
    pytest.param(find_names, "a compiler called A{}@", "a", id="letters"),
    pytest.param(find_names, "{}", "NumPy, JAX and Quill. ", id="lists of names"),
    pytest.param(find_names, "{}", "AAA BBB. ", id="loud words"),
    pytest.param(find_names, "NumPy, JAX {}", "a+", id="words joined by plus"),
    pytest.param(read_corrections, "{}a = 1", "a.", id="dotted key"),
    pytest.param(feed_addresses, "<opml><body>{}</body></opml>", "<outline text='a'>", id="outlines in outlines"),
    pytest.param(partial(read_page, name="page.html"), "<html>{}</html>", "<p>1<p>a<p>1:00", id="clocks of a page"),
    pytest.param(read_cues, "WEBVTT\n\n{}", "00:00:01.000 --> 00:00:02.000\nword{}\n\n", id="cues"),
    pytest.param(read_chapters, '{"chapters":[{}1]}', '{"startTime":{},"title":"a"},', id="chapters"),
]
"""What once grew with the square, and one more of each reader."""


def grown(around: str, part: str, size: int) -> bytes:
    before, after = around.split("{}", 1)
    return (before + "".join(part.replace("{}", str(n)) for n in range(size // len(part))) + after).encode()


def seconds(read: Callable[[bytes], object], document: bytes) -> float:
    begun = process_time()
    with suppress(AtlasError):
        read(document)
    return max(process_time() - begun, 1e-3)


@pytest.mark.slow
@pytest.mark.parametrize(("read", "around", "part"), SHAPES)
def test_what_a_hostile_input_costs_grows_with_its_size(
    read: Callable[[bytes], object], around: str, part: str
) -> None:
    seconds(read, grown(around, part, 1_000))  # imports are not counted
    small, large = (min(seconds(read, grown(around, part, size)) for _ in range(2)) for size in (100_000, 400_000))
    assert large < 10 * small or large < 0.4  # 4 is linear, 16 is the square


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


def test_categories_are_not_read_and_entries_are() -> None:
    feed = parse(b"<rss><channel><item><title>A</title><category>x</category><guid>g</guid></item></channel></rss>")
    assert [(e.episode.title, e.episode.guid) for e in feed.entries] == [("A", "g")]


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 50_000, "a = " + "{a=" * 50_000, "a = " + "1" * 5_000, "a." * 101 + "a=1"]
)
def test_a_hostile_corrections_file_is_told_in_one_line(text: str) -> None:
    with pytest.raises(DataError, match=r"^mine.toml:1: not valid TOML: [^\n]{10,100}$"):
        parse_corrections("mine.toml", text)
