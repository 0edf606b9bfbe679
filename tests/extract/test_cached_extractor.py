"""What is remembered, and what several processes read, is what one Extractor finds in the texts."""

import subprocess
import sys
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import times
from torchatlas.extract.cached_extractor import CachedExtractor
from torchatlas.extract.extraction_cache import ExtractionCache, key
from torchatlas.extract.extractor_config import ExtractorConfig, reader_version
from torchatlas.extract.feeds import Entry
from torchatlas.extract.statements.titles import Titles
from torchatlas.extract.workers import Workers
from torchatlas.graph.values.errors import DataError
from torchatlas.graph.values.findings import Extraction
from torchatlas.graph.values.model import Concept, Episode

pytestmark = pytest.mark.slow

CONFIG = ExtractorConfig(tuple(Concept(n, n, area="x") for n in ("vmap", "functorch", "dispatcher")), ("The lantern",))
NOTES = [
    "vmap uses functorch.",
    "Nothing here.",
    "",
    'The dispatcher. Listen to "The lantern" first.',
    "<p>vmap</p> \ud83e",
]
ENTRIES = [Entry(Episode(f"s/{i}", f"Part {i}", show="s"), notes) for i, notes in enumerate(NOTES)]


def read(
    config: ExtractorConfig, path: Path | None, entries: list[Entry] = ENTRIES, jobs: int = 1
) -> tuple[list[Extraction], bool]:
    """The findings, and whether an extractor was needed for them."""
    with ExtractionCache(path) as cache:
        extractor = CachedExtractor(config, cache, partial(Workers, jobs=jobs))
        found = list(extractor.extract(entries))
        extractor.keep_answers()
        cache.keep_used()
    return found, "extractor" in vars(extractor)


def test_the_second_time_nothing_is_read_and_the_findings_are_equal(tmp_path: Path) -> None:
    plain = list(CONFIG.build().extract(ENTRIES))
    assert read(CONFIG, tmp_path / "r") == (plain, True)
    assert read(CONFIG, tmp_path / "r") == (plain, False)
    assert plain[1].mentions == () and plain[0].statements and plain[3].statements


def test_names_are_made_once_for_a_vocabulary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read(CONFIG, tmp_path / "r")
    read(CONFIG, tmp_path / "r")  # asks for no names, and keeps them
    made: list[object] = []
    monkeypatch.setattr("torchatlas.extract.mentions.known_names.forms", lambda *args: made.append(args) or ())
    changed = [replace(ENTRIES[0], notes="vmapped functorch, vmap uses the dispatcher"), *ENTRIES[1:]]
    found, needed = read(CONFIG, tmp_path / "r", changed)
    assert needed and not made
    read(replace(CONFIG, code="other"), tmp_path / "r", changed)
    assert made
    monkeypatch.undo()
    assert found == list(CONFIG.build().extract(changed))


def test_a_change_of_text_vocabulary_or_code_is_read_anew(tmp_path: Path) -> None:
    read(CONFIG, tmp_path / "r")
    changed = [replace(ENTRIES[0], notes="vmap"), *ENTRIES[1:]]
    assert read(CONFIG, tmp_path / "r", changed)[1]
    for other in (replace(CONFIG, concepts=CONFIG.concepts[1:]), replace(CONFIG, code="2"), replace(CONFIG, model="m")):
        assert other.fingerprint != CONFIG.fingerprint
    assert replace(CONFIG, concepts=CONFIG.concepts[::-1]).fingerprint == CONFIG.fingerprint


def test_facts_of_an_episode_are_those_of_now(tmp_path: Path) -> None:
    read(CONFIG, tmp_path / "r")
    moved = [replace(e, episode=replace(e.episode, url="https://e.org")) for e in ENTRIES]
    found, needed = read(CONFIG, tmp_path / "r", moved)
    assert not needed and [x.episode for x in found] == [e.episode for e in moved]


def test_findings_are_those_of_the_people_of_now(tmp_path: Path) -> None:
    notes = "It is with Brunhild. Then we ask Brunhild for vmap."
    named = [Entry(Episode("s/e", "Part", show="s"), notes, credits=of) for of in ((), ("Brunhild Owl",))]
    counts = [[len(found.mentions) for found in read(CONFIG, tmp_path / "r", [entry])[0]] for entry in named]
    assert counts == [[3], [1]]
    (again,) = read(CONFIG, tmp_path / "r", named[1:])[0]
    assert again.people == ("Brunhild Owl",)


def test_a_new_episode_costs_only_itself_and_the_entries_that_name_it(tmp_path: Path) -> None:
    before, _ = read(replace(CONFIG, titles=()), tmp_path / "r")
    more = replace(CONFIG, titles=("The lantern", "Some other episode"))
    with ExtractionCache(tmp_path / "r") as cache:
        extractor = CachedExtractor(more, cache)
        known = [extractor._from_cache(entry) is not None for entry in ENTRIES]
    assert known == [True, True, True, False, True]
    assert read(more, tmp_path / "r")[0] == list(more.build().extract(ENTRIES)) != before


