"""Every figure of speed in the docs stands in a table that the benchmark writes."""

import re
from pathlib import Path

import pytest

from benchmarks import cluster, growth
from benchmarks.__main__ import PAGE, PARTS
from benchmarks.extraction import SIZE, block, loaded, works
from benchmarks.tables import BenchmarkTable, columns, without_tables, written
from benchmarks.texts import LENGTH, of_folder
from tests.doc_sessions import PAGES, ROOT

_UNIT = r"(?:ms|s|milliseconds|seconds|minutes|times|x|MB|GB|kB)"
SPEED = re.compile(
    rf"""\d\ ?(?:ms|s)\b                                        # 20 s, 6 ms
    | \btakes?\ (?:about\ |some\ |under\ )?[\d.]+\ {_UNIT}\b     # takes 3 seconds
    | \b(?:in|within|under|about|some)\ [\d.]+\ (?:milli)?seconds?\b
    | [\d.,]+\ ?x?\ (?:times\ )?(?:as\ fast|faster|slower|quicker)
    | [\d.,]+\ \w+\ (?:a|per)\ second\b                         # 900 texts a second
    | ^\|.*\b(?:CPU|clock)\ s(?:econds)?\ \|                    # a table's head: | wall-clock s |
    """,
    re.X | re.M,
)


def figures(page: str) -> list[str]:
    """The figures of speed outside of tables and code."""
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", without_tables(page), flags=re.M | re.S)
    return [found[0] for found in SPEED.finditer(prose)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_figures_of_speed_stand_in_tables_of_the_benchmark(page: Path) -> None:
    assert figures(page.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "said",
    [
        "It takes 10 to 20 s.",
        "(6 ms)",
        "takes 3 seconds",
        "in 2.5 seconds",
        "2.3 times as fast",
        "1,000 texts a second",
        "| | first, wall-clock s | both, CPU s |",
    ],
)
def test_a_figure_of_speed_is_seen(said: str) -> None:
    assert figures(said)
    assert not figures(f"<!-- benchmark: x -->\n| {said} |\n<!-- end -->")


def test_the_page_has_a_table_for_each_part_with_its_columns() -> None:
    parts = {name: heads for name, (heads, _) in PARTS.items()}
    assert columns(PAGE.read_text("utf-8")) == parts | {"growth": growth.columns(growth.SIZES)}
    assert PAGE in PAGES and PAGE.is_relative_to(ROOT)


def test_a_table_is_written_between_its_markers_and_nowhere_else() -> None:
    page = PAGE.read_text("utf-8")
    name, (heads, _) = next(iter(PARTS.items()))
    anew = written(page, {name: BenchmarkTable(heads, (("x",) * len(heads),), ("A note.",))})
    assert without_tables(anew) == without_tables(page)
    assert columns(anew) == columns(page)
    assert written(anew, {name: BenchmarkTable(heads, (("x",) * len(heads),), ("A note.",))}) == anew != page


def test_texts_of_a_folder_are_pieces_of_one_length(tmp_path: Path) -> None:
    (tmp_path / "a.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:02.000\n" + "words of a talk " * 60, "utf-8")
    (tmp_path / "b.html").write_text("<p>" + "words of a page " * 60 + "</p>", "utf-8")
    texts = of_folder(tmp_path)
    assert len(texts) == 6
    assert max(map(len, texts)) <= LENGTH
    assert not any("-->" in text or "<p>" in text for text in texts)


@pytest.mark.slow
def test_readers_on_a_cluster_are_measured_beside_those_of_this_computer() -> None:
    table = cluster.readers(None, texts=3)
    assert len(table.rows) == 3 and {len(row) for row in table.rows} == {len(table.columns)}
    assert table.rows[0][-1] == "1.0" and table.notes[0].startswith("3 made show notes")


@pytest.mark.slow
def test_blocks_of_made_texts_are_unseen_and_every_column_is_measured() -> None:
    config, texts = loaded(None)
    assert len(set(texts)) == len(texts) == 5 * SIZE
    read: set[str] = set()
    for begin in range(0, len(texts), SIZE):
        words = {word for entry in texts[begin : begin + SIZE] for word in entry.notes.split()}
        assert len(words - read) > SIZE
        read |= words
    shares = block(works(config), texts[:40])
    assert set(shares) == {"", *PARTS["extraction"][0][1:]} and min(shares.values()) > 0 and shares[""] == 1
