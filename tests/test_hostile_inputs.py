"""What hostile inputs cost must not grow faster than they do. The shapes are those of `benchmarks.hostile_shapes`."""

import pytest

from benchmarks.hostile_inputs import GROWS, cost
from benchmarks.hostile_shapes import Shape, shapes
from torchatlas.extract.curated.corrections import parse_corrections
from torchatlas.extract.feeds import parse
from torchatlas.extract.text import DEEPEST, nesting, to_text
from torchatlas.graph.values.errors import DataError

GREW = (
    "feed: attributes of the root",
    "feed: categories",
    "names: abbreviations",
    "names: capitals",
    "names: introduced",
    "names: letters",
    "names: lists",
    "names: loud words",
    "names: words joined by plus",
    "notes: lists",
    "TOML: dotted key",
)
"""Shapes whose cost once grew with the square."""


@pytest.mark.slow
@pytest.mark.parametrize("shape", [s for s in shapes() if s.name in GREW], ids=lambda shape: shape.name)
def test_what_once_grew_with_the_square_is_linear(shape: Shape) -> None:
    shape.read(shape.document(1_000)) if not shape.name.startswith("TOML") else None  # imports are not counted
    measured = cost(shape, 100_000)
    assert len(measured.per_megabyte) == 3  # none took so long that larger ones were left out
    assert measured.growth < GROWS or measured.per_megabyte[-1] < 1.0


def test_every_shape_that_once_grew_is_still_measured() -> None:
    assert set(GREW) <= {shape.name for shape in shapes()}


def test_notes_that_are_nested_too_deeply_are_read_without_their_tags() -> None:
    assert to_text("<ul><li>a" * 3 + "&amp;").text.count("\u2022") == 3
    text = to_text("<ul><li>a" * (DEEPEST + 1) + "&amp;").text
    assert "\u2022" not in text and text.count("a") == DEEPEST + 1 and text.endswith("&")


@pytest.mark.parametrize(
    "markup",
    ["<div></b>", "<b><div></b>", "<span><div></span>", "<div><table><td></div>", "<svg><div>", "<x/><div>"],
)
def test_no_trick_hides_how_deep_tags_are_nested(markup: str) -> None:
    assert nesting(markup * 600, DEEPEST) > DEEPEST


@pytest.mark.parametrize(
    "markup",
    ["<div><span></div>", "<p>a", "<ul><li>a</ul>", "<svg><g><path/></svg>", "<script><div></script>", "<br/>"],
)
def test_what_pages_write_every_day_is_not_deep(markup: str) -> None:
    assert nesting(markup * 600, DEEPEST) <= 2


def test_categories_are_not_read_and_entries_are() -> None:
    feed = parse(b"<rss><channel><item><title>A</title><category>x</category><guid>g</guid></item></channel></rss>")
    assert [(e.episode.title, e.episode.guid) for e in feed.entries] == [("A", "g")]


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 50_000, "a = " + "{a=" * 50_000, "a = " + "1" * 5_000, "a." * 101 + "a=1"]
)
def test_a_hostile_corrections_file_is_told_in_one_line(text: str) -> None:
    with pytest.raises(DataError, match=r"^mine.toml:1: not valid TOML: [^\n]{10,100}$"):
        parse_corrections("mine.toml", text)
