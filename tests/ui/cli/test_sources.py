"""Terms of feeds that are accepted, refused or drafted, and saved pages: what is kept, and what stays as it was."""

import json
import tomllib
from pathlib import Path

import pytest

from tests.pages import DESCALE, VALVES, best_of, blog, directory, listing
from tests.ui.cli.commands import UNSEEN, answer, done, files, refused, run
from torchatlas.settings import load_settings
from torchatlas.sources import load_sources

pytestmark = pytest.mark.slow

FEED = """<rss version="2.0"><channel><title>Invented</title>
<item><title>The lantern pass</title><guid>a</guid>
<description>The lantern pass runs behind vmap, in GlowWorm.</description></item>
<item><title>Lights</title><guid>b</guid><description>A lantern pass again. With owl::nest\x1b[31m!</description></item>
</channel></rss>"""


@pytest.fixture
def feed(tmp_path: Path) -> str:
    path = tmp_path / "feed.xml"
    path.write_text(FEED.replace("\x1b", "&#x202e;"), "utf-8")
    return str(path)


def test_terms_of_a_feed_are_listed_best_first_with_counts_and_a_quote(tmp_path: Path, feed: str) -> None:
    found = answer(tmp_path, "candidates", feed)
    assert found[0]["text"] == "lantern pass"
    assert {"GlowWorm", "owl::nest"} <= {row["text"] for row in found}
    assert found[0]["count"] == 3 and len(found[0]["episodes"]) == 2
    assert set(found[0]) == {"text", "count", "score", "episodes", "field", "start", "end", "quote"}
    assert len(answer(tmp_path, "candidates", feed, "--limit", "1")) == 1
    told = run(tmp_path, "candidates", feed)
    assert "lantern pass: 3 times in 2 episodes" in told.stdout and not UNSEEN.search(told.output)


def test_an_accepted_term_is_a_topic_that_the_next_extraction_knows(tmp_path: Path, feed: str) -> None:
    own = tmp_path / "corrections.toml"
    own.write_text('# mine\n[topic.owl]  # first\nname = "Owl"\n[[rename]]\nconcept = "Dynamo"\nname = "Dyno"', "utf-8")
    arguments = ("--name", "Lantern Pass", "--definition", 'It "glows".', "--area", "Light")
    told = done(tmp_path, "candidates", "--accept", "lantern pass", *arguments).stdout
    assert told == "Lantern Pass [lantern-pass]\n"
    text = own.read_text("utf-8")
    assert text.startswith("# mine\n[topic.owl]  # first\n")
    topic = {"name": "Lantern Pass", "area": "Light", "definition": 'It "glows".', "aliases": ["lantern pass"]}
    assert tomllib.loads(text)["topic"]["lantern-pass"] == topic
    assert "lantern pass" not in {row["text"] for row in answer(tmp_path, "candidates", feed)}
    shown = answer(tmp_path, "extract", feed)
    assert "lantern-pass" in {m["concept_id"] for m in shown[0]["mentions"]}


@pytest.mark.parametrize("term", ["vmap", "VMAP", "the owl's nest", "Dyno", "!!!", "owl"])
def test_what_is_a_name_already_is_refused_and_nothing_is_written(tmp_path: Path, term: str) -> None:
    own = tmp_path / "corrections.toml"
    before = '[topic.owl]\nname = "Owl"\naliases = ["the owl\'s nest"]\n[[rename]]\nconcept = "Dynamo"\nname = "Dyno"\n'
    own.write_text(before, "utf-8")
    assert refused(tmp_path, "candidates", "--accept", term)
    assert own.read_text("utf-8") == before


def test_a_rejected_term_is_not_listed_again(tmp_path: Path, feed: str) -> None:
    done(tmp_path, "candidates", "--reject", "Lantern-Pass", "--reject", "GlowWorm")
    assert {"lantern pass", "GlowWorm"}.isdisjoint(str(row["text"]) for row in answer(tmp_path, "candidates", feed))
    assert tomllib.loads((tmp_path / "sources.toml").read_text("utf-8"))["refused"] == ["Lantern-Pass", "GlowWorm"]


def test_json_is_printed_of_what_is_done_too(tmp_path: Path, feed: str) -> None:
    accepted = answer(tmp_path, "candidates", "--accept", "lantern pass", "--name", "Lantern Pass")
    assert accepted == {"id": "lantern-pass", "name": "Lantern Pass"}
    assert answer(tmp_path, "candidates", "--reject", "owl::nest") == ["owl::nest"]
    drafted = answer(tmp_path, "candidates", feed, "--draft", str(tmp_path / "own.toml"))
    assert {"id": "glowworm", "name": "GlowWorm"}.items() <= drafted[0].items()


