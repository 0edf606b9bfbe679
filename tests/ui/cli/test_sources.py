"""Terms of feeds that are accepted, refused or drafted, and saved pages: what is kept, and what stays as it was."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.pages import DESCALE, VALVES, best_of, blog, directory, listing
from tests.ui.cli.commands import UNSEEN, answer, done, files, refused, run
from torchatlas.settings import load_settings
from torchatlas.sources import load_sources

pytestmark = pytest.mark.slow

FEED = """<rss version="2.0"><channel><title>Invented</title>
<item><title>The lantern pass</title><guid>a</guid>
<description>The lantern pass runs behind vmap, in GlowWorm.</description></item>
<item><title>Lights</title><guid>b</guid>
<description>A lantern pass again. With owl::nest&#x202e;[31m!</description></item>
</channel></rss>"""
OWN = """# mine
[topic.owl]  # first
name = "Owl"
aliases = ["the owl's nest"]
[[rename]]
concept = "Dynamo"
name = "Dyno"
"""


@pytest.fixture
def feed(tmp_path: Path) -> str:
    path = tmp_path / "feed.xml"
    path.write_text(FEED, "utf-8")
    return str(path)


def named(rows: list[dict[str, Any]]) -> set[str]:
    return {row["text"] for row in rows}


def test_terms_of_a_feed_or_of_all_sources_are_listed_best_first_with_counts_and_a_quote(tmp_path: Path, feed) -> None:
    found = answer(tmp_path, "candidates", feed)
    assert found[0]["text"] == "lantern pass" and {"GlowWorm", "owl::nest"} <= named(found)
    assert found[0]["count"] == 3 and len(found[0]["episodes"]) == 2
    assert set(found[0]) == {"text", "count", "score", "episodes", "field", "start", "end", "quote"}
    assert len(answer(tmp_path, "candidates", feed, "--limit", "1")) == 1
    told = run(tmp_path, "candidates", feed)
    assert "lantern pass: 3 times in 2 episodes" in told.stdout and not UNSEEN.search(told.output)
    first, plain = (
        json.loads(run(tmp_path, "extract", feed, *o).stdout.split("\n")[0]) for o in (["--candidates"], [])
    )
    assert first["candidates"][0].items() >= {"text": "lantern pass", "count": 2}.items() and "candidates" not in plain
    done(tmp_path, "add", feed)
    found = answer(tmp_path, "candidates", "--limit", "500")
    assert "lantern pass" in named(found) and any(row["field"] == "summary" for row in found)


def test_an_accepted_term_is_a_topic_that_the_next_extraction_knows(tmp_path: Path, feed: str) -> None:
    own = tmp_path / "corrections.toml"
    own.write_text(OWN, "utf-8")
    for term in ("vmap", "VMAP", "the owl's nest", "Dyno", "!!!", "owl"):
        assert refused(tmp_path, "candidates", "--accept", term) and own.read_text("utf-8") == OWN
    arguments = ("--name", "Lantern Pass", "--definition", 'It "glows".', "--area", "Light")
    accepted = answer(tmp_path, "candidates", "--accept", "lantern pass", *arguments)
    assert accepted == {"id": "lantern-pass", "name": "Lantern Pass"}
    text = own.read_text("utf-8")
    topic = {"name": "Lantern Pass", "area": "Light", "definition": 'It "glows".', "aliases": ["lantern pass"]}
    assert text.startswith("# mine\n[topic.owl]  # first\n") and tomllib.loads(text)["topic"]["lantern-pass"] == topic
    assert "lantern pass" not in named(answer(tmp_path, "candidates", feed))
    assert "lantern-pass" in {m["concept_id"] for m in answer(tmp_path, "extract", feed)[0]["mentions"]}
    assert done(tmp_path, "candidates", "--accept", "GlowWorm").stdout == "GlowWorm [glowworm]\n"


def test_a_rejected_term_is_not_listed_again_and_a_draft_is_told(tmp_path: Path, feed: str) -> None:
    drafted = answer(tmp_path, "candidates", feed, "--draft", str(tmp_path / "own.toml"))
    assert any({"id": "glowworm", "name": "GlowWorm"}.items() <= row.items() for row in drafted)
    rejected = answer(tmp_path, "candidates", "--reject", "Lantern-Pass", "--reject", "GlowWorm")
    assert rejected == ["Lantern-Pass", "GlowWorm"]
    assert {"lantern pass", "GlowWorm"}.isdisjoint(named(answer(tmp_path, "candidates", feed)))
    assert tomllib.loads((tmp_path / "sources.toml").read_text("utf-8"))["refused"] == rejected


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
LISTED = [("AOTAutograd", "19:00", VALVES), (None, None, GRAPHS), (None, None, DESCALE)]
BEST = [("Vectorisation", "05/07/21", "15 min", "SIMD."), ("On vmap", "05/07/25", "12 min", NEW)]
SAVED = {
    "player.txt": directory(LISTED, focus=("AOTAutograd", VALVES), show=SHOW),
    "good.txt": best_of(BEST, show=SHOW),
    "list.txt": listing([("AOTAutograd", VALVES), ("On vmap", NEW)], show=SHOW),
    "blog.txt": blog([("Kettles and vmap", (NEW,))]),
    "letter.txt": "Dear friend,\nnothing new here.\n",
}
"""A page of each shape, and one that is none."""


def test_an_import_is_tried_remembered_in_the_map_and_changes_nothing_the_next_time(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for name, text in SAVED.items():
        (tmp_path / name).write_text(text, "utf-8")
    player, good, listed, blogged, letter = (str(tmp_path / name) for name in SAVED)
    found = answer(home, "import", player, "--dry-run")
    assert [(r["outcome"], r["title"], r["episode"]) for r in found] == [
        ("merged", "AOTAutograd", "AOTAutograd"),
        ("merged", "AOTAutograd", "AOTAutograd"),
        ("merged", None, "CUDA graphs"),
        ("not placed", None, None),
    ]
    assert any("pytorch/pytorch#51436" in str(e) for e in list(found[2]["evidence"])) and not files(home)
    told = run(home, "import", player, good, listed, blogged, letter)
    assert told.exit_code == 1 and "good.txt: 1 new, 1 merged, 0 not placed" in told.stdout
    assert [line for line in told.stderr.splitlines() if "letter.txt" in line and "is no page" in line]
    assert load_sources(load_settings(None, {"TORCHATLAS_HOME": str(home)})).pages == (player, good, listed, blogged)
    link = "MATCH (e)-[:CITES]->(l:Link {url: 'https://example.org/vmap'})"
    facts = answer(home, "query", f"{link} RETURN e.title, e.kind, e.published, e.minutes ORDER BY e.title")
    assert facts["rows"] == [["Kettles and vmap", "post", None, None], ["On vmap", "episode", "2025-05-07", 12]]
    assert answer(home, "query", "MATCH (e:Episode) RETURN count(e)")["rows"] == [[83 + 2]]
    before = files(home)
    assert [r["outcome"] for r in answer(home, "import", good, blogged)] == ["merged"] * 3
    told = run(home, "import", letter, str(tmp_path / "missing.txt"), "-")
    assert told.exit_code == 1 and not told.stdout
    assert len(told.stderr.splitlines()) == 4  # each page, and that none was left
    assert files(home) == before
