"""What is remembered, and what several processes read, is what one Extractor finds in the texts."""

import subprocess
import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.extract.cases import concepts
from tests.strategies import times
from torchatlas.extract.extraction_cache import ExtractionCache, key, spacy_version
from torchatlas.extract.feeds import Entry
from torchatlas.extract.pipeline import Extractor, Readers
from torchatlas.graph.findings import Extraction
from torchatlas.graph.model import Episode

pytestmark = pytest.mark.slow
CONFIG: dict[str, Any] = {"concepts": concepts("vmap, functorch, dispatcher"), "titles": ("The lantern",)}


def built(config: dict[str, Any] = CONFIG, cache: ExtractionCache | None = None, jobs: int = 1) -> Extractor:
    return Extractor(**config, cache=cache, readers=Readers(jobs))


LISTEN = 'The dispatcher. Listen to "The lantern" first.'
NOTES = ["vmap uses functorch.", "Nothing here.", "", LISTEN, "<p>vmap</p> \ud83e"]
ENTRIES = [Entry(Episode(f"s/{i}", f"Part {i}", show="s"), notes) for i, notes in enumerate(NOTES)]


def read(config: Any, path: Path | None, entries: list[Entry] = ENTRIES, jobs: int = 1) -> tuple[Any, bool]:
    """The findings, and whether an extractor was needed for them."""
    with ExtractionCache(path) as cache:
        extractor = built(config, cache, jobs)
        found = list(extractor.extract(entries))
        cache.keep_used()
    return found, "nlp" in vars(extractor)


def test_the_second_time_nothing_is_read_and_facts_of_an_episode_are_those_of_now(tmp_path: Path) -> None:
    plain = list(built().extract(ENTRIES))
    assert [read(CONFIG, tmp_path / "r") for _ in range(2)] == [(plain, True), (plain, False)]
    assert plain[1].mentions == () and plain[0].statements and plain[3].statements
    moved = [replace(e, episode=replace(e.episode, url="https://e.org")) for e in ENTRIES]
    found, needed = read(CONFIG, tmp_path / "r", moved)
    assert not needed and [x.episode for x in found] == [e.episode for e in moved]


def test_a_change_of_text_vocabulary_or_code_is_read_anew_and_what_was_not_used_is_dropped(tmp_path: Path) -> None:
    read(CONFIG, tmp_path / "r")
    changed = [replace(ENTRIES[0], notes="vmap"), *ENTRIES[1:]]
    assert read(CONFIG, tmp_path / "r", changed)[1]
    for other in ({"concepts": CONFIG["concepts"][1:]}, {"code": "2"}):
        assert built(CONFIG | other).fingerprint != built().fingerprint
    assert built(CONFIG | {"concepts": CONFIG["concepts"][::-1]}).fingerprint == built().fingerprint
    assert not read(CONFIG, tmp_path / "r", changed[:1])[1] and not read(CONFIG, tmp_path / "r", changed[:1])[1]
    assert read(CONFIG, tmp_path / "r", changed[1:2])[1]
    assert len({key("a", "b"), key("ab", ""), key("ab"), key("a", "b", "")}) == 4


def test_a_new_episode_costs_only_itself_and_the_entries_that_name_it(tmp_path: Path) -> None:
    before, _ = read(CONFIG | {"titles": ()}, tmp_path / "r")
    more = CONFIG | {"titles": ("The lantern", "Some other episode")}
    with ExtractionCache(tmp_path / "r") as cache:
        extractor = built(more, cache)
        known = [extractor._from_cache(entry) is not None for entry in ENTRIES]
    assert known == [True, True, True, False, True]
    assert read(more, tmp_path / "r")[0] == list(built(more).extract(ENTRIES)) != before


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Extraction], bytes]:
    """What is found, and the file in which it is remembered."""
    path = tmp_path_factory.mktemp("kept") / "r"
    return read(CONFIG, path)[0], path.read_bytes()


@pytest.mark.parametrize("damage", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 5000, None])
def test_a_broken_file_is_made_anew(tmp_path: Path, damage: bytes | None, kept: tuple[list[Extraction], bytes]) -> None:
    plain, whole = kept
    (tmp_path / "r").write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    assert [read(CONFIG, tmp_path / "r") for _ in range(2)] == [(plain, True), (plain, False)]
    (tmp_path / "file").write_text("x")
    assert read(CONFIG, tmp_path / "file" / "r")[0] == plain  # a folder that takes no file


@settings(max_examples=times(12), deadline=None)
@given(place=st.integers(0, 40_000), bits=st.integers(1, 255))
def test_a_flipped_bit_changes_no_finding(tmp_path_factory, place: int, bits: int, kept: tuple[Any, bytes]) -> None:
    data, path = bytearray(kept[1]), tmp_path_factory.mktemp("flip") / "r"
    data[place % len(data)] ^= bits
    path.write_bytes(data)
    assert read(CONFIG, path)[0] == kept[0]


def test_any_number_of_processes_gives_the_same_in_the_same_order() -> None:
    many = [replace(ENTRIES[i % 5], episode=Episode(f"s/{i}", f"Part {i}", show="s")) for i in range(100)]
    assert read(CONFIG, None, many, jobs=2) == read(CONFIG, None, many)


def test_what_is_remembered_needs_no_spacy_whose_version_is_the_one_that_is_installed(tmp_path: Path) -> None:
    code = "import sys; from pathlib import Path; from tests.extract.test_cached_extractor import *; "
    code += "a = read(CONFIG, Path(sys.argv[1])); print(a[1], 'spacy' in sys.modules)"
    run = [sys.executable, "-c", code, str(tmp_path / "r")]
    shown = [subprocess.run(run, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    assert shown == ["True True\n", "False False\n"]
    assert spacy_version() == version("spacy")