def test_without_a_feed_the_sources_and_the_catalogue_are_read(tmp_path: Path, feed: str) -> None:
    done(tmp_path, "add", feed)
    found = answer(tmp_path, "candidates", "--limit", "500")
    assert "lantern pass" in {row["text"] for row in found} and any(row["field"] == "summary" for row in found)


def test_candidates_are_in_the_extraction_only_where_asked_for(tmp_path: Path, feed: str) -> None:
    first = json.loads(run(tmp_path, "extract", feed, "--candidates").stdout.splitlines()[0])
    assert first["candidates"][0].items() >= {"text": "lantern pass", "count": 2}.items()
    assert "candidates" not in json.loads(run(tmp_path, "extract", feed).stdout.splitlines()[0])


def test_a_vocabulary_of_ones_own_is_used_by_option_and_by_profile(tmp_path: Path, feed: str) -> None:
    own = tmp_path / "own.toml"
    topic = '[beacon]\nname = "beacon"\naliases = ["lantern pass"]\ndefinition = "It glows."'
    own.write_text(f'area = "Light"\n{topic}\n', "utf-8")

    def concepts(*arguments: str) -> set[str]:
        return {m["concept_id"] for row in answer(tmp_path, "extract", feed, *arguments) for m in row["mentions"]}

    assert "beacon" not in concepts()
    assert {"beacon", "vmap"} <= concepts("--vocabulary", str(own))
    (tmp_path / "sources.toml").write_text(f"vocabularies = ['{own}']\n", "utf-8")
    assert {"beacon", "vmap"} <= concepts()
    own.unlink()
    assert "own.toml" in run(tmp_path, "extract", feed).stderr


SHOW = "PyTorch Developer Podcast"
GRAPHS = (
    "Launching tiny kernels one by one is slow. With CUDA graphs a bunch of launches is recorded and replayed at once; "
    "what about memory addresses, random numbers and Philox? Written up in https://github.com/pytorch/pytorch/pull/51436"
)
NEW = "A new episode about vmap ( https://example.org/vmap ), which nobody has heard of so far."


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
    home = tmp_path_factory.mktemp("home")
    told = run(home, "import", *(str(saved / f"{n}.txt") for n in ("player", "good", "list", "blog", "letter")))
    assert told.exit_code == 1
    assert [line for line in told.stderr.splitlines() if "letter.txt" in line and "is no page" in line]
    assert "good.txt: 1 new, 1 merged, 0 not placed" in told.stdout
    return home


def test_a_dry_run_shows_what_would_be_and_changes_nothing(saved: Path, tmp_path: Path) -> None:
    found = answer(tmp_path, "import", str(saved / "player.txt"), "--dry-run")
    assert [(r["outcome"], r["title"], r["episode"]) for r in found] == [
        ("merged", "AOTAutograd", "AOTAutograd"),
        ("merged", "AOTAutograd", "AOTAutograd"),
        ("merged", None, "CUDA graphs"),
        ("not placed", None, None),
    ]
    assert any("pytorch/pytorch#51436" in str(e) for e in list(found[2]["evidence"]))
    assert not files(tmp_path)


def test_an_import_is_remembered_and_in_the_map(imported: Path, saved: Path) -> None:
    pages = load_sources(load_settings(None, {"TORCHATLAS_HOME": str(imported)})).pages
    assert pages == tuple(str(saved / f"{n}.txt") for n in ("player", "good", "list", "blog"))
    link = "MATCH (e)-[:CITES]->(l:Link {url: 'https://example.org/vmap'})"
    facts = answer(imported, "query", f"{link} RETURN e.title, e.kind, e.published, e.minutes ORDER BY e.title")
    assert facts["rows"] == [["Kettles and vmap", "post", None, None], ["On vmap", "episode", "2025-05-07", 12]]
    assert answer(imported, "query", "MATCH (e:Episode) RETURN count(e)")["rows"] == [[83 + 2]]


def test_importing_again_changes_nothing(imported: Path, saved: Path) -> None:
    before = files(imported)
    found = answer(imported, "import", str(saved / "good.txt"), str(saved / "blog.txt"))
    assert [r["outcome"] for r in found] == ["merged"] * 3
    assert files(imported) == before


def test_a_page_that_cannot_be_read_costs_one_line_and_leaves_all_as_it_was(imported: Path, saved: Path) -> None:
    before = files(imported)
    told = run(imported, "import", str(saved / "letter.txt"), str(saved / "missing.txt"), "-")
    assert told.exit_code == 1 and not told.stdout
    assert len(told.stderr.splitlines()) == 4  # each page, and that none was left
    assert files(imported) == before