def test_what_the_last_build_did_not_use_is_dropped(tmp_path: Path) -> None:
    read(CONFIG, tmp_path / "r")
    read(CONFIG, tmp_path / "r", ENTRIES[:1])
    assert not read(CONFIG, tmp_path / "r", ENTRIES[:1])[1]
    assert read(CONFIG, tmp_path / "r", ENTRIES[1:2])[1]


@pytest.mark.parametrize("damage", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 5000, None])
def test_a_broken_file_is_made_anew(tmp_path: Path, damage: bytes | None) -> None:
    plain, _ = read(CONFIG, tmp_path / "r")
    whole = (tmp_path / "r").read_bytes()
    (tmp_path / "r").write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    assert read(CONFIG, tmp_path / "r") == (plain, True)
    assert read(CONFIG, tmp_path / "r") == (plain, False)


@settings(max_examples=times(12), deadline=None)
@given(place=st.integers(0, 40_000), bits=st.integers(1, 255))
def test_a_flipped_bit_changes_no_finding(tmp_path_factory: pytest.TempPathFactory, place: int, bits: int) -> None:
    path = tmp_path_factory.mktemp("flip") / "r"
    plain, _ = read(CONFIG, path)
    data = bytearray(path.read_bytes())
    data[place % len(data)] ^= bits
    path.write_bytes(data)
    assert read(CONFIG, path)[0] == plain


def test_a_folder_that_takes_no_file_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert read(CONFIG, tmp_path / "file" / "r")[0] == read(CONFIG, None)[0]


def test_any_number_of_processes_gives_the_same_in_the_same_order() -> None:
    many = [replace(ENTRIES[i % 5], episode=Episode(f"s/{i}", f"Part {i}", show="s")) for i in range(100)]
    assert read(CONFIG, None, many, jobs=2) == (read(CONFIG, None, many)[0], False)


def test_what_is_remembered_needs_no_spacy(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.extract.test_cached_extractor import *; "
        "a = read(CONFIG, Path(sys.argv[1])); print(a[1], 'spacy' in sys.modules)"
    )
    shown = [
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "r")], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert shown == ["True True\n", "False False\n"]


def test_a_changed_text_needs_spacy_only_for_words_and_statements_that_it_never_saw(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.extract.test_cached_extractor import *; "
        "e = replace(ENTRIES[0], notes=sys.argv[2]); found, _ = read(CONFIG, Path(sys.argv[1]), [e, *ENTRIES[1:]]); "
        "print('spacy' in sys.modules, found == list(CONFIG.build().extract([e, *ENTRIES[1:]])), found[0].statements)"
    )
    first, again, more = (
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "r"), notes], capture_output=True, text=True, check=True
        ).stdout
        for notes in (
            "The (fast) vmap uses functorch. It's fast!",
            "It's (fast) and new. vmap uses functorch.",
            "vmap's (newest) dispatcher uses functorch, c++11.",
        )
    )
    assert first.startswith("True True (Statement") and again.startswith("False True (Statement")
    assert more.startswith("True True (")


def test_a_model_that_is_not_installed_is_one_line_with_the_remedy(tmp_path: Path) -> None:
    for name in ("no_such_model_xyz", str(tmp_path)):
        with pytest.raises(DataError, match="spaCy pipeline") as caught:
            replace(CONFIG, model=name).build()
        assert "\n" not in str(caught.value)


def test_a_model_of_ones_own_is_used_and_its_change_is_seen(tmp_path: Path) -> None:
    import spacy

    nlp = spacy.blank("de")
    nlp.to_disk(tmp_path / "own")
    config = replace(CONFIG, model=str(tmp_path / "own"))
    extractor = config.build()
    assert extractor.nlp.lang == "de" and [m.concept_id for m in extractor.mentions("das vmap")] == ["vmap"]
    before = config.fingerprint
    (tmp_path / "own" / "tokenizer").write_bytes(b"x")
    assert config.fingerprint != before


def test_keys_of_other_texts_are_others() -> None:
    assert len({key("a", "b"), key("ab", ""), key("ab"), key("a", "b", "")}) == 4


def test_a_title_is_found_under_the_name_that_its_address_gives_it_unless_another_title_is_that_name() -> None:
    assert Titles(["C++ frontend"]).within("https://example.org/episodes/c-frontend") == ["C++ frontend"]
    assert Titles(["C++ frontend", "C frontend"]).of_name("c frontend") == "C frontend"
    assert Titles(["C++ frontend", "C frontend"]).of_name("C++ Frontends") == "C++ frontend"


def test_the_version_of_spacy_is_the_one_that_is_installed() -> None:
    assert reader_version("") == version("spacy")
