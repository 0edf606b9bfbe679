"""Saved pages from the command line: what is shown, what is kept, and what stays as it was."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.pages import DESCALE, VALVES, best_of, blog, directory, listing
from torchatlas.settings import load_settings
from torchatlas.sources import load_sources
from torchatlas.ui.cli.program import main

pytestmark = pytest.mark.slow

SHOW = "PyTorch Developer Podcast"
GRAPHS = (
    "Launching tiny kernels one by one is slow. With CUDA graphs a bunch of launches is recorded and replayed at once; "
    "what about memory addresses, random numbers and Philox? Written up in https://github.com/pytorch/pytorch/pull/51436"
)
NEW = "A new episode about vmap ( https://example.org/vmap ), which nobody has heard of so far."


def run(home: Path, *arguments: str) -> Result:
    environment = {"TORCHATLAS_HOME": str(home), "TORCHATLAS_STORE": None, "NEO4J_URI": None, "COLUMNS": "200"}
    return CliRunner().invoke(main, arguments, env=environment)


def rows(home: Path, *arguments: str) -> list[dict[str, object]]:
    done = run(home, "import", *arguments, "--format", "json")
    assert done.exit_code == 0, done.output
    return list(json.loads(done.stdout))


def files(home: Path) -> dict[str, bytes]:
    return {str(p.relative_to(home)): p.read_bytes() for p in home.rglob("*") if p.is_file()}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a page of each shape, and one that is none."""
    folder = tmp_path_factory.mktemp("saved")
    listed = [("AOTAutograd", "19:00", VALVES), (None, None, GRAPHS), (None, None, DESCALE)]
    best = [("Vectorisation", "05/07/21", "15 min", "SIMD."), ("On vmap", "05/07/25", "12 min", NEW)]
    for name, text in {
        "player.txt": directory(listed, focus=("AOTAutograd", VALVES), show=SHOW),
        "good.txt": best_of(best, show=SHOW),
        "list.txt": listing([("AOTAutograd", VALVES), ("On vmap", NEW)], show=SHOW),
        "blog.txt": blog([("Kettles and vmap", (NEW,))]),
        "letter.txt": "Dear friend,\nnothing new here.\n",
    }.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory, saved: Path) -> Path:
    """A home into which all pages have been imported."""
    home = tmp_path_factory.mktemp("home")
    done = run(home, "import", *(str(saved / f"{n}.txt") for n in ("player", "good", "list", "blog", "letter")))
    assert done.exit_code == 1
    assert [line for line in done.stderr.splitlines() if "letter.txt" in line and "is no page" in line]
    assert "good.txt: 1 new, 1 merged, 0 not placed" in done.stdout
    return home


def test_a_dry_run_shows_what_would_be_and_changes_nothing(saved: Path, tmp_path: Path) -> None:
    found = rows(tmp_path, str(saved / "player.txt"), "--dry-run")
    assert [(r["outcome"], r["title"], r["episode"]) for r in found] == [
        ("merged", "AOTAutograd", "AOTAutograd"),
        ("merged", "AOTAutograd", "AOTAutograd"),
        ("merged", None, "CUDA graphs"),
        ("not placed", None, None),
    ]
    assert any("pytorch/pytorch#51436" in str(e) for e in list(found[2]["evidence"]))  # type: ignore[call-overload]
    assert not files(tmp_path)


def test_an_import_is_remembered_and_in_the_map(imported: Path, saved: Path) -> None:
    pages = load_sources(load_settings(None, {"TORCHATLAS_HOME": str(imported)})).pages
    assert pages == tuple(str(saved / f"{n}.txt") for n in ("player", "good", "list", "blog"))
    asked = (
        "MATCH (e)-[:CITES]->(l:Link {url: 'https://example.org/vmap'}) RETURN e.title, e.kind, e.published, e.minutes"
    )
    done = run(imported, "query", f"{asked} ORDER BY e.title", "--format", "json")
    assert json.loads(done.stdout)["rows"] == [
        ["Kettles and vmap", "post", None, None],
        ["On vmap", "episode", "2025-05-07", 12],
    ]
    number = run(imported, "query", "MATCH (e:Episode) RETURN count(e)", "--format", "json")
    assert json.loads(number.stdout)["rows"] == [[83 + 2]]


def test_importing_again_changes_nothing(imported: Path, saved: Path) -> None:
    before = files(imported)
    found = rows(imported, str(saved / "good.txt"), str(saved / "blog.txt"))
    assert [r["outcome"] for r in found] == ["merged"] * 3
    assert files(imported) == before


def test_a_page_that_cannot_be_read_costs_one_line_and_leaves_all_as_it_was(imported: Path, saved: Path) -> None:
    before = files(imported)
    done = run(imported, "import", str(saved / "letter.txt"), str(saved / "missing.txt"), "-")
    assert done.exit_code == 1 and not done.stdout
    assert len(done.stderr.splitlines()) == 4  # each page, and that none was left
    assert files(imported) == before
