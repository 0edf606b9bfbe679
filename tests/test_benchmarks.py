"""The benchmark measures every column of its tables, and writes them into the docs."""

import cProfile
import pstats
import re
from pathlib import Path

import pytest

from benchmarks.__main__ import PAGE, PARTS
from benchmarks.extraction import LENGTH, block, loaded, of_folder, works
from benchmarks.growth import made_inputs, stages
from benchmarks.made import SHOW, feeds
from benchmarks.tables import BenchmarkTable, written
from torchatlas.build import Inputs
from torchatlas.extract.feeds import parse
from torchatlas.graph.model import Concept

PART = re.compile(r"<!-- benchmark: ([\w-]+) -->\n(.*?)<!-- end -->", re.S)


def columns(page: str) -> dict[str, tuple[str, ...]]:
    return {part[1]: tuple(part[2].split("\n")[0].strip("| ").split(" | ")) for part in PART.finditer(page)}


def test_the_tables_of_the_page_have_the_columns_of_their_parts() -> None:
    shown = columns(PAGE.read_text("utf-8"))
    assert shown == {name: heads for name, (heads, _) in PARTS.items() if name in shown} and "commands" in shown


def test_a_table_is_written_between_its_markers_and_nowhere_else() -> None:
    page = PAGE.read_text("utf-8")
    name, (heads, _) = next(iter(PARTS.items()))
    table = {name: BenchmarkTable(heads, (("x",) * len(heads),), ("A note.",))}
    anew = written(page, table)
    assert PART.sub("", anew) == PART.sub("", page) and columns(anew) == columns(page)
    assert written(anew, table) == anew != page


def test_texts_of_a_folder_are_pieces_of_one_length(tmp_path: Path) -> None:
    (tmp_path / "a.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:02.000\n" + "words of a talk " * 60, "utf-8")
    (tmp_path / "b.html").write_text("<p>" + "words of a page " * 60 + "</p>", "utf-8")
    texts = of_folder(tmp_path)
    assert len(texts) == 6 and max(map(len, texts)) <= LENGTH
    assert not any("-->" in text or "<p>" in text for text in texts)


@pytest.mark.slow
def test_every_column_of_extraction_is_measured() -> None:
    config, texts = loaded(None)
    shares = block(works(config), texts[:40])
    assert set(shares) == {"", *PARTS["extraction"][0][1:]} and min(shares.values()) > 0 and shares[""] == 1


COLOURS = ["amber", "azure", "coral", "ivory", "olive", "pearl", "plum", "rust", "slate", "teal", "umber", "violet"]
THINGS = ["anchor", "basket", "candle", "engine", "feather", "harbour", "ladder", "lantern", "mirror", "saddle"]
CONCEPTS = "".join(
    f'[{a}-{b}]\nname = "{a} {b}"\ndefinition = "Made of {b}."\nsource = ["made.py"]\n' for a in COLOURS for b in THINGS
)
INPUTS = Inputs(
    code="", concepts=(("made.toml", f'area = "Made"\n{CONCEPTS}'),), unplaced=("none.toml", ""), episodes=(),
    corrections="",
)  # fmt: skip
NOT_COUNTED = {"extract, in one process", "write the graph", "read the graph"}
"""Stages that begin with seconds of loading, or leave their work to an engine."""


def calls(episodes: int) -> dict[str, int]:
    found = {}
    for name, work in stages(made_inputs(episodes, INPUTS), "memory:"):
        profile = cProfile.Profile()
        profile.runcall(work)
        found[name] = int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]
    return found


@pytest.mark.slow
def test_what_a_stage_does_grows_with_the_number_of_episodes() -> None:
    _, small, middle, large = (calls(size) for size in (15, 20, 40, 80))  # in the first round, modules are imported
    for name in large.keys() - NOT_COUNTED:
        one, two, four = small[name], middle[name], large[name]
        assert four - two <= 2.3 * (two - one) + one // 20, (name, one, two, four)  # 2 is linear, 4 is the square


def test_the_same_size_gives_the_same_feeds() -> None:
    concepts = [Concept(f"c{n}", f"concept {n}", area=f"Area {n % 5}") for n in range(60)]
    assert feeds(90, concepts) == feeds(90, concepts) != feeds(90, concepts, seed=1)
    read = [parse(document, address) for address, document in feeds(SHOW + 20, concepts)]
    assert [len(feed.entries) for feed in read] == [SHOW, 20] and not any(feed.skipped for feed in read)
